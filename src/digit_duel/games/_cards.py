"""The rules of cards: draw, keep or give, hidden hands, the higher number wins a round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from itertools import permutations, product

from digit_duel.core.game import Game, Outcome, Pair, Seat, put
from digit_duel.core.options import BadOption, integer, one_of, option
from digit_duel.games._cards_table import (
    HAND,
    Arrange,
    CardsMove,
    Draw,
    Give,
    Keep,
    Reveal,
    Sight,
    Table,
    To,
    Turn,
    remembered,
    remembered_hand,
)
from digit_duel.games._digits import Digits, distinct, merge, read_digits, show_digits, take

MOST_IN_HAND = 4

# One object of each move, because creating them takes time.
_KEEP, _GIVE, _DRAWS = Keep(), Give(), tuple(Draw(digit) for digit in range(10))


@lru_cache(maxsize=64)
def _alphabet(digits: Digits, hand_size: int, seat: Seat) -> tuple[CardsMove, ...]:
    """Every move of a seat; cached, because there are more than a thousand numbers."""
    orders = product(digits, repeat=hand_size)
    return (_KEEP, _GIVE, *(Arrange(seat, order) for order in orders))


class Visibility(StrEnum):
    """Whether hands are open (C1)."""

    PRIVATE = "private"
    OPEN = "open"


class FullTurn(StrEnum):
    """Whether a player with a full hand is skipped or keeps drawing (C2)."""

    SKIP = "skip"
    ALTERNATE = "alternate"


class Decks(StrEnum):
    """Whether each round has a deck of its own (C5)."""

    FRESH = "fresh"
    PERSISTENT = "persistent"


class Starter(StrEnum):
    """Who starts the next round (C6)."""

    ALTERNATE = "alternate"
    LOSER = "loser"
    WINNER = "winner"
    SAME = "same"

    def after(self, starter: Seat, winner: Seat) -> Seat:
        """Who starts the round that follows a decided one."""
        match self:
            case Starter.ALTERNATE:
                return starter.other
            case Starter.LOSER:
                return winner.other
            case Starter.WINNER:
                return winner
            case Starter.SAME:
                return starter


@dataclass(frozen=True, slots=True)
class FacingFull:
    """How many cards a player facing a full hand may discard in a round; None is any number."""

    most: int | None = None


def _read_facing(text: str) -> FacingFull:
    word = text.lower() if text.isascii() else text
    if word == "discard":
        return FacingFull()
    if word == "must_keep":
        return FacingFull(0)
    if word.startswith("cap:"):
        return FacingFull(integer("the N of facing_full=cap:N", 0, 1000)(word[4:]))
    raise BadOption("facing_full must be one of: discard, must_keep, cap:N.")


def _show_facing(rule: FacingFull) -> str:
    return "discard" if rule.most is None else "must_keep" if rule.most == 0 else f"cap:{rule.most}"


@dataclass(frozen=True)
class Cards(Game[Table, CardsMove, Sight]):
    """The rules, one field per option of the rulings."""

    visibility: Visibility = option(
        Visibility.PRIVATE, one_of("visibility", Visibility), "hands: private until the reveal, or open"
    )
    full_turn: FullTurn = option(
        FullTurn.SKIP,
        one_of("full_turn", FullTurn),
        "a player with a full hand: skip their turns, or alternate",
    )
    facing_full: FacingFull = option(
        FacingFull(),
        _read_facing,
        "giving to a full hand: discard throws the card away, must_keep forbids it, cap:N allows N a round",
        _show_facing,
        ("discard", "must_keep", "cap:1", "cap:2", "cap:3"),
        repairs=("must_keep",),
    )
    deck: Decks = option(
        Decks.FRESH, one_of("deck", Decks), "the deck of a round: fresh, or persistent for the whole game"
    )
    next_starter: Starter = option(
        Starter.ALTERNATE,
        one_of("next_starter", Starter),
        "who starts the next round: alternate, loser, winner or same",
    )
    pool: Digits = option(
        read_digits("0-9x4"),
        read_digits,
        "the cards of the deck, such as 0-9x4",
        show_digits,
        ("0-9x2", "0-9x3", "0-9x4", "1-9x4"),
    )
    hand_size: int = option(3, integer("hand_size", 1, MOST_IN_HAND), "digits in a hand")
    wins_needed: int = option(2, integer("wins_needed", 1, 99), "rounds needed to win the game")

    def __post_init__(self) -> None:
        if len(self.pool) < 2 * self.hand_size:
            raise BadOption(f"two hands of {self.hand_size} need at least {2 * self.hand_size} cards.")
        if len(distinct(self.pool)) == 1:
            raise BadOption("with only one kind of card every round would be a tie.")

    def start(self) -> Table:
        return Table(self.pool, Seat.FIRST, Seat.FIRST)

    def outcome(self, state: Table) -> Outcome | None:
        first, second = state.wins
        if max(first, second) < self.wins_needed:
            return None
        return Outcome(Seat.FIRST if first > second else Seat.SECOND, "enough rounds won")

    def chance(self, state: Table) -> Sequence[tuple[CardsMove, int]]:
        if state.drawn is not None or self.revealing(state.hands) or self.outcome(state):
            return ()
        return [(_DRAWS[digit], copies) for digit, copies in Counter(state.deck).items()]

    def acting(self, state: Table) -> tuple[Seat, ...]:
        if state.drawn is not None:
            return (state.to_move,)
        if self.revealing(state.hands):
            return tuple(seat for seat in Seat if state.numbers[seat] is None)
        return ()

    def legal(self, state: Table, seat: Seat) -> Sequence[CardsMove]:
        if seat not in self.acting(state):
            return ()
        if self.revealing(state.hands):
            orders = sorted(set(permutations(state.hands[seat])), reverse=True)
            return [Arrange(seat, order) for order in orders]
        return (_KEEP,) if self.must_keep(state) else (_KEEP, _GIVE)

    def play(self, state: Table, move: CardsMove) -> Table:
        match move:
            case Draw(digit):
                return Table(
                    take(state.deck, digit), state.starter, state.to_move, state.hands, state.discards, digit,
                    state.numbers, state.wins, state.run_outs, state.thrown, state.memory,
                )  # fmt: skip  # dataclasses.replace takes twice as long, and half of all moves are draws
            case Keep():
                return self._settle(state, state.to_move)
            case Give():
                return self._settle(state, state.to_move.other)
            case Arrange(seat, digits):
                return self._reveal(replace(state, numbers=put(state.numbers, seat, digits)))

    def view(self, state: Table, seat: Seat) -> Sight:
        open_table = self.visibility is Visibility.OPEN
        memory = state.memory if open_table else tuple(remembered(event, seat) for event in state.memory)
        theirs: tuple[int | None, ...] = (
            state.hands[seat.other] if open_table else remembered_hand(memory, seat.other)
        )
        mine = state.numbers[seat]
        return Sight(
            seat=seat,
            hands=put((theirs, theirs), seat, state.hands[seat]),
            deck_size=len(state.deck),
            discards=state.discards,  # C1: discards lie face up
            starter=state.starter,
            to_move=state.to_move,
            waiting=state.drawn is not None,
            drawn=state.drawn if open_table or seat is state.to_move else None,
            numbers=put((None, None), seat, mine),  # neither seat sees the other's
            arranged=(state.numbers[0] is not None, state.numbers[1] is not None),
            wins=state.wins,
            run_outs=state.run_outs,
            thrown=state.thrown,
            memory=memory,
        )

    def text(self, move: CardsMove) -> str:
        match move:
            case Draw(digit):
                return f"d{digit}"
            case Keep():
                return "k"
            case Give():
                return "g"
            case Arrange(seat, digits):
                return seat.letter + "".join(map(str, digits))

    def moves(self, seat: Seat) -> Sequence[CardsMove]:
        return _alphabet(distinct(self.pool), self.hand_size, seat)

    def draws(self) -> Sequence[CardsMove]:
        return [_DRAWS[digit] for digit in distinct(self.pool)]

    def why_not(self, view: Sight, seat: Seat, move: CardsMove) -> str:
        if max(view.wins) >= self.wins_needed:
            return "The game is over."
        if self.revealing(view.hands):
            if not isinstance(move, Arrange):
                return "Both hands are full: arrange your number."
            if view.arranged[seat]:
                return "You have already arranged your number."
            return "Use each digit of your hand once."
        if isinstance(move, Arrange):
            return "Numbers are arranged when both hands are full."
        if seat is not view.to_move or not view.waiting:
            return "It is not your turn."
        return "Your opponent's hand is full, and you must keep what you draw now."

    @property
    def bound(self) -> None:
        """None: tied rounds are replayed without limit."""

    def seen(self, path: Sequence[tuple[Table, CardsMove]], seat: Seat) -> Sequence[str]:
        if not path:
            return []
        last = self.play(*path[-1])
        sight = self.view(last, seat)
        digits = [event.digit for event in sight.memory if isinstance(event, Turn)] + [sight.drawn]
        draws = iter("?" if digit is None else str(digit) for digit in digits)
        known = [f"d{next(draws)}" if isinstance(move, Draw) else self.text(move) for _, move in path]
        if last.numbers[seat.other] is not None:  # arranged, but not revealed yet
            pending = max(
                i for i, (_, move) in enumerate(path) if isinstance(move, Arrange) and move.seat is not seat
            )
            known[pending] = seat.other.letter + "?" * self.hand_size
        return known

    def may_be(self, state: Table, move: CardsMove, later: Sequence[str]) -> bool:
        # The reveal shows every card that was kept.
        mover = state.to_move
        number = next((text[1:] for text in later if text[0] == mover.letter), "?")
        if not isinstance(move, Draw) or "?" in number:
            return True
        return number.count(str(move.digit)) > state.hands[mover].count(move.digit)

    def full(self, hand: Sequence[int | None]) -> bool:
        """Whether a hand is full."""
        return len(hand) == self.hand_size

    def revealing(self, hands: Pair[Digits] | Pair[tuple[int | None, ...]]) -> bool:
        """Whether both hands are full, so that the players arrange their numbers (C8)."""
        return self.full(hands[0]) and self.full(hands[1])

    def facing_full_hand(self, table: Table | Sight) -> bool:
        """Whether the player on turn draws against a full hand."""
        mover = table.to_move
        return self.full(table.hands[mover.other]) and not self.full(table.hands[mover])

    def must_keep(self, table: Table | Sight) -> bool:
        """Whether giving is illegal: the discards of C3 are used up, or the deck ran out twice (C4)."""
        most = self.facing_full.most
        spent = table.run_outs >= 2 or (most is not None and table.thrown >= most)
        return spent and self.facing_full_hand(table)

    def _settle(self, state: Table, to: Seat) -> Table:
        """Move the drawn card to a hand, or to the discards if that hand is full."""
        assert state.drawn is not None
        mover, discarded = state.to_move, self.full(state.hands[to])
        hands = state.hands if discarded else put(state.hands, to, (*state.hands[to], state.drawn))
        # C2: a full hand is skipped.
        skipped = self.full_turn is FullTurn.SKIP and self.full(hands[mover.other])
        settled = Table(
            deck=state.deck,
            starter=state.starter,
            to_move=mover if skipped or self.revealing(hands) else mover.other,
            hands=hands,
            discards=merge(state.discards, (state.drawn,)) if discarded else state.discards,
            wins=state.wins,
            run_outs=state.run_outs,
            thrown=state.thrown + (discarded and to is not mover),
            memory=(*state.memory, Turn(mover, state.drawn, To.DISCARDS if discarded else HAND[to])),
        )
        return settled if self.revealing(hands) else _refilled(settled, self)

    def _reveal(self, state: Table) -> Table:
        """End the round once both numbers are arranged."""
        first, second = state.numbers
        if first is None or second is None:
            return state
        reveal = Reveal((first, second))
        cleared = Table(
            deck=state.deck,
            starter=state.starter,
            to_move=state.starter,
            discards=merge(state.discards, (*first, *second)),
            wins=state.wins,
            memory=(*state.memory, reveal),
        )
        if reveal.winner is None:
            return _refilled(cleared, self)  # C5: same starter, the deck as it stands
        wins = put(state.wins, reveal.winner, state.wins[reveal.winner] + 1)
        starter = self.next_starter.after(state.starter, reveal.winner)
        after = replace(cleared, wins=wins, starter=starter, to_move=starter)
        if self.deck is Decks.FRESH:
            return replace(after, deck=self.pool, discards=())
        return _refilled(after, self)


def _refilled(state: Table, game: Cards) -> Table:
    """The table with the discards reshuffled into the deck, if a draw is due and the deck is empty."""
    if state.deck:
        return state
    hunted = any(game.full(hand) for hand in state.hands)
    return replace(state, deck=state.discards, discards=(), run_outs=state.run_outs + hunted)
