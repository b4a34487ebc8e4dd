"""The figures on the games' pages: what the generator makes, and what people worked out without it."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest
from tests.documents import section, table, text
from tools import make_game_pages
from tools.make_game_pages import FIGURES, filled

from digit_duel.games import catalogue
from digit_duel.games._placement import Placement
from digit_duel.solve.placing import pooled


def page(name: str) -> str:
    return text(f"docs/games/{name}.md").replace("\n", " ")


@pytest.mark.parametrize("name", ["classic", "reverse"])
def test_a_small_page_is_what_the_generator_makes(name: str) -> None:
    assert make_game_pages.main(["--check", name]) == 0


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(set(FIGURES) - {"classic", "reverse"}))
def test_a_page_is_what_the_generator_makes(name: str) -> None:
    assert make_game_pages.main(["--check", name]) == 0


def test_an_old_page_is_noticed_and_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    old = tmp_path / "classic.md"
    old.write_text("# x\n\n<!-- figures: size -->\nold\n<!-- end -->\n\nby hand\n", encoding="utf-8")
    monkeypatch.setattr(make_game_pages, "PAGES", tmp_path)
    monkeypatch.setattr(make_game_pages, "ROOT", tmp_path)
    monkeypatch.setattr(make_game_pages, "FIGURES", {"classic": {"size": lambda: "new"}})
    assert make_game_pages.main(["--check"]) == 1
    assert "old" in old.read_text(encoding="utf-8")
    assert make_game_pages.main([]) == 0
    assert old.read_text(encoding="utf-8") == "# x\n\n<!-- figures: size -->\nnew\n<!-- end -->\n\nby hand\n"
    assert make_game_pages.main(["--check", "classic"]) == 0
    assert capsys.readouterr().out == "classic.md is out of date\nclassic.md updated\n"


def test_a_block_without_figures_and_figures_without_a_block_are_refused() -> None:
    with pytest.raises(ValueError, match="blocks"):
        filled("<!-- figures: other -->\n<!-- end -->\n", {"size": str})
    with pytest.raises(ValueError, match="blocks"):
        filled("nothing\n", {"size": str})
    with pytest.raises(SystemExit):
        make_game_pages.main(["--check", "nothing"])


def test_sizes() -> None:
    assert "| all | 138,268 | 2,840,212 |" in page("classic")
    assert "| all | 138,268 | 2,840,212 |" in page("reverse")
    assert "| all | 153,046,261 | 2,889,010,641,521 |" in page("sabotage")
    assert "| all | 83,635 | 206,057,451 |" in page("battle")
    assert "That makes 87,119 in all" in page("battle")
    known = ("19 public situations", "20 ends", "143,210", "14,210", "664,210", "78,960,960", "2,763,633,600")
    assert all(figure in page("cards") for figure in known)


@pytest.mark.parametrize(
    ("name", "openings"),
    [
        ("classic", "with exactly one of 27 opening moves: `9a1`."),
        ("reverse", "with exactly one of 27 opening moves: `1a1`."),
        ("sabotage", "none of the 80 opening moves wins."),
        ("battle", "10 of 18 opening moves: `x5`, `+5`, `x6`, `+6`, `x7`, `+7`, `x8`, `+8`, `x9`, `+9`."),
    ],
)
def test_openings(name: str, openings: str) -> None:
    assert openings in page(name)


def test_margins_that_can_be_worked_out_by_hand() -> None:
    assert "`9a1 8b1 7a2 6b2 5a3 4b3`" in page("classic")
    assert "the numbers end 111 apart" in page("classic")  # 975 and 864
    rows = {row[0]: row[1:] for row in table(section("docs/games/sabotage.md", "Value"), "digit")}
    assert [digit for digit, margins in rows.items() if "0" in margins] == ["9", "0"]
    assert (rows["0"][0], rows["9"][4]) == ("0", "0")  # 0 on one's own thousands, 9 on the other's
    mirrored = {str(9 - int(digit)): margins[4:] + margins[:4] for digit, margins in rows.items()}
    assert mirrored == rows


def test_reverse_is_classic_with_ten_minus_every_digit() -> None:
    pages = [f"docs/games/{id}.md" for id in ("classic", "reverse")]
    classic, reverse = (table(section(page, "Value"), "digit") for page in pages)
    assert [row[1:] for row in classic] == [row[1:] for row in reversed(reverse)]
    # A bonus has another sign where low wins, and games played by chance end otherwise: not so all the rest.
    mine, other = (section(page, "Balance").partition("### The fair edition") for page in pages)
    assert mine[:2] == other[:2]
    assert mine[2]


def test_the_starter_wins_what_is_known() -> None:
    assert "wins 709348/818697 of rounds, 0.866435323," in page("cards")
    assert "With `facing_full=must_keep` it is 0.585957491;" in page("cards")
    rows = {row[0]: row[1:] for row in table(section("docs/games/cards.md", "Value"), "`facing_full`")}
    assert rows["`discard`"] == ["709348/818697", "709348/818697", "0, exactly"]
    low, high = (Fraction(bound) for bound in rows["`must_keep`"][:2])
    assert low <= Fraction("0.585957491055") <= high
    assert high - low < Fraction(1, 10**9)
    assert f"two fractions, {float(high - low):.2e} apart" in text("docs/solving.md")


def test_the_starter_gives_any_first_card_and_with_must_keep_keeps_seven_and_more() -> None:
    first = re.findall(r"^\| (\d) \| [\d.]+ \| [\d.]+ \| (keep|give) \|$", text("docs/games/cards.md"), re.M)
    assert first == [
        *((str(digit), "give") for digit in range(10)),
        *((str(digit), "keep" if digit >= 7 else "give") for digit in range(10)),
    ]


def test_the_strategy_for_people_says_what_the_tables_prove() -> None:
    page = text("docs/games/cards.md")
    strategy = " ".join(page.partition("### Strategy for people")[2].partition("###")[0].split())
    assert len(re.findall(r"\.(?= [A-Z]|$)", strategy)) == 10
    for proven in ("709348/818697", "0.86621", "0.585957"):
        assert proven in strategy
        assert page.count(proven) > 1
    assert "| 9 | 0.0943 | 0.4720 | give |" in page
    assert (
        "after keeping it the starter wins 9% of the rounds against best play, after giving it 47%"
        in strategy
    )
    thumb = re.search(r"keep 7 and higher \| [\d.]+ \| ([\d.]+) \| [\d.]+ \| ([\d.]+) \|", page)
    assert thumb is not None
    short = f"{50 * (float(thumb[1]) + float(thumb[2])):.1f}"
    assert (
        f"keeps 7 and higher throughout wins {short} percentage points fewer than with best play" in strategy
    )
    kept = re.findall(r"^\| (?:nothing yet|`[kg]+`) \| \w+ \| [\d.]+% \| (.*) \| (.*) \|$", page, re.M)
    digits = [int(each) for cells in kept for each in re.findall(r"\b\d\b(?![.%])", " ".join(cells))]
    assert min(digits) == 4


def test_the_odds_of_a_game_follow_from_those_of_a_round() -> None:
    p = Fraction(709_348, 818_697)
    q = 1 - p
    rows = {row[0]: row[1:] for row in table(section("docs/games/cards.md", "Balance"), "`next_starter`")}
    assert rows["`alternate`"][1] == str(p * q + p**3 + p * q**2)
    assert rows["`winner`"][1] == str(p**2 + 2 * p * q**2)
    assert rows["`same`"][1] == str(p**2 + 2 * p**2 * q)
    assert rows["`loser`"] == rows["`alternate`"]


def test_capped_rounds_lie_between_keeping_all_and_discarding_freely() -> None:
    rows = r"^\| `cap:(\d+)` \| ([\d.]+) \| ([\d.]+) \| (.+) \|$"
    found = re.findall(rows, text("docs/games/cards.md"), re.M)
    assert [int(cap) for cap, *_ in found] == [1, 2, 3, 4, 5, 6, 7, 8, 10]
    for _, low, high, _ in found:
        assert 0.585 < float(low) < float(high) < 0.867
    assert [float(low) for _, low, _, _ in found] == sorted(float(low) for _, low, _, _ in found)
    openly = [float(value) for *_, value in found[:-1]]
    assert openly == sorted(openly)
    assert 50_485_601 / 86_051_421 < openly[0] < openly[-1] < 709_348 / 818_697
    assert found[-1][-1] == "not solved"


def test_random_play() -> None:
    assert "the first player wins exactly half of all games" in page("classic")
    assert "5.11% come to sudden death" in page("battle")
    paired = Fraction(474_637, 9_289_728)  # 9,492,740 of 9! 2^9 sequences
    assert Fraction(9_492_740, 362_880 * 512) == paired
    assert f"(exactly {paired})" in page("battle")


def test_the_page_on_solving_has_the_sizes_of_the_tables() -> None:
    solving = text("docs/solving.md")
    sabotage = catalogue()["sabotage"].game_as(Placement)
    assert f"{pooled.fits(sabotage).cells:,} cells answer for 153,046,261 states" in solving
    known = ("138,268", "153,046,261", "87,119", "157,420", "78,960,960", "2,763,633,600")
    assert all(figure in solving for figure in known)
