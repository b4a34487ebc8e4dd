"""OpenSpiel games: importing this module registers every game, such as `digit_duel_classic`."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

import numpy as np
import pyspiel
from numpy.typing import NDArray

from digit_duel import games
from digit_duel.adapters._alphabet import alphabet
from digit_duel.adapters._names import spiel_name
from digit_duel.adapters._parameters import DEFAULT_HORIZON, HORIZON, TURN_BASED, parameters, with_parameters
from digit_duel.adapters._probe import probe
from digit_duel.adapters._records import Path, known_to_both, known_to_one, record_encoding
from digit_duel.adapters._values import as_text
from digit_duel.adapters._views import layout
from digit_duel.core.game import Outcome, Seat
from digit_duel.core.variant import AnyGame, AnyVariant

Spiel: TypeAlias = Any  # an object of pyspiel, which is compiled and has no types

_registered: dict[str, AnyVariant] = {}


def register(variant: AnyVariant) -> str:
    """Register a variant with any options; returns the short name to load it by."""
    custom = "".join(f"_{name}_{text}" for name, text in variant.settings.items())
    name = spiel_name(variant.id) + re.sub(r"[^a-z0-9_]", "_", custom)
    if _registered.get(name) != variant:
        # A class, not a closure: OpenSpiel keeps it until after the interpreter has shut down.
        maker = type(f"Spiel{variant.id.title()}", (SpielGame,), {"standard": variant, "name": name})
        pyspiel.register_game(_game_type(variant, name, turn_based=False), maker)
        _registered[name] = variant
    return name


def load(variant: AnyVariant, turn_based: bool = False, horizon: int = 0) -> SpielGame:
    """A variant with any options as a game of OpenSpiel."""
    return _loaded(variant, {TURN_BASED: turn_based, HORIZON: horizon})


def _loaded(variant: AnyVariant, params: Mapping[str, object]) -> SpielGame:
    found: SpielGame = pyspiel.load_game(register(variant), params)
    return found


def _game_type(variant: AnyVariant, name: str, turn_based: bool) -> Spiel:
    probed, kind = probe(variant.game), pyspiel.GameType
    simultaneous = probed.simultaneous and not turn_based
    hides = probed.hidden or (probed.simultaneous and not simultaneous)
    return kind(
        short_name=name,
        long_name=f"{variant.title} ({variant.id})",
        dynamics=kind.Dynamics.SIMULTANEOUS if simultaneous else kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC
        if variant.game.draws()
        else kind.ChanceMode.DETERMINISTIC,
        information=kind.Information.IMPERFECT_INFORMATION if hides else kind.Information.PERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=len(Seat),
        min_num_players=len(Seat),
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={**parameters(variant), TURN_BASED: False, HORIZON: 0},
    )


class SpielGame(pyspiel.Game):  # type: ignore[misc]  # pyspiel is compiled and has no types
    """A variant as a game of OpenSpiel."""

    standard: ClassVar[AnyVariant]
    name: ClassVar[str]

    def __init__(self, params: Mapping[str, object] | None = None) -> None:
        given = dict(params or {})
        turn_based = bool(given.get(TURN_BASED, False))
        self.variant = with_parameters(self.standard, given)
        self.rules: AnyGame = self.variant.game
        self.simultaneous = probe(self.rules).simultaneous and not turn_based
        self.horizon = int(str(given.get(HORIZON, 0))) or self.rules.bound or DEFAULT_HORIZON
        self.alphabet = alphabet(self.rules)
        about = pyspiel.GameInfo(
            num_distinct_actions=self.alphabet.size,
            max_chance_outcomes=len(self.alphabet.draws),
            num_players=len(Seat),
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.horizon,
        )
        super().__init__(_game_type(self.variant, self.name, turn_based), about, given)

    def __reduce__(self) -> tuple[object, ...]:
        return _loaded, (self.standard, self.get_parameters())

    def new_initial_state(self, state: object = None) -> SpielState:
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Spiel = None, params: object = None) -> SpielObserver:
        return SpielObserver(self, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)


@dataclass(frozen=True, eq=False)
class Node:
    """A node of the game tree: its state, the path to it, and who may move."""

    game: SpielGame
    state: Hashable
    path: Path
    outcome: Outcome | None
    draws: tuple[tuple[Hashable, int], ...]
    acting: tuple[Seat, ...]

    def __deepcopy__(self, memo: object) -> Node:
        return self  # OpenSpiel clones a state by copying its attributes; a node is immutable

    @property
    def over(self) -> bool:
        """Whether the game has ended, by the rules or by the horizon."""
        return self.outcome is not None or len(self.path) >= self.game.horizon

    def after(self, *moves: Hashable) -> Node:
        """The node that the moves lead to."""
        state, path = self.state, self.path
        for move in moves:
            state, path = self.game.rules.play(state, move), (*path, (state, move))
        return _node(self.game, state, path)


def _node(game: SpielGame, state: Hashable, path: Path) -> Node:
    rules = game.rules
    outcome = rules.outcome(state)
    draws = () if outcome else tuple(rules.chance(state))
    return Node(game, state, path, outcome, draws, () if outcome or draws else rules.acting(state))


class SpielState(pyspiel.State):  # type: ignore[misc]  # pyspiel is compiled and has no types
    """A state of a variant, as OpenSpiel wants it."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.node = _node(game, game.rules.start(), ())

    def current_player(self) -> int:
        node = self.node
        if node.over:
            return int(pyspiel.PlayerId.TERMINAL)
        if node.draws:
            return int(pyspiel.PlayerId.CHANCE)
        if len(node.acting) == 2 and node.game.simultaneous:
            return int(pyspiel.PlayerId.SIMULTANEOUS)
        return int(node.acting[0])

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.node.game.alphabet.legal(self.node.state, Seat(player)))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        numbers = self.node.game.alphabet.draw_numbers
        total = sum(weight for _, weight in self.node.draws)
        return sorted((numbers[move], weight / total) for move, weight in self.node.draws)

    def _apply_action(self, action: int) -> None:
        node, moves = self.node, self.node.game.alphabet
        self.node = node.after(moves.draws[action] if node.draws else moves.moves[node.acting[0]][action])

    def _apply_actions(self, actions: list[int]) -> None:
        moves = self.node.game.alphabet.moves
        self.node = self.node.after(*(moves[seat][actions[seat]] for seat in self.node.acting))

    def _action_to_string(self, player: int, action: int) -> str:
        moves = self.node.game.alphabet
        chance = player == pyspiel.PlayerId.CHANCE
        return self.node.game.rules.text(moves.draws[action] if chance else moves.moves[player][action])

    def is_terminal(self) -> bool:
        return self.node.over

    def returns(self) -> list[float]:
        outcome = self.node.outcome
        return [float(outcome.score(seat)) if outcome else 0.0 for seat in Seat]

    def __str__(self) -> str:
        return as_text(self.node.state)


class SpielObserver:
    """Observations and information states, as text and as tensors."""

    def __init__(self, game: SpielGame, kind: Spiel, params: object) -> None:
        if params:
            raise ValueError(f"observations take no parameters, but got: {params}")
        self.kind, self.rules = kind, game.rules
        self.hides = game.get_type().information == pyspiel.GameType.Information.IMPERFECT_INFORMATION
        single = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self.whole = kind.public_info and single  # what one player sees, public information included
        self.tensor: NDArray[np.float32] | None = None
        self.dict: dict[str, NDArray[np.float32]] = {}
        if self.whole and kind.perfect_recall:
            encoding = record_encoding(self.rules)
            self.tensor = np.zeros(len(Seat) + encoding.lines * encoding.width, np.float32)
            self.dict["seat"] = self.tensor[: len(Seat)]
            self.dict["record"] = self.tensor[len(Seat) :].reshape(encoding.lines, encoding.width)
        elif self.whole:
            self.tensor = np.zeros(len(layout(self.rules).entries), np.float32)
            self.dict["observation"] = self.tensor

    def set_from(self, state: SpielState, player: int) -> None:
        """Write what a player sees of a state into the tensor."""
        if self.tensor is None:
            return
        node, seat = state.node, Seat(player)
        if self.kind.perfect_recall:
            self.tensor.fill(0)
            self.tensor[seat] = 1
            record_encoding(self.rules).fill(self.dict["record"], self.rules.seen(node.path, seat))
        else:
            self.tensor[:] = layout(self.rules).numbers(self.rules.view(node.state, seat), seat, node.acting)

    def string_from(self, state: SpielState, player: int) -> str:
        """What a player sees of a state, as text."""
        node, seat = state.node, Seat(player)
        if self.whole and self.kind.perfect_recall:
            return " ".join([f"{seat.letter}:", *self.rules.seen(node.path, seat)])
        if self.whole:
            return f"{seat.letter}: {as_text(self.rules.view(node.state, seat))}"
        if self.kind.public_info:
            return " ".join(known_to_both(self.rules, node.path))
        if self.kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER:
            # OpenSpiel wants a text that is not empty wherever information is hidden.
            return (
                " ".join([f"{seat.letter}:", *known_to_one(self.rules, node.path, seat)])
                if self.hides
                else ""
            )
        return ""


for _variant in games.catalogue().values():
    register(_variant)
