"""The result of a sweep as files: CSV, Parquet, and a page with charts."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from html import escape
from importlib.util import find_spec
from io import BytesIO, StringIO
from itertools import groupby
from pathlib import Path

from digit_duel import games
from digit_duel.core.files import write_whole
from digit_duel.core.options import command
from digit_duel.lab.report.html_page import STYLE, code
from digit_duel.lab.report.words import NEARLY
from digit_duel.lab.sweeps.sweep import Cell, Plan, Row

_MOST_SHOWN = 400  # rows in the table on the page
_LARGEST_MAP = 40  # rows and columns
_BEST = 5  # rule sets listed at the top
_MOST_NAMED = 12  # with up to this many dots, every dot of a plot is labelled
_MOST_RUNS = 12  # ranges of values listed
_MEANINGS = {
    "value": "the first player's result with best play, from -1 to 1",
    "points": "their share of the points with best play",
    "openings": "first moves",
    "holding": "first moves that keep the result",
    "balance": "their share between careful players",
    "skill": "how far a level's share exceeds a half against the level below",
    "length": "moves of a game",
    "lead_changes": "how often best play comes to favour the other player",
    "decided_after": "moves after which it no longer does",
    "only_moves": "the share of decisions with a single best move",
    "exact": "1 if computed, 0 if estimated from games",
    "reason": "why a rule set is not solved",
}
_NUMBERS = ("points", "balance", "skill", "length", "lead_changes", "decided_after", "only_moves")


class LibraryMissing(Exception):
    """A library that the files need is not installed; the message says what to do."""


def check_libraries() -> None:
    """Raise LibraryMissing at once, rather than after hours of work."""
    for name in ("matplotlib", "pyarrow"):
        if find_spec(name) is None:
            raise LibraryMissing(f"a sweep needs {name}. Install it with: pip install 'digit-duel[lab]'")


def write_files(plan: Plan, rows: Sequence[Row], stem: Path) -> list[Path]:
    """Write the result in every format, side by side; the same rows give the same bytes."""
    made = {
        ".csv": as_csv(plan, rows),
        ".parquet": as_parquet(plan, rows),
        ".html": as_page(plan, rows).encode(),
    }
    paths = []
    for suffix, data in made.items():
        paths.append(stem.with_name(stem.name + suffix))
        write_whole(paths[-1], data, shared=True)
    return paths


def as_csv(plan: Plan, rows: Sequence[Row]) -> bytes:
    """The rows as CSV."""
    text = StringIO()
    writer = csv.DictWriter(text, plan.columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


def as_parquet(plan: Plan, rows: Sequence[Row]) -> bytes:
    """The rows as Parquet; options are text, figures are numbers."""
    import pyarrow as pa
    from pyarrow import parquet

    kinds = {name: pa.float64() for name in _NUMBERS} | dict.fromkeys(
        ("openings", "holding", "exact"), pa.int64()
    )
    schema = pa.schema([(name, kinds.get(name, pa.string())) for name in plan.columns])
    columns = [pa.array([row[name] for row in rows], kinds.get(name, pa.string())) for name in plan.columns]
    data = BytesIO()
    parquet.write_table(pa.Table.from_arrays(columns, schema=schema), data)
    return data.getvalue()


def as_page(plan: Plan, rows: Sequence[Row]) -> str:
    """The rows as a page: the fairest rule sets, a map, the trade-off between fairness and skill, a table."""
    columns = [name for name in plan.columns if any(row[name] not in (None, "") for row in rows)]
    more = (
        f"<p>{len(rows) - _MOST_SHOWN:,} more rows are in the CSV file.</p>"
        if len(rows) > _MOST_SHOWN
        else ""
    )
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sweep of {escape(plan.game)}</title>
<style>{STYLE}body {{ max-width: 64rem }} td, th {{ padding-right: .8rem }}
td:not(:last-child) {{ white-space: nowrap }}</style></head>
<body><h1>{len(rows):,} rule sets of {escape(_rules(plan))}</h1>
{_best(plan, rows)}
{_changes(plan, rows)}
{_map(plan, rows)}
{_trade_off(plan, rows)}
<h2>All rule sets</h2>
{_key(columns)}
{_table(columns, rows[:_MOST_SHOWN])}{more}
</body></html>
"""


def _best(plan: Plan, rows: Sequence[Row]) -> str:
    """The fairest rule sets, the smallest changes first where they are alike, and how to play the first."""
    figure, known = _figure(plan), games.variant(plan.game)
    usual = {name: known.default(name) for name, _ in plan.over}
    ranked = sorted(
        (abs(found - 0.5), sum(row[name] != usual[name] for name in usual), at)
        for at, row in enumerate(rows)
        if isinstance(found := row[figure], float)
    )[:_BEST]
    if not ranked:
        return "<p>None of these rule sets could be solved; the table says why.</p>"
    if ranked[0][0] == 0.5:
        hint = "" if plan.equals else "<p>To compare them between people, add <code>--equals</code>.</p>"
        return f"<h2>None is fair: in each of them one player always wins {_measure(plan)}</h2>\n{hint}"
    fairest = [rows[at] for off, _, at in ranked if off <= max(NEARLY, ranked[0][0])]
    names = [name for name, values in plan.over if len(values) > 1]
    shown = [name for name in (*names, figure, "skill") if fairest[0][name] is not None]
    is_fair = ranked[0][0] <= NEARLY
    heading = f"The fairest {_measure(plan)}" if is_fair else f"None is fair {_measure(plan)}; the closest"
    return f"""<h2>{heading}</h2>
<p class="quiet">{figure} is the first player's share of the points; 0.5 is fair.</p>
{_table(shown, fairest)}
<p>Play the first: {code(_command(plan, fairest[0]))}</p>"""


def _command(plan: Plan, row: Row) -> str:
    chosen = {name: str(row[name]) for name in [*dict(plan.fixed), *dict(plan.over)]}
    return command(f"digit-duel play {plan.game}", games.variant(plan.game).customised(chosen).settings)


def _changes(plan: Plan, rows: Sequence[Row]) -> str:
    """For a sweep over one option, the ranges of values with the same share, if they are few."""
    wide = [(name, values) for name, values in plan.over if len(values) > 1]
    if len(plan.over) != 1 or not wide:
        return ""
    (name, values), figure = wide[0], _figure(plan)
    runs = [list(group) for _, group in groupby(range(len(rows)), key=lambda at: rows[at][figure])]
    if not 1 < len(runs) <= _MOST_RUNS:
        return ""
    shares = [rows[run[0]][figure] for run in runs]
    listed = [
        f"<li>{escape(values[run[0]])}{f' to {escape(values[run[-1]])}' if len(run) > 1 else ''}:"
        f" {f'{share:.1%}' if isinstance(share, float) else 'not solved'}</li>"
        for run, share in zip(runs, shares, strict=True)
    ]
    return f"""<h2>Where it changes</h2>
<p class="quiet">{escape(name)}, and the first player's share of the points {_measure(plan)}.</p>
<ul>{"".join(listed)}</ul>"""


def _key(columns: Sequence[str]) -> str:
    """What the columns of the table mean."""
    told = "; ".join(f"<b>{name}</b> {text}" for name, text in _MEANINGS.items() if name in columns)
    return f'<p class="quiet">{told}.</p>'


def _rules(plan: Plan) -> str:
    return " ".join([plan.game, *(f"{name}={value}" for name, value in plan.fixed)])


def _table(columns: Sequence[str], rows: Sequence[Row]) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in columns)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(_shown(row[name]))}</td>" for name in columns) + "</tr>"
        for row in rows
    )
    return f'<div class="wide"><table><tr>{head}</tr>{body}</table></div>'


def _figure(plan: Plan) -> str:
    return "balance" if plan.equals else "points"


def _measure(plan: Plan) -> str:
    return "between equals" if plan.equals else "with best play"


def _map(plan: Plan, rows: Sequence[Row]) -> str:
    """A map over the two options with the most values."""
    wide = sorted((entry for entry in plan.over if len(entry[1]) > 1), key=lambda entry: -len(entry[1]))[:2]
    if not wide or (len(wide) > 1 and len(wide[0][1]) > _LARGEST_MAP):
        return ""
    if len(wide[0][1]) > _LARGEST_MAP:
        return _curve(plan, rows, *wide[0])
    from digit_duel.lab.sweeps.charts import heat_map

    (across, columns), (down, lines) = wide[0], wide[1] if len(wide) > 1 else ("", ("",))
    figure = _figure(plan)
    cells: dict[tuple[Cell, Cell], float | None] = {}
    for row in rows:
        found = row[figure]
        cells.setdefault(
            (row[across], row[down] if down else ""), found if isinstance(found, float) else None
        )
    grid = [[cells[column, line] for column in columns] for line in lines]
    others = [f"{name}={values[0]}" for name, values in plan.over if name not in (across, down)]
    first = f" Other options as in the first rows: {escape(', '.join(others))}." if others else ""
    return f"""<h2>Who is ahead {_measure(plan)}</h2>
<p class="quiet">Blue: the first player; orange: the second player; white: fair.{first}</p>
<div class="wide">{heat_map(columns, lines, grid, (across, down), _measure(plan))}</div>"""


def _curve(plan: Plan, rows: Sequence[Row], name: str, values: Sequence[str]) -> str:
    """A chart over the values of the only option that varies."""
    from digit_duel.lab.sweeps.charts import curve

    shares = [share if isinstance(share := row[_figure(plan)], float) else None for row in rows]
    return f"""<h2>Who is ahead {_measure(plan)}</h2>
<div class="wide">{curve(values, shares, name, _measure(plan))}</div>"""


def _trade_off(plan: Plan, rows: Sequence[Row]) -> str:
    points = [
        (abs(row["balance"] - 0.5), row["skill"], _label(plan, row))
        for row in rows
        if isinstance(row["balance"], float) and isinstance(row["skill"], float)
    ]
    if not points:
        return ""
    from digit_duel.lab.sweeps.charts import trade_off

    named = points if len(points) <= _MOST_NAMED else _front(points)
    dots = [(x, y, label if (x, y, label) in named else "") for x, y, label in points]
    return f"""<h2>Fairness and skill</h2>
<p class="quiet">One dot for each rule set. The best are at the upper left: fair, and the better player
wins.</p>
<div class="wide">{trade_off(dots)}</div>"""


def _front(points: Sequence[tuple[float, float, str]]) -> list[tuple[float, float, str]]:
    """The Pareto front: the points that no other point beats in both fairness and skill."""
    front: list[tuple[float, float, str]] = []
    for point in sorted(points, key=lambda one: (one[0], -one[1])):
        if not front or point[1] > front[-1][1]:
            front.append(point)
    return front


def _label(plan: Plan, row: Row) -> str:
    return " ".join(f"{name}={row[name]}" for name, values in plan.over if len(values) > 1)


def _shown(cell: str | int | float | None) -> str:
    return "" if cell is None else f"{cell:.4f}" if isinstance(cell, float) else str(cell)
