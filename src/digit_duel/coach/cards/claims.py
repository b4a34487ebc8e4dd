"""Claims about cards, each checked against one seat's view alone: hidden cards are not available here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from digit_duel.coach.cases import Case
from digit_duel.coach.claims import Claim
from digit_duel.core.game import Seat
from digit_duel.games._cards import Cards, FullTurn
from digit_duel.games._cards_table import CardsMove, Sight, Turn
from digit_duel.games._digits import Digits
from digit_duel.solve.cards.knowledge import known_hand, unseen_digits
from digit_duel.solve.cards.odds import Odds, perfect_hand, quick_odds, standing
from digit_duel.solve.cards.player_model import PlayerModel

CardsCase: TypeAlias = Case[Cards, Sight, CardsMove]
_ROUNDING = 1e-9
_MUCH = 0.1  # a difference between odds that needs an explanation


def highest_number(digits: Sequence[int]) -> str:
    """The highest number that some digits make."""
    return "".join(map(str, sorted(digits, reverse=True)))


@dataclass(frozen=True)
class SureAgainst(Claim[CardsCase]):
    """How many of the hands that the other player may hold a choice is sure to beat, and sure to lose to."""

    keeping: bool
    wins: int
    loses: int
    hands: int

    def holds(self, case: CardsCase) -> bool:
        found = quick_odds(case.game, case.state)
        if found is None or found.give is None or not found.hands:
            return False
        choice = found.of(self.keeping)
        return (choice.wins, choice.loses, found.hands) == (self.wins, self.loses, self.hands)


@dataclass(frozen=True)
class ChoicesTell(Claim[CardsCase]):
    """This player's choices so far make a choice win much more, or less, than the cards alone would."""

    player: PlayerModel
    keeping: bool

    def holds(self, case: CardsCase) -> bool:
        found = quick_odds(case.game, case.state, self.player)
        return found is not None and found.give is not None and choices_tell(found, self.keeping)


def choices_tell(found: Odds, keeping: bool) -> bool:
    """Whether the other player's past choices change the odds noticeably by making some hands likelier."""
    wins = [hand.keep if keeping else hand.give for hand in found.each]
    by_cards, by_choices = (
        sum(one * win for one, win in zip(some, wins, strict=True)) / sum(some)
        for some in ([hand.chance for hand in found.each], [hand.weight for hand in found.each])
    )
    return abs(by_cards - by_choices) >= _MUCH


@dataclass(frozen=True)
class WinsShare(Claim[CardsCase]):
    """Keeping (or giving) wins with this probability against this player."""

    player: PlayerModel
    keeping: bool
    share: float

    def holds(self, case: CardsCase) -> bool:
        found = quick_odds(case.game, case.state, self.player)
        if found is None or (not self.keeping and found.give is None):
            return False
        return found.of(self.keeping).chance == self.share


@dataclass(frozen=True)
class BetterChoice(Claim[CardsCase]):
    """Keeping (or giving) wins more often than the other choice against this player, by this much."""

    player: PlayerModel
    keeping: bool
    by: float

    def holds(self, case: CardsCase) -> bool:
        found = quick_odds(case.game, case.state, self.player)
        if found is None or found.give is None:
            return False
        return found.cost(not self.keeping) == self.by > 0


@dataclass(frozen=True)
class WinsAgainstPerfection(Claim[CardsCase]):
    """Keeping (or giving) wins with this probability if the other player never errs, and has not so far."""

    keeping: bool
    share: float

    def holds(self, case: CardsCase) -> bool:
        found = quick_odds(case.game, case.state)
        if found is None or found.give is None or found.unexpected:
            return False
        return found.of(self.keeping).perfect == self.share


@dataclass(frozen=True)
class PerfectionHolds(Claim[CardsCase]):
    """If the other player never errs, their cards that the asking seat has not seen can only be these."""

    hidden: Digits

    def holds(self, case: CardsCase) -> bool:
        return perfect_hand(case.game, case.state) == self.hidden


@dataclass(frozen=True)
class Unexpected(Claim[CardsCase]):
    """A player who never errs would not have reached this position."""

    def holds(self, case: CardsCase) -> bool:
        found = quick_odds(case.game, case.state)
        return found is not None and found.unexpected


@dataclass(frozen=True)
class CardsAlone(Claim[CardsCase]):
    """This player's choices so far make no hand likelier than the cards alone do."""

    player: PlayerModel

    def holds(self, case: CardsCase) -> bool:
        found = quick_odds(case.game, case.state, self.player)
        return found is not None and cards_alone(found)


def cards_alone(found: Odds) -> bool:
    """Whether every hand of the other player is as likely as by the cards alone."""
    ratios = [hand.weight / hand.chance for hand in found.each]
    return bool(ratios) and max(ratios) - min(ratios) <= _ROUNDING * max(ratios)


@dataclass(frozen=True)
class Drawn(Claim[CardsCase]):
    """This is the card that the asking seat has just drawn."""

    digit: int

    def holds(self, case: CardsCase) -> bool:
        view = case.state
        return view.to_move is view.seat and view.drawn == self.digit


@dataclass(frozen=True)
class Stands(Claim[CardsCase]):
    """Before the next draw the seat wins with this probability against this player."""

    player: PlayerModel
    share: float

    def holds(self, case: CardsCase) -> bool:
        return standing(case.game, case.state, self.player) == self.share


@dataclass(frozen=True)
class Stood(Claim[CardsCase]):
    """Before the last card was kept, given or thrown away, the seat won with this probability."""

    player: PlayerModel
    share: float

    def holds(self, case: CardsCase) -> bool:
        view = case.state
        if not view.memory:
            return False
        return standing(case.game, replace(view, memory=view.memory[:-1]), self.player) == self.share


@dataclass(frozen=True)
class LastTurn(Claim[CardsCase]):
    """This is what happened to the last card, as far as the asking seat saw it."""

    turn: Turn

    def holds(self, case: CardsCase) -> bool:
        return bool(case.state.memory) and case.state.memory[-1] == self.turn


@dataclass(frozen=True)
class Forced(Claim[CardsCase]):
    """The rules leave no choice but to keep."""

    def holds(self, case: CardsCase) -> bool:
        view = case.state
        return view.to_move is view.seat and case.game.must_keep(view)


@dataclass(frozen=True)
class Fills(Claim[CardsCase]):
    """Keeping (or giving) the card fills the hand it goes to, and the other hand is not full yet."""

    keeping: bool

    def holds(self, case: CardsCase) -> bool:
        game, view = case.game, case.state
        to = view.seat if self.keeping else view.seat.other
        return len(view.hands[to]) == game.hand_size - 1 and not game.full(view.hands[to.other])


@dataclass(frozen=True)
class FreeChoice(Claim[CardsCase]):
    """A player facing a full hand may throw cards away, and go through the deck twice if need be (C3, C4)."""

    def holds(self, case: CardsCase) -> bool:
        game = case.game
        return game.facing_full.most is None and case.state.run_outs == 0


@dataclass(frozen=True)
class BothDraw(Claim[CardsCase]):
    """Neither hand is full, and the card does not fill the hand it goes to."""

    keeping: bool

    def holds(self, case: CardsCase) -> bool:
        game, view = case.game, case.state
        to = view.seat if self.keeping else view.seat.other
        after = {to: len(view.hands[to]) + 1, to.other: len(view.hands[to.other])}
        return max(after.values()) < game.hand_size


@dataclass(frozen=True)
class Higher(Claim[CardsCase]):
    """So many of the cards that the asking seat cannot see are higher than the one drawn."""

    higher: int
    unseen: int

    def holds(self, case: CardsCase) -> bool:
        return higher_cards(case.game, case.state) == (self.higher, self.unseen)


def higher_cards(game: Cards, view: Sight) -> tuple[int, int]:
    """How many of the cards that a seat cannot see are higher than the one drawn, and how many there are."""
    unseen = unseen_digits(game, view)
    return sum(view.drawn is not None and digit > view.drawn for digit in unseen), len(unseen)


@dataclass(frozen=True)
class ReachesAtLeast(Claim[CardsCase]):
    """After keeping (or giving), the best cards in no hand make this seat's hand at least this number."""

    seat: Seat
    keeping: bool
    number: str

    def holds(self, case: CardsCase) -> bool:
        return reaches(case.game, case.state, self.seat, self.keeping) == self.number


@dataclass(frozen=True)
class Makes(Claim[CardsCase]):
    """If kept, the card completes the asking seat's hand to this number."""

    number: str

    def holds(self, case: CardsCase) -> bool:
        view = case.state
        hand = (*known_hand(view, view.seat), *(() if view.drawn is None else (view.drawn,)))
        return len(hand) == case.game.hand_size and highest_number(hand) == self.number


@dataclass(frozen=True)
class Ties(Claim[CardsCase]):
    """If kept, the card completes the asking seat's hand to the number that the other hand makes, too."""

    number: str

    def holds(self, case: CardsCase) -> bool:
        return ties(case.game, case.state) == self.number


def ties(game: Cards, view: Sight) -> str | None:
    """The number that both hands make if the card drawn is kept; None if they would differ or may differ."""
    theirs = known_hand(view, view.seat.other)
    mine = known_hand(view, view.seat) + (() if view.drawn is None else (view.drawn,))
    if len(theirs) < game.hand_size or sorted(mine) != sorted(theirs):
        return None
    return highest_number(theirs)


@dataclass(frozen=True)
class HoldsAtMost(Claim[CardsCase]):
    """As far as the asking seat can know, the other hand is at most this number after keeping (or giving)."""

    keeping: bool
    number: str

    def holds(self, case: CardsCase) -> bool:
        view = case.state
        theirs = known_hand(view, view.seat.other) + (
            () if self.keeping or view.drawn is None else (view.drawn,)
        )
        hidden = view.hands[view.seat.other].count(None)
        full = len(theirs) + hidden == case.game.hand_size
        return full and highest_number((*theirs, *unseen_digits(case.game, view)[:hidden])) == self.number


def reaches(game: Cards, view: Sight, seat: Seat, keeping: bool) -> str:
    """The least number that a seat's hand makes when filled with the best cards that are then in no hand."""
    drawn = () if view.drawn is None else (view.drawn,)
    to = view.seat if keeping else view.seat.other
    thrown = drawn if game.full(view.hands[to]) else ()  # and may come back (C3, C4)
    hand = known_hand(view, seat) + (drawn if seat is to and not thrown else ())
    own_hidden, other_hidden = (view.hands[owner].count(None) for owner in (seat, seat.other))
    left = unseen_digits(game, view)
    # At worst a hidden card of the other hand is one of the highest, and one of this hand of the lowest.
    low = left[len(left) - own_hidden :]
    rest = (*left[other_hidden : len(left) - own_hidden], *view.discards, *thrown)
    best = sorted(rest, reverse=True)[: game.hand_size - len(hand) - own_hidden]
    return highest_number((*hand, *low, *best))


@dataclass(frozen=True)
class HighestOrder(Claim[CardsCase]):
    """These digits are the asking seat's hand, in the order that makes the highest number."""

    digits: Digits

    def holds(self, case: CardsCase) -> bool:
        view = case.state
        return self.digits == tuple(sorted(known_hand(view, view.seat), reverse=True))


@dataclass(frozen=True)
class Lower(Claim[CardsCase]):
    """This order of the asking seat's hand makes a lower number than another order."""

    digits: Digits

    def holds(self, case: CardsCase) -> bool:
        best = tuple(sorted(known_hand(case.state, case.state.seat), reverse=True))
        return sorted(self.digits, reverse=True) == list(best) and self.digits < best


@dataclass(frozen=True)
class Watches(Claim[CardsCase]):
    """The asking seat's hand is full and the other one is not: it is skipped from now on (C2)."""

    def holds(self, case: CardsCase) -> bool:
        game, view = case.game, case.state
        waits = game.full(view.hands[view.seat]) and not game.full(view.hands[view.seat.other])
        return waits and game.full_turn is FullTurn.SKIP
