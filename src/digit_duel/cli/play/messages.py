"""What the program says around a game, whichever game it is."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill

from digit_duel.core.game import Seat
from digit_duel.core.match import Match
from digit_duel.core.script import Names

COMMANDS = {
    "help": "this list",
    "rules": "the rules of this game",
    "board": "show the table again",
    "moves": "every move you may make, in notation",
    "hint": "a good move, and the reason",
    "why": "what was good or bad about the last moves",
    "undo": "take your last choice back",
    "save": "make sure that the game is saved",
    "resign": "give this game up",
    "quit": "leave; the game is saved",
}


def help_text(answers: Sequence[str], columns: int) -> str:
    """What can be typed at a prompt."""
    proper = [answer for answer in answers if answer]
    lines = [fill(f"You can answer: {', '.join(proper)}", max(20, columns - 2))]
    lines += [f"  {word:<8}{meaning}" for word, meaning in COMMANDS.items()]
    return "\n".join(lines)


def paragraphs(text: str, columns: int) -> str:
    """A text of paragraphs, with those put into new lines that would not fit."""
    return "\n\n".join(
        part if all(len(line) <= columns for line in part.split("\n")) else fill(part, max(20, columns))
        for part in text.split("\n\n")
    )


def coached(paragraphs: Sequence[str], columns: int) -> str:
    """What the coach says, in lines that fit."""
    return "\n".join(fill(paragraph, max(20, columns - 2)) for paragraph in paragraphs)


def listed(words: Sequence[str], columns: int) -> str:
    """Words in lines that fit."""
    return fill(" ".join(words), max(20, columns - 2))


def resigned(names: Names, seat: Seat) -> str:
    """The end of a game that was given up."""
    return f"{names[seat]} resigns. {names[seat.other]} wins!"


def game_heading(match: Match, names: Names) -> str:
    """What is said before a game of a match."""
    of = f" of at most {match.best_of}" if match.best_of else ""
    return f"=== Game {match.number}{of}, {match.text} ===\n{score(match, names)} {names[0]} goes first."


def score(match: Match, names: Names) -> str:
    """The running score."""
    return f"Match score: {names[0]} {match.score[0]}, {names[1]} {match.score[1]}."


def match_result(match: Match, names: Names) -> str:
    """The end of a match."""
    first, second = match.score
    if first == second:
        return f"The match is drawn, {first} to {second}."
    winner = 0 if first > second else 1
    return f"{names[winner]} wins the match, {match.score[winner]} to {match.score[1 - winner]}!"


def goes_first(names: Names) -> str:
    """The result of a coin toss."""
    return f"The coin says that {names[0]} goes first."
