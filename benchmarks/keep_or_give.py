"""Cards: the time to solve and certify a round, the shipped tables, and the time to answer queries."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from importlib.resources import files
from itertools import chain
from random import Random
from statistics import median
from time import perf_counter, process_time

from digit_duel.core.game import Seat
from digit_duel.games._cards import Cards, FacingFull, Visibility
from digit_duel.games._cards_table import Sight
from digit_duel.solve.cards.odds import odds
from digit_duel.solve.cards.rounds import MOST_CAP, fresh_round, shipped
from digit_duel.solve.keep_or_give import (
    Payoffs,
    Profile,
    after_tie,
    certify,
    payoffs,
    quantise,
    refine,
    solve_again,
    tied_hands,
)
from digit_duel.solve.keep_or_give.strategy import FINE, PURE

GAMES = {"discard": Cards(), "must_keep": Cards(facing_full=FacingFull(0))}
MARKS = (1e-6, 1e-9)
PROVEN = {"discard": Fraction(0), "must_keep": Fraction(1, 10**9)}
SOLVE_SECONDS = {("must_keep", 1e-6): 10.0, ("must_keep", 1e-9): 120.0}
LOAD_MS, REPLY_MS = 300.0, 50.0
ROUNDS = 60  # random rounds, in which the odds of every choice are asked for
REPLAYS = 30  # one in this many of the hands that can tie

# From a running interpreter to the first answer, including loading NumPy and the table.
FIRST_ANSWER = """
from time import perf_counter, process_time
from digit_duel.core.game import Seat
from digit_duel.games._cards import Cards, FacingFull, Visibility
game = Cards(facing_full=FacingFull({most}), visibility=Visibility("{visibility}"))
state = game.play(game.start(), game.chance(game.start())[6][0])
begin, cpu = perf_counter(), process_time()
from digit_duel.solve.cards.odds import odds
odds(game, game.view(state, Seat.FIRST))
print(1000 * (perf_counter() - begin), 1000 * (process_time() - cpu))
"""


def goal(reached: bool, text: str) -> str:
    """A goal, and whether it was reached."""
    return f"goal {text}: {'reached' if reached else 'MISSED'}"


def in_time(rule: str, gap: float, seconds: float) -> str:
    """The goal for reaching a gap, if there is one."""
    limit = SOLVE_SECONDS.get((rule, gap))
    return "" if limit is None else f"; {goal(seconds <= limit, f'{limit:.0f} s')}"


def solving(rule: str) -> Iterator[str]:
    """Solve from scratch, reporting when each gap is reached, until a quantised table is proven."""
    begin, cpu, marks = perf_counter(), process_time(), list(MARKS)
    exact = payoffs(fresh_round(GAMES[rule]))
    for solution in refine(exact):
        seconds = perf_counter() - begin
        while marks and solution.gap <= marks[0]:
            mark = marks.pop(0)
            yield (
                f"cards {rule}, gap {mark:.0e}: {seconds:.2f} s ({process_time() - cpu:.2f} s of processor), "
                f"{solution.iterations} iterations, value {solution.value:.12f}{in_time(rule, mark, seconds)}"
            )
        if not marks:
            proof = proven(exact, rule, solution.profile)
            if proof is not None:
                total = perf_counter() - begin
                yield f"{proof}; {total:.2f} s from the start{in_time(rule, MARKS[-1], total)}"
                return
        if solution.iterations >= 5_000:
            yield f"cards {rule}: no certificate after {solution.iterations} iterations, MISSED"
            return


def proven(exact: Payoffs, rule: str, profile: Profile) -> str | None:
    """The exact certificate of a quantised solution, if it is good enough."""
    begin = perf_counter()
    scale = PURE if rule == "discard" else FINE
    proof = certify(exact, quantise(exact.round, profile, scale))
    if proof.nash_conv > PROVEN[rule]:
        return None
    return (
        f"cards {rule}, exact proof in fractions: NashConv {float(proof.nash_conv):.2g} "
        f"({'exactly 0' if not proof.nash_conv else 'a fraction above 0'}), starter wins at least "
        f"{float(proof.low):.12f}, table in parts of {scale}, {perf_counter() - begin:.2f} s for the proof"
    )


def shipping(rule: str) -> Iterator[str]:
    """The shipped tables: size, certificate, time to the first answer."""
    game = GAMES[rule]
    size = len(files("digit_duel.solve").joinpath("tables", f"{rule}.kog").read_bytes())
    table = shipped(fresh_round(game))
    assert table is not None
    begin = perf_counter()
    proof = certify(payoffs(table.round), table)
    reached = proof.nash_conv <= PROVEN[rule]
    yield (
        f"cards {rule}, shipped table: {size:,} bytes, NashConv {float(proof.nash_conv):.2g} "
        f"proven in {perf_counter() - begin:.2f} s; {goal(reached, f'at most {float(PROVEN[rule]):g}')}"
    )
    times, busy = first_answers(game)
    yield (
        f"cards {rule}, first answer of a new process, loading NumPy and the table: "
        f"median {median(times):.0f} ms, best {min(times):.0f} ms ({min(busy):.0f} ms of processor); "
        f"{goal(median(times) <= LOAD_MS, f'{LOAD_MS:.0f} ms')}"
    )


def first_answers(game: Cards) -> tuple[list[float], list[float]]:
    """The times to the first answer of five new processes, and their processor times, in milliseconds."""
    code = FIRST_ANSWER.format(most=game.facing_full.most, visibility=game.visibility)
    runs = [subprocess.check_output([sys.executable, "-c", code], text=True).split() for _ in range(5)]
    return [float(run[0]) for run in runs], [float(run[1]) for run in runs]


def capped() -> Iterator[str]:
    """The time to the first answer under every cap that is solved, with private and open hands."""
    for visibility in Visibility:
        for most in range(1, MOST_CAP + 1):
            _times, busy = first_answers(Cards(facing_full=FacingFull(most), visibility=visibility))
            yield (
                f"cards cap:{most}, {visibility} hands, first answer of a new process: "
                f"{min(busy):.0f} ms of processor; {goal(min(busy) <= LOAD_MS, f'{LOAD_MS:.0f} ms')}"
            )


def sights(game: Cards, rounds: int) -> Iterator[Sight]:
    """Every decision in some random first rounds, as the deciding seat sees it."""
    rng = Random(0)
    for _ in range(rounds):
        state = game.start()
        while not game.revealing(state.hands):
            if draws := game.chance(state):
                moves = [move for move, _ in draws]
                state = game.play(state, rng.choices(moves, [weight for _, weight in draws])[0])
            else:
                yield game.view(state, state.to_move)
                state = game.play(state, rng.choice(game.legal(state, state.to_move)))


def asking(rule: str) -> Iterator[str]:
    """The time for one answer, once the table is loaded."""
    game, times = GAMES[rule], []
    odds(game, game.view(game.play(game.start(), game.chance(game.start())[0][0]), Seat.FIRST))
    for sight in sights(game, ROUNDS):
        begin = perf_counter()
        odds(game, sight)
        times.append(1000 * (perf_counter() - begin))
    yield (
        f"cards {rule}, one answer of {len(times)}: median {median(times):.2f} ms, max {max(times):.1f} ms; "
        f"{goal(median(times) <= REPLY_MS, f'{REPLY_MS:.0f} ms')}"
    )


def replaying(rule: str) -> Iterator[str]:
    """The accuracy and time of solving the cards left after a tie."""
    table = shipped(fresh_round(GAMES[rule]))
    assert table is not None
    tie, times, gaps = float(certify(payoffs(table.round), table).low), [], []
    for hand in list(tied_hands(table.round))[::REPLAYS]:
        begin = perf_counter()
        gaps.append(solve_again(after_tie(table.round, hand), table.profile(), ties=(tie, tie)).gap)
        times.append(perf_counter() - begin)
    yield (
        f"cards {rule}, a replay's deck solved again: median {median(times):.2f} s, "
        f"gap median {median(gaps):.1e}, max {max(gaps):.1e} over {len(gaps)} decks, "
        f"a further tie taken to be worth {tie:.4f}"
    )


def main() -> int:
    """Print every figure; the exit code tells whether every goal was reached."""
    missed = False
    parts = [part(rule) for rule in GAMES for part in (solving, shipping, asking, replaying)]
    for line in chain(*parts, capped()):
        print(line, flush=True)
        missed |= "MISSED" in line
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
