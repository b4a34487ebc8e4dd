"""The exploitability of a policy in a whole round of cards: by the tree, and by the proved table."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from digit_duel import solve
from digit_duel.core.game import Seat
from digit_duel.games import variant
from digit_duel.games._cards import Cards
from digit_duel.games._cards_table import Arrange, Give, Keep, Turn
from digit_duel.solve.cards.rounds import shipped_strategy


def one_round(**settings: str) -> Any:
    fixed = {"facing_full": "must_keep", "wins_needed": "1"}
    return variant("cards").customised({**fixed, **settings}).game


def odd(seed: int, whole: int = 6) -> Any:
    """Any chances to keep, in parts of a whole; numbers laid out in the highest order."""

    def play(view: Any, legal: Sequence[Any]) -> dict[Any, Fraction]:
        if isinstance(legal[0], Arrange) or len(legal) == 1:
            return {legal[0]: Fraction(1)}
        keep = Fraction(Random(f"{seed} {view!r}").randrange(whole + 1), whole)
        return {Keep(): keep, Give(): 1 - keep}

    return play


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("pool", ["0-3", pytest.param("0-4", marks=pytest.mark.slow)])
def test_a_small_round_gives_away_what_the_whole_tree_says(pool: str, seed: int) -> None:
    game = one_round(pool=pool, hand_size="2")
    profile = (odd(seed), odd(seed + 10))
    found = solve.round_bounds(game, profile)
    first = solve.best_response(game, profile[1], Seat.FIRST).value
    assert found.high == (1 + first) / 2
    assert 2 * found.nash_conv == solve.nash_conv(game, profile)


def test_floats_and_awkward_fractions_come_close() -> None:
    game = one_round(pool="0-3", hand_size="2")
    exact = solve.round_bounds(game, odd(1))

    def floats(view: Any, legal: Sequence[Any]) -> dict[Any, float]:
        return {move: float(chance) for move, chance in odd(1)(view, legal).items()}

    def awkward(view: Any, legal: Sequence[Any]) -> dict[Any, Fraction]:
        played = odd(1)(view, legal)
        little = Fraction(1, 1_000_003) if len(legal) > 1 and 0 < played[legal[0]] < 1 else Fraction(0)
        return {
            move: c + little * (1 if move == legal[0] else -1) for move, c in played.items() if c or little
        }

    for policy, near in ((floats, 1e-12), (awkward, 1e-4)):
        found = solve.round_bounds(game, policy)
        assert isinstance(found.low, float)
        assert found.low == pytest.approx(float(exact.low), abs=near)
        assert found.high == pytest.approx(float(exact.high), abs=near)


def test_tied_rounds_are_replayed() -> None:
    # Three kinds of card, two of each. The value of this round, 17/25, lies between any two bounds.
    found = solve.round_bounds(one_round(pool="0-2x2", hand_size="2"), odd(4))
    assert 0 < found.low < Fraction(17, 25) < found.high < 1


def test_free_discards_and_single_cards_are_refused() -> None:
    with pytest.raises(solve.Unsolved, match="must_keep"):
        solve.round_bounds(Cards(), solve.uniform)
    with pytest.raises(solve.Unsolved, match="one card each"):
        solve.round_bounds(one_round(pool="0-3", hand_size="1"), solve.uniform)


def test_only_games_of_cards_have_rounds() -> None:
    classic: Any = variant("classic")
    with pytest.raises(solve.Unsolved, match="needs a game of cards, not Placement"):
        solve.round_bounds(classic.game, solve.uniform)
    with pytest.raises(TypeError, match=r"pass variant\.game"):
        solve.round_bounds(classic, solve.uniform)


@pytest.mark.slow
def test_the_shipped_table_as_a_policy_proves_what_the_page_says() -> None:
    table = shipped_strategy("must_keep")
    parts = [table.counts(seat) for seat in (0, 1)]

    def shipped(view: Any, legal: Sequence[Any]) -> dict[Any, Fraction]:
        turns = [turn for turn in view.memory if isinstance(turn, Turn)]
        word = "".join("k" if turn.to.value == turn.seat else "g" for turn in turns)
        at = (*(turn.digit or 0 for turn in turns), view.drawn)
        keep = Fraction(int(parts[view.seat][word][at]), table.scale)
        return {Keep(): keep, Give(): 1 - keep}

    found = solve.round_bounds(one_round(), shipped)
    assert found.low == Fraction(3304453180619, 5639407690617)
    assert found.high == Fraction(367164091568, 626605337635)
