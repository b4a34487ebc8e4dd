"""digit-duel analyze: the value of a position and of every move in it, as text or JSON."""

from __future__ import annotations

import json
from textwrap import fill

from digit_duel.cli.errors import Problem
from digit_duel.cli.records.find_games import open_record
from digit_duel.coach.analysis import NAMES, Analysis, analyse
from digit_duel.coach.opponent import Opponent
from digit_duel.core.game import M, Seat
from digit_duel.core.record import RESULTS, UNFINISHED, BadRecord, follow
from digit_duel.core.seat_record import filled, seat_of
from digit_duel.core.session import half_chosen
from digit_duel.core.variant import AnyVariant
from digit_duel.solve.effort import PATIENT
from digit_duel.solve.evaluation import Evaluation
from digit_duel.solve.value import Score


def analyze(
    variant: AnyVariant, moves: str, at: int | None, seat: str | None, errs: float, as_json: bool
) -> str:
    """The analysis of a position, given as moves or as a record file."""
    try:
        texts, asker = _asked(variant, moves, None if seat is None else Seat[seat.upper()])
        if at is not None and at > len(texts):
            made = "there is only one" if len(texts) == 1 else f"there are only {len(texts)}"
            raise Problem(f"there is no position after {at} moves: {made}.")
        texts = texts if at is None else texts[:at]
        steps = follow(variant.game, texts if asker is None else filled(variant.game, texts, asker))
        if half_chosen(variant.game, steps):
            steps.pop()  # a secret choice stays secret until the other is made
        found = analyse(variant, steps, asker, PATIENT, opponent=Opponent(errs=errs))
    except BadRecord as wrong:
        raise Problem(str(wrong)) from wrong
    if found.unknown:
        raise Problem(found.unknown)
    if as_json:
        return json.dumps(_as_json(variant, found))
    return _as_text(found.evaluation, found.line) + (f"\n{_filled(found.reason)}" if found.reason else "")


def _asked(variant: AnyVariant, moves: str, seat: Seat | None) -> tuple[tuple[str, ...], Seat | None]:
    """The moves in notation, from a record file or from the command line, and the seat that asks."""
    if moves.endswith((".duel", ".txt", ".pgn")) or "/" in moves:
        _, record = open_record(moves, 1)
        if (record.game, dict(record.options)) != (variant.id, variant.settings):
            rules = " ".join([record.game, *(f"{name}={value}" for name, value in record.options.items())])
            raise Problem(f"this is a record of {rules}; give that game, and its options with --set.")
        own = seat_of(variant, record)
        if own is not None and seat not in (None, own):
            raise Problem(f"this record shows only what {record.names[own]} saw; leave --seat out.")
        seat = seat if own is None else own
        if seat is None and record.result == UNFINISHED and variant.hides_hands:
            raise Problem("this game is not over and has hidden cards; add --seat first or --seat second.")
        return record.moves, seat
    if "?" in moves and seat is None:
        raise Problem("these moves show only what one seat saw; add --seat first or --seat second.")
    words = (word for word in moves.split() if not (word.endswith(".") and word[:-1].isdigit()))
    return tuple(word for word in words if word not in RESULTS), seat


def _filled(text: str) -> str:
    return fill(text, 78)


def _as_json(variant: AnyVariant, found: Analysis[M]) -> dict[str, object]:
    worth = found.evaluation
    assert worth.value is not None
    odds = {"win_probability": _chance(worth.value), "certain": worth.certainty} if worth.certainty else {}
    return {
        "game": variant.id,
        "to_move": None if worth.seat is None else worth.seat.name.lower(),
        "value": float(worth.value),
        **odds,
        "options": [
            {
                "move": one.text,
                "value": float(one.value),
                "margin": one.margin,
                "best": one.best,
                "regret": float(one.regret),
                **one.more,
            }
            for one in worth.moves
        ],
        "line": list(found.line),
        "reason": found.reason,
    }


def _as_text(found: Evaluation[M], line: tuple[str, ...]) -> str:
    if found.seat is None or found.value is None:
        return "The game is over."
    if found.certainty:
        words = {"k": "keep", "g": "give"}
        chance = _decimals(_chance(found.value))
        lines = [_filled(f"{NAMES[found.seat]} wins the round with probability {chance}, {found.certainty}.")]
        for one in found.moves:
            best = ", best" if one.best else ""
            lines.append(f"  {words[one.text]}  {_decimals(_chance(one.value))}{best}")
        return "\n".join(lines)
    lines = [f"{NAMES[found.seat]} to move {_verdict(found.value)}."]
    for one in sorted(found.moves, key=lambda one: not one.best):
        best = ", best" if one.best else ""
        lines.append(f"  {_mark(one.value)} {one.text:<5} {_verdict(one.value)}{_margin(one.margin)}{best}")
    if line:
        lines.append(f"Best play: {' '.join(line)}")
    return "\n".join(lines)


def _chance(value: Score | float) -> float:
    return float(value + 1) / 2


def _decimals(chance: float) -> str:
    """A probability with four decimals; never 0 or 1 unless it is exactly that."""
    if 0 < chance < 0.00005:
        return "under 0.0001"
    return "over 0.9999" if 0.99995 <= chance < 1 else f"{chance:.4f}"


def _verdict(value: Score | float) -> str:
    if value in (1, -1, 0):
        return {1: "wins", -1: "loses", 0: "holds"}[int(value)]
    return f"is worth {float(value):+.4f}"


def _mark(value: Score | float) -> str:
    return "+" if value > 0 else "-" if value < 0 else "="


def _margin(margin: int | None) -> str:
    return f" by {abs(margin)}" if margin else ""
