"""A connection that follows a game: what it may see, and what is new since its last view."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from starlette.requests import HTTPConnection

from digit_duel.core.game import Seat
from digit_duel.web.http.context import LONGEST_ID, Services, address, charged_for_loading, who
from digit_duel.web.http.input.requests import Look, read_query
from digit_duel.web.http.input.validation import bad_request
from digit_duel.web.http.store_refusals import store_refusals
from digit_duel.web.play.connected.subscriptions import Subscriber
from digit_duel.web.play.live_game import Caller, LiveGame
from digit_duel.web.views.view_types import GameView, Surroundings

_LONGEST_VERSION = 7  # digits
_COST = 3.0  # of a handshake and a first view, on top of the unit that every request costs


class Following:
    """An observer of a game: the seat whose view it gets, and the last version it was sent."""

    def __init__(
        self,
        services: Services,
        live: LiveGame,
        caller: Caller,
        seat: Seat | None,
        stranger: bool,
        after: int,
        address: str,
    ) -> None:
        self.game_service, self.caller, self.game_id = services.game_service, caller, live.game.id
        self.address = address
        self._live, self._wanted, self._stranger = live, seat, stranger
        self._version = after if after <= live.game.version else 0
        self._seat = services.game_service.viewing_seat(live, caller, seat, stranger)

    @contextmanager
    def subscribed(self, notify: Callable[[], None]) -> Iterator[None]:
        """Call notify whenever the game changes, and count as present, until the block ends."""
        self._live = self.game_service.kept(self._live)
        self._subscriber = Subscriber(self.game_id, self._seat, self._held(), notify, self.caller.session)
        self.game_service.subscriptions.add(self._subscriber)
        try:
            yield
        finally:
            self.game_service.subscriptions.remove(self._subscriber)

    @property
    def plays(self) -> bool:
        """Whether the observer has a seat in the game."""
        return bool(self._held())

    @property
    def ended(self) -> bool:
        """Whether the observer's session has ended."""
        return self._subscriber.ended

    def view(self) -> GameView | Surroundings:
        """The changes since the observer's last view."""
        subscriber = self._subscriber
        subscriber.seat = self.game_service.viewing_seat(
            self._live, self.caller, self._wanted, self._stranger
        )
        subscriber.held = (
            () if subscriber.ended else self._held()
        )  # a watcher may have taken a seat meanwhile
        found = self.game_service.update(self._live, self.caller, subscriber.seat, self._version)
        self._version = found.version
        return found

    def _held(self) -> tuple[Seat, ...]:
        return () if self._stranger else self._live.held(self.caller)


async def admit(connection: HTTPConnection, services: Services) -> tuple[Following, ExitStack]:
    """Admit a connection that wants to follow a game, or raise Refusal; close the stack when it ends."""
    where = address(connection, services.settings)
    limits = services.limits
    limits.requests.spend(where, _COST)
    with store_refusals():
        following = await _follow(connection, services, where)
    limits.check_room(len(services.game_service.subscriptions), player=following.plays)
    with ExitStack() as places:
        places.enter_context(limits.sockets.take(where))
        if following.caller.person is not None:
            places.enter_context(limits.own_sockets.take(following.caller.person))
        return following, places.pop_all()


async def _follow(connection: HTTPConnection, services: Services, where: str) -> Following:
    caller = await who(connection, services, safe=True)
    query = read_query(connection, Look)
    after, last = query.after, connection.headers.get("last-event-id", "")
    if last:
        if not (last.isascii() and last.isdigit() and len(last) <= _LONGEST_VERSION):
            raise bad_request("'Last-Event-ID' must be a version number.")
        after = int(last)
    game_id = str(connection.path_params["game"])[:LONGEST_ID]
    with charged_for_loading(services, where, game_id):
        live = await services.game_service.get(game_id)
    return Following(services, live, caller, query.seat, query.stranger, after, where)
