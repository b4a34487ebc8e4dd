"""digit-duel analyze: any position, and what every move in it is worth."""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from textwrap import fill
from typing import Any

from digit_duel.cli.errors import Problem
from digit_duel.cli.play.hidden import hides_hands
from digit_duel.cli.records.saves import Unreadable, read_bounded
from digit_duel.core.game import Seat
from digit_duel.core.record import RESULTS, UNFINISHED, BadRecord, follow, read_records
from digit_duel.core.session import half_chosen
from digit_duel.core.variant import AnyVariant
from digit_duel.games._cards import Cards
from digit_duel.solve import hands
from digit_duel.solve.library import Hidden, oracle
from digit_duel.solve.oracle import line, options
from digit_duel.solve.secrets import secret_options
from digit_duel.solve.value import Score

NAMES = ("First", "Second")


@dataclass(frozen=True, slots=True)
class Ranked:
    """One move's line in an analysis."""

    move: str
    value: Score
    margin: int | None
    best: bool


@dataclass(frozen=True, slots=True)
class Analysis:
    """A position, from the side of the seat that moves."""

    to_move: Seat | None
    value: Score
    moves: tuple[Ranked, ...]
    line: tuple[str, ...]
    odds: str = ""  # in hidden games values are chances to win the round, and this says how certain they are


def analyze(variant: AnyVariant, moves: str, at: int | None, seat: str | None, as_json: bool) -> str:
    """Analyse a position given as moves or as a record file."""
    state = _state(variant, moves, at, seat)
    found = _analysis(variant, state, None if seat is None else Seat[seat.upper()])
    reason = _reason(variant, state, found)
    if as_json:
        return json.dumps({**_as_json(variant, found), "reason": reason})
    return _in_words(found) + (f"\n{fill(reason, 78)}" if reason else "")


def _state(variant: AnyVariant, moves: str, at: int | None, seat: str | None) -> Any:
    """The position that the moves lead to."""
    try:
        texts = _texts(variant, moves, seat)
        steps = follow(variant.game, texts if at is None else texts[:at])
    except BadRecord as bad:
        raise Problem(str(bad)) from bad
    if half_chosen(variant.game, steps):
        steps.pop()  # a secret that is in while the other is not stays a secret
    return steps[-1].after if steps else variant.game.start()


def _texts(variant: AnyVariant, moves: str, seat: str | None) -> tuple[str, ...]:
    """The moves in notation, from a record file or as they were typed, move numbers and all."""
    if moves.endswith((".duel", ".txt", ".pgn")) or "/" in moves:
        try:
            record = read_records(read_bounded(Path(moves)))[0]
        except (Unreadable, IndexError) as why:
            raise Problem(f"{Path(moves).name}: {why}") from why
        if (record.game, dict(record.options)) != (variant.id, variant.settings):
            raise Problem(f"this record is of {record.game} {dict(record.options) or ''}".rstrip() + ".")
        if seat is None and record.result == UNFINISHED and hides_hands(variant):
            raise Problem("this game is not over and has hidden cards; add --seat first or --seat second.")
        return record.moves
    words = (word for word in moves.split() if not (word.endswith(".") and word[:-1].isdigit()))
    return tuple(word for word in words if word not in RESULTS)


def _analysis(variant: AnyVariant, state: Any, seat: Seat | None) -> Analysis:
    game = variant.game
    outcome = game.outcome(state)
    if outcome is not None:
        return Analysis(None, outcome.score(seat or Seat.FIRST), (), ())
    try:
        knows = oracle(game)
    except Hidden:
        return _from_one_seat(variant, state, seat)
    except ValueError as wrong:
        raise Problem(str(wrong)) from wrong
    acting = game.acting(state)
    if len(acting) > 1:
        chooser = seat or Seat.FIRST
        ranked = [
            Ranked(game.text(o.move), o.score, None, o.best)
            for o in secret_options(game, knows, state, chooser)
        ]
        return Analysis(chooser, knows.value(state).score_for(chooser), tuple(ranked), ())
    mover = acting[0]
    found = options(game, knows, state, mover)
    ranked = [Ranked(game.text(o.move), o.score, o.margin, o.best) for o in found]
    best = tuple(game.text(move) for move in line(game, knows, state))
    return Analysis(mover, found[0].score, tuple(ranked), best)


def _from_one_seat(variant: AnyVariant, state: Any, seat: Seat | None) -> Analysis:
    """A decision under hidden hands, as the chances to win the round from what the seat knows."""
    game = variant.game
    if not isinstance(game, Cards):
        raise Problem("no solver here knows a game with these hidden hands.")
    acting = game.acting(state)
    reader = seat if seat is not None else acting[0] if len(acting) == 1 else None
    if reader is None or reader not in acting or state.drawn is None:
        who = "nobody" if not acting else " and ".join(NAMES[one].lower() for one in acting)
        raise Problem(f"there is no card to keep or give from that seat's view here; {who} can move.")
    try:
        odds = hands.odds(game, game.view(state, reader))
    except ValueError as wrong:
        raise Problem(str(wrong)) from wrong
    chances = {"k": odds.keep} if odds.give is None else {"k": odds.keep, "g": odds.give}
    ranked = tuple(
        Ranked(move, 2 * Fraction(chance) - 1, None, chance >= odds.best)
        for move, chance in sorted(chances.items(), key=lambda item: -item[1])
    )
    return Analysis(reader, 2 * Fraction(odds.best) - 1, ranked, (), odds.bound)


def _as_json(variant: AnyVariant, found: Analysis) -> dict[str, Any]:
    return {
        "game": variant.id,
        "to_move": None if found.to_move is None else found.to_move.name.lower(),
        "value": float(found.value),
        **({"win_probability": _chance(found.value), "certain": found.odds} if found.odds else {}),
        "options": [
            {"move": one.move, "value": float(one.value), "margin": one.margin, "best": one.best}
            for one in found.moves
        ],
        "line": list(found.line),
    }


def _reason(variant: AnyVariant, state: Any, found: Analysis) -> str:
    """Why the best move is best, said to the player to move; each word is checked by the solver."""
    if found.to_move is None:
        return ""
    from digit_duel.coach.advice import hint

    game, seat = variant.game, found.to_move
    advice = hint(variant, game.view(state, seat), seat, game.legal(state, seat), NAMES)
    return advice.reason.sentence if advice else ""


def _in_words(found: Analysis) -> str:
    if found.to_move is None:
        return "The game is over."
    if found.odds:
        words = {"k": "keep", "g": "give"}
        chance = f"{_chance(found.value):.4f}"
        lines = [f"{NAMES[found.to_move]} wins the round with probability {chance}, {found.odds}."]
        for one in found.moves:
            best = ", best" if one.best else ""
            lines.append(f"  {words[one.move]}  {_chance(one.value):.4f}{best}")
        return "\n".join(lines)
    lines = [f"{NAMES[found.to_move]} to move {_verdict(found.value)}."]
    shown = [one for one in found.moves if one.best] or list(found.moves)
    others = [one for one in found.moves if one not in shown]
    lines += [
        f"  {_mark(one.value)} {one.move:<5} {_verdict(one.value)}{_margin(one)}, best" for one in shown
    ]
    lines += [f"  {_mark(one.value)} {one.move:<5} {_verdict(one.value)}{_margin(one)}" for one in others]
    if found.line:
        lines.append(f"Best play: {' '.join(found.line)}")
    return "\n".join(lines)


def _chance(value: Score) -> float:
    return float(value + 1) / 2


def _verdict(value: Score) -> str:
    if value in (1, -1, 0):
        return {1: "wins", -1: "loses", 0: "holds"}[int(value)]
    return f"is worth {float(value):+.4f}"


def _mark(value: Score) -> str:
    return "+" if value > 0 else "-" if value < 0 else "="


def _margin(one: Ranked) -> str:
    if one.margin is None:
        return ""
    return f" by {abs(one.margin)}" if one.margin else " with equal numbers"
