"""Whole games as prompts and answers, worked out beforehand, and saves of games half played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random

from tests.terminal.console import Console

from digit_duel import games
from digit_duel.cli.records.save_file import Save
from digit_duel.core.game import Seat
from digit_duel.core.record import Record
from digit_duel.core.session import Session, dealer

GAMES = ("classic", "reverse", "sabotage", "cards", "battle")
NAMES = ("Player 1", "Player 2")
SEED = "7"

COVER = "Press Enter to cover your hand. "
ALONE = "press Enter when only you can see the screen. "
PASS_ON = ", and press Enter. "
NEXT_ROUND = "Press Enter for the next round. "
PAUSES = (COVER, ALONE, PASS_ON, NEXT_ROUND)

# The pool runs out at 20 to 20; then the second player loses four points at a time.
SUDDEN_DEATH = ("+1 +7 +3 +4 +2 +5 +6 +8 +9" + 5 * " a5 b1").split()
_FIXED = {"battle": SUDDEN_DEATH}


@dataclass(frozen=True, slots=True)
class Asked:
    """One prompt of a game, and what is typed there."""

    seat: Seat
    prompt: str
    answer: str
    secret: bool
    plies: int  # moves on disk while this is asked, draws and all


@dataclass(frozen=True, slots=True)
class Walk:
    """A whole game."""

    game: str
    args: tuple[str, ...]
    asked: tuple[Asked, ...]
    record: Record
    closing: str

    @property
    def typed(self) -> str:
        """All answers, as a script would pipe them in."""
        return "".join(f"{one.answer}\n" for one in self.asked)


@cache
def walk(game: str, luck: int = 0) -> Walk:
    """A game to its end: a fixed one where that shows more, else any."""
    session = Session(games.variant(game), NAMES, dealer(f"{SEED}/1"), {"Seed": SEED})
    script, rng = session.variant.voice, Random(luck)
    fixed = list(_FIXED.get(game, ()) if luck == 0 else ())
    asked: list[Asked] = []
    while session.outcome is None:
        seat = session.acting[0]
        legal = session.game.legal(session.state, seat)
        move = session.game.parse(session.state, seat, fixed.pop(0)) if fixed else rng.choice(legal)
        for question in script.questions(session.view(seat), seat):
            answer = question.answers(move)[0]
            asked.append(Asked(seat, question.prompt(move), answer, question.secret, len(session.steps)))
        session.play(seat, move)
    closing = script.closing(session.state, session.outcome, NAMES)
    return Walk(game, ("play", game, "--seed", SEED), tuple(asked), session.record(), closing)


def answer_all(console: Console, asked: Sequence[Asked]) -> None:
    """Answer prompt after prompt, with a keyboard handed over wherever the program asks for it."""
    for one in asked:
        wait_for(console, one.prompt)
        console.enter(one.answer)


def wait_for(console: Console, prompt: str, then: str = "") -> None:
    """Get to a prompt, with the keyboard handed over on the way; then type something there."""
    while not b" ".join(console.expect(prompt, *PAUSES).split()).endswith(prompt.strip().encode()):
        console.enter("")
    if then:
        console.enter(then)


def save_of(home: Path, game: str, plies: int, name: str = "20260101-000000-aaaaaa", **headers: str) -> Save:
    """A game of the walk on disk, so many moves old, as the program itself would have saved it."""
    whole = walk(game).record
    headers = {"Date": "2026-01-01", "Seed": SEED, **headers}
    save = Save(home / f"{name}.duel")
    save.write(replace(whole, moves=whole.moves[:plies], result="*", headers=headers))
    return save
