"""PettingZoo environments for every game: `classic_v2.env()`, `cards_v2.parallel_env()`, and so on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from random import Random
from typing import Any, TypeAlias

import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray
from pettingzoo import AECEnv, ParallelEnv

from digit_duel import games
from digit_duel.adapters.interface.arguments import action_number, whole_number
from digit_duel.adapters.interface.names import VERSIONS, zoo_game, zoo_name
from digit_duel.adapters.interface.numbered_game import NumberedGame
from digit_duel.adapters.interface.version import Interface, customised
from digit_duel.adapters.rendering.picture import RENDER_MODES, Image, html, known_mode, render
from digit_duel.core.game import Seat
from digit_duel.core.variant import AnyVariant

AGENTS = tuple(f"seat_{int(seat)}" for seat in Seat)
SEATS = dict(zip(AGENTS, Seat, strict=True))

Observation: TypeAlias = dict[str, NDArray[Any]]
Info: TypeAlias = dict[str, Any]  # as PettingZoo types it
ParallelStep: TypeAlias = tuple[  # observations, rewards, terminations, truncations, infos
    dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Info]
]


@dataclass(frozen=True)
class Environment:
    """The environments of one game; keywords set the options of its rules and of the version."""

    variant: AnyVariant
    version: int

    def env(self, render_mode: str | None = None, **options: object) -> AECDuel:
        """The game with one seat moving at a time."""
        return AECDuel(customised(self.variant, self.version, options), render_mode)

    def raw_env(self, render_mode: str | None = None, **options: object) -> AECDuel:
        """The same as env(), which adds no wrappers."""
        return self.env(render_mode, **options)

    def parallel_env(self, render_mode: str | None = None, **options: object) -> ParallelDuel:
        """The game with both seats asked in every step; the mask of a seat that may not move is empty."""
        return ParallelDuel(customised(self.variant, self.version, options), render_mode)


def __getattr__(name: str) -> Environment:
    """An environment by its versioned name, such as classic_v2."""
    id, version = zoo_game(name)
    try:
        return Environment(games.variant(id), version)
    except KeyError as unknown:
        raise AttributeError(*unknown.args) from None


def __dir__() -> list[str]:
    """The names of the environments, for completion."""
    return [*globals(), *(zoo_name(id, version) for id in games.ids() for version in VERSIONS)]


class _Duel:
    """The base of both kinds of environment."""

    game: NumberedGame | None = None  # set by the first reset

    def __init__(self, interface: Interface, render_mode: str | None) -> None:
        self.interface, self.variant = interface, interface.variant
        self.render_mode = known_mode(render_mode)
        name = zoo_name(self.variant.id, interface.version)
        self.metadata = {"name": name, "render_modes": RENDER_MODES, "render_fps": 1}
        low, high = interface.observations.bounds
        size = interface.alphabet.size
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self.action_spaces = {agent: spaces.Discrete(size) for agent in AGENTS}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(low, high, dtype=low.dtype.type),
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
        seat, game = SEATS[agent], self._started()
        return {"observation": game.observation(seat), "action_mask": game.mask(seat)}

    def close(self) -> None:
        """Do nothing: there are no resources to release."""

    def _start(self, seed: int | None) -> None:
        if seed is not None:
            self._rng.seed(whole_number("seed", seed))
        self.game = NumberedGame(self.interface, self._rng)
        self.agents = list(AGENTS)

    def _repr_html_(self) -> str:
        """The view of the seat to move for notebooks; before reset(), the game itself."""
        if self.game is None:
            return self.variant._repr_html_()
        acting = self.game.acting
        return html(self.variant, self.game.view(acting[0] if acting else Seat.FIRST), acting)

    def _started(self) -> NumberedGame:
        if self.game is None:
            raise ResetNeeded("Call reset() before using the environment.")
        return self.game

    def _rendered(self, seat: Seat) -> Image | str | None:
        game = self._started()
        return render(self.variant, game.view(seat), game.acting, self.render_mode)


class AECDuel(_Duel, AECEnv[str, Observation, int]):  # type: ignore[misc]  # untyped base
    """One seat moves at a time; if both act at once, the second seat does not see the first one's choice."""

    def reset(self, seed: int | None = None, options: Info | None = None) -> None:
        self._start(seed)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, Info] = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[self._started().acting[0]]

    def step(self, action: int | None) -> None:
        game = self._started()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        number = action_number(action)
        self._cumulative_rewards[agent] = 0.0
        refusal = game.play(SEATS[agent], number)
        self.infos[agent] = {"refused": refusal} if refusal else {}
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

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, Info]:
        self._started()
        found: tuple[Any, float, bool, bool, Info] = super().last(observe)  # None if nothing is observed
        return found

    def agent_iter(self, max_iter: int = 2**63) -> Iterable[str]:
        self._started()
        found: Iterable[str] = super().agent_iter(max_iter)
        return found

    def render(self) -> Image | str | None:
        self._started()
        return self._rendered(SEATS[self.agent_selection])


class ParallelDuel(_Duel, ParallelEnv[str, Observation, int]):  # type: ignore[misc]  # untyped base
    """Both seats act in every step; the action of a seat that may not move is ignored."""

    def reset(
        self, seed: int | None = None, options: Info | None = None
    ) -> tuple[dict[str, Observation], dict[str, Info]]:
        self._start(seed)
        return self._observations(), {agent: {} for agent in AGENTS}

    def step(self, actions: dict[str, int]) -> ParallelStep:
        game = self._started()
        infos: dict[str, Info] = {agent: {} for agent in AGENTS}
        acting = game.acting
        if missing := [AGENTS[seat] for seat in acting if AGENTS[seat] not in actions]:
            raise ValueError(f"step() needs an action for {' and '.join(missing)}, who may move now.")
        chosen = {seat: action_number(actions[AGENTS[seat]]) for seat in acting}
        for seat, number in chosen.items():
            if refusal := game.play(seat, number):
                infos[AGENTS[seat]]["refused"] = refusal
        outcome = game.outcome
        rewards = {agent: float(outcome.score(seat)) if outcome else 0.0 for agent, seat in SEATS.items()}
        terminations = dict.fromkeys(AGENTS, outcome is not None)
        truncations = dict.fromkeys(AGENTS, game.truncated)
        if outcome is not None or game.truncated:
            self.agents = []
        return self._observations(), rewards, terminations, truncations, infos

    def render(self) -> Image | str | None:
        acting = self._started().acting
        return self._rendered(acting[0] if acting else Seat.FIRST)

    def _observations(self) -> dict[str, Observation]:
        return {agent: self.observe(agent) for agent in AGENTS}
