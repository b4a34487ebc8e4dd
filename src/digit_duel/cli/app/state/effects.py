"""More words about a choice: what it would do to life points, or whose card it becomes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from digit_duel.cli.app.state.choice import Choice
from digit_duel.core.game import Seat
from digit_duel.core.script import Names, Scene
from digit_duel.core.variant import AnyScript


@dataclass(frozen=True, slots=True)
class Effect:
    """A word such as attack, and whose meter it would change, from what to what."""

    word: str
    who: str
    before: int
    after: int

    @property
    def text(self) -> str:
        """Whose meter changes, from what to what."""
        return f"{self.who} {self.before} → {self.after}"


def effects(
    choice: Choice, scene: Scene, seat: Seat, names: Names, alone: bool
) -> Mapping[str, tuple[Effect, ...]]:
    """By action, what every move with that choice would do; a single player is called "you"."""
    who = tuple("you" if alone and each is seat else names[each] for each in Seat)
    found: dict[str, tuple[Effect, ...]] = {}
    for offer in choice.offers:
        moves = [move for move in choice.moves if choice.leads(offer, move)]
        told = [effect for move in moves if (effect := _effect(choice, scene, seat, who, move))]
        if told and not choice.secret:
            found[offer.action] = tuple(told)
    return found


def captions(
    choice: Choice, script: AnyScript, other: str, told: Mapping[str, tuple[Effect, ...]]
) -> Mapping[str, str]:
    """By action of a word that can be chosen, the caption of its button if there is room."""
    found = {}
    for offer in choice.offers:
        if offer.question is not None:
            does = told.get(offer.action, ())
            effect = f": {does[0].text}" if len(does) == 1 else ""
            found[offer.action] = script.caption(offer.label, other) + effect
    return found


def _effect(choice: Choice, scene: Scene, seat: Seat, who: tuple[str, ...], move: Any) -> Effect | None:
    points = choice.points(move)
    if points is None:
        return None
    row = seat if points > 0 else seat.other
    meter = scene.rows[row].meters[0]
    after = min(meter.value + points, meter.most)
    return Effect(choice.word(move), who[row], meter.value, after)
