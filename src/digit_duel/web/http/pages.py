"""The page: a shell for every address, and its parts, which never change under the same name.

The shell brings the style and, at home, the form that starts a game, so that one answer makes a page that can
be read and used; it names every script that will be needed, so that none waits for another.
"""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import dataclass
from functools import lru_cache
from gzip import compress
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from digit_duel import games
from digit_duel.bots import DESCRIPTIONS
from digit_duel.web.http.context import refused
from digit_duel.web.http.json_input import bad
from digit_duel.web.logs import complain
from digit_duel.web.settings import Settings

PATHS = (
    "/", "/new/{variant}", "/g/{game}", "/g/{game}/analysis", "/g/{game}/result", "/j/{game}",
    "/verify/{game}", "/analysis/{variant}", "/rules", "/rules/{variant}", "/help",
)  # fmt: skip
_SCRIPTS = {  # by the first word of an address; as in app.js
    "": "home", "new": "home", "j": "home", "rules": "home", "help": "home",
    "g": "game", "analysis": "analysis", "verify": "verify",
}  # fmt: skip
_STARTS = ("", "new")  # where a game is started
_LEVEL = "sharp"
_HOST = re.compile(rb"([A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(:[0-9]{1,5})?")
_IMPORT = re.compile(r'^import (?:.* from )?"\./(\w+\.js)";$', re.MULTILINE)
_IDLE = re.compile(r"^[ \t]*(?://.*|/\*(?:(?!\*/).)*\*/)?$|^[ \t]+", re.MULTILINE)  # comments and indents
_INLINE = re.compile(r"<(script|style)>(.*?)</\1>", re.DOTALL)
_KINDS = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".svg": "image/svg+xml",
}
# What stands in the shell itself is allowed by its hash, and only as an element: no attribute runs anything.
_POLICY = (
    "default-src 'none'; script-src 'self'; script-src-elem 'self' {script}; style-src {style}; "
    "img-src 'self' data:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
_HERO = """<h1 class="hero">A duel of digits</h1>
<p class="lead">Short games for two with a handful of digits.</p>"""


@dataclass(frozen=True, slots=True)
class Part:
    """One file of the page."""

    data: bytes
    packed: bytes
    kind: str

    @classmethod
    def of(cls, text: str, suffix: str) -> Part:
        """A text, by the end of its file's name."""
        data = text.encode()
        return cls(data, compress(data, 9, mtime=0), _KINDS[suffix])


class Page:
    """Serves the shells and their parts from memory."""

    def __init__(self) -> None:
        sources = _sources()
        self.version = sha256("".join(sources.values()).encode()).hexdigest()[:12]
        versioned = f'"/static/{self.version}/'
        self.shells = {
            word: Part.of(shell(word).replace('"/static/', versioned), ".html") for word in _SCRIPTS
        }
        self.parts = {
            name: Part.of(text, suffix)
            for name, text in sources.items()
            if (suffix := _suffix(name)) not in (".html", ".css")  # these are in the shells
        }

    async def shell(self, request: Request) -> Response:
        """Any page: what it shows is the script's business, but for the form that starts a game."""
        _, word, *more = request.scope["path"].split("/")
        return _sent(request, self.shells["analysis" if more[1:] == ["analysis"] else word], "no-store")

    async def part(self, request: Request) -> Response:
        """A script or a picture."""
        part = self.parts.get(request.path_params["file"])
        if part is None or request.path_params["version"] != self.version:
            return Response("Not found.", 404, media_type="text/plain")
        return _sent(request, part, "public, max-age=31536000, immutable")


def _suffix(name: str) -> str:
    return "." + name.rpartition(".")[2]


@lru_cache(maxsize=1)
def _sources() -> dict[str, str]:
    """The files of the page by name, line by line as they are written, without what only a reader needs."""
    folder = files("digit_duel.web").joinpath("static")
    found = {file.name: file for file in folder.iterdir() if _suffix(file.name) in _KINDS}
    return {name: _IDLE.sub("", found[name].read_text("utf-8")) for name in sorted(found)}


def shell(word: str) -> str:
    """The document of an address; the form that starts a game is in each, for who goes home from there."""
    sources = _sources()
    form = _filled("start.html", games=_games(), levels=_levels())
    shown = (
        f"<div><div>{_HERO}</div>{form}</div></main>"
        if word in _STARTS
        else f"</main><template>{form}</template>"
    )
    links = (
        f'<link rel="modulepreload" href="/static/{name}">'
        for name in _imported("app.js", f"{_SCRIPTS[word]}.js")
    )
    return _filled(
        "index.html",
        modules="\n".join(links),
        style=sources["style.css"],
        main='<main id="main" tabindex="-1">' + shown,
    )


def _filled(name: str, **gaps: str) -> str:
    text = _sources()[name]
    for gap, filling in gaps.items():
        text = text.replace(f"{{{gap}}}", filling)
    return text


def _imported(*scripts: str) -> list[str]:
    """These scripts and all that they import, each once."""
    found = list(scripts)
    for name in found:
        found += [other for other in _IMPORT.findall(_sources()[name]) if other not in found]
    return found


def _games() -> str:
    return "".join(
        f'<label class="card"><input type="radio" name="game" value="{escape(variant.id)}"'
        f'{"" if at else " checked"}><span class="tile" aria-hidden="true">{at + 1}</span>'
        f"<span><b>{escape(variant.id.capitalize())}</b> "
        f'<span class="soft">{escape(variant.summary)}</span></span></label>\n'
        for at, variant in enumerate(games.catalogue().values())
    )


def _levels() -> str:
    return "".join(
        f'<option value="{level}"{" selected" if level == _LEVEL else ""}>'
        f"{level.capitalize()}: {escape(about)}</option>\n"
        for level, about in DESCRIPTIONS.items()
    )


def _policy() -> str:
    """What a browser may load; the shell's own script and style by their hashes."""
    hashes = {
        tag: b64encode(sha256(text.encode()).digest()).decode() for tag, text in _INLINE.findall(shell(""))
    }
    return _POLICY.format(**{tag: f"'sha256-{hash}'" for tag, hash in hashes.items()})


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
            "content-security-policy": _policy(),
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
