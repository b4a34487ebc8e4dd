"""The figures on the page of battle."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from math import prod
from typing import Any

import numpy as np
from tools.game_pages.markdown import Row, code, paragraph, percent, signed, table
from tools.game_pages.open_games import best_play, replies, winning, won_table

from digit_duel.core.game import Seat
from digit_duel.games import catalogue
from digit_duel.games._battle import Battle, Fight
from digit_duel.solve.families import oracle
from digit_duel.solve.general.graph import explore
from digit_duel.solve.general.tablebase import Tablebase
from digit_duel.solve.oracle import options
from digit_duel.solve.value import Score

Levels = list[dict[Fight, int]]


@cache
def every_level() -> Levels:
    """By ply, every state with the number of sequences that lead to it, up to the end of the pool."""
    game = catalogue()["battle"].game_as(Battle)
    levels: Levels = [{game.start(): 1}]
    for _ in game.pool:
        after: dict[Fight, int] = {}
        for state, ways in levels[-1].items():
            for seat in game.acting(state):
                for move in game.legal(state, seat):
                    reached = game.play(state, move)
                    after[reached] = after.get(reached, 0) + ways
        levels.append(after)
    return levels


@cache
def results(tied: int) -> list[dict[Fight, int]]:
    """By ply, the result of every state by plain minimax, with a given score for a tie after the pool."""
    game = catalogue()["battle"].game_as(Battle)
    solved: list[dict[Fight, int]] = [{}]
    for level in reversed(every_level()):
        here = {}
        for state in level:
            if outcome := game.outcome(state):
                here[state] = outcome.score(Seat.FIRST)
            elif not state.pool:
                here[state] = tied
            else:
                best = max if state.to_move is Seat.FIRST else min
                moves = game.legal(state, state.to_move)
                here[state] = best(solved[0][game.play(state, move)] for move in moves)
        solved.insert(0, here)
    return solved[:-1]


def tied_ends() -> list[Fight]:
    """The states in which sudden death begins."""
    game = catalogue()["battle"].game_as(Battle)
    return sorted((s for s in every_level()[-1] if game.sudden_death(s)), key=lambda state: state.life)


@cache
def sudden_states() -> frozenset[Fight]:
    """Every state of sudden death, its ends included."""
    game = catalogue()["battle"].game_as(Battle)
    return frozenset(state for tie in tied_ends() for state in explore(game, tie).states)


def size() -> str:
    """States and sequences by ply, and sudden death."""
    levels = every_level()
    rows: list[Row] = [[ply, len(level), sum(level.values())] for ply, level in enumerate(levels)]
    states, sequences = sum(map(len, levels)), sum(sum(level.values()) for level in levels)
    ends = tied_ends()
    ways = sum(levels[-1][end] for end in ends)
    more = len(sudden_states()) - len(ends)
    return "\n\n".join(
        [
            table(["ply", "states", "sequences of moves"], [*rows, ["all", states, sequences]]),
            paragraph(
                f"This is up to the end of the pool. Of the sequences, {ways:,} end there with equal life "
                f"points, in {len(ends)} different states. Sudden death, which follows, can last any number "
                f"of moves, but with the stand-off limit of 10 it has only {more:,} more states. That makes "
                f"{states + more:,} in all."
            ),
        ]
    )


def value() -> str:
    """Who wins, with which openings, and by how much."""
    game = catalogue()["battle"].game_as(Battle)
    knows, start = oracle(game), game.start()
    wins, of = winning(game, knows, start)
    assert wins == openings(-1, 1)  # the plain minimax here says the same
    found = {game.text(option.move): option.margin for option in options(game, knows, start, Seat.FIRST)}
    worth = knows.value(start)
    digits = sorted(game.pool, reverse=True)
    rows = [[digit, signed(found[f"x{digit}"]), signed(found[f"+{digit}"])] for digit in digits]
    return "\n\n".join(
        [
            paragraph(
                f"The first player wins, with {len(wins)} of {of} opening moves: {code(wins)}. With best "
                f"play it takes all {worth.distance} digits, and the first player ends {worth.margin} life "
                f"points ahead: {best_play(game, knows)}."
            ),
            paragraph("The difference in life points at the end, with best play after each opening:"),
            table(["digit", "attack", "defend"], rows),
        ]
    )


def sudden_death() -> str:
    """Who wins sudden death, with and without the limit."""
    game = catalogue()["battle"].game_as(Battle)
    ends, knows = tied_ends(), oracle(game)
    assert {knows.value(end).score for end in ends} == {-1}
    for end in ends:
        answered = game.play(
            end, game.legal(end, Seat.SECOND)[-1]
        )  # the highest digit, whatever the first does
        after = [game.play(answered, move) for move in game.legal(answered, Seat.FIRST)]
        assert all(knows.value(state).score == -1 for state in after)
    assert endless_sudden() == {0}
    wins, drawing = openings(0, 1), openings(0, 0)
    same = "with the same openings" if wins == openings(-1, 1) else f"with {code(wins)}"
    draws = f"{code(drawing)} would then draw" if drawing else "and no opening draws"
    free, limited = results(0), results(-1)
    changed = sum(
        one[state] != other[state] for one, other in zip(free, limited, strict=True) for state in one
    )
    return paragraph(
        f"Sudden death begins in one of {len(ends)} states, with {ends[0].life[0]} to {ends[-1].life[0]} "
        "life points each. With the stand-off limit the second player wins all of them, by choosing 5 every "
        "time. With `standoff_limit=none` all of them are draws: both choose 5 without end. With best play "
        f"the limit makes no difference to the whole game: without it the first player still wins, {same}, "
        f"{draws}. It changes the result of {changed:,} of the {sum(map(len, free)):,} states."
    )


def openings(tied: int, worth: int) -> list[str]:
    """The openings with this result for the first seat, with a given score for a tie."""
    game = catalogue()["battle"].game_as(Battle)
    start, after = game.start(), results(tied)[1]
    return [
        game.text(move) for move in game.legal(start, Seat.FIRST) if after[game.play(start, move)] == worth
    ]


def endless_sudden() -> set[Score]:
    """The values of the tied states without a stand-off limit."""
    game = catalogue()["battle"].customised({"standoff_limit": "none"}).game_as(Battle)
    # Without a limit it makes no difference that there has been a reveal, so one solve covers most of them.
    ends = [replace(end, last=(0, 0)) for end in tied_ends()]
    solved: Tablebase[Any, Any] = Tablebase(game, ends[-1])
    return {(solved if end in solved else Tablebase(game, end)).value(end).score for end in ends}


def random_sudden(game: Battle) -> dict[Fight, float]:
    """The first seat's chance to win sudden death with random digits, from any life points."""
    lives = [(one, two) for one in range(1, game.max_life + 1) for two in range(1, game.max_life + 1)]
    number = {life: at for at, life in enumerate(lives)}
    pairs, equal = len(game.sudden) ** 2, len(game.sudden)
    assert game.standoff_limit is not None
    stay = equal / pairs
    again = sum(stay**n for n in range(game.standoff_limit))  # the reveals until one differs
    matrix, gains = np.eye(len(lives)), np.zeros(len(lives))
    for life, at in number.items():
        state = Fight(life, (), Seat.FIRST, last=(0, 0))
        for one, two in product(*(game.legal(state, seat) for seat in Seat)):
            after = game.play(game.play(state, one), two)
            if after.standoffs:
                continue
            if outcome := game.outcome(after):
                gains[at] += again / pairs * (outcome.winner is Seat.FIRST)
            else:
                matrix[at, number[after.life]] -= again / pairs
    chances = np.linalg.solve(matrix, gains)
    return {Fight(life, (), Seat.FIRST): float(chances[at]) for life, at in number.items()}


def balance() -> str:
    """How often the player to move wins, and what happens in random play."""
    game = catalogue()["battle"].game_as(Battle)
    levels, solved = every_level(), results(-1)
    rows = []
    decided: dict[Seat, Fraction] = dict.fromkeys(Seat, Fraction(0))
    knocked, sudden, first_later = Fraction(0), Fraction(0), 0.0
    chances = random_sudden(game)
    for ply, level in enumerate(levels):
        inplay = [state for state in level if state.pool and not game.outcome(state)]
        mine = 1 if ply % 2 == 0 else -1
        if inplay:
            rows.append((ply, len(inplay), sum(solved[ply][state] == mine for state in inplay)))
        each = Fraction(1, prod(2 * (len(game.pool) - n) for n in range(ply)))
        for state, ways in level.items():
            if outcome := game.outcome(state):
                assert outcome.winner is not None
                decided[outcome.winner] += ways * each
                knocked += ways * each if outcome.reason == "no life points left" else 0
            elif not state.pool:
                sudden += ways * each
                first_later += float(ways * each) * chances[Fight(state.life, (), Seat.FIRST)]
    assert sum(decided.values()) + sudden == 1
    total, won = (sum(row[part] for row in rows) for part in (1, 2))
    first = float(decided[Seat.FIRST]) + first_later
    return "\n\n".join(
        [
            paragraph(
                f"In {won:,} of the {total:,} states in play ({percent(won, total)}) the player to move "
                f"wins. {replies(game, oracle(game))}"
            ),
            won_table(rows),
            paragraph(
                f"When both move at random, the first player wins {100 * first:.2f}% of games. "
                f"{percent(knocked)} end with a player at zero or below before sudden death, and "
                f"{percent(sudden)} come to sudden death (exactly {sudden})."
            ),
        ]
    )
