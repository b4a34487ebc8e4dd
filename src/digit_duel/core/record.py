"""Records: games as text, with headers and moves in notation, read back exactly as written."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from digit_duel.core.game import Game, M, Outcome, Refused, S, Seat, V
from digit_duel.core.script import Names, Step

FORMAT = 1  # incremented when older programs can no longer read new records
_MOST_IN_FILE = 1_000_000  # characters
MOST_HEADERS = 40
UNFINISHED = "*"
RESIGNATION = "resignation"
CONTINUED = "From"  # the header of a game played on from a move of another, which it names
# Endings that are not in the rules, and how to word them; the last two occur only online.
ENDINGS = {RESIGNATION: "by resignation", "time": "on time", "away": "by absence"}
RESULTS = {"1-0": Seat.FIRST, "0-1": Seat.SECOND, "1/2-1/2": None}
_WIDTH = 80
_HEADER = re.compile(r'\[([A-Z][A-Za-z]*) "((?:[^"\\]|\\["\\])*)"\]')
_TOKEN = re.compile(r"\S+")
_NUMBER = re.compile(r"[0-9]+\.")

Steps: TypeAlias = list[Step[S, M]]


class BadRecord(ValueError):
    """A record is invalid; the message says why, with line and column."""


class NewerFormat(BadRecord):
    """The record was written by a newer version."""


@dataclass(frozen=True, slots=True)
class Record:
    """A game as it is written to a file."""

    game: str
    options: Mapping[str, str]
    names: Names
    moves: tuple[str, ...]
    result: str = UNFINISHED
    headers: Mapping[str, str] = field(default_factory=dict)  # any others, in order
    places: tuple[tuple[int, int], ...] = field(
        default=(), compare=False
    )  # line and column of each move, then the end

    def text(self) -> str:
        """The record in its canonical form."""
        options = " ".join(f"{name}={value}" for name, value in self.options.items())
        lines = [_header("Game", self.game)]
        lines += [_header("Options", options)] if options else []
        lines += [_header("First", self.names[0]), _header("Second", self.names[1])]
        lines += [_header(key, value) for key, value in self.headers.items()]
        lines += [_header("Result", self.result), "", *_wrapped([*_numbered(self.moves), self.result])]
        return "\n".join(lines) + "\n"


def level_header(seat: Seat, level: str) -> dict[str, str]:
    """The header that says which level of the computer played in a seat."""
    return {f"Computer{seat.name.capitalize()}": level}


def level_of(headers: Mapping[str, str], seat: Seat) -> str | None:
    """The level of the computer that played in a seat; None for a person."""
    return headers.get(f"Computer{seat.name.capitalize()}")


def result_of(outcome: Outcome | None) -> str:
    """An outcome in notation."""
    if outcome is None:
        return UNFINISHED
    return next(text for text, winner in RESULTS.items() if winner is outcome.winner)


def winner_of(result: str) -> Seat | None:
    """The seat that a result names; None for a draw or an unfinished game."""
    return RESULTS.get(result)


def read_record(text: str) -> Record:
    """The only record in a text; raises BadRecord."""
    records = read_records(text)
    if len(records) != 1:
        raise BadRecord(f"line 1, column 1: expected one game, found {len(records)}.")
    return records[0]


def read_records(text: str) -> list[Record]:
    """All records in a text; raises BadRecord."""
    if len(text) > _MOST_IN_FILE:
        raise BadRecord(f"line 1, column 1: a file can have at most {_MOST_IN_FILE} characters.")
    lines = deque(enumerate(text.split("\n"), start=1))
    records = []
    while _skip_blanks(lines):
        records.append(_read_one(lines))
    return records


def replay(game: Game[S, M, V], record: Record) -> Steps[S, M]:
    """The steps of a record, with every move and the result checked; raises BadRecord."""
    steps = follow(game, record.moves, record.places)
    _check_result(record, game.outcome(steps[-1].after if steps else game.start()))
    return steps


def follow(game: Game[S, M, V], moves: Sequence[str], places: Sequence[tuple[int, int]] = ()) -> Steps[S, M]:
    """The steps from the start, from moves in notation, each checked; raises BadRecord."""
    steps: Steps[S, M] = []
    state = game.start()
    for at, text in enumerate(moves):
        try:
            seat, move = next_move(game, state, text)
        except Refused as refused:
            raise BadRecord(f"{where(places, at)}: {refused}") from None
        steps.append(Step(seat, move, state, game.play(state, move)))
        state = steps[-1].after
    return steps


def next_move(game: Game[S, M, V], state: S, text: str) -> tuple[Seat | None, M]:
    """The move with this notation, and who makes it; raises Refused."""
    if "?" in text:
        raise Refused("this record shows only what one seat saw, and no header Seen says which.")
    if draws := game.chance(state):
        for move, _ in draws:
            if game.text(move) == text:
                return None, move
        raise Refused(f"'{text}' cannot be drawn here; {game.text(draws[0][0])} can, for example.")
    acting = game.acting(state)
    if not acting:
        raise Refused("the game is over; there can be no more moves.")
    for seat in acting:
        for move in game.legal(state, seat):
            if game.text(move) == text:
                return seat, move
    return acting[0], game.parse(state, acting[0], text)  # parse raises the reason


def _check_result(record: Record, outcome: Outcome | None) -> None:
    found = result_of(outcome)
    if outcome is None and record.headers.get("Ended") in ENDINGS and record.result != UNFINISHED:
        return
    if record.result != found:
        raise BadRecord(
            f"{where(record.places, len(record.moves))}: the moves lead to {found}, not to {record.result}."
        )


def where(places: Sequence[tuple[int, int]], at: int) -> str:
    """Where a move is: its line and column, or its number."""
    if at < len(places):
        return "line {}, column {}".format(*places[at])
    return f"move {at + 1}"


def _header(key: str, value: str) -> str:
    quoted = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{key} "{quoted}"]'


def _numbered(moves: tuple[str, ...]) -> Iterator[str]:
    for at, move in enumerate(moves):
        if at % 2 == 0:
            yield f"{at // 2 + 1}."
        yield move


def _wrapped(words: list[str]) -> Iterator[str]:
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > _WIDTH:
            yield line
            line = ""
        line = f"{line} {word}".lstrip()
    yield line


Lines: TypeAlias = deque[tuple[int, str]]  # with their numbers; read from the left


def _skip_blanks(lines: Lines) -> bool:
    """Skip blank lines; whether anything is left."""
    while lines and not lines[0][1].strip():
        lines.popleft()
    return bool(lines)


def _read_one(lines: Lines) -> Record:
    headers = _read_headers(lines)
    first = lines[0][0] if lines else 1
    moves: list[str] = []
    places: list[tuple[int, int]] = []
    result = None
    while lines and result is None and not lines[0][1].startswith("["):
        number, line = lines.popleft()
        _check_printable(number, line)
        for match in _TOKEN.finditer(line):
            word, place = match[0], (number, match.start() + 1)
            if result is not None:
                raise BadRecord(f"line {place[0]}, column {place[1]}: nothing may follow the result.")
            if _NUMBER.fullmatch(word):
                continue
            places.append(place)
            if word == UNFINISHED or word in RESULTS:
                result = word
            else:
                moves.append(word)
    if result is None:
        raise BadRecord(f"line {first}, column 1: the moves must end with a result: 1-0, 0-1, 1/2-1/2 or *.")
    return _assembled(headers, moves, places, result)


def _read_headers(lines: Lines) -> dict[str, tuple[str, int]]:
    headers: dict[str, tuple[str, int]] = {}
    while lines and lines[0][1].startswith("["):
        number, line = lines.popleft()
        _check_printable(number, line)
        match = _HEADER.fullmatch(line.rstrip())
        if match is None or len(headers) >= MOST_HEADERS:
            raise BadRecord(
                f'line {number}, column 1: a header is [Name "value"], at most {MOST_HEADERS} of them.'
            )
        if match[1] in headers:
            raise BadRecord(f"line {number}, column 2: the header {match[1]} appears twice.")
        headers[match[1]] = (re.sub(r'\\(["\\])', r"\1", match[2]), number)
    return headers


def _check_printable(number: int, line: str) -> None:
    """Refuse unprintable characters: a terminal would obey control characters."""
    for column, character in enumerate(line, start=1):
        if not character.isprintable() and character != "\t":
            raise BadRecord(f"line {number}, column {column}: this character is not printable.")


def _assembled(
    headers: dict[str, tuple[str, int]], moves: list[str], places: list[tuple[int, int]], result: str
) -> Record:
    line, column = places[0]
    if "Format" in headers and headers["Format"][0] != str(FORMAT):
        raise NewerFormat(
            f"line {headers['Format'][1]}, column 1: this was written by a newer version of Digit Duel."
        )
    for key in ("Game", "First", "Second", "Result"):
        if key not in headers:
            raise BadRecord(f'line {line}, column {column}: the header [{key} "..."] is missing.')
    if headers["Result"][0] != result:
        line, column = places[-1]
        raise BadRecord(
            f"line {line}, column {column}: the moves end with {result}, but the header Result does not."
        )
    value = {key: text for key, (text, _) in headers.items()}
    known = ("Game", "Options", "First", "Second", "Result")
    return Record(
        game=value["Game"],
        options=_read_options(*headers.get("Options", ("", 1))),
        names=(value["First"], value["Second"]),
        moves=tuple(moves),
        result=result,
        headers={key: text for key, text in value.items() if key not in known},
        places=tuple(places),
    )


def _read_options(text: str, line: int) -> dict[str, str]:
    options: dict[str, str] = {}
    for part in text.split():
        name, equals, value = part.partition("=")
        if not (name and equals and value) or name in options:
            raise BadRecord(
                f"line {line}, column 1: write options as name=value, each once, with spaces between."
            )
        options[name] = value
    return options
