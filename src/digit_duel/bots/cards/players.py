"""Computer opponents for cards: the perfect one, and those that play as people do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor
from random import Random
from typing import TypeAlias

from digit_duel.bots.cards.hunt import is_best, keeps, keeps_within, rank
from digit_duel.bots.error_model import CAREFUL, SENSIBLE, SHARP, ErrorModel
from digit_duel.bots.tips import TipsBot
from digit_duel.core.game import Seat
from digit_duel.core.variant import Variant
from digit_duel.games._cards import Cards, FullTurn, Visibility
from digit_duel.games._cards_table import Arrange, CardsMove, Give, Keep, Sight, Table
from digit_duel.solve.cards.knowledge import known_hand
from digit_duel.solve.cards.nearest_solution import (
    capped_hunt_keeps,
    is_open_and_solved,
    keep_gain,
    keep_probability,
    load,
)
from digit_duel.solve.cards.played_games import played_games
from digit_duel.solve.cards.player_model import PlayerModel
from digit_duel.solve.cards.rounds import fits, is_shipped, nearest_rule, shipped_cap, shipped_match

CardsVariant: TypeAlias = Variant[Table, CardsMove, Sight]

# Parameters for unsolved rules; these values did best in games against the tips.
ALTERNATE_DISCARDS = 2  # discards that a hunter plans with while the full hand keeps drawing
FEED_BELOW = 0.7  # the rank up to which a full hand gives a card away rather than throw it away
KEEP_FROM = 0.7  # the rank from which a card is worth a place in the hand


def _fallible_model(level: str, errors: ErrorModel) -> PlayerModel:
    return PlayerModel(tips=errors.greed, blur=errors.second_look if errors.greed < 1 else 0.0, level=level)


# How each level chooses; the coach uses it to compute odds against that level.
LEVEL_MODELS = {
    "random": PlayerModel(coin=1.0, any_order=True, level="random"),
    "sensible": _fallible_model("sensible", SENSIBLE),
    "careful": _fallible_model("careful", CAREFUL),
    "sharp": _fallible_model("sharp", SHARP),
    "perfect": PlayerModel(level="perfect"),
}


def perfect(variant: CardsVariant, seat: Seat, rng: Random) -> PerfectCardsBot:
    """The perfect computer, with its tables loaded."""
    load(variant.game_as(Cards), with_odds=False)
    return PerfectCardsBot(variant, seat, rng)


def fallible(variant: CardsVariant, seat: Seat, rng: Random, errors: ErrorModel) -> FallibleCardsBot:
    """The computer that errs as people do, with its tables loaded."""
    if errors.greed < 1:
        load(variant.game_as(Cards), with_odds=True)
    return FallibleCardsBot(variant, seat, rng, errors)


@dataclass(frozen=True, slots=True)
class PerfectCardsBot:
    """Keeps and gives by the solution of the round, hunts exactly, and lays out its highest number."""

    variant: CardsVariant
    seat: Seat
    rng: Random

    def choose(self, view: Sight, legal: Sequence[CardsMove]) -> CardsMove:
        if isinstance(legal[0], Arrange):
            return highest(view)
        share = keep_share(self.variant.game_as(Cards), view)
        # Drawn for pure choices too, so that the reply time reveals nothing about the cards.
        keeps = self.rng.random() < share
        return legal[0] if len(legal) == 1 else Keep() if keeps else Give()


@dataclass(frozen=True, slots=True)
class FallibleCardsBot:
    """Follows either the tips or, with random errors of judgement, the solution of the round."""

    variant: CardsVariant
    seat: Seat
    rng: Random
    errors: ErrorModel

    def choose(self, view: Sight, legal: Sequence[CardsMove]) -> CardsMove:
        if isinstance(legal[0], Arrange):
            return highest(view)  # no level lays out its digits badly
        greedy, error = self.rng.random() < self.errors.greed, self.errors.second_look * self.rng.gauss(0, 1)
        if greedy:
            return TipsBot(self.variant, self.seat, self.rng).choose(view, legal)
        game = self.variant.game_as(Cards)
        early = not any(game.full(hand) for hand in view.hands)
        gain = keep_gain(game, view) if early else None
        if gain is None and waits(game, view):
            likes = is_best(game, view) - 0.5
        else:
            likes = gain + error if gain is not None else keep_share(game, view) - 0.5
        return legal[0] if len(legal) == 1 else Keep() if likes > 0 else Give()


def waits(game: Cards, view: Sight) -> bool:
    """Whether a hunter can wait for the best cards, because discards return to the deck once (C4)."""
    free = game.facing_full.most is None and game.full_turn is FullTurn.SKIP
    return free and game.facing_full_hand(view) and view.run_outs == 0


def highest(view: Sight) -> Arrange:
    """The highest number that the seat's hand can form."""
    return Arrange(view.seat, tuple(sorted(known_hand(view, view.seat), reverse=True)))


def keep_share(game: Cards, view: Sight) -> float:
    """How often the perfect computer keeps the card just drawn."""
    if game.full(view.hands[view.seat]):  # C2: a full hand throws away what it does not give
        return float(rank(game, view) >= FEED_BELOW)
    if game.facing_full_hand(view):
        return float(_hunter_keeps(game, view))
    share = keep_probability(game, view)
    return share if share is not None else float(_keeps_by_rank(game, view))


def _hunter_keeps(game: Cards, view: Sight) -> bool:
    if game.must_keep(view):
        return True
    if game.full_turn is FullTurn.ALTERNATE:
        return keeps_within(game, view, ALTERNATE_DISCARDS)
    if game.facing_full.most is None:
        return keeps(game, view)
    found = capped_hunt_keeps(game, view)
    return found if found is not None else keeps_within(game, view, game.facing_full.most - view.thrown)


def _keeps_by_rank(game: Cards, view: Sight) -> bool:
    # A hunter who may pass every card gets the best ones, so with free discards the hunter usually wins:
    # fill the other hand first.
    free = game.facing_full.most is None and game.full_turn is FullTurn.SKIP
    return rank(game, view) >= KEEP_FROM and not free


def is_perfect(variant: CardsVariant) -> bool:
    """Whether the perfect computer plays by a solution for exactly these rules."""
    game = variant.game_as(Cards)
    return is_shipped(game) or shipped_cap(game) is not None or is_open_and_solved(game)


def promise(variant: CardsVariant) -> str:
    """One or two sentences that say how well the perfect computer plays by these rules."""
    game = variant.game_as(Cards)
    ties = "With ties replayed from the cards that are left, no opponent gains 0.006 of a round."
    if is_shipped(game):
        if game.facing_full.most is None:
            return f"It plays an exact equilibrium of a round from a fresh deck. {ties}"
        return f"No opponent gains even a billionth of a round from a fresh deck. {ties}"
    if (proof := shipped_cap(game)) is not None:
        low, high = floor(proof[0] * 1e7) / 1e7, ceil(proof[1] * 1e7) / 1e7
        return (
            "It plays the solution for this cap, and its hunts are the best for what it can know. "
            "With best play the starter of a round from a fresh deck provably wins with probability "
            f"{low:.7f} to {high:.7f}."
        )
    if is_open_and_solved(game):
        return "With open hands it plays a round from a fresh deck perfectly: such a round is solved exactly."
    if not fits(game):
        return "It counts cards. Rounds with hands this large take too much memory to solve."
    if game.full_turn is FullTurn.ALTERNATE or game.facing_full.most:
        return "It counts cards. The value of a round is proved within bounds; the solve command shows them."
    if game.visibility is Visibility.OPEN:
        return "It plays as if hands were private. The solve command proves the value of a round."
    if nearest_rule(game) is not None:  # the deck persists
        plays = (
            "It plays every round by the equilibrium for a fresh deck, which is proved for the first round."
        )
        if (match := shipped_match(game)) is not None:
            low, high = floor(match[0] * 1e5) / 1e5, ceil(match[1] * 1e5) / 1e5
            return f"{plays} With best play the first player wins {low:.3%} to {high:.3%} of games."
        played = played_games(game)
        if played is None:
            return f"{plays} Shaping the deck of the next round is not solved."
        return (
            f"{plays} When it played itself, the first player won {played.share:.1%} of {played.games:,} "
            "games; this is measured, not proved."
        )
    return "It counts cards. The solve command proves the value of a round from this deck."
