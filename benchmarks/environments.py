"""Moves per second of the environments, compared with the libraries' own games in the same run.

The other libraries are not dependencies of this project. They are installed once into a folder of the user's
cache, and this file runs again from there. Without access to a package registry the benchmark is skipped with
a message.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

from digit_duel import games
from digit_duel.core.files import home_folder

PEERS = ("open_spiel==2.0.2", "pettingzoo==1.27.0", "gymnasium==1.4.0", "pygame-ce==2.5.8")
INSIDE = "DIGIT_DUEL_ENVIRONMENTS"
ROOT = Path(__file__).parent.parent
SECONDS = 1.0  # processor time for each figure and round
Playout = Callable[[], int]  # plays one game, and returns the number of its moves


def zoo_playout(env: Any, rng: Random) -> Playout:
    """A random game in PettingZoo, played as in its documentation."""

    def play() -> int:
        moves = 0
        env.reset(seed=rng.getrandbits(32))
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            (legal,) = observation["action_mask"].nonzero()
            env.step(legal[int(rng.random() * len(legal))])
            moves += 1
        return moves

    return play


def spiel_playout(game: Any, rng: Random) -> Playout:
    """A random game in OpenSpiel; chance moves count, and a simultaneous choice counts as two moves."""

    def play() -> int:
        moves, state = 0, game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, chances)[0])
                moves += 1
            elif state.is_simultaneous_node():
                state.apply_actions([rng.choice(state.legal_actions(player)) for player in range(2)])
                moves += 2
            else:
                state.apply_action(rng.choice(state.legal_actions()))
                moves += 1
        return moves

    return play


def gym_playout(env: Any, rng: Random) -> Playout:
    """A random game in Gymnasium, against the computer."""

    def play() -> int:
        _, info = env.reset(seed=rng.getrandbits(32))
        moves, over = 0, False
        while not over:
            (legal,) = info["action_mask"].nonzero()
            _, _, over, _, info = env.step(legal[int(rng.random() * len(legal))])
            moves += 1
        return moves

    return play


def rate(play: Playout, seconds: float) -> float:
    """Moves per second of processor time, because the machine may be busy."""
    play()
    moves, begin = 0, process_time()
    while (spent := process_time() - begin) < seconds:
        moves += play()
    return moves / spent


def best(playouts: dict[str, Playout], rounds: int) -> dict[str, float]:
    """The best rate of every figure, measured in turns, so that a busy spell affects all alike."""
    found = dict.fromkeys(playouts, 0.0)
    for _ in range(rounds):
        for name, play in playouts.items():
            found[name] = max(found[name], rate(play, SECONDS))
    return found


def zoo(rounds: int) -> bool:
    """Measure PettingZoo; returns whether every game is faster than its tictactoe."""
    ours, peer = (
        import_module("digit_duel.adapters.pettingzoo"),
        import_module("pettingzoo.classic.tictactoe_v3"),
    )
    playouts = {"tictactoe_v3.env()": zoo_playout(peer.env(), Random(0))}
    playouts["tictactoe_v3.raw_env()"] = zoo_playout(peer.raw_env(), Random(0))
    names = {id: f"{id}_v1.env()" for id in games.ids()}
    playouts |= {
        name: zoo_playout(getattr(ours, name.removesuffix(".env()")).env(), Random(0))
        for name in names.values()
    }
    found = best(playouts, rounds)
    goal = found["tictactoe_v3.env()"]
    for name, moves in found.items():
        told = (
            f", goal {goal:,.0f}: {'reached' if moves > goal else 'MISSED'}" if name in names.values() else ""
        )
        print(f"PettingZoo {name:<24} {moves:>9,.0f} moves a second, {moves / goal:.2f} x tictactoe{told}")
    return all(found[name] > goal for name in names.values())


def spiel(rounds: int) -> None:
    """Measure OpenSpiel: our games, one of its games in Python and some in C++."""
    import_module("open_spiel.python.games")
    import_module("digit_duel.adapters.openspiel")
    load = import_module("pyspiel").load_game
    peers = ("python_tic_tac_toe", "tic_tac_toe", "connect_four", "leduc_poker")
    names = (*peers, *(f"digit_duel_{id}" for id in games.ids()))
    found = best({name: spiel_playout(load(name), Random(0)) for name in names}, rounds)
    for name, moves in found.items():
        ratio = moves / found[peers[0]]
        print(f"OpenSpiel  {name:<24} {moves:>9,.0f} moves a second, {ratio:.2f} x {peers[0]}")


def gym(rounds: int) -> None:
    """Measure Gymnasium: one seat against the random computer, with and without exact regrets."""
    duel = import_module("digit_duel.adapters.gymnasium").Duel
    playouts = {
        f"{id}, {told}": gym_playout(duel(id, level="random", regret=regret), Random(0))
        for id in games.ids()
        for regret, told in ((False, "no regret"), (True, "regret"))
    }
    for name, moves in best(playouts, rounds).items():
        print(f"Gymnasium  {name:<24} {moves:>9,.0f} moves a second")


def main() -> int:
    """Print every figure; fail if one of our games is slower than PettingZoo's tictactoe."""
    if INSIDE not in os.environ:
        sys.path.insert(0, str(ROOT))  # for the package benchmarks.shared
        from benchmarks.shared.peers import run_inside

        excuse = "PettingZoo and OpenSpiel: skipped, because they cannot be installed here"
        variables = {INSIDE: "1", "PYGAME_HIDE_SUPPORT_PROMPT": "1"}
        call = [__file__, *sys.argv[1:]]
        return run_inside(home_folder("cache") / "environments", PEERS, excuse, call, variables)
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3, help="how often each figure is measured")
    rounds = parser.parse_args().rounds
    ahead = zoo(rounds)
    spiel(rounds)
    gym(rounds)
    return int(not ahead)


if __name__ == "__main__":
    sys.exit(main())
