"""A second opinion on every claim: plain minimax, plain enumeration, and nothing of the coach's own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import permutations, product
from random import Random
from typing import Any

from digit_duel.coach import claims, claims_battle, claims_cards, claims_placing
from digit_duel.core.game import Seat
from digit_duel.games._battle import Attack, Battle, Defend, Fight, Secret
from digit_duel.games._placement import Goal, Placement, Position
from digit_duel.solve import library
from digit_duel.solve.hands import odds as solved_odds

_FEW_EMPTY = 2  # empty places of a large game up to which the whole rest is played out here
_FILLINGS = 1000  # ways to fill the rest up to which all are tried


class Doubt(AssertionError):
    """A claim that the second opinion does not share."""


def check(game: Any, view: Any, claim: Any) -> None:
    """Raise Doubt unless the claim is true of this view."""
    checker = _CHECKS[type(claim)]
    if not checker(game, view, claim):
        raise Doubt(f"{claim} of {view}")


# The value of a state: minimax here, and the solver where that would take too long.


def reached(game: Any, state: Any, path: Sequence[Any]) -> Any:
    for move in path:
        if not any(move in game.legal(state, seat) for seat in game.acting(state)):
            raise Doubt(f"{move} cannot be played")
        state = game.play(state, move)
    return state


def value(game: Any, state: Any) -> tuple[Any, int, int]:
    """Score, haste and margin for the first seat."""
    if isinstance(game, Placement):
        empty = sum(board.count(None) for board in state.boards)
        if empty > (_FEW_EMPTY if len(game.pool) > 9 else 4):
            return tuple(library.oracle(game).value(state))  # type: ignore[return-value]
    return _minimax(game, state)


@lru_cache(maxsize=300_000)
def _minimax(game: Any, state: Any) -> tuple[Any, int, int]:
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome.score(Seat.FIRST), 0, game.margin(state)
    if isinstance(game, Battle) and game.sudden_death(state):
        if game.standoff_limit is None:
            return 0, 0, 0  # B3: nobody can force an end
        # The second seat shows the highest every time. The first gives a point just before each stand-off.
        return -1, 2 * (game.standoff_limit * state.life[0] - state.standoffs), 0
    mover = game.acting(state)[0]
    found = [_minimax(game, game.play(state, move)) for move in game.legal(state, mover)]
    score, haste, margin = max(found) if mover is Seat.FIRST else min(found)
    return score, haste - score if score in (1, -1) else haste, margin


def score(game: Any, state: Any, seat: Seat) -> Any:
    found = value(game, state)[0]
    return found if seat is Seat.FIRST else -found


def scores(game: Any, state: Any) -> dict[Any, Any]:
    """Each move of the one seat that acts, with its score for it."""
    (mover,) = game.acting(state)
    return {move: score(game, game.play(state, move), mover) for move in game.legal(state, mover)}


def values(game: Any, state: Any) -> dict[Any, tuple[Any, int, int]]:
    """Each move with score, haste and margin as its mover likes them."""
    (mover,) = game.acting(state)
    sign = 1 if mover is Seat.FIRST else -1
    found = {}
    for move in game.legal(state, mover):
        one, haste, margin = value(game, game.play(state, move))
        found[move] = (sign * one, sign * haste, sign * margin)
    return found


# Claims about any open game.


def _over(game: Any, view: Any, claim: claims.Over) -> bool:
    outcome = game.outcome(reached(game, view, claim.path))
    return outcome is not None and outcome.winner == claim.winner


def _worth(game: Any, view: Any, claim: claims.Worth) -> bool:
    return bool(score(game, reached(game, view, claim.path), claim.seat) == claim.score)


def _forced_in(game: Any, view: Any, claim: claims.ForcedIn) -> bool:
    state = reached(game, view, claim.path)
    return score(game, state, claim.seat) == 1 and abs(value(game, state)[1]) == claim.moves


def _keeps(game: Any, view: Any, claim: claims.Keeps) -> bool:
    found = scores(game, reached(game, view, claim.path))
    return bool(found[claim.move] == max(found.values()))


def _best(game: Any, view: Any, claim: claims.Best) -> bool:
    found = values(game, reached(game, view, claim.path))
    return found[claim.move] == max(found.values())


def _only(game: Any, view: Any, claim: claims.Only) -> bool:
    found = scores(game, reached(game, view, claim.path))
    keeping = [move for move, one in found.items() if one == max(found.values())]
    return keeping == [claim.move] and len(found) == claim.others + 1


def _winning(game: Any, view: Any, claim: claims.Winning) -> bool:
    found = list(scores(game, reached(game, view, claim.path)).values())
    return (found.count(1), len(found)) == (claim.winning, claim.legal)


def _keeping(game: Any, view: Any, claim: claims.Keeping) -> bool:
    found = list(scores(game, reached(game, view, claim.path)).values())
    return (found.count(max(found)), len(found)) == (claim.keeping, claim.legal)


def _others_lose_to(game: Any, view: Any, claim: claims.OthersLoseTo) -> bool:
    state = reached(game, view, claim.path)
    (mover,) = game.acting(state)
    others = [game.play(state, move) for move in game.legal(state, mover) if move != claim.move]
    return all(
        claim.answer in game.legal(other, mover.other)
        and score(game, game.play(other, claim.answer), mover.other) == 1
        for other in others
    )


def _unstoppable(game: Any, view: Any, claim: claims.Unstoppable) -> bool:
    state = reached(game, view, claim.path)
    (mover,) = game.acting(state)
    answerer = mover.other

    def answered(answers: Sequence[Any]) -> bool:
        return all(
            any(
                answer in game.legal(after, answerer) and score(game, game.play(after, answer), answerer) == 1
                for answer in answers
            )
            for after in (game.play(state, move) for move in game.legal(state, mover))
        )

    fewer = [[one for one in claim.answers if one != left_out] for left_out in claim.answers]
    return answered(claim.answers) and not any(answered(answers) for answers in fewer)


def _costs(game: Any, view: Any, claim: claims.Costs) -> bool:
    found = values(game, reached(game, view, claim.path))
    best, made = max(found.values()), found[claim.move]
    return (best[0] - made[0], best[2] - made[2]) == (claim.score, claim.margin)


def _margin(game: Any, view: Any, claim: claims.Margin) -> bool:
    found = value(game, reached(game, view, claim.path))[2]
    return (found if claim.seat is Seat.FIRST else -found) == claim.margin


def _liked_most(game: Any, view: Any, claim: claims.LikedMost) -> bool:
    return all(
        claim.tips(game, view, claim.seat, claim.move) >= claim.tips(game, view, claim.seat, other)
        for other in claim.among
    )


# Claims about placing games.


def fillings(state: Position, seed: str = "") -> Iterator[tuple[str, str]]:
    """Both numbers in every way to fill the rest, or in many of them where there are too many."""
    empty = [
        (seat, place) for seat in Seat for place, digit in enumerate(state.boards[seat]) if digit is None
    ]
    ways = 1
    for taken in range(len(empty)):
        ways *= len(state.pool) - taken
    if ways <= _FILLINGS:
        orders: Iterator[tuple[int, ...]] = iter(set(permutations(state.pool, len(empty))))
    else:
        orders = _some_orders(state, len(empty), Random(f"{state}{seed}"))
    for order in orders:
        boards = [list(board) for board in state.boards]
        for (seat, place), digit in zip(empty, order, strict=True):
            boards[seat][place] = digit
        yield ("".join(map(str, boards[0])), "".join(map(str, boards[1])))


def _some_orders(state: Position, length: int, rng: Random) -> Iterator[tuple[int, ...]]:
    """Random ways to fill the rest, and the extreme ones: the highest digits here, the lowest there."""
    low, high = sorted(state.pool), sorted(state.pool, reverse=True)
    first = state.boards[0].count(None)
    yield (*low[:first], *high[: length - first])
    yield (*high[:first], *low[: length - first])
    for _ in range(60):
        yield tuple(rng.sample(state.pool, length))


def winner(game: Placement, first: str, second: str) -> Seat | None:
    if first == second:
        return {"second": Seat.SECOND, "first": Seat.FIRST, "draw": None}[game.tie.value]
    return Seat.FIRST if (first > second) is (game.goal is Goal.HIGH) else Seat.SECOND


@lru_cache(maxsize=20_000)
def settled(game: Placement, state: Position, seat: Seat) -> bool:
    return all(winner(game, *numbers) is seat for numbers in fillings(state))


def _decided(game: Any, view: Any, claim: claims_placing.Decided) -> bool:
    return settled(game, reached(game, view, claim.path), claim.seat)


def _numbers_of(game: Any, view: Any, claim: Any) -> list[str]:
    """Every number that one board can become: brute force over its empty places."""
    state = reached(game, view, claim.path)
    board = state.boards[claim.seat]
    found = []
    kinds = Counter(state.pool)
    for order in product(kinds, repeat=board.count(None)):
        if Counter(order) - kinds:
            continue
        spare = iter(order)
        found.append("".join(str(next(spare) if digit is None else digit) for digit in board))
    return found


def _at_least(game: Any, view: Any, claim: claims_placing.AtLeast) -> bool:
    return min(_numbers_of(game, view, claim)) == claim.number


def _at_most(game: Any, view: Any, claim: claims_placing.AtMost) -> bool:
    return max(_numbers_of(game, view, claim)) == claim.number


def _leads(game: Any, view: Any, claim: claims_placing.Leads) -> bool:
    state = reached(game, view, claim.path)
    mine, theirs = state.boards[claim.seat], state.boards[claim.seat.other]
    before = list(zip(mine, theirs, strict=True))[: claim.place]
    return (
        all(own is not None and own == other for own, other in before)
        and (mine[claim.place], theirs[claim.place]) == (claim.better, claim.worse)
        and settled(game, state, claim.seat)
    )


def _full(game: Any, view: Any, claim: claims_placing.Numbers) -> bool:
    boards = reached(game, view, claim.path).boards
    mine, theirs = ("".join(map(str, boards[seat])) for seat in (claim.seat, claim.seat.other))
    return (mine, theirs) == (claim.mine, claim.theirs)


def _best_numbers(game: Any, view: Any, claim: claims_placing.BestNumbers) -> bool:
    state = reached(game, view, claim.path)
    found = value(game, state)[2]
    ahead = int(claim.mine) - int(claim.theirs)
    ahead = ahead if game.goal is Goal.HIGH else -ahead
    placed = Counter(
        int(new)
        for seat, text in ((claim.seat, claim.mine), (claim.seat.other, claim.theirs))
        for new, old in zip(text, state.boards[seat], strict=True)
        if old is None
    )
    kept = all(
        old is None or new == str(old)
        for seat, text in ((claim.seat, claim.mine), (claim.seat.other, claim.theirs))
        for new, old in zip(text, state.boards[seat], strict=True)
    )
    return (found if claim.seat is Seat.FIRST else -found) == ahead and kept and placed <= Counter(state.pool)


def _mirrors(game: Any, view: Any, claim: claims_placing.Mirrors) -> bool:
    """Copy against players who do anything: the numbers must tie, and the tie must win."""
    start = reached(game, view, claim.path)
    if winner(game, "1", "1") is not claim.seat:
        return False
    rng = Random(str(start))
    for _ in range(5):
        state = start
        while game.outcome(state) is None:
            move = rng.choice(game.legal(state, claim.seat.other))
            state = game.play(state, move)
            copy = type(move)(move.digit, move.board.other, move.place)
            if copy not in game.legal(state, claim.seat):
                return False
            state = game.play(state, copy)
        if game.outcome(state).winner is not claim.seat or state.boards[0] != state.boards[1]:
            return False
    return True


def _last_copy(game: Any, view: Any, claim: claims_placing.LastCopy) -> bool:
    return list(reached(game, view, claim.path).pool).count(claim.digit) == 1


def _must_fill(game: Any, view: Any, claim: claims_placing.MustFill) -> bool:
    state = reached(game, view, claim.path)
    (mover,) = game.acting(state)
    if state.boards[claim.board][claim.place] is not None:
        return False
    for move in game.legal(state, mover):
        if (move.board, move.place) == (claim.board, claim.place):
            continue
        after = game.play(state, move)
        threats = [
            answer
            for answer in game.legal(after, mover.other)
            if (answer.board, answer.place) == (claim.board, claim.place)
        ]
        if not any(settled(game, game.play(after, answer), mover.other) for answer in threats):
            return False
    return True


# Claims about battle.


def _blow(state: Fight, digit: int, seat: Seat) -> bool:
    return digit in state.pool and state.life[seat.other] - digit <= 0


def _kills(game: Any, view: Any, claim: claims_battle.Kills) -> bool:
    state = reached(game, view, claim.path)
    (mover,) = game.acting(state)
    return state.life[mover.other] == claim.life and _blow(state, claim.move.digit, mover)


def _could_kill(game: Any, view: Any, claim: claims_battle.CouldKill) -> bool:
    return _blow(reached(game, view, claim.path), claim.digit, claim.seat)


def _safe(game: Any, view: Any, claim: claims_battle.Safe) -> bool:
    state = reached(game, view, claim.path)
    return all(digit < state.life[claim.seat] for digit in state.pool)


def _finishes_next(game: Any, view: Any, claim: claims_battle.FinishesNext) -> bool:
    state = reached(game, view, claim.path)
    (mover,) = game.acting(state)
    afters = [game.play(state, move) for move in game.legal(state, mover)]
    return all(any(_blow(after, digit, mover.other) for digit in after.pool) for after in afters)


def _must_defend(game: Any, view: Any, claim: claims_battle.MustDefend) -> bool:
    state = reached(game, view, claim.path)
    (mover,) = game.acting(state)
    afters = [game.play(state, move) for move in game.legal(state, mover) if isinstance(move, Attack)]
    return all(
        game.outcome(after) is None and any(_blow(after, digit, mover.other) for digit in after.pool)
        for after in afters
    )


def _life(game: Any, view: Any, claim: claims_battle.Life) -> bool:
    return bool(reached(game, view, claim.path).life[claim.seat] == claim.life)


def _highest(game: Any, view: Any, claim: claims_battle.Highest) -> bool:
    pool = reached(game, view, claim.path).pool
    return claim.digit in pool and all(digit <= claim.digit for digit in pool)


def _wasted(game: Any, view: Any, claim: claims_battle.Wasted) -> bool:
    state = reached(game, view, claim.path)
    (mover,) = game.acting(state)
    beyond = state.life[mover] + claim.move.digit - game.max_life
    return (
        isinstance(claim.move, Defend) and bool(beyond == claim.points > 0) and claim.limit == game.max_life
    )


def _only_counts(game: Any, view: Any, claim: claims_battle.OnlyCounts) -> bool:
    """Play everything out: nobody falls, and no point is ever lost to the cap."""

    def quiet(state: Fight) -> bool:
        if min(state.life) <= 0:
            return False
        if not state.pool:
            return True
        for move in game.legal(state, state.to_move):
            after = game.play(state, move)
            swing = (after.life[0] - after.life[1]) - (state.life[0] - state.life[1])
            if abs(swing) != move.digit or not quiet(after):
                return False
        return True

    return quiet(reached(game, view, claim.path))


def _shown(game: Any, state: Fight, seat: Seat, mine: int, theirs: int) -> tuple[int, int]:
    """Life points after a reveal, by the text of the rulebook: this seat's, then the other's."""
    gap = mine - theirs
    own, other = state.life[seat] + gap, state.life[seat.other] - gap
    return min(own, game.max_life), min(other, game.max_life)


def _never_worse(game: Any, view: Any, claim: claims_battle.NeverWorse) -> bool:
    state, seat = reached(game, view, claim.path), claim.move.seat
    for theirs, other in product(game.sudden, repeat=2):
        own, their_life = _shown(game, state, seat, claim.move.digit, theirs)
        own_other, their_other = _shown(game, state, seat, other, theirs)
        if own < own_other or their_life > their_other:
            return False
    return bool(game.sudden_death(state))


def _risks(game: Any, view: Any, claim: claims_battle.Risks) -> bool:
    state, seat = reached(game, view, claim.path), claim.move.seat
    after = _shown(game, state, seat, claim.move.digit, claim.against)[0]
    return claim.against in game.sudden and state.life[seat] - after == claim.points > 0


def _stand_off(game: Any, view: Any, claim: claims_battle.StandOff) -> bool:
    if claim.reveals is None:
        return game.standoff_limit is None
    state = reached(game, view, claim.path)
    return claim.winner is Seat.SECOND and state.standoffs + claim.reveals == game.standoff_limit


def _wins_by_showing(game: Any, view: Any, claim: claims_battle.WinsByShowing) -> bool:
    """Against players who show anything, and against the one who always shows the highest."""
    start = reached(game, view, claim.path)
    rng = Random(str(start))
    for game_number in range(20):
        state = start
        while game.outcome(state) is None:
            other = game.sudden[-1] if game_number == 0 else rng.choice(game.sudden)
            state = game.play(
                game.play(state, Secret(claim.seat, claim.digit)), Secret(claim.seat.other, other)
            )
        if game.outcome(state).winner is not claim.seat:
            return False
    return True


# Claims about cards: every hand that the other could hold is tried.


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


def _reaches(game: Any, view: Any, claim: claims_cards.ReachesAtLeast) -> bool:
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


def _holds_at_most(game: Any, view: Any, claim: claims_cards.HoldsAtMost) -> bool:
    other = view.seat.other
    known = [digit for digit in view.hands[other] if digit is not None]
    known += [] if claim.keeping else [view.drawn]
    hands = [[*known, *cards] for cards, _ in hidden_hands(game, view)]
    return {len(hand) for hand in hands} == {game.hand_size} and max(map(_number, hands)) == claim.number


def _wins_share(game: Any, view: Any, claim: claims_cards.WinsShare) -> bool:
    found = solved_odds(game, view)
    share = found.keep if claim.keeping else found.give
    return share is not None and abs(share - claim.share) < 1e-9


def _better_choice(game: Any, view: Any, claim: claims_cards.BetterChoice) -> bool:
    found = solved_odds(game, view)
    assert found.give is not None
    this, other = (found.keep, found.give) if claim.keeping else (found.give, found.keep)
    return abs(this - other - claim.by) < 1e-9 and claim.by > 0


def _drawn(game: Any, view: Any, claim: claims_cards.Drawn) -> bool:
    return (view.drawn, view.to_move) == (claim.digit, view.seat)


def _forced(game: Any, view: Any, claim: claims_cards.Forced) -> bool:
    spent = game.facing_full.most is not None and view.thrown >= game.facing_full.most
    facing = len(view.hands[view.seat.other]) == game.hand_size > len(view.hands[view.seat])
    return bool(facing and (spent or view.run_outs >= 2))


def _fills(game: Any, view: Any, claim: claims_cards.Fills) -> bool:
    to = view.seat if claim.keeping else view.seat.other
    return bool(len(view.hands[to]) + 1 == game.hand_size > len(view.hands[to.other]))


def _free_choice(game: Any, view: Any, claim: claims_cards.FreeChoice) -> bool:
    return bool(game.facing_full.most is None and not view.run_outs)


def _makes(game: Any, view: Any, claim: claims_cards.Makes) -> bool:
    hand = [*view.hands[view.seat], view.drawn]
    return len(hand) == game.hand_size and _number(hand) == claim.number


def _highest_order(game: Any, view: Any, claim: claims_cards.HighestOrder) -> bool:
    return claim.digits == max(permutations(view.hands[view.seat]))


def _lower(game: Any, view: Any, claim: claims_cards.Lower) -> bool:
    orders = set(permutations(view.hands[view.seat]))
    return claim.digits in orders and claim.digits < max(orders)


_CHECKS: dict[type, Callable[[Any, Any, Any], bool]] = {
    claims.Over: _over,
    claims.Worth: _worth,
    claims.ForcedIn: _forced_in,
    claims.Keeps: _keeps,
    claims.Best: _best,
    claims.Only: _only,
    claims.Winning: _winning,
    claims.Keeping: _keeping,
    claims.OthersLoseTo: _others_lose_to,
    claims.Unstoppable: _unstoppable,
    claims.Costs: _costs,
    claims.Margin: _margin,
    claims.LikedMost: _liked_most,
    claims_placing.Decided: _decided,
    claims_placing.AtLeast: _at_least,
    claims_placing.AtMost: _at_most,
    claims_placing.Leads: _leads,
    claims_placing.Numbers: _full,
    claims_placing.BestNumbers: _best_numbers,
    claims_placing.Mirrors: _mirrors,
    claims_placing.LastCopy: _last_copy,
    claims_placing.MustFill: _must_fill,
    claims_battle.Kills: _kills,
    claims_battle.CouldKill: _could_kill,
    claims_battle.Safe: _safe,
    claims_battle.FinishesNext: _finishes_next,
    claims_battle.MustDefend: _must_defend,
    claims_battle.Life: _life,
    claims_battle.Highest: _highest,
    claims_battle.Wasted: _wasted,
    claims_battle.OnlyCounts: _only_counts,
    claims_battle.NeverWorse: _never_worse,
    claims_battle.Risks: _risks,
    claims_battle.StandOff: _stand_off,
    claims_battle.WinsByShowing: _wins_by_showing,
    claims_cards.ReachesAtLeast: _reaches,
    claims_cards.HoldsAtMost: _holds_at_most,
    claims_cards.WinsShare: _wins_share,
    claims_cards.BetterChoice: _better_choice,
    claims_cards.Drawn: _drawn,
    claims_cards.Forced: _forced,
    claims_cards.Fills: _fills,
    claims_cards.FreeChoice: _free_choice,
    claims_cards.Makes: _makes,
    claims_cards.HighestOrder: _highest_order,
    claims_cards.Lower: _lower,
}
