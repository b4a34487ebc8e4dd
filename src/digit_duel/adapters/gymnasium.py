"""Gymnasium environments: one seat of any game against a computer, such as `DigitDuel/classic-v1`."""

from __future__ import annotations

from random import Random
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from digit_duel import games
from digit_duel.adapters._alphabet import alphabet
from digit_duel.adapters._names import gym_id
from digit_duel.adapters._picture import RENDER_MODES, shown
from digit_duel.adapters._regret import judge
from digit_duel.adapters._table import Table
from digit_duel.adapters._views import Numbers, layout
from digit_duel.bots import LEVELS
from digit_duel.core.game import Seat
from digit_duel.core.variant import AnyVariant

SEATS = {"first": Seat.FIRST, "second": Seat.SECOND, "random": None}


class Duel(gymnasium.Env[Numbers, np.int64]):
    """One seat of a game; the other one is a computer's."""

    metadata = {"render_modes": RENDER_MODES, "render_fps": 1}  # noqa: RUF012  # the base types it so

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
        self._judge = judge(self.variant.game) if regret else None
        low, high = layout(self.variant.game).bounds
        self.observation_space = spaces.Box(low, high, dtype=np.int16)
        self.action_space = spaces.Discrete(alphabet(self.variant.game).size)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Numbers, dict[str, Any]]:
        super().reset(seed=seed)
        rng = Random(int(self.np_random.integers(2**63)))
        self.seat = self._wanted if self._wanted is not None else rng.choice(list(Seat))
        self.table = Table(self.variant, rng)
        self._bot = self.level(self.variant, self.seat.other, rng)
        self._reply()
        return self.table.observation(self.seat), self._info("")

    def step(self, action: np.int64) -> tuple[Numbers, float, bool, bool, dict[str, Any]]:
        table = self.table
        refusal = table.play(self.seat, int(action))
        if not refusal:
            self._reply()
        over = table.outcome is not None
        reward = float(table.outcome.score(self.seat)) if table.outcome else 0.0
        return table.observation(self.seat), reward, over, table.broken_off, self._info(refusal)

    def render(self) -> Any:
        return shown(self.variant, self.table.sight(self.seat), self.table.acting, self.render_mode)

    def _reply(self) -> None:
        """Let the computer move until it is our turn, or over."""
        table, other = self.table, self.seat.other
        while table.acting == (other,) and not table.broken_off:
            moves, numbers = table.alphabet.moves[other], table.alphabet.numbers[other]
            legal = [moves[number] for number in table.legal(other)]
            table.play(other, numbers[self._bot.choose(table.sight(other), legal)])

    def _info(self, refusal: str) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": self.table.mask(self.seat), "seat": int(self.seat)}
        if self._judge is not None:
            info["regret"] = self._regret()
        return {**info, "refused": refusal} if refusal else info

    def _regret(self) -> NDArray[np.float64] | None:
        """What each move would lose, by number, infinity for a forbidden one; None where nobody knows."""
        assert self._judge is not None
        losses = self._judge(self.table.state, self.seat) if self.seat in self.table.acting else None
        if losses is None:
            return None
        regret = np.full(self.table.alphabet.size, np.inf)
        for move, loss in losses.items():
            regret[self.table.alphabet.numbers[self.seat][move]] = float(loss)
        return regret


for _id in games.ids():
    gymnasium.register(gym_id(_id), entry_point=f"{__name__}:{Duel.__name__}", kwargs={"game": _id})
