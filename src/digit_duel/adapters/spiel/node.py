"""Nodes of an OpenSpiel game's tree: the states of our rules, the path to them, and the numbered moves."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from digit_duel.adapters.spiel.records import Path
from digit_duel.core.decisions import Decisions, Pending
from digit_duel.core.game import Outcome, Seat, public

if TYPE_CHECKING:
    from digit_duel.adapters.openspiel import SpielGame


@dataclass(frozen=True, eq=False)
class SpielNode:
    """A node of the game tree: its state, the path that leads to it, and who may move."""

    game: SpielGame
    state: Hashable
    path: Path
    outcome: Outcome | None
    draws: tuple[tuple[Hashable, int], ...]
    acting: tuple[Seat, ...]
    _legal: dict[Seat, list[int]] = field(default_factory=dict, repr=False)  # found when first asked for

    def __deepcopy__(self, memo: object) -> SpielNode:
        return self  # OpenSpiel clones a state by copying its attributes; a node is immutable

    @property
    def over(self) -> bool:
        """Whether the game has ended, by the rules or by the horizon."""
        return self.outcome is not None or len(self.path) >= self.game.horizon

    def after(self, *moves: Hashable) -> SpielNode:
        """The node that the moves lead to."""
        rules, state, path = self.game.rules, self.state, self.path
        for move in moves:
            if isinstance(rules, Decisions):
                state, steps = rules.played(state, move)
                path += steps
            else:
                state, path = rules.play(state, move), (*path, (state, move))
        return _node(self.game, state, path)

    def move(self, action: int) -> Hashable:
        """The move with a number, of nature or of the seat to move; raises ValueError if it is illegal."""
        if self.over:
            raise ValueError(f"action {action} is illegal: the game is over.")
        if not self.draws:
            return self.seat_move(self.acting[0], action)
        numbers = self.game.alphabet.draw_numbers
        for draw, _ in self.draws:
            if numbers[draw] == action:
                return draw
        raise ValueError(f"action {action} is illegal: it is not one of nature's moves now.")

    def seat_move(self, seat: Seat, action: int) -> Hashable:
        """The move of a seat with a number; raises ValueError if it is illegal."""
        alphabet = self.game.alphabet
        if action in self.legal(seat):
            return alphabet.move(self.state, seat, action)
        known = 0 <= action < alphabet.size
        why = alphabet.why_not(self.state, seat, action) if known else "there is no such action."
        raise ValueError(f"action {action} is illegal for player {int(seat)}: {why}")

    def legal(self, seat: Seat) -> list[int]:
        """The numbers of a seat's legal moves, in ascending order."""
        if seat not in self._legal:
            self._legal[seat] = sorted(self.game.alphabet.legal(self.state, seat))
        return self._legal[seat]

    def actions(self) -> list[tuple[int, float]]:
        """Every number that nature or the seat to move can choose now, with a weight."""
        alphabet = self.game.alphabet
        if self.draws:
            return sorted((alphabet.draw_numbers[move], float(weight)) for move, weight in self.draws)
        return [(action, 1.0) for action in self.legal(self.acting[0])]

    @property
    def nothing_hidden(self) -> bool:
        """Whether both seats know the state: they see all of it, or no card is in a hand."""
        if isinstance(self.state, Pending):
            return False
        hands = getattr(self.state, "hands", None)
        return public(self.game.rules.view, self.state) if hands is None else not any(hands)

    def seen(self, seat: Seat) -> list[str]:
        """The record of the game as far as a seat knows it."""
        rules = self.game.rules
        if isinstance(rules, Decisions):
            return list(rules.seen_steps(self.path, self.state, seat))
        return list(rules.seen(self.path, seat))


def start_node(game: SpielGame) -> SpielNode:
    """The root of the tree."""
    state, path = game.rules.started() if isinstance(game.rules, Decisions) else (game.rules.start(), ())
    return _node(game, state, path)


def _node(game: SpielGame, state: Hashable, path: Path) -> SpielNode:
    rules = game.rules
    outcome = rules.outcome(state)
    draws = () if outcome else tuple(rules.chance(state))
    return SpielNode(game, state, path, outcome, draws, () if outcome or draws else rules.acting(state))
