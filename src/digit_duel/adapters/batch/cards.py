"""The batch of cards; its own random words decide which cards are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

import numpy as np

from digit_duel.adapters.batch.base import RUNNING, SEATED, Batch, bag, fitting, lanes, results, verdict
from digit_duel.adapters.batch.dice import CHANCE, Dice, Seed, dice, fraction, pick
from digit_duel.adapters.batch.rows import (
    ONE,
    Array,
    Namespace,
    choose,
    column,
    digits_of,
    mask,
    sides,
    total,
    u8,
    u16,
    u32,
    wide,
)
from digit_duel.core.game import Pair, Seat
from digit_duel.games._cards import Cards, Decks, FullTurn, Starter, Visibility
from digit_duel.games._cards_table import HAND, Table, this_round
from digit_duel.games._digits import Digits, distinct

_NUMBERS = 2  # the move id of the lowest number; 0 means keep and 1 means give
_NO_NUMBER = 0xFFFF
_NO_CARD = 0xFF


class Tables(NamedTuple):
    """The state of many games of cards; a mark is the rank of a digit plus one, or 0 for no card.

    The discards are all cards that are not elsewhere. The history of a plain table is not kept.
    """

    deck: Array  # [digits, games]: cards left of this digit and all lower ones
    hands: Pair[Array]  # [hand size, games] each: marks in order of arrival
    gifts: Pair[Array]  # the same shape: masks of cards that the other seat gave and therefore knows
    sizes: Pair[Array]  # of the hands
    drawn: Array
    number: Array  # the id of the first seat's number, hidden until the second seat has chosen; else 0
    starter: Array
    to_move: Array
    wins: Pair[Array]
    run_outs: Array
    thrown: Array
    result: Array
    dice: Dice


class CardsBatch(Batch[Tables]):
    """Many games of cards, with any options."""

    def __init__(self, game: Cards, xp: Namespace = np) -> None:
        super().__init__(xp)
        self.game = game
        self.moves = len(game.moves(Seat.FIRST))
        fitting("moves", self.moves, _NO_NUMBER - 1)
        fitting("cards", len(game.pool), 127)  # at most twice as many can be thrown away, which fits a byte
        fitting("rounds to win", game.wins_needed, 255)
        self._digits = distinct(game.pool)
        self._copies = [game.pool.count(digit) for digit in self._digits]
        self._up_to = [sum(card <= digit for card in game.pool) for digit in self._digits]
        self._orders = tuple(product(self._digits, repeat=game.hand_size))
        at = {order: index for index, order in enumerate(self._orders)}
        self._ascending_numbers = [at[tuple(sorted(order))] for order in self._orders]
        places = range(1, game.hand_size + 1)
        self.features = (
            *SEATED,
            *(f"own card {place}" for place in places), *(f"other's card {place}" for place in places),
            "own cards", "other's cards", "card drawn", "a card waits", "own start", "cards in the deck",
            *(f"copies of {digit} discarded" for digit in self._digits),
            "own rounds won", "other's rounds won", "run-outs", "cards thrown away",
            "own number is laid out", "other's number is laid out",
        )  # fmt: skip

    def begin(self, lane: Array, seed: Seed) -> Tables:
        none = (lane ^ lane).astype(u8)
        hand = none + column([0] * self.game.hand_size, none)
        table = Tables(
            deck=none + column(self._up_to, none), hands=(hand, hand), gifts=(hand, hand), sizes=(none, none),
            drawn=none, number=none.astype(u16), starter=none, to_move=none, wins=(none, none), run_outs=none,
            thrown=none, result=none, dice=dice(lane, seed, CHANCE),
        )  # fmt: skip
        return self._dealt(table, ~none)

    def mover(self, state: Tables) -> Array:
        return choose(mask(state.drawn == 0), (state.number != 0).view(u8), state.to_move)

    def legal_rows(self, state: Tables) -> Array:
        running = state.result == RUNNING
        waits = (state.drawn != 0) & running
        gives = waits & (self._must_keep(state) == 0)
        # A number is legal if it has the same digits as the hand.
        hand = self._ascending(list(self._revealed_next(state)))
        number = choose(wide(mask(waits | ~running), u16), u16(_NO_NUMBER), self._number(hand))
        numbers = column(self._ascending_numbers, number, u16) == self._whole(state, number)
        return self.xp.concatenate([self.xp.stack([waits, gives]), numbers])

    def observed(self, state: Tables, seat: Array) -> list[Array]:
        second = mask(seat != 0)
        own, other = sides(second, state.hands)
        _, gifts = sides(second, state.gifts)
        drawn, own_turn = state.drawn, mask(seat == state.to_move)
        if self.game.visibility is Visibility.PRIVATE:
            other, drawn = other & gifts, drawn & own_turn
        laid_out = (state.number != 0).view(u8)
        return [
            seat, own_turn & ONE, digits_of(own, self._digits), digits_of(other, self._digits),
            *sides(second, state.sizes), digits_of(drawn, self._digits), mask(state.drawn != 0) & ONE,
            mask(seat == state.starter) & ONE, state.deck[-1], self._discards(state),
            *sides(second, state.wins), state.run_outs, state.thrown, laid_out & ~second, laid_out & second,
        ]  # fmt: skip

    def random_move(self, state: Tables, word: Array) -> Array:
        part = fraction(word)
        waits = mask(state.drawn != 0)
        gives = (part >> u32(23)).astype(u8) & waits & ~self._must_keep(state)
        # A random order of the cards gives a uniform legal number: each comes from equally many orders.
        hand, number = list(self._revealed_next(state)), []
        while hand:
            at, part = pick(part, (waits ^ waits) + u8(len(hand)))
            last = hand.pop()
            here = [mask(at == u8(place)) for place in range(len(hand))]
            card = last
            for taken, other in zip(here, hand, strict=True):
                card = choose(taken, other, card)
            hand = [choose(taken, last, other) for taken, other in zip(here, hand, strict=True)]
            number.append(card)
        return choose(wide(waits, u16), gives.astype(u16), self._number(number) + u16(_NUMBERS))

    def _moved(self, state: Tables, ids: Array, again: bool) -> tuple[Tables, Array]:
        ids = ids.astype(u16)
        waits = mask(state.drawn != 0)
        state, both_full = self._settled(state, mask((ids & u16(1)) != 0) & waits, waits)
        state, ends, decided = self._revealed(state, ids, waits)
        most = u8(self.game.wins_needed)
        result = verdict(mask(state.wins[0] >= most), mask(state.wins[1] >= most))
        over = mask(result != RUNNING)

        deck, fresh = state.deck, column(self._up_to, over)
        if self.game.deck is Decks.FRESH:
            deck = choose(decided, fresh, deck)
        elif again:
            deck = choose(over, fresh, deck)
        # C4, C5: the discards are shuffled into a new deck when a draw is due from an empty one.
        due = ends | ~both_full
        out = mask(deck[-1] == 0) & due
        deck = self._rarely(out, lambda rows: choose(out, self._unheld(state.hands), rows), deck)
        size = u8(self.game.hand_size)
        hunted = out & (mask(state.sizes[0] == size) | mask(state.sizes[1] == size))
        state = state._replace(deck=deck, run_outs=state.run_outs + (hunted & ONE))
        if not again:
            return self._dealt(state._replace(result=result), due & ~over), result
        on = ~over
        wins = (state.wins[0] & on, state.wins[1] & on)
        state = state._replace(wins=wins, starter=state.starter & on, to_move=state.to_move & on)
        return self._dealt(state, due), result

    def _settled(self, state: Tables, gives: Array, waits: Array) -> tuple[Tables, Array]:
        """The state after the drawn cards were kept, given or thrown away; also where both hands are full."""
        size = u8(self.game.hand_size)
        second = mask(state.to_move != 0)
        to_second = second ^ gives
        thrown = waits & choose(to_second, mask(state.sizes[1] == size), mask(state.sizes[0] == size))
        gives, to_second, thrown = self._whole(state, (gives, to_second, thrown))
        hands, gifts, sizes = [], [], []
        for held, given, count, to in zip(
            state.hands, state.gifts, state.sizes, (~to_second, to_second), strict=True
        ):
            kept = waits & ~thrown & to
            slot = mask(column(range(self.game.hand_size), count) == count) & kept
            hands.append(held | (slot & state.drawn))
            gifts.append(given | (slot & gives))
            sizes.append(count + (kept & ONE))
        full = [mask(count == size) for count in sizes]
        both_full = stays = full[0] & full[1]
        if self.game.full_turn is FullTurn.SKIP:
            stays = stays | choose(second, full[0], full[1])  # C2: a full hand is skipped
        settled = state._replace(
            hands=(hands[0], hands[1]), gifts=(gifts[0], gifts[1]), sizes=(sizes[0], sizes[1]),
            to_move=state.to_move ^ (waits & ~stays & ONE), thrown=state.thrown + (thrown & gives & ONE),
        )  # fmt: skip
        return settled, self._whole(state, both_full)

    def _revealed(self, state: Tables, ids: Array, waits: Array) -> tuple[Tables, Array, Array]:
        """The state after a number was chosen; also where that ends a round, and where a seat wins it."""
        ends = ~waits & mask(state.number != 0)
        higher, lower = mask(state.number > ids) & ends, mask(state.number < ids) & ends
        decided = higher | lower
        number = ids & ~wide(waits | ends, u16)
        starter = self._next_starter(state.starter, higher, lower)
        to_move = choose(ends, starter, state.to_move)
        wins = (state.wins[0] + (higher & ONE), state.wins[1] + (lower & ONE))
        ends, decided, starter, to_move = self._whole(state, (ends, decided, starter, to_move))
        on = ~ends
        revealed = state._replace(
            hands=(state.hands[0] & on, state.hands[1] & on), run_outs=state.run_outs & on,
            gifts=(state.gifts[0] & on, state.gifts[1] & on), thrown=state.thrown & on,
            sizes=(state.sizes[0] & on, state.sizes[1] & on),
            number=number, starter=starter, to_move=to_move, wins=wins,
        )  # fmt: skip
        return revealed, ends, decided

    def _next_starter(self, starter: Array, higher: Array, lower: Array) -> Array:
        """Who starts after the first seat's number was higher, lower or equal (C5, C6)."""
        match self.game.next_starter:
            case Starter.ALTERNATE:
                return starter ^ ((higher | lower) & ONE)
            case Starter.LOSER:
                return choose(higher | lower, higher & ONE, starter)
            case Starter.WINNER:
                return choose(higher | lower, lower & ONE, starter)
            case Starter.SAME:
                return starter

    def _dealt(self, state: Tables, due: Array) -> Tables:
        """The state with a card drawn where one is due; every move uses one random word."""
        at, _ = pick(fraction(state.dice.word()), state.deck[-1])
        # Where none is due, the place is beyond every card.
        place = self._whole(state, choose(due, at, u8(_NO_CARD)))
        above = mask(state.deck > place)
        drawn = (u8(len(self._digits) + 1) - total(above & ONE)) & due
        return state._replace(deck=state.deck + above, drawn=drawn, dice=state.dice.next())

    def _must_keep(self, state: Tables) -> Array:
        """A mask of the games in which the mover must keep (C3, C4)."""
        own, other = sides(mask(state.to_move != 0), state.sizes)
        spent = mask(state.run_outs >= u8(2))
        most = self.game.facing_full.most
        if most is not None:
            spent = spent | mask(state.thrown >= u8(min(most, 255)))
        return spent & mask(other == u8(self.game.hand_size)) & mask(own != u8(self.game.hand_size))

    def _revealed_next(self, state: Tables) -> Array:
        """The hand of the seat that chooses a number next."""
        return choose(mask(state.number != 0), state.hands[1], state.hands[0])

    def _ascending(self, hand: list[Array]) -> list[Array]:
        """A hand in ascending order."""
        for end in range(len(hand) - 1, 0, -1):
            for place in range(end):
                pair = hand[place], hand[place + 1]
                hand[place : place + 2] = self.xp.minimum(*pair), self.xp.maximum(*pair)
        return hand

    def _number(self, marks: Sequence[Array]) -> Array:
        """The index of a number among all numbers."""
        found = marks[0].astype(u16) - u16(1)
        for mark in marks[1:]:
            found = found * u16(len(self._digits)) + mark.astype(u16) - u16(1)
        return found

    def _unheld(self, hands: Pair[Array]) -> Array:
        """How many cards of each digit and all lower ones are in no hand."""
        ranks = column(range(1, len(self._digits) + 1), hands[0][0])
        held = sum(((card != 0) & (card <= ranks)).view(u8) for hand in hands for card in hand)
        return column(self._up_to, hands[0][0]) - held

    def _discards(self, state: Tables) -> Array:
        """How many cards of each digit are discarded."""
        marks = column(range(1, len(self._digits) + 1), state.drawn)
        elsewhere = [*state.hands[0], *state.hands[1], state.drawn]
        return (
            column(self._copies, state.drawn)
            - self._singly(state.deck)
            - sum((card == marks).view(u8) for card in elsewhere)
        )

    def _singly(self, up_to: Array) -> Array:
        """Counts of each digit, from cumulative counts of each digit and all lower ones."""
        return up_to - self.xp.concatenate([up_to[:1] ^ up_to[:1], up_to[:-1]])

    def plain(self, state: Tables) -> list[Table]:
        """The plain tables, without their history, which a batch does not keep.

        Their views lack what follows from it: cards in the other hand, and what a solver must know.
        """
        cards = (None, *self._digits)
        rows = (
            self._singly(state.deck), self._discards(state), *state.hands, state.drawn, state.number,
            state.starter, state.to_move, *state.wins, state.run_outs, state.thrown,
        )  # fmt: skip
        return [
            Table(
                deck=bag(self._digits, left), starter=Seat(starter), to_move=Seat(to_move),
                hands=(self._hand(first), self._hand(second)), discards=bag(self._digits, heap),
                drawn=cards[drawn], numbers=(self._orders[number - _NUMBERS] if number else None, None),
                wins=(won, lost), run_outs=run_outs, thrown=thrown,
            )
            for (
                left, heap, first, second, drawn, number, starter, to_move, won, lost, run_outs, thrown,
            ) in lanes(*rows)
        ]  # fmt: skip

    def packed(self, states: Sequence[Table], seed: Seed, first: int) -> Tables:
        row, size = self.xp.asarray, self.game.hand_size
        rank: dict[int | None, int] = {digit: at for at, digit in enumerate((None, *self._digits))}
        numbers: dict[Digits | None, int] = {
            order: at + _NUMBERS for at, order in enumerate(self._orders)
        } | {None: 0}
        decks = [[sum(card <= digit for card in state.deck) for state in states] for digit in self._digits]
        hands, gifts = [], []
        for seat in Seat:
            held = [(*map(rank.__getitem__, state.hands[seat]), *(0,) * size)[:size] for state in states]
            given = [(*_given(state, seat), *(0,) * size)[:size] for state in states]
            hands.append(row(list(zip(*held, strict=True)), u8))
            gifts.append(row(list(zip(*given, strict=True)), u8))
        sizes, wins = (
            [row([count(state, seat) for state in states], u8) for seat in Seat]
            for count in (lambda state, seat: len(state.hands[seat]), lambda state, seat: state.wins[seat])
        )
        single = {
            name: row([int(getattr(state, name)) for state in states], u8)
            for name in ("starter", "to_move", "run_outs", "thrown")
        }
        return self.start(len(states), seed, first)._replace(
            deck=row(decks, u8), hands=(hands[0], hands[1]), gifts=(gifts[0], gifts[1]),
            sizes=(sizes[0], sizes[1]), drawn=row([rank[state.drawn] for state in states], u8),
            number=row([numbers[state.numbers[0] or state.numbers[1]] for state in states], u16),
            wins=(wins[0], wins[1]), result=row(results(self.game, states), u8), **single,
        )  # fmt: skip

    def _hand(self, marks: list[int]) -> Digits:
        return tuple(self._digits[mark - 1] for mark in marks if mark)


def _given(table: Table, owner: Seat) -> list[int]:
    """A mask of the cards of a hand that the other seat gave, from the table's memory."""
    turns = [turn for turn in this_round(table.memory) if turn.to is HAND[owner]]
    return [0xFF if turn.seat is not owner else 0 for turn in turns]
