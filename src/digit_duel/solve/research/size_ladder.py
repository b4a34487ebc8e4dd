"""The size ladder: every game in sizes from a toy to the full game, each rung with its exact value."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from importlib.resources import files

from digit_duel.core.variant import AnyVariant
from digit_duel.games import variant


@dataclass(frozen=True, slots=True)
class Rung:
    """A game of a certain size, and its solution."""

    name: str  # the game's id and a number, from small to large
    game: str  # the id
    settings: dict[str, str]  # the options that differ from the rulebook
    size: int  # states; if hands are hidden, information sets with a choice before a hand is full
    low: Fraction  # the first seat's score under best play is at least this,
    high: Fraction  # and at most this
    by_the_letter: bool  # False: a tied round counts as replayed from a fresh deck
    openings: tuple[str, ...]  # the first moves that win

    @property
    def variant(self) -> AnyVariant:
        """The game of this size."""
        return variant(self.game).customised(self.settings)

    @property
    def value(self) -> Fraction:
        """The first seat's score under best play; the midpoint if only bounds are known."""
        return (self.low + self.high) / 2


def ladder(game: str | None = None) -> Iterator[Rung]:
    """The rungs of one game, or of all, from small to large; raises KeyError if there are none."""
    text = files("digit_duel.solve").joinpath("tables", "ladder.txt").read_text(encoding="ascii")
    rungs = [_rung(*line.split("\t")) for line in text.splitlines()[1:]]
    if game is None:
        return iter(rungs)
    if not any(rung.game == game for rung in rungs):
        known = ", ".join(dict.fromkeys(rung.game for rung in rungs))
        raise KeyError(f"the size ladder has no game {game!r}; its games are: {known}")
    return (rung for rung in rungs if rung.game == game)


def _rung(
    name: str, game: str, settings: str, size: str, low: str, high: str, by: str, openings: str
) -> Rung:
    chosen = dict(part.split("=", 1) for part in _words(settings))
    return Rung(
        name, game, chosen, int(size), Fraction(low), Fraction(high), by == "exact", tuple(_words(openings))
    )


def _words(text: str) -> list[str]:
    return [] if text == "-" else text.split(" ")
