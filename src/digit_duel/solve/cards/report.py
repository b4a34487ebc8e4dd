"""What a solve of cards found: the starter's chance to win a round, and the game made of such rounds."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from math import ceil, floor

from digit_duel.core.game import Seat
from digit_duel.games._cards import Cards, Decks, Starter
from digit_duel.solve.cards.rounds import fresh_round
from digit_duel.solve.effort import Progress
from digit_duel.solve.errors import Unsolved
from digit_duel.solve.keep_or_give import Solution, bracket, certify, payoffs, quantise, replay_bounds, solve
from digit_duel.solve.keep_or_give.strategy import FINE, PURE
from digit_duel.solve.report import Report


def cards_report(game: Cards, progress: Progress) -> Report:
    """Solve a round from a fresh deck, and prove what it is worth; or Unsolved."""
    told = _told(progress)
    if game.facing_full.most:
        return _capped(game, told)
    round_ = fresh_round(game)
    exact_payoffs = payoffs(round_)
    solution = solve(exact_payoffs, target=1e-11, limit=4000, progress=told)
    # A pure strategy proves more: try one, and fall back to finely quantised mixtures.
    proofs = [certify(exact_payoffs, quantise(round_, solution.profile, scale)) for scale in (PURE, FINE)]
    proof = min(proofs, key=lambda proof: proof.nash_conv)
    wins = (proof.low + proof.high) / 2
    first = match_odds(game, wins)
    fresh = game.deck is Decks.FRESH
    replays = replay_bounds(round_, solution.profile) if fresh else None
    exact = proof.nash_conv == 0 and fresh
    bound = "exactly" if proof.nash_conv == 0 else f"within {float(proof.nash_conv):.1e}, proved in fractions"
    more: dict[str, str | float | None] = {
        "value_exact": str(2 * first - 1) if exact else None,
        "nash_conv": float(proof.nash_conv),
        "starter_wins": float(wins),
        "starter_wins_exact": str(wins) if exact else None,
        "starter_wins_at_least": replays.low if replays else None,
        "starter_wins_at_most": replays.high if replays else None,
    }
    notes = (
        f"The starter of a round wins it with probability {float(wins):.10f}, {bound}.",
        *((f"That is {wins}.",) if exact else ()),
        "This counts ties as replayed from a fresh deck. Replayed with the cards that are left, the starter "
        f"wins {floor(1e5 * replays.low) / 1e5:.5f} to {ceil(1e5 * replays.high) / 1e5:.5f}."
        if replays
        else "This is the first round, and the game if every deck were fresh; later decks are not solved.",
    )
    sentence = f"the first player wins the game with probability {float(first):.6f}."
    return Report(round_.tree.information_sets, 2 * first - 1, sentence, (), notes, more)


def _capped(game: Cards, told: Callable[[Solution], None]) -> Report:
    """A cap on discards: no equilibrium, but two strategies that enclose its value."""
    round_, cap = fresh_round(game), game.facing_full.most
    assert cap is not None
    try:
        found = bracket(round_, cap, progress=told)
    except ValueError as wrong:
        raise Unsolved(f"this cap cannot be bounded: {wrong}") from wrong
    first = [match_odds(game, Fraction(bound)) for bound in (found.low, found.high)]
    more: dict[str, str | float | None] = {
        "value_exact": None, "nash_conv": found.gap, "starter_wins": found.value, "starter_wins_exact": None,
    }  # fmt: skip
    note = (
        f"The starter of a round wins it with probability {found.low:.4f} to {found.high:.4f}; both are sure."
    )
    low, high = (f"{float(odds):.4f}" for odds in first)
    sentence = f"the first player wins the game with probability {low} to {high}."
    return Report(round_.tree.information_sets, first[0] + first[1] - 1, sentence, (), (note,), more)


def _told(progress: Progress) -> Callable[[Solution], None]:
    return lambda solution: progress(solution.iterations, unit="passes over all states")


def match_odds(game: Cards, starter_wins: Fraction) -> Fraction:
    """The first seat's chance to win the game, each round won by its starter with the same chance."""
    # Rounds are independent, and a round won is a round won: best play of a round never depends on the score.
    next_starter: dict[Starter, Callable[[Seat, Seat], Seat]] = {
        Starter.ALTERNATE: lambda starter, winner: starter.other,
        Starter.LOSER: lambda starter, winner: winner.other,
        Starter.WINNER: lambda starter, winner: winner,
        Starter.SAME: lambda starter, winner: starter,
    }

    @cache
    def first_wins(wins: tuple[int, int], starter: Seat) -> Fraction:
        if max(wins) == game.wins_needed:
            return Fraction(int(wins[0] == game.wins_needed))
        after = {Seat.FIRST: (wins[0] + 1, wins[1]), Seat.SECOND: (wins[0], wins[1] + 1)}
        chance = {starter: starter_wins, starter.other: 1 - starter_wins}
        return sum(
            (chance[w] * first_wins(after[w], next_starter[game.next_starter](starter, w)) for w in Seat),
            Fraction(0),
        )

    return first_wins((0, 0), Seat.FIRST)
