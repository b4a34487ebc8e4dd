"""Explanations of moves in placing games, in digits, places and numbers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from digit_duel.coach.cases import Path
from digit_duel.coach.claims import AnyClaim, Best, Keeps, Only, Over, Unstoppable, ValueIs, Winning, true
from digit_duel.coach.generic import Reasons
from digit_duel.coach.placing.claims import (
    BestNumbers,
    Decided,
    LastCopy,
    Leads,
    Mirrors,
    MustFill,
    Numbers,
    PlacingCase,
)
from digit_duel.coach.placing.deciding import best_numbers, deciding, lead, open_lead
from digit_duel.coach.placing.words import PlacingVariant, Words
from digit_duel.coach.reason import Reason
from digit_duel.coach.speech import Speech, listed, sentence
from digit_duel.core.game import Seat
from digit_duel.games._placement import Place, Placement, Position, number
from digit_duel.games._placement_decided import decided

_FOLLOW_UPS = 4  # digits tried when looking for a follow-up that cannot be stopped


class PlacingReasons(Reasons[Placement, Position, Place]):
    """Explains why a digit belongs in a place."""

    def __init__(self, variant: PlacingVariant, case: PlacingCase, speech: Speech) -> None:
        super().__init__(variant, case, speech)
        self.words = Words(variant, speech)

    def named(self, mover: Seat, move: Place) -> str:
        return self.words.named(move)

    def all_named(self, mover: Seat, moves: list[Place]) -> str:
        slots = {(move.board, move.place) for move in moves}
        if len(slots) > 1:
            return super().all_named(mover, moves)
        return f"{listed([str(move.digit) for move in moves], 'or')} in {self.words.where(*slots.pop())}"

    def chosen(self, path: Path) -> Place:
        # Copying the other board is a plan for the whole rest of the game, so it comes before margin.
        for option in self.case.options(path):
            if option.score == 1 and true(Mirrors((*path, option.move), self.case.mover(path)), self.case):
                return option.move
        return super().chosen(path)

    def winning(self, path: Path, move: Place) -> Iterator[Reason]:
        mover = self.case.mover(path)
        return chain(
            self._last(path, move, mover),
            self._decided_before(path, move, mover),
            self._mirrored(path, move, mover),
            self._leading(path, move, mover),
            self._bounded(path, move, mover),
            self._follow_up(path, move, mover),
            self._taken_away(path, move, mover),
            self._threatened(path, move),
            self._forcing(path, move, mover),
            self._best_end(path, move, mover),
        )

    def losing(self, path: Path, move: Place) -> Iterator[Reason]:
        mover = self.case.mover(path)
        return chain(
            self._last(path, move, mover.other),
            self._decided_before(path, move, mover.other),
            super().losing(path, move),
            self._closest(path, move, mover),
        )

    def drawing(self, path: Path, move: Place) -> Iterator[Reason]:
        mover, after = self.case.mover(path), (*path, move)
        yield from self._last(path, move, None)
        mine, theirs = self._best_numbers(after, mover)
        yield Reason(
            f"{self.words.named(move)} holds the draw: with best play both numbers are {mine}.",
            (Keeps(path, move), ValueIs(after, mover, 0), BestNumbers(after, mover, mine, theirs)),
        )

    def punished(self, path: Path) -> Iterator[Reason]:
        state, mover = self.case.after(path), self.case.mover(path[:-1])
        if self.case.outcome(path) is not None:
            mine, theirs = number(state.boards[mover]), number(state.boards[mover.other])
            yield Reason(f"It ends {mine} against {theirs}.", (Numbers(path, mover, mine, theirs),))
        elif decided(self.case.game, state, mover.other):
            because = self.words.why_decided(path, state, mover.other)
            claims = (Decided(path, mover.other), *because.claims)
            yield Reason(sentence(f"{because.sentence}, whatever comes after."), claims)
        yield from super().punished(path)

    def _last(self, path: Path, move: Place, winner: Seat | None) -> Iterator[Reason]:
        """The last digit: both numbers are complete."""
        mover, after = self.case.mover(path), (*path, move)
        if self.case.outcome(after) is None:
            return
        boards = self.case.after(after).boards
        mine, theirs = number(boards[mover]), number(boards[mover.other])
        verdict = "a draw" if winner is None else self.speech.does(winner, "win")
        if mine == theirs and winner is not None:
            verdict = f"equal numbers, so {verdict}"
        claims = (Over(after, winner), Numbers(after, mover, mine, theirs))
        told = f"{self.words.named(move)} makes it {mine} against {theirs}: {verdict}"
        others = self._others(path)
        if winner is mover.other and others:
            yield Reason(f"{told}, as with any other digit.", (*claims, Winning(path, 0, others + 1)))
        yield Reason(f"{told}.", claims)

    def _decided_before(self, path: Path, move: Place, winner: Seat) -> Iterator[Reason]:
        """The result is decided already; only the margin is left to play for."""
        state, mover = self.case.after(path), self.case.mover(path)
        if not decided(self.case.game, state, winner):
            return
        because = self.words.why_decided(path, state, winner)
        won = sentence(f"{self.speech.does(winner, 'has')} won already: {because.sentence}.")
        claims = (Decided(path, winner), *because.claims)
        mine, theirs = self._best_numbers((*path, move), mover)
        most = "wins by the most" if winner is mover else "comes closest"
        ends = f"with best play {self.words.ending(mover, mine, theirs)}"
        yield Reason(
            f"{won} {self.words.named(move)} {most}: {ends}.",
            (*claims, Best(path, move), BestNumbers((*path, move), mover, mine, theirs)),
        )
        yield Reason(won, claims)

    def _mirrored(self, path: Path, move: Place, mover: Seat) -> Iterator[Reason]:
        copy = "Copy" if mover is self.speech.to else f"{self.speech.who(mover)} can copy"
        yield Reason(
            f"{self.words.named(move)} makes the boards equal. {copy} every move to the other board from now"
            f" on: the numbers end equal, and then {self.speech.does(mover, 'win')}.",
            (Mirrors((*path, move), mover),),
        )

    def _leading(self, path: Path, move: Place, mover: Seat) -> Iterator[Reason]:
        """The move fills the place that decides the game."""
        found = lead(self.case.after((*path, move)), mover)
        if found is None or found[0] != move.place:
            return
        place, better, worse = found
        equal = f"the {listed(list(self.words.labels[:place]))} are equal, and " if place else ""
        yield Reason(
            f"{self.words.named(move)} settles it: {equal}{self.speech.whose(mover)} {better} beats"
            f" {self.speech.whose(mover.other)} {worse} there, whatever comes after.",
            (Leads((*path, move), mover, place, better, worse), Decided((*path, move), mover)),
        )

    def _bounded(self, path: Path, move: Place, mover: Seat) -> Iterator[Reason]:
        """The worst number that one board can still form beats the best that the other can."""
        after = (*path, move)
        limits = self.words.limits(after, self.case.after(after), mover)
        yield Reason(
            f"With {self.words.named(move)}, {limits.sentence}.", (Decided(after, mover), *limits.claims)
        )

    def _follow_up(self, path: Path, move: Place, mover: Seat) -> Iterator[Reason]:
        """The next digit decides, and it cannot be stopped."""
        after = (*path, move)
        state = self.case.after(after)
        place = open_lead(state)
        for board in () if place is None else (mover, mover.other):
            assert place is not None
            answers = deciding(self.case.game, state, mover, board, place)[:_FOLLOW_UPS]
            needed = self._unstoppable(after, answers) if answers else None
            if needed is None:
                continue
            digits, spot = [str(answer.digit) for answer in needed], self.words.where(board, place)
            told = {
                1: f"{digits[0]} in {spot}, which decides",
                2: f"both {listed(digits)} in {spot}, and either decides",
            }.get(len(digits), f"all of {listed(digits)} in {spot}, and each decides")
            yield Reason(
                f"After {self.words.named(move)}, {self.speech.who(mover.other)} cannot stop {told}.",
                (Unstoppable(after, needed), *self._each_decides(after, needed, mover)),
            )

    def _each_decides(self, path: Path, answers: tuple[Place, ...], mover: Seat) -> Iterator[AnyClaim]:
        """For each answer, the claim that it decides the game after some move of the other seat."""
        for answer in answers:
            moves = (move for move in self.case.moves(path) if self._wins((*path, move, answer), mover))
            yield Decided((*path, next(moves), answer), mover)

    def _taken_away(self, path: Path, move: Place, mover: Seat) -> Iterator[Reason]:
        """The other seat would win with this digit, so it must be taken now."""
        others = [other for other in self.case.moves(path) if other.digit != move.digit]
        answers = self._winning_replies((*path, others[0]), mover.other) if others else []
        for answer in (answer for answer in answers if answer.digit == move.digit):
            if all(self._wins((*path, other, answer), mover.other) for other in others):
                yield Reason(
                    f"Only {self.words.named(move)} wins: left to {self.speech.who(mover.other)}, the"
                    f" {move.digit} would go to {self.words.where(answer.board, answer.place)} and win.",
                    (
                        LastCopy(path, move.digit),
                        Only(path, move, self._others(path)),
                        *(ValueIs((*path, other, answer), mover.other, 1) for other in others),
                    ),
                )
                return

    def _forcing(self, path: Path, move: Place, mover: Seat) -> Iterator[Reason]:
        """The move forces the other seat to fill a place, and keeps the win."""
        after = (*path, move)
        place = open_lead(self.case.after(after))
        if place is None:
            return
        mine, theirs = self._best_numbers(after, mover)
        for board in (mover.other, mover):
            yield Reason(
                f"After {self.words.named(move)}, {self.speech.who(mover.other)} must fill"
                f" {self.words.where(board, place)}, or {self.speech.does(mover, 'decide')} it there;"
                f" with best play {self.words.ending(mover, mine, theirs)}.",
                (
                    MustFill(after, board, place),
                    ValueIs(after, mover, 1),
                    BestNumbers(after, mover, mine, theirs),
                ),
            )

    def _best_end(self, path: Path, move: Place, mover: Seat) -> Iterator[Reason]:
        after = (*path, move)
        mine, theirs = self._best_numbers(after, mover)
        claims = (Keeps(path, move), ValueIs(after, mover, 1), BestNumbers(after, mover, mine, theirs))
        name, ends = self.words.named(move), f"with best play {self.words.ending(mover, mine, theirs)}"
        yield Reason(f"Only {name} wins: {ends}.", (*claims, Only(path, move, self._others(path))))
        yield Reason(f"{name} keeps the win: {ends}.", claims)

    def _closest(self, path: Path, move: Place, mover: Seat) -> Iterator[Reason]:
        mine, theirs = self._best_numbers((*path, move), mover)
        yield Reason(
            f"Every move loses to best play; {self.words.named(move)} comes closest:"
            f" {self.words.ending(mover, mine, theirs)}.",
            (ValueIs(path, mover, -1), Best(path, move), BestNumbers((*path, move), mover, mine, theirs)),
        )

    def _best_numbers(self, path: Path, seat: Seat) -> tuple[str, str]:
        return best_numbers(self.case.game, self.case.oracle, self.case.after(path), seat)
