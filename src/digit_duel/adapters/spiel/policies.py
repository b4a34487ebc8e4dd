"""Conversion of policies to and from OpenSpiel."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

from open_spiel.python.policy import Policy as SpielPolicy

from digit_duel.adapters.agents import by_conventions
from digit_duel.core.game import Seat
from digit_duel.solve.errors import TooBig
from digit_duel.solve.research.exploration import LIMIT
from digit_duel.solve.research.policies import BadPolicy, Policy, Profile, asked, mixture, policy_of


class PlayedPolicy(SpielPolicy):  # type: ignore[misc]  # OpenSpiel has no types
    """A policy over views, as an OpenSpiel policy."""

    def __init__(self, game: Any, policy: Profile[Any, Any]) -> None:
        super().__init__(game, list(range(len(Seat))))
        self._rules, self._policy = game.rules, policy

    def action_probabilities(self, state: Any, player_id: int | None = None) -> dict[int, float]:
        seat = Seat(state.current_player() if player_id is None else player_id)
        node = state.node
        view, legal = self._rules.view(node.state, seat), self._rules.legal(node.state, seat)
        played = dict(mixture(self._rules, policy_of(self._policy, seat), view, legal))
        number = node.game.alphabet.number
        return {number(node.state, seat, move): float(played.get(move, 0)) for move in legal}


def to_spiel(game: Any, policy: Profile[Any, Any]) -> PlayedPolicy:
    """Convert a policy over views, or a pair, for use with OpenSpiel on a game loaded by this package."""
    return PlayedPolicy(game, policy)


def from_spiel(game: Any, policy: Any, limit: int = LIMIT) -> Policy[Any, Any]:
    """Convert an OpenSpiel policy to a policy over views.

    Moves that the game makes without asking, because they are forced or lay out a hand by convention, are
    filled in. Raises BadPolicy if the policy plays differently at equal views, and TooBig.
    """
    rules, rows = game.rules, dict[Hashable, Mapping[str, float]]()
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


def _decisions(game: Any, limit: int) -> Any:
    """Every decision of a game, once for each information state."""
    waiting, seen = [game.new_initial_state()], set()
    while waiting:
        state = waiting.pop()
        limit -= 1
        if limit < 0:
            raise TooBig(
                "this game is too big for a table: it has more histories than the limit allows. "
                "Take a smaller game or a higher limit."
            )
        if state.is_terminal():
            continue
        if not state.is_chance_node():
            for seat in (
                state.node.acting if state.is_simultaneous_node() else (Seat(state.current_player()),)
            ):
                key = state.information_state_string(int(seat))
                if key not in seen:
                    seen.add(key)
                    yield state.node, seat, state
        if state.is_simultaneous_node():
            pairs = [(a, b) for a in state.legal_actions(0) for b in state.legal_actions(1)]
            for pair in pairs:
                after = state.clone()
                after.apply_actions(list(pair))
                waiting.append(after)
        else:
            waiting.extend(state.child(action) for action in state.legal_actions())
