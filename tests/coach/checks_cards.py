"""A second opinion on claims about cards: every hand that the other could hold is tried."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import permutations, product
from typing import Any

from digit_duel.coach.cards import claims
from digit_duel.core.game import Seat
from digit_duel.solve.cards.odds import odds as solved_odds


def hidden_hands(game: Any, view: Any) -> Iterator[tuple[tuple[int, ...], list[int]]]:
    """The face-down cards of the other hand in every way, each with the cards that are in no hand then."""
    located = [digit for hand in view.hands for digit in hand if digit is not None]
    located += [*view.discards, *([] if view.drawn is None else [view.drawn])]
    left = list(game.pool)
    for digit in located:
        left.remove(digit)
    count = list(view.hands[view.seat.other]).count(None)
    for cards in set(_choices(tuple(left), count)):
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


def _wins_share(game: Any, view: Any, claim: claims.WinsShare) -> bool:
    found = solved_odds(game, view)
    share = found.keep if claim.keeping else found.give
    return share is not None and abs(share - claim.share) < 1e-9


def _better_choice(game: Any, view: Any, claim: claims.BetterChoice) -> bool:
    found = solved_odds(game, view)
    assert found.give is not None
    this, other = (found.keep, found.give) if claim.keeping else (found.give, found.keep)
    return abs(this - other - claim.by) < 1e-9 and claim.by > 0


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


def _makes(game: Any, view: Any, claim: claims.Makes) -> bool:
    hand = [*view.hands[view.seat], view.drawn]
    return len(hand) == game.hand_size and _number(hand) == claim.number


def _highest_order(game: Any, view: Any, claim: claims.HighestOrder) -> bool:
    return claim.digits == max(permutations(view.hands[view.seat]))


def _lower(game: Any, view: Any, claim: claims.Lower) -> bool:
    orders = set(permutations(view.hands[view.seat]))
    return claim.digits in orders and claim.digits < max(orders)


CHECKS: dict[type, Callable[[Any, Any, Any], bool]] = {
    claims.ReachesAtLeast: _reaches,
    claims.HoldsAtMost: _holds_at_most,
    claims.WinsShare: _wins_share,
    claims.BetterChoice: _better_choice,
    claims.Drawn: _drawn,
    claims.Forced: _forced,
    claims.Fills: _fills,
    claims.FreeChoice: _free_choice,
    claims.Makes: _makes,
    claims.HighestOrder: _highest_order,
    claims.Lower: _lower,
}
