"""digit-duel review: what each move of a game was worth, as text, chart or JSON."""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import wrap

from digit_duel.cli.errors import Problem
from digit_duel.cli.play.messages import VERDICTS
from digit_duel.cli.records.record_file import with_file
from digit_duel.cli.records.replay import NO_MOVES, heading
from digit_duel.cli.records.save_file import new_save
from digit_duel.cli.screen.review_chart import (
    NO_MARKS,
    ChartMarks,
    advantage_chart,
    bar,
    chance_chart,
    marks_for,
)
from digit_duel.cli.screen.terminal import Terminal
from digit_duel.coach.coach import Verdict
from digit_duel.coach.opponent import PERSON
from digit_duel.coach.review import Judged, NeedsSeat, Review, again, review
from digit_duel.coach.speech import listed, percent
from digit_duel.core.game import Seat
from digit_duel.core.numbering import find_number
from digit_duel.core.record import BadRecord, Record
from digit_duel.core.seat_record import seat_of
from digit_duel.core.variant import AnyVariant
from digit_duel.solve.value import Score

_NARROWEST = 40  # columns


def show(
    terminal: Terminal,
    variant: AnyVariant,
    record: Record,
    seat: str | None = None,
    errs: float = PERSON.errs,
    as_json: bool = False,
    pictures: bool = True,
) -> None:
    """Print the review of a record, for everybody or for one seat."""
    found = _review(variant, record, seat, errs)
    if as_json:
        terminal.say(json.dumps(as_json_data(found)))
    elif not found.moves:
        terminal.say(NO_MOVES)
    else:
        marks = marks_for(terminal.encoding) if pictures else NO_MARKS
        terminal.say("\n".join(as_text(found, marks, terminal.size[0])))


def try_again(
    terminal: Terminal, variant: AnyVariant, record: Record, number: str, record_file: Path | None = None
) -> None:
    """Save the game as it stood before a move as a new game, with the same record file."""
    if (seat := seat_of(variant, record)) is not None:
        raise Problem(
            f"this record shows only what {record.names[seat]} saw, so the game cannot continue from it."
        )
    try:
        moves = review(variant, record).moves
    except NeedsSeat as hidden:
        raise Problem(
            "this game is not over and has hidden cards; finish it before you try a move again."
        ) from hidden
    except BadRecord as bad:
        raise Problem(str(bad)) from bad
    found = find_number([move.number for move in moves], number)
    if found is None:
        example = moves[-1].number if moves else "1a"
        raise Problem(f"--again takes a player's move by its number in the review, such as {example}.")
    move = moves[found]
    try:
        new_save().write(with_file(again(record, move.ply, move.number), record_file))
    except OSError as error:
        raise Problem(f"the game cannot be saved: {error.strerror}.") from error
    # Without a number, resume prefers games in which somebody has moved.
    resume = "resume 1" if move is moves[0] else "resume"
    terminal.say(f"Saved as it stood before move {move.number}. To continue: digit-duel {resume}")


def _review(variant: AnyVariant, record: Record, seat: str | None, errs: float) -> Review:
    try:
        return review(variant, record, None if seat is None else Seat[seat.upper()], errs)
    except (BadRecord, NeedsSeat) as why:
        raise Problem(str(why)) from why


def as_text(found: Review, marks: ChartMarks, columns: int) -> list[str]:
    """The review as lines that fit the window."""
    columns, record, pictures = max(_NARROWEST, columns), found.record, marks != NO_MARKS
    lines = wrap(heading(found.variant, record), columns)
    if pictures and found.history:
        chart = chance_chart if found.chances else advantage_chart
        lines += ["", *chart(found, marks, columns)]
    round = 0, 0
    for move in found.moves:
        if (move.round, move.ties) != round:
            round = move.round, move.ties
            replayed = ", replayed" if move.ties else ""
            lines += ["", f"Round {move.round}{replayed}"] if found.chances else [""]
        lines += _move(found, move, marks, columns)
        if pictures and found.chances and move.before is not None and move.after is not None:
            lines.append("     " + bar(float(move.before.value), float(move.after.value), marks, columns - 5))
        if move.verdict is Verdict.MISTAKE:
            lines += _explain(found, move, columns)
        elif move.truth and move.verdict is not Verdict.FORCED:
            lines += wrap(move.truth, columns, initial_indent="     ", subsequent_indent="     ")
    return [*lines, "", *_summary(found, columns)]


def _move(found: Review, move: Judged, marks: ChartMarks, columns: int) -> list[str]:
    """One move and how good it was."""
    head = f"{move.number:>3}. {found.record.names[move.seat]}: {move.words}"
    if not move.move.endswith(move.words):
        head += f" ({move.move})"
    return wrap(f"{head} - {_verdict(found, move, marks)}", columns, subsequent_indent="     ")


def _verdict(found: Review, move: Judged, marks: ChartMarks) -> str:
    """How good the move was, and what it did to the value."""
    told = VERDICTS[move.verdict]
    if move.before is None or move.after is None:
        return told
    if found.chances:
        best = f" instead of {percent(float(move.before.value))}" if move.cost else ""
        return f"{told}, wins {percent(float(move.after.value))}{best}"
    before, after = _value(move.before.value, marks), _value(move.after.value, marks)
    change = after if before == after else f"{before} before, {after} after"
    margin = f", margin {move.after.margin} instead of {move.before.margin}" if move.margin_cost else ""
    return f"{told}, {change}{margin}"


def _value(value: Score | float, marks: ChartMarks) -> str:
    if value in (1, 0, -1):
        told = {1: f"{marks.win} wins", 0: f"{marks.even} even", -1: f"{marks.loss} loses"}[int(value)]
    else:
        told = f"{marks.win if value > 0 else marks.loss} {float(value):+.2f}"
    return told.lstrip()


def _explain(found: Review, move: Judged, columns: int) -> list[str]:
    """Why a move was a mistake, and where to try again."""
    lines = [move.reason, *([move.truth] if move.truth else [])]
    if not found.secret:
        words = "" if move.best.endswith(move.best_words) else f"{move.best_words}, "
        lines.append(f"Better: {words}{move.best}. To try again from here: --again {move.number}")
    return [
        line
        for text in lines
        for line in wrap(text, columns, initial_indent="     ", subsequent_indent="     ")
    ]


def _summary(found: Review, columns: int) -> list[str]:
    names, turning = found.record.names, found.turning_points
    lines = []
    if turning:
        points = "One turning point: move" if len(turning) == 1 else f"{len(turning)} turning points: moves"
        lines.append(f"{points} {listed([move.number for move in turning])}.")
    elif any(move.before is not None for move in found.moves):
        lines.append("No turning point: nobody gave the result away.")
    lines += [
        f"{names[move.seat]} missed a win at move {move.number}. Best: {move.best_words}."
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
        choices = "1 choice" if len(free) == 1 else f"{len(free)} choices"
        lines += [f"{names[seat]}: {best} of {choices} best, {mistakes}."] if free else []
    if found.chances and any(move.before is not None for move in found.moves):
        lines += [f"Percentages are chances to win the round, from what the player knew, {found.assumed}."]
    elif found.chances and any(move.verdict is Verdict.UNJUDGED for move in found.moves):
        lines += ["The odds of these choices are not known here, so none of them was judged."]
    return [part for line in lines for part in wrap(line, columns)]


def as_json_data(found: Review) -> dict[str, object]:
    """The review as data for JSON."""
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


def _move_data(found: Review, move: Judged) -> dict[str, object]:
    before, after = move.before, move.after
    return {
        "ply": move.ply,
        "number": move.number,
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
        "truth": move.truth,
        "again": None if found.secret else again(found.record, move.ply, move.number).text(),
    }
