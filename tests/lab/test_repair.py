"""A report says what an edition gains and costs, and what copying is worth."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from importlib.resources import files

import pytest

from digit_duel.games import catalogue, ids, variant
from digit_duel.lab.copying import copying
from digit_duel.lab.report.advice import advice
from digit_duel.lab.report.figures import Figures
from digit_duel.lab.report.html_page import html
from digit_duel.lab.report.plain_text import as_json, text
from digit_duel.lab.report.repair import Repair, changed_by, in_force, named_edition, repair
from digit_duel.lab.report.rivals import rivals
from digit_duel.lab.study import best_play, study

EVEN = {"sensible": 0.5, "careful": 0.5, "sharp": 0.5}
AHEAD = {"sensible": 0.6, "careful": 0.7, "sharp": 0.8}
STEPS = [0.7, 0.8, 0.75]
FAIR = variant("classic").editions[0]
EVEN_FIGURES = Figures(0.5, EVEN, 0.0, STEPS, 0.0, 0.0, 6.0)


def a_repair(now: Figures, then: Figures) -> Repair:
    return Repair(FAIR, now, then)


def test_gains_and_costs_are_told_in_words() -> None:
    now = Figures(1.0, AHEAD, 0.0, STEPS, 0.0, 0.0, 6.0)
    then = Figures(0.5, EVEN, 0.0, [0.51, 0.52, 0.5], 0.1, 1.0, 12.0)
    assert a_repair(now, then).told == [
        ("It gains", "fairer with best play and between people."),
        ("It costs", "skill hardly counts; more draws; games 2.0 times as long."),
    ]
    assert a_repair(now, then).invitation == "Try"


def test_what_is_left_is_told() -> None:
    now = Figures(1.0, AHEAD, 0.0, STEPS, 0.0, 0.0, 10.0)
    then = Figures(0.0, {"sensible": 0.55, "careful": 0.56, "sharp": 0.45}, 0.0, STEPS, 0.0, 0.0, 10.5)
    told = dict(a_repair(now, then).told)
    assert told["It gains"] == "fairer between people."
    assert told["It costs"] == "unfair the other way round with best play."
    assert told["It does not repair"] == (
        "with best play the second player always wins instead; between careful players the first player still"
        " gets 56% of the points. In a match, swapping seats evens that out."
    )
    assert a_repair(now, then).invitation == "Between people, try"


def test_what_games_played_cannot_tell_apart_is_about_the_same() -> None:
    now = Figures(0.0, {"sensible": 0.52, "careful": 0.56, "sharp": 0.43}, 0.02, STEPS, 0.0, 0.0, 8.0)
    then = Figures(0.5, {"sensible": 0.53, "careful": 0.58, "sharp": 0.59}, 0.02, STEPS, 0.007, 1.0, 8.0)
    words = [(row.now, row.then, row.word) for row in a_repair(now, then).rows]
    assert words == [
        ("0%", "50%", "fairer"),
        ("52%", "53%", "about the same"),
        ("56%", "58%", "about the same"),
        ("43%", "59%", "unfair the other way round"),
        ("70 to 80%", "70 to 80%", "about the same"),
        ("0%", "1%", "about the same"),
        ("0%", "100%", "more draws"),
        ("8", "8", "about the same"),
    ]
    assert a_repair(now, then).invitation == "Where players know the best moves, try"


def test_an_edition_costs_nothing_only_if_nothing_gets_worse() -> None:
    now = Figures(1.0, AHEAD, 0.01, STEPS, 0.0, 0.0, 6.0)
    then = Figures(0.5, EVEN, 0.01, STEPS, 0.0, 0.0, 6.0)
    assert dict(a_repair(now, then).told)["It costs"] == "nothing."
    slower = replace(then, length=6.4)
    assert dict(a_repair(now, slower).told)["It costs"] == "nothing."  # both are about six moves
    less_fair = replace(then, equals={**EVEN, "sensible": 0.62})
    assert dict(a_repair(now, less_fair).told)["It costs"] == (
        "perhaps a little: less fair between sensible players."
    )


def test_a_report_shows_an_edition_beside_the_rules() -> None:
    found = study(variant("classic").customised({"places": "2", "pool": "1-5"}))
    measured = repair(found)
    assert measured is not None
    assert (measured.now.best, measured.then.best) == (1.0, 0.5)
    assert measured.is_advisable
    assert "first player, with best play 100% 50% fairer" in " ".join(text(found, measured).split())
    assert "It costs</dt><dd>skill hardly counts." in html(found, measured)
    told = as_json(found, measured)["edition"]
    assert isinstance(told, dict)
    assert told["then"]["best"] == 0.5
    worse = replace(measured, then=replace(measured.then, best=1.0, equals=dict.fromkeys(EVEN, 1.0)))
    assert advice(found, worse)[0].startswith("The edition 'fair' does not make it fair here.")
    assert "It gains" not in text(found, worse) + html(found, worse)


def test_an_edition_that_helps_the_other_player_as_much_is_not_advised() -> None:
    """With few digits, 15 life points for the second player are far too many."""
    found = study(variant("battle").customised({"pool": "1-5", "standoff_limit": "3"}))
    measured = repair(found)
    assert measured is not None
    assert found.balance() > 0.95
    assert measured.then.equals["careful"] < 0.1
    said = " ".join(text(found, measured).split())
    assert "What to change: The edition 'fair' does not make it fair here. Search for another change." in said
    assert "It gains" not in said


def test_an_edition_that_leaves_nothing_to_decide_is_not_advised() -> None:
    found = study(variant("classic").customised({"places": "1", "pool": "1-3"}))
    measured = repair(found)
    assert measured is not None
    # Both draw a digit and place it: nobody chooses anything, and each digit is as likely for either.
    assert (measured.now.best, measured.then.best) == (1.0, 0.5)
    assert set(measured.then.equals.values()) == {0.5}
    assert not measured.leaves_choices
    assert "would leave nothing to decide" in text(found, measured).replace("\n  ", " ")
    assert "It gains" not in text(found, measured) + html(found, measured)


def test_an_edition_replaces_compensations_and_must_fit_the_other_rules() -> None:
    classic, battle = variant("classic"), variant("battle")
    with_bonus = classic.customised({"places": "2", "bonus": "11", "swap": "yes"})
    changed = changed_by(with_bonus, classic.editions[0])
    assert changed is not None
    assert changed.settings == {"places": "2", "pick": "draw"}
    # 15 life points at the start are more than 10 at the most.
    assert changed_by(battle.customised({"max_life": "10"}), battle.editions[0]) is None
    played = classic.edition("fair")
    assert changed_by(played, classic.editions[0]) is None
    assert in_force(played) == classic.editions[0]
    assert in_force(classic) is None
    found = study(battle.customised({"max_life": "10", "pool": "1-3", "start_life": "3"}))
    assert named_edition(found) is None
    assert advice(found, None)[0] == "No edition fits these rules. Search for another change."


def test_a_report_on_a_rulebook_names_rival_repairs() -> None:
    classic = variant("classic")
    found = study(classic.customised({"places": "1", "pool": "1-3"}))
    assert rivals(found, None) == []  # their figures are those of the rulebook
    of_rulebook = replace(found, variant=classic)
    of_edition = replace(found, variant=classic.edition("fair"))
    assert [rival.options for rival in rivals(of_edition, None)] == [{"tie": "draw", "bonus": "111"}]
    beside = rivals(of_rulebook, a_repair(EVEN_FIGURES, EVEN_FIGURES))
    assert [rival.options for rival in beside] == [{"tie": "draw", "bonus": "111"}]
    assert beside[0].command == "digit-duel play classic --set tie=draw --set bonus=111"
    assert beside[0].figures.best == 0.5  # 111 points are what the first player wins by with best play
    assert beside[0].sentence.startswith(
        "Who wins a tie: draw (rulebook: second). Points for the second player when the numbers are compared:"
        " 111 (rulebook: 0). Then the first player gets 50% of the points with best play and 45 to 48%"
    )
    for page in (text(of_rulebook), re.sub("<[^>]*>", "", html(of_rulebook))):
        assert beside[0].command in page


@pytest.mark.slow  # cards takes a minute
@pytest.mark.parametrize("id", ids())
def test_the_shipped_figures_are_those_of_the_rulebooks_and_their_editions(id: str) -> None:
    shipped = json.loads((files("digit_duel.lab") / "editions.json").read_text(encoding="utf-8"))
    rulebook = catalogue()[id]
    for rules in (rulebook, *(rulebook.edition(edition.name) for edition in rulebook.editions)):
        name = " ".join([id, *(f"{option}={value}" for option, value in rules.settings.items())])
        best, _ = best_play(rules)
        assert best is not None
        assert shipped[name]["best_play"]["points"] == pytest.approx(float(best.points), abs=1e-6)


@pytest.mark.parametrize(
    ("rules", "score"),
    [
        ("sabotage", 1),  # equal numbers, and a tie is the second player's
        ("sabotage tie=draw", 0),
        ("sabotage tie=first", -1),
        ("classic pool=1-9x2", 1),  # every digit is there twice
        ("classic", None),  # once
        ("classic pick=draw", None),
        ("classic swap=yes", None),
        ("battle", None),
        ("battle pool=5x2 start_life=20", None),  # ends in sudden death, where both choose at once
    ],
)
def test_copying_is_worth_what_the_rules_say(rules: str, score: int | None) -> None:
    id, *settings = rules.split()
    game = variant(id).customised(dict(setting.split("=") for setting in settings)).game
    assert copying(game) == score


def test_a_report_names_copying_where_it_wins() -> None:
    found = study(variant("sabotage").customised({"places": "2", "pool": "0-3x2"}))
    assert found.best is not None
    assert found.best.copying == 1
    assert "copies every move of the first player, on the other side of the table, always wins." in " ".join(
        text(found).split()
    )


def test_what_to_expect_of_an_edition_is_told_before_a_game_and_measured_in_a_report() -> None:
    """Games of battle's fair edition are long with the rulebook's pool, but may be short with another."""
    (fair,) = variant("battle").editions
    assert fair.summary == f"{fair.change} Games last about four times as long."
    told, _ = advice(study(variant("battle").customised({"pool": "1-5", "start_life": "3"})), None)
    assert fair.change in told
    assert "four times" not in told


@pytest.mark.parametrize(("game", "only"), [("classic", "You place 9 in your hundreds."), ("battle", "")])
def test_the_one_first_move_that_keeps_the_result_is_told_in_words(game: str, only: str) -> None:
    best, _ = best_play(variant(game))
    assert best is not None
    assert best.only == only
