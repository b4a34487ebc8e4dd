"""The page: a shell for every address, and its parts, which never change under the same name.

The shell brings the style and, at home, the form that starts a game, so that one answer makes a page that can
be read and used; it names every script that will be needed, so that none waits for another.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from gzip import compress
from hashlib import sha256
from html import escape
from importlib.resources import files

from starlette.requests import Request
from starlette.responses import Response

from digit_duel import games
from digit_duel.bots import DESCRIPTIONS

PATHS = (
    "/", "/new/{variant}", "/g/{game}", "/g/{game}/analysis", "/g/{game}/result", "/j/{game}",
    "/verify/{game}", "/analysis/{variant}", "/rules", "/rules/{variant}", "/help",
)  # fmt: skip
_SCRIPTS = {  # by the first word of an address; as in app.js
    "": "home", "new": "home", "j": "invitation", "rules": "guide", "help": "guide",
    "g": "game", "analysis": "analysis", "verify": "verify",
}  # fmt: skip
_STARTS = ("", "new")  # where a game is started
_LEVEL = list(DESCRIPTIONS)[len(DESCRIPTIONS) // 2]  # the middle one
_IMPORT = re.compile(r'^import (?:.* from )?"\./(\w+\.js)";$', re.MULTILINE)
# Comments, indents and blank lines; a comment that ends a line is known by having no quotes after it.
_IDLE = re.compile(r"""^[ \t]*(?://.*|/\*(?:(?!\*/).)*\*/)?\n|^[ \t]+|[ \t]+// [^"'`\n]*$""", re.MULTILINE)
_SPACES = re.compile(r";?\s*(})\s*|\s*([{;,])\s*|(?<=:) ")  # in styles
_KINDS = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".svg": "image/svg+xml",
}
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
        """Any page; scripts fill it in, except for the form that starts a game."""
        _, word, *more = request.scope["path"].split("/")
        return _sent(request, self.shells["analysis" if more[1:] == ["analysis"] else word], "no-store")

    def nothing(self, request: Request) -> Response:
        """The page that tells people that an address leads nowhere."""
        return _sent(request, self.shells["help"], "no-store", 404)

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
    """The files of the page by name, without comments and indentation."""
    folder = files("digit_duel.web").joinpath("static")
    found = {file.name: file for file in folder.iterdir() if _suffix(file.name) in _KINDS}
    sources = {name: _IDLE.sub("", found[name].read_text("utf-8")) for name in sorted(found)}
    return {**sources, "style.css": _SPACES.sub(r"\1\2", sources["style.css"])}


def shell(word: str) -> str:
    """The HTML document of an address; each contains the form that starts a game."""
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


def _sent(request: Request, part: Part, cache: str, status: int = 200) -> Response:
    headers = {"Cache-Control": cache, "Vary": "Accept-Encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        # These files hold no secret that their compressed length could reveal; no other answer is compressed.
        packed = {**headers, "Content-Encoding": "gzip"}
        return Response(part.packed, status, headers=packed, media_type=part.kind)
    return Response(part.data, status, headers=headers, media_type=part.kind)
