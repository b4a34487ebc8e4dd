"""Which solved round answers for a round of cards: a shipped one, or one that is solved now."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from digit_duel.games._cards import Cards, Decks, FullTurn, Visibility
from digit_duel.games._cards_table import Sight
from digit_duel.solve.cards.knowledge import Counts, counts, round_knowledge
from digit_duel.solve.errors import Unsolved
from digit_duel.solve.storage import shipped_bytes

if TYPE_CHECKING:  # NumPy is loaded only when somebody asks
    from digit_duel.solve.keep_or_give import Round, RoundStrategy, SolvedRound

STANDARD = Cards()  # with the deck and the hands of the shipped rounds
MANY = 8  # with so many discards a capped hunt is more like a free one than like none, as trial games show
QUICK = 30  # iterations that solve a rest of the deck well enough to play on


@dataclass(frozen=True, slots=True)
class Answering:
    """A solved round, and how sure its odds are for the round that was asked about."""

    solved: SolvedRound
    certainty: str
    exact: bool  # solved for these very cards and rules


def nearest_rule(game: Cards) -> str | None:
    """The shipped rule that a game's rounds follow or come nearest to; None where none is near."""
    return _rule(game) if _has_standard_cards(game) else None


def is_shipped(game: Cards) -> bool:
    """Whether a round from a fresh deck is a shipped one itself, and not only near it."""
    return (
        _has_standard_cards(game)
        and game.full_turn is FullTurn.SKIP
        and game.facing_full.most in (None, 0)
        and game.visibility is Visibility.PRIVATE
        and game.deck is Decks.FRESH
    )


def is_quick(game: Cards) -> bool:
    """Whether every round of a game is answered without a long solve."""
    return (
        _has_standard_cards(game)
        and game.full_turn is FullTurn.SKIP
        and game.visibility is Visibility.PRIVATE
    )


def is_exact(game: Cards, view: Sight) -> bool:
    """Whether the round being played is a shipped one."""
    return not game.facing_full.most and shipped(round_of(game, view)) is not None


def fresh_round(game: Cards) -> Round:
    """A round from a fresh deck, or Unsolved."""
    return _round(game, counts(game.pool), ())


def round_of(game: Cards, view: Sight) -> Round:
    """The round being played, or Unsolved; its cards were known to both when it began."""
    known = round_knowledge(game, view)
    return _round(game, known.deck, known.pile if any(known.pile) else ())


@lru_cache(maxsize=2)
def shipped_strategy(rule: str) -> RoundStrategy:
    """The strategy that the package brings for a way of facing a full hand, with a fresh deck."""
    from digit_duel.solve.keep_or_give import from_bytes

    return from_bytes(shipped_bytes(f"{rule}.kog"))


@lru_cache(maxsize=2)
def shipped_round(rule: str) -> SolvedRound:
    """That strategy ready to be asked, a tie being worth what a round is, for it is played again."""
    from digit_duel.solve.keep_or_give import solved_round

    # The tests prove these values again.
    lines = shipped_bytes("rounds.txt").decode("ascii").split("\n")
    values = dict(line.split(" ") for line in lines if line)
    return solved_round(shipped_strategy(rule), float(Fraction(values[rule])))


def shipped_cap(game: Cards) -> tuple[float, float] | None:
    """What the starter wins at least and at most with a cap on discards, where the package brings a proof."""
    if not (is_quick(game) and game.facing_full.most):
        return None
    lines = shipped_bytes("caps.txt").decode("ascii").split("\n")
    proofs = {int(cap): (float(low), float(high)) for cap, low, high in map(str.split, filter(None, lines))}
    return proofs.get(game.facing_full.most)


def shipped(round_: Round) -> RoundStrategy | None:
    """The strategy of a round, if the package brings it."""
    strategy = shipped_strategy(round_.facing_full.value)
    return strategy if strategy.round == round_ else None


@lru_cache(maxsize=64)
def answering(game: Cards, round_: Round) -> Answering:
    """The solved round that answers for this one."""
    from digit_duel.solve.keep_or_give import payoffs, quantise, solve, solve_again, solved_round

    capped = bool(game.facing_full.most)
    aside = ", which does not know the cap" if capped else ""
    if shipped(round_) is not None:
        return Answering(shipped_round(round_.facing_full.value), f"by the shipped table{aside}", not capped)
    if round_ == fresh_round(game):
        solution = solve(payoffs(round_), target=1e-6, limit=300)
        solved = solved_round(quantise(round_, solution.profile), solution.value)
        return Answering(solved, f"by a solve of this deck, within {solution.gap:.1g}{aside}", False)
    fresh = answering(game, fresh_round(game)).solved
    # A further tie is taken to be worth what it is with a fresh deck; it is rare, and nearly so.
    again = solve_again(round_, fresh.profile, ties=(fresh.tie_value, fresh.tie_value), iterations=QUICK)
    solved = solved_round(quantise(round_, again.profile), fresh.tie_value)
    return Answering(solved, f"by a quick solve of these cards, within {again.gap:.1g}{aside}", False)


def _has_standard_cards(game: Cards) -> bool:
    return (game.pool, game.hand_size) == (STANDARD.pool, STANDARD.hand_size)


def _rule(game: Cards) -> str:
    if game.full_turn is FullTurn.ALTERNATE:
        return "must_keep"  # the hunter gets little choice here either
    most = game.facing_full.most
    return "discard" if most is None or most >= MANY else "must_keep"


def _round(game: Cards, deck: Counts, pile: Counts) -> Round:
    if game.full_turn is not FullTurn.SKIP:
        raise Unsolved("full_turn=alternate: discards have no bound there, and no exact table is finite.")
    from digit_duel.solve.keep_or_give import FullHandRule, Round

    # A cap has no table of its own: the rule that did better in trial games plays until a hand is full.
    return Round(deck, pile, game.hand_size, FullHandRule(_rule(game)))
