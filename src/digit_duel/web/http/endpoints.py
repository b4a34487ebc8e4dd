"""The endpoints: each reads its fields, hands over, and answers with a view."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import lru_cache
from gzip import compress
from hmac import digest
from typing import Any, cast

import msgspec

from digit_duel import __version__, games
from digit_duel.bots import DESCRIPTIONS
from digit_duel.core.game import Seat
from digit_duel.core.match import Match
from digit_duel.core.options import options
from digit_duel.core.session import public
from digit_duel.core.variant import AnyVariant
from digit_duel.web.field_types import Opponent
from digit_duel.web.http.context import Answer, RequestContext, Services
from digit_duel.web.http.json_input import Fields, bad
from digit_duel.web.http.qr import rows
from digit_duel.web.http.sessions import hashed
from digit_duel.web.http.validation import checked
from digit_duel.web.play.command_types import Command
from digit_duel.web.play.live_games import Caller, LiveGame
from digit_duel.web.play.lobby import OPPONENTS, STARTS, Wish, wished
from digit_duel.web.play.proof import proof, proven_headers
from digit_duel.web.replies import Code, Refusal
from digit_duel.web.settings import PROTOCOL
from digit_duel.web.views.history import positions
from digit_duel.web.views.view_types import GameView

_MOST_LISTED = 50
_MOST_VERSIONS = 1_000_000
_MATCH = re.compile(r"(best of|first to) ([1-9][0-9]?)", re.ASCII)


async def catalogue(context: RequestContext) -> Answer:
    """All games and levels."""
    if "gzip" not in context.request.headers.get("accept-encoding", ""):
        return Answer(_catalogue())
    headers = (("content-encoding", "gzip"), ("vary", "accept-encoding"))
    return Answer(compress(_catalogue(), 9, mtime=0), headers=headers)  # the same for everybody: no secret


@lru_cache(maxsize=1)
def _catalogue() -> bytes:
    listed = [_listed(variant) for variant in games.catalogue().values()]
    levels = [{"id": level, "about": about} for level, about in DESCRIPTIONS.items()]
    return msgspec.json.encode(
        {"protocol": PROTOCOL, "version": __version__, "games": listed, "levels": levels}
    )


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


async def start_session(context: RequestContext) -> Answer:
    """Become somebody: by cookie, or with a token for programs."""
    context.services.open_credit.spend(context.address)
    bearer = context.body.yes("bearer")
    context.body.done()
    if context.caller.person is not None and not bearer:
        return Answer({"code": "ok"})
    return _signed_in(context.services, await context.services.sessions.start(), bearer, 201)


async def resume_session(context: RequestContext) -> Answer:
    """Go on as the person who holds a code."""
    context.services.open_credit.spend(context.address)
    bearer = context.body.yes("bearer")
    code = context.body.text("code", most=40)
    context.body.done()
    person = await context.services.sessions.redeem(code)
    if person is None:
        raise Refusal(Code.FORBIDDEN, "This code is not valid, was used before, or is too old.")
    return _signed_in(context.services, await context.services.sessions.start(person), bearer, 201)


def _signed_in(services: Services, token: str, bearer: bool, status: int) -> Answer:
    if bearer:
        return Answer({"code": "ok", "token": token}, status)
    return Answer({"code": "ok"}, status, (("set-cookie", services.sessions.set_cookie(token)),))


async def end_session(context: RequestContext) -> Answer:
    """Leave this device."""
    await context.services.sessions.end(context.known())
    return Answer({"code": "ok"}, 200, (("set-cookie", context.services.sessions.drop_cookie()),))


async def me(context: RequestContext) -> Answer:
    """The caller's games."""
    services, caller = context.services, context.caller
    if caller.person is None:
        return Answer({"signed_in": False, "games": []})
    found = []
    for row in await services.live_games.store.games_of(caller.person, _MOST_LISTED):
        try:
            live = await services.live_games.get(row.id)
        except Refusal:
            continue  # damaged: the rest is shown
        found.append({**_summary(live, caller), "changed": row.changed})
    return Answer({"signed_in": True, "games": found})


def _summary(live: LiveGame, caller: Caller) -> dict[str, Any]:
    game, held = live.game, live.held(caller)
    assert game.variant is not None
    result = None
    if (outcome := game.outcome) is not None:
        result = "draw" if outcome.winner is None else "you lost"
        if outcome.winner in held:
            result = "you won"
        if game.same_device or game.session is None:
            result = "over"
    return {
        "game": game.id,
        "variant": game.variant.id,
        "title": game.variant.title,
        "names": [player.name for player in game.players],
        "seat": int(held[0]) if len(held) == 1 else None,
        "phase": "over" if game.over else "waiting" if game.session is None else "playing",
        "your_turn": any(seat in game.acting for seat in held),
        "result": result,
    }


async def new_code(context: RequestContext) -> Answer:
    """A code for another device."""
    context.services.open_credit.spend(context.address)
    person = context.known().person
    assert person is not None
    code = await context.services.sessions.new_code(person)
    return Answer({"code": code, "seconds": context.services.settings.code_seconds})


async def open_game(context: RequestContext) -> Answer:
    """A new game."""
    services, caller = context.services, context.known()
    services.open_credit.spend(context.address)
    wish = _wish(context.body)
    async with _fresh(context, caller) as (headers, person):
        live, secret = await services.lobby.open(person, wish)
    game = live.game
    invite = None if secret is None else invitation(context, game.id, secret)
    body = {"code": "ok", "game": game.id, "seat": int(game.owner_seat)}
    return Answer({**body, "seal": game.opening.seal, "invite": invite}, 201, headers)


def _wish(body: Fields) -> Wish:
    variant = wished(body.text("variant", most=40), body.pairs("settings"))
    opponent = cast(Opponent, body.one_of("opponent", OPPONENTS))
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
async def _fresh(
    context: RequestContext, caller: Caller
) -> AsyncIterator[tuple[tuple[tuple[str, str], ...], Caller]]:
    """With a browser's first seat comes a new session: one that somebody planted is worth nothing."""
    sessions = context.services.sessions
    assert caller.person is not None
    if not context.by_cookie or await context.services.live_games.store.games_of(caller.person, 1):
        yield (), caller
        return
    assert caller.session is not None
    # A new person, for a planted one may have other sessions; the same one again, if the answer gets lost.
    person = digest(context.services.live_games.key, f"person/{caller.session}".encode(), "sha256").hex()[:24]
    token = await sessions.start(person, replaces=caller.session)
    fresh = Caller(person, hashed(token))
    try:
        yield (("set-cookie", sessions.set_cookie(token)),), fresh
    except BaseException:
        await sessions.end(fresh)  # who got no seat stays who they were
        raise


def invitation(context: RequestContext, game_id: str, secret: str) -> dict[str, Any]:
    """A link that only says which game; the secret behind the # is never sent to any server by a browser."""
    request = context.request
    base = context.services.settings.public_url or f"http://{request.headers.get('host', 'localhost')}"
    url = f"{base.rstrip('/')}/j/{game_id}#{secret}"
    return {"url": url, "qr": rows(url)}


async def invite(context: RequestContext) -> Answer:
    """A new invitation; the old link is dead."""
    live, secret = await context.services.lobby.invite(context.game_id, context.known())
    return Answer({"code": "ok", **invitation(context, live.game.id, secret)})


async def cancel(context: RequestContext) -> Answer:
    """Give up a game that nobody has joined."""
    await context.services.lobby.cancel(context.game_id, context.known())
    return Answer({"code": "ok"})


async def join(context: RequestContext) -> Answer:
    """Take a seat."""
    services, caller, body = context.services, context.known(), context.body
    services.command_credit.spend(caller.person)
    name, seed = body.text("name", most=1000), body.hex("seed")
    seat, secret = body.seat(), body.maybe("invite")
    body.done()
    async with _fresh(context, caller) as (headers, person):
        live, place = await services.lobby.join(context.game_id, person, seat, name, seed, secret)
    view = services.live_games.seen(live, person, place)
    return Answer(
        {"code": "ok", "seat": int(place), "version": live.game.version, "view": view}, 200, headers
    )


async def look(context: RequestContext) -> Answer:
    """The game as the caller may see it."""
    return Answer(await context.services.live_games.look(context.game_id, context.caller, *place(context)))


def place(context: RequestContext) -> tuple[Seat | None, int, bool]:
    """From which seat, after which version, and whether as a stranger."""
    return (
        context.seat(),
        context.number("after", _MOST_VERSIONS) or 0,
        context.request.query_params.get("as") == "watcher",
    )


async def command(context: RequestContext) -> Answer:
    """Do something at a table."""
    services, caller = context.services, context.known()
    services.command_credit.spend(caller.person)
    wanted = read_command(context.body.left())
    shows = context.request.query_params.get("view") != "none"
    try:
        live, done = await services.commands.command(context.game_id, caller, wanted)
    except Refusal as refusal:
        if not shows:
            raise
        raise await told_why(services, context.game_id, caller, wanted.version, refusal) from None
    reply = {**done.reply(), "version": live.game.version}
    if shows:
        reply["view"] = _own_view(services, live, caller, wanted.version)
    return Answer(reply)


def read_command(found: Mapping[str, object]) -> Command:
    """Read a command, or raise Refusal."""
    return checked(found, cast(type[Command], Command))


def _own_view(services: Services, live: LiveGame, caller: Caller, after: int) -> GameView:
    """The view that the caller gets without naming a seat."""
    return services.live_games.seen(live, caller, services.live_games.eyes(live, caller, None), after)


_REPAINT = (Code.STALE_VERSION, Code.NOT_YOUR_TURN, Code.ILLEGAL_MOVE, Code.GAME_OVER)


async def told_why(services: Services, game_id: str, caller: Caller, after: int, refusal: Refusal) -> Refusal:
    """A refusal with the present view, where that explains it."""
    if refusal.code not in _REPAINT:
        return refusal
    live = await services.live_games.get(game_id)
    view = _own_view(services, live, caller, after)
    return Refusal(refusal.code, refusal.message, **refusal.more, version=live.game.version, view=view)


async def past(context: RequestContext) -> Answer:
    """The first positions after a version, each as the caller could see it then."""
    live_games, (seat, after, stranger) = context.services.live_games, place(context)
    live = await live_games.get(context.game_id)
    eyes = live_games.eyes(live, context.caller, seat, stranger)
    return Answer({"seat": eyes, "positions": positions(live.game, eyes, after)})


async def record(context: RequestContext) -> Answer:
    """The game written down, as far as the caller may know it."""
    services = context.services
    live = await services.live_games.get(context.game_id)
    game = live.game
    seat = services.live_games.eyes(live, context.caller, context.seat())
    if game.session is None:
        raise Refusal(Code.FORBIDDEN, "There is nothing to write down yet.")
    if game.over:
        found = game.record()
        headers = {**found.headers, **proven_headers(game, services.live_games.key)}
        text = replace(found, headers=headers).text()
    elif seat is None:
        raise Refusal(Code.FORBIDDEN, "The record is open to all when the game is over.")
    else:
        text = game.record(seat).text()
    return Answer(text, media="text/plain; charset=utf-8")


async def proof_of(context: RequestContext) -> Answer:
    """All that was sealed, opened."""
    game = await _finished(context)
    return Answer(proof(game, context.services.live_games.key))


async def hint(context: RequestContext) -> Answer:
    """A hint, where hints were agreed on: never between people."""
    services = context.services
    live = await services.live_games.get(context.game_id)
    seat = services.live_games.eyes(live, context.known(), context.seat())
    if seat is None or not live.game.opening.hints or live.game.computer is None:
        raise Refusal(Code.FORBIDDEN, "There are no hints in this game.")
    if seat not in live.game.acting:
        raise Refusal(Code.NOT_YOUR_TURN, "It is not your turn.")
    return Answer(await services.analyst.hint(live.game, seat))


async def review(context: RequestContext) -> Answer:
    """What each move of a finished game was worth; where hands were hidden, a player's own moves."""
    game = await _finished(context)
    live = await context.services.live_games.get(context.game_id)
    wanted = context.seat()
    seat = context.services.live_games.eyes(live, context.caller, wanted)
    game_id = game.session.game
    if wanted is None and public(game_id.view, game_id.start()):
        seat = None
    return Answer(await context.services.analyst.review(game, seat))


async def analysis(context: RequestContext) -> Answer:
    """What a position is worth, and each move in it."""
    body = context.body
    variant = wished(body.text("variant", most=40), body.pairs("settings"))
    moves, seat, game_id = body.texts("moves", 200), body.seat(), body.maybe("game", 40)
    body.done()
    await _no_help_in_a_live_game(context, variant, moves)
    names = None if game_id is None else (await context.services.live_games.get(game_id)).game.names
    eyes = None if seat is None else Seat(seat)
    return Answer(await context.services.analyst.position(variant, moves, eyes, names))


async def _no_help_in_a_live_game(context: RequestContext, variant: AnyVariant, moves: list[str]) -> None:
    """Whoever plays a person is not told what the very position on the table is worth."""
    person, live_games = context.caller.person, context.services.live_games
    for row in await live_games.store.games_of(person, _MOST_LISTED) if person else ():
        if row.over or row.variant != variant.id:
            continue
        game = (await live_games.get(row.id)).game
        if game.session is None or not game.people_apart or game.opening.settings != variant.settings:
            continue
        if [game.session.game.text(step.move) for step in game.session.steps] == moves:
            raise Refusal(
                Code.FORBIDDEN, "This is your own game, and it is not over: no hints between people."
            )


async def _finished(context: RequestContext) -> Any:
    live = await context.services.live_games.get(context.game_id)
    if not live.game.over or live.game.session is None:
        raise Refusal(Code.FORBIDDEN, "That is shown when the game is over.")
    return live.game
