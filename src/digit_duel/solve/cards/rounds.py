"""Finds the solved round that applies to a round of cards: a shipped one, or one solved on demand."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import TYPE_CHECKING

from digit_duel.games._cards import Cards, Decks, FullTurn, Visibility
from digit_duel.games._cards_table import Sight
from digit_duel.solve.cards.knowledge import KINDS, Counts, counts, round_knowledge
from digit_duel.solve.errors import TooBig, Unsolved
from digit_duel.solve.storage import shipped_bytes

if TYPE_CHECKING:  # NumPy is loaded only when it is needed
    from digit_duel.solve.keep_or_give import Round, RoundPlay, RoundStrategy, SolvedRound

STANDARD = Cards()  # has the deck and the hand size of the shipped rounds
MANY = 8  # with this many discards a capped hunt is closer to a free one than to none, as trial games show
MOST_CAP = 8  # the largest cap that is solved
BY_THRESHOLDS = "by the solution for this cap, with hunts by a threshold, accurate to about 1 percent"
QUICK = 30  # iterations that solve the rest of a deck well enough to play on
_MOST_BYTES = 2 << 30
_TABLES = 3  # of all draws, at the least: wins, ties and payoffs


@dataclass(frozen=True, slots=True)
class OddsSource:
    """A solved round, and how certain its odds are for the actual round."""

    solved: SolvedRound
    certainty: str
    exact: bool  # solved for exactly these cards and rules


def nearest_rule(game: Cards) -> str | None:
    """The shipped rule that a game's rounds follow or come nearest to; None if none is near."""
    return _rule(game) if _has_standard_cards(game) else None


def is_shipped(game: Cards) -> bool:
    """Whether a shipped solution is exactly for this game's round from a fresh deck."""
    return (
        _has_standard_cards(game)
        and game.full_turn is FullTurn.SKIP
        and game.facing_full.most in (None, 0)
        and game.visibility is Visibility.PRIVATE
        and game.deck is Decks.FRESH
    )


def is_quick(game: Cards) -> bool:
    """Whether odds are available for every round of a game without a long solve."""
    return _has_standard_cards(game) and can_be_solved(game)


def can_be_solved(game: Cards) -> bool:
    """Whether odds can be found at all, even if that takes long."""
    most, private = game.facing_full.most, game.visibility is Visibility.PRIVATE
    known = private or not most or (most <= MOST_CAP and _has_standard_cards(game))
    return known and game.full_turn is FullTurn.SKIP and fits(game)


def is_exact(game: Cards, view: Sight) -> bool:
    """Whether a shipped solution is exactly for the current round."""
    hunts_solved = not game.facing_full.most or game.visibility is Visibility.OPEN
    return hunts_solved and shipped(round_of(game, view)) is not None


def check_size(game: Cards) -> None:
    """Raise TooBig if the tables of a round do not fit into the memory allowed."""
    if not fits(game):
        raise TooBig(
            f"this game is too big to solve: rounds with hands of {game.hand_size} digits need about "
            f"{_bytes_needed(game.hand_size) >> 30} GiB; {_MOST_BYTES >> 30} GiB are allowed."
        )


def fits(game: Cards) -> bool:
    """Whether the tables of a round fit into the memory allowed."""
    return _bytes_needed(game.hand_size) <= _MOST_BYTES


@lru_cache(maxsize=4)
def _bytes_needed(hand_size: int) -> int:
    # A round has comb(n, hand_size - 1) ends of length n + 1 for each seat whose hand is full then.
    ends = ((2 * comb(n, hand_size - 1), n + 1) for n in range(hand_size - 1, 2 * hand_size - 1))
    cells: int = sum(count * KINDS**length for count, length in ends)
    return 8 * _TABLES * cells


def fresh_round(game: Cards) -> Round:
    """A round from a fresh deck; raises Unsolved."""
    return _round(game, counts(game.pool), ())


def round_of(game: Cards, view: Sight) -> Round:
    """The current round, whose cards both seats knew when it began; raises Unsolved."""
    known = round_knowledge(game, view)
    return _round(game, known.deck, known.pile if any(known.pile) else ())


@lru_cache(maxsize=4)
def shipped_strategy(rule: str) -> RoundStrategy:
    """The shipped strategy for a rule on facing a full hand, with a fresh deck."""
    from digit_duel.solve.keep_or_give import from_bytes

    return from_bytes(shipped_bytes(f"{rule}.kog"))


@lru_cache(maxsize=4)
def shipped_play(rule: str) -> RoundPlay:
    """The play of that strategy without odds before a hand is full, which loads faster."""
    from digit_duel.solve.keep_or_give import round_play

    return round_play(shipped_strategy(rule), _tie_values()[rule])


@lru_cache(maxsize=4)
def shipped_round(rule: str) -> SolvedRound:
    """That strategy prepared for queries; a tie has the value of a round, because it is replayed."""
    from digit_duel.solve.keep_or_give import solved_round

    return solved_round(shipped_strategy(rule), _tie_values()[rule])  # the tests prove these values again


@lru_cache(maxsize=4)
def shipped_open_round(rule: str) -> SolvedRound:
    """The round of a rule with open hands, prepared for queries; its strategy is that of private hands."""
    return _open_round(shipped_strategy(rule), open_value_of(rule))


def open_value_of(rule: str) -> float:
    """The starter's chance to win a round with open hands and a fresh deck, ties replayed."""
    return _tie_values()[f"open_{rule}"]


def _open_round(strategy: RoundStrategy, tie_value: float) -> SolvedRound:
    from digit_duel.solve.keep_or_give import solved_round
    from digit_duel.solve.keep_or_give.capped.open_hunts import open_capped_payoffs

    ends = open_capped_payoffs(strategy.round, tie_value) if strategy.round.cap else None
    return solved_round(strategy, tie_value, ends)


@lru_cache(maxsize=1)
def _tie_values() -> dict[str, float]:
    """The value of each shipped round for its starter, by name."""
    lines = shipped_bytes("rounds.txt").decode("ascii").split("\n")
    values = {rule: float(Fraction(value)) for rule, value in (line.split(" ") for line in lines if line)}
    return values | {_cap_rule(cap): (low + high) / 2 for cap, (low, high) in _cap_proofs().items()}


@lru_cache(maxsize=1)
def _cap_proofs() -> dict[int, tuple[float, float]]:
    lines = shipped_bytes("caps.txt").decode("ascii").split("\n")
    return {int(cap): (float(low), float(high)) for cap, low, high in map(str.split, filter(None, lines))}


def _cap_rule(cap: int) -> str:
    """The name of the shipped round with a cap."""
    return f"cap{cap}"


def shipped_cap(game: Cards) -> tuple[float, float] | None:
    """Proven bounds on the starter's chance to win with a cap on discards; None if none are shipped."""
    if not (is_quick(game) and game.facing_full.most and game.visibility is Visibility.PRIVATE):
        return None
    return _cap_proofs().get(game.facing_full.most)


def shipped_match(game: Cards) -> tuple[float, float] | None:
    """Bounds on the first seat's chance to win a game with one deck; None if none are shipped."""
    if not _has_standard_cards(game) or game.wins_needed != STANDARD.wins_needed:
        return None
    if game.full_turn is not FullTurn.SKIP or game.facing_full.most != 0 or game.deck is Decks.FRESH:
        return None
    lines = map(str.split, shipped_bytes("one_deck.txt").decode("ascii").splitlines())
    found = {(visibility, starter): (float(low), float(high)) for visibility, starter, low, high in lines}
    return found.get((game.visibility.value, game.next_starter.value))


def _rule_of(round_: Round) -> str:
    """The name of the shipped round that has this round's rule."""
    return _cap_rule(round_.cap) if round_.cap else round_.facing_full.value


def shipped(round_: Round) -> RoundStrategy | None:
    """The shipped strategy of a round, if there is one."""
    strategy = shipped_strategy(_rule_of(round_))
    return strategy if strategy.round == round_ else None


@lru_cache(maxsize=64)
def odds_source(game: Cards, round_: Round) -> OddsSource:
    """The solved round to use for this one."""
    from digit_duel.solve.keep_or_give import payoffs, quantise, solve, solve_again, solved_round, tie_worth

    if round_.cap:
        return OddsSource(shipped_round(_rule_of(round_)), BY_THRESHOLDS, False)
    capped = bool(game.facing_full.most)
    # The odds of a shipped round need no comment; those of a round without the cap do.
    without, aside = ("by the solution without the cap", ", without the cap") if capped else ("", "")
    if shipped(round_) is not None:
        solved = shipped_round(_rule_of(round_))
        return OddsSource(replace(solved, ignores_cap=capped), without, not capped)
    if round_ == fresh_round(game):
        solution = solve(payoffs(round_), target=1e-6, limit=300)
        solved = solved_round(quantise(round_, solution.profile), tie_worth(solution.value))
        certainty = f"by a solve of this deck, within {solution.gap:.1g}{aside}"
        return OddsSource(replace(solved, ignores_cap=capped), certainty, False)
    fresh = odds_source(game, fresh_round(game)).solved
    # A further tie gets its value with a fresh deck, which is close; such ties are rare.
    again = solve_again(round_, fresh.profile, ties=(fresh.tie_value, fresh.tie_value), iterations=QUICK)
    solved = solved_round(quantise(round_, again.profile), fresh.tie_value)
    within = f", within {again.gap:.1g}" if again.gap else ""
    certainty = f"by a quick solve of these cards{within}{aside}"
    return OddsSource(replace(solved, ignores_cap=capped), certainty, False)


@lru_cache(maxsize=16)
def open_odds_source(game: Cards, round_: Round) -> OddsSource:
    """The round with open hands, prepared for queries; some levels judge by its private-hands solution."""
    from digit_duel.solve.keep_or_give import even_profile, payoffs, quantise, tie_worth
    from digit_duel.solve.keep_or_give.other_rules.open_hands import open_value

    if game.facing_full.most and not round_.cap:
        raise Unsolved(
            f"with open hands and a cap, odds are known only for the standard cards, caps up to {MOST_CAP}, "
            "and a deck that cannot run out in the round."
        )
    rule = nearest_rule(game)
    if rule is not None:
        fresh, strategy = shipped_open_round(rule), shipped_strategy(rule)
        if fresh.round == round_:
            return OddsSource(fresh, "by the exact solution for open hands", True)
        tie_value = fresh.tie_value
    else:
        tie_value = tie_worth(float(open_value(payoffs(fresh_round(game)))))
        strategy = quantise(round_, even_profile(round_.tree))
    solved = _open_round(replace(strategy, round=round_), tie_value)
    return OddsSource(solved, "by a solution of these cards for open hands", False)


def _has_standard_cards(game: Cards) -> bool:
    return (game.pool, game.hand_size) == (STANDARD.pool, STANDARD.hand_size)


def _rule(game: Cards) -> str:
    if game.full_turn is FullTurn.ALTERNATE:
        return "must_keep"  # the hunter gets little choice here either
    most = game.facing_full.most
    if most in _cap_proofs():
        return _cap_rule(most)
    return "discard" if most is None or most >= MANY else "must_keep"


def _round(game: Cards, deck: Counts, pile: Counts) -> Round:
    if game.full_turn is not FullTurn.SKIP:
        raise Unsolved(
            "with full_turn=alternate a round can go on for any number of discards, so the odds of a choice "
            "are not known. digit-duel solve gives bounds on the round."
        )
    from digit_duel.solve.keep_or_give import FullHandRule, Round

    check_size(game)
    most = game.facing_full.most
    if most is None:
        return Round(deck, pile, game.hand_size, FullHandRule.DISCARD)
    fresh = deck == counts(game.pool)
    fits = fresh if game.visibility is Visibility.PRIVATE else sum(deck) >= 2 * game.hand_size + most
    if most and _has_standard_cards(game) and fits and most in _cap_proofs():
        return Round(deck, pile, game.hand_size, FullHandRule.MUST_KEEP, most)
    # Other caps have no table of their own, so use the rule that did better in trial games.
    rule = FullHandRule.DISCARD if most >= MANY else FullHandRule.MUST_KEEP
    return Round(deck, pile, game.hand_size, rule)
