"""What may be taken back: a seat's last choice, unless something hidden was shown since."""

from __future__ import annotations

from digit_duel.core.game import Game, M, Refused, S, Seat, V, public
from digit_duel.core.record import Steps
from digit_duel.core.script import Names, Script, Step


def last_choice(game: Game[S, M, V], steps: Steps[S, M], seat: Seat) -> int:
    """The index of the first step to take back; raises Refused if hidden information was shown."""
    mine = [at for at, step in enumerate(steps) if step.seat is seat]
    if not mine:
        raise Refused("There is nothing to undo: you have made no choice yet.")
    if any(_shown(game, step) for step in steps[mine[-1] :]):
        raise Refused("That cannot be undone: hidden information has been shown since your last choice.")
    return mine[-1]


def last_move(game: Game[S, M, V], steps: Steps[S, M]) -> int:
    """The index of the last move of either seat; raises Refused if hidden information was shown since."""
    moved = [at for at, step in enumerate(steps) if step.seat is not None]
    if not moved:
        raise Refused("There is nothing to undo: nobody has moved yet.")
    if any(_shown(game, step) for step in steps[moved[-1] :]):
        raise Refused("That cannot be undone: hidden information has been shown since the last move.")
    return moved[-1]


def take_back_question(
    script: Script[S, M, V], step: Step[S, M], names: Names, notation: bool = False
) -> str:
    """What the other player is asked before a move is taken back: the move in words, then the question."""
    assert step.seat is not None
    told, text = script.brief(step, None, names), f" ({script.game.text(step.move)})" if notation else ""
    return f"{told} {names[step.seat.other]}, may {names[step.seat]} take that back{text}?"


def _shown(game: Game[S, M, V], step: Step[S, M]) -> bool:
    """Whether a step was nature's, or revealed or concealed anything."""
    states = (step.before, step.after)
    return step.seat is None or not all(public(game.view, state) for state in states)
