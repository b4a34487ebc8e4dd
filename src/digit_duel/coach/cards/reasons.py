"""Reasons for cards, in odds and numbers, from one seat's sight."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from digit_duel.coach.cards.claims import (
    BetterChoice,
    CardsCase,
    Drawn,
    Fills,
    Forced,
    FreeChoice,
    HighestOrder,
    HoldsAtMost,
    Lower,
    Makes,
    ReachesAtLeast,
    WinsShare,
    number,
    reaches,
)
from digit_duel.coach.cases import Case
from digit_duel.coach.claims import AnyClaim, LikedMost
from digit_duel.coach.decision import liked_most
from digit_duel.coach.reason import Reason, first_true
from digit_duel.coach.speech import Speech, chances, sentence
from digit_duel.core.variant import Variant
from digit_duel.games._cards import Cards
from digit_duel.games._cards_table import Arrange, Deal, Give, Keep, Sight, Table
from digit_duel.solve.cards.knowledge import known_hand, unseen_digits
from digit_duel.solve.cards.odds import Odds, quick_odds

_DOING = {"keep": "keeping", "give": "giving", "throw": "throwing"}


class CardsReasons:
    """Explains one decision to the seat that made it, or has to."""

    def __init__(
        self, variant: Variant[Table, Deal, Sight], view: Sight, legal: Sequence[Deal], speech: Speech
    ) -> None:
        self.variant, self.view, self.legal, self.speech = variant, view, tuple(legal), speech
        self.game = variant.game_as(Cards)
        self.case: CardsCase = Case(self.game, view)
        self.seat, self.other = view.seat, view.seat.other

    def named(self, move: Deal) -> str:
        """The move in words, as an order."""
        match move:
            case Keep():
                return f"keep the {self.view.drawn}"
            case Give() if self.game.full(self.view.hands[self.other]):
                return f"throw the {self.view.drawn} away"
            case Give():
                return f"give the {self.view.drawn} away"
        return self.game.text(move)[1:]

    def chosen(self) -> Deal:
        """The move to recommend."""
        found = quick_odds(self.game, self.view)
        if found is not None and len(self.legal) > 1:
            return next(move for move in self.legal if isinstance(move, Keep) is found.keeps)
        return liked_most(self.variant, self.view, self.seat, self.legal)

    def explain(self, move: Deal) -> Reason:
        """Why a move is good, or what it gives away."""
        return first_true(self.case, self._offered(move))

    def _offered(self, move: Deal) -> Iterator[Reason]:
        if isinstance(move, Arrange):
            yield from self._laid_out(move)
        elif len(self.legal) == 1:
            yield Reason(
                sentence(f"{self.named(move)}: cards can no longer be thrown away."),
                (*self._drawn, Forced(())),
            )
        elif (found := quick_odds(self.game, self.view)) is not None:
            yield from self._by_odds(isinstance(move, Keep), sentence(self.named(move)), found)
        yield from self._by_tips(move)

    def _laid_out(self, move: Arrange) -> Iterator[Reason]:
        best = tuple(sorted(move.digits, reverse=True))
        yield Reason(
            f"{number(best)} is the highest number of these digits.", (HighestOrder((), move.digits),)
        )
        yield Reason(
            f"{self.named(move)} is too low: the same digits make {number(best)}.",
            (Lower((), move.digits), HighestOrder((), best)),
        )

    def _by_odds(self, keeping: bool, name: str, found: Odds) -> Iterator[Reason]:
        assert found.give is not None
        this, that = found.of(keeping), found.of(not keeping)
        claims = (*self._drawn, WinsShare((), True, found.keep), WinsShare((), False, found.give))
        about = "" if found.exact else "about "
        mine, other = chances(this, that)
        chance = f"{self.speech.whose(self.seat)} chance"
        if this == that:
            certain = {0: "lost", 1: "won"}
            told = f"{chance} is {about}{mine}"
            if this in certain:
                told = f"against best play this round is {certain[int(this)]}"
            yield Reason(f"{name}: {told} either way.", claims)
        elif this < that:
            doing = " ".join(_DOING.get(word, word) for word in name.lower().split(" "))
            change = f"from {about}{other} to {mine}"
            if mine == other:
                change = f"slightly, from {about}{other}"
            yield Reason(
                f"{sentence(doing)} cuts {chance} {change}.",
                (*claims, BetterChoice((), not keeping, that - this)),
            )
        else:
            better = (*claims, BetterChoice((), keeping, this - that))
            told = f"{chance} is {about}{mine}"
            plain = Reason(f"{name}: {told}, against {other} if {self._otherwise(keeping)}.", better)
            if mine == other:
                plain = Reason(f"{name}: it is slightly better, and {told}.", better)
            yield from (plain + concrete for concrete in self._concrete(keeping))
            yield plain

    @property
    def _drawn(self) -> tuple[AnyClaim, ...]:
        return () if self.view.drawn is None else (Drawn((), self.view.drawn),)

    def _otherwise(self, keeping: bool) -> str:
        """The other choice, as what the seat does."""
        if not keeping:
            return f"{self.speech.does(self.seat, 'keep')} it"
        verb = "throw" if self.game.full(self.view.hands[self.other]) else "give"
        return f"{self.speech.does(self.seat, verb)} it away"

    def _concrete(self, keeping: bool) -> Iterator[Reason]:
        """Where the better choice leads, in numbers, when a hand is full or would be."""
        view, me = self.view, self.speech.who(self.seat)
        if keeping:
            return
        mine = reaches(self.game, view, self.seat, False)
        least = ReachesAtLeast((), self.seat, False, mine)
        if self.game.full(view.hands[self.other]):
            yield Reason(
                f"The discards come back once, so {me} can still make at least {mine}.",
                (FreeChoice(()), least),
            )
            return
        drawn = () if view.drawn is None else (view.drawn,)
        hidden = view.hands[self.other].count(None)
        most = number((*known_hand(view, self.other), *drawn, *unseen_digits(self.game, view)[:hidden]))
        yield Reason(
            sentence(
                f"{self.speech.whose(self.other)} hand is then full with at most {most}, and {me} can pick"
                f" from all cards left: at least {mine}."
            ),
            (FreeChoice(()), Fills((), False), least, HoldsAtMost((), False, most)),
        )
        own, reached = (
            number((*known_hand(view, self.seat), *drawn)),
            reaches(self.game, view, self.other, True),
        )
        yield Reason(
            sentence(
                f"keeping it would fill {self.speech.whose(self.seat)} hand with {own}, and"
                f" {self.speech.who(self.other)} could pick from all cards left: at least {reached}."
            ),
            (FreeChoice(()), Fills((), True), Makes((), own), ReachesAtLeast((), self.other, True, reached)),
        )

    def _by_tips(self, move: Deal) -> Iterator[Reason]:
        unknown = "Exact odds are not known for these rules"
        yield Reason(
            f"The rulebook's tips say: {self.named(move)}. {unknown}.",
            (*self._drawn, LikedMost((), self.seat, move, self.legal, self.variant.tips)),
        )
        liked = liked_most(self.variant, self.view, self.seat, self.legal)
        yield Reason(
            f"The rulebook's tips would rather {self.named(liked)}. {unknown}.",
            (*self._drawn, LikedMost((), self.seat, liked, self.legal, self.variant.tips)),
        )
