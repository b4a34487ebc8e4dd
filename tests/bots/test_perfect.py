"""The perfect computer gives nothing away, wins quickly, and resists when it is lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from random import Random
from typing import Any

import pytest
from tests.bots.plain import Worth, earlier, plain, seen_by

from digit_duel import games
from digit_duel.bots import LEVELS
from digit_duel.core.game import Seat
from digit_duel.games._placement import Placement, Position
from digit_duel.solve.families import quick_oracle
from digit_duel.solve.placing import packed

SOLVED = ("classic", "reverse", "battle")
Told = Callable[[Any], Worth]


def chosen(id: str, state: Any, seat: Seat, seed: int = 1) -> Any:
    variant = games.variant(id)
    bot = LEVELS["perfect"](variant, seat, Random(seed))
    return bot.choose(variant.game.view(state, seat), variant.game.legal(state, seat))


def assert_keeps_the_best(id: str, state: Any, worth: Told) -> None:
    """A winner wins as fast, and then as high, as can be."""
    game = games.variant(id).game
    (seat,) = game.acting(state)
    after = {move: seen_by(seat, worth(game.play(state, move))) for move in game.legal(state, seat)}
    move = chosen(id, state, seat)
    assert after[move] == max(after.values()), (state, move)


def assert_asks_the_hardest(id: str, state: Any, worth: Told) -> None:
    """A loser leaves as few good answers as can be, then resists as long, then loses by as little."""
    game = games.variant(id).game
    (seat,) = game.acting(state)

    def hardness(move: Any) -> tuple[int, Worth]:
        after = game.play(state, move)
        # Sudden death, where both choose at once, has no answers to count.
        replies = game.legal(after, seat.other) if game.acting(after) == (seat.other,) else []
        good = sum(worth(game.play(after, reply))[0] == worth(after)[0] for reply in replies)
        return -good, seen_by(seat, worth(after))

    move = chosen(id, state, seat)
    assert hardness(move) == max(hardness(other) for other in game.legal(state, seat)), (state, move)


def decided(id: str, won: bool) -> Iterator[Any]:
    """All states in which the one who is to move has won, or lost."""
    game = games.variant(id).game
    for state, worth in plain(game).items():
        if len(acting := game.acting(state)) == 1 and seen_by(acting[0], worth)[0] == (1 if won else -1):
            yield state


@pytest.mark.slow
@pytest.mark.parametrize("most", [3_000, pytest.param(300_000, marks=pytest.mark.campaign)])
@pytest.mark.parametrize("id", SOLVED)
def test_a_won_state_is_won_as_fast_and_as_high_as_can_be(id: str, most: int) -> None:
    values = plain(games.variant(id).game)
    won = list(decided(id, won=True))
    assert len(won) > 20_000
    for state in Random(1).sample(won, min(most, len(won))):
        assert_keeps_the_best(id, state, values.__getitem__)


@pytest.mark.slow
@pytest.mark.parametrize("id", SOLVED)
def test_a_lost_state_is_made_as_hard_as_can_be(id: str) -> None:
    values = plain(games.variant(id).game)
    for state in Random(1).sample(list(decided(id, won=False)), 3000):
        assert_asks_the_hardest(id, state, values.__getitem__)


# Sabotage has too many states to try them all: the beginning, and a sample of the rest.

SABOTAGE = games.variant("sabotage").game_as(Placement)


@cache
def sabotage_worth() -> Told:
    """Every state's worth by the packed solver, which the computer does not use."""
    table = packed.solve(SABOTAGE)

    def worth(state: Position) -> Worth:
        score = table.result(state)
        return score, -score * sum(board.count(None) for board in state.boards), table.value(state)

    return worth


def sampled(rng: Random, filled: int) -> Position:
    """A state with so many filled places, in any order of play."""
    state = SABOTAGE.start()
    for _ in range(filled):
        state = SABOTAGE.play(state, rng.choice(SABOTAGE.legal(state, state.to_move)))
    return state


def first_plies(plies: int) -> set[Position]:
    states = reached = {SABOTAGE.start()}
    for _ in range(plies - 1):
        reached = {
            SABOTAGE.play(state, move) for state in reached for move in SABOTAGE.legal(state, state.to_move)
        }
        states = states | reached
    return states


@pytest.mark.slow
def test_sabotage_is_won_as_high_as_can_be_from_the_first_three_plies_and_two_thousand_more() -> None:
    worth, rng = sabotage_worth(), Random(1)
    states = list(first_plies(3))
    assert len(states) == 1 + 80 + 2800
    won = [state for state in states if seen_by(state.to_move, worth(state))[0] == 1]
    assert len(won) > 80
    wanted = len(won) + 2000
    while len(won) < wanted:
        state = sampled(rng, rng.randrange(3, 8))
        if seen_by(state.to_move, worth(state))[0] == 1:
            won.append(state)
    for state in won:
        assert_keeps_the_best("sabotage", state, worth)


@pytest.mark.slow
def test_lost_sabotage_is_made_as_hard_as_can_be() -> None:
    worth, rng = sabotage_worth(), Random(2)
    assert_asks_the_hardest("sabotage", SABOTAGE.start(), worth)
    lost = 0
    while lost < 100:
        state = sampled(rng, rng.randrange(1, 8))
        if seen_by(state.to_move, worth(state))[0] == -1:
            assert_asks_the_hardest("sabotage", state, worth)
            lost += 1


# The quick versions: the ends of games, where a plain minimax needs no time.


@pytest.mark.parametrize(("id", "moves"), [("classic", 3), ("reverse", 3), ("sabotage", 6), ("battle", 5)])
def test_won_and_lost_endings_are_played_perfectly(id: str, moves: int) -> None:
    game, rng, seen = games.variant(id).game, Random(3), {1: 0, -1: 0}
    while min(seen.values()) < 30:
        state = game.start()
        for _ in range(moves):
            if len(acting := game.acting(state)) == 1:
                state = game.play(state, rng.choice(game.legal(state, acting[0])))
        if len(acting := game.acting(state)) != 1:
            continue
        values = plain(game, state)
        score = seen_by(acting[0], values[state])[0]
        seen[score] += 1
        check = assert_keeps_the_best if score == 1 else assert_asks_the_hardest
        check(id, state, values.__getitem__)


def lines(id: str, state: Any, seat: Seat) -> Iterator[Any]:
    """The ends of all games in which one seat is the perfect computer and the other plays anything."""
    game = games.variant(id).game
    if game.outcome(state):
        yield state
    elif game.acting(state) == (seat,):
        yield from lines(id, game.play(state, chosen(id, state, seat)), seat)
    else:
        for move in game.legal(state, seat.other):
            yield from lines(id, game.play(state, move), seat)


@pytest.mark.parametrize("id", SOLVED)
def test_whatever_is_played_against_it_the_first_seat_wins(id: str) -> None:
    game = games.variant(id).game
    ends = list(lines(id, game.start(), Seat.FIRST))
    # Placing games: 24 answers, then 12, then 4. Battle: whoever does not defend is beaten at once.
    assert len(ends) == {"battle": 53}.get(id, 24 * 12 * 4)
    assert {(outcome := game.outcome(end)) and outcome.winner for end in ends} == {Seat.FIRST}


@pytest.mark.parametrize("level", LEVELS)
def test_no_level_takes_sabotage_from_its_second_seat(level: str) -> None:
    variant, game = games.variant("sabotage"), SABOTAGE
    for seed in range(5):
        state, rng = game.start(), Random(seed)
        while (outcome := game.outcome(state)) is None:
            name = "perfect" if state.to_move is Seat.SECOND else level
            bot = LEVELS[name](variant, state.to_move, rng)
            state = game.play(state, bot.choose(state, game.legal(state, state.to_move)))
        assert outcome.winner is Seat.SECOND


def test_it_opens_as_the_solution_does() -> None:
    for id, opening in (("classic", "9a1"), ("reverse", "1a1")):
        game = games.variant(id).game
        assert game.text(chosen(id, game.start(), Seat.FIRST)) == opening
    # Lost: two openings leave a single good answer.
    lost = {SABOTAGE.text(chosen("sabotage", SABOTAGE.start(), Seat.FIRST, seed)) for seed in range(20)}
    assert lost == {"0a1", "9b1"}


def test_values_close_to_the_end_agree_with_plain_minimax() -> None:
    game = games.variant("battle").game
    oracle = quick_oracle(game)
    assert oracle is not None
    state, rng = game.start(), Random(4)
    for _ in range(4):
        state = game.play(
            state, rng.choice([move for move in game.legal(state, state.to_move) if move.digit < 5])
        )
    values = plain(game, state)
    assert len(values) > 200
    for state, worth in values.items():
        assert tuple(oracle.value(state)) == worth
    assert earlier((1, -3, 5)) == (1, -4, 5)
