"""The page as an app: manifest, icons and a service worker that browsers accept."""

from __future__ import annotations

import json
import re

import httpx
from tests.web.server import Server
from tests.web.views.test_previews import decoded

from digit_duel.web.http.pages import Page


def get(server: Server, path: str) -> httpx.Response:
    found = httpx.get(server.url + path, trust_env=False, timeout=60)
    assert found.status_code == 200, path
    return found


def test_the_manifest_names_icons_of_the_sizes_they_have(server: Server) -> None:
    found = get(server, "/app.webmanifest")
    assert found.headers["content-type"] == "application/manifest+json"
    manifest = found.json()
    assert (manifest["start_url"], manifest["display"], manifest["scope"]) == ("/", "standalone", "/")
    assert {icon["purpose"] for icon in manifest["icons"]} == {"any", "maskable"}
    for icon in manifest["icons"]:
        width, height, _ = decoded(get(server, icon["src"]).content)
        assert icon["sizes"] == f"{width}x{height}"
    assert httpx.get(f"{server.url}/icons/other.png", trust_env=False).status_code == 404


def test_the_service_worker_caches_every_file_of_this_version_and_is_never_cached(server: Server) -> None:
    found = get(server, "/sw.js")
    assert found.headers["cache-control"] == "no-cache"
    assert found.headers["content-type"].startswith("text/javascript")
    page, text = Page(), found.text
    assert f'NAME = "digit-duel {page.version}"' in text
    parts = json.loads(re.search(r"PARTS = (\[.*?\]);", text).group(1))  # type: ignore[union-attr]
    assert parts == [f"/static/{page.version}/{name}" for name in page.parts]
    assert all(get(server, part).headers["cache-control"].endswith("immutable") for part in parts[:3])


def test_a_page_names_the_manifest_and_the_policy_allows_it(server: Server) -> None:
    found = get(server, "/")
    assert '<link rel="manifest" href="/app.webmanifest">' in found.text
    policy = found.headers["content-security-policy"]
    assert "manifest-src 'self'" in policy
    assert "script-src 'self'" in policy
    assert "worker-src" not in policy  # so that script-src decides: this server's scripts alone
