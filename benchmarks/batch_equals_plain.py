"""Checks games on arrays against the plain games: a million random moves of each, under NumPy and JAX.

Version 1 is compared with the rules and an encoding defined in this file, version 2 with that of the
environments.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from importlib import import_module
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from digit_duel import games
from digit_duel.adapters.batch import Batch, batch_of
from digit_duel.adapters.interface.alphabet import alphabet, ranked_alphabet
from digit_duel.adapters.interface.encoding import encoding
from digit_duel.adapters.interface.version import Layout, VersionSettings, decisions
from digit_duel.core.decisions import Pending, rules_of
from digit_duel.core.game import Seat
from digit_duel.core.swap import AnySwapGame, Seated, Stage, SwapGame
from digit_duel.core.variant import AnyGame
from digit_duel.games._battle import Battle, Fight, Sealed
from digit_duel.games._cards import Cards
from digit_duel.games._cards_table import Sight, Table
from digit_duel.games._digits import distinct
from digit_duel.games._placement import Pick, Placement, Position

MOVES = 1_000_000
LANES = 1000
NAMESPACES = {"numpy": "numpy", "jax": "jax.numpy"}


def seen_position(game: Placement, view: Position, seat: Seat) -> list[int]:
    """The expected observation of a position, from the plain view."""
    boards = [-1 if digit is None else digit for s in (seat, seat.other) for digit in view.boards[s]]
    left = [view.pool.count(digit) for digit in distinct(game.pool)]
    drawn = [] if game.pick is Pick.CHOOSE else [-1 if view.drawn is None else view.drawn]
    return [int(seat), int(view.to_move is seat), *left, *boards, *drawn]


def seen_fight(game: Battle, view: Fight, seat: Seat) -> list[int]:
    """The expected observation of a battle, from the plain view."""
    last = (-1, -1) if view.last is None else (view.last[seat], view.last[seat.other])
    left = [view.pool.count(digit) for digit in distinct(game.pool)]
    sealed = view.picks[seat.other] is Sealed.SEALED
    sudden = int(game.sudden_death(view))
    life = (view.life[seat], view.life[seat.other])
    turn = int(view.to_move is seat)
    return [int(seat), turn, *life, *left, sudden, int(sealed), view.standoffs, *last]


def seen_table(game: Cards, view: Sight, seat: Seat) -> list[int]:
    """The expected observation of a table of cards, from the plain view."""
    sides = (seat, seat.other)
    cards = []
    for side in sides:
        hand = [-1 if digit is None else digit for digit in view.hands[side]]
        cards += hand + [-1] * (game.hand_size - len(hand))
    discards = [view.discards.count(digit) for digit in distinct(game.pool)]
    return [
        int(seat),
        int(view.to_move is seat),
        *cards,
        *(len(view.hands[side]) for side in sides),
        -1 if view.drawn is None else view.drawn,
        int(view.waiting),
        int(view.starter is seat),
        view.deck_size,
        *discards,
        *(view.wins[side] for side in sides),
        view.run_outs,
        view.thrown,
        *(int(view.arranged[side]) for side in sides),
    ]  # fmt: skip


def seen_seated(game: AnySwapGame, view: Seated[Any], seat: Seat) -> list[int]:
    """The expected observation of a game with the pie rule: its side's, and the state of the offer."""
    _, *inside = SEEN[type(game.game)](game.game, view.state, view.side(seat))
    return [int(seat), *inside, int(view.stage is Stage.NOW), int(view.swapped)]


SEEN: dict[type, Callable[[Any, Any, Seat], list[int]]] = {
    Placement: seen_position,
    Battle: seen_fight,
    Cards: seen_table,
    SwapGame: seen_seated,
}


class Difference(AssertionError):
    """The batch and the plain game disagree in some lane."""


class Referee:
    """Plays the plain games in parallel with a batch, and raises Difference at the first one."""

    def __init__(
        self, game: AnyGame, xp: Any, lanes: int, seed: int, version: int = 1, layout: str = "ask"
    ) -> None:
        self.lanes = lanes
        if version == 1:
            self.batch: Batch[Any] = batch_of(game, xp)
            self.game, self.alphabet = game, alphabet(game)
            self.seen = SEEN[type(game)]
        else:
            self.batch = batch_of(game, xp, version=version, layout=layout)
            self.game = decisions(game, VersionSettings(layout=Layout(layout)))
            self.alphabet, encoder = ranked_alphabet(self.game), encoding(game)
            self.seen = lambda _, view, seat: encoder.numbers(view, seat, ()).tolist()
        game = self.game
        jit: Callable[[Any], Any] = (lambda f: f) if xp is np else import_module("jax").jit
        self.play, self.step, self.legal = map(jit, (self.batch.play, self.batch.step, self.batch.legal))
        self.mover, self.draw = jit(self.batch.mover), jit(self.batch.random_move)
        self.eyes = [jit(lambda state, seat=seat: self.batch.observe(state, seat)) for seat in (*Seat, None)]
        self.state = self.batch.start(lanes, seed)
        self.dice = self.batch.dice(lanes, seed)
        self.plain = [self.drawn(game.start(), found) for found in self.batch.plain(self.state)]
        self.finished = 0

    def moves(self, count: int) -> None:
        """Make and compare this many moves in all."""
        for _ in range(-(-count // self.lanes)):
            self.move()

    def drawn(self, state: Any, found: Any) -> Any:
        """The plain state after the draw that the batch made, which must be a possible one."""
        if draws := self.game.chance(state):
            inside = found.state if isinstance(found, Seated) else found
            move = next((draw for draw, _ in draws if draw.digit == inside.drawn), None)
            self.same("a possible draw", True, move is not None, state)
            state = self.game.play(state, move)
        return state

    def move(self) -> None:
        """Make one random move in every lane, and compare everything."""
        game, before = self.game, self.plain
        movers = [game.acting(state)[0] for state in before]
        self.same("movers", movers, np.asarray(self.mover(self.state)).tolist(), before)
        legal = np.asarray(self.legal(self.state))
        expected = np.zeros_like(legal)
        for lane, (state, seat) in enumerate(zip(before, movers, strict=True)):
            expected[lane, self.alphabet.legal(state, seat)] = True
        self.same_arrays("legal moves", expected, legal, before)
        self.observations(before, movers)

        ids = self.draw(self.state, self.dice.word())
        self.dice = self.dice.next()
        chosen = np.asarray(ids)
        self.same("random choices", True, bool(legal[np.arange(self.lanes), chosen].all()), before)
        played, step = self.play(self.state, ids), self.step(self.state, ids)
        found = self.batch.plain(played)
        after = [
            self.drawn(game.play(state, self.alphabet.move(state, seat, at)), packed)
            for state, seat, at, packed in zip(before, movers, chosen.tolist(), found, strict=True)
        ]
        for state, packed in zip(after, found, strict=True):
            self.same("states", self.known(state), packed, state)
        outcomes = [game.outcome(state) for state in after]
        over = np.array([outcome is not None for outcome in outcomes])
        scores = [[outcome.score(seat) if outcome else 0 for seat in Seat] for outcome in outcomes]
        self.same_arrays("ends", over, np.asarray(self.batch.over(played)), after)
        self.same_arrays("returns", np.array(scores), np.asarray(self.batch.returns(played)), after)
        self.same_arrays("ends of steps", over, np.asarray(step.over), after)
        self.same_arrays("returns of steps", np.array(scores), np.asarray(step.returns), after)
        self.same(
            "what is over stays so", [], np.asarray(self.legal(played))[over].nonzero()[0].tolist(), after
        )

        # Games that go on are equal with and without automatic reset; the others are reset.
        renewed = self.batch.plain(step.state)
        for lane, ended in enumerate(over):
            if ended:
                after[lane] = self.drawn(game.start(), renewed[lane])
                self.finished += 1
            self.same("states after a reset", self.known(after[lane]), renewed[lane], after[lane])
        self.state, self.plain = step.state, after

    def observations(self, states: list[Any], movers: list[Seat]) -> None:
        """Compare the observations of both seats and of the mover."""
        first, second, mine = (np.asarray(eyes(self.state)) for eyes in self.eyes)
        for seat, found in ((Seat.FIRST, first), (Seat.SECOND, second)):
            wanted = [self.seen(self.game, self.game.view(state, seat), seat) for state in states]
            self.same_arrays("observations", np.array(wanted), found, states)
        own = np.where(np.array(movers)[:, None] == 0, first, second)
        self.same_arrays("observations of the mover", own, mine, states)

    def known(self, state: Any) -> Any:
        """A plain state without the history that a batch does not keep."""
        if isinstance(state, Pending):
            state = rules_of(self.game).play(state.state, state.move)
        return _forgetful(state) if isinstance(state, Table) else state

    def same(self, what: str, expected: object, found: object, state: object) -> None:
        """Raise Difference if two values differ."""
        if expected != found:
            raise Difference(f"{what}: plain {expected}, batch {found}, at {state}")

    def same_arrays(self, what: str, expected: NDArray[Any], found: NDArray[Any], states: list[Any]) -> None:
        """Raise Difference if two arrays differ, naming the first lane that does."""
        if not np.array_equal(expected, found):
            if expected.shape != found.shape:
                raise Difference(f"{what}: plain {expected.shape}, batch {found.shape}")
            lane = int(np.argwhere(expected != found)[0][0])
            raise Difference(f"{what}: plain {expected[lane]}, batch {found[lane]}, at {states[lane]}")


def _forgetful(table: Table) -> Table:
    return Table(
        table.deck, table.starter, table.to_move, table.hands, table.discards, table.drawn, table.numbers,
        table.wins, table.run_outs, table.thrown,
    )  # fmt: skip


def main() -> int:
    """Compare every game under both libraries; the exit code tells whether all agree."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=MOVES, help="moves per game and namespace")
    parser.add_argument("--game", choices=games.ids(), action="append", help="only this game")
    parser.add_argument("--set", action="append", default=[], metavar="OPTION=VALUE", help="change a rule")
    parser.add_argument("--with", dest="on", choices=NAMESPACES, action="append", help="only this library")
    parser.add_argument("--version", type=int, choices=(1, 2), action="append", help="only this version")
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    missed = 0
    for id, name, version in product(
        wanted.game or games.ids(), wanted.on or NAMESPACES, wanted.version or (1, 2)
    ):
        options = dict(one.split("=") for one in wanted.set)
        begin, game = time.perf_counter(), games.variant(id).customised(options).game
        referee = Referee(game, import_module(NAMESPACES[name]), LANES, wanted.seed, version)
        try:
            referee.moves(wanted.moves)
        except Difference as difference:
            print(f"{id} v{version}, {name}: {difference}; goal no difference: MISSED", flush=True)
            missed = 1
            continue
        print(
            f"{id} v{version}, {name}: {wanted.moves:,} moves, {referee.finished:,} games, no difference; "
            f"{time.perf_counter() - begin:.0f} s; goal no difference: reached",
            flush=True,
        )
    return missed


if __name__ == "__main__":
    sys.exit(main())
