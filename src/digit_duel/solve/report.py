"""What a whole solve found, for people and programs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from digit_duel.core.game import Game, Seat
from digit_duel.core.session import public
from digit_duel.games._cards import Cards, Decks
from digit_duel.games._placement import Placement
from digit_duel.solve.errors import Unsolved
from digit_duel.solve.general.tablebase import Tablebase
from digit_duel.solve.hands import certificate, fresh_round, match_odds
from digit_duel.solve.library import Hidden, PlacingOracle, Table
from digit_duel.solve.oracle import Oracle
from digit_duel.solve.value import Score

MOST_PACKED = 200_000_000  # states up to which every single one is visited
Progress = Callable[..., None]  # called with what is done, and the total where it is known


@dataclass(frozen=True, slots=True)
class Report:
    """A game's value at its start, and how it was come by."""

    states: int
    value: Score  # for the first seat
    sentence: str
    openings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    more: dict[str, Any] = field(default_factory=dict)  # what a program may want besides


def placing(game: Placement, progress: Progress) -> Report:
    """Solve a placing game: every state by itself where they fit, by rests of the pool where they do not."""
    from digit_duel.solve.placing import packed, pooled

    estimate = packed.fits(game)
    single = estimate.fits and estimate.states <= MOST_PACKED
    table: Table = packed.solve(game, progress) if single else pooled.solve(game, progress)
    oracle = PlacingOracle(game, table)
    margin = oracle.value(game.start()).margin
    note = (
        f"With best play the numbers end {abs(margin)} apart."
        if margin
        else "With best play the numbers are equal."
    )
    return _from(game, oracle, estimate.states, (note,))


def general(game: Game[Any, Any, Any], progress: Progress) -> Report:
    """Solve any game in which what is hidden is hidden for one choice only."""
    if not public(game.view, game.start()):
        raise Hidden("this game hides hands.")
    solved: Tablebase[Any, Any] = Tablebase(game, progress=progress)
    return _from(game, solved, solved.states, ())


def hands(game: Any, progress: Progress) -> Report:
    """Solve a round of hidden hands, and the game that is made of such rounds."""
    if not isinstance(game, Cards):
        raise Hidden("no solver here knows a game with these hidden hands.")
    if _cap(game) is not None:
        return _capped(game, progress)
    from digit_duel.solve.keep_or_give import payoffs, quantise, solve

    round_ = fresh_round(game)
    solution = solve(payoffs(round_), target=1e-11, limit=4000, progress=lambda now: progress(now.iterations))
    # A pure table proves more: try one, and fall back to finely quantised mixtures.
    proofs = [certificate(quantise(round_, solution.profile, scale)) for scale in (1, 65_535)]
    proof = min(proofs, key=lambda proof: proof.nash_conv)
    wins = (proof.low + proof.high) / 2
    first = match_odds(game, wins)
    exact = proof.nash_conv == 0 and game.deck is Decks.FRESH
    bound = "exactly" if proof.nash_conv == 0 else f"within {float(proof.nash_conv):.1e}, proved in fractions"
    more: dict[str, Any] = {
        "value_exact": str(2 * first - 1) if exact else None,
        "nash_conv": float(proof.nash_conv),
        "starter_wins": float(wins),
        "starter_wins_exact": str(wins) if exact else None,
    }
    notes = (
        f"The starter of a round wins it with probability {float(wins):.10f}, {bound}.",
        *((f"That is {wins}.",) if exact else ()),
        "Ties are counted as replayed from a fresh deck."
        if game.deck is Decks.FRESH
        else "This is the first round, and the game if every deck were fresh; later decks are not solved.",
    )
    sentence = f"the first player wins the game with probability {float(first):.6f}."
    states = sum(round_.tree.size(seat) for seat in (0, 1))
    return Report(states, 2 * first - 1, sentence, (), notes, more)


def _capped(game: Cards, progress: Progress) -> Report:
    """A cap on discards: no equilibrium, but two strategies that enclose its value."""
    from digit_duel.solve.keep_or_give import bracket

    round_, cap = fresh_round(game), game.facing_full.most
    assert cap is not None
    try:
        found = bracket(round_, cap, progress=lambda now: progress(now.iterations))
    except ValueError as wrong:
        raise Unsolved(f"this cap cannot be bounded: {wrong}") from wrong
    first = [match_odds(game, Fraction(bound)) for bound in (found.low, found.high)]
    more: dict[str, Any] = {
        "value_exact": None, "nash_conv": found.gap, "starter_wins": found.value, "starter_wins_exact": None,
    }  # fmt: skip
    note = (
        f"The starter of a round wins it with probability {found.low:.4f} to {found.high:.4f}; both are sure."
    )
    low, high = (f"{float(odds):.4f}" for odds in first)
    sentence = f"the first player wins the game with probability {low} to {high}."
    states = sum(round_.tree.size(seat) for seat in (0, 1))
    return Report(states, first[0] + first[1] - 1, sentence, (), (note,), more)


def _cap(game: Cards) -> int | None:
    return game.facing_full.most or None


def _from(game: Game[Any, Any, Any], oracle: Oracle[Any], states: int, notes: tuple[str, ...]) -> Report:
    start = game.start()
    value = oracle.value(start).score
    openings: tuple[str, ...] = ()
    if game.acting(start) == (Seat.FIRST,):
        after = [(move, oracle.value(game.play(start, move))) for move in game.legal(start, Seat.FIRST)]
        openings = tuple(game.text(move) for move, reached in after if reached.score == 1)
    more = {"value_exact": str(value)} if isinstance(value, Fraction) else {}
    return Report(states, value, _who_wins(value), openings, notes, more)


def _who_wins(value: Score) -> str:
    if value in (1, -1):
        return f"the {'first' if value == 1 else 'second'} player wins."
    return "with best play nobody wins." if value == 0 else f"the first player's value is {value}."
