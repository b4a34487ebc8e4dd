"""The interface of database connections, and how a batch of appends is written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import msgspec

from digit_duel.web.store import rows
from digit_duel.web.store.rows import Row
from digit_duel.web.store.write_requests import Append, Facts, granted


class DatabaseConnection(Protocol):
    """A connection that runs the statements in rows.py and raises the store's exceptions."""

    versions: str  # finds the versions of games and locks them until the transaction ends
    touch: str  # sets when sessions were last seen

    def find(self, sql: str, values: Row) -> list[Row]:
        """The rows that one statement finds."""

    def find_all(self, questions: Sequence[tuple[str, Row]]) -> list[list[Row]]:
        """The rows that each of several statements finds."""

    def do(self, sql: str, values: Row) -> int:
        """Run one statement, and return the number of affected rows."""

    def do_all(self, statements: Sequence[tuple[str, Row]]) -> None:
        """Run several statements."""

    def close(self) -> None:
        """Close the connection."""

    def abort(self) -> None:
        """Interrupt a statement that hangs; safe to call from another thread."""


def write_appends(connection: DatabaseConnection, appends: Sequence[Append]) -> list[Append]:
    """Write the appends that do not conflict, and return them; set the error of the others."""
    if not appends:
        return []
    chosen = granted(appends, _facts(connection, appends))
    if not chosen:
        return []
    last = {append.game: append for append in chosen}  # a batch can hold several events of one game
    batches: list[tuple[str, list[Row]]] = [
        (rows.ADD_GAMES, [_game_row(append) for append in chosen if append.opens is not None]),
        (rows.ADD_EVENTS, [_event_row(append) for append in chosen]),
        (rows.ADD_SEATS, [(a.game, a.takes.seat, a.takes.person) for a in chosen if a.takes is not None]),
        (rows.ADD_RESULTS, [result for append in chosen for result in append.status.results]),
        (rows.SET_GAMES, [_status_row(append) for append in last.values()]),
        (connection.touch, _touched(chosen)),
    ]
    connection.do_all([(sql, (_json(batch),)) for sql, batch in batches if batch])
    return chosen


def _facts(connection: DatabaseConnection, appends: Sequence[Append]) -> Facts:
    questions: list[tuple[str, Sequence[object]]] = [
        (
            connection.versions,
            sorted({append.game for append in appends}),
        ),  # first: it locks the games
        (rows.LIVE, sorted({append.session for append in appends if append.session is not None})),
        (rows.TAKEN, sorted({append.game for append in appends if append.takes is not None})),
        (rows.CLIENTS, [append.client_key for append in appends if append.client_key is not None]),
    ]
    found = iter(connection.find_all([(sql, (_json(names),)) for sql, names in questions if names]))
    versions, live, taken, used = (next(found) if names else [] for _, names in questions)
    return Facts(
        rows.pairs(versions, str, int),
        set(rows.texts(live)),
        set(rows.seats(taken)),
        set(rows.client_keys(used)),
    )


def _game_row(append: Append) -> Row:
    opens = append.opens
    assert opens is not None
    version, changed = append.event.version, append.event.at
    status = append.status
    return (
        append.game,
        opens.variant,
        opens.owner,
        version,
        status.over,
        opens.opened,
        changed,
        status.waiting,
    )


def _status_row(append: Append) -> Row:
    status, event = append.status, append.event
    return append.game, event.version, status.over, event.at, status.waiting, status.position


def _event_row(append: Append) -> Row:
    event = append.event
    if "\0" in event.body:
        raise ValueError("the body contains a NUL character")  # SQLite would cut it there
    return append.game, event.version, event.seat, event.client, event.body, event.digest, event.at


def _touched(chosen: Sequence[Append]) -> list[Row]:
    """Each session once, in an order that is the same on all servers, which prevents deadlocks."""
    seen = {append.session: append.event.at for append in chosen if append.session is not None}
    return [(session, at, at - rows.DAY) for session, at in sorted(seen.items())]


def _json(batch: Sequence[object]) -> str:
    return msgspec.json.encode(batch).decode()
