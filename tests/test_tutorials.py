"""Every tutorial can be played: its positions, choices and replies follow the rules, in few words."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.sixth_game import race

from digit_duel import games
from digit_duel.core.game import Seat
from digit_duel.core.laws import LawBroken, a_tutorial_can_be_played
from digit_duel.core.teaching import tutor
from digit_duel.core.teaching.tutorial import Lesson, Tutorial
from digit_duel.core.variant import AnyVariant
from digit_duel.games._cards import Cards
from digit_duel.games._cards_table import Arrange
from digit_duel.solve.cards.odds import odds
from digit_duel.solve.cards.player_model import NEVER_ERRS
from digit_duel.solve.families import BRISK, solver

LESSONS = {"classic": 4, "reverse": 4, "sabotage": 4, "cards": 6, "battle": 5}


@pytest.mark.parametrize("id", LESSONS)
def test_each_of_the_five_games_has_a_tutorial_that_can_be_played(id: str) -> None:
    chosen = games.variant(id)
    assert chosen.tutorial is not None
    assert len(chosen.tutorial.lessons) == LESSONS[id]
    a_tutorial_can_be_played(chosen)


def test_a_game_of_ones_own_may_bring_a_tutorial() -> None:
    a_tutorial_can_be_played(race())
    a_tutorial_can_be_played(replace(race(), tutorial=None))


def test_a_tutorial_belongs_to_the_rules_of_the_rulebook() -> None:
    classic = games.variant("classic")
    assert classic.customised({"places": "2"}).tutorial is None
    assert classic.customised({"places": "3"}).tutorial is classic.tutorial


def _lesson(id: str, number: int) -> tuple[AnyVariant, Lesson]:
    chosen = games.variant(id)
    assert chosen.tutorial is not None
    return chosen, chosen.tutorial.lessons[number - 1]


def _judged(id: str, number: int, move: str) -> tutor.Feedback[object, object, object]:
    chosen, lesson = _lesson(id, number)
    state = tutor.position(chosen, lesson).state
    return tutor.judge(chosen, lesson, chosen.game.parse(state, lesson.seat, move))


def test_a_good_choice_is_played_with_the_reply() -> None:
    found = _judged("classic", 1, "9a1")
    assert found.good
    assert found.text == "900 is the best start there is. The computer puts the 8 in its hundreds."
    assert [found.session.game.text(step.move) for step in found.session.steps] == ["9a1", "8b1"]


def test_another_choice_changes_nothing_and_is_answered() -> None:
    found = _judged("classic", 1, "9a2")
    assert not found.good
    assert found.text.endswith("Put it in your hundreds.")
    assert found.session.steps == []


def test_cards_are_dealt_as_the_lesson_says_and_no_further() -> None:
    found = _judged("cards", 1, "a942")
    state = found.session.state
    assert state.wins == (1, 0)  # type: ignore[attr-defined]
    assert state.drawn is None  # type: ignore[attr-defined]  # the reveal lies on the table


def test_sudden_death_is_won_by_two_points() -> None:
    found = _judged("battle", 5, "a5")
    assert found.session.state.life == (4, 0)  # type: ignore[attr-defined]


def test_a_learner_who_goes_second_sits_in_the_second_seat() -> None:
    chosen, lesson = _lesson("sabotage", 4)
    assert tutor.names(lesson) == ("Computer", "You")
    found = _judged("sabotage", 4, "0b4")
    assert found.session.outcome is not None
    assert found.session.outcome.winner is Seat.SECOND
    assert chosen.tutorial is not None


def test_a_screen_points_at_what_is_to_be_done_but_not_at_what_is_to_be_found() -> None:
    classic, first = _lesson("classic", 1)
    assert classic.game.text(tutor.pointed_at(classic, first)) == "9a1"
    assert tutor.pointed_at(*_lesson("classic", 4)) is None


GOOD = Lesson(text="Take the 9.", good="9a1", well="Yes.", otherwise="No, the 9.", reply="8b1")


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        (replace(GOOD, at="9a1 9b1", good="8a1"), "A line of moves is illegal"),
        (replace(GOOD, reply="9b1"), "A line of moves is illegal"),
        (replace(GOOD, good="9b1"), "which is not what can be chosen"),
        (replace(GOOD, good="9a1 zero"), "which is not what can be chosen"),
        (replace(GOOD, at="1a1"), "which is not what can be chosen"),  # the other player's turn
        (replace(GOOD, otherwise=""), "has no second try"),
        (replace(GOOD, good="9a1 8a1", reply=""), "points at"),
        (replace(GOOD, text="take the 9."), "is not a sentence"),
        (replace(GOOD, well="Yes. " * 30), "is not a sentence"),
    ],
)
def test_a_broken_lesson_is_found(broken: Lesson, why: str) -> None:
    classic = games.variant("classic")
    a_tutorial_can_be_played(replace(classic, tutorial=Tutorial((GOOD,))))
    with pytest.raises(LawBroken, match=why):
        a_tutorial_can_be_played(replace(classic, tutorial=Tutorial((broken,))))


def test_a_tutorial_has_at_most_six_lessons() -> None:
    with pytest.raises(LawBroken, match="7 lessons"):
        a_tutorial_can_be_played(replace(games.variant("classic"), tutorial=Tutorial((GOOD,) * 7)))


@pytest.mark.parametrize("id", LESSONS)
def test_where_a_choice_ends_the_game_the_good_ones_are_those_that_win(id: str) -> None:
    chosen = games.variant(id)
    assert chosen.tutorial is not None
    for lesson in chosen.tutorial.lessons:
        game, state = chosen.game, tutor.position(chosen, lesson).state
        ends = {
            game.text(move): game.outcome(game.play(state, move)) for move in game.legal(state, lesson.seat)
        }
        if all(ends.values()):
            won = {text for text, outcome in ends.items() if outcome and outcome.winner is lesson.seat}
            assert won == set(lesson.good.split() or ends), lesson.text


def _values(chosen: AnyVariant, lesson: Lesson) -> dict[str, tuple[float, bool]]:
    """What each choice leads to from what the learner sees, and whether it is a best one."""
    game, view = chosen.game, tutor.position(chosen, lesson).view(lesson.seat)
    if {type(move) for move in tutor.moves(chosen, lesson)} == {Arrange}:
        numbers = {game.text(move): move.digits for move in tutor.moves(chosen, lesson)}
        return {text: (int(text[1:]), digits == max(numbers.values())) for text, digits in numbers.items()}
    found = solver(game).evaluate(view, lesson.seat, BRISK)
    return {move.text: (float(move.value), move.best) for move in found.moves}


@pytest.mark.parametrize("id", LESSONS)
def test_every_lesson_teaches_a_best_move_and_turns_no_better_one_down(id: str) -> None:
    """By the solution of the game; in cards by the odds against a player who sometimes errs."""
    chosen = games.variant(id)
    assert chosen.tutorial is not None
    for lesson in chosen.tutorial.lessons:
        known = _values(chosen, lesson)
        good = lesson.good.split() or list(known)
        top = max(value for value, _ in known.values())
        assert {known[text][0] for text in good} == {top}, lesson.text
        assert any(known[text][1] for text in good), lesson.text


def test_the_lessons_of_cards_are_right_against_a_perfect_player_too() -> None:
    chosen = games.variant("cards")
    taught = []
    for number in range(1, LESSONS["cards"] + 1):
        _, lesson = _lesson("cards", number)
        view = tutor.position(chosen, lesson).view(lesson.seat)
        if view.drawn is not None:
            found = odds(chosen.game_as(Cards), view, NEVER_ERRS)
            assert found.cost(lesson.good == "k") == 0
            taught.append(lesson.good)
    assert taught == ["g", "k", "g", "g", "g"]  # fill the other hand first, even with a 9; then wait


@pytest.mark.parametrize(
    ("id", "at", "good"),
    [
        ("cards", "d9", "k"),  # a 9 as the first card wins more when it is given away
        ("classic", "", "8a1"),  # only 9a1 wins
        ("battle", "+1 x9", "x6"),
        ("battle", "x9 +8 +7", "x1"),
    ],
)
def test_a_lesson_that_taught_a_worse_move_would_be_found(id: str, at: str, good: str) -> None:
    chosen = games.variant(id)
    seat = Seat.SECOND if len(at.split()) % 2 and id == "battle" else Seat.FIRST
    known = _values(chosen, Lesson(text="", good=good, well="", at=at, seat=seat))
    assert not known[good][1]
