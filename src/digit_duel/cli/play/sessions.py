"""Sessions of games on this computer: new ones, continued ones, and the computer's moves in them."""

from __future__ import annotations

from dataclasses import replace
from random import Random, SystemRandom
from typing import Any

from digit_duel.bots import LEVELS
from digit_duel.cli.errors import Problem
from digit_duel.cli.play.fixed_draws import with_draws
from digit_duel.cli.play.plan import Plan
from digit_duel.cli.records import record_file
from digit_duel.core.game import Refused, Seat
from digit_duel.core.record import BadRecord, Record, replay
from digit_duel.core.session import AnySession, Dealer, Session, dealer
from digit_duel.core.variant import AnyVariant


def new_session(plan: Plan) -> AnySession:
    """A new game's session; raises Problem if the cards of --draws cannot be dealt."""
    try:
        return Session(plan.variant, plan.names, _dealer(plan), plan.headers())
    except Refused as refused:
        raise Problem(str(refused)) from refused


def continued(variant: AnyVariant, record: Record) -> tuple[Plan, AnySession]:
    """The plan and the session of a saved game; raises Problem."""
    plan = Plan.from_record(variant, record)
    try:
        dealt = sum(step.seat is None for step in replay(variant.game, record))
        plan = replace(plan, draws=tuple(record.headers.get("Draws", ""))[dealt:])
        return plan, Session.from_record(variant, record_file.without_save_headers(record), _dealer(plan))
    except BadRecord as bad:
        raise Problem(f"this save does not follow the rules: {bad}") from bad
    except Refused as refused:
        raise Problem(str(refused)) from refused


def computer_move(session: AnySession, seat: Seat, level: str, seed: str | None) -> Any:
    """The move of a computer, from what its seat knows; with a seed, always the same."""
    ply = len(session.steps)
    rng = SystemRandom() if seed is None else Random(f"{seed}/{ply}/{level}")
    legal = session.game.legal(session.state, seat)
    return LEVELS[level](session.variant, seat, rng).choose(session.view(seat), legal)


def seed_of(plan: Plan) -> str | None:
    """The seed of one game of a match."""
    return None if plan.seed is None else f"{plan.seed}/{plan.match.number if plan.match else 1}"


def _dealer(plan: Plan) -> Dealer:
    return with_draws(plan.variant, plan.draws, dealer(seed_of(plan)))
