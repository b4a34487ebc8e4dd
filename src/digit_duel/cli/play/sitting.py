"""Play a game or a match at this terminal, from its start or from a save."""

from __future__ import annotations

from digit_duel.cli.errors import INPUT_ENDED, INTERRUPTED, Leave, Problem
from digit_duel.cli.play import messages
from digit_duel.cli.play.local_game import LocalGame
from digit_duel.cli.play.plan import Plan
from digit_duel.cli.play.sessions import continued, new_session, seed_of
from digit_duel.cli.records.autosave import AutoSave
from digit_duel.cli.records.save_file import InUse, Save, Unreadable, new_save
from digit_duel.cli.screen.terminal import Terminal, printable
from digit_duel.core.game import Refused
from digit_duel.core.record import UNFINISHED, Record, winner_of
from digit_duel.core.session import AnySession
from digit_duel.core.variant import AnyVariant


def play(terminal: Terminal, plan: Plan) -> None:
    """Play a game, or a match to its end."""
    next_plan: Plan | None = plan
    while next_plan is not None:
        next_plan = _play_game(terminal, next_plan, new_session(next_plan), new_save())


def resume(terminal: Terminal, variant: AnyVariant, record: Record, save: Save) -> None:
    """Resume a saved game, and the match it belongs to."""
    if record.result != UNFINISHED:
        play(terminal, Plan.from_record(variant, record).next_game(winner_of(record.result)))
        return
    plan, session = continued(variant, record)
    next_plan = _play_game(terminal, plan, session, save, record)
    if next_plan is not None:
        play(terminal, next_plan)


def _play_game(
    terminal: Terminal, plan: Plan, session: AnySession, save: Save, resumed: Record | None = None
) -> Plan | None:
    """Play one game to its end; return the plan of the next one if the match goes on."""
    autosave = AutoSave(terminal.say, save, plan.record_file, resumed)
    game = LocalGame(session, terminal, plan.levels, autosave, seed_of(plan))
    if game.hot_seat and terminal.interactive and not terminal.screen and game.secrecy.needed():
        raise Problem(
            "plain text cannot hide one player's hand from the other on a shared screen. Play without "
            "--plain on a terminal that can clear its screen, against the computer (--vs computer), "
            "or with open hands (--open)."
        )
    if plan.match is not None and not (plan.match.best_of == 1 and plan.match.number == 1):
        # Plain text keeps the words of the sample sessions, which follow the seats.
        terminal.say(messages.game_heading(plan.match, plan.names) + "\n")
    try:
        with save.lock(), terminal.restored():
            if resumed is not None and save.read() != resumed:
                raise Problem("another program has continued this game in the meantime. Resume it again.")
            if resumed is not None and plan.record_file is not None:
                terminal.say(f"(The record of this game goes to {printable(str(plan.record_file))})\n")
            autosave.save(session)
            _run(game, autosave)
            autosave.add_record(session)
    except Unreadable as why:
        raise Problem(f"this game {why}.") from why
    except InUse as holder:
        raise Problem(f"this game is being played by {holder}; only one can play it at a time.") from holder
    return _after_game(terminal, plan, session)


def _run(game: LocalGame, autosave: AutoSave) -> None:
    try:
        game.run()
    except Leave as leave:
        _say_goodbye(game, autosave, leave.code)
    except KeyboardInterrupt:
        _say_goodbye(game, autosave, INTERRUPTED)
    except EOFError:
        _say_goodbye(game, autosave, INPUT_ENDED)
    except Refused as refused:  # --draws asks for a card that is not in the deck
        raise Problem(str(refused)) from refused


def _say_goodbye(game: LocalGame, autosave: AutoSave, code: int) -> None:
    game.terminal.go_public()
    autosave.discard_if_empty(game.session)
    why = {INTERRUPTED: "Interrupted. ", INPUT_ENDED: "The input has ended. "}.get(code, "")
    game.terminal.say(f"\n{why}{autosave.status}")
    autosave.add_record(game.session)
    raise Leave(code)


def _after_game(terminal: Terminal, plan: Plan, session: AnySession) -> Plan | None:
    if plan.match is None:
        return None
    assert session.outcome is not None
    next_plan = plan.next_game(session.outcome.winner)
    assert next_plan.match is not None
    if next_plan.match.decided:
        terminal.say("\n" + messages.match_result(next_plan.match, next_plan.names))
        return None
    terminal.say()
    return next_plan
