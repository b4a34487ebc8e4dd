"""OpenSpiel's Monte Carlo tree search against the perfect computer, and the regret of each of its moves.

    python examples/mcts_against_perfect.py            classic, up to 1,000 simulations a move; a few minutes
    python examples/mcts_against_perfect.py --short    a few games with few simulations; a few seconds

The search is OpenSpiel's own, unchanged, on the OpenSpiel version of the game. Moves are passed between the
two versions in notation, and the solver computes the regret of the search's moves.
"""

from __future__ import annotations

import argparse
from random import Random
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts

import digit_duel.adapters.openspiel  # noqa: F401  # registers the games
from digit_duel import solve
from digit_duel.bots import LEVELS
from digit_duel.core.game import Seat
from digit_duel.games import variant

CLASSIC = variant("classic")
GAME: Any = CLASSIC.game
SPIEL = pyspiel.load_game("digit_duel_classic")


def searcher(simulations: int, seed: int) -> Any:
    """The search with the given number of simulations per move, each played out at random."""
    rng = np.random.RandomState(seed)
    evaluator = mcts.RandomRolloutEvaluator(n_rollouts=1, random_state=rng)
    return mcts.MCTSBot(SPIEL, 1.4, simulations, evaluator, solve=False, random_state=rng)


def duel(search_seat: Seat, simulations: int, seed: int) -> tuple[int, int]:
    """The search's score in one game against the perfect computer, and the total regret of its moves."""
    search = searcher(simulations, seed)
    perfect = LEVELS["perfect"](CLASSIC, search_seat.other, Random(seed))
    theirs, ours, lost = SPIEL.new_initial_state(), GAME.start(), 0
    while not theirs.is_terminal():
        seat = Seat(theirs.current_player())
        if seat is search_seat:
            action = search.step(theirs)
            move = GAME.parse(ours, seat, theirs.action_to_string(action))
            lost += int(solve.regret(GAME, ours, seat, move))
        else:
            move = perfect.choose(GAME.view(ours, seat), GAME.legal(ours, seat))
            action = theirs.string_to_action(GAME.text(move))
        theirs.apply_action(action)
        ours = GAME.play(ours, move)
    return int(theirs.returns()[search_seat]), lost


def main() -> None:
    """Play from both seats with an increasing number of simulations."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--short", action="store_true", help="fewer games, fewer simulations")
    chosen = parser.parse_args()
    games = 4 if chosen.short else 20
    print("simulations  seat      wins  given away per game")
    for simulations in (5, 50) if chosen.short else (10, 100, 1_000):
        for seat in Seat:
            results = [duel(seat, simulations, seed) for seed in range(games)]
            wins, lost = sum(score == 1 for score, _ in results), sum(lost for _, lost in results)
            print(f"{simulations:11,}  {seat.name.lower():6}  {wins:3}/{games:<3} {lost / games:.2f}")
            # The first seat wins with best play. The perfect computer never loses that win, and the search
            # keeps it if, and only if, none of its moves has regret.
            for score, lost in results:
                assert (score == 1) == (seat is Seat.FIRST and lost == 0), (score, lost)


if __name__ == "__main__":
    main()
