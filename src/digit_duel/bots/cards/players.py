"""The computers of cards: the perfect one, and those that play as people do."""

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
from digit_duel.games._cards_table import Arrange, Deal, Give, Keep, Sight, Table
from digit_duel.solve.cards.knowledge import known_hand
from digit_duel.solve.cards.nearest import (
    capped_hunt_keeps,
    is_open_and_solved,
    keep_gain,
    keep_probability,
    load,
)
from digit_duel.solve.cards.played_games import played_games
from digit_duel.solve.cards.player import Player
from digit_duel.solve.cards.rounds import is_shipped, nearest_rule, shipped_cap

CardsVariant: TypeAlias = Variant[Table, Deal, Sight]

# Where nothing is solved. The figures did best in games against the tips.
ALTERNATE_DISCARDS = 2  # what a hunter hopes to pass on while the full hand goes on drawing
FEED_BELOW = 0.7  # the rank up to which a full hand gives a card away rather than throw it away
KEEP_FROM = 0.7  # the rank from which a card is worth a place in the hand


def _fallible(level: str, errors: ErrorModel) -> Player:
    return Player(tips=errors.greed, blur=errors.second_look if errors.greed < 1 else 0.0, level=level)


# How each level chooses, for those who play against it and want to know their odds.
HABITS = {
    "random": Player(coin=1.0, any_order=True, level="random"),
    "sensible": _fallible("sensible", SENSIBLE),
    "careful": _fallible("careful", CAREFUL),
    "sharp": _fallible("sharp", SHARP),
    "perfect": Player(level="perfect"),
}


def perfect(variant: CardsVariant, seat: Seat, rng: Random) -> CardsBot:
    """The perfect computer, ready to answer."""
    load(variant.game_as(Cards), with_odds=False)
    return CardsBot(variant, seat, rng)


def human(variant: CardsVariant, seat: Seat, rng: Random, errors: ErrorModel) -> CardPlayer:
    """The computer that errs as people do, ready to answer."""
    if errors.greed < 1:
        load(variant.game_as(Cards), with_odds=True)
    return CardPlayer(variant, seat, rng, errors)


@dataclass(frozen=True, slots=True)
class CardsBot:
    """Keeps and gives as the solution of the round does, hunts exactly, and lays out its highest number."""

    variant: CardsVariant
    seat: Seat
    rng: Random

    def choose(self, view: Sight, legal: Sequence[Deal]) -> Deal:
        if isinstance(legal[0], Arrange):
            return highest(view)
        share = keep_share(self.variant.game_as(Cards), view)
        # Also drawn for pure choices, so that the time of a reply says nothing about the cards.
        keeps = self.rng.random() < share
        return legal[0] if len(legal) == 1 else Keep() if keeps else Give()


@dataclass(frozen=True, slots=True)
class CardPlayer:
    """Follows the tips when greedy, and otherwise the odds with an error."""

    variant: CardsVariant
    seat: Seat
    rng: Random
    errors: ErrorModel

    def choose(self, view: Sight, legal: Sequence[Deal]) -> Deal:
        if isinstance(legal[0], Arrange):
            return highest(view)  # nobody puts the worst digit first
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
    """Whether a hunter can wait for the best cards: they come back once (C4)."""
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
    # Who may pass everything gets the best cards, so with free discards it is the hunter who wins: fill the
    # other hand first.
    free = game.facing_full.most is None and game.full_turn is FullTurn.SKIP
    return rank(game, view) >= KEEP_FROM and not free


def promise(variant: CardsVariant) -> str:
    """What the perfect computer of these rules is certain of, in one or two sentences."""
    game = variant.game_as(Cards)
    ties = "With ties replayed from the cards that are left, nobody gains 0.006."
    if is_shipped(game):
        if game.facing_full.most is None:
            return f"It plays an exact equilibrium of a round from a fresh deck. {ties}"
        return f"Against it, nobody gains a billionth in a round from a fresh deck. {ties}"
    if (proof := shipped_cap(game)) is not None:
        low, high = floor(proof[0] * 1e7) / 1e7, ceil(proof[1] * 1e7) / 1e7
        return (
            "It plays by the solution for this cap, and hunts as well as can be against what it believes. "
            f"With best play the starter wins {low:.7f} to {high:.7f} of rounds from a fresh deck, which is "
            "proved."
        )
    if is_open_and_solved(game):
        return "With open hands it gives nothing away in a round from a fresh deck, which is solved exactly."
    if game.full_turn is FullTurn.ALTERNATE or game.facing_full.most:
        return (
            "It counts cards. What a round is worth is proved within bounds, which the solve command tells."
        )
    if game.visibility is Visibility.OPEN:
        return "It plays as if hands were private. The solve command proves what a round is worth."
    if nearest_rule(game) is not None:  # the deck persists
        plays = (
            "It plays every round by the equilibrium for a fresh deck, which is proved for the first round."
        )
        played = played_games(game)
        if played is None:
            return f"{plays} How a round shapes the deck of the next one is not solved."
        return (
            f"{plays} Against itself the first seat won {played.share:.1%} of {played.games:,} games: "
            "measured, not proved."
        )
    return "It counts cards. The solve command proves what a round from this deck is worth, if memory allows."
