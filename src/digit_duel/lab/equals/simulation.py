"""Simulated games between the levels, for games that are too large to compute exactly."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from digit_duel.bots import LEVELS
from digit_duel.bots.batches.families import batch_play
from digit_duel.bots.batches.noisy_choices import FIGURES
from digit_duel.bots.cards.matches import has_separate_rounds, one_round
from digit_duel.core.game import Pair, Seat
from digit_duel.core.session import dealer
from digit_duel.core.variant import AnyVariant
from digit_duel.lab.equals.card_rounds import whole_games
from digit_duel.lab.equals.pair_statistics import PAIRS, PairStatistics, half_width
from digit_duel.solve.effort import Progress
from digit_duel.solve.families import quick_oracle, views_differ
from digit_duel.solve.oracle import Oracle

ONE_BY_ONE, ROUNDS = 200, 1_000  # for each pair of levels: about ten seconds of work


def usual(variant: AnyVariant) -> int:
    """The default number of games, or rounds of cards, for each pair of levels."""
    if (batch := batch_play(variant)) is not None:
        return batch.usual
    return ROUNDS if has_separate_rounds(variant) else ONE_BY_ONE


def simulated(
    variant: AnyVariant,
    games: int,
    seed: str = "lab",
    progress: Progress | None = None,
    pairs: Sequence[Pair[str]] = PAIRS,
) -> dict[Pair[str], PairStatistics]:
    """The statistics of pairs of levels, each from this many games, or rounds of cards."""
    rounds = has_separate_rounds(variant)
    rules = one_round(variant) if rounds else variant
    batch = batch_play(variant)
    found = {}
    for at, pair in enumerate(pairs):
        if progress:
            progress(at * games, len(pairs) * games, "rounds" if rounds else "games")
        found[pair] = (
            simulated_one_by_one(rules, pair, games, seed)
            if batch is None
            else _expected(batch.play(rules, pair, games, seed).mean(axis=1).tolist(), games)
        )
    return whole_games(variant, found, games) if rounds else found


def _expected(means: Sequence[float], games: int) -> PairStatistics:
    """The statistics with these averages, in the order of FIGURES, over this many games."""
    figures = dict(zip(FIGURES, means, strict=True))
    return PairStatistics(**figures, uncertainty=half_width(figures["wins"] + figures["draws"] / 2, games))


def simulated_one_by_one(
    variant: AnyVariant, pair: Pair[str], games: int, seed: str = "lab"
) -> PairStatistics:
    """Play games between two levels one by one, and return their statistics."""
    oracle = None if views_differ(variant.game) else quick_oracle(variant.game)
    totals = [0.0] * len(FIGURES)
    for number in range(games):
        one = _game(variant, pair, f"{seed}/{'-'.join(pair)}/{number}", oracle)
        totals = [total + more for total, more in zip(totals, one, strict=True)]
    return _expected([total / games for total in totals], games)


def _game(variant: AnyVariant, pair: Pair[str], seed: str, oracle: Oracle[Any] | None) -> tuple[float, ...]:
    """Play one game, and return its statistics in the order of FIGURES."""
    game, deal = variant.game, dealer(seed)
    bots = [LEVELS[pair[seat]](variant, seat, Random(f"{seed}/seat {seat}")) for seat in Seat]
    state, choices, only, ply = game.start(), 0, 0, 0
    leads = [] if oracle is None else [_lead(oracle, state)]
    changed = [0]  # the move numbers after which best play favours another seat
    moves = 0
    while (outcome := game.outcome(state)) is None:
        if draws := game.chance(state):
            state = game.play(state, deal(draws, ply))
        else:
            seat = game.acting(state)[0]
            legal = game.legal(state, seat)
            if oracle is not None and len(game.acting(state)) == 1 and len(legal) > 1:
                choices += 1
                worth = [oracle.value(game.play(state, move)).score_for(seat) for move in legal]
                only += worth.count(max(worth)) == 1
            state = game.play(state, bots[seat].choose(game.view(state, seat), legal))
            moves += 1
        ply += 1
        if oracle is not None and not _is_half_chosen(game, state):
            leads.append(_lead(oracle, state))
            if leads[-1] != leads[-2]:
                changed.append(moves)
    won = outcome.score(Seat.FIRST)
    return (won == 1, won == 0, moves, len(changed) - 1, changed[-1], choices, only)


def _lead(oracle: Oracle[Any], state: Any) -> int:
    """Which seat best play favours: 1 the first, -1 the second, 0 neither."""
    score = oracle.value(state).score
    return (score > 0) - (score < 0)


def _is_half_chosen(game: Any, state: Any) -> bool:
    return not game.outcome(state) and any(game.view(state, seat) != state for seat in Seat)
