"""A connection to some SQL database, and how a batch of appends is written down through it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Protocol

from digit_duel.web.store import rows
from digit_duel.web.store.orders import Append, Facts, granted

Row = Sequence[Any]


class Link(Protocol):
    """A connection that speaks the statements of rows, and whose errors are the store's."""

    versions: str  # finds the versions of named games, and keeps them as they are until the transaction ends
    clients: str  # finds which of [[game, seat, client], ...] are there
    touch: str  # sets when sessions were seen, for those not seen since

    def find(self, sql: str, values: Row) -> list[Row]:
        """The rows that one statement finds."""

    def find_all(self, questions: Sequence[tuple[str, Row]]) -> list[list[Row]]:
        """The rows that each of several statements finds."""

    def do(self, sql: str, values: Row) -> int:
        """Run one statement, and count the rows it touched."""

    def do_all(self, statements: Sequence[tuple[str, Sequence[Row]]]) -> None:
        """Run each statement for each of its rows."""

    def close(self) -> None:
        """Let go of it."""


def write_down(link: Link, appends: Sequence[Append]) -> list[Append]:
    """Write what can be granted, inside a transaction, and return it; the others carry their error."""
    if not appends:
        return []
    chosen = granted(appends, _facts(link, appends))
    if not chosen:
        return []
    last = {append.game: append for append in chosen}  # a batch can hold several events of one game
    link.do_all(
        [
            (rows.ADD_GAME, [_game_row(append) for append in chosen if append.opens is not None]),
            (rows.ADD_EVENT, [_event_row(append) for append in chosen]),
            (rows.ADD_SEAT, [(a.game, a.claim.seat, a.claim.person) for a in chosen if a.claim is not None]),
            (rows.SET_GAME, [(a.event.version, a.over, a.event.at, a.game) for a in last.values()]),
            (link.touch, _touched(chosen)),
        ]
    )
    return chosen


def _facts(link: Link, appends: Sequence[Append]) -> Facts:
    games = json.dumps(sorted({append.game for append in appends}))
    sessions = json.dumps(sorted({append.session for append in appends if append.session is not None}))
    seats = json.dumps(sorted({append.game for append in appends if append.claim is not None}))
    clients = json.dumps([append.client_key for append in appends if append.client_key is not None])
    versions, live, taken, used = link.find_all(
        [
            (link.versions, (games,)),  # first: it keeps other workers away from the rest
            ("SELECT token FROM sessions WHERE token {among}", (sessions,)),
            ("SELECT game, seat FROM seats WHERE game {among}", (seats,)),
            (link.clients, (clients,)),
        ]
    )
    return Facts(
        rows.pairs(versions, str, int),
        {token for (token,) in live},
        {(game, seat) for game, seat in taken},
        {(game, seat, client) for game, seat, client in used},
    )


def _game_row(append: Append) -> Row:
    opens = append.opens
    assert opens is not None
    version, changed = append.event.version, append.event.at
    return append.game, opens.variant, opens.owner, version, append.over, opens.opened, changed


def _event_row(append: Append) -> Row:
    event = append.event
    return append.game, event.version, event.seat, event.client, event.body, event.digest, event.at


def _touched(chosen: Sequence[Append]) -> list[Row]:
    """Each session once, in one order for all workers."""
    seen = {append.session: append.event.at for append in chosen if append.session is not None}
    return [(at, session, at - rows.DAY) for session, at in sorted(seen.items())]
