"""pgx environments: `make("cards")` returns an `Env` that works with pgx's examples, auto_reset and mctx."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal, TypeAlias

import jax
import jax.numpy as jnp
from pgx.core import Env, State

from digit_duel import games
from digit_duel.adapters.batch import batch_of
from digit_duel.adapters.batch.base import each, rerolled
from digit_duel.adapters.batch.dice import CHANCE, dice
from digit_duel.adapters.interface.names import VERSION, spiel_name
from digit_duel.adapters.interface.version import option_text
from digit_duel.core.game import Seat
from digit_duel.core.pictures.svg import state_svg
from digit_duel.core.variant import AnyVariant

Array: TypeAlias = Any  # of JAX
Theme: TypeAlias = Literal["light", "dark"]


@dataclass(frozen=True)
class DuelState(State):  # type: ignore[misc]  # pgx has no types
    """A game, or many under vmap, with the fields that pgx requires of a state."""

    current_player: Array
    observation: Array
    rewards: Array
    terminated: Array
    truncated: Array
    legal_action_mask: Array
    _step_count: Array
    _x: Array  # the game, as a state of the batch
    _first: Array  # which player sits in the first seat
    _variant: AnyVariant

    @property
    def env_id(self) -> str:
        return spiel_name(self._variant.id)

    def plain(self) -> Any:
        """The state of the plain game, as `Batch.plain` gives it; under vmap, of the first game."""
        # Under vmap the games are the first axis; a batch has them last.
        one = each(lambda rows: rows[(0,) * self.terminated.ndim][..., None], self._x)
        return batch_of(self._variant.game).plain(one)[0]

    def to_svg(self, *, color_theme: Theme | None = None, scale: float | None = None) -> str:
        """A picture of the game with all cards open; under vmap, of the first game."""
        return state_svg(self._variant, self.plain(), color_theme, scale or 1.0)

    def save_svg(
        self, filename: str | Path, *, color_theme: Theme | None = None, scale: float | None = None
    ) -> None:
        """Write the picture to a file."""
        Path(filename).write_text(self.to_svg(color_theme=color_theme, scale=scale), encoding="utf-8")


_ARRAYS = [field.name for field in fields(DuelState) if field.name != "_variant"]
jax.tree_util.register_dataclass(DuelState, data_fields=_ARRAYS, meta_fields=["_variant"])


class DuelEnv(Env):  # type: ignore[misc]  # pgx has no types
    """A game of the catalogue, in version 2; observations are one-hot flags.

    As usual in pgx, it is random which of the two players sits first. If both seats choose at once, the first
    seat is asked first, and the second does not see its choice.
    """

    def __init__(self, variant: AnyVariant, layout: str = "ask", forced: str = "ask") -> None:
        super().__init__()
        self.variant = variant
        self.batch = batch_of(variant.game, jnp, version=VERSION, layout=layout, forced=forced)

    def _repr_html_(self) -> str:
        """The game for notebooks."""
        return self.variant._repr_html_()

    @property
    def id(self) -> str:
        return spiel_name(self.variant.id)

    @property
    def version(self) -> str:
        return f"v{VERSION}"

    @property
    def num_players(self) -> int:
        return len(Seat)

    def _init(self, key: Array) -> DuelState:
        seats, deal = jax.random.split(key)
        x = self.batch.begin(jnp.uint32(0), deal)
        first = jax.random.bernoulli(seats).astype(jnp.int32)
        return DuelState(
            current_player=self._player(x, first),
            observation=jnp.zeros(0, bool),  # Env.init fills it
            rewards=jnp.zeros(2, jnp.float32),
            terminated=jnp.bool_(False),
            truncated=jnp.bool_(False),
            legal_action_mask=self.batch.legal(x),
            _step_count=jnp.int32(0),
            _x=x,
            _first=first,
            _variant=self.variant,
        )

    def _step(self, state: DuelState, action: Array, key: Array | None) -> DuelState:
        x = state._x
        if key is not None:
            # A search that tries the same move twice must not always see the same card.
            x = rerolled(x, dice(jnp.uint32(0), key, CHANCE))
        x = self.batch.play(x, jnp.asarray(action))
        returns = self.batch.returns(x).astype(jnp.float32)
        found: DuelState = state.replace(
            current_player=self._player(x, state._first),
            rewards=jnp.where(state._first == 0, returns, returns[::-1]),
            terminated=self.batch.over(x),
            legal_action_mask=self.batch.legal(x),
            _x=x,
        )
        return found

    def _observe(self, state: DuelState, player_id: Array) -> Array:
        seat = (player_id ^ state._first).astype(jnp.uint8)
        rows = self.batch.observe_rows(state._x, seat)
        return self.batch.one_hot(jnp.moveaxis(rows, 0, -1)).astype(bool)

    def _player(self, x: Array, first: Array) -> Array:
        return self.batch.mover(x).astype(jnp.int32) ^ first


def make(game: str | AnyVariant, layout: str = "ask", forced: str = "ask", **options: object) -> DuelEnv:
    """Make the environment of a game; keywords set rules. Raises KeyError, BadOption or NoBatch."""
    variant = games.variant(game) if isinstance(game, str) else game
    texts = {name: option_text(name, value) for name, value in options.items()}
    return DuelEnv(variant.customised(texts), layout, forced)
