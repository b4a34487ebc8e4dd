"""The client of a game on a server: its threads wait for the server, so that the screen never does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from queue import Empty
from threading import Thread
from typing import TYPE_CHECKING

from digit_duel.cli.errors import Problem
from digit_duel.cli.online.connection import (
    Connection,
    ConnectionLost,
    ServerRefused,
    ViewStream,
)
from digit_duel.cli.online.entry import Entered, address_of, enter, next_game, variant_of
from digit_duel.cli.online.fairness import checked_record
from digit_duel.cli.online.plan import OnlinePlan
from digit_duel.cli.online.seat import RemoteSeat
from digit_duel.cli.online.view import GameView
from digit_duel.core.variant import AnyVariant

if TYPE_CHECKING:
    from digit_duel.cli.app.application import DuelApp
    from digit_duel.cli.app.screens.online import OnlineScreen

_POLL = 0.5  # seconds between checks whether the stream was closed


class OnlineClient:
    """One player's connection to one game, and to its rematches; it calls its screen in the app's thread."""

    def __init__(
        self, connection: Connection, variant: AnyVariant, entered: Entered, record_file: Path | None
    ) -> None:
        self.connection, self.variant, self.entered = connection, variant, entered
        self._record_file = record_file
        self._screen: OnlineScreen | None = None
        self._app: DuelApp | None = None
        self._seat = self._seat_of(entered)
        self._stream: ViewStream | None = None
        self._checking = ""  # the game whose record is being checked
        self._next = ""  # the rematch that is being entered

    @property
    def link(self) -> str:
        """The link that leads back to this game."""
        return f"{self.connection.server}/g/{self._seat.game}"

    def listen(self, screen: OnlineScreen) -> None:
        """Report to a screen what arrives from now on."""
        self._screen, self._app = screen, screen.duel
        self.connection.notify = self._notice
        self._open_stream(self.entered.view)

    def close(self) -> None:
        """Stop listening."""
        self._screen = None
        if self._stream is not None:
            self._stream.close()

    # Requests of the screen. Each answer comes later, through a method of the screen.

    def send(self, command: Mapping[str, object], version: int) -> None:
        """Send a command; the answer goes to the screen's `sent`."""
        seat = self._seat

        def deliver() -> None:
            sent, screen = seat.send(command, version), self._screen
            if sent.outdated and screen is not None:
                view = seat.look(screen.table.game, screen.table.told)
                self._tell(lambda screen: screen.received(view))
            self._tell(lambda screen: screen.sent(sent))

        self._do(deliver)

    def hint(self, version: int) -> None:
        """Ask for a hint."""
        seat = self._seat

        def ask() -> None:
            texts = seat.hint()
            self._tell(lambda screen: screen.hinted(version, texts))

        self._do(ask)

    def check(self, view: GameView) -> None:
        """Check once that a game was fair, and keep its record."""
        if self._checking == view.game:
            return
        self._checking, commitment, variant = view.game, self.entered.commitment, self.variant

        def ask() -> None:
            checked = checked_record(self.connection, variant, view, commitment, self._record_file)
            self._tell(lambda screen: screen.checked(checked))

        self._do(ask)

    def go_to(self, game: str, seed: str) -> None:
        """Enter the rematch."""
        if self._next == game:
            return
        self._next = game

        def ask() -> None:
            entered = next_game(self.connection, game, seed)
            self._tell(lambda screen: self._begin(screen, entered))

        self._do(ask)

    def _begin(self, screen: OnlineScreen, entered: Entered) -> None:
        if self._stream is not None:
            self._stream.close()
        self.entered, self._seat = entered, self._seat_of(entered)
        screen.entered(entered)
        self._open_stream(entered.view)

    # Threads.

    def _seat_of(self, entered: Entered) -> RemoteSeat:
        assert entered.view.seat is not None
        return RemoteSeat(self.connection, entered.view.game, entered.view.seat)

    def _open_stream(self, view: GameView) -> None:
        stream = self._stream = ViewStream(self.connection, view)
        stream.start()
        self._do(lambda: self._pass_on(stream))

    def _pass_on(self, stream: ViewStream) -> None:
        """Hand what a stream receives to the screen until the stream is closed."""
        while self._stream is stream and (stream.open or not stream.received.empty()):
            try:
                received = stream.received.get(timeout=_POLL)
            except Empty:
                continue
            if isinstance(received, GameView):
                self._tell(partial(_receive, received))
            elif not isinstance(received, ConnectionLost):
                raise Problem(str(received)) from received
            elif stream.received.empty():  # otherwise the stream has already resumed
                self._tell(lambda screen: screen.connection_lost())

    def _notice(self, text: str) -> None:
        """Report that a command could not be delivered; a view will show when it was."""
        if text.startswith("Reconnecting"):
            self._tell(lambda screen: screen.connection_lost())

    def _do(self, work: Callable[[], None]) -> None:
        """Do something that may wait in a daemon thread, which does not keep the program from ending."""

        def run() -> None:
            try:
                work()
            except (Problem, ServerRefused) as error:
                problem = error if isinstance(error, Problem) else Problem(error.message)
                self._tell(lambda screen: screen.failed(problem))

        Thread(target=run, name="online", daemon=True).start()

    def _tell(self, then: Callable[[OnlineScreen], None]) -> None:
        """Call the screen in the app's own thread, unless it has been left."""
        screen, app = self._screen, self._app
        if screen is not None and app is not None:
            app.from_thread(then, screen)


def _receive(view: GameView, screen: OnlineScreen) -> None:
    screen.received(view)


def connect(plan: OnlinePlan) -> OnlineClient:
    """Enter a game on a server, which takes a moment; raises Problem."""
    connection = Connection(address_of(plan), lambda text: None)
    try:
        entered = enter(connection, plan)
    except ServerRefused as refused:
        raise Problem(refused.message[:1].lower() + refused.message[1:]) from refused
    return OnlineClient(connection, variant_of(entered.view), entered, plan.record_file)
