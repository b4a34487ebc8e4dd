"""A terminal that records what each of two people sees while worlds are played on it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from io import StringIO
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from tests.worlds import LETTERS, NAMES, REFUSALS, WRONG

from digit_duel.bots import LEVELS
from digit_duel.cli.errors import Leave
from digit_duel.cli.play.local_game import LocalGame
from digit_duel.cli.screen.terminal import Terminal
from digit_duel.core.game import Pair, Seat, put
from digit_duel.core.session import AnySession, Session
from digit_duel.core.variant import AnyVariant

# Typed by the observer before the true answer, as some of WRONG are.
COMMANDS = ("board", "moves", "counts", "help", "hint", "why", "save", "undo", "resign|no")


class Unhurried(Terminal):
    """A terminal that never says that it thinks: that depends on the clock, and on nothing in a game."""

    @contextmanager
    def thinking(self) -> Iterator[None]:
        yield


class SavesNothing:
    """A game that is not saved anywhere."""

    def save(self, session: AnySession) -> None: ...

    def save_now(self, session: AnySession) -> str:
        return "Saved."


class Glass(StringIO):
    """A screen, or a pipe: knows what can be read on it now, and who has been able to read what."""

    def __init__(self, tty: bool) -> None:
        super().__init__()
        self.tty, self.echo = tty, True
        self.visible, self._main = "", ""
        self.reader: str | None = None  # None is both, over each other's shoulder
        self.seen: dict[str, list[str]] = {name: [] for name in NAMES}

    def isatty(self) -> bool:
        return self.tty

    def write(self, text: str) -> int:
        for part in re.split(r"(\x1b\[2J\x1b\[H|\x1b\[\?1049[hl]|--- For \w+'s eyes only ---\n)", text):
            if part == "\x1b[?1049h":
                self._main = self._clear()
            elif part == "\x1b[?1049l":
                self._clear()
                self.visible, self.reader = self._main, None
            elif part == "\x1b[2J\x1b[H":
                self._clear()
            elif part.startswith("--- For ") and not self.tty:
                self._clear()
                self.reader = part.split("'")[0].removeprefix("--- For ")
            else:
                self.visible += part
        return len(text)

    def read_now(self) -> None:
        """Let the people at the screen read what is on it."""
        for name in NAMES if self.reader is None else (self.reader,):
            self.seen[name].append(self.visible)

    def _clear(self) -> str:
        self.read_now()
        cleared, self.visible = self.visible, ""
        return cleared


class Typist(StringIO):
    """Both people at one keyboard: they play the moves of a world, and the observer asks around before."""

    def __init__(self, glass: Glass, answers: Sequence[tuple[str, str]], observer: str, seed: str) -> None:
        super().__init__()
        self._glass, self._answers, self._observer, self._seed = glass, list(answers), observer, seed
        self._typing: list[str] | None = None  # what comes before the next answer
        self._moved = 0

    def isatty(self) -> bool:
        return self._glass.tty

    def readline(self, limit: int | None = -1, /) -> str:  # type: ignore[override]  # StringIO's own
        glass = self._glass
        if passed := re.search(r"Pass the keyboard to (\w+)\.\n\n.* can see the screen\. $", glass.visible):
            glass.reader = None
            glass.read_now()
            glass.reader = passed[1]
            line = ""
        else:
            if glass.visible.endswith("Press Enter for the next round. "):
                glass.reader = None  # both look at the result
            glass.read_now()
            if glass.visible.endswith(
                (
                    "Press Enter to cover your hand. ",
                    ", and press Enter. ",
                    "Press Enter for the next round. ",
                )
            ):
                line = ""
            else:
                found = self._next_line()
                if found is None:
                    return ""  # the end of this world
                line = found
        if glass.tty:
            glass.write(f"{line}\n" if glass.echo else "")  # as a terminal does
        return f"{line}\n"

    def _next_line(self) -> str | None:
        if self._typing is None:
            self._typing = self._probes()
        if self._typing:
            return self._typing.pop(0)
        if not self._answers:
            return None
        self._typing = None
        self._moved += 1
        return self._answers.pop(0)[1]

    def _probes(self) -> list[str]:
        """What the person at the keyboard types before the next answer: the observer, all sorts of things."""
        name, answer = self._answers[0] if self._answers else (self._observer, "")
        *slips, final = answer.split("|")  # slips of the hand stand before the answer, with bars between
        if slips:
            self._answers[0] = (name, final)
        if name != self._observer:
            return slips
        rng = Random(f"{self._seed}/{self._moved}")
        chosen = rng.sample(COMMANDS, rng.randrange(3) if self._answers else 4)
        chosen += rng.sample(WRONG, 2) if rng.random() < REFUSALS else []
        return [*(line for probe in chosen for line in probe.split("|")), *slips]


def in_order(tokens: Sequence[str]) -> bool:
    """Whether numbers are laid out as one keyboard asks for them, the first seat first."""
    return all(before[0] == "a" for before, token in pairwise(tokens) if token[0] == "b")


def answers_of(session: AnySession, tokens: Sequence[str], rng: Random) -> list[tuple[str, str]]:
    """Who types what, to make these moves; words are chosen at random, alike in all worlds."""
    found = []
    for step, token in zip(session.steps, tokens, strict=True):
        if step.seat is None:
            continue
        words = {"k": ("yes", "Y", "keep", "k"), "g": ("no", "N", "give", "g")}.get(token)
        if words is None:
            rng.random()
            typed = token[1:] if token[0] in LETTERS else token
        else:
            typed = rng.choice(words)
        found.append((NAMES[step.seat], typed))
    return found


def watched(
    variant: AnyVariant,
    tokens: Sequence[str],
    answers: Sequence[tuple[str, str]],
    observer: Seat,
    seed: str,
    tty: bool,
    computer: Computer | None = None,
) -> Glass:
    """The whole game at an in-memory terminal; what each person could read is in the glass."""
    glass = Glass(tty)
    typed = [(name, answer) for name, answer in answers if computer is None or name == NAMES[observer]]
    keyboard = Typist(glass, typed, NAMES[observer], seed)

    def deal(draws: Sequence[tuple[Any, int]], ply: int) -> Any:
        wanted = tokens[ply] if ply < len(tokens) else ""
        for move, _ in draws:
            if variant.game.text(move) == wanted:
                return move
        raise EOFError

    @contextmanager
    def echo_off(terminal: Terminal) -> Iterator[None]:
        glass.echo = False  # a terminal in memory has no line settings
        try:
            yield
        finally:
            glass.echo = True

    levels: Pair[str | None] = put((None, None), observer.other, "scripted" if computer else None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Terminal, "_echo_off", echo_off)
        if computer is not None:
            patch.setitem(LEVELS, "scripted", lambda variant, seat, rng: computer)
        terminal = Unhurried(keyboard, glass)
        try:
            game = LocalGame(Session(variant, NAMES, deal), terminal, levels, SavesNothing())
            with suppress(EOFError, Leave):
                game.run()
        finally:
            terminal.go_public()  # where both can see
    glass.read_now()
    return glass


class Computer:
    """An opponent that makes the moves of a world."""

    def __init__(self, session: AnySession, seat: Seat) -> None:
        self._moves = [step.move for step in session.steps if step.seat is seat]

    def choose(self, view: Any, legal: Sequence[Any]) -> Any:
        if not self._moves:
            raise EOFError
        return self._moves.pop(0)
