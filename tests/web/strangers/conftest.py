"""What the tests of this folder share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.web.strangers.plain import EVERYBODY


@pytest.fixture(autouse=True)
def hung_up() -> Iterator[None]:
    """Close whatever connection a test left open."""
    yield
    while EVERYBODY:
        EVERYBODY.pop().close()
