"""Open a table on this computer, for a new game or a saved one."""

from __future__ import annotations

from collections import Counter

from digit_duel.cli.app.state.local import LocalTable
from digit_duel.cli.play.plan import Plan
from digit_duel.cli.play.sessions import continued, new_session
from digit_duel.cli.records.find_games import SavedGame
from digit_duel.cli.records.save_file import new_save
from digit_duel.core.record import UNFINISHED, winner_of


def new_table(plan: Plan, tally: Counter[str] | None = None) -> LocalTable:
    """A new game, saved and locked; raises Problem."""
    table = LocalTable(plan, new_session(plan), new_save(), tally=tally)
    table.open()
    return table


def saved_table(game: SavedGame) -> LocalTable:
    """A saved game, or the next one of its match; raises Problem if it cannot be continued."""
    if game.record.result != UNFINISHED:
        plan = Plan.from_record(game.variant, game.record)
        return new_table(plan.next_game(winner_of(game.record.result)))
    plan, session = continued(game.variant, game.record)
    table = LocalTable(plan, session, game.save, game.record)
    table.open()
    return table
