"""The odds of keep and give by hand: every card to come, every hidden card, one world after the other."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import permutations
from typing import Any

from digit_duel.solve.cards.rounds import fresh_round, shipped

# A world is the cards drawn so far, all of them; the asker knows some.
World = tuple[int, ...]
Weights = dict[World, float]
SIZE = 3


class OffTheTable(Exception):
    """The opponent's strategy never leads here."""


class ByHand:
    """One seat's best play in a round from a fresh deck, against the table or one who tosses coins at times.

    A toss replaces one choice in the first phase, and a whole hunt in the second.
    """

    def __init__(self, game: Any, seat: int, tie: float, coin: float = 0.0) -> None:
        self.coin = coin
        self.seat = seat
        self.discarding = game.facing_full.most is None
        self.pool = Counter(game.pool)
        self.tie = tie if seat == 0 else 1 - tie
        self.table: Any = shipped(fresh_round(game))

    def choices(self, word: str, digits: tuple[int | None, ...]) -> tuple[float, float]:
        """What keeping and giving the last digit win."""
        worlds = self._worlds(word, digits)
        total = sum(worlds.values())
        if not total:
            raise OffTheTable
        keep, give = (self._worth(word + said, worlds) / total for said in "kg")
        return keep, give

    def standing(self, word: str, digits: tuple[int | None, ...]) -> float:
        """What the asker wins before the next draw."""
        worlds = self._worlds(word, digits)
        if not sum(worlds.values()):
            raise OffTheTable
        return self._worth(word, worlds) / sum(worlds.values())

    def _worlds(self, word: str, digits: tuple[int | None, ...]) -> Weights:
        """Each way the hidden draws may have been, by chance and by what the table does with them."""
        worlds: Weights = {(): 1.0}
        for at, digit in enumerate(digits):
            drawn: Weights = {}
            for world, weight in worlds.items():
                for card, copies in (self.pool - Counter(world)).items():
                    if digit is None or card == digit:
                        share = weight * copies / (40 - len(world))
                        if at < len(word) and at % 2 != self.seat:
                            keeps = self._keeps(word[:at], (*world, card))
                            share *= keeps if word[at] == "k" else 1 - keeps
                        drawn[(*world, card)] = share
            worlds = drawn
        return worlds

    def _worth(self, word: str, worlds: Weights) -> float:
        """The asker's wins from here, weighted, going on at its best."""
        sizes = [sum((at % 2 == seat) == (said == "k") for at, said in enumerate(word)) for seat in (0, 1)]
        if SIZE in sizes:
            return sum(weight * self._end(word, world) for world, weight in worlds.items() if weight)
        mover = len(word) % 2
        seen: dict[int | None, dict[str, Weights]] = {}
        for world, weight in worlds.items():
            for card, copies in (self.pool - Counter(world)).items() if weight else ():
                drawn, share = (*world, card), weight * copies / (40 - len(world))
                if mover == self.seat:
                    seen.setdefault(card, {}).setdefault("mine", {})[drawn] = share
                    continue
                keeps = self._keeps(word, drawn)
                # A card that the opponent keeps stays unseen; one that is given is known from then on.
                seen.setdefault(None, {}).setdefault("k", {})[drawn] = share * keeps
                seen.setdefault(card, {}).setdefault("g", {})[drawn] = share * (1 - keeps)
        total = 0.0
        for ways in seen.values():
            for said, after in ways.items():
                if said == "mine":
                    total += max(self._worth(word + choice, after) for choice in "kg")
                else:
                    total += self._worth(word + said, after)
        return total

    def _keeps(self, word: str, world: World) -> float:
        """How often the opponent's table keeps the last card of a world."""
        parts = self.table.round.tree.at(self.table.keep[len(word) % 2], word)
        seen = [at % 2 == len(word) % 2 or said == "g" for at, said in enumerate(word)]
        index = (*(card if known else 0 for card, known in zip(world, seen, strict=False)), world[-1])
        return self.coin / 2 + (1 - self.coin) * float(parts[index]) / float(self.table.scale)

    def _end(self, word: str, world: World) -> float:
        """The asker's share once a hand is full: what the other player still gets is worked out."""
        hands: list[list[int]] = [[], []]
        for at, (said, card) in enumerate(zip(word, world, strict=True)):
            hands[at % 2 if said == "k" else 1 - at % 2].append(card)
        hunter = 0 if len(hands[0]) < SIZE else 1
        left = tuple(sorted((self.pool - Counter(world)).elements(), reverse=True))
        held, full = tuple(sorted(hands[hunter])), tuple(sorted(hands[1 - hunter], reverse=True))
        if hunter == self.seat:
            return _hunt(held, full, left, self.discarding, self.tie)
        ways = (self.discarding, 1 - self.coin), (False, self.coin)
        return sum(share * (1 - _hunt(held, full, left, choosy, 1 - self.tie)) for choosy, share in ways)


@lru_cache(maxsize=200_000)
def _hunt(held: World, full: World, left: World, discarding: bool, tie: float) -> float:
    """What a hunter wins: with the best cards left if it may choose, else with any that come."""
    missing = SIZE - len(held)
    if discarding:
        return _compared(held + left[:missing], full, tie)
    wins = [_compared(held + more, full, tie) for more in permutations(left, missing)]
    return sum(wins) / len(wins)


def _compared(mine: World, full: World, tie: float) -> float:
    best = tuple(sorted(mine, reverse=True))
    return tie if best == full else float(best > full)
