"""Gymnasium environments: one seat of any game against a computer, such as `DigitDuel/classic-v1`."""

from __future__ import annotations

from random import Random
from typing import Any, TypeAlias

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from digit_duel import games
from digit_duel.adapters._alphabet import alphabet
from digit_duel.adapters._names import gym_id
from digit_duel.adapters._numbered_game import NumberedGame
from digit_duel.adapters._picture import RENDER_MODES, Image, render
from digit_duel.adapters._regret import loss_function
from digit_duel.adapters._views import Numbers, layout
from digit_duel.bots import LEVELS
from digit_duel.core.game import Seat
from digit_duel.core.variant import AnyVariant

Info: TypeAlias = dict[str, Any]  # as Gymnasium types it

SEATS = {"first": Seat.FIRST, "second": Seat.SECOND, "random": None}


class Duel(gymnasium.Env[Numbers, np.int64]):
    """One seat of a game; a computer of some level plays the other one.

    Options of the rules are further keywords, such as places=2.
    """

    metadata = {"render_modes": RENDER_MODES, "render_fps": 1}  # noqa: RUF012  # the base class types it so

    def __init__(
        self,
        game: str | AnyVariant,
        level: str = "sensible",
        seat: str = "first",
        regret: bool = True,
        render_mode: str | None = None,
        **options: object,
    ) -> None:
        variant = games.variant(game) if isinstance(game, str) else game
        self.variant = variant.customised({name: str(value) for name, value in options.items()})
        self.level, self.render_mode = LEVELS[level], render_mode
        self._wanted = SEATS[seat]
        self._losses = loss_function(self.variant.game) if regret else None
        low, high = layout(self.variant.game).bounds
        self.observation_space = spaces.Box(low, high, dtype=np.int16)
        self.action_space = spaces.Discrete(alphabet(self.variant.game).size)

    def reset(self, *, seed: int | None = None, options: Info | None = None) -> tuple[Numbers, Info]:
        super().reset(seed=seed)
        rng = Random(int(self.np_random.integers(2**63)))
        self.seat = self._wanted if self._wanted is not None else rng.choice(list(Seat))
        self.game = NumberedGame(self.variant, rng)
        self._bot = self.level(self.variant, self.seat.other, rng)
        self._reply()
        return self.game.observation(self.seat), self._info("")

    def step(self, action: np.int64) -> tuple[Numbers, float, bool, bool, Info]:
        game = self.game
        refusal = game.play(self.seat, int(action))
        if not refusal:
            self._reply()
        over = game.outcome is not None
        reward = float(game.outcome.score(self.seat)) if game.outcome else 0.0
        return game.observation(self.seat), reward, over, game.truncated, self._info(refusal)

    def render(self) -> Image | str | None:
        return render(self.variant, self.game.view(self.seat), self.game.acting, self.render_mode)

    def _reply(self) -> None:
        """Make the computer's moves until our seat may move or the game is over."""
        game, other = self.game, self.seat.other
        while game.acting == (other,) and not game.truncated:
            moves, numbers = game.alphabet.moves[other], game.alphabet.numbers[other]
            legal = [moves[number] for number in game.legal(other)]
            game.play(other, numbers[self._bot.choose(game.view(other), legal)])

    def _info(self, refusal: str) -> Info:
        info: Info = {"action_mask": self.game.mask(self.seat), "seat": int(self.seat)}
        if self._losses is not None:
            info["regret"] = self._regret()
        return {**info, "refused": refusal} if refusal else info

    def _regret(self) -> NDArray[np.float64] | None:
        """What each move would lose, infinity for an illegal one; None where that is unknown."""
        assert self._losses is not None
        losses = self._losses(self.game.state, self.seat) if self.seat in self.game.acting else None
        if losses is None:
            return None
        regret = np.full(self.game.alphabet.size, np.inf)
        for move, loss in losses.items():
            regret[self.game.alphabet.numbers[self.seat][move]] = float(loss)
        return regret


for _id in games.ids():
    gymnasium.register(gym_id(_id), entry_point=f"{__name__}:{Duel.__name__}", kwargs={"game": _id})
