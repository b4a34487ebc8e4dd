"""Sampling of histories from a player's information set, for search with hidden information."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from digit_duel.adapters.spiel.node import SpielNode
from digit_duel.core.game import Seat

TRIES = 20  # attempts before falling back to the true history, which always fits


def resampled(
    start: SpielNode, history: Sequence[Any], player: Seat, sampler: Callable[[], float]
) -> list[int]:
    """Sample a history that looks the same to the player, and return its actions.

    The player's own moves stay, and so does everything before the last node at which nothing was hidden.
    After it, unseen draws are sampled from the cards left, and hidden choices of the other seat uniformly.
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
    node: SpielNode, truth: Sequence[int], seen: Sequence[list[str]], player: Seat, rng: Random
) -> list[int] | None:
    """Actions that look like the true ones; None if the sampling reached a dead end."""
    actions = []
    for true, wanted in zip(truth, seen, strict=True):
        # Where both act, the first seat is asked first, and its choice is hidden from the other.
        for action in [true] if node.acting[:1] == (player,) else _shuffled(node.actions(), rng):
            after = node.after(node.move(action))
            if after.seen(player) == wanted:
                break
        else:
            return None
        actions.append(action)
        node = after
    return actions


def _shuffled(weighted: list[tuple[int, float]], rng: Random) -> list[int]:
    """A random order by weighted sampling without replacement: heavier items tend to come first."""
    keyed = sorted(((rng.random() ** (1 / weight), action) for action, weight in weighted), reverse=True)
    return [action for _, action in keyed]
