"""Put the figures into the pages of the games: python tools/make_game_pages.py [--check] [PAGE ...]

What stands in docs/games/*.md between `<!-- figures: NAME -->` and `<!-- end -->` is made here, from the
rules, the shipped tables and their proofs. Everything else on the pages is written by hand and left alone.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import groupby, product
from math import ceil, comb, factorial, floor, perm, prod
from pathlib import Path
from textwrap import fill
from typing import Any

import numpy as np

from digit_duel.core.game import Game, Seat
from digit_duel.games import catalogue
from digit_duel.games._battle import Battle, Fight
from digit_duel.games._cards import Cards, Starter
from digit_duel.games._placement import Placement, Reach
from digit_duel.solve.graph import explore
from digit_duel.solve.hands import match_odds, shipped
from digit_duel.solve.keep_or_give import (
    Book,
    Certificate,
    FacingFull,
    Payoffs,
    Profile,
    Round,
    Seen,
    Table,
    bracket,
    certify,
    choices,
    mover,
    open_book,
    payoffs,
    quantise,
)  # fmt: skip
from digit_duel.solve.keep_or_give.payoffs import draw_weights
from digit_duel.solve.keep_or_give.values import reaches
from digit_duel.solve.library import oracle, placing_table
from digit_duel.solve.oracle import Oracle, line, options
from digit_duel.solve.placing import packed, pooled
from digit_duel.solve.placing.slots import Slots, score
from digit_duel.solve.tablebase import Tablebase
from digit_duel.solve.value import Score

ROOT = Path(__file__).parent.parent
PAGES = ROOT / "docs" / "games"
TABLES = ROOT / "src" / "digit_duel" / "solve" / "tables"
WIDTH = 124
CAPS = (1, 3, 10)
THUMB = [
    (FacingFull.DISCARD, 10),
    *((FacingFull.MUST_KEEP, least) for least in (6, 7, 8)),
]  # keep from here up
CAP_EFFORT = {"target": 1e-4, "limit": 20}  # a bracket is true after any number of iterations, if not narrow

Figures = Mapping[str, Callable[[], str]]
Row = Sequence[object]


# Markdown


def paragraph(text: str) -> str:
    """A text in lines of the pages' width, no line breaking inside a code span."""
    whole = re.sub(r"`[^`]*`", lambda span: span[0].replace(" ", "\0"), " ".join(text.split()))
    return fill(whole, WIDTH, break_long_words=False, break_on_hyphens=False).replace("\0", " ")


def table(head: Row, rows: Iterable[Row]) -> str:
    """A table; whole numbers get their commas."""
    lines = ["| " + " | ".join(_cell(cell) for cell in row) + " |" for row in (head, *rows)]
    lines.insert(1, "|" + "---|" * len(head))
    return "\n".join(lines)


def _cell(cell: object) -> str:
    return f"{cell:,}" if isinstance(cell, int) else str(cell)


def percent(part: int | Fraction, of: int = 1, places: int = 2) -> str:
    """A share in percent."""
    return f"{decimals(100 * Fraction(part) / of, places)}%"


def code(words: Iterable[str]) -> str:
    """Moves as code, one by one."""
    return ", ".join(f"`{word}`" for word in words)


def digit_list(digits: Sequence[int]) -> str:
    """Digits in words: runs of three and more as a range."""
    parts = []
    for _, run in groupby(enumerate(digits), lambda pair: pair[1] - pair[0]):
        found = [digit for _, digit in run]
        parts += [f"{found[0]} to {found[-1]}"] if len(found) > 2 else [str(digit) for digit in found]
    return ", ".join(parts) or "none"


def decimals(value: Fraction, places: int, rounding: Callable[[Fraction], int] = round) -> str:
    """A fraction in decimals: rounded, or down, or up."""
    whole = rounding(value * 10**places)
    return f"{whole // 10**places}.{whole % 10**places:0{places}}"


# Any open game


def signed(margin: int) -> str:
    """A margin with its sign."""
    return f"{margin:+d}" if margin else "0"


def best_play(game: Game[Any, Any, Any], knows: Oracle[Any]) -> str:
    """The best line from the start, as one code span."""
    return "`" + " ".join(game.text(move) for move in line(game, knows, game.start())) + "`"


def winning(game: Game[Any, Any, Any], knows: Oracle[Any], state: Any) -> tuple[list[str], int]:
    """The moves that win for the seat to move, and how many moves it has."""
    (seat,) = game.acting(state)
    found = options(game, knows, state, seat)
    wins = {game.text(option.move) for option in found if option.score == 1}
    return [game.text(move) for move in game.legal(state, seat) if game.text(move) in wins], len(found)


def replies(game: Game[Any, Any, Any], knows: Oracle[Any]) -> str:
    """How many of the second player's replies win, after the openings that do not."""
    start = game.start()
    after = [game.play(start, move) for move in game.legal(start, Seat.FIRST)]
    found = [(len(wins), of) for wins, of in (winning(game, knows, state) for state in after) if wins]
    if not found:
        return ""
    counts, (_, of) = [wins for wins, _ in found], found[0]
    return (
        f"After an opening that loses, the second player has {min(counts)} to {max(counts)} winning replies "
        f"out of {of}; over all {len(found)} such openings, {sum(counts):,} of {of * len(found):,} replies "
        "win."
    )


def won_table(rows: Iterable[tuple[int, int, int]]) -> str:
    """States in play by ply with how many the mover has won."""
    found = [
        [ply, "first" if ply % 2 == 0 else "second", states, won, percent(won, states)]
        for ply, states, won in rows
    ]
    return table(["ply", "to move", "states in play", "won by the mover", "share"], found)


# Placing games


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
            if score(game.tie, 0) == 1:
                wins += int(np.count_nonzero(cells == 0))
        found.append(wins)
    # To exchange the boards exchanges the winners, so full boards that differ are won half and half.
    full, ties = slots.fillings(slots.count), equal_boards(game)
    found.append((full - ties) // 2 + (ties if score(game.tie, 0) == 1 else 0))
    return tuple(found)


def _compare(game: Placement, solved: packed.PackedTable) -> None:
    """Refuse figures on which the sweep and the shipped table differ; the tests compare every state."""
    known, start = placing_table(game), game.start()
    states = [start, *(game.play(start, move) for move in game.legal(start, Seat.FIRST))]
    assert all(known.value(state) == solved.value(state) for state in states)
    assert known.states == solved.states


def equal_boards(game: Placement) -> int:
    """In how many ways full boards can show the same number."""
    halves = [game.pool.count(digit) // 2 for digit in sorted(set(game.pool))]
    return words(halves, game.places)


def words(copies: Sequence[int], length: int) -> int:
    """How many words of a length use no letter more often than it has copies."""
    ways = [1] + [0] * length
    for most in copies:
        ways = [
            sum(comb(size, used) * ways[size - used] for used in range(min(most, size) + 1))
            for size in range(length + 1)
        ]
    return ways[length]


def placing_sequences(game: Placement, ply: int) -> int:
    """The number of move sequences of a length: the digits in order, times the places in order."""
    places = game.places
    if game.reach is Reach.ANY:
        return Slots(game).fillings(ply) * perm(2 * places, ply)
    return Slots(game).fillings(ply) * perm(places, (ply + 1) // 2) * perm(places, ply // 2)


def random_tie(game: Placement) -> Fraction:
    """How likely random moves, each legal one as likely as the next, end in equal numbers."""
    copies = set(Counter(game.pool).values())
    if copies == {1}:
        return Fraction(0)
    assert copies == {2}  # what follows is for pairs
    # The digit of a random move says nothing about its slot: a tie is that all digits are pairs, times that a
    # random arrangement puts every pair into matching slots.
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


def placing_size(id: str) -> str:
    """States and sequences by ply, and how small the table is."""
    game: Placement = catalogue()[id].game
    slots = Slots(game)
    states = [slots.mask_count(ply) * slots.fillings(ply) for ply in range(slots.count + 1)]
    sequences = [placing_sequences(game, ply) for ply in range(slots.count + 1)]
    rows: list[Row] = [[ply, *row] for ply, row in enumerate(zip(states, sequences, strict=True))]
    assert sum(states) == slots.states
    shipped = (TABLES / f"{id}.ddpt").stat().st_size
    return "\n\n".join(
        [
            table(["ply", "states", "sequences of moves"], [*rows, ["all", sum(states), sum(sequences)]]),
            paragraph(
                f"The shipped table answers for all of them from {pooled.fits(game).cells:,} cells, in a "
                f"file of {shipped:,} bytes."
            ),
        ]
    )


def placing_value(id: str) -> str:
    """Who wins, how, and by how much after every opening."""
    game: Placement = catalogue()[id].game
    knows, start = oracle(game), game.start()
    value = knows.value(start)
    wins, of = winning(game, knows, start)
    if value.score == 1:
        number = "exactly one" if len(wins) == 1 else f"{len(wins)}"
        said = f"The first player wins, with {number} of {of} opening moves: {code(wins)}."
    else:
        said = f"The second player wins, whatever the first opens with: none of the {of} opening moves wins."
    apart = f"{abs(value.margin)} apart" if value.margin else "equal"
    found = {
        (option.move.digit, option.move.board, option.move.place): option.margin
        for option in options(game, knows, start, Seat.FIRST)
    }
    boards = [Seat.FIRST] if game.reach is Reach.OWN else list(Seat)
    slots = [(board, place) for board in boards for place in range(game.places)]
    digits = sorted({digit for digit, _, _ in found}, reverse=True)
    rows = [[digit, *(signed(found[digit, board, place]) for board, place in slots)] for digit in digits]
    return "\n\n".join(
        [
            paragraph(f"{said} With best play the numbers end {apart}: {best_play(game, knows)}."),
            paragraph(
                "The exact margin from the first player's side, when both play their best after an opening: "
                "the digit down the side, the place along the top."
            ),
            table(["digit", *(f"`{board.letter}{place + 1}`" for board, place in slots)], rows),
        ]
    )


def placing_balance(id: str) -> str:
    """How hard it is to hold, and what happens when nobody thinks."""
    game: Placement = catalogue()[id].game
    slots, firsts = Slots(game), first_wins(game)
    rows = []
    for ply in range(slots.count):
        states = slots.mask_count(ply) * slots.fillings(ply)
        rows.append((ply, states, firsts[ply] if ply % 2 == 0 else states - firsts[ply]))
    total, won = (sum(row[part] for row in rows) for part in (1, 2))
    tie = random_tie(game)
    random = (1 - tie) / 2 + (tie if score(game.tie, 0) == 1 else 0)
    chance = (
        "exactly half of all games, for the rules treat both boards alike and equal numbers cannot be"
        if not tie
        else f"{percent(random, places=4)} of all games (exactly {random}); "
        f"equal numbers come up in {percent(tie, places=4)} ({tie})"
    )
    return "\n\n".join(
        [
            paragraph(
                f"Of the {total:,} states in play, whoever is to move has won {won:,} "
                f"({percent(won, total)}). {replies(game, oracle(game))}"
            ),
            won_table(rows),
            paragraph(f"When both move at random, the first player wins {chance}."),
        ]
    )


# battle

Levels = list[dict[Fight, int]]


@cache
def battle_levels() -> Levels:
    """By ply, every state with the number of sequences that lead to it, up to the end of the pool."""
    game: Battle = catalogue()["battle"].game
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
def battle_results(tied: int) -> list[dict[Fight, int]]:
    """By ply, the result of every state by plain minimax, a tie after the pool worth a given score."""
    game: Battle = catalogue()["battle"].game
    solved: list[dict[Fight, int]] = [{}]
    for level in reversed(battle_levels()):
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
    game: Battle = catalogue()["battle"].game
    return sorted((s for s in battle_levels()[-1] if game.sudden_death(s)), key=lambda state: state.life)


@cache
def sudden_states() -> frozenset[Fight]:
    """Every state of sudden death, its ends included."""
    game: Battle = catalogue()["battle"].game
    found: dict[Fight, Any] = {}
    for tie in tied_ends():
        found |= explore(game, tie, stop=found.__contains__)
    return frozenset(found)


def battle_size() -> str:
    """States and sequences by ply, and sudden death."""
    levels = battle_levels()
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
                f"points, in {len(ends)} different states: sudden death, which has no longest length, but "
                f"only {more:,} more states with the stand-off limit of 10. That makes {states + more:,} in "
                "all."
            ),
        ]
    )


def battle_value() -> str:
    """Who wins, with which openings, and by how much."""
    game: Battle = catalogue()["battle"].game
    knows, start = oracle(game), game.start()
    wins, of = winning(game, knows, start)
    assert wins == battle_openings(-1, 1)  # the plain minimax here says the same
    found = {game.text(option.move): option.margin for option in options(game, knows, start, Seat.FIRST)}
    value = knows.value(start)
    digits = sorted(game.pool, reverse=True)
    rows = [[digit, signed(found[f"x{digit}"]), signed(found[f"+{digit}"])] for digit in digits]
    return "\n\n".join(
        [
            paragraph(
                f"The first player wins, with {len(wins)} of {of} opening moves: {code(wins)}. With best "
                f"play it takes all {value.distance} digits, and {value.margin} life points are between them "
                f"at the end: {best_play(game, knows)}."
            ),
            paragraph(
                "The difference in life points at the end, when both play their best after an opening:"
            ),
            table(["digit", "attack", "defend"], rows),
        ]
    )


def battle_sudden() -> str:
    """Sudden death, with and without the limit."""
    game: Battle = catalogue()["battle"].game
    ends, knows = tied_ends(), oracle(game)
    assert {knows.value(end).score for end in ends} == {-1}
    for end in ends:
        answered = game.play(
            end, game.legal(end, Seat.SECOND)[-1]
        )  # the highest digit, whatever the first does
        after = [game.play(answered, move) for move in game.legal(answered, Seat.FIRST)]
        assert all(knows.value(state).score == -1 for state in after)
    assert endless_sudden() == {0}
    wins, drawing = battle_openings(0, 1), battle_openings(0, 0)
    same = "with the same openings" if wins == battle_openings(-1, 1) else f"with {code(wins)}"
    draws = f"{code(drawing)} would then draw" if drawing else "and no opening draws"
    free, limited = battle_results(0), battle_results(-1)
    changed = sum(
        one[state] != other[state] for one, other in zip(free, limited, strict=True) for state in one
    )
    return paragraph(
        f"Sudden death begins in one of {len(ends)} states, with {ends[0].life[0]} to {ends[-1].life[0]} "
        "life points each. With the stand-off limit the second player wins all of them, by showing 5 every "
        "time. With `standoff_limit=none` all of them are draws: both show 5 for ever. For the whole game "
        f"the limit does not matter if both play their best: without it the first player still wins, {same}, "
        f"{draws}. It decides {changed:,} of the {sum(map(len, free)):,} states."
    )


def battle_openings(tied: int, worth: int) -> list[str]:
    """The openings with this result for the first seat, a tie worth a given score."""
    game: Battle = catalogue()["battle"].game
    start, after = game.start(), battle_results(tied)[1]
    return [
        game.text(move) for move in game.legal(start, Seat.FIRST) if after[game.play(start, move)] == worth
    ]


def endless_sudden() -> set[Score]:
    """What the tied states are worth without a stand-off limit."""
    game: Battle = catalogue()["battle"].customised({"standoff_limit": "none"}).game
    # Without a limit it makes no difference that there has been a reveal: one solve answers for most of them.
    ends = [replace(end, last=(0, 0)) for end in tied_ends()]
    solved: Tablebase[Any, Any] = Tablebase(game, ends[-1])
    return {(solved if end in solved else Tablebase(game, end)).value(end).score for end in ends}


def random_sudden(game: Battle) -> dict[Fight, float]:
    """The first seat's chance to win sudden death by random digits, from all life points."""
    lives = [(one, two) for one in range(1, game.max_life + 1) for two in range(1, game.max_life + 1)]
    number = {life: at for at, life in enumerate(lives)}
    size, equal = len(game.sudden) ** 2, len(game.sudden)
    assert game.standoff_limit is not None
    stay = equal / size
    again = sum(stay**n for n in range(game.standoff_limit))  # the reveals until one differs
    matrix, gains = np.eye(len(lives)), np.zeros(len(lives))
    for life, at in number.items():
        state = Fight(life, (), Seat.FIRST, last=(0, 0))
        for one, two in product(*(game.legal(state, seat) for seat in Seat)):
            after = game.play(game.play(state, one), two)
            if after.standoffs:
                continue
            if outcome := game.outcome(after):
                gains[at] += again / size * (outcome.winner is Seat.FIRST)
            else:
                matrix[at, number[after.life]] -= again / size
    chances = np.linalg.solve(matrix, gains)
    return {Fight(life, (), Seat.FIRST): float(chances[at]) for life, at in number.items()}


def battle_balance() -> str:
    """How hard it is to hold, and what happens when nobody thinks."""
    game: Battle = catalogue()["battle"].game
    levels, solved = battle_levels(), battle_results(-1)
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
                f"Of the {total:,} states in play, whoever is to move has won {won:,} "
                f"({percent(won, total)}). {replies(game, oracle(game))}"
            ),
            won_table(rows),
            paragraph(
                f"When both move at random, the first player wins {100 * first:.2f}% of games. "
                f"{percent(knocked)} end at once with somebody at zero or below, and {percent(sudden)} come "
                f"to sudden death (exactly {sudden})."
            ),
        ]
    )


# cards


@cache
def solved_round(rule: FacingFull) -> tuple[Payoffs, Table, Certificate]:
    """The exact payoffs, the shipped table, and what it proves."""
    round_ = Round(facing_full=rule)
    table_ = shipped(round_)
    assert table_ is not None
    exact = payoffs(round_)
    return exact, table_, certify(exact, table_)


@cache
def book(rule: FacingFull) -> Book:
    """The shipped table, ready to be asked."""
    _, table_, proof = solved_round(rule)
    return open_book(table_, float((proof.low + proof.high) / 2))


def cards_size() -> str:
    """Sequences of the whole game, and the round as it is solved."""
    game: Cards = catalogue()["cards"].game
    copies = [game.pool.count(digit) for digit in sorted(set(game.pool))]
    # Up to the fifth draw there is always a choice, and no hand is shown.
    rows = [[ply, words(copies, (ply + 1) // 2) * 2 ** (ply // 2)] for ply in range(10)]
    tree = Round().tree
    deals = {rule: solved_round(rule)[0].total for rule in FacingFull}
    return "\n\n".join(
        [
            paragraph(
                "Tied rounds are replayed, so a game has no longest length and no finite number of states. "
                "Sequences of moves, nature's draws included, for the standard game:"
            ),
            table(["ply", "sequences of moves"], rows),
            paragraph(
                f"A round is finite where it matters. Until a hand is full there are at most {tree.draws} "
                f"draws: {len(tree.nodes)} public situations (who kept, who gave) and {len(tree.ends)} ends, "
                f"{tree.size(0):,} information sets of the starter and {tree.size(1):,} of the other, "
                f"{sum(10 ** (len(word) + 1) for word in tree.nodes):,} histories with a decision. The deals "
                f"of 40 cards behind them are counted exactly: {deals[FacingFull.DISCARD]:,}, and "
                f"{deals[FacingFull.MUST_KEEP]:,} with `must_keep`, where the last card counts too."
            ),
        ]
    )


def cards_value() -> str:
    """The starter's chance under both rules, with the proof, and under caps."""
    proofs = {rule: solved_round(rule)[2] for rule in FacingFull}
    pure, mixed = proofs[FacingFull.DISCARD], proofs[FacingFull.MUST_KEEP]
    assert pure.nash_conv == 0
    middle = (mixed.low + mixed.high) / 2
    shipped_ = solved_round(FacingFull.MUST_KEEP)[1]
    assert decimals(mixed.low, 9) == decimals(middle, 9) == decimals(mixed.high, 9)
    mixtures = sum(int(np.count_nonzero((keep > 0) & (keep < shipped_.scale))) for keep in shipped_.keep)
    parts = sum(keep.size for keep in shipped_.keep)
    return "\n\n".join(
        [
            paragraph(
                f"One round, ties replayed from a fresh deck: with best play the starter wins {pure.low} of "
                f"rounds, {decimals(pure.low, 9)}, by a strategy without any mixing. With "
                f"`facing_full=must_keep` it is {decimals(middle, 9)}; {mixtures} of the {parts:,} choices "
                "in the table are mixed."
            ),
            table(
                ["`facing_full`", "the starter wins at least", "and at most", "NashConv"],
                [
                    ["`discard`", f"{pure.low}", f"{pure.high}", "0, exactly"],
                    ["`must_keep`", f"{mixed.low}", f"{mixed.high}", f"{float(mixed.nash_conv):.2e}"],
                ],
            ),
        ]
    )


def cards_caps() -> str:
    """Brackets for a few caps."""
    rows = []
    for cap in CAPS:
        found = bracket(Round(), cap, target=CAP_EFFORT["target"], limit=int(CAP_EFFORT["limit"]))
        low, high = decimals(Fraction(found.low), 3, floor), decimals(Fraction(found.high), 3, ceil)
        rows.append([f"`cap:{cap}`", low, high])
    return table(["`facing_full`", "the starter wins at least", "and at most"], rows)


def cards_ties() -> str:
    """What a tie can change."""
    found = []
    for rule in FacingFull:
        exact, table_, _ = solved_round(rule)
        wide = certify(exact, table_, ties=(Fraction(0), Fraction(1)))
        tied = sum(
            float((exact.tie[end] * reach).sum()) / exact.total for end, reach in _played(table_.profile())[1]
        )
        found.append(
            f"With `{rule.value}` {100 * tied:.2f}% of rounds are tied, and whatever a tie is worth, the "
            f"starter wins between {decimals(wide.low, 5, floor)} and {decimals(wide.high, 5, ceil)} of "
            "rounds."
        )
    return paragraph(" ".join(found))


def _played(profile: Profile) -> tuple[dict[str, Any], list[tuple[str, Any]]]:
    """How likely both tables together lead through every word, but for the draws, and to every end."""
    tree = profile.tree
    both = [reaches(tree, seat, profile.tables(seat)) for seat in (0, 1)]
    reach = {word: both[0][word] * both[1][word] for word in tree.words}
    return reach, [(end, reach[end]) for end in tree.ends]


def first_draws(rule: FacingFull) -> str:
    """What keeping and giving the first card win."""
    rows = []
    for digit in range(10):
        found = choices(book(rule), Seen("", (digit,)))
        best = "keep" if found.table_keep == 1 else "give"
        rows.append([digit, f"{found.keep:.4f}", f"{found.give:.4f}", best])
    return table(["first card", "keep it", "give it", "best"], rows)


_SURE = 1e-9  # float64 adds up to one no better than this


def situations(rule: FacingFull) -> str:
    """Where best play comes to, and which digits it keeps there."""
    _, table_, _ = solved_round(rule)
    profile, reach = table_.profile(), _played(table_.profile())[0]
    rows = []
    for word in profile.tree.nodes:
        chance = draw_weights(table_.round, len(word) + 1) / table_.round.ways(0, len(word) + 1)
        here = chance * reach[word][..., None]
        often = float(here.sum())
        if often == 0:
            continue
        axes = tuple(range(len(word)))
        share = (here * profile.at(word)).sum(axis=axes) / here.sum(axis=axes)
        always = [digit for digit in range(10) if share[digit] > 1 - _SURE]
        mixed = [digit for digit in range(10) if _SURE < share[digit] <= 1 - _SURE]
        sometimes = [f"{digit} ({100 * share[digit]:.1f}%)" for digit in mixed]
        said = f"`{word}`" if word else "nothing yet"
        who = "starter" if mover(word) == 0 else "second"
        rows.append([said, who, f"{100 * often:.2f}%", digit_list(always), ", ".join(sometimes) or "none"])
    return table(["so far", "to decide", "how often", "always kept", "kept sometimes"], rows)


def thumb() -> str:
    """What simple rules of thumb guarantee."""
    rows = []
    for rule, least in THUMB:
        exact, table_, proof = solved_round(rule)
        tree = table_.round.tree
        keeps = []
        for seat in (0, 1):
            keep = np.empty(tree.size(seat))
            for word in tree.seat_nodes(seat):
                tree.at(keep, word)[...] = np.arange(10) >= least
            keeps.append(keep)
        found = certify(exact, quantise(table_.round, Profile(tree, (keeps[0], keeps[1])), 1))
        said = f"keep {least} and higher" if least < 10 else "always give"
        rows.append(
            [
                f"`{rule.value}`", said, f"{float(found.low):.5f}", f"{float(proof.low - found.low):.5f}",
                f"{float(1 - found.high):.5f}", f"{float(found.high - proof.high):.5f}",
            ]
        )  # fmt: skip
    head = [
        "`facing_full`",
        "rule of thumb",
        "starter wins at least",
        "short by",
        "second wins at least",
        "short by",
    ]
    return table(head, rows)


def cards_match() -> str:
    """The whole game, for every way to choose the next starter."""
    pure, mixed = (solved_round(rule)[2] for rule in FacingFull)
    rows = []
    for starter in Starter:
        game: Cards = catalogue()["cards"].customised({"next_starter": starter.value}).game
        exact = match_odds(game, pure.low)
        bounds = [decimals(match_odds(game, bound), 6) for bound in (mixed.low, mixed.high)]
        assert bounds[0] == bounds[1]
        rows.append([f"`{starter.value}`", decimals(exact, 6), exact, bounds[0]])
    return "\n\n".join(
        [
            paragraph("How likely the first seat, which starts round one, wins the game, by `next_starter`:"),
            table(["`next_starter`", "`discard`", "exactly", "`must_keep`"], rows),
        ]
    )


# The pages


def shelf() -> str:
    """All games at a glance."""
    lines = {
        "classic": "the higher three-digit number, digits 1-9",
        "reverse": "the lower three-digit number, digits 1-9",
        "sabotage": "the lower four-digit number, digits 0-9 twice, on either board",
        "cards": "draw, keep or give, hidden hands, first to two rounds",
        "battle": "attack or defend, ten life points, sudden death",
    }
    rows: list[Row] = []
    for id, said in lines.items():
        game: Any = catalogue()[id].game
        if isinstance(game, Cards):
            size = "without bound"
            best = f"the starter wins {solved_round(FacingFull.DISCARD)[2].low} of rounds"
        else:
            wins = oracle(game).value(game.start()).score
            states = Slots(game).states if isinstance(game, Placement) else sum(map(len, battle_levels()))
            size = f"{states:,}" + (" before sudden death" if isinstance(game, Battle) else "")
            best = f"the {'first' if wins == 1 else 'second'} player wins"
        rows.append([f"[{id}]({id}.md)", said, size, best])
    return table(["game", "in one line", "states", "best play"], rows)


def _placing(id: str) -> Figures:
    return {
        "size": lambda: placing_size(id),
        "value": lambda: placing_value(id),
        "balance": lambda: placing_balance(id),
    }


FIGURES: Mapping[str, Figures] = {
    "README": {"shelf": shelf},
    "classic": _placing("classic"),
    "reverse": _placing("reverse"),
    "sabotage": _placing("sabotage"),
    "battle": {
        "size": battle_size,
        "value": battle_value,
        "sudden death": battle_sudden,
        "balance": battle_balance,
    },
    "cards": {
        "size": cards_size,
        "value": cards_value,
        "first card": lambda: first_draws(FacingFull.DISCARD),
        "situations": lambda: situations(FacingFull.DISCARD),
        "first card, must_keep": lambda: first_draws(FacingFull.MUST_KEEP),
        "situations, must_keep": lambda: situations(FacingFull.MUST_KEEP),
        "rules of thumb": thumb,
        "ties": cards_ties,
        "caps": cards_caps,
        "balance": cards_match,
    },
}


def filled(text: str, figures: Figures) -> str:
    """A page with its figures made anew; every block must be known, and every figure have its block."""
    found = re.findall(r"^<!-- figures: (.*?) -->$", text, re.MULTILINE)
    if sorted(found) != sorted(figures):
        raise ValueError(f"the page has blocks for {found}, and there are figures for {list(figures)}")
    return re.sub(
        r"^(<!-- figures: (.*?) -->)\n.*?^(<!-- end -->)$",
        lambda block: f"{block[1]}\n{figures[block[2]]()}\n{block[3]}",
        text,
        flags=re.MULTILINE | re.DOTALL,
    )


def outdated(names: Iterable[str]) -> Iterator[tuple[Path, str]]:
    """The pages that are not what they should be, with what they should be."""
    for name in names:
        path = PAGES / f"{name}.md"
        text = path.read_text(encoding="utf-8")
        right = filled(text, FIGURES[name])
        if right != text:
            yield path, right


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the pages, or only look whether they are up to date."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="change nothing; 1 if a page is out of date")
    parser.add_argument(
        "pages", nargs="*", metavar="PAGE", help=f"one of: {', '.join(FIGURES)}; all, if none is named"
    )
    wanted = parser.parse_args(arguments)
    if unknown := set(wanted.pages) - set(FIGURES):
        parser.error(f"there is no page {', '.join(sorted(unknown))}")
    found = 0
    for path, right in outdated(wanted.pages or FIGURES):
        found += 1
        if not wanted.check:
            path.write_text(right, encoding="utf-8")
        sys.stdout.write(
            f"{path.relative_to(ROOT)} {'is out of date' if wanted.check else 'was made anew'}\n"
        )
    return 1 if wanted.check and found else 0


if __name__ == "__main__":
    sys.exit(main())
