"""The figures on the pages of classic, reverse and sabotage."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from functools import cache
from math import factorial, perm
from pathlib import Path

import numpy as np
from tools.game_pages.counting import words
from tools.game_pages.markdown import Row, code, paragraph, percent, signed, table
from tools.game_pages.open_games import best_play, replies, winning, won_table

from digit_duel.core.game import Seat
from digit_duel.games import catalogue
from digit_duel.games._placement import Place, Placement, Reach
from digit_duel.solve.families import oracle
from digit_duel.solve.oracle import options
from digit_duel.solve.placing import packed, pooled
from digit_duel.solve.placing.slots import Slots, score
from digit_duel.solve.placing.solver import placing_table

TABLES = Path(__file__).parents[2] / "src" / "digit_duel" / "solve" / "tables"


@cache
def first_wins(game: Placement) -> tuple[int, ...]:
    """By ply, how many states the first seat has won; from the packed sweep, which visits every state."""
    slots, solved = Slots(game), packed.solve(game)
    _compare(game, solved)
    found = []
    for filled in range(slots.count):
        wins = 0
        for mask in slots.masks(filled):
            cells = solved.cubes[mask]
            wins += int(np.count_nonzero(cells > 0)) - int(
                np.count_nonzero(cells == np.iinfo(cells.dtype).max)
            )
            if score(game, 0) == 1:
                wins += int(np.count_nonzero(cells == 0))
        found.append(wins)
    # Swapping the boards swaps the winner, so each seat wins half of the full boards that differ.
    full, ties = slots.fillings(slots.count), equal_boards(game)
    found.append((full - ties) // 2 + (ties if score(game, 0) == 1 else 0))
    return tuple(found)


def _compare(game: Placement, solved: packed.PackedTable) -> None:
    """Check that the sweep and the shipped table agree on the first states; the tests compare all."""
    known, start = placing_table(game), game.start()
    states = [start, *(game.play(start, move) for move in game.legal(start, Seat.FIRST))]
    assert all(known.value(state) == solved.value(state) for state in states)
    assert known.states == solved.states


def equal_boards(game: Placement) -> int:
    """The number of ways in which full boards can show the same number."""
    halves = [game.pool.count(digit) // 2 for digit in sorted(set(game.pool))]
    return words(halves, game.places)


def sequences_of(game: Placement, ply: int) -> int:
    """The number of move sequences of a length: the digits in order, times the places in order."""
    places = game.places
    if game.reach is Reach.ANY:
        return Slots(game).fillings(ply) * perm(2 * places, ply)
    return Slots(game).fillings(ply) * perm(places, (ply + 1) // 2) * perm(places, ply // 2)


def random_tie(game: Placement) -> Fraction:
    """The probability that random play ends in equal numbers."""
    copies = set(Counter(game.pool).values())
    if copies == {1}:
        return Fraction(0)
    assert copies == {2}  # what follows is for pairs
    # The digit of a random move is independent of its slot: a tie means that all digits come in pairs, and
    # that every pair lands in matching slots.
    chance = {
        (len(set(game.pool)), 0): Fraction(1)
    }  # by how many digits have two copies left, and how many one
    for _ in range(2 * game.places):
        after: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
        for (twos, ones), likely in chance.items():
            after[twos - 1, ones + 1] += likely * Fraction(twos, twos + ones)
            if ones:
                after[twos, ones - 1] += likely * Fraction(ones, twos + ones)
        chance = dict(after)
    paired = sum((likely for (_, ones), likely in chance.items() if not ones), Fraction(0))
    return paired * Fraction(factorial(game.places) * 2**game.places, factorial(2 * game.places))


def size(id: str) -> str:
    """States and sequences by ply, and the size of the table."""
    game = catalogue()[id].game_as(Placement)
    slots = Slots(game)
    states = [slots.mask_count(ply) * slots.fillings(ply) for ply in range(slots.count + 1)]
    sequences = [sequences_of(game, ply) for ply in range(slots.count + 1)]
    rows: list[Row] = [[ply, *row] for ply, row in enumerate(zip(states, sequences, strict=True))]
    assert sum(states) == slots.states
    shipped = (TABLES / f"{id}.ddpt").stat().st_size
    return "\n\n".join(
        [
            table(["ply", "states", "sequences of moves"], [*rows, ["all", sum(states), sum(sequences)]]),
            paragraph(
                f"The shipped table covers all of them with {pooled.fits(game).cells:,} cells, in a file of "
                f"{shipped:,} bytes."
            ),
        ]
    )


def value(id: str) -> str:
    """Who wins, how, and by how much after every opening."""
    game = catalogue()[id].game_as(Placement)
    knows, start = oracle(game), game.start()
    worth = knows.value(start)
    wins, of = winning(game, knows, start)
    if worth.score == 1:
        number = "exactly one" if len(wins) == 1 else f"{len(wins)}"
        said = f"The first player wins, with {number} of {of} opening moves: {code(wins)}."
    else:
        said = f"The second player wins: none of the {of} opening moves wins."
    apart = f"{abs(worth.margin)} apart" if worth.margin else "equal"
    found = {
        (option.move.digit, option.move.board, option.move.place): option.margin
        for option in options(game, knows, start, Seat.FIRST)
        if isinstance(option.move, Place)
    }
    boards = [Seat.FIRST] if game.reach is Reach.OWN else list(Seat)
    slots = [(board, place) for board in boards for place in range(game.places)]
    digits = sorted({digit for digit, _, _ in found}, reverse=True)
    rows = [[digit, *(signed(found[digit, board, place]) for board, place in slots)] for digit in digits]
    return "\n\n".join(
        [
            paragraph(f"{said} With best play the numbers end {apart}: {best_play(game, knows)}."),
            paragraph(
                "The margin for the first player with best play after each opening. Rows are digits, columns "
                "are places:"
            ),
            table(["digit", *(f"`{board.letter}{place + 1}`" for board, place in slots)], rows),
        ]
    )


def balance(id: str) -> str:
    """How often the player to move wins, and what happens in random play."""
    game = catalogue()[id].game_as(Placement)
    slots, firsts = Slots(game), first_wins(game)
    rows = []
    for ply in range(slots.count):
        states = slots.mask_count(ply) * slots.fillings(ply)
        rows.append((ply, states, firsts[ply] if ply % 2 == 0 else states - firsts[ply]))
    total, won = (sum(row[part] for row in rows) for part in (1, 2))
    tie = random_tie(game)
    random = (1 - tie) / 2 + (tie if score(game, 0) == 1 else 0)
    chance = (
        "exactly half of all games, because the rules treat both boards alike and ties are impossible"
        if not tie
        else f"{percent(random, places=4)} of all games (exactly {random}); "
        f"{percent(tie, places=4)} are ties ({tie})"
    )
    return "\n\n".join(
        [
            paragraph(
                f"In {won:,} of the {total:,} states in play ({percent(won, total)}) the player to move "
                f"wins. {replies(game, oracle(game))}"
            ),
            won_table(rows),
            paragraph(f"When both move at random, the first player wins {chance}."),
        ]
    )
