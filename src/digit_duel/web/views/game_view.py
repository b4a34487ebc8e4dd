"""The view of a game: what one viewer may see at one version.

What all viewers from one seat share at a version is made once. Each view is a copy of it, with the news after
the version that its viewer has, who is connected, and the clock.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy

import msgspec
from msgspec import UNSET, Raw

from digit_duel.core.game import Seat
from digit_duel.core.script import Scene
from digit_duel.core.variant import AnyScript
from digit_duel.web.play.clocks import Around, claimable_in, time_left
from digit_duel.web.play.online_game import OnlineGame
from digit_duel.web.settings import PROTOCOL
from digit_duel.web.views.choices import NO_CHOICE, cached_script, offered
from digit_duel.web.views.news import result, told
from digit_duel.web.views.scenes import common
from digit_duel.web.views.view_types import (
    Choices,
    ClaimView,
    ClockOffer,
    ClockView,
    GameView,
    MatchView,
    NewsItem,
    OffersView,
    Phase,
    PlayerView,
    Surroundings,
    VariantView,
)

MOST_NEWS = 100  # in one view, and on one page of a long game's news
_NO_SCENE = Raw(b"null")


def view(
    game: OnlineGame, seat: Seat | None, held: Sequence[Seat], owner: bool, around: Around, after: int = 0
) -> GameView:
    """Build the view for a seat or a stranger, with the news after a version."""
    found = copy(_seat_view(game, seat))
    since = after if 0 <= after <= game.version else 0
    if since:  # the viewer already has what never changes
        found.protocol = found.game = found.variant = found.same_device = UNSET
        found.match = found.hints = found.seal = found.opener = UNSET
    found.since = since
    first = max(since, game.version - MOST_NEWS)
    if first > since:
        found.skipped = first
    found.news = news_after(game, seat, first)
    _add_presence_and_time(found, game, held, owner, around)
    return found


def news_after(game: OnlineGame, seat: Seat | None, after: int) -> list[NewsItem]:
    """The first news after a version, worded for a seat or a stranger."""
    # For two people on one device, nobody is "you".
    reader = None if game.same_device and not game.variant.hides_hands else seat
    items = (told(game, news, reader) for news in game.news[after : after + MOST_NEWS])
    return [item for item in items if item is not None]


def surroundings(
    game: OnlineGame, seat: Seat | None, held: Sequence[Seat], owner: bool, around: Around
) -> Surroundings:
    """The part of a view that can change without a new version."""
    found = Surroundings(
        version=game.version,
        since=game.version,
        seat=seat,
        seats=[],
        owner=False,
        players=[],
        turn=seat is not None and seat in game.acting,
        news=[],
        clock=None,
        claim=None,
        watchers=0,
    )
    _add_presence_and_time(found, game, held, owner, around)
    return found


def _add_presence_and_time(
    found: Surroundings, game: OnlineGame, held: Sequence[Seat], owner: bool, around: Around
) -> None:
    """Fill in who is connected, and the clock."""
    found.seats = list(held)
    found.owner = owner
    found.players = [_player(game, each, around) for each in Seat]
    clock, seconds = time_left(game, around), claimable_in(game, found.seat, around)
    found.clock = None if clock is None else ClockView(clock.left, clock.running)
    found.claim = None if seconds is None else ClaimView(seconds)
    found.watchers = around.watchers


def _seat_view(game: OnlineGame, seat: Seat | None) -> GameView:
    """What all viewers from one seat share, cached for each version."""
    if (known := game.sights.get(seat)) is None:
        known = game.sights[seat] = _make_seat_view(game, seat)
    return known


def _make_seat_view(game: OnlineGame, seat: Seat | None) -> GameView:
    """All but the news, who is connected, and the clock."""
    scene, headline, choices = _table(game, seat)
    match, variant = game.match, game.variant
    return GameView(
        protocol=PROTOCOL,
        game=game.id,
        variant=VariantView(
            variant.id,
            variant.title,
            variant.summary,
            game.opening.settings,
            variant.hides_hands,
            variant.edition_name,
            variant.changes,
        ),
        same_device=game.same_device,
        match=MatchView(match.text if game.opening.match.rule else None, match.number, match.score),
        hints=game.opening.hints,
        seal=game.opening.seal,
        opener=game.owner_seat,
        version=game.version,
        phase=phase(game),
        acting=list(game.acting),
        result=result(game, None if game.same_device else seat),
        offers=_offers(game),
        next=game.next,
        scene=scene,
        headline=headline,
        secret=choices.secret,
        moves=choices.moves,
        questions=choices.questions,
        spots=choices.spots,
        since=0,
        seat=seat,
        seats=[],
        owner=False,
        players=[],
        turn=seat is not None and seat in game.acting,
        news=[],
        clock=None,
        claim=None,
        watchers=0,
    )


def _table(game: OnlineGame, seat: Seat | None) -> tuple[Raw, str, Choices]:
    """The encoded scene, the headline and the choices, which come from the game's view and script."""
    session = game.session
    if session is None:
        headline = "Cancelled." if game.over else "Waiting for the other player."
        return _NO_SCENE, headline, NO_CHOICE
    script = cached_script(game.variant)
    if seat is None:
        scene = common(*(script.scene(session.view(each)) for each in Seat))
        return _encoded(scene), _onlooker(game), NO_CHOICE
    seen = session.view(seat)
    choices = offered(script, seen, seat, game.legal[seat])
    return _scene(game, script, seen, seat), _headline(game, script, seen, seat), choices


def phase(game: OnlineGame) -> Phase:
    """The phase of a game."""
    return "over" if game.over else "waiting" if game.session is None else "playing"


def _offers(game: OnlineGame) -> OffersView:
    found = OffersView()
    for what, (seat, offer) in game.offers.items():
        if what == "clock":
            found.clock = ClockOffer(seat, offer.minutes)
        else:
            setattr(found, what, seat)
    return found


def _player(game: OnlineGame, seat: Seat, around: Around) -> PlayerView:
    player = game.players[seat]
    if player.open:
        return PlayerView("", "open", None, around.here[seat])
    if player.level:
        return PlayerView(player.name, "computer", player.level, True)
    return PlayerView(player.name, "person", None, around.here[seat])


def _scene(game: OnlineGame, script: AnyScript, seen: object, seat: Seat) -> Raw:
    """The encoded scene; reuses the other seat's if both see the same."""
    other = game.sights.get(seat.other)
    assert game.session is not None
    if other is not None:
        theirs = game.session.view(seat.other)
        if seen is theirs or seen == theirs:
            return other.scene
    return _encoded(script.scene(seen))


def _encoded(scene: Scene) -> Raw:
    return Raw(msgspec.json.encode(scene))


def _headline(game: OnlineGame, script: AnyScript, seen: object, seat: Seat) -> str:
    if game.over:
        return ""
    if seat in game.acting:
        return script.headline(seen, seat, game.names)
    return f"Waiting for {game.names[seat.other]}."


def _onlooker(game: OnlineGame) -> str:
    if game.over:
        return ""
    return f"Waiting for {' and '.join(game.names[seat] for seat in game.acting)}."
