"""Another history that a player cannot distinguish from the true one, for search with hidden information."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from random import Random
from typing import Any, Protocol

from digit_duel.core.game import Seat

TRIES = 20  # attempts before the true history is returned, which always fits


class HistoryNode(Protocol):
    """A node of a game tree, as far as a resampler needs it."""

    @property
    def draws(self) -> tuple[tuple[Hashable, int], ...]:
        """Nature's moves, empty unless nature moves."""

    @property
    def acting(self) -> tuple[Seat, ...]:
        """Who may move."""

    def after(self, *moves: Hashable) -> Any:
        """The node that the moves lead to."""

    def move(self, action: int) -> Hashable:
        """The move with a number."""

    def actions(self) -> list[tuple[int, float]]:
        """Every number that can be chosen now, with a weight."""

    @property
    def nothing_hidden(self) -> bool:
        """Whether each seat could name the state."""

    def seen(self, seat: Seat) -> list[str]:
        """The record as far as a seat knows it."""


def resampled(
    start: HistoryNode, history: Sequence[Any], player: Seat, sampler: Callable[[], float]
) -> list[int]:
    """The actions of a history that looks the same to the player, whose own moves stay as they are.

    What happened before the last node at which nothing was hidden stays, too. After it, draws that the player
    has not seen follow the cards that are left, and hidden choices of the other seat are uniform.
    """
    rng = Random(int(sampler() * 2**53))
    truth = [int(entry.action) for entry in history]
    nodes = [start]
    for action in truth:
        nodes.append(nodes[-1].after(nodes[-1].move(action)))
    known = max((at for at, node in enumerate(nodes) if node.nothing_hidden), default=0)
    seen = [node.seen(player) for node in nodes[known + 1 :]]
    for _ in range(TRIES):
        found = _attempt(nodes[known], truth[known:], seen, player, rng)
        if found is not None:
            return truth[:known] + found
    return truth


def _attempt(
    node: HistoryNode, truth: Sequence[int], seen: Sequence[list[str]], player: Seat, rng: Random
) -> list[int] | None:
    """Actions that look like the true ones, or None if a choice led to where nothing fits any more."""
    actions = []
    for true, wanted in zip(truth, seen, strict=True):
        for action in [true] if player in node.acting else _shuffled(node.actions(), rng):
            after = node.after(node.move(action))
            if after.seen(player) == wanted:
                break
        else:
            return None
        actions.append(action)
        node = after
    return actions


def _shuffled(weighted: list[tuple[int, float]], rng: Random) -> list[int]:
    """A random order in which what weighs more tends to come first: sampling without replacement."""
    keyed = sorted(((rng.random() ** (1 / weight), action) for action, weight in weighted), reverse=True)
    return [action for _, action in keyed]
