"""OpenSpiel games: importing this module registers every game, such as `digit_duel_classic_v2`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, TypeAlias

import numpy as np
import pyspiel
from numpy.typing import NDArray

from digit_duel import games
from digit_duel.adapters.interface.names import VERSIONS, spiel_name
from digit_duel.adapters.interface.probe import probe
from digit_duel.adapters.interface.state_text import as_text
from digit_duel.adapters.interface.version import OPTIONS, Interface, customised, interface
from digit_duel.adapters.spiel.node import SpielNode, start_node
from digit_duel.adapters.spiel.parameters import (
    DEFAULT_HORIZON,
    HORIZON,
    RECORD,
    TURN_BASED,
    check_numbers,
    normalised,
    rules_options,
    specification,
)
from digit_duel.adapters.spiel.policies import from_spiel, to_spiel
from digit_duel.adapters.spiel.records import (
    LINES,
    RecordTensor,
    known_to_both,
    known_to_one,
    record_encoding,
    short_encoding,
)
from digit_duel.adapters.spiel.resampling import resampled
from digit_duel.core.decisions import Pending, state_of
from digit_duel.core.game import Seat
from digit_duel.core.options import BadOption
from digit_duel.core.variant import AnyVariant

__all__ = ["SpielGame", "SpielState", "from_spiel", "load", "register", "to_spiel"]

Spiel: TypeAlias = Any  # an object of pyspiel, which is compiled and untyped

_registered: dict[str, AnyVariant] = {}


def register(variant: AnyVariant, version: int = 1) -> str:
    """Register a variant with any options; returns the short name to load it with."""
    custom = "".join(f"_{name}_{text}" for name, text in variant.settings.items())
    name = spiel_name(variant.id, version) + re.sub(r"[^a-z0-9_]", "_", custom)
    if _registered.get(name) != variant:
        # A class, not a closure: OpenSpiel keeps it until after the interpreter has shut down.
        about = {"standard": variant, "name": name, "version": version}
        maker = type(f"Spiel{variant.id.title()}", (SpielGame,), about)
        pyspiel.register_game(_game_type(interface(variant, version), name, turn_based=False), maker)
        _registered[name] = variant
    return name


def load(
    variant: AnyVariant, turn_based: bool = False, horizon: int = 0, version: int = 1, **given: object
) -> SpielGame:
    """Load a variant with any options as an OpenSpiel game; options of the version are further keywords.

    Raises BadOption.
    """
    if version == 1 and (later := [name for name in (*OPTIONS, RECORD) if name in given]):
        raise BadOption(f"{' and '.join(later)} need{'s' * (len(later) == 1)} version=2.")
    return _loaded(register(variant, version), {TURN_BASED: turn_based, HORIZON: horizon, **given})


def _loaded(game: str | tuple[AnyVariant, int], params: Mapping[str, object]) -> SpielGame:
    found: SpielGame = pyspiel.load_game(game if isinstance(game, str) else register(*game), params)
    return found


def _game_type(interface: Interface, name: str, turn_based: bool) -> Spiel:
    variant, probed, kind = interface.variant, probe(interface.game), pyspiel.GameType
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
        parameter_specification=specification(variant, interface.version),
    )


class SpielGame(pyspiel.Game):  # type: ignore[misc]  # pyspiel is compiled and has no types
    """A variant as an OpenSpiel game."""

    standard: ClassVar[AnyVariant]
    name: ClassVar[str]
    version: ClassVar[int]

    def __init__(self, params: Mapping[str, object] | None = None) -> None:
        given = normalised(params or {})
        check_numbers(given)
        turn_based = bool(given.get(TURN_BASED, False))
        of_the_version = {name: given[name] for name in OPTIONS if name in given}
        self.interface = customised(
            self.standard, self.version, {**rules_options(self.standard, given), **of_the_version}
        )
        self.variant, self.rules = self.interface.variant, self.interface.game
        self.simultaneous = probe(self.rules).simultaneous and not turn_based
        self.horizon = int(str(given.get(HORIZON, 0))) or self.rules.bound or DEFAULT_HORIZON
        self.alphabet = self.interface.alphabet
        self.record: RecordTensor = (
            record_encoding(self.rules)
            if self.version == 1
            else short_encoding(self.rules, int(str(given.get(RECORD, LINES))))
        )
        about = pyspiel.GameInfo(
            num_distinct_actions=self.alphabet.size,
            max_chance_outcomes=len(self.alphabet.draws),
            num_players=len(Seat),
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.horizon,
        )
        super().__init__(_game_type(self.interface, self.name, turn_based), about, given)

    def __reduce__(self) -> tuple[object, ...]:
        # Importing this module registers the games of the catalogue; others must be registered again.
        own = _registered[self.name] if self.name != spiel_name(self.standard.id, self.version) else None
        return _loaded, (self.name if own is None else (own, self.version), self.get_parameters())

    def _repr_html_(self) -> str:
        """The game for notebooks."""
        return self.variant._repr_html_()

    def new_initial_state(self, state: object = None) -> SpielState:
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Spiel = None, params: object = None) -> SpielObserver:
        return SpielObserver(self, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)


class SpielState(pyspiel.State):  # type: ignore[misc]  # pyspiel is compiled and has no types
    """A state of a variant, with the interface of OpenSpiel."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.node = start_node(game)

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
        return self.node.legal(Seat(player))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        numbers = self.node.game.alphabet.draw_numbers
        total = sum(weight for _, weight in self.node.draws)
        return sorted((numbers[move], weight / total) for move, weight in self.node.draws)

    def _apply_action(self, action: int) -> None:
        self.node = self.node.after(self.node.move(action))

    def _apply_actions(self, actions: list[int]) -> None:
        node = self.node
        if len(actions) != len(Seat):
            raise ValueError(f"a simultaneous choice needs {len(Seat)} actions, not {len(actions)}.")
        self.node = node.after(*(node.seat_move(seat, actions[seat]) for seat in node.acting))

    def _action_to_string(self, player: int, action: int) -> str:
        node, alphabet = self.node, self.node.game.alphabet
        size = len(alphabet.draws) if player == pyspiel.PlayerId.CHANCE else alphabet.size
        if not 0 <= action < size:
            raise ValueError(f"there is no action {action}; the highest one is {size - 1}.")
        if player == pyspiel.PlayerId.CHANCE:
            return node.game.rules.text(alphabet.draws[action])
        try:
            return node.game.rules.text(alphabet.move(node.state, Seat(player), action))
        except IndexError:  # an order of a hand that is not full
            raise ValueError(f"action {action} has no name here: the hand is not full.") from None

    def is_terminal(self) -> bool:
        return self.node.over

    def returns(self) -> list[float]:
        outcome = self.node.outcome
        return [float(outcome.score(seat)) if outcome else 0.0 for seat in Seat]

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> SpielState:
        """A random state from the player's information set, as IS-MCTS needs it."""
        found: SpielState = self.node.game.new_initial_state()
        for action in resampled(start_node(self.node.game), self.full_history(), Seat(player), sampler):
            found.apply_action(action)
        return found

    def _repr_html_(self) -> str:
        """The state for notebooks, with all hidden information shown."""
        return self.node.game.variant.svg(state_of(self.node.state))

    def __str__(self) -> str:
        return as_text(self.node.state) if self.node.game.version == 1 else _state_text(self.node)


def _state_text(node: SpielNode) -> str:
    pending = node.game.rules.text(node.state.move) if isinstance(node.state, Pending) else ""
    return as_text(state_of(node.state)) + (f"; pending {pending}" if pending else "")


class SpielObserver:
    """Observations and information states, as text and as tensors."""

    def __init__(self, game: SpielGame, kind: Spiel, params: object) -> None:
        if params:
            raise ValueError(f"observations take no parameters, but these were given: {params}")
        self.kind, self.game = kind, game
        self.hides = game.get_type().information == pyspiel.GameType.Information.IMPERFECT_INFORMATION
        single = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self.whole = kind.public_info and single  # all that one player sees, public information included
        self.tensor: NDArray[np.float32] | None = None
        self.dict: dict[str, NDArray[np.float32]] = {}
        if self.whole and kind.perfect_recall:
            record = game.record
            self.tensor = np.zeros(len(Seat) + record.lines * record.width, np.float32)
            self.dict["seat"] = self.tensor[: len(Seat)]
            self.dict["record"] = self.tensor[len(Seat) :].reshape(record.lines, record.width)
        elif self.whole:
            self.tensor = np.zeros(len(game.interface.observations.bounds[0]), np.float32)
            self.dict["observation"] = self.tensor

    def set_from(self, state: SpielState, player: int) -> None:
        """Write a player's observation of a state into the tensor."""
        if self.tensor is None:
            return
        node, seat = state.node, Seat(player)
        if self.kind.perfect_recall:
            self.tensor.fill(0)
            self.tensor[seat] = 1
            self.game.record.fill(self.dict["record"], node.seen(seat))
        else:
            view = self.game.rules.view(node.state, seat)
            self.tensor[:] = self.game.interface.observations.numbers(view, seat, node.acting)

    def string_from(self, state: SpielState, player: int) -> str:
        """A player's observation of a state, as text."""
        node, seat = state.node, Seat(player)
        if self.whole and self.kind.perfect_recall:
            return " ".join([f"{seat.letter}:", *node.seen(seat)])
        if self.whole:
            return f"{seat.letter}: {as_text(self.game.rules.view(node.state, seat))}"
        if self.kind.public_info:
            return " ".join(known_to_both(node.seen(seat), node.seen(seat.other)))
        if self.kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER:
            # OpenSpiel requires a non-empty text wherever information is hidden.
            words = known_to_one(node.seen(seat), node.seen(seat.other))
            return " ".join([f"{seat.letter}:", *words]) if self.hides else ""
        return ""


for _variant in games.catalogue().values():
    for _version in VERSIONS:
        register(_variant, _version)
