"""Hints recommend what keeps the result, why explains what the last moves did, and both are quick."""

from __future__ import annotations

import subprocess
import sys
import time
from statistics import median
from typing import Any

import pytest
from tests.coach.positions import NAMES, sampled, variant

from digit_duel.coach.advice import Advice, hint, why
from digit_duel.coach.speech import percent, whole_percent
from digit_duel.core.game import Seat
from digit_duel.core.record import follow, read_record
from digit_duel.core.variant import AnyVariant
from digit_duel.games._cards import Cards
from digit_duel.solve.cards.odds import odds
from digit_duel.solve.families import oracle
from digit_duel.solve.oracle import options

GAMES = ("classic", "reverse", "sabotage", "cards", "battle")
MOST_SECONDS = 0.05  # once loaded; a busy machine is forgiven, so the median counts


def hinted(table: AnyVariant, moves: str) -> Advice[Any]:
    steps = follow(table.game, moves.split())
    state = steps[-1].after if steps else table.game.start()
    seat = table.game.acting(state)[0]
    found = hint(table, table.game.view(state, seat), seat, table.game.legal(state, seat), NAMES)
    assert found is not None
    return found


HINTS = (
    ("classic", "", "9a1", "With 9 in your hundreds, your number is at least 912, and Ben's at most 876."),
    (
        "classic", "8a1", "9b1",
        "9 in your hundreds settles it: your 9 beats Ann's 8 there, whatever comes after.",
    ),
    (
        "classic", "1a1 2b1", "9a2",
        "Ben has won already: Ben's 2 beats your 1 in the hundreds. "
        "9 in your tens comes closest: with best play you end on 197, Ben on 286.",
    ),
    ("reverse", "", "1a1", "With 1 in your hundreds, Ben's number is at least 234, and yours at most 198."),
    (
        "sabotage", "0a1", "0b1",
        "0 in your thousands makes the boards equal. Copy every move to the other board from now on: "
        "the numbers end equal, and then you win.",
    ),
    (
        "sabotage", "", "0a1",
        "Every move loses to best play; after 0 in your thousands only 1 of Ben's 70 answers wins.",
    ),
    ("battle", "x9 x1", "x8", "Attacking with 8 ends it: Ben has 1 life point."),
    (
        "battle", "+9 +8 +7 +6 +5 +4 +3 +2 +1", "a5",
        "Showing 5 can lose no points, and 10 equal reveals in a row win for Ben.",
    ),
    (
        "battle", "+9 +8 +7 +6 +5 +4 +3 +2 +1 a2 b2", "a5",
        "Showing 5 can lose no points, and 9 more equal reveals in a row win for Ben.",
    ),
    (
        "battle", "", "x9",
        "Attacking with 9 leaves Ben 1 life point: Ben must defend at once, and the win can be forced in "
        "8 more moves.",
    ),
    (
        "cards", "d8", "g",
        "Ben's hand should be full before yours: then only you draw and can throw away all but the best "
        "cards. If Ben errs on one choice in ten, giving it away wins the round in 87% of cases, keeping the "
        "8 in 17%.",
    ),
    (
        "cards", "d1 g d2 g d3 g d9", "k",
        "None of the 36 cards you cannot see is higher. If Ann errs on one choice in ten, keeping the 9 wins "
        "the round in 9% of cases, giving it away in 1%.",
    ),
)  # fmt: skip


@pytest.mark.parametrize(("id", "moves", "move", "sentence"), HINTS)
def test_a_hint_is_a_move_with_its_reason(id: str, moves: str, move: str, sentence: str) -> None:
    found = hinted(variant(id), moves)
    assert (found.notation, found.reason.sentence) == (move, sentence)


SWAP_HINTS = (
    (
        "classic", "", "9a2",
        "Every move loses to best play; after 9 in your tens only 1 of Ben's 2 answers wins.",
    ),
    ("classic", "9a1", "swap", "Only swapping seats wins: it can be forced in 5 more moves."),
    (
        "classic", "9a1 swap", "8b1",
        "Ben has won already: Ben's number is at least 912, and yours at most 876. "
        "8 in your hundreds comes closest: with best play you end on 864, Ben on 975.",
    ),
    (
        "sabotage", "9b1 swap", "9a1",
        "9 in Ben's thousands makes the boards equal. Copy every move to the other board from now on: "
        "the numbers end equal, and then you win.",
    ),
    ("battle", "x9 swap x1", "x8", "Attacking with 8 ends it: Ann has 1 life point."),
)  # fmt: skip


@pytest.mark.parametrize(("id", "moves", "move", "sentence"), SWAP_HINTS)
def test_a_hint_under_the_pie_rule_speaks_of_the_seats_as_they_are_now(
    id: str, moves: str, move: str, sentence: str
) -> None:
    found = hinted(variant(id, swap="yes"), moves)
    assert (found.notation, found.reason.sentence) == (move, sentence)


def test_there_is_no_hint_for_one_who_has_no_move() -> None:
    table = variant("classic")
    assert hint(table, table.game.start(), Seat.SECOND, (), NAMES) is None


@pytest.mark.parametrize("id", GAMES)
def test_a_hint_never_gives_the_result_away(id: str) -> None:
    table = variant(id)
    for state, seat in sampled(table, 100, f"hint {id}"):
        view, legal = table.game.view(state, seat), table.game.legal(state, seat)
        found = hint(table, view, seat, legal, NAMES)
        assert found is not None
        assert found.move in legal
        if isinstance(table.game, Cards):
            if view.drawn is not None and len(legal) > 1:
                best = odds(table.game, view)
                assert best.give is not None
                chosen = best.keep if found.notation == "k" else best.give
                assert chosen.chance == pytest.approx(max(best.keep.chance, best.give.chance), abs=1e-9)
        elif len(table.game.acting(state)) == 1:
            every = options(table.game, oracle(table.game), state, seat)
            assert found.move in [one.move for one in every if one.keeps]


WHYS: tuple[tuple[str, str, list[str]], ...] = (
    ("classic", "", []),
    (
        "classic", "5a2 9b1",
        [
            "Your last move: 5 in your tens throws the win away. Only 9 in your hundreds kept it. "
            "Ben's answer: With 9 in Ben's hundreds, Ben's number is at least 912, and yours at most 857.",
            "Ben's last move: With 9 in Ben's hundreds, Ben's number is at least 912, and yours at most 857.",
        ],
    ),
    (
        "battle", "+9 x8",
        [
            "Your last move: Defending with 9 lifts you to 19 life points and keeps the win: it can be "
            "forced in 8 more moves.",
            "Ben's last move: Every move loses to best play; after attacking with 8 only 10 of your 14 "
            "answers win.",
        ],
    ),
    (
        "battle", "x1",
        [
            "Your last move: Attacking with 1 throws the win away. 10 of the 18 moves kept the win, for "
            "example attacking with 9. Ben's answer: The 9 would finish Ben, so Ben uses it first: the "
            "highest digit left is then 8, and Ben has 9 life points.",
        ],
    ),
    (
        "sabotage", "0a1 0b1",
        [
            "Your last move: Every move loses to best play; after 0 in your thousands only 1 of Ben's 70 "
            "answers wins.",
            "Ben's last move: 0 in Ben's thousands makes the boards equal. Ben can copy every move to the "
            "other board from now on: the numbers end equal, and then Ben wins.",
        ],
    ),
    (
        "cards", "d7 k d2 g d9",
        [
            "Your last move: If Ben errs on one choice in ten, keeping the 7 wins the round in 15% of cases, "
            "giving it away in 89%. Ben's hand should be full before yours: then only you draw and can throw "
            "away all but the best cards. "
            "If Ben never errs, keeping the 7 wins the round in under 1% of cases, giving it away in 87%.",
            "Ben's last move: Ben gives you the 2: your chance falls from 15% to 10%.",
        ],
    ),
    # The reveal has shown Ben's number.
    # 911 against 500, and a 9 that is thrown away comes back.
    (
        "cards", "d0 g d1 g d0 g d1 g d5 g d9 k",
        [
            "Ben's last move: Ben gives you the 1: your chance stays over 99.9%.",
            "Your last move: The round is won either way.",
        ],
    ),
    (
        "cards", "d9 k d5 g d9 k d2 k d9 k d9 k a995 b992 d5",
        ["Your last move: 995 is the highest number of these digits."],
    ),
)  # fmt: skip


@pytest.mark.parametrize(("id", "moves", "answers"), WHYS)
def test_why_tells_what_the_last_moves_did(id: str, moves: str, answers: list[str]) -> None:
    table = variant(id)
    assert list(why(table, follow(table.game, moves.split()), Seat.FIRST, NAMES)) == answers


def explained(moves: str, seat: Seat, **options: str) -> str:
    table = variant("cards", **options)
    return " ".join(why(table, follow(table.game, moves.split()), seat, NAMES))


def test_a_full_hand_that_still_draws_has_something_left_to_decide() -> None:
    moves = "d9 k d1 g d9 k d4 g"  # Ann's hand is full, so Ben throws the 4 away
    told = explained(moves, Seat.FIRST)
    assert told.endswith("Ben throws the 4 away; your hand is full, so there is nothing left to decide.")
    told = explained(moves, Seat.FIRST, full_turn="alternate")
    assert told.endswith("Ben's last move: Ben throws the 4 away.")


def test_open_cards_are_no_matter_of_belief() -> None:
    moves = "d8 g d1 k d5 k d5 g d8 k"
    assert explained(moves, Seat.FIRST).endswith("Ben holds a 9, and the round is lost either way.")
    told = explained(moves, Seat.FIRST, visibility="open")
    assert told.endswith("never errs, keeping the 8 wins the round in 0% of cases, giving it away in 100%.")


def test_what_is_certain_does_not_depend_on_errors() -> None:
    """Ben holds 5, 5 and 4, Ann 3 and 3: kept, her 4 loses, and with one of the nines she makes 933."""
    moves = "d5 g d3 g d5 g d3 g d4 g d4 k"
    told = "Keeping the 4 loses the round for certain, throwing it away wins it."
    answer = explained(moves, Seat.FIRST, visibility="open")
    assert f"Your last move: {told}" in answer
    assert "err" not in answer.split(told)[1]


def test_nothing_is_said_of_a_perfect_player_by_the_solution_of_other_rules() -> None:
    moves = "d8 g d1 k d5 k d5 g d8 k"
    assert "If Ben never errs" in explained(moves, Seat.FIRST, facing_full="cap:8")
    assert "If Ben never errs" not in explained(moves, Seat.FIRST, facing_full="cap:9")


@pytest.mark.parametrize(
    ("option", "reason"),
    [
        ({"hand_size": "2"}, "The odds for these rules take too long to work out here."),
        ({"hand_size": "4"}, "The odds are not known for these rules."),
        ({"full_turn": "alternate"}, "The odds are not known for these rules."),
        ({"visibility": "open", "facing_full": "cap:9"}, "The odds are not known for these rules."),
    ],
)
def test_a_hint_by_the_tips_says_why_it_has_no_odds(option: dict[str, str], reason: str) -> None:
    assert hinted(variant("cards", **option), "d7").reason.sentence == (
        f"The rulebook's tips say: keep the 7. {reason}"
    )


@pytest.mark.parametrize(
    ("moves", "tip"),
    [
        ("d2", "The rulebook's tips say: give the 2 away."),
        ("d3", "A rule of thumb says: give the 3 away."),
        ("d6", "A rule of thumb says: keep the 6."),
        ("d0 g d0 k d0 g d0 g d7", "A rule of thumb says: throw the 7 away."),  # Ben holds three zeros
        ("d9 k d1 g d9 k d8", "The rulebook's tips say: keep the 8."),
        ("d9 k d1 g d9 k d1 k d8", "A rule of thumb says: throw the 8 away."),  # Ann's hand is full
    ],
)
def test_only_what_the_rulebook_says_is_called_its_tip(moves: str, tip: str) -> None:
    """It says to keep 7, 8 and 9 and to give 0, 1 and 2, and nothing of throwing cards away."""
    assert hinted(variant("cards", full_turn="alternate"), moves).reason.sentence == (
        f"{tip} The odds are not known for these rules."
    )


@pytest.mark.parametrize(
    ("rule", "moves", "reason"),
    [
        ("must_keep", "d0 g d0 k d0 g d7", "with Ben's hand full, every card must be kept."),
        ("cap:1", "d0 g d0 k d0 g d1 g d7", "cards can no longer be thrown away."),
    ],
)
def test_a_card_that_must_be_kept_is_explained_by_the_rule(rule: str, moves: str, reason: str) -> None:
    """With must_keep no card could ever be thrown away, so that is not over."""
    assert hinted(variant("cards", facing_full=rule), moves).reason.sentence == f"Keep the 7: {reason}"


@pytest.mark.parametrize(
    ("share", "whole", "one_decimal"),
    [
        (0.0, "0%", "0%"),
        (0.0094, "under 1%", "0.9%"),
        (0.00997, "1%", "1.0%"),
        (0.99003, "99%", "99.0%"),
        (0.9906, "over 99%", "99.1%"),
        (0.99999, "over 99%", "over 99.9%"),
        (1.0, "100%", "100%"),
    ],
)
def test_a_share_in_whole_percent_does_not_contradict_its_decimal(
    share: float, whole: str, one_decimal: str
) -> None:
    """A review says 1.0% of a choice, and then explains it with whole percents."""
    assert (whole_percent(share), percent(share)) == (whole, one_decimal)


def test_why_does_not_open_a_sealed_digit() -> None:
    table = variant("battle", start_life="1", max_life="1", pool="1-2")
    steps = follow(table.game, ["+1", "+2", "b3"])  # equal at the end of the pool, and Ben has chosen
    told = why(table, steps, Seat.FIRST, NAMES)
    assert [line.split(":")[0] for line in told] == ["Your last move", "Ben's last move"]
    assert not any("3" in line for line in told)


def test_every_answer_to_why_is_a_whole_sentence() -> None:
    for id in GAMES:
        table = variant(id)
        for line in why(table, follow(table.game, _example(table)), Seat.SECOND, NAMES):
            assert line.endswith(".")


def _example(table: AnyVariant) -> tuple[str, ...]:
    return read_record(table.rules.example).moves[:-1]


@pytest.mark.parametrize("id", GAMES)
def test_a_hint_and_a_why_take_no_time_once_loaded(id: str) -> None:
    table = variant(id)
    taken = []
    for at, (state, seat) in enumerate(sampled(table, 31, f"speed {id}")):
        view, legal = table.game.view(state, seat), table.game.legal(state, seat)
        began = time.process_time()
        hint(table, view, seat, legal, NAMES)
        taken += [time.process_time() - began] if at else []  # the first one loads
    assert median(taken) < MOST_SECONDS


def test_importing_the_coach_does_not_import_numpy() -> None:
    code = "import digit_duel.coach.advice, digit_duel.coach.review, sys; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
