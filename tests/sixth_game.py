"""A sixth game: the example of docs/add-a-game.md."""

from __future__ import annotations

import importlib.util
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.documents import blocks

from digit_duel.core.variant import AnyVariant

PAGE = "docs/add-a-game.md"
SOURCE, LAWS = blocks(PAGE, "python")  # the file race.py, and how to check the laws on it


@cache
def race() -> AnyVariant:
    """Count up to 21 in steps of 1 to 3; whoever says 21 wins."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "race.py"
        file.write_text(SOURCE, encoding="utf-8")
        spec = importlib.util.spec_from_file_location("race_from_the_page", file)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module  # dataclasses and type hints look their module up
        spec.loader.exec_module(module)
    found: AnyVariant = module.VARIANT
    return found
