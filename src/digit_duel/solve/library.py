"""Which solver answers for a game: a shipped table, a cached one, or a solve right now."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
from importlib.resources import files
from pathlib import Path
from typing import Any, Protocol

from digit_duel import __version__
from digit_duel.core.files import home_folder, write_whole
from digit_duel.core.session import public
from digit_duel.games._placement import Placement, Position
from digit_duel.solve.errors import DamagedTable, Unsolved
from digit_duel.solve.general.tablebase import Tablebase
from digit_duel.solve.general.value_file import ValueFile
from digit_duel.solve.oracle import Oracle
from digit_duel.solve.placing.pool_file import decode as decode_table
from digit_duel.solve.placing.pool_file import encode as encode_table
from digit_duel.solve.placing.pool_table import PoolTable
from digit_duel.solve.placing.slots import score
from digit_duel.solve.value import Value

Progress = Callable[[int], None]


class Hidden(Unsolved):
    """The game hides hands, so that no table of states can tell how to play it."""


class Table(Protocol):
    """A table of a placing game's margins."""

    def value(self, position: Position) -> int:
        """The margin for the first seat that best play leads to."""


@dataclass(frozen=True)
class PlacingOracle:
    """A placing game's table as an oracle."""

    game: Placement
    table: Table

    def value(self, state: Position) -> Value:
        margin = self.table.value(state)
        won = score(self.game.tie, margin)
        left = sum(board.count(None) for board in state.boards)
        return Value(won, -won * left, margin)


class PartialOracle:
    """Values of a game's early states, and a solve on the spot for what comes later."""

    def __init__(self, game: Any, known: ValueFile) -> None:
        self.game, self.known = game, known

    def value(self, state: Any) -> Value:
        return self._near(self.game.essence(state))

    @lru_cache(maxsize=4096)  # noqa: B019  # an oracle lives as long as the program
    def _near(self, state: Any) -> Value:
        found = self.known.get(state)
        return found if found is not None else Tablebase(self.game, state, known=self.known.get).value(state)


@dataclass(frozen=True)
class _Watcher:
    """Who is told of progress; to the cache one is like another."""

    progress: Progress | None = field(compare=False)


def oracle(game: Any, progress: Progress | None = None) -> Oracle[Any]:
    """The oracle of a game in which nothing is hidden for longer than one choice, or Hidden."""
    return _oracle(game, _Watcher(progress))


@lru_cache(maxsize=32)
def _oracle(game: Any, watcher: _Watcher) -> Oracle[Any]:
    if isinstance(game, Placement):
        return PlacingOracle(game, placing_table(game))
    if not public(game.view, game.start()):
        raise Hidden("this game hides hands: ask for one seat's odds instead.")
    if (shipped := _shipped_values(game)) is not None:
        return PartialOracle(game, shipped)
    return PartialOracle(game, _cached_values(game, watcher.progress))


def placing_table(game: Placement) -> PoolTable:
    """The margins of a placing game: shipped, cached, or solved now."""
    for data in _shipped(".ddpt"):
        table = decode_table(data)
        if _same_margins(table.game, game):
            return PoolTable(game, table.layers)
    path = _cache_path(game, ".ddpt")
    try:
        table = decode_table(path.read_bytes())
        if table.game == game:
            return table
    except (OSError, DamagedTable):
        pass  # not there, or not whole: it is made anew
    from digit_duel.solve.placing.pooled import solve

    table = solve(game)
    _keep(path, lambda: encode_table(table, preset=1))
    return table


def title(game: Any) -> str:
    """The rules that a table of values belongs to, with the version that solved them."""
    return f"{game!r} {__version__}"


def _same_margins(one: Placement, other: Placement) -> bool:
    """Whether two games differ in the tie rule at most, which says who wins but moves no margin."""
    return (one.places, one.pool, one.goal, one.reach) == (other.places, other.pool, other.goal, other.reach)


def _shipped(suffix: str) -> Iterator[bytes]:
    """The tables of a kind that the package brings."""
    for table in files("digit_duel.solve").joinpath("tables").iterdir():
        if table.name.endswith(suffix):
            yield table.read_bytes()


def _shipped_values(game: Any) -> ValueFile | None:
    for data in _shipped(".ddvf"):
        with suppress(DamagedTable):  # the table of other rules
            return ValueFile.decode(data, repr(game))
    return None


def _cached_values(game: Any, progress: Progress | None) -> ValueFile:
    path = _cache_path(game, ".ddvf")
    try:
        return ValueFile.decode(path.read_bytes(), title(game))
    except (OSError, DamagedTable):
        pass  # not there, or not whole: it is made anew
    solved: Tablebase[Any, Any] = Tablebase(game, progress=progress)
    values = ValueFile.of(title(game), ((state, solved.value(state)) for state in solved))
    _keep(path, values.encode)
    return values


def _cache_path(game: Any, suffix: str) -> Path:
    name = blake2b(title(game).encode(), digest_size=12).hexdigest()
    return home_folder("cache") / f"{name}{suffix}"


def _keep(path: Path, data: Callable[[], bytes]) -> None:
    """Cache what was solved; a full or locked disk only costs the next one some time."""
    try:
        write_whole(path, data())
    except OSError:
        return
