"""From what people type to a move: every front end narrows the legal moves in the same way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Generic

from digit_duel.core.game import M, NotAMove, Refused, S, Seat, V, excerpt
from digit_duel.core.script import Question, Script


@dataclass(frozen=True)  # no slots: Python 3.11 cannot subscript a generic one
class Fits(Generic[M]):
    """What an answer leaves: moves that share one choice, or several choices it could mean."""

    moves: tuple[M, ...]
    choices: tuple[str, ...]  # the proper words for what it could mean: one, unless ambiguous


def choices(question: Question[M], moves: Sequence[M]) -> tuple[str, ...]:
    """The proper answers to a question, each once, in the order of the moves."""
    return tuple(dict.fromkeys(question.answers(move)[0] for move in moves))


def fit(question: Question[M], moves: Sequence[M], typed: str) -> Fits[M]:
    """The moves that an answer leaves: an exact word, else the beginning of one."""
    # A4 and look-alike letters: folding is for ASCII only.
    word = typed.lower() if typed.isascii() else typed
    found = [move for move in moves if word in question.answers(move)]
    if not found and word.replace("-", "").isalpha():
        found = [move for move in moves if any(a.startswith(word) for a in question.answers(move))]
    return Fits(tuple(found), choices(question, found))


def refusal(
    script: Script[S, M, V], view: V, seat: Seat, question: Question[M], moves: Sequence[M], typed: str
) -> str:
    """Why an answer was not taken, and what would be right."""
    options = " ".join(word for word in choices(question, moves) if word)
    right = f"Please type one of: {options}" if len(options) <= 60 else f"For example: {options.split()[0]}"
    earlier = fit(question, script.game.moves(seat), typed).moves
    if question.secret:
        return f"That cannot be chosen. {right}"  # a secret is not shown, not even a wrong one
    if typed and earlier:
        return f"{script.game.why_not(view, seat, earlier[0])} {right}"
    return f"{excerpt(typed)} is no answer here. {right}" if typed else right


def one_line(script: Script[S, M, V], state: S, seat: Seat, text: str) -> M:
    """The move that one line names, as notation (9a1) or as the answers in a row (9 h)."""
    game = script.game
    try:
        return game.parse(state, seat, text)
    except NotAMove as refused:
        words = text.split(" ")
        questions = script.questions(game.view(state, seat), seat)
        if len(words) != len(questions):
            raise refused
    legal = tuple(game.legal(state, seat))
    if not _in_a_row(questions, tuple(game.moves(seat)), words):
        # In the order of the questions the words mean nothing; another order may mean just one thing (a 7).
        meant = {_in_a_row(questions, legal, order) for order in permutations(words)} - {()}
        if len(meant) == 1:
            return meant.pop()[0]
    if found := _in_a_row(questions, legal, words):
        return found[0]
    raise _line_refused(script, game.view(state, seat), seat, questions, legal, words)


def _in_a_row(questions: Sequence[Question[M]], moves: tuple[M, ...], words: Sequence[str]) -> tuple[M, ...]:
    """The moves that the words choose, one word a question; none if one does not fit or is ambiguous."""
    for question, word in zip(questions, words, strict=True):
        left = fit(question, moves, word)
        moves = left.moves if len(left.choices) == 1 else ()
    return moves


def _line_refused(
    script: Script[S, M, V],
    view: V,
    seat: Seat,
    questions: Sequence[Question[M]],
    legal: Sequence[M],
    words: list[str],
) -> Refused:
    moves = tuple(legal)
    for question, word in zip(questions, words, strict=True):
        left = fit(question, moves, word)
        if len(left.choices) > 1:
            return NotAMove(f"{excerpt(word)} could be {' or '.join(left.choices)}: please say which.")
        if not left.moves:
            return NotAMove(refusal(script, view, seat, question, moves, word))
        moves = left.moves
    return NotAMove(f"{excerpt(' '.join(words))} is not a move.")
