"""The screen to enter a game on a server: a new one with a friend or the computer, or one from a link."""

from __future__ import annotations

from dataclasses import replace
from threading import Thread
from typing import ClassVar

from digit_duel import games
from digit_duel.cli.app.drawing.canvas import DIM, Canvas
from digit_duel.cli.app.drawing.pages import Line, draw_foot, draw_rows, draw_title
from digit_duel.cli.app.screens.base import CanvasScreen
from digit_duel.cli.app.screens.online import OnlineScreen
from digit_duel.cli.app.screens.online_client import OnlineClient, connect
from digit_duel.cli.errors import Problem
from digit_duel.cli.online.connection import ServerAddress
from digit_duel.cli.online.entry import read_link
from digit_duel.cli.online.plan import OnlinePlan


class LobbyScreen(CanvasScreen):
    """Choose a server and a game there, or join one."""

    keys: ClassVar = {"q": "leave", "escape": "leave", "f": "friend", "c": "computer", "j": "join"}

    def __init__(self, game: str) -> None:
        super().__init__()
        self._game = game
        self._entering = False

    def help(self) -> tuple[str, ...]:
        return (
            "Up and down choose; Enter confirms.",
            "",
            "f  invite a friend",
            "c  play the server's computer",
            "j  join with a link",
            "q  back",
        )

    def draw(self, canvas: Canvas) -> None:
        settings = self.duel.settings
        draw_title(canvas, "Play online")
        rows = [Line("resume", "Continue your game there")] if settings.online_game else []
        server = Line(
            "server", "Server", "none yet", "Press Enter and type its address, which begins with https://"
        )
        rows += [
            replace(server, right=settings.server, below="") if settings.server else server,
            Line("game", "Game", f"< {self._game} >"),
            Line("friend", "Play a friend", below="You get a link to send."),
            Line("computer", "Play the server's computer", settings.level),
            Line("join", "Join a friend", below="Use the link that you were sent."),
        ]
        draw_rows(canvas, rows)
        if self._entering:
            canvas.put(3, canvas.height - 3, "Asking the server …", DIM)
        draw_foot(canvas, "↑ ↓ choose   Enter confirm   q back")

    def first_focus(self, canvas: Canvas) -> str:
        if self.duel.settings.online_game:
            return "resume"
        return "friend" if self.duel.settings.server else "server"

    def look_again(self) -> None:
        """Check whether there is still an unfinished game."""
        self._focus = ""
        self.redraw()

    def arrow(self, key: str) -> bool:
        if key in ("left", "right") and self._focus == "game":
            self._change_game(1 if key == "right" else -1)
            return True
        return super().arrow(key)

    def act(self, action: str) -> None:
        settings = self.duel.settings
        match action:
            case "leave":
                self.duel.go_back()
            case "server":
                self.ask_line("The server's address", self._set_server, settings.server)
            case "game":
                self._change_game(1)
            case "join":
                self.ask_line("The link", self._join)
            case "resume":
                self._enter(OnlinePlan(None, None, join=settings.online_game))
            case "friend" | "computer":
                self._create(action)

    def _change_game(self, by: int) -> None:
        ids = games.ids()
        self._game = ids[(ids.index(self._game) + by) % len(ids)]
        self.redraw()

    def _set_server(self, text: str) -> str:
        """Save the server's address; or say why it cannot be one."""
        address = text.strip()
        try:
            if address:
                ServerAddress.parse(address)
        except Problem as problem:
            return str(problem)
        self.duel.change_settings(replace(self.duel.settings, server=address))
        self._focus = "friend"
        self.redraw()
        return ""

    def _join(self, text: str) -> str:
        """Go where a link leads; or say why it leads nowhere."""
        if link := text.strip():
            try:
                ServerAddress.parse(link)
                read_link(link)
            except Problem as problem:
                return str(problem)
            self._enter(OnlinePlan(None, None, join=link, name=self.duel.settings.name))
        return ""

    def _create(self, opponent: str) -> None:
        settings = self.duel.settings
        if not settings.server:
            self.duel.tell("Choose a server first.")
            return
        invite = opponent == "friend"
        level = None if invite else settings.level
        plan = OnlinePlan(games.variant(self._game), settings.server, None, invite, level, settings.name)
        self._enter(plan)

    def _enter(self, plan: OnlinePlan) -> None:
        """Ask the server in a daemon thread, which does not keep the program from ending."""
        if self._entering:
            return
        self._entering, app = True, self.duel
        self.redraw()

        def ask() -> None:
            try:
                client = connect(plan)
            except Problem as problem:
                app.from_thread(self._refused, problem)
            else:
                app.from_thread(self._entered, client)

        Thread(target=ask, name="lobby", daemon=True).start()

    def _refused(self, problem: Problem) -> None:
        self._entering = False
        self.duel.tell(problem)
        self.redraw()

    def _entered(self, client: OnlineClient) -> None:
        self._entering = False
        if self.duel.screen is self:
            self.duel.show(OnlineScreen(client, self.duel.go_back))
