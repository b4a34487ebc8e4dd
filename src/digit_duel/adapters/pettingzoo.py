"""PettingZoo environments for every game: `classic_v1.env()`, `cards_v1.parallel_env()`, and so on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, TypeAlias

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv, ParallelEnv

from digit_duel import games
from digit_duel.adapters._alphabet import alphabet
from digit_duel.adapters._names import zoo_game, zoo_name
from digit_duel.adapters._numbered_game import NumberedGame
from digit_duel.adapters._picture import RENDER_MODES, Image, render
from digit_duel.adapters._views import layout
from digit_duel.core.game import Seat
from digit_duel.core.variant import AnyVariant

AGENTS = tuple(f"seat_{int(seat)}" for seat in Seat)
SEATS = dict(zip(AGENTS, Seat, strict=True))

Observation = dict[str, NDArray[np.int16] | NDArray[np.int8]]
Info: TypeAlias = dict[str, Any]  # as PettingZoo types it
ParallelStep: TypeAlias = tuple[  # observations, rewards, terminations, truncations, infos
    dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Info]
]


@dataclass(frozen=True)
class Environment:
    """The environments of one game; keywords set options of its rules."""

    variant: AnyVariant

    def env(self, render_mode: str | None = None, **options: object) -> AECDuel:
        """The game with one seat moving at a time."""
        return AECDuel(self._customised(options), render_mode)

    def raw_env(self, render_mode: str | None = None, **options: object) -> AECDuel:
        """The same as env, which needs no wrappers."""
        return self.env(render_mode, **options)

    def parallel_env(self, render_mode: str | None = None, **options: object) -> ParallelDuel:
        """The game with both seats asked in every step; the mask of a seat that may not move is empty."""
        return ParallelDuel(self._customised(options), render_mode)

    def _customised(self, options: Mapping[str, object]) -> AnyVariant:
        return self.variant.customised({name: str(value) for name, value in options.items()})


def __getattr__(name: str) -> Environment:
    """An environment by its versioned name, such as classic_v1."""
    try:
        return Environment(games.variant(zoo_game(name)))
    except KeyError as unknown:
        raise AttributeError(f"unknown game {unknown}; there are: {', '.join(games.ids())}") from None


class _Duel:
    """What both kinds of environment share."""

    def __init__(self, variant: AnyVariant, render_mode: str | None) -> None:
        self.variant, self.render_mode = variant, render_mode
        self.metadata = {"name": zoo_name(variant.id), "render_modes": RENDER_MODES, "render_fps": 1}
        low, high = layout(variant.game).bounds
        size = alphabet(variant.game).size
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self.action_spaces = {agent: spaces.Discrete(size) for agent in AGENTS}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(low, high, dtype=np.int16),
                    "action_mask": spaces.Box(0, 1, (size,), np.int8),
                }
            )
            for agent in AGENTS
        }
        self._rng = Random()

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self.action_spaces[agent]

    def observe(self, agent: str) -> Observation:
        seat = SEATS[agent]
        return {"observation": self.game.observation(seat), "action_mask": self.game.mask(seat)}

    def close(self) -> None:
        """Do nothing: no resources are held."""

    def _start(self, seed: int | None) -> None:
        if seed is not None:
            self._rng.seed(seed)
        self.game = NumberedGame(self.variant, self._rng)
        self.agents = list(AGENTS)

    def _rendered(self, seat: Seat) -> Image | str | None:
        return render(self.variant, self.game.view(seat), self.game.acting, self.render_mode)


class AECDuel(_Duel, AECEnv[str, Observation, int]):  # type: ignore[misc]  # untyped base
    """One seat at a time; where both act at once, the second seat does not see the first one's choice."""

    def reset(self, seed: int | None = None, options: Info | None = None) -> None:
        self._start(seed)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, Info] = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[self.game.acting[0]]

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        self._cumulative_rewards[agent] = 0.0
        refusal = self.game.play(SEATS[agent], int(action))
        self.infos[agent] = {"refused": refusal} if refusal else {}
        game = self.game
        if game.outcome is not None:
            self.terminations = dict.fromkeys(AGENTS, True)
            for name, seat in SEATS.items():
                self.rewards[name] = float(game.outcome.score(seat))
            self._accumulate_rewards()
            self.agent_selection = AGENTS[SEATS[agent].other]
        elif game.truncated:
            self.truncations = dict.fromkeys(AGENTS, True)
        else:
            self.agent_selection = AGENTS[game.acting[0]]

    def render(self) -> Image | str | None:
        return self._rendered(SEATS[self.agent_selection])


class ParallelDuel(_Duel, ParallelEnv[str, Observation, int]):  # type: ignore[misc]  # untyped base
    """Both seats in every step; the action of a seat that may not move is ignored."""

    def reset(
        self, seed: int | None = None, options: Info | None = None
    ) -> tuple[dict[str, Observation], dict[str, Info]]:
        self._start(seed)
        return self._observations(), {agent: {} for agent in AGENTS}

    def step(self, actions: dict[str, int]) -> ParallelStep:
        game = self.game
        infos: dict[str, Info] = {agent: {} for agent in AGENTS}
        for seat in game.acting:
            if refusal := game.play(seat, int(actions[AGENTS[seat]])):
                infos[AGENTS[seat]]["refused"] = refusal
        outcome = game.outcome
        rewards = {agent: float(outcome.score(seat)) if outcome else 0.0 for agent, seat in SEATS.items()}
        terminations = dict.fromkeys(AGENTS, outcome is not None)
        truncations = dict.fromkeys(AGENTS, game.truncated)
        if outcome is not None or game.truncated:
            self.agents = []
        return self._observations(), rewards, terminations, truncations, infos

    def render(self) -> Image | str | None:
        return self._rendered(self.game.acting[0] if self.game.acting else Seat.FIRST)

    def _observations(self) -> dict[str, Observation]:
        return {agent: self.observe(agent) for agent in AGENTS}
