"""The pie rule for any game that hides nothing: after the first move the second player may swap seats."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from typing import Any, Generic, TypeAlias

from digit_duel.core.game import Game, M, Outcome, S, Seat, public, swap
from digit_duel.core.script import Names, Question, Scene, Script, Spot, Step


@dataclass(frozen=True, slots=True)
class SwapSeats:
    """Take over the first player's seat, with all that belongs to it."""


@dataclass(frozen=True, slots=True)
class KeepSeat:
    """Keep the second player's seat."""


SwapChoice = SwapSeats | KeepSeat
SWAP, KEEP = SwapSeats(), KeepSeat()


class Stage(Enum):
    """Whether the seats can still be swapped."""

    LATER = "later"
    NOW = "now"
    NEVER = "never"


@dataclass(frozen=True)  # no slots: Python 3.11 cannot subscript a generic one
class Seated(Generic[S]):
    """A state of the game, and who plays which of its sides."""

    state: S
    stage: Stage = Stage.LATER
    swapped: bool = False

    def side(self, seat: Seat) -> Seat:
        """The side of the game that a seat plays; the same function turns a side into its seat."""
        return seat.other if self.swapped else seat

    def sides(self, names: Names) -> Names:
        """Names in the order of the sides."""
        return swap(names) if self.swapped else names


@dataclass(frozen=True)
class SwapGame(Game[Seated[S], M | SwapChoice, Seated[S]]):
    """A game with the pie rule: a seat stands for a person, who may change from one side to the other."""

    game: Game[S, M, S]

    def start(self) -> Seated[S]:
        return Seated(self.game.start())

    def outcome(self, state: Seated[S]) -> Outcome | None:
        found = self.game.outcome(state.state)
        if found is None or found.winner is None:
            return found
        return replace(found, winner=state.side(found.winner))

    def essence(self, state: Seated[S]) -> Seated[S]:
        return replace(state, state=self.game.essence(state.state))

    def margin(self, state: Seated[S]) -> int:
        margin = self.game.margin(state.state)
        return -margin if state.swapped else margin

    def chance(self, state: Seated[S]) -> Sequence[tuple[M | SwapChoice, int]]:
        return () if state.stage is Stage.NOW else self.game.chance(state.state)

    def acting(self, state: Seated[S]) -> tuple[Seat, ...]:
        if state.stage is Stage.NOW:
            return (Seat.SECOND,)
        sides = self.game.acting(state.state)
        return tuple(seat for seat in Seat if state.side(seat) in sides)

    def legal(self, state: Seated[S], seat: Seat) -> Sequence[M | SwapChoice]:
        if state.stage is Stage.NOW:
            return (SWAP, KEEP) if seat is Seat.SECOND else ()
        return self.game.legal(state.state, state.side(seat))

    def play(self, state: Seated[S], move: M | SwapChoice) -> Seated[S]:
        if isinstance(move, SwapChoice):
            return replace(state, stage=Stage.NEVER, swapped=move == SWAP)
        after = self.game.play(state.state, move)
        stage = state.stage
        if stage is Stage.LATER and (acting := self.game.acting(state.state)):
            offered = acting == (Seat.FIRST,) and self.game.outcome(after) is None
            stage = Stage.NOW if offered else Stage.NEVER
        return Seated(after, stage, state.swapped)

    def view(self, state: Seated[S], seat: Seat) -> Seated[S]:
        return replace(state, state=self.game.view(state.state, state.side(seat)))

    def text(self, move: M | SwapChoice) -> str:
        match move:
            case SwapSeats():
                return "swap"
            case KeepSeat():
                return "keep"
        return self.game.text(move)

    def moves(self, seat: Seat) -> Sequence[M | SwapChoice]:
        either = dict.fromkeys([*self.game.moves(seat), *self.game.moves(seat.other)])
        return [*either, SWAP, KEEP] if seat is Seat.SECOND else list(either)

    def draws(self) -> Sequence[M | SwapChoice]:
        return self.game.draws()

    def why_not(self, view: Seated[S], seat: Seat, move: M | SwapChoice) -> str:
        if self.game.outcome(view.state):
            return "The game is over."
        if view.stage is Stage.NOW:
            return "First decide whether to swap seats." if seat is Seat.SECOND else "It is not your turn."
        if isinstance(move, SwapChoice):
            if view.stage is Stage.LATER:
                return "Seats cannot be swapped before the first move."
            return "Seats can only be swapped right after the first move."
        return self.game.why_not(view.state, view.side(seat), move)

    @property
    def bound(self) -> int | None:
        return None if self.game.bound is None else self.game.bound + 1

    def seen(self, path: Sequence[tuple[Seated[S], M | SwapChoice]], seat: Seat) -> Sequence[str]:
        inside = [(at.state, move) for at, move in path if not isinstance(move, SwapChoice)]
        side = path[-1][0].side(seat) if path else seat
        known = iter(self.game.seen(inside, side))
        return [self.text(move) if isinstance(move, SwapChoice) else next(known) for _, move in path]


AnySwapGame: TypeAlias = SwapGame[Any, Any]


def can_swap(game: Game[Any, Any, Any]) -> bool:
    """Whether the pie rule can be added to a game: nothing is hidden when it begins."""
    return public(game.view, game.start())


def _answers(move: SwapChoice) -> tuple[str, ...]:
    return ("yes", "y", "swap") if move == SWAP else ("no", "n", "keep")


_ASKED = (
    Question[Any](
        lambda move: "Do you want to swap seats? (yes/no): ",
        lambda move: _answers(move) if isinstance(move, SwapChoice) else (),
        label=lambda move: "swap seats" if move == SWAP else "keep your seat",
    ),
)


@lru_cache(maxsize=256)
def _inner(questions: tuple[Question[Any], ...], swapped: bool) -> tuple[Question[Any], ...]:
    """The questions of the game itself; new objects after a swap, since callers cache spots by question."""

    def accepting(question: Question[Any]) -> Question[Any]:
        return replace(
            question,
            answers=lambda move: () if isinstance(move, SwapChoice) else question.answers(move),
        )

    return tuple(map(accepting, questions))


@dataclass(frozen=True)
class SwapScript(Script[Seated[S], M | SwapChoice, Seated[S]]):
    """The words of a game, told to whoever plays each of its sides."""

    game: SwapGame[S, M]
    inner: Script[S, M, S]

    def scene(self, view: Seated[S]) -> Scene:
        scene = self.inner.scene(view.state)
        if not view.swapped:
            return scene
        leads = None if scene.leads is None else scene.leads.other
        return replace(scene, rows=swap(scene.rows), leads=leads, facts=(*scene.facts, "seats are swapped"))

    def opening(self, view: Seated[S], names: Names) -> str:
        return self.inner.opening(view.state, view.sides(names))

    def headline(self, view: Seated[S], seat: Seat, names: Names) -> str:
        if view.stage is Stage.NOW:
            return f"{names[seat]}, you may swap seats with {names[seat.other]}."
        return self.inner.headline(view.state, view.side(seat), view.sides(names))

    def turn(self, view: Seated[S], seat: Seat, names: Names) -> str:
        if view.stage is Stage.NOW:
            other = names[seat.other]
            return f"{self.headline(view, seat, names)}\nYou would take over {other}'s side of the game."
        return self.inner.turn(view.state, view.side(seat), view.sides(names))

    def questions(self, view: Seated[S], seat: Seat) -> Sequence[Question[M | SwapChoice]]:
        if view.stage is Stage.NOW:
            return _ASKED
        return _inner(tuple(self.inner.questions(view.state, view.side(seat))), view.swapped)

    def caption(self, answer: str, other: str) -> str:
        return self.inner.caption(answer, other)

    def spot(self, view: Seated[S], move: M | SwapChoice) -> Spot | None:
        if isinstance(move, SwapChoice):
            return None
        return _across(self.inner.spot(view.state, move), view.swapped)

    def lands(self, step: Step[Seated[S], M | SwapChoice]) -> Spot | None:
        inside = self._inside(step)
        return None if inside is None else _across(self.inner.lands(inside), step.after.swapped)

    def narrate(self, step: Step[Seated[S], M | SwapChoice], to: Seat | None, names: Names) -> str:
        return self._told(self.inner.narrate, step, to, names)

    def brief(self, step: Step[Seated[S], M | SwapChoice], to: Seat | None, names: Names) -> str:
        inside = self._inside(step)
        if inside is not None:
            return self.inner.brief(inside, _side(step.after, to), step.after.sides(names))
        who, s, their = ("You", "", "your") if to is Seat.SECOND else (names[Seat.SECOND], "s", "their")
        return f"{who} swap{s} seats." if step.move == SWAP else f"{who} keep{s} {their} seat."

    def round_result(self, step: Step[Seated[S], M | SwapChoice], names: Names) -> str:
        inside = self._inside(step)
        return "" if inside is None else self.inner.round_result(inside, step.after.sides(names))

    def closing(self, state: Seated[S], outcome: Outcome, names: Names) -> str:
        if outcome.winner is not None:
            outcome = replace(outcome, winner=state.side(outcome.winner))
        return self.inner.closing(state.state, outcome, state.sides(names))

    def verdict(self, state: Seated[S], outcome: Outcome, to: Seat | None, names: Names) -> str:
        if outcome.winner is not None:
            outcome = replace(outcome, winner=state.side(outcome.winner))
        return self.inner.verdict(state.state, outcome, _side(state, to), state.sides(names))

    def _told(
        self,
        tell: Callable[[Step[S, M], Seat | None, Names], str],
        step: Step[Seated[S], M | SwapChoice],
        to: Seat | None,
        names: Names,
    ) -> str:
        inside = self._inside(step)
        if inside is not None:
            return tell(inside, _side(step.after, to), step.after.sides(names))
        first, second = names
        if to is not Seat.FIRST:
            if step.move == KEEP:
                return "You keep your seat."
            return f"You swap seats. {first}'s side of the game is now yours, and yours is {first}'s."
        if step.move == KEEP:
            return f"\n{second} keeps their seat."
        return f"\n{second} swaps seats. Your side of the game is now {second}'s, and {second}'s is yours."

    def _inside(self, step: Step[Seated[S], M | SwapChoice]) -> Step[S, M] | None:
        """The step as the game itself sees it; None for an answer to the offer."""
        if isinstance(step.move, SwapChoice):
            return None
        return Step(_side(step.after, step.seat), step.move, step.before.state, step.after.state)


def _side(at: Seated[S], seat: Seat | None) -> Seat | None:
    return None if seat is None else at.side(seat)


def _across(spot: Spot | None, swapped: bool) -> Spot | None:
    if spot is None or spot.row is None or not swapped:
        return spot
    return replace(spot, row=spot.row.other)


@dataclass(frozen=True, slots=True)
class SwapScripts:
    """Makes the script of a game with the pie rule; not a closure, so that environments can be pickled."""

    inner: Callable[[Any], Script[Any, Any, Any]]

    def __call__(self, game: AnySwapGame) -> SwapScript[Any, Any]:
        return SwapScript(game, self.inner(game.game))


@dataclass(frozen=True, slots=True)
class SwapTips:
    """The tips of a game with the pie rule; they do not say whether to swap."""

    inner: Callable[[Any, Any, Seat, Any], int]

    def __call__(self, game: AnySwapGame, view: Seated[Any], seat: Seat, move: Any) -> int:
        if isinstance(move, SwapChoice):
            return 0
        return self.inner(game.game, view.state, view.side(seat), move)
