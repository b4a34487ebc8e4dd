"""digit-duel review: a game judged move by move, in words, as a picture, or for programs."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from textwrap import wrap
from typing import Any

from digit_duel.cli.errors import Problem
from digit_duel.cli.records import recording
from digit_duel.cli.records.saves import new_save
from digit_duel.cli.screen.symbols import ASCII, Style
from digit_duel.cli.screen.terminal import Terminal
from digit_duel.coach.review import Judged, NeedsSeat, Review, Verdict, again, review
from digit_duel.coach.speech import listed, percent
from digit_duel.core.game import Seat
from digit_duel.core.record import BadRecord, Record
from digit_duel.core.variant import AnyVariant
from digit_duel.solve.value import Score

_NARROWEST = 40  # columns
_ROOMY = 60  # columns from which a move of the picture gets one more
_BAR = 40
_VERDICTS = {
    Verdict.BEST: "best",
    Verdict.FINE: "not the best",
    Verdict.MISTAKE: "a mistake",
    Verdict.FORCED: "the only move",
    Verdict.UNJUDGED: "not judged",
}


@dataclass(frozen=True, slots=True)
class Marks:
    """The characters of the picture; a value is told by symbol and word, never by colour alone."""

    win: str = "▲"
    even: str = "◆"
    loss: str = "▼"
    turn: str = "●"
    same: str = "─"
    down: str = "\N{BOX DRAWINGS LIGHT DIAGONAL UPPER LEFT TO LOWER RIGHT}"
    up: str = "\N{BOX DRAWINGS LIGHT DIAGONAL UPPER RIGHT TO LOWER LEFT}"


_UNICODE, _ASCII = Marks(), Marks("^", "=", "v", "!", "-", "\\", "/")


def show(
    terminal: Terminal,
    variant: AnyVariant,
    record: Record,
    seat: str | None = None,
    as_json: bool = False,
    pictures: bool = True,
) -> None:
    """Print the review of a record, for everybody or for one seat."""
    found = _reviewed(variant, record, seat)
    if as_json:
        terminal.say(json.dumps(as_data(found)))
    else:
        terminal.say("\n".join(in_words(found, terminal.style, terminal.size[0], pictures)))


def try_again(
    terminal: Terminal, variant: AnyVariant, record: Record, ply: int, record_file: Path | None = None
) -> None:
    """Save the game as it stood before a player's move, as a game of its own, recorded if that one was."""
    try:
        plies = {move.ply for move in review(variant, record).moves}
    except NeedsSeat as hidden:
        raise Problem(
            "this game is not over and has hidden cards; it can be tried again when it is."
        ) from hidden
    except BadRecord as bad:
        raise Problem(str(bad)) from bad
    if ply not in plies:
        raise Problem(
            f"--again takes the number of a player's move; this record has {len(record.moves)} moves."
        )
    try:
        new_save().write(recording.with_record_file(again(record, ply), record_file))
    except OSError as error:
        raise Problem(f"the game cannot be saved: {error.strerror}.") from error
    terminal.say(f"Saved as it stood before move {ply}. To go on with it: digit-duel resume")


def _reviewed(variant: AnyVariant, record: Record, seat: str | None) -> Review:
    try:
        return review(variant, record, None if seat is None else Seat[seat.upper()])
    except (BadRecord, NeedsSeat) as why:
        raise Problem(str(why)) from why


def in_words(found: Review, style: Style, columns: int, pictures: bool = True) -> list[str]:
    """The review as lines that fit."""
    columns, record = max(_NARROWEST, columns), found.record
    marks = _ASCII if style.symbols == ASCII else _UNICODE
    heading = f"{found.variant.title}: {record.names[0]} - {record.names[1]}"
    lines = wrap(f"{heading}, {len(record.moves)} moves, {record.result}", columns)
    if pictures and found.history:
        lines += ["", *tug_of_war(found, marks, columns)]
    round = 0
    for move in found.moves:
        if move.round > round:
            round = move.round
            lines += ["", f"Round {round}"] if found.chances else [""]
        lines += _move(found, move, marks, columns)
        if pictures and found.chances and move.before is not None and move.after is not None:
            lines.append("     " + bar(float(move.before.value), float(move.after.value), style, columns - 5))
        if move.verdict is Verdict.MISTAKE:
            lines += _explained(found, move, columns)
    return [*lines, "", *_summary(found, columns)]


def _move(found: Review, move: Judged, marks: Marks, columns: int) -> list[str]:
    """One move: what it was, and what it was worth."""
    head = f"{move.ply:>3}. {found.record.names[move.seat]}: {move.words}"
    if not move.move.endswith(move.words):
        head += f" ({move.move})"
    return wrap(f"{head} - {_worth(found, move, marks)}", columns, subsequent_indent="     ")


def _worth(found: Review, move: Judged, marks: Marks) -> str:
    """What the move did to the value, by symbol and by word."""
    told = _VERDICTS[move.verdict]
    if move.before is None or move.after is None:
        return told
    if found.chances:
        best = f" instead of {percent(float(move.before.value))}" if move.cost else ""
        return f"{told}, wins {percent(float(move.after.value))}{best}"
    before, after = _value(move.before.value, marks), _value(move.after.value, marks)
    change = after if before == after else f"{before} before, {after} after"
    margin = f", margin {move.after.margin} instead of {move.before.margin}" if move.margin_cost else ""
    return f"{told}, {change}{margin}"


def _value(value: Score | float, marks: Marks) -> str:
    if value in (1, 0, -1):
        return {1: f"{marks.win} wins", 0: f"{marks.even} even", -1: f"{marks.loss} loses"}[int(value)]
    return f"{marks.win if value > 0 else marks.loss} {float(value):+.2f}"


def _explained(found: Review, move: Judged, columns: int) -> list[str]:
    """Why a move was a mistake, and where to try again."""
    told = [move.reason]
    if not found.secret:
        told.append(f"Best was {move.best}; to try again from here: --again {move.ply}")
    return [
        line
        for text in told
        for line in wrap(text, columns, initial_indent="     ", subsequent_indent="     ")
    ]


def _summary(found: Review, columns: int) -> list[str]:
    names, turning = found.record.names, found.turning_points
    lines = []
    if turning:
        points = "One turning point: move" if len(turning) == 1 else f"{len(turning)} turning points: moves"
        lines.append(f"{points} {listed([str(move.ply) for move in turning])}.")
    elif any(move.before is not None for move in found.moves):
        lines.append("No turning point: nobody gave the result away.")
    lines += [
        f"A missed win: {names[move.seat]}, move {move.ply}. Best: {move.best_words}."
        for move in found.missed_wins
    ]
    for seat in Seat:
        free = [
            move
            for move in found.moves
            if move.seat is seat and move.verdict not in (Verdict.UNJUDGED, Verdict.FORCED)
        ]
        best = sum(move.verdict is Verdict.BEST for move in free)
        wrong = sum(move.verdict is Verdict.MISTAKE for move in free)
        mistakes = {0: "no mistake", 1: "one mistake"}.get(wrong, f"{wrong} mistakes")
        lines += [f"{names[seat]}: {best} of {len(free)} choices best, {mistakes}."] if free else []
    if found.chances:
        lines.append("Chances are to win the round, from what the mover knew then, against best play.")
    return [part for line in lines for part in wrap(line, columns)]


def bar(best: float, made: float, style: Style, columns: int) -> str:
    """A chance as a bar: what the move keeps of it, then what it gave away, then what was never there."""
    width, symbols = min(_BAR, columns), style.symbols
    full, reached = round(made * width), round(best * width)
    lost = (_ASCII if symbols == ASCII else _UNICODE).turn
    return symbols.full * full + lost * (reached - full) + symbols.rest * (width - reached)


def tug_of_war(found: Review, marks: Marks, columns: int) -> list[str]:
    """Who had the better of it after each move, in as many stretches as it takes."""
    label = min(max(len(name) for name in (*found.record.names, "even", "turn")), columns // 4)
    pitch = 4 if columns >= _ROOMY else 3
    fit = (columns - label - 1) // pitch
    lines: list[str] = []
    # The last column of a stretch is the first of the next, so that the line goes on.
    for start in range(0, max(1, len(found.history) - 1), fit - 1):
        plies = range(start, min(start + fit, len(found.history)))
        lines += ["", *_stretch(found, marks, label, pitch, plies)]
    return lines[1:]


def _stretch(found: Review, marks: Marks, label: int, pitch: int, plies: range) -> list[str]:
    """Some moves: their numbers, a line for each player and for what is even, and the turning points."""
    signs = {ply: (found.history[ply] > 0) - (found.history[ply] < 0) for ply in plies}
    turning = {move.ply for move in found.turning_points}
    rows = [("", "".join(str(ply).ljust(pitch) for ply in plies))]
    for sign, name, mark in (
        (1, found.record.names[Seat.FIRST], marks.win),
        (0, "even", marks.even),
        (-1, found.record.names[Seat.SECOND], marks.loss),
    ):
        if sign or 0 in signs.values():
            rows.append((name, "".join(_way(signs, ply, sign, mark, marks, pitch) for ply in plies)))
    if turning & set(plies):
        rows.append(("turn", "".join((marks.turn if ply in turning else " ").ljust(pitch) for ply in plies)))
    return [f"{name[:label].ljust(label)} {row}".rstrip() for name, row in rows]


def _way(signs: dict[int, int], ply: int, sign: int, mark: str, marks: Marks, pitch: int) -> str:
    """A point of a line, and the way from it to the next one."""
    if signs[ply] != sign:
        return " " * pitch
    if ply + 1 not in signs:
        return mark.ljust(pitch)
    after = signs[ply + 1]
    if after == sign:
        return mark + marks.same * (pitch - 1)
    return (mark + (marks.down if after < sign else marks.up)).ljust(pitch)


def as_data(found: Review) -> dict[str, Any]:
    """The review for programs."""
    return {
        "game": found.variant.id,
        "options": dict(found.record.options),
        "names": list(found.record.names),
        "result": found.record.result,
        "seat": None if found.seat is None else found.seat.name.lower(),
        "unit": "chance" if found.chances else "value",
        "history": [float(value) for value in found.history],
        "turning_points": [move.ply for move in found.turning_points],
        "missed_wins": [move.ply for move in found.missed_wins],
        "moves": [_move_data(found, move) for move in found.moves],
    }


def _move_data(found: Review, move: Judged) -> dict[str, Any]:
    before, after = move.before, move.after
    return {
        "ply": move.ply,
        "round": move.round,
        "seat": move.seat.name.lower(),
        "move": move.move,
        "verdict": move.verdict.value,
        "before": None if before is None else float(before.value),
        "after": None if after is None else float(after.value),
        "cost": None if move.cost is None else float(move.cost),
        "margin_before": None if before is None else before.margin,
        "margin_after": None if after is None else after.margin,
        "best": move.best,
        "reason": move.reason,
        "again": None if found.secret else again(found.record, move.ply).text(),
    }
