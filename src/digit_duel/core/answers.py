"""Turns what people type into a move, the same way for every front end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Generic

from digit_duel.core.game import M, NotAMove, Refused, S, Seat, V, excerpt
from digit_duel.core.script import Question, Script


@dataclass(frozen=True)  # no slots: Python 3.11 cannot subscript a generic one
class Fits(Generic[M]):
    """The moves that match an answer: they share one choice, unless the answer is ambiguous."""

    moves: tuple[M, ...]
    choices: tuple[str, ...]  # the proper word for each choice that the answer could mean


def choices(question: Question[M], moves: Sequence[M]) -> tuple[str, ...]:
    """The proper answers to a question, each once, in the order of the moves."""
    return tuple(dict.fromkeys(question.answers(move)[0] for move in moves))


def fit(question: Question[M], moves: Sequence[M], typed: str) -> Fits[M]:
    """The moves that match an answer: by the exact word, otherwise by the beginning of a word."""
    # A4: only ASCII is lowered, because other letters may fold to ASCII look-alikes.
    word = typed.lower() if typed.isascii() else typed
    found = [move for move in moves if word in question.answers(move)]
    if not found and word.replace("-", "").isalpha():
        found = [move for move in moves if any(a.startswith(word) for a in question.answers(move))]
    return Fits(tuple(found), choices(question, found))


def refusal(
    script: Script[S, M, V],
    view: V,
    seat: Seat,
    question: Question[M],
    moves: Sequence[M],
    alphabet: Sequence[M],
    typed: str,
) -> str:
    """Why an answer is refused, and what can be chosen; moves and alphabet match the earlier answers."""
    if typed and not question.secret and (forbidden := fit(question, alphabet, typed).moves):
        return f"{script.game.why_not(view, seat, forbidden[0])} {_suggestion(question, moves)}"
    return not_understood(question, moves, typed)


def not_understood(question: Question[M], moves: Sequence[M], typed: str) -> str:
    """The reply to an answer that matches no move; a secret answer is never repeated."""
    if question.secret:
        return f"You cannot choose that. {_suggestion(question, moves)}"
    told = f"I don't understand {excerpt(typed)}. " if typed else ""
    return told + _suggestion(question, moves)


def _suggestion(question: Question[M], moves: Sequence[M]) -> str:
    """What can be chosen, or an example if that is too much to list."""
    words = [word for word in choices(question, moves) if word]
    listed = ", ".join(words)
    return f"Choose: {listed}" if len(listed) <= 60 else f"For example: {words[0]}"


def one_line(script: Script[S, M, V], state: S, seat: Seat, text: str) -> M:
    """The move that a line names, in notation (9a1) or as one answer per question (9 h); raises Refused."""
    game = script.game
    try:
        return game.parse(state, seat, text)
    except NotAMove as refused:
        words = [word for word in text.split(" ") if word]
        questions = script.questions(game.view(state, seat), seat)
        if len(words) != len(questions):
            raise _wrong_number(questions, game.legal(state, seat), words) or refused from None
    legal, alphabet = tuple(game.legal(state, seat)), tuple(game.moves(seat))
    orders = (
        [words] if _makes_sense(questions, alphabet, words) else _other_orders(questions, alphabet, words)
    )
    found = [moves[0] for order in orders if (moves := _chosen_by(questions, legal, order))]
    if len(found) == 1:
        return found[0]
    meant = orders[0] if len(orders) == 1 else words
    raise _line_refused(script, game.view(state, seat), seat, questions, legal, meant)


def _wrong_number(
    questions: Sequence[Question[M]], legal: Sequence[M], words: Sequence[str]
) -> NotAMove | None:
    """The reply to too few or too many words; None if the first of them answers nothing."""
    if len(questions) == 1:
        return NotAMove(not_understood(questions[0], legal, " ".join(words)))
    if len(words) < 2:
        return None
    for move in fit(questions[0], legal, words[0]).moves:
        answers = [question.answers(move) for question in questions]
        if all(answers):
            example = " ".join(answer[0] for answer in answers)
            return NotAMove(
                f"Type one answer at a time, or all {len(questions)} on one line, such as: {example}"
            )
    return None


def _other_orders(
    questions: Sequence[Question[M]], alphabet: tuple[M, ...], words: list[str]
) -> list[list[str]]:
    """The orders of the words that name a move (a 7 for 7 a); numbers stay in order: nothing is guessed."""
    numbers = [word for word in words if word.isdigit()]
    orders = [list(order) for order in dict.fromkeys(permutations(words))]
    return [
        order
        for order in orders
        if [word for word in order if word.isdigit()] == numbers and _chosen_by(questions, alphabet, order)
    ]


def _makes_sense(questions: Sequence[Question[M]], alphabet: tuple[M, ...], words: Sequence[str]) -> bool:
    """Whether each word answers its question, even if ambiguously."""
    moves = alphabet
    for question, word in zip(questions, words, strict=True):
        moves = fit(question, moves, word).moves
    return bool(moves)


def _chosen_by(questions: Sequence[Question[M]], moves: tuple[M, ...], words: Sequence[str]) -> tuple[M, ...]:
    """The moves that the words choose, one word per question; none if a word has no match or several."""
    for question, word in zip(questions, words, strict=True):
        left = fit(question, moves, word)
        moves = left.moves if len(left.choices) == 1 else ()
    return moves


def _line_refused(
    script: Script[S, M, V],
    view: V,
    seat: Seat,
    questions: Sequence[Question[M]],
    legal: tuple[M, ...],
    words: list[str],
) -> Refused:
    """Why a line is refused: the first word that matches nothing, or more than one thing."""
    moves, alphabet = legal, tuple(script.game.moves(seat))
    for question, word in zip(questions, words, strict=True):
        left = fit(question, moves, word)
        if len(left.choices) > 1:
            return NotAMove(f"{excerpt(word)} could be {' or '.join(left.choices)}. Say which.")
        if not left.moves:
            return NotAMove(refusal(script, view, seat, question, moves, alphabet, word))
        moves, alphabet = left.moves, fit(question, alphabet, word).moves
    return NotAMove(f"{excerpt(' '.join(words))} is not a move.")
