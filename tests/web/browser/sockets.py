"""A slow or broken connection: holds back what a page sends or hears through its socket."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

from playwright.sync_api import Page, WebSocketRoute
from tests.web.browser.people import arrives


@dataclass  # no slots: Playwright adds attributes to an object whose methods it calls
class Line:
    """The socket of a page; commands and views pass until they are held."""

    page: Page
    hold_commands: bool = False
    hold_views: bool = False
    commands: list[str] = field(default_factory=list)  # that were held
    _socket: WebSocketRoute | None = None
    _server: WebSocketRoute | None = None

    def __post_init__(self) -> None:
        self.page.route_web_socket(re.compile("/socket"), self._connect)

    def _connect(self, socket: WebSocketRoute) -> None:
        self._socket, self._server = socket, socket.connect_to_server()
        socket.on_message(self._sent)
        self._server.on_message(self._heard)

    def _sent(self, message: str | bytes) -> None:
        assert self._server is not None
        assert isinstance(message, str)
        if self.hold_commands and '"command"' in message:
            self.commands.append(message)
        else:
            self._server.send(message)

    def _heard(self, message: str | bytes) -> None:
        assert self._socket is not None
        if not self.hold_views:
            self._socket.send(message)

    def release(self) -> None:
        """Let the held commands go."""
        assert self._server is not None
        assert arrives(self.page, lambda: bool(self.commands))
        self.hold_commands = False
        for command in self.commands:
            self._server.send(command)

    def refuse(self, message: str) -> None:
        """Answer the held command as a server that refuses it."""
        assert self._socket is not None
        assert arrives(self.page, lambda: bool(self.commands))
        command = json.loads(self.commands.pop())
        self._socket.send(json.dumps({"id": command["id"], "code": "illegal_move", "message": message}))
