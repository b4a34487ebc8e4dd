"""The exact row of a policy, by the library and by the command; and games refused before the work."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from digit_duel import solve
from digit_duel.cli.commands import main
from digit_duel.core.game import Seat
from digit_duel.games._cards import Cards
from digit_duel.games._placement import Placement
from digit_duel.solve.placing.slots import Slots


def rung(name: str) -> solve.Rung:
    return next(rung for rung in solve.ladder() if rung.name == name)


def test_the_row_of_uniform_play_with_one_card_each() -> None:
    # Three cards, one each. Kept or given at random, the first seat wins half: it scores 0 against itself.
    # The best first seat keeps a 2 and gives a 0 (a 1 is even): 2 * 5/6 - 1. The second never chooses.
    row = solve.evaluate(solve.tabulate(rung("cards-1").variant, solve.uniform))
    assert (row.rung, row.value) == ("cards-1", Fraction(2, 3))
    assert (row.plays, row.first, row.second) == (0, Fraction(2, 3), 0)
    assert (row.nash_conv, row.exploitability) == (Fraction(2, 3), Fraction(1, 3))


def test_the_command_prints_the_row(tmp_path: Path) -> None:
    path = tmp_path / "uniform.policy"
    solve.save_policy(solve.tabulate(rung("cards-1").variant, solve.uniform), path)
    shown = CliRunner().invoke(main, ["research", "evaluate", str(path)])
    assert shown.output.splitlines()[0].startswith("cards-1: a policy for ")
    assert shown.output.splitlines()[-1] == "NashConv 2/3 (0.666666667), exploitability 1/3 (0.333333333)."
    told = json.loads(CliRunner().invoke(main, ["research", "evaluate", str(path), "--json"]).output)
    # Numbers that a program can compare, and each as a fraction in a field of its own.
    assert (told["rung"], told["plays"], told["nash_conv"]) == ("cards-1", 0, pytest.approx(2 / 3))
    assert (told["plays_exact"], told["nash_conv_exact"], told["exploitability_exact"]) == ("0", "2/3", "1/3")


def test_the_numbers_of_a_policy_of_floats_have_no_fraction(tmp_path: Path) -> None:
    path = tmp_path / "floats.policy"
    halves = solve.tabulate(rung("cards-1").variant, lambda view, legal: dict.fromkeys(legal, 1 / len(legal)))
    solve.save_policy(halves, path)
    told = json.loads(CliRunner().invoke(main, ["research", "evaluate", str(path), "--json"]).output)
    assert (told["nash_conv"], told["nash_conv_exact"]) == (pytest.approx(2 / 3), None)
    assert (told["value"], told["value_exact"]) == (pytest.approx(2 / 3), "2/3")


@pytest.mark.parametrize(
    ("text", "reason"), [(None, "cannot be read"), ("nonsense\n", "line 1: this is not valid JSON")]
)
def test_a_file_that_is_no_policy_is_refused_with_a_sentence(
    tmp_path: Path, text: str | None, reason: str
) -> None:
    path = tmp_path / "some.policy"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    refused = CliRunner().invoke(main, ["research", "evaluate", str(path)])
    assert reason in str(refused.exception)


def test_a_game_that_is_too_big_is_refused_before_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    plays, play = [0], Cards.play

    def counted(self: Cards, state: Any, move: Any) -> Any:
        plays[0] += 1
        return play(self, state, move)

    monkeypatch.setattr(Cards, "play", counted)
    for name in ("cards-8", "cards-9", "cards-10"):
        game = rung(name).variant.game
        for ask in (
            lambda game=game: solve.nash_conv(game, solve.uniform),
            lambda game=game: solve.equilibrium(game),
            lambda name=name: solve.tabulate(rung(name).variant, solve.uniform),
        ):
            plays[0] = 0
            with pytest.raises(solve.TooBig, match="far more than 2,000,000 moves"):
                ask()
            assert plays[0] < 20_000


def test_an_open_game_that_is_too_big_is_refused_before_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    plays, play = [0], Placement.play

    def counted(self: Placement, state: Any, move: Any) -> Any:
        plays[0] += 1
        return play(self, state, move)

    monkeypatch.setattr(Placement, "play", counted)
    for name in ("sabotage-8", "sabotage-9", "classic-8"):
        game = rung(name).variant.game
        for ask in (
            lambda game=game: solve.nash_conv(game, solve.uniform),
            lambda game=game: solve.equilibrium(game),
            lambda game=game: solve.check_size(game),
            lambda name=name: solve.tabulate(rung(name).variant, solve.uniform),
        ):
            plays[0] = 0
            with pytest.raises(solve.TooBig, match=r"more than 2,000,000 moves would .*, [0-9,]+ in all"):
                ask()
            assert plays[0] < 50_000
    solve.check_size(rung("sabotage-6").variant.game)


def test_the_size_of_a_game_says_nothing_about_a_policy_that_plays_few_moves() -> None:
    # Against a policy that always plays the first move, few states of 138,268 are met.
    first = solve.always(lambda view, legal: legal[0])
    game = rung("classic-7").variant.game
    with pytest.raises(solve.TooBig):
        solve.best_response(game, solve.uniform, Seat.FIRST, limit=100_000)
    assert solve.best_response(game, first, Seat.FIRST, limit=100_000).value == 1


def test_the_number_of_moves_of_a_placing_game_is_known() -> None:
    # One place, digits 1 and 2: two first moves, and one answer to each.
    assert Slots(Placement(places=1, pool=(1, 2))).moves == 4
    # With two copies of 1: each of the first moves leaves two digits after a 1, and one after a 2.
    assert Slots(Placement(places=1, pool=(1, 1, 2))).moves == 2 + 2 + 1


def test_information_sets_that_cannot_be_dealt_are_not_on_the_ladder() -> None:
    # 157,420 entries of the table; five cards of one digit are more than the four that there are.
    assert rung("cards-9").size == 157_420 - 10
    assert max(Cards().pool.count(digit) for digit in range(10)) == 4
