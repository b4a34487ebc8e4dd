"""Tutorials: a game taught in a few lessons at its own table, as data that every front end can play."""

from __future__ import annotations

from dataclasses import dataclass

from digit_duel.core.game import Seat

MOST_LESSONS = 6
LONGEST = 110  # characters of a text: two or three short sentences


@dataclass(frozen=True, slots=True)
class Lesson:
    """One position, one choice to make, and what follows from it; moves are in notation."""

    text: str  # what to look at, and what to do
    good: str  # the choices that pass the lesson; empty if every legal one does
    well: str  # said after one of them
    otherwise: str = ""  # said after any other; the position stays
    at: str = ""  # the moves that lead to the position, draws included
    reply: str = ""  # what happens after a good choice: the other player's moves, and draws
    seat: Seat = Seat.FIRST  # the learner's
    shown: bool = True  # whether screens point at the good choice or let the learner find it


@dataclass(frozen=True, slots=True)
class Tutorial:
    """The lessons of a game in order; each stands on its own, so that a learner can resume at any of them."""

    lessons: tuple[Lesson, ...]
