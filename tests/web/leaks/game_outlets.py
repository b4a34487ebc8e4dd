"""What an observer asks at the routes of a game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.web.leaks.asks import BROWSER, NOBODY, PLAYER, STRANGER, WATCHING, Ask, Situation, outlet
from tests.worlds import WRONG

RIGHT_SOMEWHERE = ("9a1", "12")  # where digits are placed, and where a hand has two digits


def looks(at: Situation, base: str) -> Iterator[Ask]:
    """Everybody's looks at something that has versions."""
    for who in at.eyes:
        yield Ask(who, "GET", base)
    yield Ask(NOBODY, "GET", f"{base}?seat={at.rng.randrange(2)}")
    yield Ask(at.me, "GET", f"{base}?after={at.some_version()}")


@outlet("GET", "/api/games/{game}")
def look(at: Situation) -> Iterator[Ask]:
    base = f"/api/games/{at.game}"
    yield from looks(at, base)
    yield Ask(STRANGER, "GET", f"{base}?after={at.some_version()}&as=watcher")
    if at.sight is None:
        yield Ask(WATCHING, "GET", f"{base}?as=watcher")
    else:
        yield Ask(PLAYER, "GET", f"{base}?seat={int(at.sight)}")
        yield Ask(PLAYER, "GET", f"{base}?seat={int(at.sight.other)}")


def every_version(at: Situation) -> Iterator[Ask]:
    """The first sync, and the news since any version (C2)."""
    for who in (at.me, NOBODY):
        for version in range(at.version + 2):
            yield Ask(who, "GET", f"/api/games/{at.game}?after={version}")


@outlet("GET", "/api/games/{game}/events")
def events(at: Situation) -> Iterator[Ask]:
    base = f"/api/games/{at.game}/events"
    yield Ask(at.me, "GET", base)
    yield Ask(NOBODY, "GET", f"{base}?after={at.some_version()}")
    yield Ask(at.me, "GET", base, headers={"last-event-id": str(at.some_version())})
    if at.sight is None:
        yield Ask(WATCHING, "GET", f"{base}?as=watcher")
    else:
        yield Ask(PLAYER, "GET", f"{base}?seat={int(at.sight.other)}")


@outlet("WS", "/api/games/{game}/socket")
def socket(at: Situation) -> Iterator[Ask]:
    base = f"/api/games/{at.game}/socket"
    yield Ask(at.me, "WS", base)
    yield Ask(NOBODY, "WS", f"{base}?after={at.some_version()}")
    yield Ask(at.me, "WS", f"{base}?after={at.some_version()}&protocol=2")
    yield Ask(STRANGER, "WS", f"{base}?protocol=0")
    if at.sight is None:
        yield Ask(WATCHING, "WS", f"{base}?as=watcher")
    else:
        yield Ask(BROWSER, "WS", base)
        yield Ask(PLAYER, "WS", f"{base}?seat={int(at.sight.other)}")


def commands_of(at: Situation) -> Iterator[dict[str, Any]]:
    """Commands that are refused whatever the cards, or are public (C7); none of them is a legal move."""
    wrong = [text for text in WRONG if text not in RIGHT_SOMEWHERE]
    seat = None if at.sight is None else int(at.sight)
    known = {"version": at.version, "seat": seat}
    for number, text in enumerate(at.rng.sample(wrong, 2)):
        yield {**known, "id": f"w{number}", "do": "move", ("move", "text")[number]: text}
    if not at.waiting:
        yield {**known, "id": "k", "do": "move", "move": at.rng.choice(("k", "g", "a9", "b000", "+9", "x1"))}
    yield {**known, "id": "stale", "version": 0, "do": "move", "move": "a?"}
    yield {**known, "id": "soon", "version": 999_999, "do": "resign"}
    if at.sight is not None:
        yield {**known, "id": "theirs", "seat": int(at.sight.other), "do": "resign"}
    yield {**known, "id": "claim", "do": "claim"}
    yield {**known, "id": "again", "do": "rematch"}
    yield {**known, "id": "no", "do": "decline", "what": at.rng.choice(("takeback", "rematch", "clock"))}


@outlet("POST", "/api/games/{game}/commands")
def commands(at: Situation) -> Iterator[Ask]:
    target = f"/api/games/{at.game}/commands"
    for command in commands_of(at):
        yield Ask(at.me, "POST", f"{target}{at.rng.choice(('', '?view=none'))}", command)
    yield Ask(NOBODY, "POST", target, {"id": "x", "version": at.version, "do": "resign"})


def last_commands(at: Situation) -> Iterator[Ask]:
    """Public commands that change the game: sent last, when nothing else is asked."""
    target = f"/api/games/{at.game}/commands"
    if at.sight is not None:
        for do in ({"do": "takeback"}, {"do": "clock", "minutes": 5}):
            yield Ask(PLAYER, "POST", target, {"id": f"t{at.version}{do['do']}", "version": at.version, **do})


@outlet("GET", "/api/games/{game}/news")
def news(at: Situation) -> Iterator[Ask]:
    base = f"/api/games/{at.game}/news"
    yield Ask(at.me, "GET", base)
    yield Ask(at.me, "GET", f"{base}?as=watcher&after={at.some_version()}")
    for who in at.eyes:
        yield Ask(who, "GET", f"{base}?after={at.some_version()}")


@outlet("GET", "/api/games/{game}/past")
def past(at: Situation) -> Iterator[Ask]:
    base = f"/api/games/{at.game}/past"
    yield from looks(at, base)
    if at.sight is None:
        yield Ask(WATCHING, "GET", f"{base}?as=watcher")
    else:
        yield Ask(PLAYER, "GET", f"{base}?as=watcher")
        yield Ask(PLAYER, "GET", f"{base}?seat={int(at.sight)}")
        yield Ask(PLAYER, "GET", f"{base}?seat={int(at.sight.other)}")


@outlet("GET", "/api/games/{game}/record")
def record(at: Situation) -> Iterator[Ask]:
    base = f"/api/games/{at.game}/record"
    for who in at.eyes:
        yield Ask(who, "GET", base)
    if at.sight is not None:
        yield Ask(PLAYER, "GET", f"{base}?seat={int(at.sight)}")
        yield Ask(PLAYER, "GET", f"{base}?seat={int(at.sight.other)}")


@outlet("GET", "/api/games/{game}/picture")
def picture(at: Situation) -> Iterator[Ask]:
    yield from (Ask(who, "GET", f"/api/games/{at.game}/picture") for who in (at.me, NOBODY))


@outlet("GET", "/api/games/{game}/proof")
def proof(at: Situation) -> Iterator[Ask]:
    yield from (Ask(who, "GET", f"/api/games/{at.game}/proof") for who in (at.me, NOBODY))


@outlet("GET", "/api/games/{game}/review")
def review(at: Situation) -> Iterator[Ask]:
    yield from (Ask(who, "GET", f"/api/games/{at.game}/review") for who in (at.me, NOBODY))


@outlet("GET", "/api/games/{game}/hint")
def hint(at: Situation) -> Iterator[Ask]:
    base = f"/api/games/{at.game}/hint"
    yield from (Ask(who, "GET", base) for who in (at.me, NOBODY))
    if at.sight is not None:
        yield Ask(PLAYER, "GET", f"{base}?seat={int(at.sight.other)}")


@outlet("POST", "/api/games/{game}/join")
def join(at: Situation) -> Iterator[Ask]:
    target = f"/api/games/{at.game}/join"
    yield Ask(at.me, "POST", target, {"name": "Eve", "seed": "00"})
    yield Ask(STRANGER, "POST", target, {"name": "Eve", "seat": at.rng.randrange(2), "invite": "secret"})
    yield Ask(NOBODY, "POST", target, {"name": "Eve", "bearer": True})


@outlet("POST", "/api/games/{game}/invite")
def invite(at: Situation) -> Iterator[Ask]:
    yield from (Ask(who, "POST", f"/api/games/{at.game}/invite") for who in (at.me, NOBODY))


@outlet("DELETE", "/api/games/{game}/invite")
def cancel(at: Situation) -> Iterator[Ask]:
    yield from (Ask(who, "DELETE", f"/api/games/{at.game}/invite") for who in (at.me, NOBODY))
