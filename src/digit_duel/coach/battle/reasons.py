"""Explanations of moves in battle, in terms of attacks and life points."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from digit_duel.coach.battle.claims import (
    CouldKill,
    FinishesNext,
    Highest,
    Kills,
    Life,
    MustDefend,
    NeverWorse,
    OnlyCounts,
    Risks,
    Safe,
    StandOff,
    Wasted,
    WinsByShowing,
)
from digit_duel.coach.cases import Path
from digit_duel.coach.claims import AnyClaim, Best, ForcedIn, Keeps, Margin, Only, Over, ValueIs
from digit_duel.coach.generic import Reasons
from digit_duel.coach.reason import Reason, first_true
from digit_duel.coach.speech import more_moves, sentence
from digit_duel.core.game import Seat
from digit_duel.games._battle import Attack, Battle, BattleMove, Defend, Fight, Secret
from digit_duel.games._battle_script import life_points


class BattleReasons(Reasons[Battle, Fight, BattleMove]):
    """Explains why to attack or defend with a digit."""

    def named(self, mover: Seat, move: BattleMove) -> str:
        match move:
            case Attack(digit):
                return f"attacking with {digit}"
            case Defend(digit):
                return f"defending with {digit}"
            case Secret(_, digit):
                return f"showing {digit}"

    def secretly_chosen(self, seat: Seat) -> Secret:
        return Secret(seat, self.case.game.sudden[-1])

    def secret(self, seat: Seat, move: BattleMove) -> Reason:
        assert isinstance(move, Secret)
        return first_true(self.case, self._sudden(move))

    def winning(self, path: Path, move: BattleMove) -> Iterator[Reason]:
        return chain(
            self._finishing(path, move),
            self._last(path, move),
            self._finished_next(path, move),
            self._parried(path, move),
            self._counted(path, move),
            self._threatened(path, move),
            self._pressed(path, move),
        )

    def losing(self, path: Path, move: BattleMove) -> Iterator[Reason]:
        mover, after = self.case.mover(path), (*path, move)
        yield from self._last(path, move)
        yield from super().losing(path, move)
        yield from self._counted(path, move)
        distance, claim = self._within(after, mover.other)
        how_long = "into sudden death" if distance is None else more_moves(distance)
        yield Reason(
            sentence(
                f"every move loses to best play; {self.named(mover, move)} holds out longest, {how_long}."
            ),
            (ValueIs(path, mover, -1), Best(path, move), claim),
        )

    def punished(self, path: Path) -> Iterator[Reason]:
        mover, state = self.case.mover(path[:-1]), self.case.after(path)
        found = chain(self._tied(path, state, mover), super().punished(path))
        for reason in found:
            yield from (wasted + reason for wasted in self._wasted(path))
            yield reason

    def _finishing(self, path: Path, move: BattleMove) -> Iterator[Reason]:
        mover = self.case.mover(path)
        if isinstance(move, Attack):
            life = self.case.after(path).life[mover.other]
            has = self.speech.does(mover.other, "has")
            yield Reason(
                sentence(f"{self.named(mover, move)} ends it: {has} {life_points(life)}."),
                (Kills(path, move, life),),
            )

    def _last(self, path: Path, move: BattleMove) -> Iterator[Reason]:
        """The last digit: the player with more life points wins."""
        mover, after = self.case.mover(path), (*path, move)
        outcome = self.case.outcome(after)
        if outcome is None or outcome.winner is None:
            return
        mine, theirs = (self.case.after(after).life[seat] for seat in (mover, mover.other))
        yield Reason(
            sentence(
                f"{self.named(mover, move)} ends the game with {life_points(mine)} against {theirs}:"
                f" {self.speech.does(outcome.winner, 'win')}."
            ),
            (Over(after, outcome.winner), Life(after, mover, mine), Life(after, mover.other, theirs)),
        )

    def _finished_next(self, path: Path, move: BattleMove) -> Iterator[Reason]:
        mover, after = self.case.mover(path), (*path, move)
        if self._one_answers(after):
            effect = self._effect(after, mover, move)
            yield Reason(
                sentence(f"{self.named(mover, move)} {effect}: whatever the answer, the next blow ends it."),
                (*self._lives(after, mover, move), FinishesNext(after)),
            )

    def _parried(self, path: Path, move: BattleMove) -> Iterator[Reason]:
        """An attack that would have ended the game is no longer possible."""
        mover, after = self.case.mover(path), (*path, move)
        state = self.case.after(path)
        if not self._one_answers(after):
            return
        threat, highest = max(state.pool), max(self.case.after(after).pool)
        claims: tuple[AnyClaim, ...] = (
            ValueIs(after, mover, 1),
            CouldKill(path, mover.other, threat),
            Safe(after, mover),
            *self._lives(after, mover, move),
        )
        danger = f"the {threat} would finish {self.speech.who(mover)}"
        if isinstance(move, Defend):
            life = self.case.after(after).life[mover]
            yield Reason(
                sentence(f"{danger}. {sentence(self.named(mover, move))} {self._effect(after, mover, move)},")
                + f" and the highest digit left is {highest}.",
                (*claims, Life(after, mover, life), Highest(after, highest)),
            )
        elif move.digit == threat:
            life = state.life[mover]
            first = "use" if mover is self.speech.to else self.speech.does(mover, "use")
            yield Reason(
                sentence(
                    f"{danger}, so {first} it first: the highest digit left is then {highest}, and"
                    f" {self.speech.does(mover, 'has')} {life_points(life)}."
                ),
                (*claims, Highest(after, highest), Life(after, mover, life)),
            )

    def _counted(self, path: Path, move: BattleMove) -> Iterator[Reason]:
        """No attack can end the game and no defence reaches the limit, so the highest digit is best."""
        mover = self.case.mover(path)
        margin = self.case.value((*path, move)).margin_for(mover)
        if not margin:
            return  # best play leads to sudden death
        seat, by = (mover, margin) if margin > 0 else (mover.other, -margin)
        yield Reason(
            sentence(
                f"no attack can end the game early any more, so only the totals count, and {move.digit}"
                f" is the highest: with best play {self.speech.does(seat, 'end')} {by} ahead."
            ),
            (OnlyCounts(path), Highest(path, move.digit), Best(path, move), Margin((*path, move), seat, by)),
        )

    def _pressed(self, path: Path, move: BattleMove) -> Iterator[Reason]:
        """A move that keeps the win, and how it changes the life points."""
        mover, after = self.case.mover(path), (*path, move)
        distance, claim = self._within(after, mover)
        within = "in sudden death at the latest" if distance is None else f"in {more_moves(distance)}"
        name, effect = self.named(mover, move), self._effect(after, mover, move)
        claims: tuple[AnyClaim, ...] = (
            Keeps(path, move),
            ValueIs(after, mover, 1),
            claim,
            *self._lives(after, mover, move),
        )
        if isinstance(move, Attack) and self._one_answers(after):
            must = f"{self.speech.who(mover.other)} must defend at once"
            yield Reason(
                sentence(f"{name} {effect}: {must}, and the win can be forced {within}."),
                (*claims, MustDefend(after)),
            )
        yield Reason(
            sentence(f"only {name} wins: it {effect}, and the win can be forced {within}."),
            (*claims, Only(path, move, self._others(path))),
        )
        yield Reason(sentence(f"{name} {effect} and keeps the win: it can be forced {within}."), claims)

    def _within(self, path: Path, winner: Seat) -> tuple[int | None, AnyClaim]:
        """How many moves a forced win takes; None if it may need sudden death, which is long."""
        distance = self.case.value(path).distance
        if distance > len(self.case.after(path).pool):
            return None, ValueIs(path, winner, 1)
        return distance, ForcedIn(path, winner, distance)

    def _effect(self, after: Path, mover: Seat, move: BattleMove) -> str:
        """A clause that says how a move changes the life points."""
        life = self.case.after(after).life
        if isinstance(move, Attack):
            return f"leaves {self.speech.who(mover.other)} {life_points(life[mover.other])}"
        return f"lifts {self.speech.who(mover)} to {life_points(life[mover])}"

    def _lives(self, after: Path, mover: Seat, move: BattleMove) -> tuple[AnyClaim, ...]:
        seat = mover.other if isinstance(move, Attack) else mover
        return (Life(after, seat, self.case.after(after).life[seat]),)

    def _wasted(self, path: Path) -> Iterator[Reason]:
        """How many points the defence that ends the path wastes beyond the limit."""
        *_, move = path
        before = path[:-1]
        if isinstance(move, Defend):
            mover = self.case.mover(before)
            gained = self.case.after(path).life[mover] - self.case.after(before).life[mover]
            lost, limit = move.digit - gained, self.case.game.max_life
            yield Reason(
                f"It wastes {lost} of its {move.digit} points: the limit is {limit} life points.",
                (Wasted(before, move, lost, limit),),
            )

    def _tied(self, path: Path, state: Fight, mover: Seat) -> Iterator[Reason]:
        """The mistake leads to sudden death, which the other seat wins."""
        best = self.case.game.sudden[-1]
        if self.case.game.sudden_death(state):
            wins = self.speech.does(mover.other, "win")
            yield Reason(
                f"It leads to sudden death, which {wins} by showing {best} every time.",
                (WinsByShowing(path, mover.other, best),),
            )

    def _sudden(self, move: Secret) -> Iterator[Reason]:
        best, seat = Secret(move.seat, self.case.game.sudden[-1]), move.seat
        limit = self.case.game.standoff_limit
        left = None if limit is None else limit - self.case.state.standoffs
        if move == best:
            yield Reason(
                sentence(f"{self.named(seat, move)} can lose no points, and {self._stand_off(left)}."),
                (NeverWorse((), move), StandOff((), self.case.game.standoff_winner, left)),
            )
            yield Reason(
                sentence(f"{self.named(seat, move)} is never worse than any other digit."),
                (NeverWorse((), move),),
            )
        lost = best.digit - move.digit
        yield Reason(
            sentence(
                f"{self.named(seat, move)} risks {life_points(lost)} against a {best.digit};"
                f" {self.named(seat, best)} is never worse."
            ),
            (NeverWorse((), best), Risks((), move, best.digit, lost)),
        )

    def _stand_off(self, left: int | None) -> str:
        """What so many more equal reveals lead to."""
        winner = self.case.game.standoff_winner
        if left is None:
            return "equal digits can go on for ever, with no winner"
        if left == 1:
            ends = "makes it a draw" if winner is None else f"wins for {self.speech.who(winner)}"
            return f"one more equal reveal {ends}"
        count = f"{left} more" if self.case.state.standoffs else f"{left}"
        end = "make it a draw" if winner is None else f"win for {self.speech.who(winner)}"
        return f"{count} equal reveals in a row {end}"
