"""Looking back on a game: replay it step by step, or review it with the coach."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from digit_duel.cli.app.state.choice import LocalChoice, Offer, landed
from digit_duel.cli.app.state.effects import effects
from digit_duel.cli.app.state.table import Chart, MoveLine, Phase, Sign, TableView
from digit_duel.cli.app.state.values import ChoiceValue, best_choices, choice_values, signs, words_with_signs
from digit_duel.cli.errors import Problem
from digit_duel.cli.play.hidden import hides_something
from digit_duel.cli.play.messages import VERDICTS, ending
from digit_duel.core.game import Seat
from digit_duel.core.numbering import move_numbers
from digit_duel.core.record import BadRecord, Record, level_of
from digit_duel.core.script import Scene
from digit_duel.core.seat_record import replay_seen, seat_of
from digit_duel.core.session import Session
from digit_duel.core.variant import AnyVariant

if TYPE_CHECKING:
    from digit_duel.coach.review import Judged, Review


class LookBack:
    """The positions of a game and, with a review, how good each move was.

    Both hands are open, unless the record is one seat's: then they show what this seat saw.
    """

    def __init__(self, variant: AnyVariant, record: Record) -> None:
        try:
            steps = replay_seen(variant, record)
        except BadRecord as bad:
            raise Problem(str(bad)) from bad
        if not any(step.seat is not None for step in steps):
            raise Problem("no moves yet.")
        self._session = Session(variant, record.names, lambda draws, ply: draws[0][0])
        self._session.steps = steps
        self._seat = seat_of(variant, record)  # whose record it is, unless it is whole
        if self._seat is None and hides_something(self._session, record):
            raise Problem("this game is not over and has hidden cards; finish it before you look back on it.")
        self.variant, self.record = variant, record
        self.at = 0  # steps made
        self.review: Review | None = None
        self.answered = False  # whether the better move at a mistake is shown
        self.choice: LocalChoice | None = None  # at a mistake: the reader's search for a better move
        self._said = ""  # about the last try
        self._values: dict[int, tuple[ChoiceValue, ...]] = {}  # by position
        self._start = variant.game.start()
        self._numbers = move_numbers(step.seat for step in steps)

    @property
    def partial(self) -> bool:
        """Whether the record shows only what one player saw."""
        return self._seat is not None

    @property
    def last(self) -> int:
        """The number of steps."""
        return len(self._session.steps)

    def go(self, by: int) -> None:
        """Go to another move; a drawn card belongs to the move that follows."""
        way = 1 if by > 0 else -1
        self.at = max(0, min(self.last, self.at + by))
        while 0 < self.at < self.last and self._session.steps[self.at].seat is None:
            self.at += way
        self._arrive()

    def _arrive(self) -> None:
        self.answered, self._said = False, ""
        self.choice = self._choice() if self.asking else None

    def judge(self, review: Review) -> None:
        """Add the coach's opinion, and go to the first real mistake, preferably of a person."""
        self.review = review
        turned = review.turning_points
        first = [move for move in turned if move.seat in self._people] or turned
        if first:
            self.at = first[0].ply - 1
        self._arrive()

    @property
    def _people(self) -> list[Seat]:
        """The seats of people; both if there are none."""
        return [seat for seat in Seat if level_of(self.record.headers, seat) is None] or list(Seat)

    @property
    def mistakes_to_come(self) -> bool:
        """Whether there is a mistake after this position."""
        return self.review is not None and any(move.ply - 1 > self.at for move in self.review.turning_points)

    def go_to_turning_point(self) -> str:
        """Go to the position before the next mistake; say so where there is none."""
        if self.review is None:
            return ""
        if not self.review.turning_points:
            return "No mistake in this game."
        if not self.mistakes_to_come:
            return "That was the last one."
        self.at = next(move.ply - 1 for move in self.review.turning_points if move.ply - 1 > self.at)
        self._arrive()
        return ""

    def judged(self) -> Judged | None:
        """The opinion about the move that follows."""
        moves = self.review.moves if self.review else ()
        return next((move for move in moves if move.ply == self.at + 1), None)

    def played_on(self) -> Record:
        """The game as it stood here, as a new one to continue; not after the last move."""
        from digit_duel.coach.review import again  # slow to import: it brings the solvers

        return again(self.record, self.at + 1, self._numbers[self.at])

    # Finding a better move.

    @property
    def asking(self) -> bool:
        """Whether the reader may find a better move than the one that was made here."""
        found = self.judged()
        return found is not None and found.verdict == "mistake" and bool(found.reason) and not self.answered

    @property
    def unvalued(self) -> bool:
        """Whether somebody moves here and the choices have not been evaluated."""
        known = self._mover is not None and self._seat in (None, self._mover)
        return self.review is not None and known and self.at not in self._values

    def evaluate(self) -> tuple[int, tuple[ChoiceValue, ...]]:
        """The position and the values of its choices; it may take a while, and changes nothing."""
        at, seat = self.at, self._mover
        assert seat is not None
        return at, choice_values(self.variant, self.record, self._session.steps[:at], seat)

    def evaluated(self, at: int, values: tuple[ChoiceValue, ...]) -> None:
        """Store the values of the choices at a position."""
        self._values[at] = values

    def pick(self, offer: Offer) -> None:
        """Choose something; a whole move is judged."""
        assert self.choice is not None
        move = self.choice.pick(offer)
        if move is not None:
            self._try(move)

    def show_answer(self) -> None:
        """Show what was better, and what every choice is worth."""
        self.answered, self.choice, self._said = True, None, ""

    def _try(self, move: object) -> None:
        found, text = self.judged(), self.variant.game.text(move)
        assert found is not None
        value = next((value for value in self._values.get(self.at, ()) if value.move == move), None)
        if text == found.best or (value is not None and value.good):
            self.show_answer()
            self._said = f"Yes: {found.best_words if value is None else value.told}."
        elif text == found.move:
            self._said = "That is what was played. Try another, or press Enter."
        else:
            told = "" if value is None else f": {value.told}"
            self._said = f"Not that one{told}. Try another, or press Enter."
        if not self.answered:
            self.choice = self._choice()

    def _choice(self) -> LocalChoice | None:
        seat = self._mover
        return None if seat is None else LocalChoice(self.variant.voice, self._state, seat)

    @property
    def _mover(self) -> Seat | None:
        """Who makes the move that follows."""
        return self._session.steps[self.at].seat if self.at < self.last else None

    @property
    def _state(self) -> object:
        return self._session.steps[self.at - 1].after if self.at else self._start

    def view(self, notation: bool = False) -> TableView:
        """The position as a table."""
        steps, names, state = self._session.steps, self.record.names, self._state
        made = steps[: self.at]
        shown = self._signs()
        seen = "" if self._seat is None else f", as {names[self._seat]} saw it"
        mover = next((step.seat for step in reversed(made) if step.seat is not None), None)
        base = TableView(
            title=f"{self.variant.id.capitalize()} · {'review' if self.review else 'replay'}{seen}",
            phase=Phase.WAITING,
            scene=self._scene(state),
            names=names,
            below=self._people[0] if self._seat is None else self._seat,
            turn=self._mover,
            message=self._message(),
            news=words_with_signs(shown) or self._news(),
            marked=landed(self.variant.voice, made),
            mover=mover,
            moves=self._lines(notation),
            coach=self._coach(),
            chart=self._chart(),
            signs=shown,
            arrows=False,
        )
        if self.choice is not None:
            seat = self._mover
            told = {} if seat is None else effects(self.choice, base.scene, seat, names, alone=False)
            return replace(base, offers=self.choice.offers, picked=self.choice.picked, effects=told)
        if self.at == self.last and self.record.result != "*":
            outcome = self.variant.game.outcome(state)
            return replace(base, winner=None if outcome is None else outcome.winner)
        return base

    def _signs(self) -> dict[str, Sign]:
        """What digits and places are worth; empty while the reader looks for a better move."""
        known, choice = self._values.get(self.at, ()), self._choice()
        return {} if not known or self.asking or choice is None else signs(choice, known)

    def _scene(self, state: object) -> Scene:
        # The chart shows who is ahead with best play.
        return replace(self.variant.scene(state, self._seat), leads=None)

    def _news(self) -> str:
        made = self._made
        if not made:
            return _START
        told = self.variant.voice.brief(self._session.steps[made[-1]], self._seat, self.record.names)
        return f"{self._numbers[made[-1]]}. {told}"

    @property
    def _made(self) -> list[int]:
        """The steps before this position that players made."""
        return [at for at in range(self.at) if self._session.steps[at].seat is not None]

    def _message(self) -> str:
        found = self.judged()
        if self._said:
            return self._said
        if self.at == self.last:
            return ending(self.record)
        if found is None:
            step = self._session.steps[self.at]
            return "" if step.seat is None else f"Next: {self.record.names[step.seat]}"
        name = self.record.names[found.seat]
        if not found.reason or found.verdict != "mistake":
            return f"{found.number}. {name}: {found.words} ({VERDICTS[found.verdict]})"
        if not self.answered:
            return f"{found.number}. {name} went wrong here. Find a better move, or press Enter."
        return f"{found.number}. {name}: {found.words}, a mistake. Better: {found.best_words}"

    def _coach(self) -> tuple[str, ...]:
        found = self.judged()
        if found is None or self.asking:
            return ()
        best = "\n".join(best_choices(self._values.get(self.at, ())))
        return tuple(filter(None, (found.reason, found.truth, best)))

    def _lines(self, notation: bool) -> tuple[MoveLine, ...]:
        voice, mistakes = self.variant.voice, self._mistakes
        last = max(self._made, default=None)
        moves = (
            MoveLine(
                self._numbers[at],
                step.seat,
                self.record.moves[at] if notation else voice.brief(step, self._seat, self.record.names),
                now=at == last,
                mistake=at + 1 in mistakes,
            )
            for at, step in enumerate(self._session.steps)
            if step.seat is not None
        )
        return (MoveLine("", None, _START, now=last is None), *moves)

    def _chart(self) -> Chart | None:
        if self.review is None or not self.review.history:
            return None
        steps = zip(self._session.steps, self._numbers, strict=True)
        numbers = ("", *("" if step.seat is None else number for step, number in steps))
        return Chart(tuple(map(float, self.review.history)), numbers, self._mistakes, self.at)

    @property
    def _mistakes(self) -> frozenset[int]:
        """The positions after the mistakes."""
        return self.review.mistakes if self.review else frozenset()


_START = "The start."
