"""Photographs every screen of the page, in light and dark, on a phone and on a desk: make screens."""

from __future__ import annotations

import shutil
import sys
import tempfile
from itertools import product
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
SIZES = {"phone": (390, 844), "desk": (1280, 860)}
SHOWN = "battle-light-desk"


def main(folder: Path) -> None:
    """Write a picture of each screen into a folder."""
    sys.path.insert(0, str(ROOT))
    from playwright.sync_api import sync_playwright
    from tests.web.browser.conftest import FLAGS
    from tests.web.browser.people import somebody
    from tests.web.browser.screens import SCREENS
    from tests.web.server import running_server

    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as files,
        running_server(Path(files)) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        for name, scheme, size in product(SCREENS, ("light", "dark"), SIZES):
            viewport = dict(zip(("width", "height"), SIZES[size], strict=True))
            person = somebody(browser, color_scheme=scheme, viewport=viewport)
            SCREENS[name](browser, person, server.url)
            person.page.wait_for_timeout(300)
            path = folder / f"{name}-{scheme}-{size}.png"
            person.page.screenshot(path=path, full_page=True)
            sys.stdout.write(f"{path}\n")
            if path.stem == SHOWN:
                person.page.screenshot(path=Path(__file__).parent / "browser.png")  # for the README
            person.context.close()
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "screens")
