"""A game as a server shows it to one seat, read from its JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from digit_duel.cli.online.json_answer import Json, not_understood
from digit_duel.core.game import Seat
from digit_duel.core.script import Cell, Count, Meter, Names, Question, Row, Scene, Spot, Stock

OFFERS = ("takeback", "clock", "rematch")


@dataclass(frozen=True, slots=True)
class Choice:
    """A legal move, with an answer to each question on the way to it."""

    move: str
    answers: tuple[str, ...]
    labels: tuple[str, ...]
    prompts: tuple[str, ...]
    spot: Spot = Spot()  # where it points on the table


@dataclass(frozen=True, slots=True)
class Offer:
    """Something that the other player proposes."""

    what: str
    minutes: int | None = None


@dataclass(frozen=True, slots=True)
class News:
    """One event in words, who did it, where it shows, and the revealed scene if it ended a round."""

    version: int
    text: str
    scene: Scene | None = None
    seat: Seat | None = None
    place: Spot | None = None


@dataclass(frozen=True, slots=True)
class Player:
    """Who sits in a seat."""

    name: str
    level: str | None = None  # of a computer
    here: bool = True  # connected


@dataclass(frozen=True, slots=True)
class Clock:
    """The milliseconds that each seat had left when the view was sent, and whose clock runs."""

    left: tuple[int, int]
    running: Seat | None


@dataclass(frozen=True, slots=True)
class GameView:
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
    news: tuple[News, ...]
    closing: str
    offers: tuple[Offer, ...]  # of the other player
    offered: tuple[str, ...]  # by this seat
    next: str | None  # the rematch
    match: str
    hints: bool  # whether this game has any
    claimable: bool
    seal: str
    players: tuple[Player, Player]
    acting: tuple[Seat, ...]
    winner: Seat | None
    clock: Clock | None
    claim_in: int | None  # seconds until this seat may claim the game; None while nobody is kept waiting
    json: Json = field(repr=False, compare=False)

    @property
    def questions(self) -> list[Question[Choice]]:
        """The questions that lead to one of the moves."""
        count = len(self.choices[0].answers) if self.choices else 0
        return [_question(at, self.secret) for at in range(count)]


def _question(at: int, secret: bool) -> Question[Choice]:
    return Question(
        prompt=lambda choice: choice.prompts[at],
        answers=lambda choice: (choice.answers[at], choice.labels[at]),
        secret=secret,
    )


def read_view(sent: Json, earlier: GameView | None = None) -> GameView:
    """Read a view; raises Problem. It may leave out what an earlier view contained."""
    data = sent if earlier is None else sent.over(earlier.json)
    seat = _seat_or_none(data["seat"])
    offers = _offers(data["offers"])
    return GameView(
        game=data["game"].text,
        version=data["version"].number,
        variant=data["variant"]["id"].text,
        settings={name: value.text for name, value in data["variant"]["settings"].fields.items()},
        seat=seat,
        names=_names(data["players"]),
        phase=data["phase"].text,
        turn=data["turn"].value is True and data["moves"][0].text != "",  # on their turn they have a move
        scene=None if data["scene"].value is None else _scene(data["scene"]),
        headline=data["headline"].text,
        secret=data["secret"].value is True,
        choices=tuple(_choice(data, number) for number in range(len(data["moves"].items))),
        news=tuple(_news(each) for each in data["news"].items),
        closing="" if data["result"].value is None else data["result"]["closing"].text,
        offers=tuple(offer for offer, by in offers if seat is not None and by != seat),
        offered=tuple(offer.what for offer, by in offers if by == seat),
        next=None if data["next"].value is None else data["next"].text,
        match=_match(data["match"]),
        hints=data["hints"].value is True,
        claimable=data["claim"].value is not None and data["claim"]["seconds"].number == 0,
        seal=data["seal"].text,
        players=(_player(data["players"][0], "Player 1"), _player(data["players"][1], "Player 2")),
        acting=tuple(_seat(each) for each in data["acting"].items),
        winner=None if data["result"].value is None else _seat_or_none(data["result"]["winner"]),
        clock=None if data["clock"].value is None else _clock(data["clock"]),
        claim_in=None if data["claim"].value is None else data["claim"]["seconds"].number,
        json=data,
    )


def _seat(data: Json) -> Seat:
    if data.number not in (0, 1):
        raise not_understood()
    return Seat(data.number)


def _seat_or_none(data: Json) -> Seat | None:
    return None if data.value is None else _seat(data)


def _names(data: Json) -> Names:
    return data[0]["name"].text or "Player 1", data[1]["name"].text or "Player 2"


def _player(data: Json, name: str) -> Player:
    level = None if data["level"].value is None else data["level"].text
    return Player(data["name"].text or name, level, data["here"].value is True)


def _clock(data: Json) -> Clock:
    return Clock((data["left"][0].number, data["left"][1].number), _seat_or_none(data["running"]))


def _choice(data: Json, number: int) -> Choice:
    """One of the moves, with its values from the columns."""
    questions = data["questions"].items
    answers = tuple(_value(question["answers"], number) for question in questions)
    return Choice(
        data["moves"][number].text,
        answers,
        tuple(_value(question["labels"], number).lower() for question in questions),
        tuple(f"{_prompt(question, number, answers)} " for question in questions),
        Spot() if data["spots"].value is None else _spot(data["spots"], number),
    )


def _spot(data: Json, number: int) -> Spot:
    """Where a move points."""
    digit, row, cell = (_item(data[name], number) for name in ("digit", "row", "cell"))
    points = _number_or_none(_item(data["points"], number)) if "points" in data else None
    return Spot(_number_or_none(digit), _seat_or_none(row), _number_or_none(cell), points)


def _number_or_none(data: Json) -> int | None:
    return None if data.value is None else data.number


def _prompt(question: Json, number: int, answers: tuple[str, ...]) -> str:
    prompt = _value(question["prompts"], number)
    if question["fill"].value is None:
        return prompt
    return prompt.replace("{}", Json(list(answers))[question["fill"].number].text, 1)


def _value(column: Json, number: int) -> str:
    """The value of a move, by its number, in a column whose values repeat in cycles."""
    return _item(column, number).text


def _item(column: Json, number: int) -> Json:
    values = column["of"].items
    each = column["each"].number
    return column["of"][number // max(1, each) % max(1, len(values))]


def _news(data: Json) -> News:
    scene = _scene(data["scene"]) if "scene" in data else None
    place = _place(data["place"]) if "place" in data else None
    return News(data["version"].number, data["text"].text, scene, _seat_or_none(data["seat"]), place)


def _place(data: Json) -> Spot:
    return Spot(None, _seat(data["row"]), _number_or_none(data["cell"]))


def _scene(data: Json) -> Scene:
    return Scene(
        rows=(_row(data["rows"][0]), _row(data["rows"][1])),
        heading=data["heading"].text,
        pool=tuple(
            Stock(each["digit"].number, each["left"].number, each["most"].number)
            for each in data["pool"].items
        ),
        drawn=None if data["drawn"].value is None else _cell(data["drawn"]),
        facts=tuple(fact.text for fact in data["facts"].items),
        counts=tuple(_count(each) for each in data["counts"].items) if "counts" in data else (),
        goal=data["goal"].text if "goal" in data else "",
        leads=_seat_or_none(data["leads"]) if "leads" in data else None,
        lead=data["lead"].text if "lead" in data else "ahead so far",
        caption=data["caption"].text if "caption" in data else "",
    )


def _count(data: Json) -> Count:
    return Count(*(data[name].number for name in ("digit", "discarded", "unseen", "most")))


def _row(data: Json) -> Row:
    meters = tuple(
        Meter(meter["label"].text, meter["value"].number, meter["most"].number)
        for meter in data["meters"].items
    )
    return Row(tuple(_cell(cell) for cell in data["cells"].items), meters, data["note"].text)


def _cell(data: Json) -> Cell:
    digit = None if data["digit"].value is None else data["digit"].number
    return Cell(digit, data["hidden"].value is True, data["label"].text)


def _offers(data: Json) -> list[tuple[Offer, int]]:
    """What is offered, and by which seat."""
    found = []
    for what in OFFERS:
        offer = data[what]
        if offer.is_object:
            found.append((Offer(what, offer["minutes"].number), offer["seat"].number))
        elif offer.value is not None:
            found.append((Offer(what), offer.number))
    return found


def _match(data: Json) -> str:
    if data["text"].value is None:
        return ""
    first, second = data["score"][0].number, data["score"][1].number
    return f"Game {data['number'].number}, {data['text'].text}. Score before it: {first}-{second}."
