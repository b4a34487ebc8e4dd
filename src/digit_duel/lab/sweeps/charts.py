"""The charts of the lab, drawn by matplotlib as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from typing import TYPE_CHECKING

import matplotlib as mpl
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INK, QUIET, FIRST, SECOND = "#1f2937", "#9ca3af", "#2563eb", "#ea580c"
_ROOMY = 16  # with up to this many columns, a map fits a page
_SIDES = LinearSegmentedColormap.from_list("sides", [SECOND, "#ffffff", FIRST])
# The same chart must give the same bytes: no date, and ids from a fixed salt.
mpl.rcParams.update({"svg.hashsalt": "digit-duel", "svg.fonttype": "none", "font.family": "sans-serif"})


def svg(figure: Figure) -> str:
    """A figure as an SVG element to embed in a page."""
    text = StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None}, bbox_inches="tight")
    drawn = text.getvalue()
    return drawn[drawn.index("<svg") :].strip()


def axes(width: float, height: float) -> tuple[Figure, Axes]:
    """An empty chart without a frame."""
    figure = Figure(figsize=(width, height))
    found = figure.add_subplot()
    found.spines[["top", "right", "left"]].set_visible(False)
    found.tick_params(colors=INK, length=0)
    return figure, found


def heat_map(
    columns: Sequence[str],
    rows: Sequence[str],
    cells: Sequence[Sequence[float | None]],
    labels: tuple[str, str],
    told: str,
) -> str:
    """The first seat's points over a grid of rule sets: blue where it is ahead, white where it is fair."""
    width = 0.62 if len(columns) <= _ROOMY else 0.42  # pages shrink wide charts, and the numbers with them
    figure, plot = axes(1.6 + width * len(columns), 1.3 + 0.42 * len(rows))
    numbers = [[float("nan") if cell is None else cell for cell in row] for row in cells]
    plot.imshow(numbers, cmap=_SIDES, vmin=0, vmax=1, aspect="auto")
    for y, row in enumerate(numbers):
        for x, cell in enumerate(row):
            known = cell == cell
            dark = known and abs(cell - 0.5) > 0.35
            number = f"{100 * cell:.0f}" if known else "?"
            plot.text(x, y, number, ha="center", va="center", fontsize=9, color="white" if dark else INK)
    plot.set_xticks(range(len(columns)), columns, rotation=45 if max(map(len, columns)) > 5 else 0)
    plot.set_yticks(range(len(rows)), rows)
    plot.set_xlabel(labels[0])
    plot.set_ylabel(labels[1])
    plot.set_title(
        f"first player's share of the points in percent, {told}", fontsize=10, color=INK, loc="left"
    )
    return svg(figure)


def curve(values: Sequence[str], shares: Sequence[float | None], label: str, told: str) -> str:
    """The first seat's points over the values of one option; the dashed line is fair."""
    figure, plot = axes(6.4, 3.0)
    plot.spines["left"].set_visible(True)
    numbers = [float("nan") if share is None else 100 * share for share in shares]
    places = list(range(len(values)))
    plot.step(places, numbers, where="mid", color=FIRST)
    plot.axhline(50, color=QUIET, linestyle="--", linewidth=1)
    marked = places[:: max(1, len(places) // 12)]
    plot.set_xticks(marked, [values[at] for at in marked])
    plot.set_ylim(-4, 104)
    plot.set_xlabel(label)
    plot.set_title(
        f"first player's share of the points in percent, {told}", fontsize=10, color=INK, loc="left"
    )
    return svg(figure)


def trade_off(points: Sequence[tuple[float, float, str]]) -> str:
    """A scatter plot of fairness against skill, one dot per rule set; the best are at the upper left."""
    figure, plot = axes(6.4, 3.6)
    plot.spines["left"].set_visible(True)
    plot.scatter([x for x, _, _ in points], [y for _, y, _ in points], color=FIRST, s=22, zorder=3)
    for x, y, label in points:
        if label:
            plot.annotate(label, (x, y), textcoords="offset points", xytext=(6, 3), fontsize=8, color=INK)
    plot.set_xlabel("unfairness: by how much the better seat's share exceeds a half")
    plot.set_ylabel("skill: share beyond a half\nagainst the level below")
    plot.set_xlim(left=-0.005)
    plot.margins(x=0.15)
    plot.grid(color="#e5e7eb", linewidth=0.7)
    return svg(figure)
