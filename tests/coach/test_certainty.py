"""What the coach says about cards is true against every hand that fits: nothing is certain that is not."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import combinations
from random import Random
from typing import Any

import pytest
from tests.coach.checks_cards import seen_deck
from tests.coach.positions import NAMES, variant

from digit_duel.bots import LEVELS
from digit_duel.coach.coach import Verdict
from digit_duel.coach.families import coach_of
from digit_duel.coach.opponent import PERSON
from digit_duel.core.game import Seat
from digit_duel.core.record import follow
from digit_duel.core.session import Session, dealer
from digit_duel.core.variant import AnyVariant
from digit_duel.games._cards import Cards
from digit_duel.games._cards_table import Give, Keep, Reveal
from digit_duel.solve.cards import odds as module
from digit_duel.solve.cards.odds import Odds

GAMES = int(os.environ.get("DIGIT_DUEL_CERTAIN_GAMES", "20000"))
RULES = ("discard", "must_keep")


OPEN = 2  # no result yet: on the second way through the deck the cards may or may not come


def results(game: Any, view: Any, keeping: bool) -> Counter[tuple[tuple[int, ...], int]] | None:
    """How often each hidden hand leads to each result, +1, 0, -1 or OPEN; None if players have to decide."""
    me, other, size = view.seat, view.seat.other, game.hand_size
    mine = [*view.hands[me]]
    theirs = [digit for digit in view.hands[other] if digit is not None]
    left = Counter(game.pool) - Counter([*mine, *theirs, *view.discards, view.drawn])
    found: Counter[tuple[tuple[int, ...], int]] = Counter()
    hidden = sorted((left - seen_deck(view)).elements())  # after a run-out the other hand alone
    for cards in combinations(hidden, view.hands[other].count(None)):
        hands = {me: [*mine], other: [*theirs, *cards]}
        coming, passed = [*(left - Counter(cards)).elements()], [*view.discards]
        to = me if keeping else other
        (hands[to] if len(hands[to]) < size else passed).append(view.drawn)
        short = [seat for seat in hands if len(hands[seat]) < size]
        if len(short) == 2 or (short and game.facing_full.most == 0):
            return None
        ends = set()
        for rest in ([*coming, *passed], *([coming] if view.run_outs else [])):
            full = {seat: [*hands[seat]] for seat in hands}
            for seat in short:
                full[seat] += sorted(rest, reverse=True)[: size - len(full[seat])]
            one, two = (sorted(full[seat], reverse=True) for seat in (me, other))
            ends.add((one > two) - (one < two))
        found[cards, ends.pop() if len(ends) == 1 else OPEN] += 1
    return found


Hand = tuple[int, ...]


@lru_cache(maxsize=500_000)
def always(me: Hand, other: Hand, rest: Hand, back: Hand, turn: bool, free: bool, wins: bool) -> bool:
    """Whether I win (or else lose) whatever cards come and whatever the other does; free hunts may choose.

    A free hunter can also wait for the cards that come back when the deck has run out.
    """
    if len(me) == len(other) == 3:
        return (me > other) if wins else (me < other)
    if 3 in (len(me), len(other)):
        missing, hunting = 6 - len(me) - len(other), len(other) == 3
        coming = tuple(sorted((*rest, *back), reverse=True)) if free else rest
        best, worst = coming[:missing], coming[-missing:]
        for more in (best,) if free else (best, worst):
            full = tuple(sorted((*(me if hunting else other), *more), reverse=True))
            one, two = (full, other) if hunting else (me, full)
            if not ((one > two) if wins else (one < two)):
                return False
        return True
    ways = []
    for digit in set(rest):
        left = list(rest)
        left.remove(digit)
        mine, theirs = (tuple(sorted((*hand, digit), reverse=True)) for hand in (me, other))
        after = [
            always(*hands, tuple(left), back, not turn, free, wins) for hands in ((mine, other), (me, theirs))
        ]
        ways.append(any(after) if turn and wins else all(after))
    return all(ways)


def surely(game: Any, view: Any, keeping: bool, wins: bool) -> bool:
    """Whether a choice wins, or loses, against every hand, whatever comes after."""
    me, other = view.seat, view.seat.other
    theirs = [digit for digit in view.hands[other] if digit is not None]
    left = Counter(game.pool) - Counter([*view.hands[me], *theirs, view.drawn, *view.discards])
    for cards in set(combinations(sorted(left.elements()), view.hands[other].count(None))):
        mine, hand = [*view.hands[me]], [*theirs, *cards]
        (mine if keeping else hand).append(view.drawn)
        one, two, rest = (
            tuple(sorted(some, reverse=True)) for some in (mine, hand, (left - Counter(cards)).elements())
        )
        if not always(one, two, rest, view.discards, False, game.facing_full.most is None, wins):
            return False
    return True


@dataclass
class Tally:
    """What was said, and checked."""

    decisions: int = 0
    certain: int = 0
    counted: int = 0
    judged: Counter[Verdict] = field(default_factory=Counter)


def check(table: AnyVariant, view: Any, found: Odds, tally: Tally) -> None:
    """Compare everything certain that is said about one decision with what the cards allow."""
    game, seat, legal = table.game_as(Cards), view.seat, (Keep(), Give())
    known = {keeping: results(game, view, keeping) for keeping in (True, False)}
    tally.decisions += 1
    for keeping, by_hand in known.items():
        choice = found.of(keeping)
        if by_hand is None:
            if choice.chance in (0, 1):
                assert surely(game, view, keeping, wins=choice.chance == 1), view
                tally.certain += 1
            continue
        shares = Counter[int]()
        for (_, result), ways in by_hand.items():
            shares[result] += ways
        if found.hands:
            assert (choice.wins, choice.loses, found.hands) == (shares[1], shares[-1], shares.total()), view
            tally.counted += 1
        if choice.chance in (0, 1):
            assert set(shares) == {1 if choice.chance else -1}, view
            tally.certain += 1
    keep, give = known[True], known[False]
    if keep is None or give is None or any(result == OPEN for _, result in (*keep, *give)):
        return
    better = {True: False, False: False}  # against some hand
    # Keeping that fills the hand makes the other a hunter, who may err; then a lost round can be lost less.
    errors_count = len(view.hands[seat]) == game.hand_size - 1 and not game.full(view.hands[seat.other])
    for cards, result in keep:
        other = next(one for one in (1, 0, -1) if give[cards, one])
        better[True] |= result > other
        better[False] |= result < other
    for keeping, move in zip((True, False), legal, strict=True):
        verdict = coach_of(table, PERSON).judge(view, seat, legal, move).verdict
        tally.judged[verdict] += 1
        if verdict is Verdict.MISTAKE:
            assert better[not keeping] or errors_count, f"no mistake: {view}"
        elif better[not keeping] and not better[keeping]:
            raise AssertionError(f"the other choice dominates this one, called {verdict}: {view}")


def decisions(table: AnyVariant, games: int, seed: str, before: str = "") -> Iterator[Any]:
    """The views of those who may choose, in rounds between all levels, after some moves."""
    rng = Random(seed)
    once = table.customised({**table.settings, "wins_needed": "1"})
    for number in range(games):
        levels = rng.choices(list(LEVELS), k=2)
        bots = [LEVELS[level](once, seat, rng) for level, seat in zip(levels, Seat, strict=True)]
        session = Session(once, NAMES, dealer(f"{seed}/{number}"))
        if before:
            session.steps = follow(once.game, before.split())
            session.draw()
        while session.outcome is None:
            seat = session.acting[0]
            view, legal = session.view(seat), session.game.legal(session.state, seat)
            if len(legal) == 2 and isinstance(legal[0], Keep):
                yield view
            session.play(seat, bots[seat].choose(view, legal))


def checked(rule: str, games: int, seed: str, share: float = 1.0, before: str = "") -> Tally:
    """Check the decisions of so many rounds, or a share of them."""
    table, tally, rng = variant("cards", facing_full=rule), Tally(), Random(seed)
    for view in decisions(table, games, seed, before):
        if rng.random() < share and not (view.run_outs and was_tied(view)):
            check(table, view, module.odds(table.game_as(Cards), view), tally)
    return tally


def was_tied(view: Any) -> bool:
    """Whether this round is replayed; then a deck of reshuffled discards is not worked out here."""
    return any(isinstance(event, Reveal) for event in view.memory)


@pytest.mark.parametrize("rule", RULES)
def test_nothing_is_called_certain_that_is_not(rule: str) -> None:
    tally = checked(rule, 25, f"certain {rule}")
    assert tally.decisions > 50
    if rule == "discard":
        assert min(tally.counted, tally.certain) > 20
        assert set(tally.judged) >= {Verdict.BEST, Verdict.MISTAKE}


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(
    "tie", ["d1 k d1 k d2 k d2 k d3 k d3 k a321 b321", "d9 g d9 g d0 g d0 g d4 g d4 k a940 b940"]
)
def test_nothing_is_called_certain_in_a_replayed_round(rule: str, tie: str) -> None:
    """The tied cards lie among the discards: nobody can draw them before the deck has run out."""
    tally = checked(rule, 15, f"tied {rule}", before=tie)
    assert tally.decisions > 30
    if rule == "discard":
        assert min(tally.counted, tally.certain) > 10


@pytest.mark.campaign
@pytest.mark.parametrize("rule", RULES)
def test_nothing_is_called_certain_in_very_many_games(rule: str) -> None:
    """DIGIT_DUEL_CERTAIN_GAMES says how many; hunts are long, and a third of their decisions is enough.

    On a busy machine this takes more than ten minutes: add -o faulthandler_timeout=0.
    """
    tally = checked(rule, GAMES, f"many {rule}", share=1 / 3)
    assert tally.decisions > GAMES


def forgetful(honest: Any) -> Any:
    """Hands that a perfect player would not hold are left out, as they once were."""

    def each(solved: Any, seen: Any) -> Any:
        from digit_duel.solve.cards.rounds import shipped_round

        hands = honest(solved, seen)
        perfect = honest(shipped_round(solved.round.facing_full.value), seen)
        likely = [hand for hand, one in zip(hands, perfect, strict=True) if one.weight > 0]
        return tuple(likely) or hands

    return each


def certain_of_itself(honest: Any) -> Any:
    """Every hand counts as won by keeping."""

    def each(solved: Any, seen: Any) -> Any:
        from digit_duel.solve.keep_or_give import Fate

        return tuple(replace(hand, keep=1.0, kept=Fate.WON) for hand in honest(solved, seen))

    return each


@pytest.mark.parametrize("belief", [forgetful, certain_of_itself])
def test_wrong_beliefs_are_caught(belief: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from digit_duel.solve import keep_or_give

    module.odds.cache_clear()
    monkeypatch.setattr(keep_or_give, "against_each_hand", belief(keep_or_give.against_each_hand))
    monkeypatch.setattr(module, "_ways", lambda unseen, hidden: 1)
    with pytest.raises(AssertionError):
        checked("discard", 25, "certain discard")
    module.odds.cache_clear()
