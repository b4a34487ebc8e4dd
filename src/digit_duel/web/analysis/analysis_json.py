"""Computes hints, reviews and analysed positions; runs in the analysis process."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from digit_duel.coach import advice
from digit_duel.coach import review as looking_back
from digit_duel.coach.analysis import NAMES, analyse, to_move
from digit_duel.coach.coach import Verdict
from digit_duel.coach.families import coach_of
from digit_duel.coach.opponent import Opponent
from digit_duel.coach.review import Judged, Review
from digit_duel.coach.speech import Speech
from digit_duel.core.game import Seat
from digit_duel.core.numbering import move_numbers
from digit_duel.core.record import BadRecord, Record, follow
from digit_duel.core.script import AnyStep, Names
from digit_duel.core.variant import AnyGame, AnyVariant
from digit_duel.solve import errors as solver_errors
from digit_duel.solve.effort import Effort
from digit_duel.solve.errors import Unsolved
from digit_duel.solve.evaluation import Evaluation
from digit_duel.solve.families import oracle
from digit_duel.solve.value import Score
from digit_duel.web.analysis import values
from digit_duel.web.analysis.analysis_process import TooBigToAnalyse
from digit_duel.web.analysis.answer_types import (
    HintAnswer,
    HintOption,
    PositionAnswer,
    PositionOption,
    ReviewAnswer,
    ReviewedMove,
)
from digit_duel.web.replies import Code, Refusal
from digit_duel.web.views.choices import cached_script, choices, plain_choices
from digit_duel.web.views.view_types import Choices, ResultView

# The most that is solved while a caller waits: about a second and 40 MB for a placing game, a few seconds for
# any other game.
EFFORT = Effort(states=25_000, cells=10_000_000)


def hint(
    variant: AnyVariant, view: object, seat: Seat, legal: Sequence[object], names: Names, opponent: Opponent
) -> HintAnswer:
    """Find a good move and its reason, using only what the seat sees."""
    affordable(variant.game)
    found = advice.hint(variant, view, seat, legal, names, opponent)
    assert found is not None  # who is to move has a move
    coach = coach_of(variant, opponent)
    asked = coach.decision(view, seat, legal, Speech(names, seat))
    try:
        worth: Evaluation[Any] = coach.evaluate(view, seat, EFFORT)
    except Unsolved:
        worth = Evaluation()
    options = [
        HintOption(
            move=move.text,
            words=asked.named(move.move),
            score=str(move.value),
            symbol=values.symbol(move.value),
            text=values.text(move.value, worth.chances),
        )
        for move in worth.moves
    ]
    return HintAnswer(found.notation, found.words, found.reason.sentence, options)


def review(
    variant: AnyVariant, record: Record, seat: Seat | None, reader: Seat | None = None
) -> ReviewAnswer:
    """Judge a finished game move by move, for both seats or one; the text addresses the reader as "you"."""
    affordable(variant.game)
    found = looking_back.review(variant, record, seat, reader=reader)
    steps = follow(variant.game, record.moves)
    movers = [step.seat for step in steps]
    return ReviewAnswer(
        unit="chance" if found.chances else "value",
        start=float(found.history[0]) if found.history else None,
        history=[float(value) for value in found.history],
        moves=[_judged(found, move, _part(variant, steps[move.ply - 1])) for move in found.moves],
        numbers=move_numbers(movers),
        movers=movers,
        turning=[move.ply for move in found.turning_points],
    )


def _part(variant: AnyVariant, step: AnyStep) -> str:
    """The part of the game in which a move was made."""
    assert step.seat is not None  # only players' moves are judged
    return cached_script(variant).scene(variant.game.view(step.before, step.seat)).heading


def _judged(found: Review, move: Judged, part: str) -> ReviewedMove:
    value = float(found.history[move.ply]) if found.history else None
    mine = _own_value(found, move)
    better = move.verdict in (Verdict.FINE, Verdict.MISTAKE)
    return ReviewedMove(
        at=move.ply,
        number=move.number,
        seat=move.seat,
        move=move.move,
        words=move.words,
        value=value,
        symbol=values.symbol(mine),
        text=values.text(mine, found.chances),
        verdict=str(move.verdict),
        mistake=move.verdict is Verdict.MISTAKE,
        cost=_cost(move),
        better=[move.best] if better else [],
        better_words=[move.best_words] if better else [],
        reason=move.reason,
        part=part,
        truth=move.truth,
    )


def _cost(move: Judged) -> float | None:
    cost = move.cost or move.margin_cost
    return None if cost is None else float(cost)


def _own_value(found: Review, move: Judged) -> Score | float | None:
    """The mover's value after a move; with hidden hands, judged by what the mover knew."""
    if found.chances:
        return None if move.after is None else round(2 * move.after.value - 1, 12)
    if not found.history:
        return None
    value = found.history[move.ply]
    return value if move.seat is Seat.FIRST else -value


def position(
    variant: AnyVariant,
    moves: Sequence[str],
    seat: Seat | None,
    names: Names | None = None,
    computer: tuple[Seat, str] | None = None,
) -> PositionAnswer:
    """Analyse the position after some moves.

    The text calls the players by name, and the caller's own seat "you". Against a game's computer, the odds
    assume its level, as the review does.
    """
    game, script = variant.game, cached_script(variant)
    try:
        steps = follow(game, moves)
    except BadRecord as bad:
        text = str(bad)
        raise Refusal(Code.BAD_REQUEST, text[:1].upper() + text[1:]) from None
    state = steps[-1].after if steps else game.start()
    mover = to_move(game.acting(state), seat)
    eyes = seat if seat is not None else mover or Seat.FIRST
    if game.outcome(state) is None:
        affordable(game)
    level = computer[1] if computer is not None and mover is computer[0].other else ""
    found = analyse(variant, steps, seat, EFFORT, names or NAMES, Opponent(level))
    worth = found.evaluation
    there = _choices(variant, state, mover)
    return PositionAnswer(
        scene=script.scene(game.view(state, eyes)),
        number=move_numbers([*(step.seat for step in steps), mover])[-1],
        to_move=mover,
        value=None if worth.value is None else float(worth.value),
        symbol=values.symbol(worth.value),
        text=values.text(worth.value, worth.chances),
        options=[
            PositionOption(
                move=move.text,
                words=words,
                value=float(move.value),
                margin=move.margin if worth.has_margins else None,
                symbol=values.symbol(move.value),
                text=values.text(move.value, worth.chances),
                best=move.best,
            )
            for move, words in zip(worth.moves, found.words, strict=True)
        ],
        line=list(found.line),
        reason=found.reason,
        secret=there.secret,
        moves=there.moves,
        questions=there.questions,
        spots=there.spots,
        over=_over(variant, state, names or NAMES),
    )


def affordable(game: AnyGame) -> None:
    """Refuse a game that would take too long to solve, before solving starts or soon after."""
    try:
        oracle(game, EFFORT)
    except solver_errors.TooBig:
        raise TooBigToAnalyse from None
    except Unsolved:
        return  # answered with odds, or by the tips


def _choices(variant: AnyVariant, state: object, mover: Seat | None) -> Choices:
    """The choices in a position; at a draw, what can be drawn, so that a reader can set up a position."""
    game, script = variant.game, cached_script(variant)
    if mover is not None:
        legal = {game.text(move): move for move in game.legal(state, mover)}
        return choices(script, game.view(state, mover), mover, legal)
    return plain_choices("What is drawn?", [game.text(draw) for draw, _ in game.chance(state)])


def _over(variant: AnyVariant, state: object, names: Names) -> ResultView | None:
    outcome = variant.game.outcome(state)
    if outcome is None:
        return None
    closing = cached_script(variant).closing(state, outcome, names)
    return ResultView(outcome.winner, outcome.reason, closing)
