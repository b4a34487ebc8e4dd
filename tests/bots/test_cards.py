"""The computers of cards: keeping and giving, the hunt, counting cards, and unsolved rules."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from benchmarks.ladder import duel
from tests.bots.tables import CARDS, MUST_KEEP, at, choice
from tests.bots.walks import positions

from digit_duel.bots.cards.hunt import keeps
from digit_duel.bots.cards.players import keep_share
from digit_duel.core.game import Seat
from digit_duel.core.variant import AnyVariant
from digit_duel.games._cards import Cards
from digit_duel.games._cards_table import Give, Keep, Reveal, Table, To, Turn
from digit_duel.solve.cards.knowledge import round_knowledge
from digit_duel.solve.cards.nearest_solution import keep_gain, keep_probability
from digit_duel.solve.cards.rounds import shipped_round
from digit_duel.solve.keep_or_give import HuntObservation, Observation, hunt_choices

# Keeping and giving.


def test_by_the_book_even_a_nine_is_given_away() -> None:
    for digit in "0123456789":
        assert choice(CARDS, "perfect", at(CARDS, digit, "")) == Give()


def test_when_all_must_be_kept_the_starter_keeps_seven_to_nine() -> None:
    kept = [
        digit for digit in "0123456789" if choice(MUST_KEEP, "perfect", at(MUST_KEEP, digit, "")) == Keep()
    ]
    assert kept == ["7", "8", "9"]


def test_where_the_solution_mixes_the_computer_mixes_alike() -> None:
    mixed = []
    for state, seat in positions(MUST_KEEP, many=3000):
        view = MUST_KEEP.game_as(Cards).view(state, seat)
        if not any(MUST_KEEP.game_as(Cards).full(hand) for hand in view.hands):
            share = keep_probability(MUST_KEEP.game_as(Cards), view)
            assert share is not None
            if 0.05 < share < 0.95:
                mixed.append((state, share))
    assert mixed
    state, share = mixed[0]
    kept = sum(choice(MUST_KEEP, "perfect", state, seed) == Keep() for seed in range(2000)) / 2000
    assert abs(kept - share) < 0.05


def test_what_keeping_gains_is_what_the_solution_says() -> None:
    gain = keep_gain(CARDS.game_as(Cards), CARDS.game.view(at(CARDS, "7", ""), Seat.FIRST))
    assert gain == pytest.approx(0.0067 - 0.8697, abs=1e-4)


# The hunt.


def hunts(variant: AnyVariant, many: int, seed: int = 1) -> Iterator[tuple[Table, Seat]]:
    """Choices in front of a full hand."""
    game = variant.game_as(Cards)
    for state, seat in positions(variant, many, seed):
        if game.facing_full_hand(state) and len(game.legal(state, seat)) == 2:
            yield state, seat


def test_a_hunter_keeps_what_an_exact_look_ahead_keeps() -> None:
    game, compared = CARDS.game_as(Cards), 0
    for state, seat in hunts(CARDS, 2500):
        view = game.view(state, seat)
        reveals = [event for event in view.memory if isinstance(event, Reveal)]
        if view.run_outs or (reveals and reveals[-1].winner is None):
            continue
        known = round_knowledge(game, view)
        since = tuple((digit or 0, kept) for digit, kept in known.since)
        hunt = HuntObservation(Observation(known.word, known.digits), since)
        assert view.drawn is not None
        exact = hunt_choices(shipped_round("discard"), hunt, view.drawn)
        assert keeps(game, view) is (exact.best == "k")
        compared += 1
    assert compared > 150


@pytest.mark.parametrize(
    "settings", [{}, {"deck": "persistent"}, {"hand_size": "2"}, {"pool": "0-4x2"}], ids=str
)
def test_a_hunter_always_does_as_well_as_the_best_cards_in_no_hand(settings: dict[str, str]) -> None:
    variant = CARDS.customised(settings)
    game, rng, hunted = variant.game_as(Cards), Random(2), 0
    for state, seat in hunts(variant, 900, seed=2):
        if state.thrown or state.run_outs or not fresh_hunt(state):
            continue
        stock = sorted((*state.deck, *state.discards, state.drawn or 0), reverse=True)
        best = sorted((*state.hands[seat], *stock[: game.hand_size - len(state.hands[seat])]), reverse=True)
        theirs = sorted(state.hands[seat.other], reverse=True)
        ended = hunt_down(variant, state, rng)
        mine = sorted(ended.hands[seat], reverse=True)
        assert (mine > theirs, mine == theirs) == (best > theirs, best == theirs)
        assert ended.run_outs <= 1
        hunted += 1
    assert hunted > 10


def fresh_hunt(state: Table) -> bool:
    """Whether this is the first card since the other hand is full."""
    last = state.memory[-1]
    return isinstance(last, Turn) and last.to is To(state.to_move.other)


def hunt_down(variant: AnyVariant, state: Table, rng: Random) -> Table:
    game = variant.game_as(Cards)
    while not game.revealing(state.hands):
        if draws := game.chance(state):
            moves, weights = zip(*draws, strict=True)
            state = game.play(state, rng.choices(moves, weights)[0])
        else:
            state = game.play(state, choice(variant, "perfect", state))
    return state


def test_a_hunter_does_not_dawdle_when_any_card_wins() -> None:
    # The second seat has been given 0, 1 and 1, and the starter two nines: a 2 will do.
    state = at(CARDS, "091912", "ggggg")
    assert state.hands == ((9, 9), (0, 1, 1))
    assert choice(CARDS, "perfect", state) == Keep()
    # Against 0, 9 and 9 a 0 would only tie.
    state = at(CARDS, "099990", "ggggg")
    assert state.hands == ((9, 9), (0, 9, 9))
    assert choice(CARDS, "perfect", state) == Give()


def test_a_hunt_that_is_lost_goes_on_for_the_highest_number() -> None:
    # The second seat has been given three nines: nothing beats 999, unless it is laid out as something else.
    for digit, chosen in (("2", Give()), ("8", Give()), ("9", Keep())):
        state = at(CARDS, "90909" + digit, "ggggg")
        assert state.hands == ((0, 0), (9, 9, 9))
        assert choice(CARDS, "perfect", state) == chosen
    # All cards but three are in hands. They have been seen once and come again: 3 is the best of them.
    few = CARDS.customised({"pool": "0,1,2,3,8,9", "hand_size": "2"})
    for digits, chosen in (("981" + "203" + "2", Give()), ("981" + "203" + "3", Keep())):
        state = at(few, digits, "gkk" + "ggg")
        assert (state.hands, state.run_outs) == (((1,), (9, 8)), 1)
        assert choice(few, "perfect", state) == chosen


# Rules that nobody has solved.


@pytest.mark.parametrize(
    "settings",
    [
        {"facing_full": "cap:3"},
        {"hand_size": "2"},
        {"hand_size": "4", "facing_full": "must_keep"},
        {"deck": "persistent"},
        {"visibility": "open"},
        {"visibility": "open", "facing_full": "cap:2"},
        {"pool": "0-4x2", "facing_full": "must_keep"},
    ],
    ids=str,
)
def test_the_perfect_computer_beats_the_sensible_one_under_other_rules(settings: dict[str, str]) -> None:
    assert duel(CARDS.customised(settings), "perfect", "sensible", pairs=20).points > 0.5


def test_a_full_hand_that_goes_on_drawing_gives_low_cards_and_throws_high_ones_away() -> None:
    alternate = CARDS.customised({"full_turn": "alternate"})
    shares = {}
    for digit in (1, 9):
        state = at(alternate, f"938285{digit}", "kkkkkg")
        assert state.hands[Seat.FIRST] == (9, 8, 8)
        shares[digit] = keep_share(alternate.game_as(Cards), alternate.game_as(Cards).view(state, Seat.FIRST))
    assert shares == {1: 0.0, 9: 1.0}
