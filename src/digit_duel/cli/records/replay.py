"""Stepping through a record, forward and back."""

from __future__ import annotations

from digit_duel.cli.errors import Problem
from digit_duel.cli.play.hidden import hides_something
from digit_duel.cli.screen.picture import draw
from digit_duel.cli.screen.terminal import Terminal
from digit_duel.core.game import M, S, Seat, V
from digit_duel.core.record import ENDINGS, BadRecord, Record, Steps
from digit_duel.core.record import replay as steps_of
from digit_duel.core.session import AnySession, Session
from digit_duel.core.variant import AnyVariant, Variant

_PROMPT = "[Enter] forward, b back, a number to go there, q quit: "


def replay(terminal: Terminal, variant: AnyVariant, record: Record) -> None:
    """Show a record move by move; all at once where nobody types."""
    try:
        steps = steps_of(variant.game, record)
    except BadRecord as bad:
        raise Problem(str(bad)) from bad
    session = Session(variant, record.names, lambda draws, ply: draws[0][0])
    session.steps = steps
    if hides_something(variant, session, record):
        raise Problem("this game is not over and has hidden cards; it can be replayed when it is.")
    terminal.say(
        f"{variant.title}: {record.names[0]} - {record.names[1]}, {len(steps)} moves, {record.result}"
    )
    if terminal.typed:
        _stepwise(terminal, variant, record, steps)
    else:
        for at in range(1, len(steps) + 1):
            _show(terminal, variant, record, steps, at)
    _close(terminal, variant, record, session)


def _stepwise(terminal: Terminal, variant: Variant[S, M, V], record: Record, steps: Steps[S, M]) -> None:
    at = 0
    while True:
        typed = terminal.ask(_PROMPT).strip(" \t").lower()
        if typed in ("q", "quit"):
            return
        if typed in ("", "n", "f"):
            if at == len(steps):
                return
            at += 1
        elif typed in ("b", "p"):
            at = max(0, at - 1)
        elif typed.isascii() and typed.isdigit() and len(typed) < 7 and int(typed) <= len(steps):
            at = int(typed)
        else:
            terminal.say(f"Please press Enter, or type b, q or a number from 0 to {len(steps)}.")
            continue
        _show(terminal, variant, record, steps, at)


def _show(terminal: Terminal, variant: Variant[S, M, V], record: Record, steps: Steps[S, M], at: int) -> None:
    if at == 0:
        terminal.say("\nThe start.")
        return
    step = steps[at - 1]
    who = "drawn" if step.seat is None else record.names[step.seat]
    terminal.say(f"\n{at}. {variant.game.text(step.move)}  ({who})")
    if news := variant.voice.narrate(step, None, record.names).strip("\n"):
        terminal.say(news)
    if terminal.screen:
        reader = step.seat if step.seat is not None else Seat.FIRST
        before, after = (
            variant.voice.scene(variant.game.view(state, reader)) for state in (step.before, step.after)
        )
        terminal.say()
        terminal.say("\n".join(draw(after, record.names, terminal.style, terminal.size, before=before)))


def _close(terminal: Terminal, variant: AnyVariant, record: Record, session: AnySession) -> None:
    outcome = variant.game.outcome(session.state)
    if outcome is not None:
        terminal.say("\n" + variant.voice.closing(session.state, outcome, record.names))
    elif (ended := record.headers.get("Ended")) in ENDINGS:
        terminal.say(f"\nThe game ended {ENDINGS[ended]}: {record.result}")
