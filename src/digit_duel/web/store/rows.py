"""SQL statements for all supported databases, and functions that read their rows.

? is a parameter. "x {among}" means that x is in a JSON list of strings, which is a parameter too. {rows} are
the rows of a JSON list, and {0 text} is their first column, so that one statement serves a whole batch.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TypeAlias, TypeVar, cast, get_args

from digit_duel.web.store import DamagedDatabase, Ending, Event, Listed, Result, SessionRow, Tally

Row: TypeAlias = Sequence[object]
K = TypeVar("K")
T = TypeVar("T")

DAY = 24 * 3600 * 1000  # milliseconds; also the accuracy of a session's last use

LOG = """
    SELECT g.version, e.version, e.seat, e.client, e.body, e.digest, e.at
    FROM games g LEFT JOIN events e ON e.game = g.id AND e.version > ?
    WHERE g.id = ? ORDER BY e.version"""
OPENINGS = """
    SELECT g.id, e.body FROM games g JOIN events e ON e.game = g.id AND e.version = 1
    WHERE g.id > ? ORDER BY g.id LIMIT ?"""
VERSIONS = "SELECT id, version FROM games WHERE id {among}"
SEATS = "SELECT seat, person FROM seats WHERE game = ?"
GAMES_OF = """
    SELECT id, variant, owner, version, over, opened, changed FROM games WHERE owner = ?
    UNION
    SELECT id, variant, owner, version, over, opened, changed
    FROM games JOIN seats ON game = id WHERE person = ?
    ORDER BY changed DESC, id LIMIT ?"""
RUNNING_GAMES_OF = """
    SELECT id, variant, owner, version, over, opened, changed FROM games WHERE owner = ? AND NOT over
    UNION
    SELECT id, variant, owner, version, over, opened, changed
    FROM games JOIN seats ON game = id WHERE person = ? AND NOT over
    ORDER BY changed DESC, id LIMIT ?"""
RESULTS_OF = """
    SELECT game, person, ended, seat, variant, first_name, second_name, level, rival, result FROM results
    WHERE person = ? AND (ended, game) < (?, ?) ORDER BY ended DESC, game DESC LIMIT ?"""
TALLIES_OF = """
    SELECT variant, level, rival, CASE seat WHEN 0 THEN second_name ELSE first_name END AS name, result,
    count(*), max(ended)
    FROM (SELECT * FROM results WHERE person = ? ORDER BY ended DESC, game DESC LIMIT ?) AS latest
    WHERE seat IS NOT NULL GROUP BY 1, 2, 3, 4, 5"""
RESULTS_DUE = "SELECT game FROM results_due ORDER BY game LIMIT ?"
NO_LONGER_DUE = "DELETE FROM results_due WHERE game = ?"
OPEN_GAMES_OF = "SELECT count(*) FROM games WHERE owner = ? AND NOT over"
WAITING_GAMES_OF = "SELECT count(*) FROM games WHERE owner = ? AND waiting AND NOT over"
BEING_PLAYED = "SELECT coalesce(min(opened), 0) FROM games WHERE position IS NOT NULL AND position {among}"
PERSON = "SELECT person FROM sessions WHERE token = ?"
SESSIONS_OF = (
    "SELECT token, started, seen, device FROM sessions WHERE person = ? ORDER BY seen DESC, token LIMIT ?"
)
# Locks the session until the transaction ends, so that it cannot end meanwhile.
HOLD_SESSION = "UPDATE sessions SET seen = seen WHERE token = ? RETURNING person"
ADD_SESSION = "INSERT INTO sessions (token, person, seen, started, device) VALUES (?, ?, ?, ?, ?)"
END_SESSION = "DELETE FROM sessions WHERE token = ? RETURNING person"
END_SESSIONS_OF = "DELETE FROM sessions WHERE person = ? AND token <> ? RETURNING token"
ADD_ENDED = "INSERT INTO ended_sessions (token, at) VALUES (?, ?) ON CONFLICT (token) DO NOTHING"
ENDED_SINCE = "SELECT token FROM ended_sessions WHERE at >= ?"
FORGET_ENDED = "DELETE FROM ended_sessions WHERE at < ?"
HAS_LEFT = "SELECT person FROM left_people WHERE person = ?"
ADD_LEFT = "INSERT INTO left_people (person, at) VALUES (?, ?) ON CONFLICT (person) DO NOTHING"
FORGET_LEFT = "DELETE FROM left_people WHERE at < ?"
FORGET_CODES_OF = "DELETE FROM codes WHERE person = ?"
FORGET_CODES = "DELETE FROM codes WHERE person = ? OR until < ?"  # a new code replaces the old one
ADD_CODE = "INSERT INTO codes (code, person, until) VALUES (?, ?, ?)"
TAKE_CODE = "DELETE FROM codes WHERE code = ? AND until >= ? RETURNING person"

ADD_SERVER = """
    INSERT INTO servers (id, quiet, started, lease)
    SELECT {0 text}, coalesce((SELECT max(lease) FROM servers), {1 bigint}), {1 bigint}, {2 bigint}
    FROM {rows}"""
RENEW_LEASE = "UPDATE servers SET lease = ? WHERE id = ?"
# An extra millisecond does no harm; SQLite would not write an unchanged row.
PROBE = "UPDATE servers SET lease = lease + 1 WHERE id = (SELECT max(id) FROM servers)"
FORGET_SERVERS = "DELETE FROM servers WHERE lease < ?"
OUTAGES = "SELECT quiet, started FROM servers WHERE quiet < started"
LEAVE = "UPDATE presence SET left_at = ? WHERE server = ? AND left_at IS NULL"
DROP_PRESENCE = "UPDATE presence SET left_at = ? WHERE server = ? AND left_at IS NULL AND game {among}"
ADD_PRESENCE = """
    INSERT INTO presence (game, seat, server) SELECT {0 text}, {1 integer}, {2 text} FROM {rows} WHERE true
    ON CONFLICT (game, seat, server) DO UPDATE SET left_at = NULL"""
# A seat of a server that died was last seen there when its lease ended.
LAST_SEEN = """
    SELECT p.game, p.seat, max(coalesce(p.left_at, s.lease)) FROM presence p JOIN servers s ON s.id = p.server
    WHERE (s.id <> ? OR p.left_at IS NOT NULL) AND p.game {among} GROUP BY p.game, p.seat"""
FORGET_PRESENCE = """
    DELETE FROM presence WHERE left_at < ? OR server IN (SELECT id FROM servers WHERE lease < ?)"""
SWEPT = "SELECT max(at) FROM sweeps"
SET_SWEPT = "UPDATE sweeps SET at = ? WHERE at < ?"

LIVE = "SELECT token FROM sessions WHERE token {among}"
TAKEN = "SELECT game, seat FROM seats WHERE game {among}"
CLIENTS = """
    SELECT e.game, coalesce(e.seat, -1), e.client FROM {rows}
    JOIN events e ON e.game = {0 text} AND coalesce(e.seat, -1) = {1 integer} AND e.client = {2 text}"""
ADD_GAMES = """
    INSERT INTO games (id, variant, owner, version, over, opened, changed, waiting)
    SELECT {0 text}, {1 text}, {2 text}, {3 integer}, {4 boolean}, {5 bigint}, {6 bigint}, {7 boolean}
    FROM {rows}"""
ADD_EVENTS = """
    INSERT INTO events (game, version, seat, client, body, digest, at)
    SELECT {0 text}, {1 integer}, {2 integer}, {3 text}, {4 text}, {5 text}, {6 bigint} FROM {rows}"""
ADD_SEATS = "INSERT INTO seats (game, seat, person) SELECT {0 text}, {1 integer}, {2 text} FROM {rows}"
ADD_RESULTS = """
    INSERT INTO results (game, person, ended, seat, variant, first_name, second_name, level, rival, result)
    SELECT {0 text}, {1 text}, {2 bigint}, {3 integer}, {4 text}, {5 text}, {6 text}, {7 text}, {8 text},
    {9 text} FROM {rows} WHERE true ON CONFLICT (game, person) DO NOTHING"""
SET_GAMES = """
    UPDATE games SET version = {1 integer}, over = {2 boolean}, changed = {3 bigint},
    waiting = {4 boolean}, position = {5 text}
    FROM {rows} WHERE games.id = {0 text}"""

_COLUMN = re.compile(r"\{(\d) (\w+)\}")


def in_dialect(sql: str, among: str, rows: str, column: str) -> str:
    """Translate a statement into a database's dialect; column has places for a column's number and type."""
    told = sql.replace("{among}", among).replace("{rows}", rows)
    return _COLUMN.sub(lambda found: column.format(found[1], found[2]), told)


def _sweep(table: str, key: str, size: str, condition: str) -> tuple[str, str]:
    """A statement that finds what can be deleted, with sizes, and one that deletes it if that still holds."""
    return (
        f"SELECT {key}, {size} FROM {table} WHERE {condition}",
        f"DELETE FROM {table} WHERE {key} {{among}} AND {condition}",
    )


# A game is unused if it has nothing but its opening and one person who joined, if it still waits for a
# friend, or if it was cancelled.
SWEEPS = {
    "unused": _sweep(
        "games", "id", "version", "(version <= 2 OR waiting OR (over AND version = 3)) AND changed < ?"
    ),
    "abandoned": _sweep("games", "id", "version", "NOT over AND changed < ?"),
    "over": _sweep("games", "id", "version", "over AND changed < ?"),
    "sessions": _sweep("sessions", "token", "1", "seen < ?"),
}


def events(found: Iterable[Row], after: int) -> list[Event]:
    """Read a log as LOG found it, or raise DamagedDatabase if an event is missing."""
    log: list[Event] = []
    last = newest = after
    for known, version, seat, client, body, digest, at in found:
        newest = _exact(known, int)
        if version is None and newest <= after:
            break  # nothing new
        if version != last + 1:
            raise DamagedDatabase(f"A game's log lacks version {last + 1}.")
        last = _exact(version, int)
        place, name = _optional(seat, int), _optional(client, str)
        log.append(Event(last, place, name, _exact(body, str), _exact(digest, str), _exact(at, int)))
    if last != max(newest, after):
        raise DamagedDatabase(f"A game's log ends at version {last} of {newest}.")
    return log


def listed(found: Iterable[Row]) -> list[Listed]:
    """Read games as GAMES_OF found them."""
    return [
        Listed(
            _exact(id, str), _exact(variant, str), _exact(owner, str), _exact(version, int),
            _truth(over), _exact(opened, int), _exact(changed, int),
        )
        for id, variant, owner, version, over, opened, changed in found
    ]  # fmt: skip


def results(found: Iterable[Row]) -> list[Result]:
    """Read results as RESULTS_OF found them."""
    return [
        Result(
            _exact(game, str), _exact(person, str), _exact(ended, int), _optional(seat, int),
            _exact(variant, str), _exact(first, str), _exact(second, str), _optional(level, str),
            _optional(rival, str), _ending(ending),
        )
        for game, person, ended, seat, variant, first, second, level, rival, ending in found
    ]  # fmt: skip


def tallies(found: Iterable[Row]) -> list[Tally]:
    """Read counts as TALLIES_OF found them."""
    return [
        Tally(
            _exact(variant, str), _optional(level, str), _optional(rival, str), _exact(name, str),
            _ending(ending), _exact(games, int), _exact(last, int),
        )
        for variant, level, rival, name, ending, games, last in found
    ]  # fmt: skip


def sessions(found: Iterable[Row]) -> list[SessionRow]:
    """Read sessions as SESSIONS_OF found them."""
    return [
        SessionRow(_exact(token, str), _exact(started, int), _exact(seen, int), _exact(device, str))
        for token, started, seen, device in found
    ]


def last_seen(found: Iterable[Row]) -> dict[tuple[str, int], int]:
    """Read when each seat was last seen."""
    return {(_exact(game, str), _exact(seat, int)): _exact(at, int) for game, seat, at in found}


def pairs(found: Iterable[Row], key: type[K], value: type[T]) -> dict[K, T]:
    """Read rows of two columns."""
    return {_exact(one, key): _exact(other, value) for one, other in found}


def texts(found: Iterable[Row]) -> list[str]:
    """Read rows of one string."""
    return [_exact(each, str) for (each,) in found]


def seats(found: Iterable[Row]) -> list[tuple[str, int]]:
    """Read rows of a game and a seat."""
    return [(_exact(game, str), _exact(seat, int)) for game, seat in found]


def client_keys(found: Iterable[Row]) -> list[tuple[str, int, str]]:
    """Read rows of a game, a seat and a client's id."""
    return [(_exact(game, str), _exact(seat, int), _exact(client, str)) for game, seat, client in found]


def text(found: Iterable[Row]) -> str | None:
    """Read the string in the first row; None if there is no row."""
    return next(iter(texts(found)), None)


def number(found: Sequence[Row]) -> int:
    """Read the number in the only row."""
    return _exact(found[0][0], int)


def _exact(value: object, kind: type[T]) -> T:
    """A value of exactly this type: True is not a number."""
    if type(value) is not kind or not isinstance(value, kind):
        raise DamagedDatabase("A row cannot be read.")
    return value


def _optional(value: object, kind: type[T]) -> T | None:
    return None if value is None else _exact(value, kind)


def _ending(value: object) -> Ending:
    if value not in get_args(Ending):
        raise DamagedDatabase("A row cannot be read.")
    return cast(Ending, value)


def _truth(value: object) -> bool:
    """A boolean, which SQLite stores as a number."""
    if not isinstance(value, int):
        raise DamagedDatabase("A row cannot be read.")
    return bool(value)
