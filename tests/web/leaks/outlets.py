"""Every route of the server, and what an observer asks there.

A route that is not registered fails the tests: whoever adds one says in game_outlets or site_outlets what can
be asked of it.
"""

from __future__ import annotations

from tests.web.leaks import game_outlets, site_outlets
from tests.web.leaks.asks import OF_NO_GAME, OUTLETS, routed

__all__ = ["OF_NO_GAME", "OUTLETS", "game_outlets", "routed", "site_outlets"]
