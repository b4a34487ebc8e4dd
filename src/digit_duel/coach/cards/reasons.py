"""Explanations of moves in cards, in odds and numbers, from one seat's view."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from digit_duel.coach.cards.claims import (
    BetterChoice,
    BothDraw,
    CardsAlone,
    CardsCase,
    ChoicesTell,
    Drawn,
    Fills,
    Forced,
    FreeChoice,
    Higher,
    HighestOrder,
    HoldsAtMost,
    Lower,
    Makes,
    PerfectionHolds,
    ReachesAtLeast,
    SureAgainst,
    Ties,
    Unexpected,
    WinsAgainstPerfection,
    WinsShare,
    cards_alone,
    choices_tell,
    higher_cards,
    highest_number,
    reaches,
    ties,
)
from digit_duel.coach.cases import Case
from digit_duel.coach.claims import AnyClaim, LikedMost
from digit_duel.coach.decision import liked_most
from digit_duel.coach.reason import Reason, first_true
from digit_duel.coach.speech import Speech, chances, listed, sentence, whole_percent
from digit_duel.core.variant import Variant
from digit_duel.games._cards import Cards
from digit_duel.games._cards_table import Arrange, CardsMove, Give, Keep, Sight, Table
from digit_duel.games._digits import a_digit
from digit_duel.solve.cards.knowledge import known_hand, unseen_digits
from digit_duel.solve.cards.odds import ChoiceOdds, Odds, perfect_hand, quick_odds
from digit_duel.solve.cards.player_model import PlayerModel
from digit_duel.solve.cards.rounds import can_be_solved

_CERTAIN = ("0%", "100%")
_MOSTLY = 0.5  # hands are counted for the player only if the result is certain against this share of them


class CardsReasons:
    """Explains one decision to the seat that made it or has to make it."""

    def __init__(
        self,
        variant: Variant[Table, CardsMove, Sight],
        view: Sight,
        legal: Sequence[CardsMove],
        speech: Speech,
        player: PlayerModel,
    ) -> None:
        self.variant, self.view, self.legal, self.speech = variant, view, tuple(legal), speech
        self.player = player
        self.game = variant.game_as(Cards)
        self.case: CardsCase = Case(self.game, view)
        self.seat, self.other = view.seat, view.seat.other

    def named(self, move: CardsMove) -> str:
        """The move in words, as an instruction."""
        match move:
            case Keep() | Give() if self._throws(move):
                return f"throw the {self.view.drawn} away"
            case Keep():
                return f"keep the {self.view.drawn}"
            case Give():
                return f"give the {self.view.drawn} away"
        return self.game.text(move)[1:]

    def _throws(self, move: CardsMove) -> bool:
        """Whether the card is for a full hand, which throws it away."""
        return self.game.full(self.view.hands[self.seat if isinstance(move, Keep) else self.other])

    def chosen(self) -> CardsMove:
        """The move to recommend."""
        found = quick_odds(self.game, self.view, self.player)
        if found is not None and len(self.legal) > 1:
            return next(move for move in self.legal if isinstance(move, Keep) is found.keeps)
        return liked_most(self.variant, self.view, self.seat, self.legal)

    def explain(self, move: CardsMove) -> Reason:
        """Explain why a move is good, or what it loses."""
        return first_true(self.case, self._offered(move))

    def _offered(self, move: CardsMove) -> Iterator[Reason]:
        if isinstance(move, Arrange):
            yield from self._laid_out(move)
        elif len(self.legal) == 1:
            why = "cards can no longer be thrown away"
            if self.game.facing_full.most == 0:
                why = f"with {self.speech.whose(self.other)} hand full, every card must be kept"
            yield Reason(sentence(f"{self.named(move)}: {why}."), (*self._drawn, Forced(())))
        elif (found := quick_odds(self.game, self.view, self.player)) is not None:
            yield from self._by_odds(isinstance(move, Keep), found)
        yield from self._by_tips(move)

    def _laid_out(self, move: Arrange) -> Iterator[Reason]:
        best = tuple(sorted(move.digits, reverse=True))
        yield Reason(
            f"{highest_number(best)} is the highest number of these digits.", (HighestOrder((), move.digits),)
        )
        yield Reason(
            f"{self.named(move)} is too low: the same digits make {highest_number(best)}.",
            (Lower((), move.digits), HighestOrder((), best)),
        )

    def explain_fully(self, move: CardsMove) -> Reason:
        """Explain a move, and add its odds if the other player never errs."""
        found = quick_odds(self.game, self.view, self.player)
        if found is None or found.give is None or found.ignores_cap:
            return self.explain(move)  # what a perfect player does by these rules is not known
        if {found.keep.chance, found.give.chance} <= {0, 1}:
            return self.explain(move)  # the result is certain, whoever errs
        return self.explain(move) + first_true(self.case, self._if_perfect(isinstance(move, Keep), found))

    def _by_odds(self, keeping: bool, found: Odds) -> Iterator[Reason]:
        """How often the choice wins, compared with the other one."""
        plain, because = self._by_chances(keeping, found), self._by_choices(keeping, found)
        if (tie := ties(self.game, self.view)) is not None:
            equal = f"{self._doing(True)} makes both hands {tie}, and the round is replayed."
            plain = Reason(sentence(equal), (*self._drawn, Ties((), tie))) + plain
        counted = list(self._by_hands(keeping, found))
        differ = found.cost(not found.keeps) > 0
        better = keeping is found.keeps and differ
        concrete = list(self._concrete(keeping)) if better else []
        plans = list(self._plans(found.keeps)) if differ else []
        settled = {found.of(one).chance for one in (True, False)} == {0, 1}
        for reason in counted:
            told = reason if settled else reason + (plain if because is None else because + plain)
            yield from (told + one for one in concrete)
            yield from (one + told if better else told + one for one in plans)
            yield told
        yield from (plain + one for one in concrete)
        yield from (one + plain if better else plain + one for one in plans)
        yield plain

    def _plans(self, keeping: bool) -> Iterator[Reason]:
        """What the better choice is good for, in general."""
        if not keeping:
            first = f"{self.speech.whose(self.other)} hand should be full before {self.speech.own(self.seat)}"
            waits = (
                f"then only {self.speech.does(self.seat, 'draw')} and can throw away all but the best cards"
            )
            yield Reason(sentence(f"{first}: {waits}."), (BothDraw((), False), FreeChoice(())))
        higher, unseen = higher_cards(self.game, self.view)
        verb = "is" if higher <= 1 else "are"
        cards = f"of the {unseen} cards {self.speech.who(self.seat)} cannot see {verb} higher"
        if keeping and 2 * higher <= unseen:
            count = f"only {higher}" if higher else "none"
            yield Reason(sentence(f"{count} {cards}."), (*self._drawn, Higher((), higher, unseen)))
        elif not keeping and 2 * higher >= unseen:
            yield Reason(f"{higher} {cards}.", (*self._drawn, Higher((), higher, unseen)))

    def _by_hands(self, keeping: bool, found: Odds) -> Iterator[Reason]:
        """How many hands each choice surely beats or loses to, if the cards settle nearly everything."""
        this, that = found.of(keeping), found.of(not keeping)
        if (
            not found.hands
            or not found.hidden
            or any(choice.wins + choice.loses < _MOSTLY * found.hands for choice in (this, that))
        ):
            return
        both = ((one, found.of(one)) for one in (True, False))
        claims = tuple(SureAgainst((), one, choice.wins, choice.loses, found.hands) for one, choice in both)
        name = sentence(self._doing(keeping))
        cards = "cards" if found.hidden == 1 else "hands"
        hold = f"{cards} {self.speech.who(self.other)} may hold"
        if (this.wins, this.loses) == (that.wins, that.loses):
            told = self._against(this, found.hands, f"{found.hands} {hold}")
            yield Reason(f"Either choice {told}.", (*self._drawn, *claims))
            return
        first = self._against(this, found.hands, f"{found.hands} {hold}")
        second = self._against(that, found.hands, "them")
        yield Reason(f"{name} {first}; {self._doing(not keeping)} {second}.", (*self._drawn, *claims))

    def _by_choices(self, keeping: bool, found: Odds) -> Reason | None:
        """Why the odds differ from those of the cards alone, if they differ noticeably."""
        told = [one for one in (keeping, not keeping) if found.each and choices_tell(found, one)]
        if not told:
            return None
        return Reason(
            f"But {self.speech.whose(self.other)} choices so far make some of them likelier.",
            tuple(ChoicesTell((), self.player, one) for one in told),
        )

    def _against(self, choice: ChoiceOdds, hands: int, whom: str) -> str:
        """How many hands a choice wins against, in words."""
        if choice.wins == hands:
            return f"wins against all {whom}" if whom[0].isdigit() else "wins against all of them"
        if choice.loses == hands:
            loses = f"loses to all {whom}" if whom[0].isdigit() else "loses to all of them"
            # An opponent who draws on badly can still lose what best play would win.
            return f"{loses}, unless {self.speech.does(self.other, 'err')}" if choice.chance else loses
        some = f"the {whom}" if whom[0].isdigit() else whom
        if choice.wins:
            return f"wins against {choice.wins} of {some}"
        return f"wins against none of {some}, and loses to {choice.loses}"

    def _by_chances(self, keeping: bool, found: Odds) -> Reason:
        """How often the choices win against this opponent."""
        this, that = found.of(keeping).chance, found.of(not keeping).chance
        claims = (
            *self._drawn,
            WinsShare((), self.player, keeping, this),
            WinsShare((), self.player, not keeping, that),
        )
        if this == that and this in (0, 1):
            return Reason(f"The round is {'won' if this else 'lost'} either way.", claims)
        if {this, that} == {0, 1}:
            better = BetterChoice((), self.player, keeping is (this > that), 1.0)
            one, two = ("wins", "loses") if this else ("loses", "wins")
            told = f"{self._doing(keeping)} {one} the round for certain, {self._doing(not keeping)} {two} it."
            return Reason(sentence(told), (*claims, better))
        mine, other = chances(this, that)
        if this == that:
            share = f"{_about(whole_percent(this), found)} of cases"
            return Reason(sentence(f"{self._if()}, both choices win the round in {share}."), claims)
        more = this > that
        better = BetterChoice((), self.player, keeping is more, found.cost(keeping is not more))
        if mine == other:
            slightly = "slightly more" if more else "slightly less"
            than = f"{slightly} often than {self._doing(not keeping)}"
            told = f"{self._doing(keeping)} wins the round {than}: in {_about(mine, found)} of cases"
        else:
            told = self._compared(keeping, _about(mine, found), other)
        return Reason(sentence(f"{self._if()}, {told}."), (*claims, better))

    def _if(self) -> str:
        """Which opponent the odds are for."""
        if self.player.level:
            return f"against the computer's level {self.player.level}"
        return f"if {self.speech.does(self.other, 'err')} on {self.player.how_often}"

    def _if_perfect(self, keeping: bool, found: Odds) -> Iterator[Reason]:
        """How often the choices win if the other player never errs."""
        who = self.speech.who(self.other)
        never = "A perfect player would never have reached this position"
        if cards_alone(found):
            yield Reason(
                f"{never}, so these odds count the cards alone.",
                (Unexpected(()), CardsAlone((), self.player)),
            )
        yield Reason(f"{never}.", (Unexpected(()),))
        this, that = found.of(keeping).perfect, found.of(not keeping).perfect
        claims = WinsAgainstPerfection((), keeping, this), WinsAgainstPerfection((), not keeping, that)
        hand = perfect_hand(self.game, self.view)
        holds = f"If {who} never errs, "
        more: tuple[AnyClaim, ...] = ()
        if hand:
            cards = listed([a_digit(digit) for digit in hand])
            holds, more = f"If {who} never errs, {who} holds {cards}, and ", (PerfectionHolds((), hand),)
        if this == that and this in (0, 1):
            told = f"the round is {'won' if this else 'lost'} either way"
        elif this == that:
            told = f"both choices win the round in {_about(whole_percent(this), found)} of cases"
        else:
            mine, other = chances(this, that)
            told = self._compared(keeping, _about(mine, found), other)
        yield Reason(f"{holds}{told}.", (*claims, *more))

    def _compared(self, keeping: bool, mine: str, other: str) -> str:
        """How often a choice wins, and how often the other one, kept apart from the digit of the card."""
        return (
            f"{self._doing(keeping)} wins the round in {mine} of cases, {self._doing(not keeping)} in {other}"
        )

    def _doing(self, keeping: bool) -> str:
        """A choice as the subject of a sentence."""
        if keeping:
            return f"keeping the {self.view.drawn}"
        return "throwing it away" if self.game.full(self.view.hands[self.other]) else "giving it away"

    @property
    def _drawn(self) -> tuple[AnyClaim, ...]:
        return () if self.view.drawn is None else (Drawn((), self.view.drawn),)

    def _concrete(self, keeping: bool) -> Iterator[Reason]:
        """The numbers that the better choice leads to, if a hand is full or would become full."""
        view, me = self.view, self.speech.who(self.seat)
        if keeping:
            return
        mine = reaches(self.game, view, self.seat, False)
        least = ReachesAtLeast((), self.seat, False, mine)
        if self.game.full(view.hands[self.other]):
            yield Reason(
                f"The discards return to the deck once, so {me} can still make at least {mine}.",
                (FreeChoice(()), least),
            )
            return
        drawn = () if view.drawn is None else (view.drawn,)
        hidden = view.hands[self.other].count(None)
        most = highest_number(
            (*known_hand(view, self.other), *drawn, *unseen_digits(self.game, view)[:hidden])
        )
        at_most, at_least = (most, mine) if not hidden else (f"at most {most}", f"at least {mine}")
        yield Reason(
            sentence(
                f"{self.speech.whose(self.other)} hand is then full with {at_most}, and {me} can pick"
                f" from all cards left: {at_least}."
            ),
            (FreeChoice(()), Fills((), False), least, HoldsAtMost((), False, most)),
        )
        own, reached = (
            highest_number((*known_hand(view, self.seat), *drawn)),
            reaches(self.game, view, self.other, True),
        )
        theirs = reached if not hidden else f"at least {reached}"
        yield Reason(
            sentence(
                f"keeping it would fill {self.speech.whose(self.seat)} hand with {own}, and"
                f" {self.speech.who(self.other)} could pick from all cards left: {theirs}."
            ),
            (FreeChoice(()), Fills((), True), Makes((), own), ReachesAtLeast((), self.other, True, reached)),
        )

    def _by_tips(self, move: CardsMove) -> Iterator[Reason]:
        unknown = "The odds are not known for these rules"
        if can_be_solved(self.game):
            unknown = "The odds for these rules take too long to work out here"
        liked = liked_most(self.variant, self.view, self.seat, self.legal)
        source = "The rulebook's tips say" if self._in_rulebook(liked) else "A rule of thumb says"
        yield Reason(
            f"{source}: {self.named(move)}. {unknown}.",
            (*self._drawn, LikedMost((), self.seat, move, self.legal, self.variant.tips)),
        )
        yield Reason(
            f"{source} instead: {self.named(liked)}. {unknown}.",
            (*self._drawn, LikedMost((), self.seat, liked, self.legal, self.variant.tips)),
        )

    def _in_rulebook(self, tip: CardsMove) -> bool:
        """Whether the rulebook gives this tip: it tells to keep 7 to 9, and to give 0 to 2 away."""
        digit = self.view.drawn
        if digit is None or self._throws(tip):
            return False
        return digit >= 7 if isinstance(tip, Keep) else digit <= 2


def _about(share: str, found: Odds) -> str:
    """A probability in words, marked if its solution is not for exactly these cards and rules."""
    if found.exact or share in _CERTAIN:
        return share
    return f"about {share.removeprefix('over ').removeprefix('under ')}"
