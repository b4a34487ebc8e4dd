"""Turns agents trained on observations into tables that the exact tools in digit_duel.solve can evaluate."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from digit_duel.adapters.interface.names import VERSION
from digit_duel.adapters.interface.version import customised
from digit_duel.core.decisions import Decisions
from digit_duel.core.variant import AnyGame, AnyVariant
from digit_duel.solve.research.exploration import LIMIT, check_size, decisions, refuse_game
from digit_duel.solve.research.policies import (
    Asked,
    BadPolicy,
    Mixture,
    Policy,
    TabularPolicy,
    asked,
    tabulate,
)

# From observations, [n, numbers], and masks, [n, actions], to the probability of every action, [n, actions].
Agent = Callable[[NDArray[Any], NDArray[np.bool_]], NDArray[Any]]


def tabulated(variant: AnyVariant, agent: Agent, limit: int = LIMIT, **options: object) -> TabularPolicy:
    """Tabulate the policy that an agent plays at every view of a game.

    The agent is asked about all decisions of version 2 in one call; `options` are those of its environment,
    such as `layout`, `forced` and `encoding`. Moves that the environment makes without asking, because they
    are forced or lay out a hand by convention, are filled in. Probabilities of illegal actions are set to 0,
    and each row is then scaled to a sum of 1. Raises BadPolicy, TooBig or BadOption.
    """
    refuse_game(variant)
    interface = customised(variant, VERSION, options)
    check_size(interface.variant.game, limit)
    game, alphabet = interface.game, interface.alphabet
    keys: list[Asked] = []
    numbers: list[list[int]] = []
    observations: list[NDArray[Any]] = []
    for state, seat in decisions(game, limit):
        view, legal = game.view(state, seat), game.legal(state, seat)
        keys.append(asked(game, view, legal))
        numbers.append([alphabet.number(state, seat, move) for move in legal])
        observations.append(interface.observations.numbers(view, seat, game.acting(state)))
    masks = np.array([alphabet.mask(legal) for legal in numbers], bool)
    answer = np.asarray(agent(np.array(observations), masks), np.float64)
    if answer.shape != masks.shape:
        raise BadPolicy(f"the agent returned an array of shape {answer.shape}, not {masks.shape}.")
    chances = np.where(masks, answer, 0.0)
    rows: dict[Hashable, Mapping[str, float]] = {}
    for key, legal, row in zip(keys, numbers, chances, strict=True):
        total = float(row.sum())
        if not total > 0:
            raise BadPolicy(f"the agent plays no legal move at {key[0]}.")
        rows[key] = {text: float(row[number] / total) for text, number in zip(key[1], legal, strict=True)}
    return tabulate(interface.variant, by_conventions(game, rows), limit)


def by_conventions(game: AnyGame, rows: Mapping[Hashable, Mapping[str, float]]) -> Policy[Any, Any]:
    """The policy of a table of decisions, with the conventional move wherever the game does not ask."""
    conventions = game.conventions if isinstance(game, Decisions) else ()

    def played(view: Any, legal: Sequence[Any]) -> Mixture[Any]:
        for convention in conventions:
            if (move := convention(legal)) is not None:
                return {move: 1}
        row = rows.get(asked(game, view, legal))
        if row is None:
            raise BadPolicy(f"this policy has no entry for {view!r}.")
        return {move: row[game.text(move)] for move in legal}

    return played
