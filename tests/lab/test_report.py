"""lab report says whether a rule set is fair, and what to change."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from digit_duel.games import variant
from digit_duel.lab.equals.level_moves import LEVELS
from digit_duel.lab.equals.pair_statistics import PAIRS, PairStatistics
from digit_duel.lab.report.advice import advice
from digit_duel.lab.report.html_page import html
from digit_duel.lab.report.plain_text import text
from digit_duel.lab.report.words import headline, points, verdict
from digit_duel.lab.study import BestPlay, Study, study, who_wins


@pytest.mark.parametrize(
    ("balance", "said"),
    [
        (0.5, "Fair"),
        (0.519, "Fair"),
        (0.46, "Nearly fair, slightly better for the second player"),
        (0.58, "Clearly better for the first player"),
        (0.9, "Much better for the first player"),
    ],
)
def test_a_verdict_is_a_few_words(balance: float, said: str) -> None:
    assert verdict(balance) == said


def test_a_verdict_says_when_too_few_games_were_played() -> None:
    assert verdict(0.505, 0.09) == "No advantage found, but too few games to be sure"
    assert verdict(0.505, 0.013) == "Fair"
    assert verdict(0.7, 0.09) == "Clearly, perhaps much better for the first player"
    assert verdict(0.7, 0.07) == "Much better for the first player"
    assert verdict(0.442, 0.02) == "Slightly, perhaps clearly better for the second player"
    assert (
        verdict(0.549, 0.031) == "Perhaps slightly, perhaps clearly better for the first player"
    )  # 1.8 to 8
    assert verdict(0.53, 0.015) == "Perhaps slightly better for the first player"


def test_a_report_is_text_a_page_and_json(tmp_path: Path) -> None:
    game = ["classic", "--set", "places=1", "--set", "pool=1-3"]
    command = [
        sys.executable,
        "-m",
        "digit_duel",
        "lab",
        "report",
        *game,
        "--json",
        "--html",
        str(tmp_path / "r.html"),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    told = json.loads(done.stdout)
    assert told["best_play"] == {
        "value": "1", "points": 1.0, "margin": 1, "moves": 2, "openings": 3, "holding_openings": 1,
        "copying": None,
    }  # fmt: skip
    assert told["exact"]
    assert told["equals"]["random"]["points"] == pytest.approx(0.5)
    assert told["equals"]["perfect"]["points"] == 1
    page = (tmp_path / "r.html").read_text()
    assert "Is classic fair?" in page
    assert "http" not in page  # nothing is loaded from elsewhere
    answer, change, why = (page.index(part) for part in ("No: much better", "What to change", "<h2>Why</h2>"))
    assert answer < change < why
    # Random players: the first to choose has each digit as often as the second, so a half each.
    assert 'aria-label="first player 50%, second player 50%"' in page
    assert page.count('<div class="bar') == 11  # the answer's two, five levels, and four steps between levels


def test_the_words_of_a_report_say_what_to_do() -> None:
    one = study(variant("classic").customised({"places": "1", "pool": "1-3"}))
    said = " ".join(text(one).split())
    assert (
        "wins within 2 moves, by a difference of 1 at the end; 1 of 3 first moves keeps that result" in said
    )
    assert "No: much better for the first player; with best play the first player always wins" in said
    assert "What to change: Try the edition 'fair'. The digit is drawn by chance" in said
    assert "Play it: digit-duel play classic --edition fair --set places=1 --set pool=1-3" in said
    assert "See how fair it is: digit-duel lab report classic --edition fair --set places=1" in said
    assert "These figures are exact" in said
    assert all(len(line) <= 80 for line in text(one).rpartition("\n\n")[2].splitlines())
    assert html(one) == html(one)


def a_study(points: float, uncertainty: float, value: int | Fraction, edge: float) -> Study:
    """A study in which equals of all levels share the points alike, and each level scores as told."""
    best = BestPlay(value, who_wins(value), None, None, 0, 0)
    pairs = {}
    for first, second in PAIRS:
        stronger = LEVELS.index(first) - LEVELS.index(second)
        share = points if stronger == 0 else 0.5 + stronger * (edge - 0.5)
        pairs[first, second] = PairStatistics(share, 0, 6, 0, 0, 0, 0, uncertainty)
    return Study(variant("classic"), best, "", pairs, 500)


@pytest.mark.parametrize(
    ("found", "answer", "change"),
    [
        (a_study(0.5, 0, 0, 0.7), "Yes: neither player has an advantage", "Nothing: it is fair."),
        (a_study(0.5, 0, 0, 0.51), "Yes: neither player has an advantage", "It is fair already. But"),
        (
            a_study(0.51, 0, -1, 0.7),
            "Yes between people; with best play the second player always wins",
            "Nothing between people. Where players know the best moves, try",
        ),
        (
            a_study(0.54, 0, Fraction(1, 20), 0.7),
            "Nearly fair, slightly better for the first player",
            "Little. If you like, try",
        ),
        (
            a_study(0.54, 0, Fraction(14, 25), 0.7),
            "Nearly fair, slightly better for the first player; with best play the first player gets 78.0%",
            "Try the edition 'fair'",
        ),
        (
            a_study(0.58, 0, -1, 0.7),
            "No: clearly better for the first player between people, but with best play the second player",
            "Try the edition 'fair'",
        ),
        (
            a_study(0.549, 0.031, Fraction(14, 25), 0.7),
            "Not quite: perhaps slightly, perhaps clearly better for the first player; with best play the",
            "Try the edition 'fair'",
        ),
        (
            a_study(0.555, 0.04, 1, 0.7),  # from 1.5 to 9.5 points off
            "Not quite: perhaps clearly better for the first player; with best play the first player always",
            "Try the edition 'fair'",
        ),
        (a_study(0.42, 0, 0, 0.7), "No: clearly better for the second player", "Try the edition 'fair'"),
        (a_study(0.53, 0.06, 0, 0.7), "Not known: no advantage found", "Nothing yet: too few games"),
    ],
)
def test_a_report_answers_first_and_says_what_to_change(found: Study, answer: str, change: str) -> None:
    assert headline(found).startswith(answer)
    assert advice(found, None)[0].startswith(change)


BOTH = "Between sharp players the first player gets {}, between sensible ones {}."
REVERSE = "Between {} players it is the reverse: the second gets {}."
TOO_FEW = "Too few games were played to tell whether that depends on how well both play."


@pytest.mark.parametrize(
    ("shares", "error", "told"),  # of the first player: sensible, careful, sharp
    [
        ((0.56, 0.5, 0.55), 0, "That hardly depends on how well both play."),
        ((0.564, 0.5, 0.482), 0, BOTH.format("48.2%", "56.4%")),
        ((0.56, 0.5, 0.45), 0, BOTH.format("45.0%", "56.0%")),  # careful players are even: no reverse
        ((0.54, 0.5, 0.62), 0, BOTH.format("62.0%", "54.0%")),
        ((0.52, 0.56, 0.45), 0, REVERSE.format("sharp", "55.0%")),
        ((0.47, 0.54, 0.55), 0, REVERSE.format("sensible", "53.0%")),
        ((0.6, 0.55, 0.51), 0, "The better both play, the fairer it becomes."),
        ((0.52, 0.55, 0.6), 0, "The better both play, the less fair it becomes, until perfect play is even."),
        ((0.52, 0.55, 0.6), 0.09, TOO_FEW),
        ((0.47, 0.54, 0.55), 0.09, TOO_FEW),
    ],
)
def test_a_report_says_how_the_balance_depends_on_how_well_both_play(
    shares: tuple[float, float, float], error: float, told: str
) -> None:
    even = a_study(0.5, 0, 0, 0.7)
    pairs = even.pairs | {
        (level, level): PairStatistics(share, 0, 6, 0, 0, 0, 0, error)
        for level, share in zip(("sensible", "careful", "sharp"), shares, strict=True)
    }
    assert dict(points(replace(even, pairs=pairs)))["Who does win"].endswith(f". {told}")


def test_a_report_from_few_games_says_so_of_skill() -> None:
    said = dict(points(a_study(0.5, 0.09, 0, 0.7)))["Does skill count?"]
    assert said.startswith("Yes, as far as so few games can tell: from careful on, each level gets 70%")


def test_a_fair_edition_without_skill_sends_the_designer_back_to_the_rulebook() -> None:
    """What leaves more to skill is another edition, not one more change."""
    edition = variant("classic").customised({"places": "2", "pick": "draw"})
    told, commands = advice(replace(a_study(0.5, 0, 0, 0.51), variant=edition), None)
    assert told.startswith("It is fair already. But skill hardly counts")
    assert commands == [("Search all changes", "digit-duel lab fair classic --set places=2")]


def test_a_page_is_red_where_the_answer_is_no() -> None:
    # 56% give or take 2: slightly or clearly better, while best play decides for the other player.
    found = a_study(0.56, 0.02, -1, 0.7)
    assert headline(found).startswith("No: slightly, perhaps clearly better for the first player")
    assert '<div class="verdict bad">' in html(found)
    assert '<div class="verdict so-so">' in html(a_study(0.53, 0, 0, 0.7))
    assert '<div class="verdict good">' in html(a_study(0.51, 0, 0, 0.7))


def test_a_report_does_not_call_a_computer_perfect_that_may_err() -> None:
    known = a_study(0.5, 0, 0, 0.7)
    assert "<b>perfect</b> makes none." in html(known)
    assert "may err" not in text(known)
    large = variant("classic").customised({"places": "9", "pool": "0-9x9"})
    unknown = replace(known, variant=large, best=None, unsolved="this game is too big to solve.")
    said = " ".join(text(unknown).split())
    assert "strongest computer here, but may err. It looks a few moves ahead and follows the tips" in said
    assert "makes none" not in html(unknown)


def test_a_computer_that_counts_cards_is_not_called_perfect_because_the_round_is_solved() -> None:
    """The starter gives any card but the 4, and then discards until the 4 is drawn: a sure win."""
    found = study(variant("cards").customised({"pool": "0-4", "hand_size": "1"}), games=100)
    assert found.best is not None
    assert found.best.value == 1
    assert found.balance("perfect") < 0.9
    said = " ".join(text(found).split())
    assert f"perfect {found.balance('perfect'):.1%}" in said
    assert "may err. It counts cards." in said
    assert "makes none" not in html(found)


def test_a_report_tells_how_often_the_lead_changes_and_one_move_is_right() -> None:
    found = a_study(0.5, 0, 0, 0.7)
    # Six choices a game, and in one and a half of them only one move keeps the result.
    course = PairStatistics(0.5, 0, 6, changes=1.3, until=2, decisions=6, only=1.5)
    found = replace(found, pairs=found.pairs | {("careful", "careful"): course})
    assert dict(points(found))["How a game goes"].endswith(
        "The lead changes 1.3 times, and 25% of the choices have a single right move."
    )


def test_draws_are_not_counted_as_moves() -> None:
    """A first 1 or 3 decides the game before any move; after a 2 the second draw does, after one move."""
    found = study(variant("classic").customised({"places": "1", "pool": "1-3", "pick": "draw"}))
    assert found.equals().until == pytest.approx(1 / 3)
    course = replace(found.equals(), decisions=2.0)  # as if players had a choice
    found = replace(found, pairs=found.pairs | {("careful", "careful"): course})
    assert dict(points(found))["How a game goes"].startswith(
        "A game between careful players takes 2 moves on average. After 0.3 of them the favourite does not"
        " change again, by a move or a draw."
    )


def test_a_command_on_a_page_breaks_before_an_option_and_not_within() -> None:
    page = html(a_study(0.7, 0, 1, 0.7))
    assert "<code>digit-duel play classic <span>--edition fair</span></code>" in page
    assert "<code>digit-duel lab fair classic</code>" in page
