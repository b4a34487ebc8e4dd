"""What a solve of cards found: the starter's chance to win a round, and the game made of such rounds."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from math import ceil, floor

from digit_duel.core.game import Seat
from digit_duel.games._cards import Cards, Decks, FullTurn, Starter, Visibility
from digit_duel.solve.cards.knowledge import counts
from digit_duel.solve.cards.rounds import fresh_round, shipped_cap
from digit_duel.solve.effort import Progress
from digit_duel.solve.errors import Unsolved
from digit_duel.solve.keep_or_give import (
    Round,
    Solution,
    bracket,
    certify,
    payoffs,
    quantise,
    replay_bounds,
    solve,
)
from digit_duel.solve.keep_or_give.alternate import alternate_bracket, alternate_payoffs
from digit_duel.solve.keep_or_give.cap_bounds import capped_payoffs
from digit_duel.solve.keep_or_give.open_hands import open_estimate, open_value
from digit_duel.solve.keep_or_give.strategy import FINE, PURE
from digit_duel.solve.report import Report


def cards_report(game: Cards, progress: Progress) -> Report:
    """Solve a round from a fresh deck, and prove what it is worth; or Unsolved."""
    told = _told(progress)
    if game.full_turn is FullTurn.ALTERNATE or game.facing_full.most:
        return _bracketed(game, told)
    if game.visibility is Visibility.OPEN:
        return _open(game)
    return _private(game, told)


def _private(game: Cards, told: Callable[[Solution], None]) -> Report:
    """Private hands: an equilibrium, and its proof."""
    round_ = fresh_round(game)
    try:
        exact_payoffs = payoffs(round_)
    except ValueError as wrong:
        raise Unsolved(f"these cards are too many to be solved: {wrong}") from wrong
    solution = solve(exact_payoffs, target=1e-11, limit=4000, progress=told)
    # A pure strategy proves more: try one, and fall back to finely quantised mixtures.
    proofs = [certify(exact_payoffs, quantise(round_, solution.profile, scale)) for scale in (PURE, FINE)]
    proof = min(proofs, key=lambda proof: proof.nash_conv)
    replays = replay_bounds(round_, solution.profile)
    bound = "exactly" if proof.nash_conv == 0 else f"within {float(proof.nash_conv):.1e}, proved in fractions"
    return _certified(game, (proof.low + proof.high) / 2, proof.nash_conv, bound, (replays.low, replays.high))


def _open(game: Cards) -> Report:
    """Open hands: nothing is hidden, and the round is solved backwards."""
    exact = payoffs(fresh_round(game))
    replays = open_value(exact, Fraction(0)), open_value(exact, Fraction(1))
    return _certified(game, open_value(exact), Fraction(0), "exactly", (float(replays[0]), float(replays[1])))


def _certified(
    game: Cards, wins: Fraction, gap: Fraction, bound: str, replays: tuple[float, float]
) -> Report:
    """A round that is solved, with bounds for ties that are replayed with the cards left."""
    first, fresh = match_odds(game, wins), game.deck is Decks.FRESH
    exact = gap == 0 and fresh
    more: dict[str, str | float | None] = {
        "value_exact": str(2 * first - 1) if exact else None,
        "nash_conv": float(gap),
        "starter_wins": float(wins),
        "starter_wins_exact": str(wins) if exact else None,
        "starter_wins_at_least": replays[0],
        "starter_wins_at_most": replays[1],
    }
    least, most = _outwards(*replays)
    notes = [
        f"The starter of a round wins it with probability {float(wins):.10f}, {bound}.",
        *([f"That is {wins}."] if exact else []),
        "This counts ties as replayed from a fresh deck. Replayed with the cards that are left, the starter "
        f"wins {least} to {most}.",
    ]
    if not fresh:
        notes.append(
            f"With deck=persistent this is proved for the first round, {least} to {most}. Later rounds start "
            "from the cards that are left, which the players influence: the game is given as if every deck "
            "were fresh, and that is not proved."
        )
    sentence = f"the first player wins the game with probability {float(first):.6f}."
    states = fresh_round(game).tree.information_sets
    return Report(states, 2 * first - 1, sentence, (), tuple(notes), more)


def _bracketed(game: Cards, told: Callable[[Solution], None]) -> Report:
    """Rules without an exact solution: two strategies that enclose the value."""
    try:
        low, high = _bracket(game, told)
    except ValueError as wrong:
        raise Unsolved(f"these rules cannot be bounded: {wrong}") from wrong
    first = [match_odds(game, Fraction(bound)) for bound in (low, high)]
    more: dict[str, str | float | None] = {
        "value_exact": None, "nash_conv": high - low, "starter_wins": (low + high) / 2,
        "starter_wins_exact": None, "starter_wins_at_least": low, "starter_wins_at_most": high,
    }  # fmt: skip
    digits = 7 if high - low < 1e-5 else 4
    least, most = _outwards(low, high, digits)
    notes = [
        f"The starter of a round wins it with probability {least} to {most}; both are sure, with ties "
        "replayed from a fresh deck."
    ]
    if game.deck is not Decks.FRESH:
        notes.append("With deck=persistent this is proved for the first round only.")
    least, most = _outwards(float(first[0]), float(first[1]), digits)
    sentence = f"the first player wins the game with probability {least} to {most}."
    states = _any_round(game).tree.information_sets
    return Report(states, first[0] + first[1] - 1, sentence, (), tuple(notes), more)


def _bracket(game: Cards, told: Callable[[Solution], None]) -> tuple[float, float]:
    """What the starter wins at least and at most, with a cap or with turns that alternate."""
    round_, cap = _any_round(game), game.facing_full.most
    alternate = game.full_turn is FullTurn.ALTERNATE
    if game.visibility is Visibility.OPEN:
        worst = alternate_payoffs(round_, cap) if alternate else capped_payoffs(round_, cap or 0)
        return open_estimate(worst[0]), open_estimate(worst[1])
    if (shipped := shipped_cap(game)) is not None:
        return shipped
    found = (
        alternate_bracket(round_, cap, progress=told)
        if alternate
        else bracket(round_, cap or 0, progress=told)
    )
    return found.low, found.high


def _any_round(game: Cards) -> Round:
    """The cards of a fresh deck; the rule for a full hand is left to the bracket."""
    return Round(counts(game.pool), (), game.hand_size)


def _outwards(low: float, high: float, digits: int = 5) -> tuple[str, str]:
    """Two bounds as text, rounded so that they stay bounds."""
    unit = 10**digits
    return f"{floor(low * unit) / unit:.{digits}f}", f"{ceil(high * unit) / unit:.{digits}f}"


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
