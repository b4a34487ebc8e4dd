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
from digit_duel.core.record import read_record
from digit_duel.core.seat_record import replay_seen
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
def test_a_seats_record_can_be_exported_replayed_and_reviewed(id: str, tmp_path: Path) -> None:
    record = random_session(id, Random(id), None).record_for(Seat.FIRST)
    path = tmp_path / "seat.duel"
    path.write_text(record.text())
    assert inside(tmp_path, "export", str(path)).text == record.text()
    assert inside(tmp_path, "export", str(path), "--seat", "first").text == record.text()
    assert inside(tmp_path, "replay", str(path)).code == 0
    assert inside(tmp_path, "review", str(path)).code == 0


# Ann gives two nines and gets a 5. Ben keeps a 2, as only he knows until the reveal, and Ann keeps two nines.
WHOLE = """[Game "cards"]
[First "Ann"]
[Second "Ben"]
[Ended "resignation"]
[Result "1-0"]

1. d9 g 2. d5 g 3. d9 g 4. d2 k 5. d9 k 6. d9 k 7. a995 b992 8. d3 1-0
"""
AS_ANN_SAW_IT = """Digit Duel: Cards: Ann - Ben, 8 moves, 1-0, as Ann saw it

1. d9  (drawn)

1. g  (Ann)
- You give the '9' to Ben.
- Ben holds 1 digit now.

2. d5  (drawn)

2. g  (Ben)
- Ben gives you a '5'. Your hand: [5]

3. d9  (drawn)

3. g  (Ann)
- You give the '9' to Ben.
- Ben holds 2 digits now.

4. d?  (drawn)

4. k  (Ben)
- Ben keeps the card. Ben holds 3 digits now.

5. d9  (drawn)

5. k  (Ann)
- Your hand: [5, 9]

6. d9  (drawn)

6. k  (Ann)
- Your hand is now full: [5, 9, 9]

Both hands are full. Time to reveal your numbers!

7a. a995  (Ann)

7b. b992  (Ben)
Round 1 Results:
- Ann's Number: 995
- Ben's Number: 992
- Ann wins the round!

Current Score:
- Ann: 1 win
- Ben: 0 wins

--- Round 2 ---

8. d?  (drawn)

The end: Ben resigned. Ann won.
"""


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The current folder, with a game and what Ann saw of it."""
    monkeypatch.chdir(tmp_path)
    Path("whole.duel").write_text(WHOLE)
    Path("ann.duel").write_text(inside(tmp_path, "export", "whole.duel", "--seat", "first").text)


@pytest.mark.usefixtures("files")
def test_a_replay_of_a_seats_record_shows_what_the_seat_saw(tmp_path: Path) -> None:
    assert inside(tmp_path, "replay", "ann.duel").text == AS_ANN_SAW_IT


@pytest.mark.usefixtures("files")
def test_a_review_of_a_seats_record_is_the_review_of_the_whole_game_for_this_seat(tmp_path: Path) -> None:
    for options in (("--json",), ("--plain", "--errs", "0.3")):
        own = inside(tmp_path, "review", "ann.duel", *options).text
        whole = inside(tmp_path, "review", "whole.duel", "--seat", "first", *options).text
        assert own.replace(", as Ann saw it", "") == whole
    at_move_5 = ("--at", "9", "--json")
    own = inside(tmp_path, "analyze", "cards", "ann.duel", *at_move_5).text
    assert own == inside(tmp_path, "analyze", "cards", "./whole.duel", "--seat", "first", *at_move_5).text
    assert (
        own
        == inside(tmp_path, "analyze", "cards", "d9 g d5 g d9 g d? k d9", "--seat", "first", "--json").text
    )


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (("review", "ann.duel", "--seat", "second"), "shows only what Ann saw; leave --seat out."),
        (
            ("export", "ann.duel", "--seat", "second"),
            "shows only what Ann saw, not what the other player saw.",
        ),
        (
            ("review", "ann.duel", "--again", "3"),
            "shows only what Ann saw, so the game cannot continue from it.",
        ),
        (
            ("analyze", "cards", "./ann.duel", "--seat", "second"),
            "shows only what Ann saw; leave --seat out.",
        ),
        (("analyze", "cards", "d9 g d? k d1"), "what one seat saw; add --seat first or --seat second."),
        (("analyze", "cards", "d? g", "--seat", "first"), "not the moves as the first seat saw them."),
    ],
)
def test_what_a_seats_record_cannot_tell_is_refused(
    tmp_path: Path, command: tuple[str, ...], sentence: str
) -> None:
    done = inside(tmp_path, *command)
    assert (done.code, done.text) == (1, "")
    assert done.error.rstrip().endswith(sentence)


@pytest.mark.parametrize(
    ("moves", "sentence"),
    [
        (
            "1. d9 g 2. d? k 3. d9 k 4. d? k 5. d9 g 6. d9 g 7. d9 *",
            "line 7, column 52: 'd9' cannot be drawn here",
        ),
        (
            "1. d9 g 2. d? k 3. d1 k 4. d? k 5. d1 k 6. d1 k 7. a111 b977 0-1",
            "the moves lead to *, not to 0-1",
        ),
        (
            "1. d9 g 2. d? k 3. d1 k 4. d? k 5. d1 k 6. d1 k 7. a111 b877 *",
            "line 7, column 57: Use each digit",
        ),
        ("1. d9 g 2. d? k 3. d? k 4. d1 *", "these are not the moves as the first seat saw them."),
    ],
)
def test_a_seats_record_that_no_game_fits_is_refused(
    moves: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    head = '[Game "cards"]\n[First "Ann"]\n[Second "Ben"]\n[Seen "first"]\n'
    result = moves.split()[-1]
    Path("ann.duel").write_text(f'{head}[Result "{result}"]\n\n{moves}\n')
    done = inside(tmp_path, "replay", "ann.duel")
    assert done.code == 1
    assert sentence in done.error


RULES: tuple[dict[str, str], ...] = (
    {},
    {"facing_full": "must_keep"},
    {"facing_full": "cap:3"},
    {"full_turn": "alternate"},
    {"deck": "persistent", "wins_needed": "4"},
    {"hand_size": "4"},
    {"pool": "0-4x2", "hand_size": "2", "deck": "persistent"},
)


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: " ".join(map("=".join, rules.items())))
def test_a_seats_record_of_cards_replays_to_what_the_seat_saw(rules: dict[str, str]) -> None:
    variant, hiding = CARDS.customised(rules), 0
    for luck in range(20):
        rng = Random(luck)
        session = Session(variant, NAMES, dealer(str(luck)))
        while session.outcome is None and not (luck % 2 and len(session.steps) > rng.randrange(2, 60)):
            seat = rng.choice(session.acting)
            session.play(seat, rng.choice(session.game.legal(session.state, seat)))
        for seat in Seat:
            record = session.record_for(seat)
            hiding += any("?" in move for move in record.moves)
            for mine, true in zip(replay_seen(variant, record), session.steps, strict=True):
                assert session.game.view(mine.after, seat) == session.game.view(true.after, seat)
    assert hiding > 20


def test_a_save_of_an_unfinished_game_can_be_exported_for_one_seat(tmp_path: Path) -> None:
    inside(tmp_path, "play", "cards", "--draws", "789456", "--seed", "5", typed="y\ny\nquit\n")
    done = inside(tmp_path, "export", "1", "--seat", "second")
    assert done.text.split("\n\n")[1] == "1. d? k 2. d8 k 3. d? *\n"
    assert read_record(done.text).headers.keys() == {"Date", "Seen"}
