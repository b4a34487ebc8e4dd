"""Make the tables and pictures of docs/lab.md: python -m tools.make_lab_page (takes some minutes).

The figures of each rule set are stored in lab/editions.json, which reports read too; the page and the
pictures are made from that file. Only missing figures are computed; --again computes all of them, and
--known none.
"""

from __future__ import annotations

import argparse
import json
from itertools import product
from pathlib import Path
from typing import Any

from tools.game_pages.markdown import table
from tools.make_game_pages import filled

from digit_duel import lab
from digit_duel.bots.cards.matches import has_separate_rounds
from digit_duel.core.variant import AnyVariant
from digit_duel.games import catalogue
from digit_duel.lab.equals.level_moves import LEVELS
from digit_duel.lab.equals.simulation import usual
from digit_duel.lab.report.plain_text import as_json
from digit_duel.lab.study import LEVEL, study
from digit_duel.lab.sweeps.charts import heat_map
from digit_duel.lab.sweeps.sweep import Plan, row_of

DOCS = Path(__file__).parent.parent / "docs"
PAGE, FIGURES = DOCS / "lab.md", Path(lab.__path__[0]) / "editions.json"
RIVALS = {  # repairs that reports name besides the editions
    "classic": {"tie": "draw", "bonus": "111"},
    "reverse": {"tie": "draw", "bonus": "111"},
    "sabotage": {"tie": "draw"},  # without the pie rule
    "battle": {"second_life": "15", "standoff": "draw", "standoff_limit": "3"},  # shorter games
}
TOLD = ("verdict", "words", "edition", "rivals")  # in a report, but not stored
GAMES, ROUNDS = 20_000, 2_000  # the least number of games, or rounds of cards, played for each pair of levels


def rule_sets() -> list[AnyVariant]:
    """Each rulebook, its editions, and other repairs of it."""
    found = []
    for id, one in catalogue().items():
        found += [one, *(one.edition(edition.name) for edition in one.editions)]
        found += [one.customised(RIVALS[id])] if id in RIVALS else []
    return found


def figures(again: bool) -> dict[str, Any]:
    """The figures of each rule set; those that are missing are computed."""
    known: dict[str, Any] = {} if again or not FIGURES.exists() else json.loads(FIGURES.read_text())
    for chosen in rule_sets():
        name = _name(chosen)
        if name not in known:
            print(name, flush=True)
            games = ROUNDS if has_separate_rounds(chosen) else max(GAMES, usual(chosen))
            told = as_json(study(chosen, games))
            known[name] = {key: figure for key, figure in told.items() if key not in TOLD}
            FIGURES.write_text(json.dumps(known, indent=1) + "\n")
    return known


def _name(chosen: AnyVariant) -> str:
    return " ".join([chosen.id, *(f"{key}={value}" for key, value in chosen.settings.items())])


def families(known: dict[str, Any]) -> str:
    """The table of all rulebooks and editions."""
    rows = []
    for name in map(_name, rule_sets()):
        found = known[name]
        equal, best = found["equals"][LEVEL], found["best_play"]
        about = "" if found["exact"] else f" ± {100 * equal['interval']:.1f}"
        decided = f"{equal['decided_after']:.1f}" if equal["decisions"] else ""
        rows.append(
            [
                f"`{name}`",
                f"{100 * best['points']:.1f}" if best else "",
                f"{100 * found['equals']['sensible']['points']:.1f}",
                f"**{100 * equal['points']:.1f}**{about}",
                f"{100 * found['equals']['sharp']['points']:.1f}",
                f"{100 * found['skill']:.0f}",
                f"{equal['length']:.1f}",
                f"{equal['lead_changes']:.1f}" if equal["decisions"] else "",
                decided,
            ]
        )
    heads = ["rule set", "best play", "both sensible", f"both {LEVEL}", "both sharp", "skill", "moves"]
    return table([*heads, "lead changes", "decided after"], rows)


def maps() -> str:
    """Best play over two grids of rule sets, as pictures."""
    told = []
    for id, fixed, across, down in (
        (
            "classic",
            "places=2",
            ("bonus", tuple(map(str, range(0, 25, 2)))),
            ("pool", ("1-9", "0-9", "1-6", "1-9x2")),
        ),
        (
            "battle",
            "",
            ("second_life", tuple(map(str, range(8, 21)))),
            ("pool", ("1-9", "1-8", "1-7", "1-9x2")),
        ),
    ):
        settings = tuple((name, value) for name, _, value in (part.partition("=") for part in fixed.split()))
        cells = {}
        for column, line in product(across[1], down[1]):
            plan = Plan(id, settings, ((across[0], (column,)), (down[0], (line,))))
            cells[column, line] = row_of(next(plan.tasks()))[1]["points"]
        grid = [[_number(cells[column, line]) for column in across[1]] for line in down[1]]
        name = f"lab-{id}.svg"
        drawn = heat_map(across[1], down[1], grid, (across[0], down[0]), "with best play")
        (DOCS / "pictures" / name).write_text(
            drawn.replace("<svg ", '<svg style="background: white" ', 1) + "\n"
        )
        told.append(f"![Who wins {f'{id} {fixed}'.strip()}, by {across[0]} and {down[0]}](pictures/{name})")
    return "\n\n".join(told)


def _number(cell: object) -> float | None:
    return cell if isinstance(cell, float) else None


def main() -> None:
    """Make the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--again", action="store_true", help="compute all figures again")
    parser.add_argument("--known", action="store_true", help="compute no figures; use those in the file")
    chosen = parser.parse_args()
    known = json.loads(FIGURES.read_text()) if chosen.known else figures(chosen.again)
    assert all(set(found["equals"]) == set(LEVELS) for found in known.values())
    PAGE.write_text(filled(PAGE.read_text(), {"families": lambda: families(known), "maps": maps}))


if __name__ == "__main__":
    main()
