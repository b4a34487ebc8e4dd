"""Explanations for any game without hidden hands, from its values alone; families of games add their own."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any, Generic, TypeAlias

from digit_duel.coach.cases import Case, G, Impossible, Path
from digit_duel.coach.claims import (
    AnyClaim,
    Costs,
    ForcedIn,
    Keeping,
    Keeps,
    Only,
    OthersLoseTo,
    Over,
    Secures,
    Unstoppable,
    ValueIs,
    Winning,
)
from digit_duel.coach.reason import Reason, first_true
from digit_duel.coach.speech import Speech, chances, listed, more_moves, sentence, whole_percent
from digit_duel.core.game import M, Seat, V
from digit_duel.core.variant import Variant
from digit_duel.solve.oracle import ValuedMove, options
from digit_duel.solve.value import Score

_FEW = 3  # up to this many moves are named one by one


class Reasons(Generic[G, V, M]):
    """Explains the moves of one position; each method yields candidate sentences, the most specific first."""

    def __init__(self, variant: Variant[V, M, V], case: Case[G, V, M], speech: Speech) -> None:
        self.variant, self.case, self.speech = variant, case, speech

    def named(self, mover: Seat, move: M) -> str:
        """The move in words."""
        return self.case.game.text(move)

    def chosen(self, path: Path) -> M:
        """The move to recommend."""
        options = self.case.options(path)
        best = [option.move for option in options if option.best]
        if options[0].score == -1 and len(best) > 1:
            return min(best, key=lambda move: self._winning_answers((*path, move)))  # the hardest to answer
        return best[0]

    def explain(self, path: Path, move: M) -> Reason:
        """Explain why a move is good, or what it loses."""
        option = self.case.option(path, move)
        if not option.keeps:
            return first_true(self.case, self.mistake(path, option))
        best = {1: self.winning, 0: self.drawing, -1: self.losing}
        offered = best[int(option.score)](path, move) if option.score in (1, 0, -1) else iter(())
        return first_true(self.case, chain(offered, self.plain(path, option)))

    def secretly_chosen(self, seat: Seat) -> M:
        """The move to recommend where both seats choose at once."""
        return self._secret_options(seat)[0].move

    def secret(self, seat: Seat, move: M) -> Reason:
        """Explain why a secret choice is good, or what it risks."""
        every = self._secret_options(seat)
        found = next(option for option in every if option.move == move)
        name, best = self.named(seat, move), every[0]
        claims = (Secures((), seat, move, found.score), Secures((), seat, best.move, best.score))
        least = whole_percent(_share(best.score))
        told = f"nothing is safer than {name}: it secures at least {least} of the points."
        if best.score == -1:
            told = f"nothing is safer than {name}, but every choice can lose."
        if not found.best:
            worst = f"{self.speech.who(seat)} with only {whole_percent(_share(found.score))} of the points"
            told = f"{name} can leave {worst}; {self.named(seat, best.move)} secures at least {least}."
        return first_true(self.case, [Reason(sentence(told), claims)])

    def winning(self, path: Path, move: M) -> Iterator[Reason]:
        """Why a move wins."""
        mover, name = self.case.mover(path), self.named(self.case.mover(path), move)
        yield Reason(
            sentence(f"{name} ends the game: {self.speech.does(mover, 'win')}."),
            (Over((*path, move), mover),),
        )
        yield from self._threatened(path, move)
        distance = self.case.value((*path, move)).distance
        within = f"it can be forced in {more_moves(distance)}"
        win: tuple[AnyClaim, ...] = (Keeps(path, move), ValueIs((*path, move), mover, 1))
        forced = ForcedIn((*path, move), mover, distance)
        yield Reason(
            sentence(f"only {name} wins: {within}."), (*win, forced, Only(path, move, self._others(path)))
        )
        yield Reason(sentence(f"{name} keeps the win: {within}."), (*win, forced))

    def drawing(self, path: Path, move: M) -> Iterator[Reason]:
        """Why a move holds the game."""
        mover, name = self.case.mover(path), self.named(self.case.mover(path), move)
        even: tuple[AnyClaim, ...] = (Keeps(path, move), ValueIs((*path, move), mover, 0))
        yield Reason(
            sentence(f"{name} ends the game in a draw."), (Keeps(path, move), Over((*path, move), None))
        )
        yield Reason(sentence(f"only {name} holds the draw."), (*even, Only(path, move, self._others(path))))
        yield Reason(sentence(f"{name} holds the draw; nobody can force more here."), even)

    def losing(self, path: Path, move: M) -> Iterator[Reason]:
        """What a move in a lost position can still achieve."""
        mover, after = self.case.mover(path), (*path, move)
        name, other = self.named(mover, move), self.speech.does(mover.other, "win")
        yield Reason(sentence(f"{name} ends the game: {other}."), (Over(after, mover.other),))
        lost = ValueIs(path, mover, -1)
        if self._one_answers(after):
            scores = [option.score for option in self.case.options(after)]
            winning = scores.count(1)
            if winning < len(scores):
                yield Reason(
                    f"Every move loses to best play; after {name} only {winning} of"
                    f" {self.speech.whose(mover.other)} {len(scores)} answers"
                    f" {'wins' if winning == 1 else 'win'}.",
                    (lost, Winning(after, winning, len(scores))),
                )

    def plain(self, path: Path, option: ValuedMove[M]) -> Iterator[Reason]:
        """What is always true of a move that keeps the result."""
        mover, name = self.case.mover(path), self.named(self.case.mover(path), option.move)
        claims = (Keeps(path, option.move), ValueIs((*path, option.move), mover, option.score))
        words = {
            1: f"{name} keeps the win.",
            0: f"{name} holds the draw.",
            -1: f"every move loses to best play, {name} too.",
        }
        if option.score in words:
            yield Reason(sentence(words[int(option.score)]), claims)
        share = f"{whole_percent(_share(option.score))} of the points"
        yield Reason(
            sentence(f"{name} gives {self.speech.who(mover)} {share} on average, and no move gives more."),
            claims,
        )

    def mistake(self, path: Path, option: ValuedMove[M]) -> Iterator[Reason]:
        """What a move lost, which moves would have kept it, and how the other seat punishes it."""
        options = self.case.options(path)
        what = self._lost(path, options[0], option)
        told = what + self._kept(path, options)
        yield from (told + punished for punished in self.punished((*path, option.move)))
        yield told
        yield what

    def punished(self, path: Path) -> Iterator[Reason]:
        """How the other seat exploits the mistake that ends the path."""
        mover = self.case.mover(path[:-1])
        if self._one_answers(path) and self._wins(path, mover.other):
            answer = self.explain(path, self.chosen(path))
            told = sentence(f"{self.speech.whose(mover.other)} answer: {answer.sentence}")
            yield Reason(told, answer.claims)

    def all_named(self, mover: Seat, moves: list[M]) -> str:
        """Some moves in words."""
        return listed([self.named(mover, move) for move in moves], "or")

    def _lost(self, path: Path, best: ValuedMove[M], made: ValuedMove[M]) -> Reason:
        """What a mistake does to the mover's result."""
        mover = self.case.mover(path)
        name = self.named(mover, made.move)
        loss = Costs(path, made.move, best.score - made.score, best.margin - made.margin)
        if (known := _LOSSES.get((best.score, made.score))) is not None:
            return Reason(sentence(f"{name} {known}."), (loss,))
        before, after = chances(_share(best.score), _share(made.score))
        share = f"{self.speech.whose(mover)} share of the points from {before} to {after}"
        values = (ValueIs((*path, one.move), mover, one.score) for one in (best, made))
        return Reason(sentence(f"{name} lowers {share} on average."), (loss, *values))

    def _kept(self, path: Path, options: list[ValuedMove[M]]) -> Reason:
        """Which moves would have kept the result."""
        mover, best = self.case.mover(path), options[0]
        keeping = [option.move for option in options if option.keeps]
        count = Keeping(path, len(keeping), len(options))
        worth: tuple[AnyClaim, ...] = (count, ValueIs((*path, best.move), mover, best.score))
        if len(keeping) == 1:
            return Reason(f"Only {self.named(mover, best.move)} kept it.", worth)
        if len(keeping) <= _FEW:
            return Reason(
                sentence(f"{self.all_named(mover, keeping)} kept it."),
                (count, *(ValueIs((*path, move), mover, best.score) for move in keeping)),
            )
        result = "the win" if best.score == 1 else "the draw" if best.score == 0 else "it"
        example = f"for example {self.named(mover, best.move)}"
        return Reason(f"{len(keeping)} of the {len(options)} moves kept {result}, {example}.", worth)

    def _threatened(self, path: Path, move: M) -> Iterator[Reason]:
        """A single answer that beats every other move."""
        mover = self.case.mover(path)
        others = [option.move for option in self.case.options(path) if option.move != move]
        if not others or any(option.score == 1 and option.move != move for option in self.case.options(path)):
            return
        answers = self._winning_replies((*path, others[0]), mover.other)
        for other in others[1:]:
            answers = [answer for answer in answers if self._wins((*path, other, answer), mover.other)]
        if answers:
            yield Reason(
                sentence(
                    f"only {self.named(mover, move)} wins: every other move loses to"
                    f" {self.named(mover.other, answers[0])}."
                ),
                (
                    ValueIs((*path, move), mover, 1),
                    Only(path, move, len(others)),
                    OthersLoseTo(path, move, answers[0]),
                ),
            )

    def _unstoppable(self, path: Path, answers: list[M]) -> tuple[M, ...] | None:
        """The fewest of these answers such that, whatever the mover does, one of them wins."""
        answerer = self.case.mover(path).other
        wins = []
        for move in self.case.moves(path):
            wins.append({answer for answer in answers if self._wins((*path, move, answer), answerer)})
            if not wins[-1]:
                return None
        needed: list[M] = []
        for found in sorted(wins, key=len):
            if not found & set(needed):
                needed.append(next(answer for answer in answers if answer in found))
        fewest = tuple(sorted(needed, key=answers.index))
        return fewest if Unstoppable(path, fewest).holds(self.case) else None

    def _winning_replies(self, path: Path, seat: Seat) -> list[M]:
        try:
            return [
                option.move
                for option in self.case.options(path)
                if self.case.mover(path) is seat and option.score == 1
            ]
        except Impossible:
            return []

    def _wins(self, path: Path, seat: Seat) -> bool:
        try:
            return self.case.score(path, seat) == 1
        except Impossible:
            return False

    def _one_answers(self, path: Path) -> bool:
        """Whether exactly one seat moves next."""
        return len(self.case.game.acting(self.case.after(path))) == 1

    def _winning_answers(self, path: Path) -> int:
        return len(self._winning_replies(path, self.case.mover(path[:-1]).other))

    def _secret_options(self, seat: Seat) -> list[ValuedMove[M]]:
        return options(self.case.game, self.case.oracle, self.case.state, seat)

    def _others(self, path: Path) -> int:
        return len(self.case.moves(path)) - 1


AnyReasons: TypeAlias = Reasons[Any, Any, Any]


_LOSSES: dict[tuple[Score, Score], str] = {
    (1, 0): "turns a win into a draw",
    (1, -1): "throws the win away",
    (0, -1): "turns a draw into a loss",
}


def _share(score: Score) -> float:
    """A result from -1 to 1 as a share of the points: a win is one point, a draw half a point."""
    return float((score + 1) / 2)
