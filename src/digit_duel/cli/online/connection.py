"""The line to a server: requests that are sent again until they are answered, and a stream that resumes."""

from __future__ import annotations

import json
import ssl
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from queue import Queue
from random import uniform
from threading import Event, Thread
from typing import Any
from urllib.parse import urlsplit

from digit_duel import __version__
from digit_duel.cli.errors import Problem
from digit_duel.cli.online.view import Seen, read
from digit_duel.web.replies import Code, Refusal

_LARGEST = 4_000_000  # bytes of one answer
_TIMEOUT = 30.0  # seconds of silence; a server says something every eight
_PATIENCE = 600.0  # seconds until a server that does not come back is given up
_MOST_UNHEARD = 1000  # views that wait while somebody thinks
_LATER = (Code.BUSY_RETRY, Code.RATE_LIMITED)


class Lost(Exception):
    """The server cannot be reached now, and why."""


@dataclass(frozen=True, slots=True)
class Server:
    """Where a server is."""

    scheme: str
    host: str
    port: int | None

    @staticmethod
    def at(url: str) -> Server:
        """The server of an address as people type it, or Problem."""
        try:
            parts = urlsplit(url if "://" in url else f"http://{url}")
            found = Server(parts.scheme, parts.hostname or "", parts.port)
        except ValueError:
            found = Server("", "", None)
        if found.scheme not in ("http", "https") or not found.host or not found.host.isprintable():
            raise Problem("the server's address is like https://duel.example or http://192.168.1.5:8642")
        return found

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}" + (f":{self.port}" if self.port else "")

    def connect(self) -> HTTPConnection:
        """A connection; with https the server's certificate is checked."""
        if self.scheme == "https":
            context = ssl.create_default_context()
            return HTTPSConnection(self.host, self.port, timeout=_TIMEOUT, context=context)
        return HTTPConnection(self.host, self.port, timeout=_TIMEOUT)


class Link:
    """Asks a server, with a token, and does not give up easily."""

    def __init__(self, server: Server, notice: Callable[[str], None]) -> None:
        self.server, self.token = server, ""
        self._notice = notice

    def ask(self, method: str, path: str, body: Any = None, *, again: bool = True) -> Any:
        """The server's answer, or its Refusal; what may be asked again is, until the server is back."""
        ends, away = time.monotonic() + _PATIENCE, False
        for pause in _pauses():
            try:
                found = self._once(method, path, body)
            except Lost as lost:
                if not again or time.monotonic() > ends:
                    raise Problem(f"{self.server} cannot be reached: {lost}.") from lost
                if not away:
                    self._notice("Reconnecting ...")
                away = True
            except Refusal as refusal:
                if refusal.code not in _LATER or not again or time.monotonic() > ends:
                    raise
            else:
                if away:
                    self._notice("Connected again.")
                return found
            time.sleep(pause)
        raise AssertionError("there is always another pause")

    def _once(self, method: str, path: str, body: Any) -> Any:
        connection = self.server.connect()
        try:
            response = self.begin(connection, method, path, body)
            text = response.read(_LARGEST)
        except (OSError, HTTPException) as wrong:
            raise Lost(_why(wrong)) from wrong
        finally:
            connection.close()
        return _read(response.status, response.headers.get_content_type(), text)

    def begin(self, connection: HTTPConnection, method: str, path: str, body: Any = None) -> HTTPResponse:
        """Send a request, and come back when the answer begins."""
        headers = {"User-Agent": f"digit-duel/{__version__}", "Accept": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        data = None
        if body is not None:
            headers["Content-Type"] = "application/json"
            data = json.dumps(body).encode()
        connection.request(method, path, data, headers)
        return connection.getresponse()


class Stream(Thread):
    """Hears of a game as it goes on: views, Lost when the line breaks; a Refusal or Problem ends it."""

    def __init__(self, link: Link, seen: Seen) -> None:
        super().__init__(name="stream", daemon=True)
        self.heard: Queue[Seen | Exception] = Queue(_MOST_UNHEARD)
        self._link, self._seen = link, seen
        self._over = Event()

    def run(self) -> None:
        pauses = _pauses()
        while not self._over.is_set():
            try:
                for seen in self._views():
                    self._seen, pauses = seen, _pauses()
                    self.heard.put(seen)
                self.heard.put(Lost("the server has ended the line"))
            except Lost as lost:
                self.heard.put(lost)
            except (Refusal, Problem) as wrong:
                self.heard.put(wrong)
                return
            self._over.wait(next(pauses))

    def close(self) -> None:
        """Hear no more."""
        self._over.set()

    def _views(self) -> Iterator[Seen]:
        connection = self._link.server.connect()
        try:
            path = f"/api/games/{self._seen.game}/events?after={self._seen.version}"
            response = self._link.begin(connection, "GET", path)
            if response.status != 200:
                _read(response.status, response.headers.get_content_type(), response.read(_LARGEST))
            while not self._over.is_set() and (line := response.readline(_LARGEST)):
                if line.startswith(b"data: "):
                    yield read(_parsed(line.removeprefix(b"data: ")), self._seen)
        except (OSError, HTTPException) as wrong:
            raise Lost(_why(wrong)) from wrong
        except Refusal as refusal:
            if refusal.code in _LATER:
                raise Lost(refusal.message) from refusal
            raise
        finally:
            connection.close()


def _pauses() -> Iterator[float]:
    """Seconds between tries: longer and longer, and never those of everybody else who was cut off."""
    longest = 0.5
    while True:
        yield uniform(longest / 2, longest)
        longest = min(2 * longest, 15.0)


def _why(wrong: Exception) -> str:
    """What went wrong on the way, in a few words; Problem if to try again would be of no use, or wrong."""
    if isinstance(wrong, ssl.SSLCertVerificationError):
        raise Problem(f"the server's certificate cannot be trusted: {wrong.verify_message}.") from wrong
    text = getattr(wrong, "strerror", None) or str(wrong) or "the line broke"
    return text[:1].lower() + text[1:]


def _read(status: int, kind: str, text: bytes) -> Any:
    """An answer as data or text, or the Refusal that it is."""
    if kind == "text/plain" and status == 200:
        return _calm(text.decode("utf-8", "replace"))
    found = _parsed(text)
    if status >= 500 and not isinstance(found, dict):
        raise Lost(f"the server answered {status}")  # what a proxy says while the server is away
    if kind != "application/json" or not isinstance(found, dict):
        raise Problem("there is no Digit Duel server at that address.")
    if status in (200, 201):
        return found
    try:
        raise Refusal(Code(found["code"]), str(found["message"]), **_more(found))
    except (KeyError, ValueError):
        raise Problem(f"the server answered {status}, which makes no sense here.") from None


def _parsed(text: bytes) -> Any:
    try:
        return _calm(json.loads(text))
    except (ValueError, RecursionError):
        return None


def _calm(found: Any) -> Any:
    """An answer in which no text can tell the terminal what to do."""
    if isinstance(found, str):
        return "".join(c if c.isprintable() or c == "\n" else "\N{REPLACEMENT CHARACTER}" for c in found)
    if isinstance(found, dict):
        return {_calm(key): _calm(value) for key, value in found.items()}
    return [_calm(each) for each in found] if isinstance(found, list) else found


def _more(found: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in found.items() if key not in ("code", "message")}
