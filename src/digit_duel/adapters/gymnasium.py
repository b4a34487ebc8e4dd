"""Gymnasium environments, such as `DigitDuel/classic-v2`: one seat of a game against the computer."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Any, TypeAlias

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv
from numpy.typing import NDArray

from digit_duel import games
from digit_duel.adapters.interface.arguments import action_number, whole_number
from digit_duel.adapters.interface.names import VERSIONS, gym_id
from digit_duel.adapters.interface.numbered_game import NumberedGame
from digit_duel.adapters.interface.regret import regret_function
from digit_duel.adapters.interface.version import customised
from digit_duel.adapters.rendering.picture import RENDER_MODES, Image, html, known_mode, render
from digit_duel.bots import LEVELS
from digit_duel.core.decisions import state_of
from digit_duel.core.game import Seat
from digit_duel.core.options import BadOption
from digit_duel.core.variant import AnyVariant

Info: TypeAlias = dict[str, Any]  # as Gymnasium types it
Observation: TypeAlias = NDArray[Any]  # int8 or int16

SEATS = {"first": Seat.FIRST, "second": Seat.SECOND, "random": None}
ILLEGAL = ("refuse", "lose")


class Duel(gymnasium.Env[Observation, np.int64]):
    """One seat of a game; the computer plays the other one at the given level.

    An illegal move changes nothing, and `info["refused"]` says why; with illegal="lose" it loses the game.
    Options of the rules are passed as further keywords, such as places=2; raises BadOption for unknown ones.
    """

    metadata = {"render_modes": RENDER_MODES, "render_fps": 1}  # noqa: RUF012  # the base class types it so

    def __init__(
        self,
        game: str | AnyVariant,
        level: str = "sensible",
        seat: str = "first",
        regret: bool = True,
        render_mode: str | None = None,
        version: int = 1,
        illegal: str = "refuse",
        **options: object,
    ) -> None:
        variant = games.variant(game) if isinstance(game, str) else game
        self.interface = customised(variant, version, options)
        self.variant = self.interface.variant
        self.level = _known("level", level, tuple(LEVELS))
        self.render_mode = known_mode(render_mode)
        self.illegal = _known("illegal", illegal, ILLEGAL)
        self._wanted = SEATS[_known("seat", seat, tuple(SEATS))]
        self._tells_regret = bool(regret)
        low, high = self.interface.observations.bounds
        self.observation_space = spaces.Box(low, high, dtype=low.dtype.type)
        self.action_space = spaces.Discrete(self.interface.alphabet.size)

    def reset(self, *, seed: int | None = None, options: Info | None = None) -> tuple[Observation, Info]:
        super().reset(seed=seed)
        rng = Random(int(self.np_random.integers(2**63)))
        self.seat = self._wanted if self._wanted is not None else rng.choice(list(Seat))
        self.game = NumberedGame(self.interface, rng)
        self._bot = LEVELS[self.level](self.variant, self.seat.other, rng)
        self._lost = False
        self._reply()
        return self.game.observation(self.seat), self._info("")

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, Info]:
        game = self._started()
        refusal = game.play(self.seat, action_number(action))
        if not refusal:
            self._reply()
        self._lost = bool(refusal) and self.illegal == "lose"
        over = self._lost or game.outcome is not None
        reward = float(game.outcome.score(self.seat)) if game.outcome else -1.0 if self._lost else 0.0
        return game.observation(self.seat), reward, over, game.truncated and not over, self._info(refusal)

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal moves as booleans; the method that MaskablePPO of sb3-contrib calls."""
        self._started()
        return self._mask().astype(bool)

    def render(self) -> Image | str | None:
        game = self._started()
        return render(self.variant, game.view(self.seat), game.acting, self.render_mode)

    def _repr_html_(self) -> str:
        """The seat's view for notebooks; before reset(), the game itself."""
        if not hasattr(self, "game"):
            return self.variant._repr_html_()
        return html(self.variant, self.game.view(self.seat), self.game.acting)

    def _started(self) -> NumberedGame:
        if not hasattr(self, "game"):
            raise gymnasium.error.ResetNeeded("Call reset() before step(), render() or action_masks().")
        return self.game

    def _reply(self) -> None:
        """Make the computer's moves until our seat may move or the game is over."""
        game, other = self.game, self.seat.other
        while game.acting == (other,) and not game.truncated:
            move = self._bot.choose(game.view(other), game.rules.legal(game.state, other))
            game.play(other, game.alphabet.number(game.state, other, move))

    def _info(self, refusal: str) -> Info:
        info: Info = {"action_mask": self._mask(), "seat": int(self.seat)}
        if self._tells_regret:
            info["regret"] = self._regret()
        return {**info, "refused": refusal} if refusal else info

    def _mask(self) -> NDArray[np.int8]:
        """A 1 for each legal move; none is legal after an illegal one has lost the game."""
        mask = self.game.mask(self.seat)
        return np.zeros_like(mask) if self._lost else mask

    def _regret(self) -> NDArray[np.float64] | None:
        """The regret of each move, infinite for illegal ones; NaN if it is unknown (None in version 1)."""
        game, regrets = self.game, None
        if self.seat in game.acting and not self._lost:
            regrets = regret_function(self.variant.game)(state_of(game.state), self.seat)
        if regrets is None:
            return None if self.interface.version == 1 else np.full(game.alphabet.size, np.nan)
        regret = np.full(game.alphabet.size, np.inf)
        for move, lost in regrets.items():
            regret[game.alphabet.number(game.state, self.seat, move)] = float(lost)
        return regret


def vector(
    num_envs: int = 1, autoreset_mode: AutoresetMode = AutoresetMode.NEXT_STEP, **given: Any
) -> VectorEnv[Any, Any, Any]:
    """Several duels in one process; `info["action_mask"]` and `info["regret"]` have a row for each duel."""
    if whole_number("num_envs", num_envs) == 0:
        raise ValueError("num_envs must be at least 1.")
    return SyncVectorEnv([partial(Duel, **given)] * num_envs, autoreset_mode=autoreset_mode)


def _known(name: str, value: object, choices: tuple[str, ...]) -> str:
    if not isinstance(value, str) or value not in choices:
        raise BadOption(f"{name} must be one of: {', '.join(choices)}; not {value!r}.")
    return value


for _id in games.ids():
    for _version in VERSIONS:
        gymnasium.register(
            gym_id(_id, _version),
            entry_point=f"{__name__}:{Duel.__name__}",
            vector_entry_point=f"{__name__}:{vector.__name__}",
            kwargs={"game": _id, "version": _version},
        )
