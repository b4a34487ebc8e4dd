"""Records: they round-trip exactly, errors name line and column, and nothing but BadRecord ever comes out."""

from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.terminal.walks import GAMES, walk

from digit_duel import games
from digit_duel.core.names import BadName, clean_name
from digit_duel.core.options import BadOption
from digit_duel.core.record import BadRecord, Record, read_record, read_records, replay
from digit_duel.core.session import Session, dealer

OPTIONS = {
    "classic": [{}, {"places": "4", "pool": "0-9x2"}, {"places": "1", "tie": "draw", "pool": "5x2"}],
    "reverse": [{}, {"places": "9", "pool": "0-9x9", "reach": "any"}],
    "sabotage": [{}, {"goal": "high"}],
    "cards": [{}, {"visibility": "open"}, {"deck": "persistent", "hand_size": "1", "wins_needed": "3"}],
    "battle": [{}, {"start_life": "3", "standoff_limit": "none"}, {"sudden": "0-9", "max_life": "10"}],
}
headers = st.dictionaries(
    st.from_regex(r"[A-Z][A-Za-z]{0,10}", fullmatch=True).filter(
        lambda key: key not in ("Game", "Options", "First", "Second", "Result", "Format", "Ended")
    ),
    st.text(st.characters(exclude_categories=["C", "Z"]) | st.just(" "), max_size=30),
    max_size=8,
)


def some_name(text: str) -> str:
    try:
        return clean_name(text)
    except BadName:
        return "Zoë"


names = st.text(max_size=24).map(some_name)


@st.composite
def records(draw: st.DrawFn) -> Record:
    """Games of all kinds, finished or not, with any headers a person could cause."""
    game = draw(st.sampled_from(GAMES))
    variant = games.variant(game).customised(draw(st.sampled_from(OPTIONS[game])))
    rng = Random(draw(st.integers(0, 2**32)))
    session = Session(variant, (draw(names), draw(names)), dealer(str(rng.random())), draw(headers))
    for _ in range(draw(st.integers(0, 80))):
        if session.outcome is not None:
            break
        seat = rng.choice(session.acting)
        session.play(seat, rng.choice(session.game.legal(session.state, seat)))
    if session.outcome is None and draw(st.booleans()):
        session.resign(rng.choice(session.acting))
    return session.record()


@given(records())
@settings(max_examples=50, deadline=None)
def test_every_record_round_trips_exactly_and_replays(record: Record) -> None:
    text = record.text()
    read = read_record(text)
    assert read == record
    assert read.text() == text
    variant = games.variant(read.game).customised(read.options)
    steps = replay(variant.game, read)
    assert tuple(variant.game.text(step.move) for step in steps) == record.moves
    again = Session.from_record(variant, read, dealer("x")) if record.result == "*" else None
    assert again is None or again.record().moves[: len(record.moves)] == record.moves


@given(st.lists(records(), min_size=1, max_size=4))
@settings(max_examples=25, deadline=None)
def test_several_records_in_one_file_are_read_one_by_one(several: list[Record]) -> None:
    assert read_records("\n".join(record.text() for record in several)) == several
    assert read_records("\n\n".join(record.text() for record in several) + "\n\n") == several


HEAD = '[Game "classic"]\n[First "A"]\n[Second "B"]\n[Result "*"]\n\n'


def with_line(line: str) -> str:
    """The headers with one more after the first."""
    return HEAD.replace("[First", f"{line}\n[First", 1)


ERRORS = [
    ("", "line 1, column 1"),
    ("\n\n\n", "line 1, column 1"),
    (HEAD + "1. 9a1", "column 1: the moves must end with a result"),
    (HEAD + "1. 9a1 * 8b1", "line 6, column 10: nothing may follow the result"),
    (HEAD + "1. 9a1 1-0", "line 6, column 8: the moves end with 1-0, but the header Result does not"),
    (HEAD + "*\n" + HEAD + "*", "expected one game, found 2"),
    (HEAD.replace('"A"', "A") + "*", "line 2, column 1: a header is"),
    (HEAD.replace("[First", "[first") + "*", "line 2, column 1: a header is"),
    (HEAD.replace('"A"]', '"A" ]') + "*", "line 2, column 1: a header is"),
    (HEAD.replace('"A"', '"A\\n"') + "*", "line 2, column 1: a header is"),
    (HEAD.replace('"A"', '"A"B"') + "*", "line 2, column 1: a header is"),
    (HEAD.replace('[Second "B"]\n', "") + "*", "the header [Second"),
    (HEAD.replace('[Result "*"]\n', "") + "*", "the header [Result"),
    (with_line('[First "C"]') + "*", "line 3, column 2: the header First appears twice"),
    (with_line('[Options "places"]') + "*", "line 2, column 1: write options as name=value"),
    (with_line('[Options "a=1 a=2"]') + "*", "line 2, column 1: write options as name=value"),
    (with_line('[Format "2"]') + "*", "line 2, column 1: this was written by a newer version"),
    (with_line("\n".join(f'[{"X" * n} "x"]' for n in range(1, 41))) + "*", "at most 40 of them"),
    (HEAD + "1. 9a1 8b1\n2. 7a9 *", "line 7, column 4: '7a9' is not a move of this game"),
    (HEAD + "1. 9a1 9b1 *", "line 6, column 8: 9 is no longer in the pool"),
    (HEAD + "1. 9a1 8b1 2. 7a1 *", "line 6, column 15: That place is already filled"),
    (HEAD + "1. 9a1 8a2 *", "line 6, column 8: "),
    (HEAD + "1. 9a1   \t  8b1 2. 7a2 6b2\n\n\n  3. 5a3 4b3 *", "line 9, column 14: the moves lead to 1-0"),
    (HEAD + "1. \u0669a1 *", "line 6, column 4: '\u0669a1' is not a move"),
    (HEAD + "1. 9A1 8b1 2. x *", "line 6, column "),
    (HEAD + "1. ? *", "line 6, column 4: this record shows only what one seat saw"),
    (HEAD.replace("classic", "cards") + "d7 k d2 g dX *", "line 6, column 11: 'dX' cannot be drawn here"),
    (HEAD.replace("classic", "cards") + "d7 x *", "line 6, column 4: "),
    (HEAD.replace("classic", "battle") + "x1 x1 *", "line 6, column 4: 1 is no longer in the pool"),
    (HEAD.replace('"*"', '"1/2-1/2"') + "1. 9a1 1/2-1/2", "line 6, column 8: the moves lead to *"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "error"), ERRORS, ids=[str(at) for at in range(len(ERRORS))])
def test_an_error_names_line_and_column(text: str, error: str) -> None:
    with pytest.raises(BadRecord) as bad:
        replayed(text)
    assert error in str(bad.value)
    assert re.match(r"line [0-9]+, column [0-9]+: ", str(bad.value))
    assert str(bad.value).isprintable()


def replayed(text: str) -> None:
    """Read one record and play it over."""
    record = read_record(text)
    replay(games.variant(record.game).customised(record.options).game, record)


HOSTILE = [
    HEAD.replace('"A"', '"\x1b[31mA"') + "*", HEAD.replace('"B"', '"\u202eB"') + "*", HEAD + "1. \x1b[2J *",
    HEAD + "1. 9a1\x07 *", HEAD.replace("classic", "cards") + "\x1b]0;x\x07 *",
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE)
def test_control_characters_in_a_record_are_refused_and_never_come_back_raw(text: str) -> None:
    with pytest.raises(BadRecord) as bad:
        replayed(text)
    assert str(bad.value).isprintable()


def mutated(text: str, rng: Random) -> str:
    """A record after a mishap or a few."""
    for _ in range(rng.randrange(1, 4)):
        at, to = sorted((rng.randrange(len(text) + 1), rng.randrange(len(text) + 1)))
        match rng.randrange(6):
            case 0:
                text = (
                    text[:at]
                    + chr(rng.choice([0, 9, 10, 13, 27, 34, 92, 91, 93, 0x663, 0xD800, 0x10FFFF]))
                    + text[at:]
                )
            case 1:
                text = text[:at] + text[at + 1 :]
            case 2:
                text = text[:at] + rng.choice('[]"\\ *-/.0123456789abdgkx+?=\n') + text[at + 1 :]
            case 3:
                text = text[:at] + text[to:]
            case 4:
                text = text[:to] + text[at:to] + text[to:]
            case _:
                lines = text.split("\n")
                rng.shuffle(lines)
                text = "\n".join(lines)
    return text


def read_and_play(text: str) -> bool:
    """Whether a text is a good record; anything but a refusal in words is an error."""
    try:
        for record in read_records(text):
            if record.game in GAMES:
                replay(games.variant(record.game).customised(record.options).game, record)
    except (BadRecord, BadOption) as bad:
        return not str(bad)
    return True


@pytest.mark.parametrize(
    ("count", "seed"), [(5_000, 1), pytest.param(100_000, 2, marks=pytest.mark.campaign)]
)
def test_mutated_records_raise_nothing_but_a_refusal_in_words(count: int, seed: int) -> None:
    rng = Random(seed)
    texts = [walk(game, luck).record.text() for game in GAMES for luck in range(2)]
    texts += [games.variant(game).rules.example for game in GAMES]
    good = sum(read_and_play(mutated(rng.choice(texts), rng)) for _ in range(count))
    assert 0 < good < count


@given(st.text() | st.text('[]"\\ *-/.0129abdgkx+?=\nGameFirstSecondResult'))
@settings(max_examples=100, deadline=None)
def test_any_text_at_all_is_read_or_refused_in_words(text: str) -> None:
    read_and_play(text)
    read_and_play(HEAD + text)


MEGABYTES = {
    "blank lines": "\n" * 999_999, "brackets": "[" * 999_999, "blanks": " " * 999_999,
    "numbers": "1. " * 333_333,
    "quotes": '[A "\\' * 200_000, "many games": (HEAD + "*\n") * 5_000, "too much": "x" * 1_000_001,
    "a long game": HEAD + "9a1 " * 240_000 + "*", "short lines": HEAD + "9a1\n" * 240_000 + "*",
}  # fmt: skip


@pytest.mark.parametrize("kind", MEGABYTES)
def test_a_megabyte_is_read_or_refused_in_a_moment(kind: str) -> None:
    from time import process_time

    began = process_time()
    read_and_play(MEGABYTES[kind])
    assert process_time() - began < 10
