"""Photographs every screen of the page in every size, light and dark: make screens."""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from itertools import product
from pathlib import Path
from typing import Literal

ROOT = Path(__file__).parent.parent.parent
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
SHOWN = "sabotage-light-desk"


def main(folder: Path) -> None:
    """Write a picture of each screen into a folder."""
    sys.path.insert(0, str(ROOT))
    from playwright.sync_api import sync_playwright
    from tests.web.browser.conftest import FLAGS
    from tests.web.browser.people import somebody
    from tests.web.browser.screens import SCREENS, SIZES
    from tests.web.server import running_server

    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as files,
        running_server(Path(files)) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        for name in SCREENS:
            person = somebody(browser)
            SCREENS[name](browser, person, server.url)
            for scheme, (size, (width, height)) in product(SCHEMES, SIZES.items()):
                person.page.emulate_media(color_scheme=scheme)
                person.page.set_viewport_size({"width": width, "height": height})
                person.page.wait_for_timeout(400)  # motion ends before the picture is taken
                path = folder / f"{name}-{scheme}-{size}.png"
                person.page.screenshot(path=path, full_page=True)
                sys.stdout.write(f"{path}\n")
                if path.stem == SHOWN:
                    person.page.screenshot(path=Path(__file__).parent / "browser.png")  # for the README
            person.context.close()
        browser.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=ROOT / "screens")
    main(parser.parse_args().folder)
