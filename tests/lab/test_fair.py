"""lab fair finds the known repairs by itself, and lists them by what they are worth."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from digit_duel.games import variant
from digit_duel.lab import fair_text
from digit_duel.lab.candidates import Candidate, Search
from digit_duel.lab.equals.level_moves import LEVELS
from digit_duel.lab.equals.pair_statistics import PairStatistics
from digit_duel.lab.fair import PAIRS as FAIR_PAIRS
from digit_duel.lab.fair import Found, Measured, fairest
from digit_duel.lab.fair_text import as_json


def found(id: str, **settings: str) -> dict[str, object]:
    chosen = variant(id).customised(settings)
    return {
        " ".join(f"{name}={value}" for name, value in one.options.items() if name not in settings): one.value
        for one in Search(chosen).candidates()
    }


def test_the_repairs_of_classic_with_two_places_are_found() -> None:
    values = found("classic", places="2")
    assert values["tie=draw bonus=11"] == 0  # with best play the numbers end 11 apart
    assert values["bonus=10"] == 1
    assert values["bonus=11"] == -1
    assert str(values["pick=draw"]) == "-1/63"
    assert next(iter(values)) in ("tie=draw bonus=11", "pick=draw")


def test_a_second_change_that_changes_nothing_is_left_out() -> None:
    values = found("classic", places="2")
    assert "pick=draw" in values
    assert "tie=draw pick=draw" not in values  # with every digit once there are no ties


@pytest.mark.slow
@pytest.mark.parametrize(
    ("id", "repair", "value"),
    [
        ("classic", "tie=draw bonus=111", "0"),
        ("classic", "pick=draw", "-1/180"),
        ("battle", "second_life=14", "1"),
        ("battle", "second_life=15", "-1"),
        ("battle", "second_life=15 standoff=draw", "0"),
        ("reverse", "tie=draw bonus=111", "0"),
        ("reverse", "pick=draw", "-1/180"),
        ("sabotage", "tie=draw", "0"),
    ],
)
def test_the_known_repairs_are_found(id: str, repair: str, value: str) -> None:
    assert str(found(id)[repair]) == value


def test_a_tie_that_is_a_draw_repairs_a_small_sabotage() -> None:
    assert found("sabotage", places="2", pool="0-3x2")["tie=draw"] == 0


def test_the_pie_rule_is_searched_alone_and_with_what_makes_best_play_even() -> None:
    values = found("sabotage", places="2", pool="0-3x2")
    assert values["swap=yes"] == -1  # the second player, ahead by copying, keeps their seat
    assert values["tie=draw swap=yes"] == 0
    assert "reach=own swap=yes" not in values  # as unfair as the pie rule alone
    assert found("classic", places="2", swap="yes").keys() >= {"pick=draw"}


def test_the_pie_rule_makes_a_sabotage_with_drawn_ties_fairer_between_people(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIGIT_DUEL_HOME", str(tmp_path))
    listed = fairest(variant("sabotage").customised({"places": "2", "pool": "0-3x2"}), most=3).editions
    shares = {
        " ".join(f"{name}={value}" for name, value in one.candidate.options.items()): one.balance()
        for one in listed
    }
    alone, both = (shares[f"places=2 pool=0-3x2 tie=draw{more}"] for more in ("", " swap=yes"))
    assert 0.56 < alone < 0.59  # 57.3% by the exact computation, and as many in games played
    assert 0.47 < both < 0.5


SMALL = variant("classic").customised({"places": "1", "pool": "1-4"})


def test_the_fairest_are_measured_between_equals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIGIT_DUEL_HOME", str(tmp_path))
    listed = fairest(SMALL, most=2, games=200)
    assert listed.rulebook is not None
    assert listed.rulebook.candidate.value == 1
    assert listed.rulebook.balance("sharp") > 0.6
    assert len(listed.editions) == 2
    for one in listed.editions:
        assert 0 <= one.balance() <= 1
        assert one.candidate.command.startswith(
            "digit-duel play classic --set places=1 --set pool=1-4 --set "
        )
    assert not list(tmp_path.rglob("*.journal"))


def test_an_interrupted_search_goes_on_where_it_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIGIT_DUEL_HOME", str(tmp_path))
    whole = fairest(SMALL, most=3, games=200)

    def interrupt(done: int, total: int | None = None, unit: str = "") -> None:
        if "measured" in unit and done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fairest(SMALL, 3, 200, interrupt)
    (journal,) = tmp_path.rglob("*.journal")
    lines = journal.read_bytes().splitlines()
    assert sum(b'"measure ' in line for line in lines) == 2
    again = fairest(SMALL, most=3, games=200)
    assert as_json(again) == as_json(whole)
    assert not journal.exists()


def measured(options: dict[str, str], points: float, edge: float) -> Measured:
    shares = {
        (first, second): points
        if first == second
        else 0.5 + (LEVELS.index(first) - LEVELS.index(second)) * (edge - 0.5)
        for first, second in FAIR_PAIRS
    }
    pairs = {pair: PairStatistics(share, 0, 6, 0, 0, 0, 0) for pair, share in shares.items()}
    return Measured(Candidate(variant("classic").customised(options), Fraction(0)), pairs)


def test_a_fair_edition_without_skill_is_not_the_last_word() -> None:
    chance = measured({"pick": "draw"}, 0.5, 0.51)
    skill = measured({"tie": "draw", "bonus": "111"}, 0.47, 0.7)
    said = fair_text.text(Found(None, [chance, skill], {}, 2))
    assert said.startswith("The fairest: pick=draw, the edition 'fair'\n")
    assert "take number 2: tie=draw bonus=111. There a level scores 70%." in said
    said = fair_text.text(Found(None, [skill, chance], {}, 2))
    assert said.startswith("The fairest: tie=draw bonus=111\n")
    assert "take number" not in said


def test_a_list_says_how_far_off_shares_from_games_played_may_be() -> None:
    exact = measured({"tie": "draw", "bonus": "111"}, 0.47, 0.7)
    pairs = {pair: replace(between, uncertainty=0.0912) for pair, between in exact.pairs.items()}
    lines = fair_text.text(Found(None, [exact, replace(exact, pairs=pairs)], {}, 2)).splitlines()
    assert "rules best play sensible careful sharp ± skill changes" in " ".join(lines[7].split())
    assert lines[8].split()[-5:] == ["47.0", "47.0", "0", "20", "2"]
    assert lines[9].split()[-4:] == ["47.0", "9.1", "20", "2"]


def test_rule_sets_that_play_alike_are_listed_once_and_repairs_can_be_undone() -> None:
    """A bonus of one is as good as winning ties, and rules with swap=yes may do without it."""
    classic = variant("classic").customised({"places": "1", "pool": "1-3", "swap": "yes"})
    found = fairest(classic, 20)
    named = [one.candidate.options for one in found.editions]
    assert {"places": "1", "pool": "1-3", "pick": "draw"} in named  # without swap
    played = [
        (one.candidate.value, *(round(between.points, 6) for between in one.pairs.values()))
        for one in found.editions
    ]
    assert len(set(played)) == len(played)


def test_nothing_is_called_fair_that_is_not() -> None:
    unfair = measured({"bonus": "5"}, 0.8, 0.7)
    said = fair_text.text(Found(None, [unfair], {}, 1))
    assert said.startswith("None of these changes makes it fair. The closest:")
