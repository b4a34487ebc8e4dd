"""A server's view as the terminal knows it: read once, whole or not at all, from a stranger's data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Any, TypeVar

from digit_duel.cli.errors import Problem
from digit_duel.core.game import Seat
from digit_duel.core.script import Cell, Meter, Names, Question, Row, Scene, Stock

T = TypeVar("T")
OFFERS = ("takeback", "clock", "rematch")


@dataclass(frozen=True, slots=True)
class Choice:
    """A move that may be made, with an answer to each question on the way to it."""

    move: str
    answers: tuple[str, ...]
    labels: tuple[str, ...]
    prompts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Offer:
    """What the other player would like."""

    what: str
    minutes: int | None = None


@dataclass(frozen=True, slots=True)
class Seen:
    """A game as one seat sees it."""

    game: str
    version: int
    variant: str
    settings: Mapping[str, str]
    seat: Seat | None
    names: Names
    phase: str
    turn: bool
    scene: Scene | None
    headline: str
    secret: bool
    choices: tuple[Choice, ...]
    news: tuple[tuple[int, str], ...]
    closing: str
    offers: tuple[Offer, ...]  # the other's
    waiting_for: tuple[str, ...]  # what this seat has offered
    next: str | None
    match: str
    claimable: bool
    seal: str
    data: Mapping[str, Any] = dataclass_field(repr=False, compare=False)  # as it was sent

    @property
    def questions(self) -> list[Question[Choice]]:
        """The prompts that lead to one of the moves."""
        asked = len(self.choices[0].answers) if self.choices else 0
        return [_question(at, self.secret) for at in range(asked)]


def _question(at: int, secret: bool) -> Question[Choice]:
    return Question(
        prompt=lambda choice: choice.prompts[at],
        answers=lambda choice: (choice.answers[at], choice.labels[at]),
        secret=secret,
    )


def field(data: Any, name: str, kind: type[T]) -> T:
    """One thing out of an answer, or Problem."""
    found = data.get(name) if isinstance(data, dict) else None
    if not isinstance(found, kind):
        raise Problem("the server's answer makes no sense here; it may be a newer version.")
    return found


def read(data: Any, before: Seen | None = None) -> Seen:
    """A view, or Problem; what an earlier view told already may be left out of a later one."""
    try:
        return _read(data if before is None else {**before.data, **data})
    except (LookupError, TypeError, ValueError, AttributeError, ZeroDivisionError) as wrong:
        raise Problem("the server's view makes no sense here; it may be a newer version.") from wrong


def _read(data: Any) -> Seen:
    if data["turn"] is True and not data["moves"]:
        raise ValueError("a turn without a move")
    seat = None if data["seat"] is None else Seat(data["seat"])
    first, second = (_text(player["name"]) for player in data["players"])
    return Seen(
        game=_text(data["game"]),
        version=_whole(data["version"]),
        variant=_text(data["variant"]["id"]),
        settings={_text(name): _text(value) for name, value in data["variant"]["settings"].items()},
        seat=seat,
        names=(first or "Player 1", second or "Player 2"),
        phase=_text(data["phase"]),
        turn=data["turn"] is True,
        scene=None if data["scene"] is None else _scene(data["scene"]),
        headline=_text(data["headline"]),
        secret=data["secret"] is True,
        choices=tuple(_choice(data, number) for number in range(len(_list(data["moves"])))),
        news=tuple((_whole(news["version"]), _text(news["text"])) for news in _list(data["news"])),
        closing="" if data["result"] is None else _text(data["result"]["closing"]),
        offers=tuple(offer for offer, by in _offers(data["offers"]) if seat is not None and by != seat),
        waiting_for=tuple(offer.what for offer, by in _offers(data["offers"]) if by == seat),
        next=None if data["next"] is None else _text(data["next"]),
        match=_match(data["match"]),
        claimable=data["claim"] is not None and data["claim"]["seconds"] == 0,
        seal=_text(data["seal"]),
        data=data,
    )


def _choice(data: Any, number: int) -> Choice:
    """One of the moves, with its values from the columns."""
    questions = _list(data["questions"])
    answers = tuple(_value(question["answers"], number) for question in questions)
    return Choice(
        _text(data["moves"][number]),
        answers,
        tuple(_value(question["labels"], number).lower() for question in questions),
        tuple(f"{_prompt(question, number, answers)} " for question in questions),
    )


def _prompt(question: Any, number: int, answers: tuple[str, ...]) -> str:
    prompt = _value(question["prompts"], number)
    return prompt if question["fill"] is None else prompt.replace("{}", answers[_whole(question["fill"])], 1)


def _value(column: Any, number: int) -> str:
    """The value of a move, by its number, in a column that repeats itself."""
    of = _list(column["of"])
    return _text(of[number // _whole(column["each"]) % len(of)])


def _scene(data: Any) -> Scene:
    rows = tuple(_row(row) for row in data["rows"])
    return Scene(
        rows=(rows[0], rows[1]),
        heading=_text(data["heading"]),
        pool=tuple(
            Stock(*(_whole(each[name]) for name in ("digit", "left", "most"))) for each in data["pool"]
        ),
        drawn=None if data["drawn"] is None else _cell(data["drawn"]),
        facts=tuple(map(_text, data["facts"])),
    )


def _row(data: Any) -> Row:
    meters = tuple(Meter(_text(m["label"]), _whole(m["value"]), _whole(m["most"])) for m in data["meters"])
    return Row(tuple(_cell(cell) for cell in data["cells"]), meters, _text(data["note"]))


def _cell(data: Any) -> Cell:
    digit = None if data["digit"] is None else _whole(data["digit"])
    return Cell(digit, data["hidden"] is True, _text(data["label"]))


def _offers(data: Any) -> list[tuple[Offer, int]]:
    """What is offered, and by whom."""
    found = []
    for what in OFFERS:
        offer = data[what]
        if isinstance(offer, dict):
            found.append((Offer(what, _whole(offer["minutes"])), _whole(offer["seat"])))
        elif offer is not None:
            found.append((Offer(what), _whole(offer)))
    return found


def _match(data: Any) -> str:
    if data["text"] is None:
        return ""
    first, second = (_whole(won) for won in data["score"])
    return f"Game {_whole(data['number'])}, {_text(data['text'])}. Score before it: {first}-{second}."


def _text(found: Any) -> str:
    if not isinstance(found, str):
        raise TypeError("a text was expected")
    return found


def _whole(found: Any) -> int:
    if type(found) is not int:
        raise TypeError("a whole number was expected")
    return found


def _list(found: Any) -> list[Any]:
    if not isinstance(found, list):
        raise TypeError("a list was expected")
    return found
