"""PettingZoo environments of every game: `classic_v1.env()`, `cards_v1.parallel_env()`, and so on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv, ParallelEnv

from digit_duel import games
from digit_duel.adapters._alphabet import alphabet
from digit_duel.adapters._names import zoo_game, zoo_name
from digit_duel.adapters._picture import RENDER_MODES, shown
from digit_duel.adapters._table import Table
from digit_duel.adapters._views import layout
from digit_duel.core.game import Seat
from digit_duel.core.variant import AnyVariant

AGENTS = tuple(f"seat_{int(seat)}" for seat in Seat)
SEATS = dict(zip(AGENTS, Seat, strict=True))

Observation = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class Environment:
    """One game of the catalogue, with whatever options it was given."""

    variant: AnyVariant

    def env(self, render_mode: str | None = None, **options: object) -> Turns:
        """The game seat by seat; options are those of the rules."""
        return Turns(self._customised(options), render_mode)

    def raw_env(self, render_mode: str | None = None, **options: object) -> Turns:
        """The same as env: nothing needs to be wrapped around it."""
        return self.env(render_mode, **options)

    def parallel_env(self, render_mode: str | None = None, **options: object) -> AtOnce:
        """The game with both seats asked every time; one that may not move now has an empty mask."""
        return AtOnce(self._customised(options), render_mode)

    def _customised(self, options: Mapping[str, object]) -> AnyVariant:
        return self.variant.customised({name: str(value) for name, value in options.items()})


def __getattr__(name: str) -> Environment:
    """An environment by its versioned name, such as classic_v1."""
    try:
        return Environment(games.variant(zoo_game(name)))
    except KeyError as unknown:
        raise AttributeError(f"there is no game {unknown}; there are: {', '.join(games.ids())}") from None


class _Shared:
    """What the two kinds of environment have in common."""

    def __init__(self, variant: AnyVariant, render_mode: str | None) -> None:
        self.variant, self.render_mode = variant, render_mode
        self.metadata = {"name": zoo_name(variant.id), "render_modes": RENDER_MODES, "render_fps": 1}
        low, high = layout(variant.game).bounds
        size = alphabet(variant.game).size
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self.action_spaces: dict[str, Any] = {agent: spaces.Discrete(size) for agent in AGENTS}
        self.observation_spaces: dict[str, Any] = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(low, high, dtype=np.int16),
                    "action_mask": spaces.Box(0, 1, (size,), np.int8),
                }
            )
            for agent in AGENTS
        }
        self._rng = Random()

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def observe(self, agent: str) -> Observation:
        seat = SEATS[agent]
        return {"observation": self.table.observation(seat), "action_mask": self.table.mask(seat)}

    def close(self) -> None:
        """Nothing is held open."""

    def _start(self, seed: int | None) -> None:
        if seed is not None:
            self._rng.seed(seed)
        self.table = Table(self.variant, self._rng)
        self.agents = list(AGENTS)

    def _picture(self, seat: Seat) -> Any:
        """The table as a seat sees it, in the mode that was asked for."""
        return shown(self.variant, self.table.sight(seat), self.table.acting, self.render_mode)


class Turns(_Shared, AECEnv[str, Observation, int]):  # type: ignore[misc]  # untyped base
    """One seat after the other; where two choose at once, the first one's choice stays unseen."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self._start(seed)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[self.table.acting[0]]

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        self._cumulative_rewards[agent] = 0.0
        refusal = self.table.play(SEATS[agent], int(action))
        self.infos[agent] = {"refused": refusal} if refusal else {}
        table = self.table
        if table.outcome is not None:
            self.terminations = dict.fromkeys(AGENTS, True)
            for name, seat in SEATS.items():
                self.rewards[name] = float(table.outcome.score(seat))
            self._accumulate_rewards()
            self.agent_selection = AGENTS[SEATS[agent].other]
        elif table.broken_off:
            self.truncations = dict.fromkeys(AGENTS, True)
        else:
            self.agent_selection = AGENTS[table.acting[0]]

    def render(self) -> Any:
        return self._picture(SEATS[self.agent_selection])


class AtOnce(_Shared, ParallelEnv[str, Observation, int]):  # type: ignore[misc]  # untyped base
    """Both seats every time; the move of one that may not move now is not looked at."""

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        self._start(seed)
        return self._observations(), {agent: {} for agent in AGENTS}

    def step(self, actions: dict[str, int]) -> Any:
        table = self.table
        infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        for seat in table.acting:
            if refusal := table.play(seat, int(actions[AGENTS[seat]])):
                infos[AGENTS[seat]]["refused"] = refusal
        outcome = table.outcome
        rewards = {agent: float(outcome.score(seat)) if outcome else 0.0 for agent, seat in SEATS.items()}
        terminations = dict.fromkeys(AGENTS, outcome is not None)
        truncations = dict.fromkeys(AGENTS, table.broken_off)
        if outcome is not None or table.broken_off:
            self.agents = []
        return self._observations(), rewards, terminations, truncations, infos

    def render(self) -> Any:
        return self._picture(self.table.acting[0] if self.table.acting else Seat.FIRST)

    def _observations(self) -> dict[str, Observation]:
        return {agent: self.observe(agent) for agent in AGENTS}
