"""Hints and answers to why, each from what the asker sees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from digit_duel.coach.cards.news import news
from digit_duel.coach.decision import decision
from digit_duel.coach.reason import Reason
from digit_duel.coach.speech import Speech, sentence
from digit_duel.core.game import Seat
from digit_duel.core.script import Names, Step
from digit_duel.core.variant import AnyVariant
from digit_duel.games._cards import Cards


@dataclass(frozen=True, slots=True)
class Advice:
    """A move with its reason."""

    seat: Seat
    move: Any
    notation: str
    words: str
    reason: Reason


@dataclass(frozen=True, slots=True)
class Glimpse:
    """What one seat saw of another's, or its own, choice."""

    mover: Seat
    move: Any
    before: Any  # the asker's views around it
    after: Any
    legal: tuple[Any, ...]  # what the mover could choose from; empty where the asker may not know


def hint(variant: AnyVariant, view: Any, seat: Seat, legal: Sequence[Any], names: Names) -> Advice | None:
    """A best move of a seat that has one to make, and the reason."""
    if not legal:
        return None
    found = decision(variant, view, seat, legal, Speech(names, seat))
    move = found.chosen()
    return Advice(seat, move, variant.game.text(move), found.named(move), found.explain(move))


def why(variant: AnyVariant, steps: Sequence[Step[Any, Any]], seat: Seat, names: Names) -> tuple[str, ...]:
    """What was good or bad about each seat's last move, as far as the asker has seen them, in order."""
    speech = Speech(names, seat)
    answers = []
    for glimpse in glimpses(variant.game, steps, seat):
        told = judged(variant, glimpse, seat, speech)
        if told is not None:
            answers.append(f"{sentence(speech.whose(glimpse.mover))} last move: {told.sentence}")
    return tuple(answers)


def glimpses(game: Any, steps: Sequence[Step[Any, Any]], seat: Seat) -> list[Glimpse]:
    """The last choice of each seat that the asker has seen, in the order they were made."""
    texts = game.seen([(step.before, step.move) for step in steps], seat)
    found: dict[Seat, Glimpse] = {}
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


def judged(variant: AnyVariant, glimpse: Glimpse, seat: Seat, speech: Speech) -> Reason | None:
    """What a seat can be told about a choice it has seen; None if there is nothing to say."""
    if glimpse.mover is not seat and isinstance(variant.game, Cards):
        return news(variant.game, glimpse.after, speech)
    return decision(variant, glimpse.before, glimpse.mover, glimpse.legal, speech).explain(glimpse.move)
