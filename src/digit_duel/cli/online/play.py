"""digit-duel play --server: play on a server, against its computer, with a friend, or where a link leads."""

from __future__ import annotations

import secrets

from digit_duel.cli.errors import INPUT_ENDED, INTERRUPTED, Leave, Problem
from digit_duel.cli.online.connection import Connection, ServerRefused
from digit_duel.cli.online.entry import Entered, address_of, enter, next_game, variant_of, way_back
from digit_duel.cli.online.fairness import checked_record
from digit_duel.cli.online.game import OnlineGame
from digit_duel.cli.online.plan import OnlinePlan
from digit_duel.cli.online.view import GameView
from digit_duel.cli.play.prompt import confirm
from digit_duel.cli.rules import rules_text
from digit_duel.cli.screen.terminal import Terminal


def play(terminal: Terminal, plan: OnlinePlan) -> None:
    """Play on a server, with rematches if the player wants them; raises Leave or Problem if it ends early."""
    connection = Connection(address_of(plan), terminal.say)
    try:
        with terminal.restored():
            _play_games(terminal, connection, plan, enter(connection, plan))
    except ServerRefused as refused:
        raise Problem(refused.message[:1].lower() + refused.message[1:]) from refused


def _play_games(terminal: Terminal, connection: Connection, plan: OnlinePlan, entered: Entered) -> None:
    if entered.link:
        terminal.say(f"Send this link to a friend:\n\n  {entered.link}\n")
    while True:
        view = entered.view
        variant = variant_of(view)
        if view.match:
            terminal.say(view.match)
        game = OnlineGame(terminal, connection, rules_text(variant), view)
        try:
            game.play()
            checked = checked_record(connection, variant, game.view, entered.commitment, plan.record_file)
            if checked is not None and checked.hidden:
                terminal.say(f"\n{checked.sentence}")
            seed = secrets.token_hex(16)
            again = terminal.interactive and confirm(terminal, "Do you want to play again? (yes/no): ")
            rematch = game.rematch(seed) if again else None
        except (Leave, KeyboardInterrupt, EOFError) as leaving:
            raise _say_goodbye(terminal, connection, game.view, leaving) from None
        except Problem as problem:
            raise Problem(f"{problem} {way_back(connection, game.view)}".rstrip()) from problem
        if rematch is None:
            return
        entered = next_game(connection, rematch, seed)


def _say_goodbye(terminal: Terminal, connection: Connection, view: GameView, leaving: BaseException) -> Leave:
    """Say where the game is and how to return to it."""
    match leaving:
        case Leave():
            code, why = leaving.code, ""
        case KeyboardInterrupt():
            code, why = INTERRUPTED, "Interrupted. "
        case _:
            code, why = INPUT_ENDED, "The input has ended. "
    if back := way_back(connection, view):
        terminal.say(f"\n{why}The server keeps the game. {back}")
    return Leave(code)
