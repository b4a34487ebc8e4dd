"""The script of battle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from digit_duel.core.game import Outcome, Seat
from digit_duel.core.script import Cell, Meter, Names, Question, Row, Scene, Script, Spot, Step, Stock
from digit_duel.games._battle import Attack, Battle, BattleMove, Defend, Fight, Secret
from digit_duel.games._digits import distinct

_ACTIONS: dict[type, tuple[str, ...]] = {Attack: ("attack",), Defend: ("defend",), Secret: ()}
_IN_TURN = (
    Question[BattleMove](
        lambda move: "Select a digit to use: ",
        lambda move: () if isinstance(move, Secret) else (str(move.digit),),
    ),
    Question[BattleMove](lambda move: "Do you want to attack or defend? ", lambda move: _ACTIONS[type(move)]),
)


def _leads(view: Fight) -> Seat | None:
    first, second = view.life
    return None if first == second else Seat.FIRST if first > second else Seat.SECOND


def _to_choose_again(view: Fight) -> bool:
    """Whether two secret digits lie open, and neither player has chosen the next one."""
    return view.last is not None and view.picks == (None, None)


def _sure_to_win(view: Fight, leader: Seat) -> bool:
    """Whether the highest digits that the other player can still use are too low to catch up or to kill."""
    other, left = leader.other, len(view.pool)
    turns = (left + 1) // 2 if view.to_move is other else left // 2
    swing = sum(sorted(view.pool, reverse=True)[:turns])
    return min(view.life[leader], view.life[leader] - view.life[other]) > swing


def _in_a_row(view: Fight) -> str:
    return f"{view.standoffs} equal reveal{'' if view.standoffs == 1 else 's'} in a row"


def points(count: int) -> str:
    """A number of points in words."""
    return f"{count} point" if count == 1 else f"{count} points"


def life_points(count: int) -> str:
    """A number of life points in words."""
    return f"{count} life point" if count == 1 else f"{count} life points"


@dataclass(frozen=True)
class BattleScript(Script[Fight, BattleMove, Fight]):
    """Words and picture of battle."""

    game: Battle

    def scene(self, view: Fight) -> Scene:
        rows = tuple(
            Row(
                meters=(Meter("life", view.life[seat], self.game.max_life),),
                note="has chosen" if view.picks[seat] is not None else "",
            )
            for seat in Seat
        )
        leads = _leads(view)
        if not self.game.sudden_death(view):
            sure = leads is not None and _sure_to_win(view, leads)
            pool = tuple(
                Stock(d, view.pool.count(d), self.game.pool.count(d)) for d in distinct(self.game.pool)
            )
            return Scene(
                (rows[0], rows[1]),
                pool=pool,
                goal="When digits run out, more life wins; 0 loses",
                leads=leads,
                lead="sure to win" if sure else "more life so far",
            )
        rows = tuple(
            replace(row, cells=(self._secret_cell(view, seat),)) for seat, row in zip(Seat, rows, strict=True)
        )
        facts = []
        if view.standoffs and self.game.standoff_limit is not None:
            facts.append(f"equal reveals in a row: {view.standoffs} of {self.game.standoff_limit}")
        pool = tuple(Stock(digit, 1, 1) for digit in self.game.sudden)
        return Scene(
            (rows[0], rows[1]),
            heading="Sudden Death",
            pool=pool,
            facts=tuple(facts),
            goal="The higher digit takes the difference; 0 life loses",
            leads=leads,
            lead="more life so far",
            # Or they could be taken for the choice that is to be made now.
            caption="last reveal" if _to_choose_again(view) and not self.game.outcome(view) else "",
        )

    def _secret_cell(self, view: Fight, seat: Seat) -> Cell:
        """A secret digit, face down; the digits of the latest reveal stay face up until the next choice."""
        if view.picks[seat] is not None:
            return Cell(hidden=True)
        return Cell(view.last[seat]) if view.last and view.picks[seat.other] is None else Cell()

    def opening(self, view: Fight, names: Names) -> str:
        return ""

    def headline(self, view: Fight, seat: Seat, names: Names) -> str:
        if self.game.sudden_death(view):
            return f"Sudden Death: {names[seat]}, choose in secret."
        return f"{names[seat]}'s turn."

    def turn(self, view: Fight, seat: Seat, names: Names) -> str:
        lines = [self.headline(view, seat, names)]
        if not self.game.sudden_death(view):
            lines.append(f"Available digits: {list(view.pool)}")
        lines.append(f"Your life points: {view.life[seat]}")
        lines.append(f"Opponent's life points: {view.life[seat.other]}")
        return "\n".join(lines)

    def questions(self, view: Fight, seat: Seat) -> Sequence[Question[BattleMove]]:
        return self._in_secret if self.game.sudden_death(view) else _IN_TURN

    @cached_property
    def _in_secret(self) -> Sequence[Question[BattleMove]]:
        low, high = self.game.sudden[0], self.game.sudden[-1]
        return (
            Question[BattleMove](
                lambda move: f"Choose a secret digit from {low} to {high}: ",
                lambda move: (str(move.digit),) if isinstance(move, Secret) else (),
                secret=True,
            ),
        )

    def spot(self, view: Fight, move: BattleMove) -> Spot:
        if isinstance(move, Secret):
            return Spot(move.digit)
        return Spot(move.digit, points=-move.digit if isinstance(move, Attack) else move.digit)

    def lands(self, step: Step[Fight, BattleMove]) -> Spot | None:
        if isinstance(step.move, Secret):
            return self._reveal_lands(step)
        mover = step.before.to_move
        return self._changed(step, mover.other if isinstance(step.move, Attack) else mover)

    def _changed(self, step: Step[Fight, BattleMove], seat: Seat) -> Spot:
        """A side, and how many life points it gained or lost."""
        return Spot(row=seat, points=step.after.life[seat] - step.before.life[seat])

    def _reveal_lands(self, step: Step[Fight, BattleMove]) -> Spot | None:
        """A reveal shows on the side of the player with the higher digit."""
        after = step.after
        if after.last is None or after.picks != (None, None) or after.last[0] == after.last[1]:
            return None
        return self._changed(step, Seat.FIRST if after.last[0] > after.last[1] else Seat.SECOND)

    def narrate(self, step: Step[Fight, BattleMove], to: Seat | None, names: Names) -> str:
        if isinstance(step.move, Secret):
            return self._secret(step, to, names)
        mover = step.before.to_move
        news = (
            self._attack(step, to, names) if isinstance(step.move, Attack) else self._defence(step, to, names)
        )
        if to not in (None, mover):
            news = f"\n{news}"  # a block of its own for a seat that did not type the move
        if self.game.sudden_death(step.after):
            news += "\n\nAll digits are used and the life points are equal: Sudden Death!"
        return news

    def _attack(self, step: Step[Fight, BattleMove], to: Seat | None, names: Names) -> str:
        mover, target = step.before.to_move, step.before.to_move.other
        blow, left = points(step.move.digit), step.after.life[target]
        if to in (None, mover):
            return f"You attack {names[target]} for {blow}.\n{names[target]}'s life points are now {left}."
        return f"{names[mover]} attacks you for {blow}.\nYour life points are now {left}."

    def _defence(self, step: Step[Fight, BattleMove], to: Seat | None, names: Names) -> str:
        mover = step.before.to_move
        left = step.after.life[mover]
        gain = left - step.before.life[mover]
        capped = "" if gain == step.move.digit else f" (the most a player can have is {self.game.max_life})"
        gained = f"{life_points(gain)}{capped}"
        if to in (None, mover):
            return f"You defend and gain {gained}.\nYour life points are now {left}."
        return f"{names[mover]} defends and gains {gained}.\n{names[mover]}'s life points are now {left}."

    def _secret(self, step: Step[Fight, BattleMove], to: Seat | None, names: Names) -> str:
        assert isinstance(step.move, Secret)
        mover, after = step.move.seat, step.after
        if after.picks[mover] is not None:
            return "Your digit is sealed." if to in (None, mover) else f"\n{names[mover]} has sealed a digit."
        assert after.last is not None
        lines = ["", "Both digits are open:"]
        lines += [f"{names[seat]} chose {after.last[seat]}." for seat in Seat]
        gap = after.last[0] - after.last[1]
        if gap == 0:
            lines.append("Equal digits: no life points change.")
            if self.game.standoff_limit is not None:
                lines.append(f"Equal reveals in a row: {after.standoffs} of {self.game.standoff_limit}.")
        else:
            winner = Seat.FIRST if gap > 0 else Seat.SECOND
            lines.append(f"{names[winner]} takes {points(abs(gap))} from {names[winner.other]}.")
        lines += [f"{names[seat]}'s life points are now {after.life[seat]}." for seat in Seat]
        return "\n".join(lines)

    def brief(self, step: Step[Fight, BattleMove], to: Seat | None, names: Names) -> str:
        after = step.after
        if isinstance(step.move, Secret):
            mover = step.move.seat
            if after.picks[mover] is not None:
                return "Your digit is sealed." if to is mover else f"{names[mover]} has sealed a digit."
            assert after.last is not None
            one, other = ("You" if seat is to else names[seat] for seat in Seat)
            shown = f"{one}: {after.last[0]}, {other}: {after.last[1]}."
            has = "have" if to is Seat.FIRST else "has"
            then = "you" if to is Seat.SECOND else other
            return f"{shown} {one} now {has} {life_points(after.life[0])}, {then} {after.life[1]}."
        mover = step.before.to_move
        hit = mover.other if isinstance(step.move, Attack) else mover
        verb = "attack" if isinstance(step.move, Attack) else "defend"
        who = f"You {verb}" if to is mover else f"{names[mover]} {verb}s"
        has = "You have" if to is hit else f"{names[hit]} has"
        left = life_points(after.life[hit]) if after.life[hit] > 0 else "no life points left"
        if self.game.sudden_death(after):  # in one line: the table shows the equal life points
            return f"{who} with {step.move.digit}. Sudden Death! Now both choose a digit in secret."
        return f"{who} with {step.move.digit}. {has} {left}."

    def closing(self, state: Fight, outcome: Outcome, names: Names) -> str:
        lines = [f"{names[seat]}'s life points: {state.life[seat]}" for seat in Seat]
        return "\n".join(["Final Life Points:", *lines, "", self._verdict(state, outcome, names)])

    def verdict(self, state: Fight, outcome: Outcome, to: Seat | None, names: Names) -> str:
        winner = outcome.winner
        if winner is None:
            return f"{_in_a_row(state)}. The game is a draw."
        loser = winner.other
        if state.life[loser] <= 0:
            return f"{'You have' if to is loser else f'{names[loser]} has'} no life points left."
        who = "you" if to is winner else names[winner]
        if self.game.sudden_death(state):
            return f"{_in_a_row(state)}, and {who} went second."
        has = "You have" if to is winner else f"{who} has"
        return f"{has} more life points, {state.life[winner]} to {state.life[loser]}."

    def _verdict(self, state: Fight, outcome: Outcome, names: Names) -> str:
        winner = outcome.winner
        if winner is None:
            return f"{_in_a_row(state)}. The game is a draw."
        name = names[winner]
        if state.life[winner.other] <= 0:
            return f"{name} wins: {names[winner.other]} has no life points left."
        if self.game.sudden_death(state):
            return f"{name} wins: {_in_a_row(state)}, and {name} went second."
        return f"{name} wins with more life points."
