"""Hints, and explanations of past moves, from what the player who asks can see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic

from digit_duel.coach.coach import Glimpse
from digit_duel.coach.families import coach_of
from digit_duel.coach.opponent import PERSON, Opponent
from digit_duel.coach.reason import Reason
from digit_duel.coach.speech import Speech, sentence
from digit_duel.core.game import Game, M, S, Seat, V
from digit_duel.core.script import Names, Step
from digit_duel.core.variant import Variant


@dataclass(frozen=True)  # no slots: Python 3.11 cannot subscript a generic one
class Advice(Generic[M]):
    """A move with its reason."""

    seat: Seat
    move: M
    notation: str
    words: str
    reason: Reason


def hint(
    variant: Variant[S, M, V],
    view: V,
    seat: Seat,
    legal: Sequence[M],
    names: Names,
    opponent: Opponent = PERSON,
) -> Advice[M] | None:
    """The best move for a seat and the reason for it; None if the seat has no move to make."""
    if not legal:
        return None
    found = coach_of(variant, opponent).decision(view, seat, legal, Speech(names, seat))
    move = found.chosen()
    return Advice(seat, move, variant.game.text(move), found.named(move), found.explain(move))


def why(
    variant: Variant[S, M, V],
    steps: Sequence[Step[S, M]],
    seat: Seat,
    names: Names,
    opponent: Opponent = PERSON,
) -> tuple[str, ...]:
    """Explain each seat's last move that the asking seat has seen, in the order they were made."""
    speech = Speech(names, seat)
    answers = []
    for glimpse in glimpses(variant.game, steps, seat):
        told = coach_of(variant, opponent).told(glimpse, seat, speech)
        if told is not None:
            answers.append(f"{sentence(speech.whose(glimpse.mover))} last move: {told.sentence}")
    return tuple(answers)


def glimpses(game: Game[S, M, V], steps: Sequence[Step[S, M]], seat: Seat) -> list[Glimpse[M, V]]:
    """The last move of each seat that the asking seat has seen, in the order they were made."""
    texts = game.seen([(step.before, step.move) for step in steps], seat)
    found: dict[Seat, Glimpse[M, V]] = {}
    for step, text in zip(reversed(steps), reversed(texts), strict=True):
        if step.seat is None or step.seat in found or "?" in text:
            continue
        open_to_asker = step.seat is seat or game.view(step.before, seat) == step.before
        legal = tuple(game.legal(step.before, step.seat)) if open_to_asker else ()
        found[step.seat] = Glimpse(
            step.seat, step.move, game.view(step.before, seat), game.view(step.after, seat), legal
        )
        if len(found) == len(Seat):
            break
    return list(reversed(found.values()))
