"""The page: one shell for every address, and its parts, which never change under the same name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from gzip import compress
from hashlib import sha256
from importlib.resources import files
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from digit_duel.web.asking import refused
from digit_duel.web.logs import complain
from digit_duel.web.settings import Settings
from digit_duel.web.strict import bad

PATHS = (
    "/", "/new/{variant}", "/g/{game}", "/g/{game}/analysis", "/g/{game}/result", "/j/{game}",
    "/verify/{game}", "/analysis/{variant}", "/rules", "/rules/{variant}", "/help",
)  # fmt: skip
_HOST = re.compile(rb"([A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(:[0-9]{1,5})?")
_KINDS = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".svg": "image/svg+xml",
}
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


@dataclass(frozen=True, slots=True)
class Part:
    """One file of the page."""

    data: bytes
    packed: bytes
    kind: str


def parts() -> dict[str, Part]:
    """The files of the page by name."""
    found = {}
    for file in sorted(files("digit_duel.web").joinpath("static").iterdir(), key=lambda file: file.name):
        suffix = "." + file.name.rpartition(".")[2]
        if suffix in _KINDS:
            data = file.read_bytes()
            found[file.name] = Part(data, compress(data, 9, mtime=0), _KINDS[suffix])
    return found


class Page:
    """Serves the shell and its parts from memory."""

    def __init__(self) -> None:
        found = parts()
        self.version = sha256(b"".join(part.data for part in found.values())).hexdigest()[:12]
        shell = found.pop("index.html").data.replace(b'"/static/', f'"/static/{self.version}/'.encode())
        self._shell = Part(shell, compress(shell, 9, mtime=0), _KINDS[".html"])
        self._parts = found

    async def shell(self, request: Request) -> Response:
        """Any page: what it shows is the script's business."""
        return _sent(request, self._shell, "no-store")

    async def part(self, request: Request) -> Response:
        """A script, a style or a picture."""
        part = self._parts.get(request.path_params["file"])
        if part is None or request.path_params["version"] != self.version:
            return Response("Not found.", 404, media_type="text/plain")
        return _sent(request, part, "public, max-age=31536000, immutable")


def _sent(request: Request, part: Part, cache: str) -> Response:
    headers = {"Cache-Control": cache, "Vary": "Accept-Encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        # Nothing secret is in these files, so that their length tells nothing; no other answer is compressed.
        return Response(part.packed, headers={**headers, "Content-Encoding": "gzip"}, media_type=part.kind)
    return Response(part.data, headers=headers, media_type=part.kind)


class Guarded:
    """Puts on every answer the headers that keep a browser from doing harm."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        headers = {
            "content-security-policy": _POLICY,
            "x-content-type-options": "nosniff",
            "x-frame-options": "DENY",
            "referrer-policy": "no-referrer",
            "cross-origin-opener-policy": "same-origin",
            "cross-origin-resource-policy": "same-origin",
            "permissions-policy": "camera=(), geolocation=(), microphone=()",
        }
        if settings.secure:
            headers["strict-transport-security"] = "max-age=31536000"
        self._headers = [(name.encode(), value.encode()) for name, value in headers.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on, with the headers put in."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        app = self._app if _host(scope) else _no_host
        try:
            await app(scope, receive, self._guarded(send) if scope["type"] == "http" else send)
        except Exception as wrong:
            complain(wrong)  # and no further: the web server would print its text, which may hold a secret

    def _guarded(self, send: Send) -> Send:
        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers: list[Any] = list(message.get("headers", ()))
                headers += self._headers
                if not any(name.lower() == b"cache-control" for name, _ in headers):
                    headers.append((b"cache-control", b"no-store"))
                message = {**message, "headers": headers}
            await send(message)

        return guarded


def _host(scope: Scope) -> bool:
    """Whether a request says in one plain name where it thinks it is; links are made of that."""
    hosts = [value for name, value in scope["headers"] if name == b"host"]
    return len(hosts) == 1 and _HOST.fullmatch(hosts[0]) is not None


async def _no_host(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close"})
        return
    await refused(bad("The Host header is not a plain name."))(scope, receive, send)
