"""What one observer may know, built from an allow-list: the only form in which a game leaves the server."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from digit_duel.core.game import Pair, Seat
from digit_duel.core.record import RESIGNATION
from digit_duel.core.script import Cell, Row, Scene
from digit_duel.core.variant import AnyScript
from digit_duel.web.play import events
from digit_duel.web.play.online_game import News, OnlineGame
from digit_duel.web.settings import PROTOCOL
from digit_duel.web.views.choices import NO_CHOICE, offered, voice

_SEATS = tuple(Seat)  # to go through an enum takes ten times as long
_EVERYBODY = "everybody"
_AGREED, _VOICE = "agreed", "voice"
_CANCELLED, _LENGTH, _TIME, _AWAY = "cancelled", "length", "time", "away"


class Around(NamedTuple):
    """What is true about a table but stands in no log: who is here, and how long a choice has taken."""

    here: Pair[bool] = (False, False)
    watchers: int = 0
    elapsed: int = 0  # milliseconds since the present choice was put
    claim_after: float = 0.0  # seconds


def view(
    game: OnlineGame, seat: Seat | None, held: Sequence[Seat], owner: bool, around: Around, after: int = 0
) -> dict[str, Any]:
    """The table in the eyes of a seat, or of a stranger; with the news after a version."""
    since = after if 0 <= after <= game.version else 0
    return {
        **_open_to_all(game),
        **_sight(game, seat),
        "since": since,
        "seat": None if seat is None else int(seat),
        "seats": [int(each) for each in held],
        "owner": owner,
        "players": [_player(game, each, around) for each in _SEATS],
        "turn": seat is not None and seat in game.acting,
        "news": [item for news in game.news[since:] if (item := told(game, news, seat)) is not None],
        "clock": _clock(game, around),
        "claim": _claim(game, seat, around),
        "watchers": around.watchers,
    }


def _open_to_all(game: OnlineGame) -> dict[str, Any]:
    """What everybody may know about a version, worked out once."""
    if (known := game.sights.get(_EVERYBODY)) is None:
        known = game.sights[_EVERYBODY] = _stated(game)
    return known


def _stated(game: OnlineGame) -> dict[str, Any]:
    return {
        **_agreed(game),
        "version": game.version,
        "phase": "over" if game.over else "waiting" if game.session is None else "playing",
        "acting": [int(each) for each in game.acting],
        "result": _result(game),
        "offers": _offers(game),
        "next": game.next,
        "seal": {
            "deck": game.opening.seal,
            "choices": [
                {"version": version, "seat": by, "seal": seal, "at": at}
                for version, by, seal, at in game.seals
            ],
        },
    }


def _agreed(game: OnlineGame) -> dict[str, Any]:
    """What stays as it was when the game was opened."""
    if (known := game.lasting.get(_AGREED)) is None:
        known = game.lasting[_AGREED] = _agreement(game)
    agreed: dict[str, Any] = known
    return agreed


def _agreement(game: OnlineGame) -> dict[str, Any]:
    assert game.variant is not None
    match = game.match
    return {
        "protocol": PROTOCOL,
        "game": game.id,
        "variant": {
            "id": game.variant.id,
            "title": game.variant.title,
            "summary": game.variant.summary,
            "settings": game.opening.settings,
        },
        "same_device": game.same_device,
        "match": {
            "text": match.text if game.opening.match.rule else None,
            "number": match.number,
            "score": list(match.score),
        },
        "hints": game.opening.hints,
    }


def _player(game: OnlineGame, seat: Seat, around: Around) -> dict[str, Any]:
    player = game.players[seat]
    kind = "open" if player.open else "computer" if player.level else "person"
    here = kind == "computer" or around.here[seat]
    return {"name": player.name, "kind": kind, "level": player.level, "here": here}


def _sight(game: OnlineGame, seat: Seat | None) -> dict[str, Any]:
    """The picture, the words and the choices, worked out once for all who share a seat's eyes."""
    if (known := game.sights.get(seat)) is None:
        known = game.sights[seat] = _looked(game, seat)
    return known


def _looked(game: OnlineGame, seat: Seat | None) -> dict[str, Any]:
    """All that comes from the game's own view and script."""
    if game.session is None:
        waiting = "Cancelled." if game.over else "Waiting for the other player."
        return {"scene": None, "headline": waiting, **NO_CHOICE}
    script, session = _voice(game), game.session
    if seat is None:
        scene = common(*(script.scene(session.view(each)) for each in Seat))
        return {"scene": pictured(scene), "headline": _onlooker(game), **NO_CHOICE}
    seen = session.view(seat)
    headline = "" if game.over else _headline(game, script, seen, seat)
    return {
        "scene": _scene(game, script, seen, seat),
        "headline": headline,
        **offered(script, seen, seat, game.legal[seat]),
    }


def _scene(game: OnlineGame, script: AnyScript, seen: Any, seat: Seat) -> dict[str, Any]:
    """The picture of a view; where both seats see the same, the other's will do."""
    other = game.sights.get(seat.other)
    assert game.session is not None
    if other is not None:
        theirs = game.session.view(seat.other)
        if seen is theirs or seen == theirs:
            same: dict[str, Any] = other["scene"]
            return same
    return pictured(script.scene(seen))


def _voice(game: OnlineGame) -> AnyScript:
    if (known := game.lasting.get(_VOICE)) is None:
        assert game.variant is not None
        known = game.lasting[_VOICE] = voice(game.variant)
    script: AnyScript = known
    return script


def common(one: Scene, other: Scene) -> Scene:
    """What both seats see: all that a stranger may."""
    rows = tuple(_common_row(a, b) for a, b in zip(one.rows, other.rows, strict=True))
    return Scene(
        rows=(rows[0], rows[1]),
        heading=one.heading if one.heading == other.heading else "",
        pool=one.pool if one.pool == other.pool else (),
        drawn=_common_cell(one.drawn, other.drawn) if one.drawn and other.drawn else None,
        facts=tuple(fact for fact in one.facts if fact in other.facts),
    )


def _common_row(one: Row, other: Row) -> Row:
    return Row(
        tuple(_common_cell(a, b) for a, b in zip(one.cells, other.cells, strict=True)),
        tuple(meter for meter in one.meters if meter in other.meters),
        one.note if one.note == other.note else "",
    )


def _common_cell(one: Cell, other: Cell) -> Cell:
    if one == other:
        return one
    return replace(one if one.hidden else other, digit=None, hidden=True)


def pictured(scene: Scene) -> dict[str, Any]:
    """A scene as plain data."""
    # By hand, for a quarter of all time would go into dataclasses.asdict.
    return {
        "heading": scene.heading,
        "facts": list(scene.facts),
        "pool": [{"digit": each.digit, "left": each.left, "most": each.most} for each in scene.pool],
        "drawn": scene.drawn and _pictured_cell(scene.drawn),
        "rows": [
            {
                "cells": [_pictured_cell(cell) for cell in row.cells],
                "meters": [
                    {"label": each.label, "value": each.value, "most": each.most} for each in row.meters
                ],
                "note": row.note,
            }
            for row in scene.rows
        ],
    }


def _pictured_cell(cell: Cell) -> dict[str, Any]:
    return {"digit": cell.digit, "hidden": cell.hidden, "label": cell.label}


def _headline(game: OnlineGame, script: AnyScript, seen: Any, seat: Seat) -> str:
    if seat in game.acting:
        return script.headline(seen, seat, game.names)
    return f"Waiting for {game.names[seat.other]}."


def _onlooker(game: OnlineGame) -> str:
    if game.over:
        return ""
    return " and ".join(game.names[seat] for seat in game.acting) + " to choose."


def told(game: OnlineGame, news: News, seat: Seat | None) -> dict[str, Any] | None:
    """One event as the observer learns it; None for what concerns nobody."""
    if isinstance(news.body, events.Invited | events.Cancelled):
        return None
    return {
        "version": news.event.version,
        "seat": news.event.seat,
        "kind": events.kind(news.body),
        "move": _notation(game, news, seat),
        "text": _words(game, news, seat),
    }


def _notation(game: OnlineGame, news: News, seat: Seat | None) -> str | None:
    """The move in notation, unless it is still a secret to the observer."""
    if not isinstance(news.body, events.Moved):
        return None
    if news.secret and not game.over and news.event.seat != seat:
        return None
    return news.body.move


def _words(game: OnlineGame, news: News, seat: Seat | None) -> str:
    body, names = news.body, game.names
    by = "" if news.event.seat is None else names[news.event.seat]
    match body:
        case events.Joined():
            return f"{body.name} joined."
        case events.Moved():
            script = _voice(game)
            return " ".join(filter(None, (script.brief(step, seat, names) for step in news.steps)))
        case events.TakenBack():
            return f"{names[body.of]}'s last choice is taken back."
        case events.Offered(what="clock"):
            return f"{by} offers a clock of {body.minutes} minutes."
        case events.Offered():
            return f"{by} offers {_OFFERS[body.what]}."
        case events.Declined():
            return f"{by} declines {_OFFERS[body.what]}."
        case events.ClockSet():
            return f"From now on each player has {body.minutes} minutes."
        case events.RematchBegun():
            return "The rematch is ready."
        case events.Resigned():
            return f"{by} resigns."
        case events.Claimed():
            return f"{by} claims the game."
        case _:
            return ""


_OFFERS = {
    "takeback": "to take a choice back",
    "rematch": "a rematch",
    "clock": "a clock",
}
_ENDINGS = {
    RESIGNATION: "{loser} resigned. {winner} wins.",
    _TIME: "{loser}'s time is up. {winner} wins.",
    _AWAY: "{loser} has been away for too long. {winner} wins.",
    _CANCELLED: "The game was cancelled.",
    _LENGTH: "The game has grown too long to go on. It is a draw.",
}


def _result(game: OnlineGame) -> dict[str, Any] | None:
    outcome = game.outcome
    if outcome is None:
        return None
    winner = outcome.winner
    if game.ended is not None or game.session is None:
        names = ("", "") if winner is None else (game.names[winner], game.names[winner.other])
        ending = _ENDINGS.get(outcome.reason, "The game has ended: {reason}.")
        closing = ending.format(winner=names[0], loser=names[1], reason=outcome.reason)
    else:
        closing = _voice(game).closing(game.session.state, outcome, game.names)
    return {"winner": None if winner is None else int(winner), "reason": outcome.reason, "closing": closing}


def _offers(game: OnlineGame) -> dict[str, Any]:
    found: dict[str, Any] = {"takeback": None, "rematch": None, "clock": None}
    for what, (seat, body) in game.offers.items():
        found[what] = {"seat": int(seat), "minutes": body.minutes} if what == "clock" else int(seat)
    return found


def _clock(game: OnlineGame, around: Around) -> dict[str, Any] | None:
    if game.clock is None:
        return None
    running = game.acting[0] if len(game.acting) == 1 else None
    left = [max(0, game.clock * 60_000 - game.used[seat]) for seat in Seat]
    if running is not None:
        left[running] = max(0, left[running] - around.elapsed)
    return {"left": left, "running": None if running is None else int(running)}


def claimable(game: OnlineGame, seat: Seat, around: Around) -> str | None:
    """Why a seat may claim the game now: the other's time is up, or the other is away; None if it may not."""
    if not game.people_apart or seat.other not in game.acting or seat in game.acting:
        return None
    clock = _clock(game, around)
    if clock is not None and clock["left"][seat.other] == 0:
        return _TIME
    if not around.here[seat.other] and around.elapsed >= 1000 * around.claim_after:
        return _AWAY
    return None


def _claim(game: OnlineGame, seat: Seat | None, around: Around) -> dict[str, Any] | None:
    if seat is None or seat in game.acting or seat.other not in game.acting or not game.people_apart:
        return None
    here = around.here[seat.other]
    if (game.clock is not None or not here) and claimable(game, seat, around):
        return {"seconds": 0}
    if here:
        return None
    return {"seconds": max(1, round(around.claim_after - around.elapsed / 1000))}
