"""Sentences that are the same in every game, and texts fitted to the window."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import fill

from digit_duel.core.game import Seat
from digit_duel.core.match import Match
from digit_duel.core.record import RESIGNATION, UNFINISHED, Record, winner_of
from digit_duel.core.script import Names

COMMANDS = {
    "help": "this list",
    "rules": "the rules of this game",
    "board": "show the board again",
    "moves": "all your legal moves, in notation",
    "counts": "which digits are gone, and which you have not seen",
    "hint": "a good move, and the reason",
    "why": "what was good or bad about the last moves",
    "undo": "take the last choice back",
    "save": "make sure that the game is saved",
    "resign": "give up this game",
    "quit": "leave; the game is saved",
}
VERDICTS = {  # the coach's verdicts in words
    "best": "best",
    "fine": "not the best",
    "mistake": "a mistake",
    "forced": "the only move",
    "unjudged": "not judged",
}

_SYNONYMS = {"?": "help", "exit": "quit"}


def command(typed: str) -> str:
    """A typed line as the command it may be: in lower case, with the usual word for it."""
    word = typed.lower() if typed.isascii() else typed
    return _SYNONYMS.get(word, word)


def help_text(answers: Sequence[str], commands: Mapping[str, str], columns: int) -> str:
    """What a person can type at a prompt."""
    lines = [fill(f"You can answer: {', '.join(filter(None, answers))}", max(20, columns - 2))]
    lines += [
        fill(meaning, max(30, columns), initial_indent=f"  {word:<8}", subsequent_indent=" " * 10)
        for word, meaning in commands.items()
    ]
    return "\n".join(lines)


def paragraphs(text: str, columns: int) -> str:
    """A text in which paragraphs with overlong lines are wrapped."""
    return "\n\n".join(
        part if all(len(line) <= columns for line in part.split("\n")) else fill(part, max(20, columns))
        for part in text.split("\n\n")
    )


def wrapped(lines: Sequence[str], columns: int) -> str:
    """Lines, each wrapped to the window."""
    return "\n".join(fill(line, max(20, columns - 2)) for line in lines)


def resigned(names: Names, seat: Seat) -> str:
    """The end of a game in which somebody resigned."""
    return f"{names[seat]} resigns. {names[seat.other]} wins!"


_LOST = {RESIGNATION: "{} resigned. ", "time": "{}'s time was up. ", "away": "{} was away for too long. "}


def ending(record: Record) -> str:
    """The end of a record: who won, and why where the rules did not decide it."""
    if record.result == UNFINISHED:
        return "The record ends here."
    winner = winner_of(record.result)
    if winner is None:
        return "The end: a draw."
    why = _LOST.get(record.headers.get("Ended", ""), "").format(record.names[winner.other])
    return f"The end: {why}{record.names[winner]} won."


def game_heading(match: Match, names: Names) -> str:
    """The heading of a game in a match; the score names the players in the order of the first game."""
    of = f" of at most {match.best_of}" if match.best_of else ""
    scores = [f"{name}: {wins}" for name, wins in zip(names, match.score, strict=True)]
    if match.number % 2 == 0:  # the players have swapped seats
        scores.reverse()
    score = f"Match score: {', '.join(scores)}."
    return f"=== Game {match.number}{of}, {match.text} ===\n{score} {names[0]} goes first."


def match_result(match: Match, names: Names) -> str:
    """The end of a match."""
    first, second = match.score
    if first == second:
        return f"The match is drawn, {first} to {second}."
    winner = 0 if first > second else 1
    return f"{names[winner]} wins the match, {match.score[winner]} to {match.score[1 - winner]}!"


def coin_toss(names: Names) -> str:
    """The result of a coin toss."""
    return f"The coin toss: {names[0]} goes first."
