"""Editions: rule sets with a name, playable from the command line and listed for other programs."""

from __future__ import annotations

import subprocess
import sys

import pytest

from digit_duel.core.options import BadOption
from digit_duel.games import ids, variant

FAIR = {
    "classic": {"pick": "draw"},
    "reverse": {"pick": "draw"},
    "sabotage": {"tie": "draw", "swap": "yes"},
    "cards": {"facing_full": "must_keep"},
    "battle": {"second_life": "15", "standoff": "draw"},
}


@pytest.mark.parametrize("id", ids())
def test_every_rulebook_has_a_fair_edition(id: str) -> None:
    chosen = variant(id)
    assert chosen.edition("fair").settings == FAIR[id]
    assert all(edition.summary.endswith(".") for edition in chosen.editions)
    with pytest.raises(BadOption, match=f"{id} has no edition 'foul'; its editions are: fair."):
        chosen.edition("foul")


def test_an_edition_is_played_by_its_name() -> None:
    command = [sys.executable, "-m", "digit_duel", "play", "battle", "--edition", "fair", "--plain"]
    played = subprocess.run(command, input="9\nattack\nquit\n", capture_output=True, text=True, check=False)
    assert "Opponent's life points: 15" in played.stdout
    assert "Player 2's life points are now 6." in played.stdout
    wrong = subprocess.run([*command[:-2], "foul"], capture_output=True, text=True, check=False)
    assert wrong.returncode == 2
    assert "has no edition 'foul'" in wrong.stderr


@pytest.mark.parametrize(
    ("id", "settings", "edition", "changes"),
    [
        ("classic", {}, "", ()),
        ("battle", {"second_life": "15", "standoff": "draw"}, "fair", (
            "The second player begins with 15 life points (rulebook: 10), and equal reveals that end sudden"
            " death are a draw. Games last about four times as long.",
        )),
        ("battle", {"second_life": "12"}, "", (
            "The second player's life points at the start: 12 (rulebook: same)",
        )),
        ("reverse", {"tie": "draw", "swap": "yes"}, "", (
            "Who wins a tie: draw (rulebook: second)",
            "May the second player swap seats after the first move: yes (rulebook: no)",
        )),
        ("cards", {"facing_full": "must_keep", "pool": "0-9x2"}, "", (
            "Giving to a full hand: must keep (rulebook: discard)",
            "The cards of the deck: 0-9x2 (rulebook: 0-9x4)",
        )),
    ],
)  # fmt: skip
def test_a_variant_says_what_differs_from_the_rulebook(
    id: str, settings: dict[str, str], edition: str, changes: tuple[str, ...]
) -> None:
    chosen = variant(id).customised(settings)
    assert (chosen.edition_name, chosen.changes) == (edition, changes)
