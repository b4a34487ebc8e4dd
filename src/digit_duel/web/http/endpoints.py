"""The endpoints: each reads its fields, hands over, and answers with a view."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import lru_cache
from gzip import compress
from hmac import digest
from typing import Any

import orjson

from digit_duel import __version__, games
from digit_duel.bots import DESCRIPTIONS
from digit_duel.core.game import Seat
from digit_duel.core.match import Match
from digit_duel.core.options import options
from digit_duel.core.session import public
from digit_duel.core.variant import AnyVariant
from digit_duel.web.http.context import Answer, Asking, House
from digit_duel.web.http.json_input import Fields, bad
from digit_duel.web.http.qr import rows
from digit_duel.web.http.sessions import hashed
from digit_duel.web.play.commands import Command
from digit_duel.web.play.live_games import Asker, Live
from digit_duel.web.play.lobby import OPPONENTS, STARTS, Wish, wished
from digit_duel.web.play.proof import proof, proven_headers
from digit_duel.web.replies import Code, Done, Refusal
from digit_duel.web.settings import PROTOCOL
from digit_duel.web.views.history import positions

DEEDS = ("move", "resign", "takeback", "rematch", "clock", "decline", "claim")
OFFERS = ("takeback", "rematch", "clock")
_MOST_LISTED = 50
_MOST_VERSIONS = 1_000_000
_MATCH = re.compile(r"(best of|first to) ([1-9][0-9]?)", re.ASCII)


async def catalogue(asking: Asking) -> Answer:
    """All games and levels."""
    if "gzip" not in asking.request.headers.get("accept-encoding", ""):
        return Answer(_catalogue())
    headers = (("content-encoding", "gzip"), ("vary", "accept-encoding"))
    return Answer(compress(_catalogue(), 9, mtime=0), headers=headers)  # the same for everybody: no secret


@lru_cache(maxsize=1)
def _catalogue() -> bytes:
    listed = [_listed(variant) for variant in games.catalogue().values()]
    levels = [{"id": level, "about": about} for level, about in DESCRIPTIONS.items()]
    return orjson.dumps({"protocol": PROTOCOL, "version": __version__, "games": listed, "levels": levels})


def _listed(variant: AnyVariant) -> dict[str, Any]:
    return {
        "id": variant.id,
        "title": variant.title,
        "summary": variant.summary,
        "rules": variant.rules.text,
        "hidden": not public(variant.game.view, variant.game.start()),
        "options": [
            {"name": name, "default": spec.show(getattr(variant.game, name)), "help": spec.help}
            for name, spec in options(variant.game).items()
        ],
    }


async def start_session(asking: Asking) -> Answer:
    """Become somebody: by cookie, or with a token for programs."""
    asking.house.opens.spend(asking.address)
    bearer = asking.body.yes("bearer")
    asking.body.done()
    if asking.asker.person is not None and not bearer:
        return Answer({"code": "ok"})
    return _signed_in(asking.house, await asking.house.sessions.start(), bearer, 201)


async def resume_session(asking: Asking) -> Answer:
    """Go on as the person who holds a code."""
    asking.house.opens.spend(asking.address)
    bearer = asking.body.yes("bearer")
    code = asking.body.text("code", most=40)
    asking.body.done()
    person = await asking.house.sessions.redeem(code)
    if person is None:
        raise Refusal(Code.FORBIDDEN, "This code is not valid, was used before, or is too old.")
    return _signed_in(asking.house, await asking.house.sessions.start(person), bearer, 201)


def _signed_in(house: House, token: str, bearer: bool, status: int) -> Answer:
    if bearer:
        return Answer({"code": "ok", "token": token}, status)
    return Answer({"code": "ok"}, status, (("set-cookie", house.sessions.set_cookie(token)),))


async def end_session(asking: Asking) -> Answer:
    """Leave this device."""
    await asking.house.sessions.end(asking.known())
    return Answer({"code": "ok"}, 200, (("set-cookie", asking.house.sessions.drop_cookie()),))


async def me(asking: Asking) -> Answer:
    """The asker's games."""
    house, asker = asking.house, asking.asker
    if asker.person is None:
        return Answer({"signed_in": False, "games": []})
    found = []
    for row in await house.tables.store.games_of(asker.person, _MOST_LISTED):
        try:
            live = await house.tables.live(row.id)
        except Refusal:
            continue  # damaged: the rest is shown
        found.append({**_summary(live, asker), "changed": row.changed})
    return Answer({"signed_in": True, "games": found})


def _summary(live: Live, asker: Asker) -> dict[str, Any]:
    table, held = live.table, live.held(asker)
    assert table.variant is not None
    result = None
    if (outcome := table.outcome) is not None:
        result = "draw" if outcome.winner is None else "you lost"
        if outcome.winner in held:
            result = "you won"
        if table.same_device or table.session is None:
            result = "over"
    return {
        "game": table.id,
        "variant": table.variant.id,
        "title": table.variant.title,
        "names": [player.name for player in table.players],
        "seat": int(held[0]) if len(held) == 1 else None,
        "phase": "over" if table.over else "waiting" if table.session is None else "playing",
        "your_turn": any(seat in table.acting for seat in held),
        "result": result,
    }


async def new_code(asking: Asking) -> Answer:
    """A code for another device."""
    asking.house.opens.spend(asking.address)
    person = asking.known().person
    assert person is not None
    code = await asking.house.sessions.new_code(person)
    return Answer({"code": code, "seconds": asking.house.settings.code_seconds})


async def open_game(asking: Asking) -> Answer:
    """A new game."""
    house, asker = asking.house, asking.known()
    house.opens.spend(asking.address)
    wish = _wish(asking.body)
    async with _fresh(asking, asker) as (headers, person):
        live, secret = await house.openings.open(person, wish)
    table = live.table
    invite = None if secret is None else invitation(asking, table.id, secret)
    body = {"code": "ok", "game": table.id, "seat": int(table.owner_seat)}
    return Answer({**body, "seal": table.opening["seal"], "invite": invite}, 201, headers)


def _wish(body: Fields) -> Wish:
    variant = wished(body.text("variant", most=40), body.pairs("settings"))
    opponent = body.one_of("opponent", OPPONENTS)
    level = body.maybe("level", 20)
    start = body.one_of("start", STARTS, "me")
    hints = body.yes("hints")
    match = _match(body.maybe("match", 20))
    body.done()
    if opponent == "computer":
        level = level or "sensible"
        if level not in DESCRIPTIONS:
            raise bad(f"'level' must be one of: {', '.join(DESCRIPTIONS)}.")
    return Wish(variant, opponent, level if opponent == "computer" else None, start, hints, match)


def _match(text: str | None) -> Match | None:
    if text is None:
        return None
    rule = _MATCH.fullmatch(text)
    if rule is None:
        raise bad("'match' must be like 'best of 3' or 'first to 3', up to 99.")
    limit = int(rule[2])
    return Match(first_to=limit) if rule[1] == "first to" else Match(best_of=limit)


@asynccontextmanager
async def _fresh(asking: Asking, asker: Asker) -> AsyncIterator[tuple[tuple[tuple[str, str], ...], Asker]]:
    """With a browser's first seat comes a new session: one that somebody planted is worth nothing."""
    sessions = asking.house.sessions
    assert asker.person is not None
    if not asking.by_cookie or await asking.house.tables.store.games_of(asker.person, 1):
        yield (), asker
        return
    assert asker.session is not None
    # A new person, for a planted one may have other sessions; the same one again, if the answer gets lost.
    person = digest(asking.house.tables.key, f"person/{asker.session}".encode(), "sha256").hex()[:24]
    token = await sessions.start(person, replaces=asker.session)
    fresh = Asker(person, hashed(token))
    try:
        yield (("set-cookie", sessions.set_cookie(token)),), fresh
    except BaseException:
        await sessions.end(fresh)  # who got no seat stays who they were
        raise


def invitation(asking: Asking, game: str, secret: str) -> dict[str, Any]:
    """A link that only says which game; the secret behind the # is never sent to any server by a browser."""
    request = asking.request
    base = asking.house.settings.public_url or f"http://{request.headers.get('host', 'localhost')}"
    url = f"{base.rstrip('/')}/j/{game}#{secret}"
    return {"url": url, "qr": rows(url)}


async def invite(asking: Asking) -> Answer:
    """A new invitation; the old link is dead."""
    live, secret = await asking.house.openings.invite(asking.game, asking.known())
    return Answer({"code": "ok", **invitation(asking, live.table.id, secret)})


async def cancel(asking: Asking) -> Answer:
    """Give up a game that nobody has joined."""
    await asking.house.openings.cancel(asking.game, asking.known())
    return Answer({"code": "ok"})


async def join(asking: Asking) -> Answer:
    """Take a seat."""
    house, asker, body = asking.house, asking.known(), asking.body
    house.commands.spend(asker.person)
    name, seed = body.text("name", most=1000), body.hex("seed")
    seat, secret = body.seat(), body.maybe("invite")
    body.done()
    async with _fresh(asking, asker) as (headers, person):
        live, place = await house.openings.join(asking.game, person, seat, name, seed, secret)
    view = house.tables.seen(live, person, place)
    return Answer(
        {"code": "ok", "seat": int(place), "version": live.table.version, "view": view}, 200, headers
    )


async def look(asking: Asking) -> Answer:
    """The game as the asker may see it."""
    return Answer(await asking.house.tables.look(asking.game, asking.asker, *place(asking)))


def place(asking: Asking) -> tuple[int | None, int, bool]:
    """From which seat, after which version, and whether as a stranger."""
    return (
        asking.number("seat", 1),
        asking.number("after", _MOST_VERSIONS) or 0,
        asking.request.query_params.get("as") == "watcher",
    )


async def command(asking: Asking) -> Answer:
    """Do something at a table."""
    house, asker = asking.house, asking.known()
    house.commands.spend(asker.person)
    wanted = read_command(asking.body)
    try:
        live, seat, done = await house.desk.command(asking.game, asker, wanted)
    except Refusal as refusal:
        raise await told_why(house, asking.game, asker, wanted.seat, refusal) from None
    return Answer(with_view(house, live, asker, seat, done, wanted.version))


def read_command(body: Fields) -> Command:
    """A command from strangers' JSON."""
    id, version, seat = body.token("id"), body.whole("version", 0, _MOST_VERSIONS), body.seat()
    do = body.one_of("do", DEEDS)
    wanted: dict[str, Any] = {"do": do}
    match do:
        case "move":
            move, text = body.maybe("move", 20), body.maybe("text", 100)
            if (move is None) == (text is None):
                raise bad("A move needs either 'move' in notation or 'text' as it is typed.")
            wanted |= {"move": move} if move is not None else {"text": text}
        case "clock":
            wanted["minutes"] = body.whole("minutes", 1, 180)
        case "decline":
            wanted["what"] = body.one_of("what", OFFERS)
        case "rematch":
            wanted["seed"] = body.hex("seed")
    body.done()
    return Command(id, version, seat, wanted)


def with_view(house: House, live: Live, asker: Asker, seat: Seat, done: Done, after: int) -> dict[str, Any]:
    """A success with what the seat sees now."""
    view = house.tables.seen(live, asker, seat, after)
    return {**done.reply(), "version": live.table.version, "applied": done.version, "view": view}


_REPAINT = (Code.STALE_VERSION, Code.NOT_YOUR_TURN, Code.ILLEGAL_MOVE, Code.GAME_OVER)


async def told_why(house: House, game: str, asker: Asker, seat: int | None, refusal: Refusal) -> Refusal:
    """A refusal with the present view, where that explains it."""
    if refusal.code not in _REPAINT:
        return refusal
    live = await house.tables.live(game)
    view = house.tables.seen(live, asker, house.tables.eyes(live, asker, seat))
    return Refusal(refusal.code, refusal.message, **refusal.more, version=live.table.version, view=view)


async def past(asking: Asking) -> Answer:
    """The first positions after a version, each as the asker could see it then."""
    tables, (seat, after, stranger) = asking.house.tables, place(asking)
    live = await tables.live(asking.game)
    eyes = tables.eyes(live, asking.asker, seat, stranger)
    return Answer({"seat": eyes, "positions": positions(live.table, eyes, after)})


async def record(asking: Asking) -> Answer:
    """The game written down, as far as the asker may know it."""
    house = asking.house
    live = await house.tables.live(asking.game)
    table = live.table
    seat = house.tables.eyes(live, asking.asker, asking.number("seat", 1))
    if table.session is None:
        raise Refusal(Code.FORBIDDEN, "There is nothing to write down yet.")
    if table.over:
        found = table.record()
        headers = {**found.headers, **proven_headers(table, house.tables.key)}
        text = replace(found, headers=headers).text()
    elif seat is None:
        raise Refusal(Code.FORBIDDEN, "The record is open to all when the game is over.")
    else:
        text = table.record(seat).text()
    return Answer(text, media="text/plain; charset=utf-8")


async def proof_of(asking: Asking) -> Answer:
    """All that was sealed, opened."""
    table = await _finished(asking)
    return Answer(proof(table, asking.house.tables.key))


async def hint(asking: Asking) -> Answer:
    """A hint, where hints were agreed on: never between people."""
    house = asking.house
    live = await house.tables.live(asking.game)
    seat = house.tables.eyes(live, asking.known(), asking.number("seat", 1))
    if seat is None or not live.table.opening.get("hints") or live.table.computer is None:
        raise Refusal(Code.FORBIDDEN, "There are no hints in this game.")
    if seat not in live.table.acting:
        raise Refusal(Code.NOT_YOUR_TURN, "It is not your turn.")
    return Answer(await house.analyst.hint(live.table, seat))


async def review(asking: Asking) -> Answer:
    """What each move of a finished game was worth; where hands were hidden, a player's own moves."""
    table = await _finished(asking)
    live = await asking.house.tables.live(asking.game)
    wanted = asking.number("seat", 1)
    seat = asking.house.tables.eyes(live, asking.asker, wanted)
    game = table.session.game
    if wanted is None and public(game.view, game.start()):
        seat = None
    return Answer(await asking.house.analyst.review(table, seat))


async def analysis(asking: Asking) -> Answer:
    """What a position is worth, and each move in it."""
    body = asking.body
    variant = wished(body.text("variant", most=40), body.pairs("settings"))
    moves, seat, game = body.texts("moves", 200), body.seat(), body.maybe("game", 40)
    body.done()
    await _no_help_in_a_live_game(asking, variant, moves)
    names = None if game is None else (await asking.house.tables.live(game)).table.names
    eyes = None if seat is None else Seat(seat)
    return Answer(await asking.house.analyst.position(variant, moves, eyes, names))


async def _no_help_in_a_live_game(asking: Asking, variant: AnyVariant, moves: list[str]) -> None:
    """Whoever plays a person is not told what the very position on the table is worth."""
    person, tables = asking.asker.person, asking.house.tables
    for row in await tables.store.games_of(person, _MOST_LISTED) if person else ():
        if row.over or row.variant != variant.id:
            continue
        table = (await tables.live(row.id)).table
        if table.session is None or not table.people_apart or table.opening["settings"] != variant.settings:
            continue
        if [table.session.game.text(step.move) for step in table.session.steps] == moves:
            raise Refusal(
                Code.FORBIDDEN, "This is your own game, and it is not over: no hints between people."
            )


async def _finished(asking: Asking) -> Any:
    live = await asking.house.tables.live(asking.game)
    if not live.table.over or live.table.session is None:
        raise Refusal(Code.FORBIDDEN, "That is shown when the game is over.")
    return live.table
