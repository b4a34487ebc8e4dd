"""Sessions: a game being played, with its steps so far, and the dealer who makes nature's moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, Protocol, TypeAlias

from digit_duel.core.game import Game, M, Outcome, S, Seat, V
from digit_duel.core.record import (
    CONTINUED,
    ENDINGS,
    RESIGNATION,
    Record,
    Steps,
    replay,
    result_of,
    winner_of,
)
from digit_duel.core.script import Names, Step
from digit_duel.core.take_back import last_choice, last_move
from digit_duel.core.variant import Variant

# The headers of a seat's record. Any other may reveal what the seat must not know: the seed gives away the
# whole deck, and a header from a file can hold anything.
_KNOWN_TO_BOTH = frozenset(
    {
        "Date",
        "Match",
        "Number",
        "Score",
        "ComputerFirst",
        "ComputerSecond",
        "Ended",
        "Online",
        "Seal",
        CONTINUED,
    }
)


class Dealer(Protocol):
    """Picks one of nature's weighted moves at a ply."""

    def __call__(self, draws: Sequence[tuple[M, int]], ply: int) -> M: ...


def dealer(seed: str | None = None) -> Dealer:
    """A dealer who picks at random; with a seed the draw depends only on the seed and the ply."""
    from random import Random, SystemRandom

    def deal(draws: Sequence[tuple[M, int]], ply: int) -> M:
        rng = SystemRandom() if seed is None else Random(f"{seed}/{ply}")
        return draw_at(draws, rng.randrange(sum(weight for _, weight in draws)))

    return deal


def draw_at(draws: Sequence[tuple[M, int]], number: int) -> M:
    """The move at a number below the sum of the weights, counted through the draws in their order."""
    for move, weight in draws:
        number -= weight
        if number < 0:
            return move
    raise AssertionError("weights are positive")


class Session(Generic[S, M, V]):
    """One game being played."""

    def __init__(
        self, variant: Variant[S, M, V], names: Names, deal: Dealer, headers: dict[str, str] | None = None
    ) -> None:
        self.variant = variant
        self.game = variant.game
        self.names = names
        self.headers = dict(headers or {})
        self.steps: Steps[S, M] = []
        self.resigned: Seat | None = None
        self._deal = deal
        self._start = self.game.start()
        self.draw()

    @classmethod
    def from_record(cls, variant: Variant[S, M, V], record: Record, deal: Dealer) -> Session[S, M, V]:
        """A session that continues a record; raises BadRecord."""
        session = cls(variant, record.names, lambda draws, ply: draws[0][0], dict(record.headers))
        session.steps = replay(variant.game, record)
        winner = winner_of(record.result)
        if winner is not None and record.headers.get("Ended") in ENDINGS:
            session.resigned = winner.other
        session._deal = deal
        session.draw()
        return session

    def branch(self) -> Session[S, M, V]:
        """A copy that can be continued independently."""
        twin = object.__new__(Session)
        vars(twin).update(vars(self), steps=list(self.steps), headers=dict(self.headers))
        return twin

    @property
    def state(self) -> S:
        """The current state, hidden information included."""
        return self.steps[-1].after if self.steps else self._start

    @property
    def outcome(self) -> Outcome | None:
        """The result, by the rules or by resignation."""
        if self.resigned is not None:
            return Outcome(self.resigned.other, RESIGNATION)
        return self.game.outcome(self.state)

    @property
    def acting(self) -> tuple[Seat, ...]:
        """Who may move now."""
        if self.resigned is not None:
            return ()
        return self.game.acting(self.state)

    def view(self, seat: Seat) -> V:
        """What one seat knows."""
        return self.game.view(self.state, seat)

    def play(self, seat: Seat, move: M) -> None:
        """Make a seat's legal move and nature's moves after it."""
        self._step(seat, move)
        self.draw()

    def draw(self) -> None:
        """Make nature's moves, if any."""
        while self.resigned is None and (draws := self.game.chance(self.state)):
            self._step(None, self._deal(draws, len(self.steps)))

    def resign(self, seat: Seat) -> None:
        """End the game; the other seat wins."""
        self.resigned = seat
        self.headers["Ended"] = RESIGNATION

    def take_back(self, seat: Seat) -> None:
        """Take back all since the seat's last choice; raises Refused if hidden information was shown."""
        del self.steps[last_choice(self.game, self.steps, seat) :]

    def take_back_last_move(self) -> None:
        """Take back the last move of either seat; raises Refused if hidden information was shown."""
        del self.steps[last_move(self.game, self.steps) :]

    def record(self) -> Record:
        """The game so far."""
        moves = tuple(self.game.text(step.move) for step in self.steps)
        return self._written(moves, dict(self.headers))

    def record_for(self, seat: Seat) -> Record:
        """The game so far as one seat saw it; a reveal shows a hand, but not the order of its draws."""
        moves = self.game.seen([(step.before, step.move) for step in self.steps], seat)
        headers = {key: text for key, text in self.headers.items() if key in _KNOWN_TO_BOTH}
        return self._written(tuple(moves), {**headers, "Seen": seat.name.lower()})

    def _written(self, moves: tuple[str, ...], headers: dict[str, str]) -> Record:
        result = result_of(self.outcome)
        return Record(self.variant.id, self.variant.settings, self.names, moves, result, headers)

    def _step(self, seat: Seat | None, move: M) -> None:
        before = self.state
        self.steps.append(Step(seat, move, before, self.game.play(before, move)))


AnySession: TypeAlias = Session[Any, Any, Any]  # a session of a game from the catalogue


def half_chosen(game: Game[S, M, V], steps: Steps[S, M]) -> bool:
    """Whether the last step is the first of two simultaneous choices, and so still secret."""
    if not steps:
        return False
    return len(game.acting(steps[-1].before)) == 2 and len(game.acting(steps[-1].after)) == 1
