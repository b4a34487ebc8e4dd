"""Step through a record, forward and back."""

from __future__ import annotations

from digit_duel.cli.errors import Problem
from digit_duel.cli.play.hidden import hides_something
from digit_duel.cli.play.messages import ending
from digit_duel.cli.screen.scene_text import board
from digit_duel.cli.screen.terminal import Terminal
from digit_duel.core.game import Seat
from digit_duel.core.numbering import find_number, move_numbers
from digit_duel.core.record import UNFINISHED, BadRecord, Record
from digit_duel.core.seat_record import replay_seen, seat_of
from digit_duel.core.session import AnySession, Session
from digit_duel.core.variant import AnyVariant

NO_MOVES = "No moves yet."
_PROMPT = "[Enter] forward, b back, a number to go there, q quit: "


def replay(terminal: Terminal, variant: AnyVariant, record: Record) -> None:
    """Show a record move by move; without a person at the keyboard, all of it.

    The record of one seat shows what this seat saw.
    """
    try:
        steps = replay_seen(variant, record)
    except BadRecord as bad:
        raise Problem(str(bad)) from bad
    seat = seat_of(variant, record)
    session = Session(variant, record.names, lambda draws, ply: draws[0][0])
    session.steps = steps
    if not any(step.seat is not None for step in steps):
        terminal.say(NO_MOVES)
        return
    if seat is None and hides_something(session, record):
        raise Problem("this game is not over and has hidden cards; finish it before you replay it.")
    terminal.say(heading(variant, record))
    if terminal.interactive:
        with terminal.restored():
            _stepwise(terminal, session, seat, record)
    else:
        for at in range(1, len(steps) + 1):
            _show(terminal, session, seat, record, at)
    outcome = variant.game.outcome(session.state)
    if outcome is not None:
        terminal.say("\n" + variant.voice.closing(session.state, outcome, record.names))
    elif record.result != UNFINISHED:
        terminal.say(f"\n{ending(record)}")


def heading(variant: AnyVariant, record: Record) -> str:
    """A record in one line: the game, the players, how many moves they made, and the result."""
    made = sum(step.seat is not None for step in replay_seen(variant, record))
    moves = "1 move" if made == 1 else f"{made} moves"
    result = "not over" if record.result == UNFINISHED else record.result
    seat = seat_of(variant, record)
    seen = "" if seat is None else f", as {record.names[seat]} saw it"
    return f"{variant.title}: {' - '.join(record.names)}, {moves}, {result}{seen}"


def _stepwise(terminal: Terminal, session: AnySession, seat: Seat | None, record: Record) -> None:
    at, last = 0, len(session.steps)
    numbers = move_numbers(step.seat for step in session.steps)
    while True:
        typed = terminal.ask(_PROMPT).strip(" \t").lower()
        if typed in ("q", "quit"):
            return
        if typed in ("", "n", "f"):
            if at == last:
                return
            at += 1
        elif typed in ("b", "p"):
            at = max(0, at - 1)
        elif typed == "0":
            at = 0
        elif (found := find_number(numbers, typed)) is not None:
            at = found + 1
        else:
            terminal.say(f"Press Enter, or type b, q or a number from 0 to {numbers[-1] if numbers else 0}.")
            continue
        _show(terminal, session, seat, record, at)


def _show(terminal: Terminal, session: AnySession, seat: Seat | None, record: Record, at: int) -> None:
    """Show the position after this many moves, to one seat or to everybody."""
    if at == 0:
        terminal.say("\nThe start.")
        return
    step, names, script = session.steps[at - 1], session.names, session.variant.voice
    number = move_numbers(step.seat for step in session.steps)[at - 1]
    who = "drawn" if step.seat is None else names[step.seat]
    terminal.say(f"\n{number}. {record.moves[at - 1]}  ({who})")
    if news := script.narrate(step, seat, names).strip("\n"):
        terminal.say(news)
    if terminal.interactive:
        terminal.say(f"\n{board(session.variant.scene(step.after, seat), names)}")
