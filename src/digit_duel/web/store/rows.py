"""Statements that every database understands, and what their rows mean.

? stands for a value, {among} for being in a list of texts that is given as JSON. {rows} are the rows of a
list that is given as JSON, and {0 text} is their first column: one statement does for a whole batch.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from digit_duel.web.store import DamagedDatabase, Event, Listed

DAY = 24 * 3600 * 1000  # milliseconds: how exactly it is known when a session was last seen

LOG = """
    SELECT g.version, e.version, e.seat, e.client, e.body, e.digest, e.at
    FROM games g LEFT JOIN events e ON e.game = g.id AND e.version > ?
    WHERE g.id = ? ORDER BY e.version"""
VERSIONS = "SELECT id, version FROM games WHERE id {among}"
SEATS = "SELECT seat, person FROM seats WHERE game = ?"
GAMES_OF = """
    SELECT id, variant, owner, version, over, opened, changed FROM games WHERE owner = ?
    UNION
    SELECT id, variant, owner, version, over, opened, changed
    FROM games JOIN seats ON game = id WHERE person = ?
    ORDER BY changed DESC, id LIMIT ?"""
OPEN_GAMES_OF = "SELECT count(*) FROM games WHERE owner = ? AND NOT over"
PERSON = "SELECT person FROM sessions WHERE token = ?"
ADD_SESSION = "INSERT INTO sessions (token, person, seen) VALUES (?, ?, ?)"
END_SESSION = "DELETE FROM sessions WHERE token = ?"
FORGET_CODES = "DELETE FROM codes WHERE person = ? OR until < ?"  # a new code takes the old one's place
ADD_CODE = "INSERT INTO codes (code, person, until) VALUES (?, ?, ?)"
TAKE_CODE = "DELETE FROM codes WHERE code = ? AND until >= ? RETURNING person"

RENEW_LEASE = "UPDATE servers SET lease = ? WHERE id = ?"
ADD_SERVER = "INSERT INTO servers (id, lease) VALUES (?, ?)"
DROP_SERVERS = "DELETE FROM servers WHERE id = ? OR lease < ?"  # and with them who was connected to them
DROP_PRESENCE = "DELETE FROM presence WHERE server = ? AND game {among}"
ADD_PRESENCE = "INSERT INTO presence (game, seat, server) SELECT {0 text}, {1 integer}, {2 text} FROM {rows}"
PRESENCE = """
    SELECT p.game, p.seat FROM presence p JOIN servers s ON s.id = p.server
    WHERE s.id <> ? AND s.lease >= ? AND p.game {among}"""

LIVE = "SELECT token FROM sessions WHERE token {among}"
TAKEN = "SELECT game, seat FROM seats WHERE game {among}"
CLIENTS = """
    SELECT e.game, coalesce(e.seat, -1), e.client FROM {rows}
    JOIN events e ON e.game = {0 text} AND coalesce(e.seat, -1) = {1 integer} AND e.client = {2 text}"""
ADD_GAMES = """
    INSERT INTO games (id, variant, owner, version, over, opened, changed)
    SELECT {0 text}, {1 text}, {2 text}, {3 integer}, {4 boolean}, {5 bigint}, {6 bigint} FROM {rows}"""
ADD_EVENTS = """
    INSERT INTO events (game, version, seat, client, body, digest, at)
    SELECT {0 text}, {1 integer}, {2 integer}, {3 text}, {4 text}, {5 text}, {6 bigint} FROM {rows}"""
ADD_SEATS = "INSERT INTO seats (game, seat, person) SELECT {0 text}, {1 integer}, {2 text} FROM {rows}"
SET_GAMES = """
    UPDATE games SET version = {1 integer}, over = {2 boolean}, changed = {3 bigint}
    FROM {rows} WHERE games.id = {0 text}"""

_COLUMN = re.compile(r"\{(\d) (\w+)\}")


def spoken(sql: str, among: str, rows: str, column: str) -> str:
    """A statement in a database's own words; a column's words have places for its number and its type."""
    told = sql.replace("{among}", among).replace("{rows}", rows)
    return _COLUMN.sub(lambda found: column.format(found[1], found[2]), told)


def _sweep(table: str, key: str, condition: str) -> tuple[str, str]:
    """How to find what can go, and how to forget it if that still holds."""
    return (
        f"SELECT {key} FROM {table} WHERE {condition}",
        f"DELETE FROM {table} WHERE {key} {{among}} AND {condition}",
    )


# A game is unused when there is nothing in it but its opening and one person who sat down.
SWEEPS = {
    "unused": _sweep("games", "id", "version <= 2 AND changed < ?"),
    "over": _sweep("games", "id", "over AND changed < ?"),
    "sessions": _sweep("sessions", "token", "seen < ?"),
}


def events(found: Iterable[Sequence[Any]], after: int) -> list[Event]:
    """A log as LOG found it, or DamagedDatabase where a line is missing."""
    log: list[Event] = []
    last, newest = after, after
    for newest, version, seat, client, body, digest, at in found:
        if version is None and newest <= after:
            break  # nothing new
        if version != last + 1:
            raise DamagedDatabase(f"A game's log lacks version {last + 1}.")
        if not (_is(seat, int, type(None)) and _is(client, str, type(None)) and _is(body, str)):
            raise DamagedDatabase(f"A game's version {version} cannot be read.")
        if not (_is(digest, str) and _is(at, int)):
            raise DamagedDatabase(f"A game's version {version} cannot be read.")
        log.append(Event(version, seat, client, body, digest, at))
        last = version
    if last != max(newest, after):
        raise DamagedDatabase(f"A game's log ends at version {last} of {newest}.")
    return log


def listed(found: Iterable[Sequence[Any]]) -> list[Listed]:
    """Games as GAMES_OF found them."""
    games = []
    for id, variant, owner, version, over, opened, changed in found:
        if not (_is(id, str) and _is(variant, str) and _is(owner, str) and _is(version, int)):
            raise DamagedDatabase("A game in a list cannot be read.")
        if not (_is(over, int, bool) and _is(opened, int) and _is(changed, int)):
            raise DamagedDatabase("A game in a list cannot be read.")
        games.append(Listed(id, variant, owner, version, bool(over), opened, changed))
    return games


def pairs(found: Iterable[Sequence[Any]], key: type, value: type) -> dict[Any, Any]:
    """Rows of two columns."""
    read = {}
    for one, other in found:
        if not (_is(one, key) and _is(other, value)):
            raise DamagedDatabase("A row cannot be read.")
        read[one] = other
    return read


def text(found: Sequence[Sequence[Any]]) -> str | None:
    """The text in the only row, if there is one."""
    if not found:
        return None
    if not _is(found[0][0], str):
        raise DamagedDatabase("A row cannot be read.")
    return str(found[0][0])


def number(found: Sequence[Sequence[Any]]) -> int:
    """The number in the only row."""
    return int(found[0][0])


def _is(value: object, *kinds: type) -> bool:
    return type(value) in kinds
