"""Claims about battle: attacks that end the game, players who are safe, and endings decided by totals."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

from digit_duel.coach.cases import Case
from digit_duel.coach.claims import Claim
from digit_duel.core.game import Pair, Seat
from digit_duel.games._battle import Attack, Battle, BattleMove, Defend, Fight, Secret

BattleCase: TypeAlias = Case[Battle, Fight, BattleMove]


def ends_it(game: Battle, state: Fight, move: Attack, seat: Seat) -> bool:
    """Whether this attack would defeat the other player if it were this seat's turn."""
    if move.digit not in state.pool:
        return False
    return game.play(replace(state, to_move=seat), move).life[seat.other] <= 0


def turns_left(state: Fight) -> Pair[int]:
    """How many of the remaining digits each seat will use."""
    mover, other = (len(state.pool) + 1) // 2, len(state.pool) // 2
    return (mover, other) if state.to_move is Seat.FIRST else (other, mover)


def most(state: Fight, seat: Seat) -> int:
    """The largest sum that the digits a seat will still use could have."""
    return sum(sorted(state.pool, reverse=True)[: turns_left(state)[seat]])


@dataclass(frozen=True)
class Kills(Claim[BattleCase]):
    """This attack ends the game at once: the other player has only this many life points."""

    move: Attack
    life: int

    def holds(self, case: BattleCase) -> bool:
        mover, state = case.mover(self.path), case.after(self.path)
        outcome = case.outcome((*self.path, self.move))
        if outcome is None or outcome.winner is not mover:
            return False
        return state.life[mover.other] == self.life and ends_it(case.game, state, self.move, mover)


@dataclass(frozen=True)
class CouldKill(Claim[BattleCase]):
    """Attacking with this digit, the seat would end the game if it were its turn."""

    seat: Seat
    digit: int

    def holds(self, case: BattleCase) -> bool:
        return ends_it(case.game, case.after(self.path), Attack(self.digit), self.seat)


@dataclass(frozen=True)
class Safe(Claim[BattleCase]):
    """No single attack can defeat this seat now."""

    seat: Seat

    def holds(self, case: BattleCase) -> bool:
        state = case.after(self.path)
        return not any(ends_it(case.game, state, Attack(digit), self.seat.other) for digit in state.pool)


@dataclass(frozen=True)
class FinishesNext(Claim[BattleCase]):
    """Whatever the mover does, the game goes on and the other player has an attack that ends it."""

    def holds(self, case: BattleCase) -> bool:
        answerer = case.mover(self.path).other
        afters = [case.after((*self.path, move)) for move in case.moves(self.path)]
        return all(
            case.game.outcome(state) is None
            and any(ends_it(case.game, state, Attack(digit), answerer) for digit in state.pool)
            for state in afters
        )


@dataclass(frozen=True)
class MustDefend(Claim[BattleCase]):
    """Unless the mover defends now, the other player has an attack that ends the game."""

    def holds(self, case: BattleCase) -> bool:
        answerer = case.mover(self.path).other
        moves = case.moves(self.path)
        blows = [case.after((*self.path, move)) for move in moves if isinstance(move, Attack)]
        return all(
            case.game.outcome(state) is None
            and any(ends_it(case.game, state, Attack(digit), answerer) for digit in state.pool)
            for state in blows
        )


@dataclass(frozen=True)
class Life(Claim[BattleCase]):
    """This seat has this many life points."""

    seat: Seat
    life: int

    def holds(self, case: BattleCase) -> bool:
        return case.after(self.path).life[self.seat] == self.life


@dataclass(frozen=True)
class Highest(Claim[BattleCase]):
    """No digit left is higher."""

    digit: int

    def holds(self, case: BattleCase) -> bool:
        return max(case.after(self.path).pool, default=None) == self.digit


@dataclass(frozen=True)
class Wasted(Claim[BattleCase]):
    """This defence wastes this many points, because life points are limited."""

    move: Defend
    points: int
    limit: int

    def holds(self, case: BattleCase) -> bool:
        mover = case.mover(self.path)
        gained = case.after((*self.path, self.move)).life[mover] - case.after(self.path).life[mover]
        return self.move.digit - gained == self.points > 0 and case.game.max_life == self.limit


@dataclass(frozen=True)
class OnlyCounts(Claim[BattleCase]):
    """However the rest is played, no player is defeated and none reaches the limit of life points."""

    def holds(self, case: BattleCase) -> bool:
        state = case.after(self.path)
        return bool(state.pool) and all(
            state.life[seat] > most(state, seat.other)
            and state.life[seat] + most(state, seat) <= case.game.max_life
            for seat in Seat
        )


def revealed(game: Battle, state: Fight, seat: Seat, mine: int, theirs: int) -> Fight:
    """Sudden death after one reveal, this seat's digit first."""
    return game.play(game.play(state, Secret(seat, mine)), Secret(seat.other, theirs))


@dataclass(frozen=True)
class NeverWorse(Claim[BattleCase]):
    """In sudden death this digit weakly dominates: no other leaves the seat better off against any reply."""

    move: Secret

    def holds(self, case: BattleCase) -> bool:
        game, state, seat = case.game, case.after(self.path), self.move.seat
        if not game.sudden_death(state):
            return False

        def ahead(mine: int, theirs: int) -> tuple[int, int]:
            life = revealed(game, state, seat, mine, theirs).life
            return life[seat], -life[seat.other]

        return all(
            mine <= best
            for theirs in game.sudden
            for digit in game.sudden
            for mine, best in zip(ahead(digit, theirs), ahead(self.move.digit, theirs), strict=True)
        )


@dataclass(frozen=True)
class Risks(Claim[BattleCase]):
    """Against this digit of the other seat, the secret digit loses this many life points."""

    move: Secret
    against: int
    points: int

    def holds(self, case: BattleCase) -> bool:
        game, state, seat = case.game, case.after(self.path), self.move.seat
        if not game.sudden_death(state) or self.against not in game.sudden:
            return False
        after = revealed(game, state, seat, self.move.digit, self.against)
        return state.life[seat] - after.life[seat] == self.points > 0


@dataclass(frozen=True)
class StandOff(Claim[BattleCase]):
    """This many more equal reveals in a row win sudden death for this seat, or draw it."""

    winner: Seat | None  # None for a draw
    reveals: int | None  # None if they never end it

    def holds(self, case: BattleCase) -> bool:
        game, state = case.game, case.after(self.path)
        if self.reveals is None:
            return game.sudden_death(state) and game.standoff_limit is None
        for _ in range(self.reveals):
            if game.outcome(state) is not None or not game.sudden_death(state):
                return False
            state = revealed(game, state, Seat.FIRST, game.sudden[-1], game.sudden[-1])
        outcome = game.outcome(state)
        return outcome is not None and outcome.winner is self.winner


@dataclass(frozen=True)
class WinsByShowing(Claim[BattleCase]):
    """In sudden death this seat wins by showing this digit every time, whatever the other shows."""

    seat: Seat
    digit: int

    def holds(self, case: BattleCase) -> bool:
        game, start = case.game, case.after(self.path)
        if not game.sudden_death(start) or self.digit not in game.sudden:
            return False
        done: dict[Fight, bool] = {}  # False while being searched: reaching it again would be endless play

        def wins(state: Fight) -> bool:
            state = game.essence(state)
            if (outcome := game.outcome(state)) is not None:
                return outcome.winner is self.seat
            if state not in done:
                done[state] = False
                done[state] = all(
                    wins(revealed(game, state, self.seat, self.digit, theirs)) for theirs in game.sudden
                )
            return done[state]

        return wins(start)
