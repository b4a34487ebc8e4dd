"""Hints, reviews and analysed positions as plain data: pure, and made in a process of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from digit_duel.coach import advice
from digit_duel.coach import review as looking_back
from digit_duel.coach.analysis import NAMES, Analysis, analyse, to_move
from digit_duel.coach.coach import Verdict
from digit_duel.coach.review import Judged, Review
from digit_duel.core.game import Seat
from digit_duel.core.record import BadRecord, Record, Steps, follow
from digit_duel.core.script import Names
from digit_duel.core.variant import AnyGame, AnyVariant
from digit_duel.solve import errors as solver_errors
from digit_duel.solve.effort import Effort
from digit_duel.solve.errors import Unsolved
from digit_duel.solve.evaluation import Evaluation
from digit_duel.solve.families import oracle, solver
from digit_duel.solve.value import Score
from digit_duel.web.analysis.analysis_process import TooBig
from digit_duel.web.analysis.values import told
from digit_duel.web.replies import Code, Refusal
from digit_duel.web.views.choices import choices, plain_choices, voice
from digit_duel.web.views.game_view import pictured

# What is solved while a stranger waits: a placing game's table takes about a second then, and 40 MB, and any
# other game a few seconds.
EFFORT = Effort(states=25_000, cells=10_000_000)


def hint(variant: AnyVariant, view: Any, seat: Seat, legal: Sequence[Any], names: Names) -> dict[str, Any]:
    """A good move with its reason, and what every move is worth, all from what the caller sees."""
    affordable(variant.game)
    found = advice.hint(variant, view, seat, legal, names)
    assert found is not None  # who is to move has a move
    try:
        worth: Evaluation[Any] = solver(variant.game).evaluate(view, seat, EFFORT)
    except Unsolved:
        worth = Evaluation()
    return {
        "move": found.notation,
        "words": found.words,
        "reason": found.reason.sentence,
        "options": [
            {"move": move.text, "score": str(move.value), **told(move.value, worth.chances)}
            for move in worth.moves
        ],
    }


def review(variant: AnyVariant, record: Record, seat: Seat | None) -> dict[str, Any]:
    """A finished game judged move by move; values are the first seat's, symbols and texts the mover's."""
    affordable(variant.game)
    found = looking_back.review(variant, record, seat)
    return {
        "unit": "chance" if found.chances else "value",
        "start": float(found.history[0]) if found.history else None,
        "moves": [_judged(found, move) for move in found.moves],
        "turning": [move.ply for move in found.turning_points],
    }


def _judged(found: Review, move: Judged) -> dict[str, Any]:
    value = _value_after(found, move)
    mine = value if value is None or move.seat is Seat.FIRST else -value
    better = move.verdict in (Verdict.FINE, Verdict.MISTAKE)
    return {
        "at": move.ply,
        "seat": int(move.seat),
        "move": move.move,
        "words": move.words,
        "value": None if value is None else float(value),
        **told(mine, found.chances),
        "verdict": str(move.verdict),
        "mistake": move.verdict is Verdict.MISTAKE,
        "better": [move.best] if better else [],
        "better_words": [move.best_words] if better else [],
        "reason": move.reason,
    }


def _value_after(found: Review, move: Judged) -> Score | float | None:
    """What the first seat had after a move."""
    if found.history:
        return found.history[move.ply]
    if move.after is None:
        return None
    mine = round(2 * move.after.value - 1, 12)
    return mine if move.seat is Seat.FIRST else -mine


def position(
    variant: AnyVariant, moves: Sequence[str], seat: Seat | None, names: Names | None = None
) -> dict[str, Any]:
    """Any position: the picture, what every move is worth to the mover, and how it would go on.

    The words about a game that was played name the two who played it, but for the caller's own seat.
    """
    game, script = variant.game, voice(variant)
    try:
        steps = follow(game, moves)
    except BadRecord as bad:
        text = str(bad)
        raise Refusal(Code.BAD_REQUEST, text[:1].upper() + text[1:]) from None
    state = steps[-1].after if steps else game.start()
    mover = to_move(game.acting(state), seat)
    eyes = seat if seat is not None else mover or Seat.FIRST
    found = _analysed(variant, steps, seat, names)
    worth = found.evaluation
    return {
        "scene": pictured(script.scene(game.view(state, eyes))),
        "to_move": None if mover is None else int(mover),
        "value": None if worth.value is None else float(worth.value),
        **told(worth.value, worth.chances),
        "options": [
            {
                "move": move.text,
                "value": float(move.value),
                "margin": move.margin if worth.has_margins else None,
                **told(move.value, worth.chances),
                "best": move.best,
            }
            for move in worth.moves
        ],
        "line": list(found.line),
        "reason": found.reason,
        **_choices(variant, state, mover),
        "over": _over(variant, state, names or NAMES),
    }


def affordable(game: AnyGame) -> None:
    """Refuse a game that would take too long to solve, before it is begun or soon after."""
    try:
        oracle(game, EFFORT)
    except solver_errors.TooBig:
        raise TooBig from None
    except Unsolved:
        return  # these are asked for odds, or for what the tips say


def _analysed(
    variant: AnyVariant, steps: Steps[Any, Any], seat: Seat | None, names: Names | None
) -> Analysis[Any]:
    """What can be said about a position; nothing, where nobody knows."""
    affordable(variant.game)
    try:
        return analyse(variant, steps, seat, EFFORT, names)
    except Unsolved:
        return Analysis(Evaluation())


def _choices(variant: AnyVariant, state: Any, mover: Seat | None) -> dict[str, Any]:
    """What can be done now; nature's moves too, for one who sets up a position."""
    game, script = variant.game, voice(variant)
    if mover is not None:
        legal = {game.text(move): move for move in game.legal(state, mover)}
        return choices(script, game.view(state, mover), mover, legal)
    return plain_choices("What is drawn?", [game.text(draw) for draw, _ in game.chance(state)])


def _over(variant: AnyVariant, state: Any, names: Names) -> dict[str, Any] | None:
    outcome = variant.game.outcome(state)
    if outcome is None:
        return None
    closing = voice(variant).closing(state, outcome, names)
    winner = None if outcome.winner is None else int(outcome.winner)
    return {"winner": winner, "reason": outcome.reason, "closing": closing}
