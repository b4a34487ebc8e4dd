"""The levels between: computers that play as people do, well on the whole and wrong now and then."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any

from digit_duel.bots.bot import Bot
from digit_duel.bots.error_model import Mind
from digit_duel.bots.tips import NONSENSE, likings
from digit_duel.core.game import Seat
from digit_duel.core.session import public
from digit_duel.core.variant import AnyVariant
from digit_duel.games._cards import Cards
from digit_duel.solve.views import before_secrets, is_state

if TYPE_CHECKING:
    from digit_duel.solve.oracle import Oracle


def human(variant: AnyVariant, seat: Seat, rng: Random, mind: Mind) -> Bot[Any, Any]:
    """The computer with a person's mind, for a game of any kind."""
    game = variant.game
    if isinstance(game, Cards):
        from digit_duel.bots.cards.players import human_player

        return human_player(variant, seat, rng, mind)
    sees_all = public(game.view, game.start())
    if not sees_all or mind.greed == 1:
        return HumanBot(variant, seat, rng, mind, sees_all, None)
    from digit_duel.solve.knowledge import knowledge

    return HumanBot(variant, seat, rng, mind, sees_all, knowledge(game))


@dataclass(frozen=True, slots=True)
class HumanBot:
    """Notices some of the moves, thinks some of these through, and trusts the tips for the rest."""

    variant: AnyVariant
    seat: Seat
    rng: Random
    mind: Mind
    sees_all: bool  # a view is a state, so that moves can be tried out in the head
    oracle: Oracle[Any] | None  # what a look ahead would show, if nothing were overlooked

    def choose(self, view: Any, legal: Sequence[Any]) -> Any:
        state = before_secrets(view)
        liked = likings(self.variant, state, self.seat, legal)
        if foreseeable := self.sees_all and self._acts_alone(state, legal[0]):
            final = [move for move in legal if self._wins_at_once(state, move)]
            if final:  # nobody overlooks the last blow
                return max(final, key=lambda move: liked[move])
        greedy = self.rng.random() < self.mind.greed
        oracle = self.oracle if foreseeable and not greedy else None
        noticed = self._noticed([move for move in legal if liked[move] >= NONSENSE])
        blur = self.mind.blur if oracle is None else self.mind.second_look
        felt = {move: liked[move] + blur * self.rng.gauss(0, 1) for move in noticed}
        noticed.sort(key=lambda move: felt[move], reverse=True)
        if oracle is not None:
            for move in noticed[: self.mind.width]:
                if not self._sees_an_answer(oracle, self.variant.game.play(state, move)):
                    return move
        return noticed[0]

    def _acts_alone(self, state: Any, move: Any) -> bool:
        game = self.variant.game
        return game.acting(state) == (self.seat,) and is_state(game, game.play(state, move))

    def _wins_at_once(self, state: Any, move: Any) -> bool:
        outcome = self.variant.game.outcome(self.variant.game.play(state, move))
        return outcome is not None and outcome.winner is self.seat

    def _noticed(self, moves: list[Any]) -> list[Any]:
        """The moves that come to mind; all of them, should none do so at first."""
        misses = self.mind.misses(len(moves))
        return [move for move in moves if self.rng.random() >= misses] or moves

    def _sees_an_answer(self, oracle: Oracle[Any], state: Any) -> bool:
        """Whether it finds something that the other seat would win with after its move."""
        game, other = self.variant.game, self.seat.other
        if game.acting(state) != (other,):
            return self._sees_the_loss(oracle, state, sees=1.0) > self.rng.random()
        replies = game.legal(state, other)
        sees = 1 - self.mind.misses(len(replies))
        overlooked = 1.0  # how likely it is that none of the winning answers is found
        for reply in replies:
            overlooked *= 1 - self._sees_the_loss(oracle, game.play(state, reply), sees)
        return self.rng.random() >= overlooked

    def _sees_the_loss(self, oracle: Oracle[Any], state: Any, sees: float) -> float:
        """How likely it foresees that a state is lost: hardly, if the line is long."""
        value = oracle.value(state)
        return sees * self.mind.follows(value.distance) if value.score_for(self.seat) == -1 else 0.0
