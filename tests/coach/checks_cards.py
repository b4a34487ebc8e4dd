"""A second opinion on claims about cards: every hand that the other could hold is tried."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import permutations, product
from math import comb, prod
from typing import Any

from digit_duel.coach.cards import claims
from digit_duel.core.game import Seat
from digit_duel.games._cards_table import To, this_round
from digit_duel.solve.cards.odds import odds as solved_odds
from digit_duel.solve.cards.player_model import NEVER_ERRS


def seen_deck(view: Any) -> Counter[int]:
    """The deck on the second way through, every card of which a hunter has seen go by; empty before.

    The round must have begun with a fresh deck.
    """
    deck: Counter[int] = Counter()
    if view.run_outs:
        first, thrown = view.thrown - len(view.discards), 0
        deck.subtract([view.drawn])
        for event in this_round(view.memory):
            if event.digit is None:
                continue  # kept by the other player, before their hand was full
            if event.to is To.DISCARDS:
                deck[event.digit] += 1 if thrown < first else -1
                thrown += 1
            elif thrown >= first:
                deck[event.digit] -= 1
    return deck


def hidden_hands(game: Any, view: Any) -> Iterator[tuple[tuple[int, ...], list[int]]]:
    """The face-down cards of the other hand in every way, each with the cards that are in no hand then."""
    located = [digit for hand in view.hands for digit in hand if digit is not None]
    located += [*view.discards, *([] if view.drawn is None else [view.drawn])]
    left = list(game.pool)
    for digit in located:
        left.remove(digit)
    count = list(view.hands[view.seat.other]).count(None)
    unseen = Counter(left) - seen_deck(view)  # after a run-out the other hand alone
    for cards in set(_choices(tuple(unseen.elements()), count)):
        rest = list(left)
        for digit in cards:
            rest.remove(digit)
        yield cards, rest + list(view.discards)


def _choices(cards: tuple[int, ...], count: int) -> Iterator[tuple[int, ...]]:
    kinds = Counter(cards)
    for chosen in product(sorted(kinds), repeat=count):
        if list(chosen) == sorted(chosen) and not Counter(chosen) - kinds:
            yield chosen


def _number(digits: Sequence[int]) -> str:
    return "".join(str(digit) for digit in sorted(digits, reverse=True))


def _reaches(game: Any, view: Any, claim: claims.ReachesAtLeast) -> bool:
    me, to = view.seat, view.seat if claim.keeping else view.seat.other
    joins = len(view.hands[to]) < game.hand_size  # a full hand lets the card go to the discards
    found = []
    for cards, rest in hidden_hands(game, view):
        hands = {seat: [digit for digit in view.hands[seat] if digit is not None] for seat in Seat}
        hands[me.other] += cards
        (hands[to] if joins else rest).append(view.drawn)
        missing = game.hand_size - len(hands[claim.seat])
        found.append(_number([*hands[claim.seat], *sorted(rest, reverse=True)[:missing]]))
    return min(found) == claim.number


def _holds_at_most(game: Any, view: Any, claim: claims.HoldsAtMost) -> bool:
    other = view.seat.other
    known = [digit for digit in view.hands[other] if digit is not None]
    known += [] if claim.keeping else [view.drawn]
    hands = [[*known, *cards] for cards, _ in hidden_hands(game, view)]
    return {len(hand) for hand in hands} == {game.hand_size} and max(map(_number, hands)) == claim.number


def _fates(game: Any, view: Any, keeping: bool) -> tuple[int, int, int] | None:
    """Against how many hands a choice wins and loses, of how many; None if more is to be decided by both."""
    me, other = view.seat, view.seat.other
    wins = loses = hands = 0
    located = [digit for hand in view.hands for digit in hand if digit is not None]
    copies = Counter(game.pool) - Counter([*located, *view.discards, view.drawn])
    for cards, rest in hidden_hands(game, view):
        held = {seat: [digit for digit in view.hands[seat] if digit is not None] for seat in Seat}
        held[other] += cards
        to = me if keeping else other
        (held[to] if len(held[to]) < game.hand_size else rest).append(view.drawn)
        short = [seat for seat in Seat if len(held[seat]) < game.hand_size]
        if len(short) == 2 or (short and game.facing_full.most is not None):
            return None
        if short and view.run_outs:
            return None  # not the best cards that are in no hand, but those that still come
        for seat in short:  # this one takes the best cards that are in no hand (C4)
            held[seat] += sorted(rest, reverse=True)[: game.hand_size - len(held[seat])]
        ways = prod(comb(copies[digit], cards.count(digit)) for digit in set(cards))
        hands += ways
        wins += ways * (_number(held[me]) > _number(held[other]))
        loses += ways * (_number(held[me]) < _number(held[other]))
    return wins, loses, hands


def _sure_against(game: Any, view: Any, claim: claims.SureAgainst) -> bool:
    told = claim.wins, claim.loses, claim.hands
    found = _fates(game, view, claim.keeping)
    return found == told if found is not None else claim.wins + claim.loses <= claim.hands


def _wins_share(game: Any, view: Any, claim: claims.WinsShare) -> bool:
    found = solved_odds(game, view, claim.player).of(claim.keeping).chance
    if found in (0, 1):
        fates = _fates(game, view, claim.keeping)
        if fates is not None and fates[0 if found else 1] != fates[2]:
            return False
    return abs(found - claim.share) < 1e-9


def _choices_tell(game: Any, view: Any, claim: claims.ChoicesTell) -> bool:
    """The share by the cards alone, counted here, is another one than the share that is told."""
    told = solved_odds(game, view, claim.player).of(claim.keeping).chance
    fates = _fates(game, view, claim.keeping)
    if fates is None:
        return 0 < told < 1
    wins, loses, hands = fates
    return told < wins / hands - 0.05 or told > 1 - loses / hands + 0.05


def _cards_alone(game: Any, view: Any, claim: claims.CardsAlone) -> bool:
    """The weight of every hand is proportional to the ways to deal it, counted here."""
    located = [digit for hand in view.hands for digit in hand if digit is not None]
    copies = Counter(game.pool) - Counter([*located, *view.discards, view.drawn])
    weights = {hand.hidden: hand.weight for hand in solved_odds(game, view, claim.player).each}
    ratios = [
        weights[cards] / prod(comb(copies[digit], cards.count(digit)) for digit in set(cards))
        for cards, _ in hidden_hands(game, view)
        if cards in weights
    ]
    return max(ratios) - min(ratios) < 1e-6 * max(ratios)


def _better_choice(game: Any, view: Any, claim: claims.BetterChoice) -> bool:
    found = solved_odds(game, view, claim.player)
    this, other = found.of(claim.keeping).chance, found.of(not claim.keeping).chance
    return abs(this - other - claim.by) < 1e-9 and claim.by > 0


def _against_perfection(game: Any, view: Any, claim: claims.WinsAgainstPerfection) -> bool:
    found = solved_odds(game, view)
    return not found.unexpected and abs(found.of(claim.keeping).perfect - claim.share) < 1e-9


def _perfection_holds(game: Any, view: Any, claim: claims.PerfectionHolds) -> bool:
    likely = [hand.hidden for hand in solved_odds(game, view, NEVER_ERRS).each if hand.weight]
    return likely == [claim.hidden]


def _unexpected(game: Any, view: Any, claim: claims.Unexpected) -> bool:
    return solved_odds(game, view).unexpected


def _drawn(game: Any, view: Any, claim: claims.Drawn) -> bool:
    return (view.drawn, view.to_move) == (claim.digit, view.seat)


def _forced(game: Any, view: Any, claim: claims.Forced) -> bool:
    spent = game.facing_full.most is not None and view.thrown >= game.facing_full.most
    facing = len(view.hands[view.seat.other]) == game.hand_size > len(view.hands[view.seat])
    return bool(facing and (spent or view.run_outs >= 2))


def _fills(game: Any, view: Any, claim: claims.Fills) -> bool:
    to = view.seat if claim.keeping else view.seat.other
    return bool(len(view.hands[to]) + 1 == game.hand_size > len(view.hands[to.other]))


def _free_choice(game: Any, view: Any, claim: claims.FreeChoice) -> bool:
    return bool(game.facing_full.most is None and not view.run_outs)


def _both_draw(game: Any, view: Any, claim: claims.BothDraw) -> bool:
    mine, theirs = len(view.hands[view.seat]), len(view.hands[view.seat.other])
    after = (mine + 1, theirs) if claim.keeping else (mine, theirs + 1)
    return bool(max(after) < game.hand_size)


def _higher(game: Any, view: Any, claim: claims.Higher) -> bool:
    cards, rest = next(hidden_hands(game, view))
    unseen = Counter([*cards, *rest]) - Counter(view.discards)
    higher = sum(count for digit, count in unseen.items() if digit > view.drawn)
    return (claim.higher, claim.unseen) == (higher, unseen.total())


def _makes(game: Any, view: Any, claim: claims.Makes) -> bool:
    hand = [*view.hands[view.seat], view.drawn]
    return len(hand) == game.hand_size and _number(hand) == claim.number


def _highest_order(game: Any, view: Any, claim: claims.HighestOrder) -> bool:
    return claim.digits == max(permutations(view.hands[view.seat]))


def _lower(game: Any, view: Any, claim: claims.Lower) -> bool:
    orders = set(permutations(view.hands[view.seat]))
    return claim.digits in orders and claim.digits < max(orders)


def _ties(game: Any, view: Any, claim: claims.Ties) -> bool:
    """Both hands are full and seen then, and no order of the one makes more than the other."""
    hands = [(*view.hands[view.seat], view.drawn), view.hands[view.seat.other]]
    if None in hands[1] or {len(hand) for hand in hands} != {game.hand_size}:
        return False
    return [max(permutations(hand)) for hand in hands] == [tuple(map(int, claim.number))] * 2


CHECKS: dict[type, Callable[[Any, Any, Any], bool]] = {
    claims.ReachesAtLeast: _reaches,
    claims.HoldsAtMost: _holds_at_most,
    claims.WinsShare: _wins_share,
    claims.BetterChoice: _better_choice,
    claims.CardsAlone: _cards_alone,
    claims.ChoicesTell: _choices_tell,
    claims.SureAgainst: _sure_against,
    claims.Ties: _ties,
    claims.WinsAgainstPerfection: _against_perfection,
    claims.PerfectionHolds: _perfection_holds,
    claims.Unexpected: _unexpected,
    claims.Drawn: _drawn,
    claims.Forced: _forced,
    claims.Fills: _fills,
    claims.FreeChoice: _free_choice,
    claims.BothDraw: _both_draw,
    claims.Higher: _higher,
    claims.Makes: _makes,
    claims.HighestOrder: _highest_order,
    claims.Lower: _lower,
}
