"""Compares our solvers with OpenSpiel's on the same rules, in the same run, and checks that values agree.

OpenSpiel is not a dependency of this project. It is installed once into a folder of the user's cache, and
this file runs again from there. Without access to a package registry the benchmark is skipped with a message.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib import import_module
from itertools import chain
from pathlib import Path
from time import process_time
from typing import Any, Generic

import numpy as np

from digit_duel.core.files import home_folder
from digit_duel.core.game import Game, M, S, Seat, T, V
from digit_duel.games._cards import Cards, FacingFull
from digit_duel.games._cards_table import Table
from digit_duel.games._placement import Placement

PEER = ("open_spiel==2.0.2", "cvxpy", "ecos")  # the last two are for its linear programmes
INSIDE = "DIGIT_DUEL_PEER"
ROOT = Path(__file__).parent.parent
PATIENCE = 120.0  # a time limit in seconds for each of OpenSpiel's figures
MIDDLE = ("9a1", "8b1")  # a position in the middle of classic
SAME = 1e-6  # values that differ by less are considered equal
GAPS = (1e-2, 1e-3)  # in winning probability

CHECK_EVERY = 10  # iterations; as our solver does

CLASSIC = Placement()
HANDS = {
    "0-2x2, hands of 2, must_keep": Cards(pool=(0, 1, 2) * 2, hand_size=2, facing_full=FacingFull(0)),
    "0-3x2, hands of 3, must_keep": Cards(pool=(0, 1, 2, 3) * 2, hand_size=3, facing_full=FacingFull(0)),
}


@dataclass(eq=False)
class Node(Generic[S, M]):
    """A state for OpenSpiel; every state is built once, so OpenSpiel hardly waits for our rules."""

    state: S
    name: str
    player: int  # a seat, or OpenSpiel's constant for chance or for a terminal state
    moves: dict[int, M]  # by action number
    chances: list[tuple[int, float]]
    score: float  # for the first seat, at the end
    info: tuple[str, str]
    after: dict[int, Node[S, M]] = field(default_factory=dict)

    def __deepcopy__(self, memo: object) -> Node[S, M]:
        return self  # OpenSpiel clones states by deep copies


class Nodes(Generic[S, M, V]):
    """The nodes of one of our games, built on demand."""

    def __init__(self, game: Game[S, M, V], over: Callable[[S], float | None], chance: int, end: int) -> None:
        self.game, self.over, self.words = game, over, (chance, end)
        self.ids = {(seat, move): at for seat in Seat for at, move in enumerate(game.moves(seat))}
        self.draws = {move: at for at, move in enumerate(game.draws())}
        self.found: dict[S, Node[S, M]] = {}
        self.views: dict[V, str] = {}

    def at(self, state: S) -> Node[S, M]:
        """The only node of a state."""
        if state not in self.found:
            self.found[state] = self._make(state)
        return self.found[state]

    def next(self, node: Node[S, M], action: int) -> Node[S, M]:
        """The node after an action."""
        if action not in node.after:
            node.after[action] = self.at(self.game.play(node.state, node.moves[action]))
        return node.after[action]

    def _make(self, state: S) -> Node[S, M]:
        chance, end = self.words
        views = [self.views.setdefault(self.game.view(state, s), str(len(self.views))) for s in Seat]
        player, score, moves, chances = end, self.over(state), {}, []
        if score is None and (draws := self.game.chance(state)):
            total = sum(weight for _, weight in draws)
            moves = {self.draws[move]: move for move, _ in draws}
            player, chances = chance, [(self.draws[move], weight / total) for move, weight in draws]
        elif score is None:
            (seat,) = self.game.acting(state)
            player, moves = seat, {self.ids[seat, move]: move for move in self.game.legal(state, seat)}
        name = str(len(self.found))
        info = (f"a{views[0]}", f"b{views[1]}")
        return Node(
            state, name, int(player), dict(sorted(moves.items())), sorted(chances), score or 0.0, info
        )


def spiel_type(spiel: Any, name: str, game: Game[S, M, V]) -> tuple[Any, Any]:
    """What OpenSpiel wants to know about a game in advance."""
    kind, hidden = spiel.GameType, bool(game.draws())
    type_ = kind(
        short_name=name, long_name=name, dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC if hidden else kind.ChanceMode.DETERMINISTIC,
        information=getattr(kind.Information, f"{'IM' if hidden else ''}PERFECT_INFORMATION"),
        utility=kind.Utility.ZERO_SUM, reward_model=kind.RewardModel.TERMINAL,
        max_num_players=2, min_num_players=2, provides_information_state_string=True,
        provides_information_state_tensor=False, provides_observation_string=True,
        provides_observation_tensor=False, provides_factored_observation_string=False,
    )  # fmt: skip
    about = spiel.GameInfo(
        num_distinct_actions=len(game.moves(Seat.FIRST)), max_chance_outcomes=len(game.draws()),
        num_players=2, min_utility=-1.0, max_utility=1.0, utility_sum=0.0, max_game_length=200,
    )  # fmt: skip
    return type_, about


def spiel_game(name: str, game: Game[S, M, V], over: Callable[[S], float | None], start: S) -> Any:
    """Register one of our games, from a state on, as an OpenSpiel game."""
    spiel: Any = import_module("pyspiel")
    type_, about = spiel_type(spiel, name, game)
    nodes = Nodes(game, over, int(spiel.PlayerId.CHANCE), int(spiel.PlayerId.TERMINAL))

    class Observer:
        def __init__(self) -> None:
            self.tensor, self.dict = np.zeros(0, np.float32), dict[str, Any]()  # only strings are used

        def set_from(self, state: State, player: int) -> None:
            pass

        def string_from(self, state: State, player: int) -> str:
            return state.node.info[player]

    class State(spiel.State):  # type: ignore[misc]  # imported by name, so untyped
        def __init__(self, game: Any) -> None:
            super().__init__(game)
            self.node = nodes.at(start)

        def current_player(self) -> int:
            return self.node.player

        def _legal_actions(self, player: int) -> list[int]:
            return list(self.node.moves)

        def chance_outcomes(self) -> list[tuple[int, float]]:
            return self.node.chances

        def _apply_action(self, action: int) -> None:
            self.node = nodes.next(self.node, action)

        def _action_to_string(self, player: int, action: int) -> str:
            return str(action)

        def is_terminal(self) -> bool:
            return self.node.player == nodes.words[1]

        def returns(self) -> list[float]:
            return [self.node.score, -self.node.score]

        def information_state_string(self, player: int | None = None) -> str:
            return self.node.info[self.node.player if player is None else player]

        def __str__(self) -> str:
            return self.node.name

    class Wrapped(spiel.Game):  # type: ignore[misc]  # as above
        def __init__(self, params: Any = None) -> None:
            super().__init__(type_, about, params or {})
            self.nodes = nodes

        def new_initial_state(self) -> State:
            return State(self)

        def make_py_observer(self, kind: Any = None, params: Any = None) -> Observer:
            return Observer()

    spiel.register_game(type_, Wrapped)
    return Wrapped()


def timed(work: Callable[..., T], *asked: object) -> tuple[T | None, float]:
    """The result of some work, or None if it takes too long, and its processor seconds."""

    def stop(*_: object) -> None:
        raise TimeoutError

    signal.signal(signal.SIGPROF, stop)
    begin = process_time()
    signal.setitimer(signal.ITIMER_PROF, PATIENCE)
    try:
        return work(*asked), process_time() - begin
    except TimeoutError:
        return None, process_time() - begin
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def times(ratio: float) -> str:
    """How many times longer OpenSpiel took, as text."""
    return f"{ratio:,.0f} x" if ratio >= 100 else f"{ratio:.2g} x"


def line(what: str, ours: tuple[str, float], peers: tuple[str, float | None]) -> str:
    """One figure: our time, OpenSpiel's, and how many times longer OpenSpiel took."""
    if peers[1] is None:
        theirs = f"OpenSpiel {peers[0]}: not done after {PATIENCE:.0f} s; over {times(PATIENCE / ours[1])}"
    else:
        theirs = f"OpenSpiel {peers[0]} {peers[1]:.3g} s; {times(peers[1] / ours[1])}"
    return f"{what}: {ours[0]} {ours[1]:.3g} s; {theirs}"


def game_size(game: Any) -> int:
    """How many states of a wrapped game OpenSpiel has visited."""
    return len(game.nodes.found)


def classic() -> Iterator[str]:
    """Compare values of classic, from a middle position and from the start."""
    from digit_duel.solve.general.tablebase import Tablebase
    from digit_duel.solve.placing.pooled import solve as solve_pooled

    minimax: Any = import_module("open_spiel.python.algorithms.minimax")
    tables: Any = import_module("open_spiel.python.algorithms.minimax_solver")
    value_iteration: Any = import_module("open_spiel.python.algorithms.value_iteration")

    def over(state: Any) -> float | None:
        outcome = CLASSIC.outcome(state)
        return None if outcome is None else float(outcome.score(Seat.FIRST))

    middle = CLASSIC.start()
    for text in MIDDLE:
        middle = CLASSIC.play(middle, CLASSIC.parse(middle, middle.to_move, text))
    pooled, pool_seconds = timed(solve_pooled, CLASSIC)
    assert pooled is not None
    for name, start in (("middle", middle), ("start", CLASSIC.start())):
        value = pooled.result(start)
        general, seconds = timed(Tablebase, CLASSIC, start)
        assert general is not None
        assert general.value(start).score == value
        title = f"classic from {'the start' if name == 'start' else ' '.join(MIDDLE)}"
        works: list[tuple[str, Callable[[Any], float]]] = [
            ("alpha-beta, this value alone", lambda game: float(minimax.alpha_beta_search(game)[0])),
            (
                "minimax table of every state",
                lambda game: float(tables.MinimaxSolver(str(game)).solve()["0"].value),
            ),
            (
                "value iteration of every state",
                lambda game: float(value_iteration.value_iteration(game, -1, 0.01)["0"]),
            ),
        ]
        for at, (what, work) in enumerate(works):
            game = spiel_game(f"classic_{name}_{at}", CLASSIC, over, start)
            found, peer = timed(work, game)
            assert found is None or found == value, (title, what, found, value)
            shown = None if found is None else peer
            every = f"{title}, value {value:+d}, distance and margin of {general.states:,} states"
            yield line(every, ("general solver", seconds), (what, shown))
            if name == "start":
                margins = f"{title}, exact margins of {pooled.states:,} states"
                yield line(margins, ("pooled solver", pool_seconds), (what, shown))


def cards(name: str, rules: Cards) -> Iterator[str]:
    """Compare equilibria of a round of a small game of cards, by CFR+ and by a linear programme."""
    from digit_duel.solve.cards.rounds import fresh_round
    from digit_duel.solve.keep_or_give import RoundSolution, payoffs, solve

    spiel: Any = import_module("pyspiel")
    programme: Any = import_module("open_spiel.python.algorithms.sequence_form_lp")

    def over(state: Table) -> float | None:
        if not rules.revealing(state.hands):
            return None
        first, second = (sorted(hand, reverse=True) for hand in state.hands)
        return float((first > second) - (first < second))  # a tie is half a win, in both solvers

    def ours(gap: float) -> RoundSolution:
        return solve(payoffs(fresh_round(rules)), target=gap, tie_value=0.5)

    def theirs(gap: float) -> tuple[int, Any]:
        solver, iterations = spiel.CFRPlusSolver(game), 0
        while True:
            for _ in range(CHECK_EVERY):
                solver.evaluate_and_update_policy()
            iterations += CHECK_EVERY
            # Its utilities range from -1 to 1, so its NashConv is twice ours, a winning probability.
            if spiel.nash_conv(game, solver.average_policy()) / 2 <= gap:
                return iterations, solver

    exact = ours(1e-10)
    game = spiel_game(f"cards_{name}", rules, over, rules.start())
    for gap in GAPS:
        mine, seconds = timed(ours, gap)
        assert mine is not None
        done, peer = timed(theirs, gap)
        told = f"CFR+, {done[0]} iterations" if done else "CFR+"
        if done:
            policy = done[1].average_policy()  # valid only as long as its solver lives
            average: float = spiel.expected_returns(game.new_initial_state(), policy, -1, False)[0]
            assert abs((1 + average) / 2 - exact.value) <= gap, (average, exact.value)
        yield line(
            f"cards, one round of {name}, {game_size(game):,} states, gap {gap:.0e}",
            (f"predictive CFR+, {mine.iterations} iterations", seconds),
            (told, peer if done else None),
        )
    solved, peer = timed(lambda: float(programme.solve_zero_sum_game(game)[0]))
    mine, seconds = timed(ours, 1e-9)
    assert mine is not None
    assert solved is None or abs((1 + solved) / 2 - exact.value) < SAME, (solved, exact.value)
    yield line(
        f"cards, one round of {name}, value {exact.value:.9f} of the starter",
        (f"predictive CFR+ to a gap of 1e-9, {mine.iterations} iterations", seconds),
        ("linear programme", None if solved is None else peer),
    )


def main() -> int:
    """Print every figure; raises if a value differs from OpenSpiel's."""
    if INSIDE not in os.environ:
        sys.path.insert(0, str(ROOT))  # for the package benchmarks.shared
        from benchmarks.shared.peers import run_inside

        excuse = f"OpenSpiel: skipped, because {PEER[0]} cannot be installed here"
        return run_inside(home_folder("cache") / "open_spiel", PEER, excuse, [__file__], {INSIDE: "1"})
    for figure in chain(classic(), *(cards(name, rules) for name, rules in HANDS.items())):
        print(figure, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
