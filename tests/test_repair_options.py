"""The options that repair a game: their rules, words, records and refusals."""

from __future__ import annotations

from random import Random

import pytest

from digit_duel.core.game import IllegalMove, Seat
from digit_duel.core.laws import Witness, check_playout, check_tree
from digit_duel.core.options import BadOption
from digit_duel.core.record import follow, read_record, replay
from digit_duel.core.script import Spot
from digit_duel.core.session import Session, dealer
from digit_duel.core.swap import KEEP, SWAP
from digit_duel.core.variant import AnyVariant
from digit_duel.games import ids, variant

NAMES = ("Ann", "Ben")


def a(id: str, *settings: str) -> AnyVariant:
    return variant(id).customised(dict(setting.split("=") for setting in settings))


# All laws, on whole trees.


@pytest.mark.parametrize(
    ("id", "settings", "states"),
    [
        ("classic", "places=1 pool=1-3 pick=draw", 1 + 3 + 3 + 6 + 6),  # drawn, placed, drawn, placed
        ("sabotage", "places=2 pool=0x2,1,2x2 pick=draw tie=draw bonus=3", None),
        ("reverse", "places=2 pool=0-4 bonus=12 tie=first", None),
        ("classic", "places=2 pool=1-4 swap=yes", None),
        ("sabotage", "places=1 pool=0-3 pick=draw swap=yes", None),
        ("battle", "pool=1x2,2 start_life=2 max_life=3 second_life=3 sudden=1-2 standoff_limit=2", None),
        ("battle", "pool=1x2 start_life=2 max_life=3 sudden=1-2 standoff_limit=2 swap=yes", None),
    ],
    ids=str,
)
def test_the_laws_hold_on_every_state(id: str, settings: str, states: int | None) -> None:
    chosen = a(id, *settings.split())
    assert a(id, *(f"{name}={value}" for name, value in chosen.settings.items())).game == chosen.game
    found = check_tree(chosen.game, chosen.voice, 20_000)
    assert 10 < found < 20_000
    assert states in (None, found)
    rng, witness = Random(5), Witness()
    for _ in range(10):
        check_playout(chosen.game, chosen.voice, rng, witness, some=4)


@pytest.mark.parametrize("id", [id for id in ids() if id != "cards"])
def test_the_laws_hold_on_random_games_with_swapped_seats(id: str) -> None:
    chosen, rng, witness, swapped = a(id, "swap=yes"), Random(3), Witness(), 0
    for _ in range(20):
        steps = check_playout(chosen.game, chosen.voice, rng, witness, some=3)
        swapped += any(step.move == SWAP for step in steps)
    assert 0 < swapped < 20


# pick=draw


def test_a_drawn_digit_is_all_that_can_be_placed() -> None:
    chosen = a("classic", "pick=draw")
    game = chosen.game
    start = game.start()
    assert [weight for _, weight in game.chance(start)] == [1] * 9
    assert not game.acting(start)
    state = follow(game, ["d7"])[-1].after
    assert [game.text(move) for move in game.legal(state, Seat.FIRST)] == ["7a1", "7a2", "7a3"]
    with pytest.raises(IllegalMove, match=r"Your digit is 7\."):
        game.parse(state, Seat.FIRST, "9a1")
    after = follow(game, ["d7", "7a2", "d9"])[-1].after
    with pytest.raises(IllegalMove, match=r"It is not your turn\."):
        game.parse(after, Seat.FIRST, "9a1")


def test_copies_in_the_pool_weigh_the_draw() -> None:
    game = a("classic", "places=1", "pool=1x3,2", "pick=draw").game
    assert [(game.text(draw), weight) for draw, weight in game.chance(game.start())] == [("d1", 3), ("d2", 1)]


def test_a_drawn_digit_is_told_at_the_turn_and_shown_on_the_scene() -> None:
    chosen = a("sabotage", "pick=draw")
    state = follow(chosen.game, ["d7"])[-1].after
    voice = chosen.voice
    assert voice.turn(state, Seat.FIRST, NAMES).endswith("You draw a '7'.")
    drawn = voice.scene(state).drawn
    assert drawn is not None
    assert drawn.digit == 7
    prompts = [
        question.prompt(chosen.game.legal(state, Seat.FIRST)[0])
        for question in voice.questions(state, Seat.FIRST)
    ]
    assert prompts == [
        "Assign digit '7' to which player? (1 for you, 2 for opponent): ",
        "Assign to which position? (T/H/T/O): ",
    ]


def test_a_record_with_drawn_digits_replays() -> None:
    text = (
        '[Game "classic"]\n[Options "places=1 pick=draw"]\n[First "Ann"]\n[Second "Ben"]\n[Result "0-1"]\n\n'
        "1. d4 4a1 2. d9 9b1 0-1\n"
    )
    record = read_record(text)
    assert record.text() == text
    assert len(replay(a("classic", "places=1", "pick=draw").game, record)) == 4


# bonus


@pytest.mark.parametrize(
    ("id", "settings", "moves", "winner", "told"),
    [
        ("classic", "bonus=111 tie=draw", "9a1 8b1 7a2 6b2 5a3 4b3", None, "864 + 111 = 975"),
        ("classic", "bonus=112", "9a1 8b1 7a2 6b2 5a3 4b3", Seat.SECOND, "864 + 112 = 976"),
        ("classic", "bonus=110", "9a1 8b1 7a2 6b2 5a3 4b3", Seat.FIRST, "864 + 110 = 974"),
        ("reverse", "bonus=100", "1a1 2b1 3a2 4b2 5a3 6b3", Seat.FIRST, "246 - 100 = 146"),
        ("reverse", "bonus=112", "1a1 2b1 3a2 4b2 5a3 6b3", Seat.SECOND, "246 - 112 = 134"),
    ],
)
def test_a_bonus_is_added_to_the_second_number_or_taken_off(
    id: str, settings: str, moves: str, winner: Seat | None, told: str
) -> None:
    chosen = a(id, *settings.split())
    state = follow(chosen.game, moves.split())[-1].after
    outcome = chosen.game.outcome(state)
    assert outcome is not None
    assert outcome.winner is winner
    assert told in chosen.voice.closing(state, outcome, NAMES)
    assert chosen.voice.scene(state).rows[1].note == told


# second_life


def test_the_second_player_begins_with_other_life_points() -> None:
    game = a("battle", "second_life=14").game
    assert game.start().life == (10, 14)
    assert a("battle", "second_life=10") == a("battle")
    assert a("battle", "second_life=same").settings == {}
    with pytest.raises(BadOption, match="second_life 21 is more than max_life 20"):
        a("battle", "second_life=21")
    with pytest.raises(BadOption, match="second_life must be a whole number from 1 to 999"):
        a("battle", "second_life=0")


# standoff=draw


def test_a_stand_off_can_be_a_draw() -> None:
    chosen = a("battle", "pool=1x2", "start_life=2", "standoff_limit=2", "standoff=draw")
    state = follow(chosen.game, ["x1", "x1", "a5", "b5", "a2", "b2"])[-1].after
    outcome = chosen.game.outcome(state)
    assert outcome is not None
    assert outcome.winner is None
    assert [outcome.score(seat) for seat in Seat] == [0, 0]
    told = "2 equal reveals in a row. The game is a draw."
    assert chosen.voice.verdict(state, outcome, Seat.FIRST, NAMES) == told
    assert chosen.voice.closing(state, outcome, NAMES).splitlines() == [
        "Final Life Points:",
        "Ann's life points: 1",
        "Ben's life points: 1",
        "",
        told,
    ]
    drawn = read_record(
        '[Game "battle"]\n[Options "pool=1x2 start_life=2 standoff_limit=1 standoff=draw"]\n'
        '[First "Ann"]\n[Second "Ben"]\n[Result "1/2-1/2"]\n\n1. x1 x1 2. a5 b5 1/2-1/2\n'
    )
    assert len(replay(variant("battle").customised(drawn.options).game, drawn)) == 4


def test_without_a_limit_there_are_no_stand_offs_to_draw() -> None:
    assert a("battle", "standoff_limit=none", "standoff=draw") == a("battle", "standoff_limit=none")
    with pytest.raises(BadOption, match="standoff must be one of: second, draw"):
        a("battle", "standoff=first")


# swap


def test_after_a_swap_everybody_has_what_was_the_others() -> None:
    chosen = a("classic", "swap=yes")
    game, voice = chosen.game, chosen.voice
    steps = follow(game, ["9a1", "swap"])
    asked, state = steps[0].after, steps[1].after
    assert game.acting(asked) == (Seat.SECOND,)
    assert list(game.legal(asked, Seat.SECOND)) == [SWAP, KEEP]
    assert voice.headline(asked, Seat.SECOND, NAMES) == "Ben, you may swap seats with Ann."
    assert game.acting(state) == (Seat.FIRST,)  # Ann plays the second side now
    assert {game.text(move)[1] for move in game.legal(state, Seat.FIRST)} == {"b"}
    scene = voice.scene(state)
    assert [row.cells[0].digit for row in scene.rows] == [None, 9]
    assert voice.spot(state, game.legal(state, Seat.FIRST)[0]) == Spot(1, Seat.FIRST, 0)
    assert voice.narrate(steps[1], Seat.SECOND, NAMES) == (
        "You swap seats. Ann's side of the game is now yours, and yours is Ann's."
    )
    moves = ["9a1", "swap", "8b1", "2a3", "7b2", "5a2", "6b3"]
    end = follow(game, moves)
    outcome = game.outcome(end[-1].after)
    assert outcome is not None
    assert outcome.winner is Seat.SECOND
    assert voice.closing(end[-1].after, outcome, NAMES) == (
        "Final Numbers:\nBen's Number: 952\nAnn's Number: 876\n\nBen wins!"
    )
    assert voice.narrate(end[2], Seat.SECOND, NAMES).startswith("\nAnn places 8 in their hundreds place.")


def test_a_kept_seat_changes_nothing_but_the_record() -> None:
    game = a("classic", "swap=yes").game
    plain, kept = a("classic").game, follow(game, ["9a1", "keep", "8b1", "2a3", "7b2", "5a2", "6b3"])
    assert kept[-1].after.state == follow(plain, ["9a1", "8b1", "2a3", "7b2", "5a2", "6b3"])[-1].after
    assert game.outcome(kept[-1].after) == plain.outcome(kept[-1].after.state)


@pytest.mark.parametrize(
    ("moves", "seat", "text", "why"),
    [
        ("", Seat.SECOND, "swap", "Seats cannot be swapped before the first move."),
        ("9a1", Seat.SECOND, "8b1", "First decide whether to swap seats."),
        ("9a1", Seat.FIRST, "8a2", "It is not your turn."),
        ("9a1 keep", Seat.SECOND, "swap", "Seats can only be swapped right after the first move."),
        ("9a1 swap", Seat.FIRST, "8a2", "Digits go on your own board."),
        ("9a1 swap", Seat.FIRST, "9b1", "9 is no longer in the pool."),
    ],
)
def test_what_cannot_be_done_around_a_swap_is_refused_with_a_reason(
    moves: str, seat: Seat, text: str, why: str
) -> None:
    game = a("classic", "swap=yes").game
    steps = follow(game, moves.split())
    with pytest.raises(IllegalMove) as refused:
        game.parse(steps[-1].after if steps else game.start(), seat, text)
    assert str(refused.value) == why


def test_hidden_hands_cannot_be_swapped() -> None:
    with pytest.raises(BadOption, match="swap is for games in which nothing is hidden"):
        a("cards", "swap=yes")
    with pytest.raises(BadOption, match="swap must be one of: no, yes"):
        a("classic", "swap=perhaps")


def test_an_unknown_option_is_answered_with_all_options_of_the_game() -> None:
    with pytest.raises(BadOption, match=r"the options are: start_life, .*, swap\.$"):
        a("battle", "colour=red")
    with pytest.raises(BadOption, match=r"the options are: visibility, .*, wins_needed\.$"):
        a("cards", "colour=red")


@pytest.mark.parametrize("id", ["classic", "battle"])
def test_a_session_with_swapped_seats_is_saved_and_goes_on(id: str) -> None:
    chosen = a(id, "swap=yes")
    session = Session(chosen, NAMES, dealer("1"))
    session.play(Seat.FIRST, session.game.legal(session.state, Seat.FIRST)[0])
    session.play(Seat.SECOND, SWAP)
    record = read_record(session.record().text())
    assert record.options == {"swap": "yes"}
    again = Session.from_record(variant(id).customised(record.options), record, dealer("1"))
    assert again.state == session.state
    assert again.acting == (Seat.FIRST,)


def test_records_of_older_versions_still_load() -> None:
    text = (
        '[Game "sabotage"]\n[Options "places=2 pool=0-4"]\n[First "Ann"]\n[Second "Ben"]\n[Result "0-1"]\n\n'
        "1. 4b2 4a1 2. 0b1 1a2 0-1\n"
    ).replace("4a1", "3a1")
    record = read_record(text)
    assert replay(variant("sabotage").customised(record.options).game, record)[-1].after.drawn is None
