"""A seat's record holds nothing that this seat could not know, of any game, over or not."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from tests.comparing import same
from tests.terminal.console import inside
from tests.terminal.walks import SUDDEN_DEATH
from tests.worlds import CARDS, LETTERS, NAMES, dealt_anew, known, played, random_tokens

from digit_duel import games
from digit_duel.core.game import Seat
from digit_duel.core.record import BadRecord, read_record, replay
from digit_duel.core.session import AnySession, Session, dealer

# From each of these, or from a header that only its writer understands, hidden cards could be worked out.
SECRETS = {
    "Seed": "8675309",
    "Draws": "959299",
    "ServerSeed": "5e7e75eed",
    "FirstSeed": "f1757",
    "SecondSeed": "5ec07d",
    "Choices": "12:5a17:5ea1",
    "Check": "c4ec4",
    "Record": "/secret/file",
    "Notes": "Ben holds a nine",
}
PUBLIC = {
    "Date": "2026-01-31",
    "Match": "best of 3",
    "Number": "1",
    "Score": "0-0",
    "ComputerSecond": "sharp",
    "Online": "abc",
    "Seal": "d00d",
}


def random_session(id: str, rng: Random, plies: int | None) -> AnySession:
    """A game that chance plays for so many choices, or to its end."""
    session = Session(games.variant(id), NAMES, dealer(str(rng.random())), {**PUBLIC, **SECRETS})
    choices = 0
    while session.outcome is None and choices != plies:
        seat = rng.choice(session.acting)
        session.play(seat, rng.choice(session.game.legal(session.state, seat)))
        choices += 1
    return session


@pytest.mark.parametrize("id", games.ids())
@pytest.mark.parametrize("plies", [0, 3, 7, None], ids=["begun", "three", "seven", "over"])
def test_no_seed_no_salt_and_no_strange_header_is_in_a_seats_record(id: str, plies: int | None) -> None:
    for luck in range(20):
        session = random_session(id, Random(f"{id} {luck}"), plies)
        for seat in Seat:
            text = session.record_for(seat).text()
            record = read_record(text)
            assert record.text() == text
            assert dict(record.headers) == {**PUBLIC, "Seen": seat.name.lower()}
            assert not any(secret in text for secret in SECRETS.values())


@pytest.mark.parametrize("seat", Seat)
def test_of_cards_a_seat_keeps_what_it_saw_even_when_the_game_is_over(seat: Seat) -> None:
    rng = Random(11)
    for _ in range(50):
        session = random_session("cards", rng, None)
        tokens = list(session.record().moves)
        assert session.record_for(seat).moves == known(tokens, LETTERS[seat], {})


def test_a_secret_digit_stays_secret_when_the_game_is_given_up_before_the_reveal() -> None:
    session = played(games.variant("battle"), [*SUDDEN_DEATH[:9], "a5"])
    session.resign(Seat.SECOND)
    assert session.record_for(Seat.SECOND).moves[-1] == "a?"
    assert session.record_for(Seat.FIRST).moves[-1] == "a5"
    assert session.record_for(Seat.SECOND).result == "1-0"


def test_worlds_that_a_seat_cannot_tell_apart_export_the_same_bytes_after_the_end(tmp_path: Path) -> None:
    rng, compared, path = Random(5), 0, tmp_path / "game.duel"
    while compared < 20:
        tokens = random_tokens(rng, 1000, {})
        seat = rng.choice(tuple(Seat))
        world = dealt_anew(tokens, LETTERS[seat], {}, rng)
        if world is None:
            continue
        texts = []
        for number, each in enumerate((tokens, world)):
            session = played(CARDS, each)
            assert session.outcome is not None
            draws = "".join(token[1] for token in each if token[0] == "d")
            session.headers = {"Date": "2026-01-01", "Seed": str(number), "Draws": draws}
            path.write_text(session.record().text())
            texts.append(inside(tmp_path, "export", str(path), "--seat", seat.name.lower()).text)
        same([texts[0]], [texts[1]], f"{tokens} exported for {NAMES[seat]}")
        compared += 1


@pytest.mark.parametrize("id", games.ids())
def test_a_seats_record_can_be_replayed_or_says_why_not(id: str, tmp_path: Path) -> None:
    session = random_session(id, Random(id), None)
    record = session.record_for(Seat.FIRST)
    path = tmp_path / "seat.duel"
    path.write_text(record.text())
    assert inside(tmp_path, "export", str(path)).text == record.text()
    assert inside(tmp_path, "export", str(path), "--seat", "first").text == record.text()
    if id != "cards":
        assert [step.move for step in replay(session.game, record)] == [step.move for step in session.steps]
        assert inside(tmp_path, "replay", str(path)).code == 0
        assert inside(tmp_path, "review", str(path)).code == 0
        return
    with pytest.raises(BadRecord):
        replay(session.game, record)
    for command in (("replay",), ("review",), ("review", "--seat", "first"), ("export", "--seat", "second")):
        done = inside(tmp_path, command[0], str(path), *command[1:])
        assert done.code == 1
        assert "this record shows only what one seat saw" in done.error


def test_a_save_of_an_unfinished_game_can_be_exported_for_one_seat(tmp_path: Path) -> None:
    inside(tmp_path, "play", "cards", "--draws", "789456", "--seed", "5", typed="y\ny\nquit\n")
    done = inside(tmp_path, "export", "1", "--seat", "second")
    assert done.text.split("\n\n")[1] == "1. d? k 2. d8 k 3. d? *\n"
    assert read_record(done.text).headers.keys() == {"Date", "Seen"}
