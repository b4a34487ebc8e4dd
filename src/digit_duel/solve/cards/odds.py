"""The odds of a round of cards: how often keeping and giving win, from one seat's view.

There are three kinds of odds. By the cards: against how many of the hands that the other player may hold a
choice surely wins or surely loses. Against a player: with each hand weighted by the probability that this
player would have made the choices seen so far. If they never err: against the solution of the round.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import comb, prod
from typing import TYPE_CHECKING

from digit_duel.games._cards import Cards, Visibility
from digit_duel.games._cards_table import Sight
from digit_duel.games._digits import Digits
from digit_duel.solve.cards.knowledge import (
    GIVEN,
    KEPT,
    Counts,
    face_down,
    hunt_seen,
    round_knowledge,
    shown_draws,
    unseen_cards,
)
from digit_duel.solve.cards.player_model import NEVER_ERRS, PERSON, PlayerModel
from digit_duel.solve.cards.rounds import OddsSource, is_quick, odds_source, open_odds_source, round_of
from digit_duel.solve.errors import Unsolved

if TYPE_CHECKING:  # NumPy is loaded only when it is needed
    from digit_duel.solve.keep_or_give import Fate, HandOdds, Round, SolvedRound
    from digit_duel.solve.keep_or_give.other_rules.open_against import OpenRound

_ROUNDING = 1e-12
_SURPRISE = 1e-6  # probabilities keep this distance from 0 and 1, which are shown as certain
Bounds = tuple[float, float]  # on a probability; equal if it is known exactly


@dataclass(frozen=True, slots=True)
class ChoiceOdds:
    """How often one choice wins, if best play follows it."""

    chance: float  # against the given player; 0 and 1 mean certain, whatever the other hand is
    perfect: float  # if the other player never errs
    wins: int = 0  # the number of possible other hands that it surely beats
    loses: int = 0  # and of those that it surely loses to
    least: float = 0.0  # against the worst possible hand
    most: float = 1.0  # and against the best one


@dataclass(frozen=True, slots=True)
class Odds:
    """The odds of keeping and of giving the card just drawn."""

    keep: ChoiceOdds
    give: ChoiceOdds | None  # None if the rules force the seat to keep
    keeps: bool  # whether keeping is the better choice; if both are equal, what the solution does
    hands: int  # possible hands of the other player, counting copies separately; 0 if unknown
    hidden: int  # cards in each of them that the seat has not seen
    dominated: bool  # the worse choice wins more against no hand, and less against some
    unexpected: bool  # a perfect player would not have reached this position
    certainty: str  # how the odds were found, in words; empty if by a proven solution
    exact: bool  # the solution is for exactly these cards and rules
    each: tuple[HandOdds, ...] = ()  # the odds against each of the hands
    ignores_cap: bool = False  # the solution leaves out the cap on discards, so it is for other rules

    def of(self, keeping: bool) -> ChoiceOdds:
        """One of the choices."""
        found = self.keep if keeping else self.give
        assert found is not None
        return found

    @property
    def best(self) -> float:
        """The winning probability of the better choice."""
        return self.of(self.keeps).chance

    def cost(self, keeping: bool) -> float:
        """How much worse a choice is than the better one."""
        return round(self.best - self.of(keeping).chance, 12)


@lru_cache(maxsize=512)  # checking a sentence's claims asks for the same odds again
def odds(game: Cards, view: Sight, player: PlayerModel = PERSON) -> Odds:
    """The odds of a seat that has drawn a card; slow for non-standard cards. Raises Unsolved."""
    if view.drawn is None or view.to_move is not view.seat:
        raise Unsolved("there is no card to keep or give.")
    if game.visibility is Visibility.OPEN:
        return _open(game, view, player)
    source = odds_source(game, round_of(game, view))
    if game.facing_full_hand(view):
        return _hunting(game, view, player, source)
    from digit_duel.solve.keep_or_give import Observation, against_each_hand, choices

    known = round_knowledge(game, view)
    seen = Observation(known.word, (*known.digits, view.drawn))
    perfect = choices(source.solved, seen)
    hands = against_each_hand(against_player(game, view, player), seen)
    both = perfect.keep, perfect.give
    return _weighed(game, view, source, hands, both, perfect.table_keep >= 0.5, perfect.slips > 0)


def _open(game: Cards, view: Sight, player: PlayerModel) -> Odds:
    """The odds with open hands: nothing is hidden, so only the cards to come are uncertain."""
    source = open_odds_source(game, round_of(game, view))
    if game.facing_full_hand(view):
        return _hunting(game, view, player, source)
    assert view.drawn is not None
    word, digits = shown_draws(game, view)
    round_ = _open_against(game, source.solved.round, player, _place(view))
    both = (round_.worth(word + said, (*digits, view.drawn)) for said in (KEPT, GIVEN))
    keep, give = (_for_certain(chance, perfect) for chance, perfect in both)
    equal = abs(keep.chance - give.chance) <= _ROUNDING
    keeps = keep.perfect >= give.perfect if equal else keep.chance > give.chance
    return Odds(keep, give, keeps, 0, 0, not equal, False, source.certainty, source.exact)


def _for_certain(chance: float, perfect: float) -> ChoiceOdds:
    """The odds of a choice if nothing is hidden; 0 and 1 are kept only for results that are forced."""
    chance, perfect = _tidy(chance), _tidy(perfect)
    if not (perfect == 1 or (perfect == 0 and chance == 0)):
        chance = _uncertain(chance)
    return ChoiceOdds(chance, perfect, least=chance, most=chance)


def _hunting(game: Cards, view: Sight, player: PlayerModel, source: OddsSource) -> Odds:
    """The odds of a seat that faces a full hand."""
    from digit_duel.solve.keep_or_give import belief, hunt_against_each_hand, hunt_choices, hunt_fates

    assert view.drawn is not None
    hunt, cap = hunt_seen(round_knowledge(game, view)), game.facing_full.most or None
    held = None
    if game.visibility is Visibility.OPEN:
        against = _open_against(game, source.solved.round, player, _place(view)).solved
        held = face_down(game, view)
    else:
        against = against_player(game, view, player)
    perfect = hunt_choices(source.solved, hunt, view.drawn, cap, held)
    unexpected = held is None and belief(source.solved, _place(view), hunt.seen)[1] > 0
    hands = None if cap else hunt_against_each_hand(against, hunt, view.drawn, held)
    if hands is not None and perfect.give is not None:
        # Among equally good choices one may be dominated, so the solver decides which one is better.
        both = perfect.keep[0], perfect.give[0]
        return _weighed(game, view, source, hands, both, perfect.best == KEPT, unexpected)
    found, unseen = hunt_choices(against, hunt, view.drawn, cap, held), unseen_cards(game, view)
    known = not unseen.hidden or unseen.deck is not None  # then the odds are exact, 0 and 1 too
    kept, given = hunt_fates(against, hunt, view.drawn, held)
    keep, give = _hunted(found.keep, perfect.keep, known, kept), None
    if found.give is not None and perfect.give is not None:
        give = _hunted(found.give, perfect.give, known, given)
    keeps = give is None or keep.chance > give.chance or (keep.chance == give.chance and found.best == KEPT)
    about = source.certainty, source.exact, (), source.solved.ignores_cap
    return Odds(keep, give, keeps, 0, unseen.hidden, False, unexpected, *about)


def _hunted(bounds: Bounds, perfect: Bounds, known: bool, fate: Fate) -> ChoiceOdds:
    """The odds of a hunter's choice; 0 and 1 only if the other hand is known or does not matter."""
    from digit_duel.solve.keep_or_give import Fate

    if fate is Fate.WON:  # even if the best plan that was found is not sure to win
        return ChoiceOdds(1.0, 1.0, least=1.0)
    chance = bounds[0]
    exact, told = bounds[0] == bounds[1], _tidy if perfect[0] == perfect[1] else _uncertain
    if (known and exact) or (fate is Fate.LOST and chance == 0):
        return ChoiceOdds(_tidy(chance), told(perfect[0]), least=_tidy(chance), most=_tidy(chance))
    return ChoiceOdds(_uncertain(chance), told(perfect[0]))


def _weighed(
    game: Cards,
    view: Sight,
    source: OddsSource,
    hands: Sequence[HandOdds],
    perfect: tuple[float, float],
    keeps_equal: bool,
    unexpected: bool,
) -> Odds:
    """The odds of both choices, from their odds against each hand."""
    unseen = unseen_cards(game, view)
    ways = [_ways(unseen.unseen, hand.hidden) for hand in hands]
    if (
        game.visibility is Visibility.OPEN
        or 0 in ways
        or len(hands) != sum(hand.possible for hand in unseen.hidden_hands())
    ):
        ways = [0] * len(hands)  # after a reshuffle some unseen cards cannot be in the hand
    ignores_cap = source.solved.ignores_cap
    if ignores_cap:
        perfect = _uncertain(perfect[0]), _uncertain(perfect[1])
    keep, give = _choice(hands, ways, True, perfect[0]), _choice(hands, ways, False, perfect[1])
    equal = abs(keep.chance - give.chance) <= _ROUNDING
    keeps = keeps_equal if equal else keep.chance > give.chance
    pairs = ((hand.keep, hand.give) if keeps else (hand.give, hand.keep) for hand in hands)
    dominated = not ignores_cap and not equal and all(better >= worse - _ROUNDING for better, worse in pairs)
    each = tuple(
        replace(hand, keep=_told(hand.keep, hand.kept), give=_told(hand.give, hand.given)) for hand in hands
    )
    about = source.certainty, source.exact, each, ignores_cap
    return Odds(keep, give, keeps, sum(ways), unseen.hidden, dominated, unexpected, *about)


def _choice(hands: Sequence[HandOdds], ways: Sequence[int], keeping: bool, perfect: float) -> ChoiceOdds:
    from digit_duel.solve.keep_or_give import Fate

    wins = [hand.keep if keeping else hand.give for hand in hands]
    fates = [hand.kept if keeping else hand.given for hand in hands]
    chance = sum(hand.weight * win for hand, win in zip(hands, wins, strict=True))
    chance = _uncertain(chance / sum(hand.weight for hand in hands))
    told = [_told(win, fate) for win, fate in zip(wins, fates, strict=True)]
    if set(fates) == {Fate.WON}:
        chance = 1.0
    elif set(fates) == {Fate.LOST} and not any(told):  # an opponent who hunts badly can still lose
        chance = 0.0
    if chance in (0, 1):
        perfect = chance
    counted = list(zip(ways, fates, strict=True))
    won, lost = (sum(way for way, fate in counted if fate is one) for one in (Fate.WON, Fate.LOST))
    return ChoiceOdds(chance, _tidy(perfect), won, lost, min(told), max(told))


def _told(win: float, fate: Fate) -> float:
    """The chance to win against one hand; 0 and 1 only if the result is forced."""
    from digit_duel.solve.keep_or_give import Fate

    if fate is Fate.WON:
        return 1.0
    win = _tidy(win)
    return win if fate is Fate.LOST and not win else _uncertain(win)


def _ways(unseen: Counts, hidden: Digits) -> int:
    """The number of ways to choose these digits from the cards, counting copies separately."""
    return prod(comb(unseen[digit], hidden.count(digit)) for digit in set(hidden))


def against_player(game: Cards, view: Sight, player: PlayerModel) -> SolvedRound:
    """The current round, as the viewer plays it against a player."""
    return _against(game, round_of(game, view), player, _place(view))


def _place(view: Sight) -> int:
    """The viewer's place in the round: 0 if it starts, else 1."""
    return int(view.seat is not view.starter)


@lru_cache(maxsize=8)
def _open_against(game: Cards, round_: Round, player: PlayerModel, seat: int) -> OpenRound:
    from digit_duel.solve.keep_or_give.other_rules.open_against import open_against

    return open_against(open_odds_source(game, round_).solved, player, seat)


@lru_cache(maxsize=16)
def _against(game: Cards, round_: Round, player: PlayerModel, seat: int) -> SolvedRound:
    from digit_duel.solve.keep_or_give import against

    return against(odds_source(game, round_).solved, player, seat)


def quick_odds(game: Cards, view: Sight, player: PlayerModel = PERSON) -> Odds | None:
    """The odds if they are known without a long solve, else None."""
    if not is_quick(game):
        return None
    try:
        return odds(game, view, player)
    except ValueError:
        return None  # no table covers these rules or cards


def perfect_hand(game: Cards, view: Sight) -> Digits | None:
    """The unseen cards that a player who never errs must hold here; None if several are possible."""
    if game.visibility is Visibility.OPEN:
        return None  # every card in a hand is seen
    found = quick_odds(game, view, NEVER_ERRS)
    if found is None or found.unexpected:
        return None
    held = [hand.hidden for hand in found.each if hand.weight > 0]
    return held[0] if len(held) == 1 else None


@lru_cache(maxsize=512)
def standing(game: Cards, view: Sight, player: PlayerModel = PERSON) -> float | None:
    """A seat's chance to win the round, before the next choice; None if it is unknown."""
    if view.drawn is not None and view.to_move is view.seat:
        found = quick_odds(game, view, player)
        return None if found is None else found.best
    known = round_knowledge(game, view)
    hunts = known.hand_is_full and not game.full(view.hands[view.seat])
    if not is_quick(game) or hunts or game.revealing(view.hands):
        return None
    if game.visibility is Visibility.OPEN:
        return _stands_openly(game, view, player)
    if game.facing_full.most:
        return None
    from digit_duel.solve.keep_or_give import SECOND, STARTER, Observation
    from digit_duel.solve.keep_or_give import standing as stands

    seat = STARTER if view.seat is view.starter else SECOND
    try:
        against = against_player(game, view, player)
        return _uncertain(stands(against, seat, Observation(known.word, known.digits)))
    except ValueError:
        return None  # this knowledge cannot occur in a game


def _stands_openly(game: Cards, view: Sight, player: PlayerModel) -> float | None:
    """A seat's chance with open hands, before the next draw; None once a hand is full or a card is drawn."""
    word, digits = shown_draws(game, view)
    if view.drawn is not None or game.full(view.hands[0]) or game.full(view.hands[1]):
        return None
    round_ = _open_against(game, round_of(game, view), player, _place(view))
    return _for_certain(*round_.worth(word, digits)).chance


def _tidy(share: float) -> float:
    """A probability without rounding noise in its last bits."""
    return round(min(max(share, 0.0), 1.0), 12)


def _uncertain(share: float) -> float:
    """A probability kept away from 0 and 1, so that it does not look certain."""
    return round(min(max(share, _SURPRISE), 1 - _SURPRISE), 12)
