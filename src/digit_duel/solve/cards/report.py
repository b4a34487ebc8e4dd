"""The report of solving cards: the starter's chance to win a round, and the game made of such rounds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import ceil, floor

from digit_duel.core.game import Seat
from digit_duel.games._cards import Cards, Decks, FullTurn, Visibility
from digit_duel.games._digits import distinct
from digit_duel.solve.cards.knowledge import counts
from digit_duel.solve.cards.one_deck import SEED, MatchBounds, Samples, encloses, one_deck_bounds
from digit_duel.solve.cards.played_games import played_games
from digit_duel.solve.cards.rounds import MOST_CAP, check_size, fresh_round, shipped_cap, shipped_match
from digit_duel.solve.effort import Progress
from digit_duel.solve.errors import Unsolved
from digit_duel.solve.keep_or_give import (
    FullHandRule,
    Profile,
    Round,
    RoundSolution,
    bracket,
    certify,
    even_profile,
    payoffs,
    quantise,
    replay_bounds,
    solve,
    tree_of,
)
from digit_duel.solve.keep_or_give.capped.cap_bounds import capped_payoffs
from digit_duel.solve.keep_or_give.capped.open_hunts import open_capped_value
from digit_duel.solve.keep_or_give.other_rules.alternate import alternate_bracket, alternate_payoffs
from digit_duel.solve.keep_or_give.other_rules.open_hands import open_estimate, open_value
from digit_duel.solve.keep_or_give.strategy import FINE, PURE
from digit_duel.solve.report import Report


def cards_report(game: Cards, progress: Progress) -> Report:
    """Solve a round from a fresh deck, and prove its value; raises Unsolved."""
    check_size(game)
    if game.full_turn is FullTurn.ALTERNATE or game.facing_full.most:
        found = _bracketed(game, _told(progress))
    elif game.visibility is Visibility.OPEN:
        found = _open(game, progress)
    else:
        found = _private(game, progress)
    return found if game.deck is Decks.FRESH else _with_games_played(game, found)


def _with_games_played(game: Cards, found: Report) -> Report:
    """Add the results of games between perfect computers, if only rounds of a one-deck game are proved."""
    played = played_games(game)
    if played is None:
        return found
    low, high = played.interval
    sentence = (
        f"the first player won {played.share:.2%} of {played.games:,} games between two perfect computers."
    )
    note = (
        f"This is measured, not proved; the 99% interval is {low:.2%} to {high:.2%}. A player who is better "
        "at shaping the deck of the next round may win more."
    )
    more = {"first_won": played.share, "first_won_at_least": low, "first_won_at_most": high}
    value = Fraction(2 * played.won, played.games) - 1
    return replace(
        found,
        value=value,
        sentence=sentence,
        notes=(note, *found.notes),
        more={**found.more, **more, "games": played.games},
    )


def _private(game: Cards, progress: Progress) -> Report:
    """Solve and certify a round with private hands."""
    round_, told = fresh_round(game), _told(progress)
    try:
        exact_payoffs = payoffs(round_)
    except ValueError as wrong:
        raise Unsolved(f"there are too many cards to solve this game: {wrong}") from wrong
    solution = solve(exact_payoffs, target=1e-11, limit=4000, progress=told)
    # A pure strategy proves more: try one, and fall back to finely quantised mixtures.
    proofs = [certify(exact_payoffs, quantise(round_, solution.profile, scale)) for scale in (PURE, FINE)]
    proof = min(proofs, key=lambda proof: proof.nash_conv)
    replays = replay_bounds(round_, solution.profile, progress)
    bound = "exactly" if proof.nash_conv == 0 else f"within {float(proof.nash_conv):.1e}, proved in fractions"
    wins, within = (proof.low + proof.high) / 2, (replays.low, replays.high)
    match = match_with_one_deck(game, wins, solution.profile, progress)
    return _certified(game, wins, proof.nash_conv, bound, within, match)


def _open(game: Cards, progress: Progress) -> Report:
    """Solve a round with open hands by backward induction."""
    exact = payoffs(fresh_round(game))
    replays = float(open_value(exact, Fraction(0))), float(open_value(exact, Fraction(1)))
    wins = open_value(exact)
    match = match_with_one_deck(game, wins, even_profile(exact.round.tree), progress)
    return _certified(game, wins, Fraction(0), "exactly", replays, match)


def match_with_one_deck(
    game: Cards, starter_wins: Fraction, profile: Profile, progress: Progress
) -> MatchBounds | None:
    """Bounds on a match with deck=persistent, shipped or computed; None if players can shape the deck."""
    if game.deck is Decks.FRESH or game.facing_full.most != 0:
        return None
    if (shipped := shipped_match(game)) is not None:
        return MatchBounds(*shipped)
    try:
        found = one_deck_bounds(
            [game], float(starter_wins), encloses(game, profile), Samples(), SEED, progress
        )
    except ValueError:
        return None  # the deck can run out before the match is over
    return found[0]


def _certified(
    game: Cards,
    wins: Fraction,
    gap: Fraction,
    bound: str,
    replays: tuple[float, float],
    match: MatchBounds | None,
) -> Report:
    """The report of a solved round, with bounds for ties replayed with the cards left."""
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
        "This assumes that ties are replayed from a fresh deck. If they are replayed with the cards that are "
        f"left, the starter wins with probability {least} to {most}.",
    ]
    sentence = f"the first player wins the game with probability {float(first):.6f}."
    if not fresh:
        sentence = f"with a fresh deck in every round, {sentence}"
    if match is not None:
        first = Fraction((match.low + match.high) / 2)
        more |= {"value_at_least": 2 * match.low - 1, "value_at_most": 2 * match.high - 1}
        least, most = _outwards(match.low, match.high)
        sentence = f"the first player wins the game with probability {least} to {most}."
        notes.append(
            "All rounds share one deck, and a round takes the same number of cards whatever the players "
            "choose. The bounds on the game come from solving random decks; they include three standard "
            "errors of each mean and the gaps of the solutions."
        )
    elif not fresh:
        notes.append(
            f"With deck=persistent this is proved for the first round, {least} to {most}. {_why_not(game)}"
        )
    return Report(_information_sets(game), 2 * first - 1, sentence, (), tuple(notes), more)


def _why_not(game: Cards) -> str:
    """Why there are no bounds on a match with one deck."""
    if game.facing_full.most == 0 and game.full_turn is FullTurn.SKIP:
        return "The deck can run out during the game."
    return (
        "Whoever throws cards away shapes the deck of the next round, and how best to do that is not solved."
    )


def _bracketed(game: Cards, told: Callable[[RoundSolution], None]) -> Report:
    """The report for rules without an exact solution: bounds from two strategies."""
    try:
        low, high = _bracket(game, told)
    except ValueError as wrong:
        raise Unsolved(f"no bounds are known for these rules: {wrong}") from wrong
    first = [match_odds(game, Fraction(bound)) for bound in (low, high)]
    more: dict[str, str | float | None] = {
        "value_exact": None, "nash_conv": high - low, "starter_wins": (low + high) / 2,
        "starter_wins_exact": None, "starter_wins_at_least": low, "starter_wins_at_most": high,
    }  # fmt: skip
    digits = 7 if high - low < 1e-5 else 4
    least, most = _outwards(low, high, digits)
    notes = [
        f"The starter of a round wins it with probability {least} to {most}. Both bounds are proved, for "
        "ties that are replayed from a fresh deck."
    ]
    if game.deck is not Decks.FRESH:
        notes.append(f"With deck=persistent this is proved for the first round. {_why_not(game)}")
    least, most = _outwards(float(first[0]), float(first[1]), digits)
    sentence = f"the first player wins the game with probability {least} to {most}."
    if game.deck is not Decks.FRESH:
        sentence = f"with a fresh deck in every round, {sentence}"
    return Report(_information_sets(game), first[0] + first[1] - 1, sentence, (), tuple(notes), more)


def _bracket(game: Cards, told: Callable[[RoundSolution], None]) -> tuple[float, float]:
    """Bounds on the starter's chance to win, with a cap or with alternating turns."""
    round_, cap = _any_round(game), game.facing_full.most
    alternate = game.full_turn is FullTurn.ALTERNATE
    if game.visibility is Visibility.OPEN and not alternate and cap and cap <= MOST_CAP:
        value = open_capped_value(replace(round_, facing_full=FullHandRule.MUST_KEEP, cap=cap))
        return value, value
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


def _information_sets(game: Cards) -> int:
    """What a seat can know when it decides before a hand is full, with the digits of this deck."""
    return tree_of(len(distinct(game.pool)), game.hand_size).information_sets


def _any_round(game: Cards) -> Round:
    """A round with a fresh deck; its rule for a full hand does not matter here."""
    return Round(counts(game.pool), (), game.hand_size)


def _outwards(low: float, high: float, digits: int = 5) -> tuple[str, str]:
    """Two bounds as text, rounded outwards so that they stay bounds."""
    unit = 10**digits
    return f"{floor(low * unit) / unit:.{digits}f}", f"{ceil(high * unit) / unit:.{digits}f}"


def _told(progress: Progress) -> Callable[[RoundSolution], None]:
    return lambda solution: progress(
        solution.iterations, unit=f"passes over all states, within {solution.gap:.0e}"
    )


def match_odds(game: Cards, starter_wins: Fraction) -> Fraction:
    """The first seat's chance to win the game, if the starter wins each round with this probability."""

    # Rounds are independent and only their number counts, so best play of a round never depends on the score.
    @cache
    def first_wins(wins: tuple[int, int], starter: Seat) -> Fraction:
        if max(wins) == game.wins_needed:
            return Fraction(int(wins[0] == game.wins_needed))
        after = {Seat.FIRST: (wins[0] + 1, wins[1]), Seat.SECOND: (wins[0], wins[1] + 1)}
        chance = {starter: starter_wins, starter.other: 1 - starter_wins}
        return sum(
            (chance[w] * first_wins(after[w], game.next_starter.after(starter, w)) for w in Seat),
            Fraction(0),
        )

    return first_wins((0, 0), Seat.FIRST)
