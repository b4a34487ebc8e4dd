"""What strangers may see of a scene."""

from __future__ import annotations

from dataclasses import replace

from digit_duel.core.script import Cell, Row, Scene


def common(one: Scene, other: Scene) -> Scene:
    """The scene that a stranger may see: only what both seats see.

    Counts of unseen digits are omitted even if they are equal: both seats may hold the same digit face down.
    """
    rows = tuple(_common_row(a, b) for a, b in zip(one.rows, other.rows, strict=True))
    return Scene(
        rows=(rows[0], rows[1]),
        heading=one.heading if one.heading == other.heading else "",
        pool=one.pool if one.pool == other.pool else (),
        drawn=_common_cell(one.drawn, other.drawn) if one.drawn and other.drawn else None,
        facts=tuple(fact for fact in one.facts if fact in other.facts),
        decided=one.decided if one.decided == other.decided else None,
        goal=one.goal if one.goal == other.goal else "",
        leads=one.leads if one.leads == other.leads else None,
        lead=one.lead,
        caption=one.caption if one.caption == other.caption else "",
    )


def _common_row(one: Row, other: Row) -> Row:
    return Row(
        tuple(_common_cell(a, b) for a, b in zip(one.cells, other.cells, strict=True)),
        tuple(meter for meter in one.meters if meter in other.meters),
        one.note if one.note == other.note else "",
    )


def _common_cell(one: Cell, other: Cell) -> Cell:
    if one == other:
        return one
    return replace(one if one.hidden else other, digit=None, hidden=True)
