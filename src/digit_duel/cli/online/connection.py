"""The connection to a server: requests that are repeated until answered, and a stream that resumes."""

from __future__ import annotations

import json
import ssl
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from queue import Queue
from random import uniform
from threading import Event, Thread
from urllib.parse import urlsplit

from digit_duel import __version__
from digit_duel.cli.errors import Problem
from digit_duel.cli.online.json_answer import Json, printable_lines
from digit_duel.cli.online.view import GameView, read_view
from digit_duel.web.replies import Code

_MAX_ANSWER = 4_000_000  # bytes
_READ_TIMEOUT = 30.0  # seconds; a quiet server still sends something every few seconds (heartbeat)
_RECONNECT_TIMEOUT = 600.0  # seconds to keep trying a server that does not come back
_MAX_QUEUE = 1000  # views that arrive while the player thinks
_RETRY_CODES = (Code.BUSY_RETRY, Code.RATE_LIMITED)


class ConnectionLost(Exception):
    """The server cannot be reached now; the text says why."""


class ServerRefused(Exception):
    """The server refuses a request: a code, a sentence for the player, and the whole answer."""

    def __init__(self, code: Code, message: str, answer: Json) -> None:
        super().__init__(message)
        self.code, self.message, self.answer = code, message, answer


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """Where a server is."""

    scheme: str
    host: str
    port: int | None

    @staticmethod
    def parse(url: str) -> ServerAddress:
        """The address of a server as people type it; raises Problem."""
        try:
            parts = urlsplit(url if "://" in url else f"http://{url}")
            found = ServerAddress(parts.scheme, parts.hostname or "", parts.port)
            found.host.encode("idna")  # as every connection does
        except ValueError:
            found = ServerAddress("", "", None)
        readable = found.host.isprintable() and " " not in found.host
        if found.scheme not in ("http", "https") or not found.host or not readable:
            raise Problem("a server's address looks like https://duel.example or http://192.168.1.5:8642.")
        return found

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}" + (f":{self.port}" if self.port else "")

    def connect(self) -> HTTPConnection:
        """A new connection; https checks the server's certificate."""
        if self.scheme == "https":
            context = ssl.create_default_context()
            return HTTPSConnection(self.host, self.port, timeout=_READ_TIMEOUT, context=context)
        return HTTPConnection(self.host, self.port, timeout=_READ_TIMEOUT)


class Connection:
    """Sends requests to a server in the name of one person."""

    def __init__(self, server: ServerAddress, notify: Callable[[str], None]) -> None:
        self.server, self.token = server, ""
        self.notify = notify  # tells the player that the connection is lost or restored

    def ask(
        self, method: str, path: str, body: Mapping[str, object] | None = None, *, repeat: bool = True
    ) -> Json:
        """The server's answer; raises ServerRefused.

        If `repeat` is true, the request is sent again until the server answers it: after a lost connection,
        and when the server is busy.
        """
        deadline, lost_before = time.monotonic() + _RECONNECT_TIMEOUT, False
        for pause in _pauses():
            try:
                answer = self._ask_once(method, path, body)
            except ConnectionLost as lost:
                if not repeat or time.monotonic() > deadline:
                    raise Problem(f"{self.server} cannot be reached: {lost}.") from lost
                if not lost_before:
                    self.notify("Reconnecting ...")
                lost_before = True
            except ServerRefused as refused:
                if refused.code not in _RETRY_CODES or not repeat or time.monotonic() > deadline:
                    raise
            else:
                if lost_before:
                    self.notify("Connected again.")
                return answer
            time.sleep(pause)
        raise AssertionError("there is always another pause")

    def _ask_once(self, method: str, path: str, body: Mapping[str, object] | None) -> Json:
        connection = self.server.connect()
        try:
            response = self.start(connection, method, path, body)
            text = response.read(_MAX_ANSWER)
        except (OSError, HTTPException) as error:
            raise ConnectionLost(_reason(error)) from error
        finally:
            connection.close()
        return _read(response, text)

    def start(
        self, connection: HTTPConnection, method: str, path: str, body: Mapping[str, object] | None = None
    ) -> HTTPResponse:
        """Send a request and return when the answer begins."""
        headers = {"User-Agent": f"digit-duel/{__version__}", "Accept": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        data = None
        if body is not None:
            headers["Content-Type"] = "application/json"
            data = json.dumps(body).encode()
        connection.request(method, path, data, headers)
        return connection.getresponse()


class ViewStream(Thread):
    """Receives the views of a game in progress; a ServerRefused or a Problem ends the stream."""

    def __init__(self, connection: Connection, view: GameView) -> None:
        super().__init__(name="views", daemon=True)
        self.received: Queue[GameView | Exception] = Queue(_MAX_QUEUE)
        self._connection, self._view = connection, view
        self._closed = Event()

    def run(self) -> None:
        pauses = _pauses()
        while not self._closed.is_set():
            try:
                for view in self._views():
                    self._view, pauses = view, _pauses()
                    self.received.put(view)
                self.received.put(ConnectionLost("the server ended the stream"))
            except ConnectionLost as lost:
                self.received.put(lost)
            except (ServerRefused, Problem) as error:
                self.received.put(error)
                return
            self._closed.wait(next(pauses))

    def close(self) -> None:
        """Stop receiving."""
        self._closed.set()

    @property
    def open(self) -> bool:
        """Whether views are still received."""
        return self.is_alive() and not self._closed.is_set()

    def _views(self) -> Iterator[GameView]:
        connection = self._connection.server.connect()
        try:
            path = f"/api/games/{self._view.game}/events?after={self._view.version}"
            response = self._connection.start(connection, "GET", path)
            if response.status != 200:
                _read(response, response.read(_MAX_ANSWER))
            while not self._closed.is_set() and (line := response.readline(_MAX_ANSWER)):
                if line.startswith(b"data: "):
                    yield read_view(Json.parse(line.removeprefix(b"data: ")), self._view)
        except (OSError, HTTPException) as error:
            raise ConnectionLost(_reason(error)) from error
        except ServerRefused as refused:
            if refused.code in _RETRY_CODES:
                raise ConnectionLost(refused.message) from refused
            raise
        finally:
            connection.close()


def _pauses() -> Iterator[float]:
    """Seconds between attempts: longer and longer, and random so that clients do not all return at once."""
    longest = 0.5
    while True:
        yield uniform(longest / 2, longest)
        longest = min(2 * longest, 15.0)


def _reason(error: Exception) -> str:
    """Why a connection failed, in a few words; raises Problem if a retry would be useless or unsafe."""
    if isinstance(error, ssl.SSLCertVerificationError):
        raise Problem(f"the server's certificate cannot be trusted: {error.verify_message}.") from error
    text = getattr(error, "strerror", None) or str(error) or "the connection broke"
    return text[:1].lower() + text[1:]


def _read(response: HTTPResponse, text: bytes) -> Json:
    """An answer as JSON, plain text as a JSON string; raises ServerRefused if it is a refusal."""
    status, kind = response.status, response.headers.get_content_type()
    if kind == "text/plain" and status == 200:
        return Json(printable_lines(text.decode("utf-8", "replace")))
    answer = Json.parse(text)
    if status >= 500 and not answer.is_object:
        raise ConnectionLost(f"the server answered {status}")  # a proxy, while the server is away
    if kind != "application/json" or not answer.is_object:
        raise Problem("there is no Digit Duel server at that address.")
    if status in (200, 201):
        return answer
    try:
        code = Code(answer["code"].text)
    except ValueError:
        raise Problem(f"the server answered {status} with a code that this program does not know.") from None
    raise ServerRefused(code, answer["message"].text, answer)
