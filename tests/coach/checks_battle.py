"""A second opinion on claims about battle, by the text of the rulebook."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from random import Random
from typing import Any

from tests.coach.minimax import reached

from digit_duel.coach.battle import claims
from digit_duel.core.game import Seat
from digit_duel.games._battle import Attack, Defend, Fight, Secret


def _blow(state: Fight, digit: int, seat: Seat) -> bool:
    return digit in state.pool and state.life[seat.other] - digit <= 0


def _kills(game: Any, view: Any, claim: claims.Kills) -> bool:
    state = reached(game, view, claim.path)
    (mover,) = game.acting(state)
    return state.life[mover.other] == claim.life and _blow(state, claim.move.digit, mover)


def _could_kill(game: Any, view: Any, claim: claims.CouldKill) -> bool:
    return _blow(reached(game, view, claim.path), claim.digit, claim.seat)


def _safe(game: Any, view: Any, claim: claims.Safe) -> bool:
    state = reached(game, view, claim.path)
    return all(digit < state.life[claim.seat] for digit in state.pool)


def _finishes_next(game: Any, view: Any, claim: claims.FinishesNext) -> bool:
    state = reached(game, view, claim.path)
    (mover,) = game.acting(state)
    afters = [game.play(state, move) for move in game.legal(state, mover)]
    return all(any(_blow(after, digit, mover.other) for digit in after.pool) for after in afters)


def _must_defend(game: Any, view: Any, claim: claims.MustDefend) -> bool:
    state = reached(game, view, claim.path)
    (mover,) = game.acting(state)
    afters = [game.play(state, move) for move in game.legal(state, mover) if isinstance(move, Attack)]
    return all(
        game.outcome(after) is None and any(_blow(after, digit, mover.other) for digit in after.pool)
        for after in afters
    )


def _life(game: Any, view: Any, claim: claims.Life) -> bool:
    return bool(reached(game, view, claim.path).life[claim.seat] == claim.life)


def _highest(game: Any, view: Any, claim: claims.Highest) -> bool:
    pool = reached(game, view, claim.path).pool
    return claim.digit in pool and all(digit <= claim.digit for digit in pool)


def _wasted(game: Any, view: Any, claim: claims.Wasted) -> bool:
    state = reached(game, view, claim.path)
    (mover,) = game.acting(state)
    beyond = state.life[mover] + claim.move.digit - game.max_life
    return (
        isinstance(claim.move, Defend) and bool(beyond == claim.points > 0) and claim.limit == game.max_life
    )


def _only_counts(game: Any, view: Any, claim: claims.OnlyCounts) -> bool:
    """Play everything out: nobody falls, and no point is ever lost to the cap."""

    def quiet(state: Fight) -> bool:
        if min(state.life) <= 0:
            return False
        if not state.pool:
            return True
        for move in game.legal(state, state.to_move):
            after = game.play(state, move)
            swing = (after.life[0] - after.life[1]) - (state.life[0] - state.life[1])
            if abs(swing) != move.digit or not quiet(after):
                return False
        return True

    return quiet(reached(game, view, claim.path))


def _shown(game: Any, state: Fight, seat: Seat, mine: int, theirs: int) -> tuple[int, int]:
    """Life points after a reveal, by the text of the rulebook: this seat's, then the other's."""
    gap = mine - theirs
    own, other = state.life[seat] + gap, state.life[seat.other] - gap
    return min(own, game.max_life), min(other, game.max_life)


def _never_worse(game: Any, view: Any, claim: claims.NeverWorse) -> bool:
    state, seat = reached(game, view, claim.path), claim.move.seat
    for theirs, other in product(game.sudden, repeat=2):
        own, their_life = _shown(game, state, seat, claim.move.digit, theirs)
        own_other, their_other = _shown(game, state, seat, other, theirs)
        if own < own_other or their_life > their_other:
            return False
    return bool(game.sudden_death(state))


def _risks(game: Any, view: Any, claim: claims.Risks) -> bool:
    state, seat = reached(game, view, claim.path), claim.move.seat
    after = _shown(game, state, seat, claim.move.digit, claim.against)[0]
    return claim.against in game.sudden and state.life[seat] - after == claim.points > 0


def _stand_off(game: Any, view: Any, claim: claims.StandOff) -> bool:
    if claim.reveals is None:
        return game.standoff_limit is None
    state = reached(game, view, claim.path)
    winner = None if game.standoff == "draw" else Seat.SECOND
    return claim.winner is winner and state.standoffs + claim.reveals == game.standoff_limit


def _wins_by_showing(game: Any, view: Any, claim: claims.WinsByShowing) -> bool:
    """Against players who show anything, and against the one who always shows the highest."""
    start = reached(game, view, claim.path)
    rng = Random(str(start))
    for game_number in range(20):
        state = start
        while game.outcome(state) is None:
            other = game.sudden[-1] if game_number == 0 else rng.choice(game.sudden)
            state = game.play(
                game.play(state, Secret(claim.seat, claim.digit)), Secret(claim.seat.other, other)
            )
        if game.outcome(state).winner is not claim.seat:
            return False
    return True


CHECKS: dict[type, Callable[[Any, Any, Any], bool]] = {
    claims.Kills: _kills,
    claims.CouldKill: _could_kill,
    claims.Safe: _safe,
    claims.FinishesNext: _finishes_next,
    claims.MustDefend: _must_defend,
    claims.Life: _life,
    claims.Highest: _highest,
    claims.Wasted: _wasted,
    claims.OnlyCounts: _only_counts,
    claims.NeverWorse: _never_worse,
    claims.Risks: _risks,
    claims.StandOff: _stand_off,
    claims.WinsByShowing: _wins_by_showing,
}
