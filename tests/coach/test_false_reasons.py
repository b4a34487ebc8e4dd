"""A reason that is not true is not said: it is caught, and something plainer is said instead."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from tests.coach.checks import Doubt, check
from tests.coach.heaps import Bids, Heaps, table
from tests.coach.positions import NAMES, variant
from tests.coach.sentences import unsupported

from digit_duel.coach import claims
from digit_duel.coach.battle import claims as claims_battle
from digit_duel.coach.cards import claims as claims_cards
from digit_duel.coach.cases import AnyCase, Case
from digit_duel.coach.families import coach_of
from digit_duel.coach.placing import claims as claims_placing
from digit_duel.coach.placing.reasons import PlacingReasons
from digit_duel.coach.reason import Reason, Untrue, first_true, say
from digit_duel.coach.speech import Speech
from digit_duel.core.game import Seat
from digit_duel.core.record import follow
from digit_duel.core.variant import AnyVariant
from digit_duel.games._battle import Attack, Defend, Fight, Secret
from digit_duel.games._placement import Place
from digit_duel.solve.cards.player_model import PERSON

A, B = Seat.FIRST, Seat.SECOND
CLASSIC, SABOTAGE, BATTLE, CARDS = (variant(id) for id in ("classic", "sabotage", "battle", "cards"))
LIMITS = (claims_placing.AtLeast, claims_placing.AtMost)
NINE, EIGHT = Place(9, A, 0), Place(8, B, 0)


def after(table: AnyVariant, moves: str, seat: Seat) -> Any:
    steps = follow(table.game, moves.split())
    return table.game.view(steps[-1].after if steps else table.game.start(), seat)


def explained_opening() -> Reason:
    """Why the 9 belongs in front in classic."""
    start = CLASSIC.game.start()
    legal = CLASSIC.game.legal(start, A)
    return coach_of(CLASSIC).decision(start, A, legal, Speech(NAMES, A)).explain(NINE)


# What would be said, and the claim that makes it false.
FALSE: dict[str, tuple[AnyVariant, str, claims.AnyClaim]] = {
    "a wrong winner": (CLASSIC, "", claims.ValueIs((), B, 1)),
    "a wrong limit": (CLASSIC, "", claims_placing.AtLeast((NINE,), A, "923")),
    "a limit off by one": (CLASSIC, "", claims_placing.AtMost((NINE,), B, "875")),
    "not yet decided": (CLASSIC, "", claims_placing.Decided((EIGHT,), B)),
    "decided too early": (CLASSIC, "8a1", claims_placing.Decided((), A)),
    "a place that does not lead": (CLASSIC, "9a2 8b2", claims_placing.Leads((), A, 1, 9, 8)),
    "not the only move": (SABOTAGE, "5a1", claims.Only((), Place(5, B, 0), 69)),
    "a wrong count": (CLASSIC, "", claims.Winning((), 2, 27)),
    "no mirror": (SABOTAGE, "5a1 5b2", claims_placing.Mirrors((), B)),
    "a mirror for the one who has no tie": (SABOTAGE, "5a1 5b1", claims_placing.Mirrors((), A)),
    "a mirror with a digit missing": (SABOTAGE, "5a1 6b1", claims_placing.Mirrors((), B)),
    "an illegal move": (CLASSIC, "9a1", claims.ValueIs((Place(9, B, 0),), A, 1)),
    "a refutation that is none": (CLASSIC, "", claims.OthersLoseTo((), Place(8, A, 0), EIGHT)),
    "stoppable": (CLASSIC, "1a1", claims.Unstoppable((), (Place(9, A, 0),))),
    "wrong numbers at the end": (CLASSIC, "9a1", claims_placing.BestNumbers((), A, "976", "864")),
    "no need to fill": (SABOTAGE, "0a1 0b1", claims_placing.MustFill((), A, 3)),
    "not the last copy": (SABOTAGE, "", claims_placing.LastCopy((), 9)),
    "a cheaper mistake": (CLASSIC, "", claims.Costs((), Place(9, A, 1), 1, 0)),
    "no blow that kills": (BATTLE, "", claims_battle.Kills((), Attack(9), 10)),
    "last digit is no killing blow": (
        BATTLE, "+1 +2 +3 +4 +5 +6 +7 +8", claims_battle.Kills((), Attack(9), 20)
    ),
    "not safe": (BATTLE, "x9", claims_battle.Safe((), B)),
    "no need to defend": (BATTLE, "+9", claims_battle.MustDefend(())),
    "wrong life points": (BATTLE, "x9", claims_battle.Life((), B, 2)),
    "not the highest": (BATTLE, "x9", claims_battle.Highest((), 9)),
    "nothing is wasted": (BATTLE, "", claims_battle.Wasted((), Defend(9), 1, 20)),
    "more than counting": (BATTLE, "", claims_battle.OnlyCounts(())),
    "a longer way": (BATTLE, "", claims.ForcedIn((), A, 7)),
    "too large a share": (CARDS, "d8", claims_cards.WinsShare((), PERSON, False, 0.9)),
    "the worse choice": (CARDS, "d8", claims_cards.BetterChoice((), PERSON, True, 0.1)),
    "not sure of a win": (CARDS, "d8 g d1 k d5 k d5 g d8", claims_cards.SureAgainst((), False, 36, 0, 36)),
    "not as many cards": (CARDS, "d8 g d1 k d5 k d5 g d8", claims_cards.SureAgainst((), False, 32, 4, 37)),
    "more if nobody errs": (CARDS, "d8", claims_cards.WinsAgainstPerfection((), False, 0.9)),
    "a 9, not an 8": (CARDS, "d8 g d1 k d5 k d5 g d8", claims_cards.PerfectionHolds((), (8,))),
    "nothing strange": (CARDS, "d8", claims_cards.Unexpected(())),
    "choices that tell": (CARDS, "d8 g d1 k d5 k d5 g d8", claims_cards.CardsAlone((), PERSON)),
    "another card": (CARDS, "d8", claims_cards.Drawn((), 7)),
    "a better hand than that": (CARDS, "d8", claims_cards.ReachesAtLeast((), A, True, "999")),
    "no full hand": (CARDS, "d8", claims_cards.Fills((), False)),
    "a choice after all": (CARDS, "d8", claims_cards.Forced(())),
    "a hand that is full then": (CARDS, "d8 g d1 k d5 k d5 g d8", claims_cards.BothDraw((), False)),
    "only nines are higher": (CARDS, "d8", claims_cards.Higher((), 5, 39)),
}  # fmt: skip


@pytest.mark.parametrize("name", FALSE)
def test_a_false_reason_is_caught(name: str) -> None:
    table, moves, claim = FALSE[name]
    view = after(table, moves, A)
    with pytest.raises(Untrue, match="does not hold"):
        say(Case(table.game, view), Reason("It is so.", (claim,)))


@pytest.mark.parametrize("name", FALSE)
def test_the_second_opinion_doubts_it_as_well(name: str) -> None:
    table, moves, claim = FALSE[name]
    with pytest.raises((Doubt, KeyError)):
        check(table.game, after(table, moves, A), claim)


def test_one_false_claim_among_true_ones_spoils_a_reason() -> None:
    case: AnyCase = Case(CLASSIC.game, CLASSIC.game.start())
    good = explained_opening()
    assert say(case, good) == "With 9 in your hundreds, your number is at least 912, and Ben's at most 876."
    with pytest.raises(Untrue):
        say(case, replace(good, claims=(*good.claims, claims.ValueIs((), B, 1))))


def test_after_a_false_reason_a_plainer_one_is_said() -> None:
    case: AnyCase = Case(CLASSIC.game, CLASSIC.game.start())
    offered = [
        Reason("8 in your hundreds wins.", (claims.ValueIs((Place(8, A, 0),), A, 1),)),
        Reason("9 in your hundreds wins.", (claims.ValueIs((NINE,), A, 1),)),
    ]
    assert first_true(case, offered).sentence == "9 in your hundreds wins."


def test_a_lying_family_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """If bounds were off by one, the coach would fall back to another reason, and never state them."""
    honest = PlacingReasons._bounded

    def lying(self: PlacingReasons, path: Any, move: Any, mover: Seat) -> Any:
        for reason in honest(self, path, move, mover):
            wrong = [
                replace(claim, number=str(int(claim.number) + 1)) if isinstance(claim, LIMITS) else claim
                for claim in reason.claims
            ]
            yield Reason(reason.sentence.replace("912", "913").replace("876", "877"), tuple(wrong))

    monkeypatch.setattr(PlacingReasons, "_bounded", lying)
    said = explained_opening().sentence
    assert "91" not in said
    assert said == "Only 9 in your hundreds wins: left to Ben, the 9 would go to Ben's hundreds and win."


@pytest.mark.parametrize(
    ("sentence", "claim"),
    [
        (
            "With 9 in your hundreds, your number is at least 912, and Ben's at most 877.",
            claims_placing.Decided((), A),
        ),
        ("Attacking with 9 ends it: Ben has 8 life points.", claims_battle.Kills((), Attack(9), 9)),
        ("You will surely win.", claims.ValueIs((), A, 1)),
    ],
)
def test_a_number_or_phrase_without_a_claim_is_noticed(sentence: str, claim: claims.AnyClaim) -> None:
    assert unsupported(sentence, (claim,))


SUDDEN = Fight((6, 6), (), A)


@pytest.mark.parametrize(
    "claim",
    [
        claims_battle.NeverWorse((), Secret(A, 4)),
        claims_battle.StandOff((), A, 10),
        claims_battle.StandOff((), B, 9),
        claims_battle.StandOff((), B, None),
        claims_battle.StandOff((), None, 10),
        claims_battle.WinsByShowing((), A, 5),
        claims_battle.WinsByShowing((), B, 4),
        claims_battle.Risks((), Secret(A, 3), 5, 1),
    ],
)
def test_false_claims_about_sudden_death_are_caught(claim: claims.AnyClaim) -> None:
    with pytest.raises(Untrue):
        say(Case(BATTLE.game, SUDDEN), Reason("It is so.", (claim,)))


def told(game: Any, state: Any, seat: Seat, move: str) -> str:
    heaps = table(game)
    asked = coach_of(heaps).decision(state, seat, game.legal(state, seat), Speech(NAMES, seat))
    return asked.explain(move).sentence


Telling = Callable[[], str]


@pytest.mark.parametrize(
    ("tell", "expected"),
    [
        (lambda: told(Heaps(1), (1, 0, ""), A, "1"), "1 ends the game: you win."),
        (lambda: told(Heaps(5), (5, 0, ""), A, "2"), "Only 2 wins: every other move loses to 1."),
        (
            lambda: told(Heaps(5), (5, 0, ""), A, "1"),
            "1 throws the win away. Only 2 kept it. Ben's answer: Only 1 wins: every other move loses to 2.",
        ),
        (
            lambda: told(Heaps(3), (3, 0, ""), A, "1"),
            "Every move loses to best play; after 1 only 1 of Ben's 2 answers wins.",
        ),
        (
            lambda: told(Heaps(4, coin=True), (4, 0, ""), A, "1"),
            "1 gives you 38% of the points on average, and no move gives more.",
        ),
        (
            lambda: told(Heaps(4, coin=True), (4, 0, ""), A, "2"),
            "2 lowers your share of the points from 38% to 0% on average. Only 1 kept it.",
        ),
        (lambda: told(Bids(), ("", ""), A, "a1"), "Nothing is safer than a1, but every choice can lose."),
    ],
)
def test_a_game_that_the_coach_never_heard_of_is_explained_by_its_values(
    tell: Telling, expected: str
) -> None:
    assert tell() == expected
