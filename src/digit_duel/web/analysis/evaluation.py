"""What a decision is worth to the seat that has to make it, as far as solvers can tell in little time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from digit_duel.coach.cards.odds import odds
from digit_duel.coach.cases import Case
from digit_duel.core.game import Seat
from digit_duel.core.session import public
from digit_duel.core.variant import AnyGame
from digit_duel.games._cards import Cards
from digit_duel.games._placement import Placement
from digit_duel.solve.errors import Unsolved
from digit_duel.solve.library import oracle
from digit_duel.solve.oracle import line
from digit_duel.solve.secrets import secret_options
from digit_duel.solve.value import Score
from digit_duel.web.analysis.analysis_process import TooBig

MOST_CELLS = 10_000_000  # of a placing game's table: about a second, and 40 MB
MOST_STATES = 25_000  # of any other customised game: a few seconds


@dataclass(frozen=True, slots=True)
class Move:
    """One move, with what it leads to from the mover's side."""

    text: str
    value: Score | float
    margin: int | None
    best: bool


@dataclass(frozen=True, slots=True)
class Worth:
    """A decision from the mover's side; what nobody knows is None."""

    value: Score | float | None = None
    chance: bool = False  # luck or secrets decide
    moves: tuple[Move, ...] = ()
    line: tuple[str, ...] = ()


def affordable(game: AnyGame) -> None:
    """Refuse a game that would take too long to solve, before it is begun or soon after."""
    if isinstance(game, Placement):
        from digit_duel.solve.placing.pooled import fits

        if fits(game).cells > MOST_CELLS:
            raise TooBig
        return
    try:
        oracle(game, _patience)
    except Unsolved:
        return  # these are asked for odds, or for what the tips say


def _patience(states: int) -> None:
    if states > MOST_STATES:
        raise TooBig


def hides(game: AnyGame) -> bool:
    """Whether seats know different things for longer than one choice."""
    return not public(game.view, game.start())


def decision(game: AnyGame, view: Any, seat: Seat) -> Worth:
    """What each move of a seat is worth, from what it sees."""
    return _by_odds(game, view) if hides(game) else _by_oracle(game, view, seat)


def between_moves(game: AnyGame, state: Any) -> Worth:
    """What a state is worth to the first seat while nature moves."""
    if hides(game):
        return Worth()
    try:
        return Worth(Case(game, state).value().score, chance=True)
    except Unsolved:
        return Worth()


def _by_oracle(game: AnyGame, state: Any, seat: Seat) -> Worth:
    case = Case(game, state)
    best: tuple[str, ...] = ()
    try:
        if len(game.acting(case.state)) > 1:
            found = secret_options(game, case.oracle, case.state, seat)
            value = case.value().score_for(seat)
        else:
            found = case.options()
            value = found[0].score
            best = tuple(game.text(move) for move in line(game, case.oracle, case.state))
    except Unsolved:
        return Worth()
    counted = any(option.margin for option in found)
    moves = tuple(
        Move(game.text(option.move), option.score, option.margin if counted else None, option.best)
        for option in found
    )
    chance = not {value, *(move.value for move in moves)} <= {1, 0, -1}
    return Worth(value, chance, moves, best)


def _by_odds(game: AnyGame, view: Any) -> Worth:
    """The chances to win the round, under hidden hands."""
    found = odds(game, view) if isinstance(game, Cards) else None
    if found is None:
        return Worth()
    chances = {"k": found.keep} if found.give is None else {"k": found.keep, "g": found.give}
    moves = tuple(
        Move(text, _result(chance), None, chance >= found.best)
        for text, chance in sorted(chances.items(), key=lambda item: -item[1])
    )
    return Worth(_result(found.best), True, moves)


def _result(chance: float) -> float:
    return round(2 * chance - 1, 12)
