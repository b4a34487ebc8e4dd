"""SVG paths as straight lines, and the pixels that a round pen covers along them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from math import acos, ceil, cos, floor, hypot, pi, sin, sqrt
from typing import TypeAlias

from digit_duel.core.pictures.canvas import FULL, Run

Point: TypeAlias = tuple[float, float]
Line: TypeAlias = tuple[Point, Point]

_TOKEN = re.compile(r"[A-Za-z]|-?(?:\d*\.\d+|\d+)")
_TAKES = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "A": 7, "Z": 0}
_PARTS = 8  # lines per curve


@lru_cache(maxsize=256)
def lines(path: str) -> tuple[Line, ...]:
    """The lines of a path; each curve becomes several."""
    here, start, control = (0.0, 0.0), (0.0, 0.0), None
    found: list[Line] = []
    for command, numbers in _commands(path):
        points = _points(command, numbers, here, start, control)
        control = _control(command, numbers, here) if command.upper() in "CS" else None
        if command.upper() == "M":
            start = points[-1]
        else:
            found += zip([here, *points], points, strict=False)
        here = points[-1]
    return tuple(found)


def _commands(path: str) -> Iterator[tuple[str, list[float]]]:
    """The commands of a path, each with its numbers; one letter may stand for several commands."""
    tokens, at, command = _TOKEN.findall(path), 0, ""
    while at < len(tokens):
        if tokens[at].isalpha():
            command, at = tokens[at], at + 1
        takes = _TAKES[command.upper()]
        yield command, [float(each) for each in tokens[at : at + takes]]
        at += takes
        if command in "Mm":
            command = "L" if command == "M" else "l"


def _points(
    command: str, numbers: list[float], here: Point, start: Point, control: Point | None
) -> list[Point]:
    """The points that a command leads through."""
    x, y = here
    base = (x, y) if command.islower() else (0.0, 0.0)
    kind = command.upper()
    if kind == "Z":
        return [start]
    if kind == "H":
        return [(base[0] + numbers[0], y)]
    if kind == "V":
        return [(x, base[1] + numbers[0])]
    if kind == "A":
        return _arc(here, numbers, (base[0] + numbers[5], base[1] + numbers[6]))
    given = [(base[0] + a, base[1] + b) for a, b in zip(numbers[::2], numbers[1::2], strict=True)]
    if kind in "ML":
        return given
    if kind == "S":
        given.insert(0, here if control is None else (2 * x - control[0], 2 * y - control[1]))
    return [_bezier([here, *given], part / _PARTS) for part in range(1, _PARTS + 1)]


def _control(command: str, numbers: list[float], here: Point) -> Point:
    """The last control point of a curve, which the next one may mirror."""
    base = here if command.islower() else (0.0, 0.0)
    return (base[0] + numbers[-4], base[1] + numbers[-3])


def _bezier(points: list[Point], part: float) -> Point:
    while len(points) > 1:
        points = [(a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part) for a, b in pairwise(points)]
    return points[0]


def _arc(here: Point, numbers: list[float], to: Point) -> list[Point]:
    """An arc of an upright ellipse, by the formulas of the SVG standard (F.6.5)."""
    rx, ry, _, large, sweep = numbers[:5]
    x, y = (here[0] - to[0]) / 2, (here[1] - to[1]) / 2
    grow = sqrt(max(1.0, (x / rx) ** 2 + (y / ry) ** 2))
    rx, ry = rx * grow, ry * grow
    over = (rx * y) ** 2 + (ry * x) ** 2
    scale = sqrt(max(0.0, (rx * ry) ** 2 / over - 1)) * (-1 if large == sweep else 1)
    cx, cy = scale * rx * y / ry, -scale * ry * x / rx
    begin = _angle((x - cx) / rx, (y - cy) / ry)
    turn = _angle((-x - cx) / rx, (-y - cy) / ry) - begin
    turn += 2 * pi if sweep and turn < 0 else -2 * pi if not sweep and turn > 0 else 0
    middle = (cx + (here[0] + to[0]) / 2, cy + (here[1] + to[1]) / 2)
    angles = [begin + turn * part / (2 * _PARTS) for part in range(1, 2 * _PARTS + 1)]
    return [(middle[0] + rx * cos(angle), middle[1] + ry * sin(angle)) for angle in angles]


def _angle(x: float, y: float) -> float:
    found = acos(max(-1.0, min(1.0, x / hypot(x, y))))
    return found if y >= 0 else -found


@lru_cache(maxsize=512)
def stroke(path: str, scale: float, pen: float) -> tuple[Run, ...]:
    """The runs of pixels under a round pen that follows a path, drawn at a scale."""
    covered: dict[tuple[int, int], int] = {}
    for (x1, y1), (x2, y2) in lines(path):
        _follow(covered, (x1 * scale, y1 * scale), (x2 * scale, y2 * scale), pen / 2)
    runs: list[Run] = []
    for (y, x), level in sorted(covered.items()):
        if runs and runs[-1][0] == y and runs[-1][2:] == (x, level):
            runs[-1] = (y, runs[-1][1], x + 1, level)
        else:
            runs.append((y, x, x + 1, level))
    return tuple(runs)


def _follow(covered: dict[tuple[int, int], int], one: Point, other: Point, radius: float) -> None:
    """Cover the pixels near a line."""
    (x1, y1), (x2, y2) = one, other
    dx, dy, reach = x2 - x1, y2 - y1, radius + 1
    length = dx * dx + dy * dy or 1e-9
    for y in range(floor(min(y1, y2) - reach), ceil(max(y1, y2) + reach)):
        for x in range(floor(min(x1, x2) - reach), ceil(max(x1, x2) + reach)):
            px, py = x + 0.5 - x1, y + 0.5 - y1
            part = min(1.0, max(0.0, (px * dx + py * dy) / length))
            level = round(FULL * min(1.0, radius + 0.5 - hypot(px - part * dx, py - part * dy)))
            if level > covered.get((y, x), 0):
                covered[y, x] = level
