"""Policy files: a line of JSON that names the game, then a line for every view that a policy is asked about.

    {"format": "digit-duel policy 1", "game": "cards", "options": {"hand_size": "1", "pool": "0-2"}}
    {"view": "Sight(seat=<Seat.FIRST: 0>, hands=((), ()), ...)", "play": {"k": "1/3", "g": "2/3"}}

A view is written as its repr, a move in notation, a probability as an integer, a fraction in lowest terms or
a float. Every legal move has its probability, in the order of the rules; lines are sorted. So every policy
has exactly one text; any other text is refused, with the number of the offending line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Set
from fractions import Fraction
from functools import partial
from pathlib import Path

from digit_duel.core.files import write_whole
from digit_duel.core.game import Seat, T, excerpt
from digit_duel.core.options import BadOption
from digit_duel.core.variant import AnyVariant
from digit_duel.games import variant
from digit_duel.solve.research.policies import Asked, Number, TabularPolicy, fault

FORMAT = "digit-duel policy 1"
_FRACTION = re.compile(r"[1-9][0-9]{0,3999}/[1-9][0-9]{0,3999}")  # Python does not parse longer numbers


class BadPolicyFile(ValueError):
    """A policy file is invalid; the message names the line and the problem."""


def save_policy(table: TabularPolicy, path: Path | str) -> None:
    """Write a policy to a file, whole or not at all."""
    write_whole(Path(path).resolve(), policy_text(table).encode(), shared=True)


def load_policy(path: Path | str) -> TabularPolicy:
    """Read the policy in a file; raises BadPolicyFile."""
    try:
        return read_policy(Path(path).read_bytes().decode())
    except UnicodeDecodeError as wrong:
        raise BadPolicyFile("this file contains invalid UTF-8.") from wrong


def policy_text(table: TabularPolicy) -> str:
    """A policy as the text of its file."""
    head = {"format": FORMAT, "game": table.variant.id, "options": table.variant.settings}
    rows = (
        {"view": view, "play": {move: _written(chance) for move, chance in zip(moves, row, strict=True)}}
        for (view, moves), row in sorted(table.rows.items())
    )
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in (head, *rows))


def read_policy(text: str) -> TabularPolicy:
    """Parse the text of a policy file; raises BadPolicyFile."""
    lines = text.split("\n")
    if lines.pop():
        raise BadPolicyFile(f"line {len(lines) + 1}: the last line does not end with a newline.")
    game = _at(1, _game, lines[0] if lines else "")
    words = {game.game.text(move) for seat in Seat for move in game.game.moves(seat)}
    rows: dict[Asked, tuple[Number, ...]] = {}
    for number, line in enumerate(lines[1:], 2):
        key, row = _at(number, partial(_row, words), line)
        if rows and key <= next(reversed(rows)):
            raise BadPolicyFile(f"line {number}: the lines are not sorted, or this one is a duplicate.")
        rows[key] = row
    return TabularPolicy(game, rows)


def _at(number: int, read: Callable[[str], T], line: str) -> T:
    """Parse a line; raises BadPolicyFile with its number."""
    try:
        return read(line)
    except _Wrong as wrong:
        raise BadPolicyFile(f"line {number}: {wrong}") from None


class _Wrong(ValueError):
    """A line is invalid."""


def _game(line: str) -> AnyVariant:
    head = _object(line, ("format", "game", "options"))
    if head["format"] != FORMAT:
        raise _Wrong(f"the format is {excerpt(str(head['format']))}, not '{FORMAT}'.")
    id, options = head["game"], head["options"]
    if not (
        isinstance(id, str)
        and isinstance(options, dict)
        and all(isinstance(value, str) for value in options.values())
    ):
        raise _Wrong("'game' must be a string, and 'options' an object of strings.")
    try:
        found = variant(id).customised(options)
    except KeyError:
        raise _Wrong(f"there is no game {excerpt(id)}.") from None
    except BadOption as wrong:
        raise _Wrong(str(wrong)) from None
    if found.settings != options or list(found.settings) != list(options):
        raise _Wrong("the options are not in the game's standard form and order.")
    return found


def _row(words: Set[str], line: str) -> tuple[Asked, tuple[Number, ...]]:
    row = _object(line, ("view", "play"))
    view, play = row["view"], row["play"]
    if not isinstance(view, str) or not isinstance(play, dict):
        raise _Wrong("'view' must be a string, and 'play' an object.")
    if unknown := [move for move in play if move not in words]:
        raise _Wrong(f"the game has no move {excerpt(unknown[0])}.")
    chances = {move: _read(chance) for move, chance in play.items()}
    if problem := fault(chances, list(chances)):
        raise _Wrong(f"{problem}.")
    return (view, tuple(chances)), tuple(chances.values())


def _object(line: str, keys: tuple[str, ...]) -> dict[str, object]:
    try:
        found = json.loads(line, object_pairs_hook=_distinct)
    except _Wrong:
        raise
    except (ValueError, RecursionError):  # numbers with thousands of digits raise ValueError, too
        raise _Wrong("this is not valid JSON.") from None
    if not isinstance(found, dict) or tuple(found) != keys:
        raise _Wrong(f"expected an object with exactly these keys: {', '.join(keys)}.")
    if line != json.dumps(found, ensure_ascii=False):
        raise _Wrong("not in the standard form: one space after each comma and colon, and no escapes.")
    return found


def _distinct(pairs: Iterable[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise _Wrong(f"the key {excerpt(key)} appears twice.")
        found[key] = value
    return found


def _written(chance: Number) -> int | float | str:
    if isinstance(chance, Fraction):
        return int(chance) if chance.denominator == 1 else str(chance)
    return chance


def _read(written: object) -> Number:
    match written:
        case bool():
            raise _Wrong("a probability is a number, or a fraction such as '1/3'.")
        case int() | float():
            return written
        case str() if _FRACTION.fullmatch(written):
            exact = Fraction(written)
            if exact.denominator == 1 or str(exact) != written:
                raise _Wrong(f"{excerpt(written)} is not in lowest terms.")
            return exact
        case _:
            raise _Wrong("a probability is a number, or a fraction such as '1/3'.")
