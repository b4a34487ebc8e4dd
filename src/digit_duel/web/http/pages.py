"""The web page: an HTML shell for each kind of address, and static files with the version in their path.

A shell contains the style, the digits and, at home, the form that starts a game, so that one answer makes a
page that can be read and used. It preloads every script that the page needs, so that none waits for another.
The files of static/style form one style sheet: tokens first, then base, then one file per component. A shell
contains what every page has and the file named after its script; the whole sheet loads later.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from gzip import compress
from hashlib import sha256
from html import escape
from importlib.resources import files
from importlib.resources.abc import Traversable
from posixpath import dirname, join, normpath

from starlette.requests import Request
from starlette.responses import Response

from digit_duel import games
from digit_duel.bots import DEFAULT_LEVEL, DESCRIPTIONS
from digit_duel.core.pictures.lettering import OUTLINES
from digit_duel.core.variant import AnyVariant

PATHS = (
    "/", "/new/{variant}", "/g/{game}", "/g/{game}/analysis", "/g/{game}/result", "/j/{game}", "/games",
    "/verify/{game}", "/analysis/{variant}", "/learn/{variant}", "/rules", "/rules/{variant}", "/help",
)  # fmt: skip
_SCRIPTS = {  # by the first word of the path; as in app.js
    "": "home", "new": "home", "j": "invitation", "rules": "guide", "help": "guide", "games": "games",
    "g": "game", "learn": "learn", "analysis": "analysis", "verify": "verify",
}  # fmt: skip
_STARTS = ("", "new")  # the pages that show the form
_IMPORT = re.compile(r'^import (?:.* from )?"(\.\.?/[\w/]+\.js)";$', re.MULTILINE)
# Comments, indentation and blank lines; a comment at the end of a line may contain no quotes.
_REMOVED = re.compile(
    r"""^[ \t]*(?://.*|/\*(?:(?!\*/)[\s\S])*\*/)?\n|^[ \t]+|[ \t]+// [^"'`\n]*$""", re.MULTILINE
)
_FIRST_STYLES = ["style/tokens.css", "style/base.css"]
_COMMON_STYLES = ("bar",)
_WHOLE_STYLE = "style/whole.css"
_OWN_STYLES = {  # by script, unless it is the file of the same name; minis.css loads later
    "analysis": ("table", "review"), "game": ("table", "game"), "guide": ("review",),
    "learn": ("table", "coach", "learn"), "invitation": ("table", "minis", "invitation"),
}  # fmt: skip
_CSS_SPACES = re.compile(r";?\s*(})\s*|\s*([{;,])\s*|(?<=:) ")
_KINDS = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".svg": "image/svg+xml",
}
_HYPHEN = re.compile(r"(?<=\d)-(?=\w)")  # so that 0-9 and 3-digit do not break
_WORKER = "worker.js"
_AFTER_TAGS = '<link rel="manifest"'  # tags are inserted before it
_FAST_GZIP = 4  # compression level for a page that is sent once
_HERO = '<div class="welcome"><h1 class="hero">A duel of digits</h1></div>'


@dataclass(frozen=True, slots=True)
class PageFile:
    """One file, plain and compressed."""

    data: bytes
    packed: bytes
    kind: str

    @classmethod
    def of(cls, text: str, suffix: str, level: int = 9) -> PageFile:
        """Compress a text; the suffix of its file name gives the media type."""
        data = text.encode()
        return cls(data, compress(data, level, mtime=0), _KINDS[suffix])


class Page:
    """Serves the shells and static files from memory."""

    def __init__(self) -> None:
        sources = _sources()
        self.version = sha256("".join(sources.values()).encode()).hexdigest()[:12]
        versioned = f'"/static/{self.version}/'
        self.shells = {
            word: PageFile.of(shell(word).replace('"/static/', versioned), ".html") for word in _SCRIPTS
        }
        self.parts = {
            name: PageFile.of(text, suffix)
            for name, text in sources.items()
            if (suffix := _suffix(name)) not in (".html", ".css")  # these are in the shells
            and name != _WORKER
        }
        self.parts[_WHOLE_STYLE] = PageFile.of(_style(), ".css")
        parts = json.dumps([f"/static/{self.version}/{name}" for name in self.parts])
        self.worker = PageFile.of(_filled(_WORKER, version=self.version, parts=parts), ".js")

    async def shell(self, request: Request) -> Response:
        """Serve any page; scripts fill it in, except for the form that starts a game."""
        return self.with_tags(request, "")

    def with_tags(self, request: Request, tags: str) -> Response:
        """Serve any page, with tags for link previews."""
        _, word, *more = request.scope["path"].split("/")
        part = self.shells["analysis" if more[1:] == ["analysis"] else word]
        if tags:
            part = PageFile.of(
                part.data.decode().replace(_AFTER_TAGS, f"{tags}\n{_AFTER_TAGS}", 1), ".html", _FAST_GZIP
            )
        return _sent(request, part, "no-store")

    def nothing(self, request: Request) -> Response:
        """Serve the page for an unknown address."""
        return _sent(request, self.shells["help"], "no-store", 404)

    async def part(self, request: Request) -> Response:
        """Serve a script, a style or a picture."""
        part = self.parts.get(request.path_params["file"])
        if part is None or request.path_params["version"] != self.version:
            return Response("Not found.", 404, media_type="text/plain")
        return _sent(request, part, "public, max-age=31536000, immutable")


def _suffix(name: str) -> str:
    return "." + name.rpartition(".")[2]


@lru_cache(maxsize=1)
def _sources() -> dict[str, str]:
    """The files of the page by path, without comments and indentation."""
    found = dict(_files(files("digit_duel.web").joinpath("static")))
    return {name: _REMOVED.sub("", found[name].read_text("utf-8")) for name in sorted(found)}


def _files(folder: Traversable, at: str = "") -> Iterator[tuple[str, Traversable]]:
    for file in folder.iterdir():
        if file.is_dir():
            yield from _files(file, f"{at}{file.name}/")
        elif _suffix(file.name) in _KINDS:
            yield at + file.name, file


def _style(script: str | None = None) -> str:
    """The whole style sheet or, for a script, the part in its shell."""
    sources = _sources()
    components = [name for name in sources if name.endswith(".css") and name not in _FIRST_STYLES]
    if script is not None:
        own = _OWN_STYLES.get(script, (script,))
        needed = [f"style/{name}.css" for name in (*_COMMON_STYLES, *own)]
        components = [name for name in components if name in needed]
    return _CSS_SPACES.sub(r"\1\2", "".join(sources[name] for name in [*_FIRST_STYLES, *components]))


def all_shells() -> str:
    """All HTML shells concatenated; the content security policy allows the inline scripts in them."""
    return "".join(shell(word) for word in _SCRIPTS)


def shell(word: str) -> str:
    """The HTML shell for the first word of a path; each contains the form that starts a game."""
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
        style=_style(_SCRIPTS[word]),
        glyphs=_glyphs(),
        main='<main id="main" tabindex="-1">' + shown,
    )


def _glyphs() -> str:
    """The ten digits as SVG symbols."""
    symbols = (
        f'<symbol id="d{digit}" viewBox="0 0 24 36"><path d="{OUTLINES[str(digit)]}"/></symbol>\n'
        for digit in range(10)
    )
    return f'<svg id="glyphs" width="0" height="0" aria-hidden="true">\n{"".join(symbols)}</svg>\n'


def _filled(file: str, /, **gaps: str) -> str:
    text = _sources()[file]
    for gap, filling in gaps.items():
        text = text.replace(f"{{{gap}}}", filling)
    return text


def _imported(*scripts: str) -> list[str]:
    """These scripts and all their imports, each once."""
    found = list(scripts)
    for name in found:
        others = (normpath(join(dirname(name), path)) for path in _IMPORT.findall(_sources()[name]))
        found += [other for other in others if other not in found]
    return found


def _games() -> str:
    return "".join(_card(variant) for variant in games.catalogue().values())


def _card(variant: AnyVariant) -> str:
    learn = "" if variant.tutorial is None else '<a href="/learn/{id}" aria-label="Learn {name}">Learn</a>\n'
    return _filled(
        "card.html",
        learn=learn,
        id=escape(variant.id),
        name=escape(variant.id.capitalize()),
        summary=_HYPHEN.sub("\N{NON-BREAKING HYPHEN}", escape(variant.summary)),
    )


def _levels() -> str:
    return "".join(
        f'<label class="chip" title="{escape(about)}"><input type="radio" name="level" value="{level}"'
        f"{' checked' if level == DEFAULT_LEVEL else ''}><span>{level.capitalize()}</span></label>\n"
        for level, about in DESCRIPTIONS.items()
    )


def _sent(request: Request, part: PageFile, cache: str, status: int = 200) -> Response:
    headers = {"Cache-Control": cache, "Vary": "Accept-Encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        # Safe to compress: these files contain no secret that the length could reveal.
        packed = {**headers, "Content-Encoding": "gzip"}
        return Response(part.packed, status, headers=packed, media_type=part.kind)
    return Response(part.data, status, headers=headers, media_type=part.kind)
