"""The files that make the page an installable app: manifest, icons and service worker."""

from __future__ import annotations

import asyncio
import json

from starlette.requests import Request
from starlette.responses import Response

from digit_duel.web.http.pages import Page
from digit_duel.web.pictures.icons import ICONS, icon

_DAY = "public, max-age=86400"
_COLOURS = {"background_color": "#f4eee2", "theme_color": "#f4eee2"}


class AppFiles:
    """Serves the files that browsers need to install the page as an app."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._manifest = json.dumps(_manifest()).encode()
        self._drawing = asyncio.Lock()

    async def manifest(self, request: Request) -> Response:
        """The name, the icons and the colours of the app."""
        return Response(
            self._manifest, headers={"Cache-Control": _DAY}, media_type="application/manifest+json"
        )

    async def icon(self, request: Request) -> Response:
        """An icon, drawn when it is first asked for."""
        name = request.path_params["name"]
        if name not in ICONS:
            return Response("Not found.", 404, media_type="text/plain")
        async with self._drawing:
            found = await asyncio.to_thread(icon, name)
        return Response(found, headers={"Cache-Control": _DAY}, media_type="image/png")

    async def worker(self, request: Request) -> Response:
        """The service worker, never cached, so that a new version replaces the old one."""
        part = self._page.worker
        return Response(part.data, headers={"Cache-Control": "no-cache"}, media_type=part.kind)


def _manifest() -> dict[str, object]:
    return {
        "id": "/",
        "name": "Digit Duel",
        "short_name": "Digit Duel",
        "description": "Short games for two with a handful of digits.",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        **_COLOURS,
        "icons": [
            {
                "src": f"/icons/{name}",
                "sizes": f"{size}x{size}",
                "type": "image/png",
                "purpose": "maskable" if maskable else "any",
            }
            for name, (size, maskable) in ICONS.items()
        ],
        "shortcuts": [{"name": "Your games", "url": "/games"}],
    }
