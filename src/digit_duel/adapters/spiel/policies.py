"""Conversion of policies to and from OpenSpiel."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from itertools import product
from typing import Any

from open_spiel.python.policy import Policy as SpielPolicy

from digit_duel.adapters.agents import by_conventions
from digit_duel.core.game import Seat
from digit_duel.solve.errors import TooBig
from digit_duel.solve.research.exploration import SURELY, estimated_size, nexts
from digit_duel.solve.research.policies import BadPolicy, Policy, Profile, asked, mixture, policy_of

LIMIT = 100_000  # histories of OpenSpiel, which take about half a minute
TOO_BIG = (
    "this game is too big for a table: it has more histories than the limit allows. "
    "Take a smaller game, a smaller horizon or a higher limit."
)


class PlayedPolicy(SpielPolicy):  # type: ignore[misc]  # OpenSpiel has no types
    """A policy over views, as an OpenSpiel policy."""

    def __init__(self, game: Any, policy: Profile[Any, Any]) -> None:
        super().__init__(game, list(range(len(Seat))))
        self._rules, self._policy = _rules(game), policy

    def action_probabilities(self, state: Any, player_id: int | None = None) -> dict[int, float]:
        seat = Seat(state.current_player() if player_id is None else player_id)
        node = state.node
        view, legal = self._rules.view(node.state, seat), self._rules.legal(node.state, seat)
        played = dict(mixture(self._rules, policy_of(self._policy, seat), view, legal))
        number = node.game.alphabet.number
        return {number(node.state, seat, move): float(played.get(move, 0)) for move in legal}


def to_spiel(game: Any, policy: Profile[Any, Any]) -> PlayedPolicy:
    """Convert a policy over views, or a pair, for use with OpenSpiel on a game of this package."""
    return PlayedPolicy(game, policy)


def from_spiel(game: Any, policy: Any, limit: int = LIMIT) -> Policy[Any, Any]:
    """Convert an OpenSpiel policy to a policy over views.

    Moves that the game makes without asking, because they are forced or lay out a hand by convention, are
    filled in. Raises BadPolicy if the policy plays differently at equal views, and TooBig.
    """
    rules, rows = _rules(game), dict[Hashable, Mapping[str, float]]()
    for node, seat, state in _decisions(game, limit):
        legal = rules.legal(node.state, seat)
        chances = policy.action_probabilities(state, int(seat))
        number = node.game.alphabet.number
        row = {rules.text(move): float(chances.get(number(node.state, seat, move), 0)) for move in legal}
        key = asked(rules, rules.view(node.state, seat), legal)
        if rows.setdefault(key, row) != row:
            raise BadPolicy(
                f"the policy depends on more than the view: it plays both {rows[key]} and {row} at {key[0]}."
            )
    return by_conventions(rules, rows)


def _rules(game: Any) -> Any:
    """The rules of an OpenSpiel game of this package; raises TypeError for another one."""
    if not hasattr(game, "rules"):
        raise TypeError(
            "to_spiel and from_spiel need a game of this package, not a wrapper around it; "
            "load it with turn_based=True instead of load_game_as_turn_based."
        )
    return game.rules


def _decisions(game: Any, limit: int) -> Iterator[tuple[Any, Seat, Any]]:
    """Every decision of a game, once for each information state; raises TooBig, early if it can."""

    def after(place: tuple[Any, int]) -> list[tuple[Any, int]]:
        state, moves = place
        if moves >= game.horizon:
            return []
        made = max(1, len(game.rules.acting(state)))
        return [(found, moves + made) for found in nexts(game.rules, state)]

    if estimated_size((game.rules.start(), 0), after, SURELY * limit) >= SURELY * limit:
        raise TooBig(TOO_BIG)
    waiting, seen = [game.new_initial_state()], set()
    while waiting:
        state = waiting.pop()
        limit -= 1
        if limit < 0:
            raise TooBig(TOO_BIG)
        if state.is_terminal():
            continue  # perhaps by the horizon, where somebody would have to move
        for seat in _choosing(state):
            key = state.information_state_string(int(seat))
            if key not in seen:
                seen.add(key)
                yield state.node, seat, state
        waiting.extend(_children(state))


def _choosing(state: Any) -> tuple[Seat, ...]:
    """The seats that choose next."""
    if state.is_chance_node():
        return ()
    acting: tuple[Seat, ...] = state.node.acting
    return acting if state.is_simultaneous_node() else acting[:1]


def _children(state: Any) -> list[Any]:
    """The states after each move, or after each pair of simultaneous ones."""
    if not state.is_simultaneous_node():
        return [state.child(action) for action in state.legal_actions()]
    found = []
    for pair in product(*(state.legal_actions(int(seat)) for seat in Seat)):
        found.append(state.clone())
        found[-1].apply_actions(list(pair))
    return found
