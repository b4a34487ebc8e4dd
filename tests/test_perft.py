"""Perft: states and move sequences by ply, pinned; the rules and an independent enumeration agree on them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any

import pytest
from tests.reference import battle, cards, placing, referee
from tests.reference.counts import CUSTOM, TOY

from digit_duel.core.variant import AnyGame
from digit_duel.games import variant

CLASSIC_STATES = [1, 27, 648, 4_536, 27_216, 45_360, 60_480]
CLASSIC_SEQUENCES = [1, 27, 648, 9_072, 108_864, 544_320, 2_177_280]

SABOTAGE_STATES = [1, 80, 2_800, 55_440, 674_100, 5_120_640, 23_587_200, 59_875_200, 63_730_800]
SABOTAGE_SEQUENCES = [
    1, 80, 5_600, 332_640, 16_178_400, 614_476_800, 16_982_784_000, 301_771_008_000, 2_569_625_856_000,
]  # fmt: skip

CUSTOM_STATES = [1, 12, 48, 72, 30]
CUSTOM_SEQUENCES = [1, 12, 96, 432, 720]

BATTLE_STATES = [1, 18, 288, 1_968, 10_009, 23_955, 27_117, 15_371, 4_350, 558]
BATTLE_SEQUENCES = [1, 18, 288, 4_032, 43_824, 416_240, 3_026_688, 17_245_416, 63_705_888, 121_615_056]
BATTLE_ENDS = {  # sequences by result, the last ply's unfinished ones being ties
    "1-0": [0, 0, 0, 380, 0, 37_904, 0, 1_318_944, 0, 83_192_348],
    "0-1": [0, 0, 0, 0, 2_200, 0, 152_452, 0, 2_898_360, 28_929_968],
    "*": [1, 18, 288, 3_652, 41_624, 378_336, 2_874_236, 15_926_472, 60_807_528, 9_492_740],
}
SUDDEN_DEATH_SEQUENCES = [94_927_400, 474_637_000]  # plies 10 and 11: ten choices, then five
TIED_LIFE = {
    1: 2_376, 2: 3_624, 3: 6_800, 4: 11_032, 5: 19_064, 6: 23_632, 7: 34_744, 8: 44_064, 9: 57_688,
    10: 65_752, 11: 158_980, 12: 174_056, 13: 186_388, 14: 188_548, 15: 186_588, 16: 187_226,
    17: 182_100, 18: 172_454, 19: 167_196, 20: 7_620_428,
}  # fmt: skip

CARDS_SEQUENCES = [1, 10, 20, 200, 400, 4_000, 8_000, 80_000, 160_000, 1_599_840]
CARDS_STATES = [1, 10, 20, 200, 210, 2_100, 1_540, 15_400, 11_825, 118_200]

# A toy deck of six cards with hands of two: options, sequences by ply, and unfinished states by ply.
# The second run-out of C4 comes at ply 18 at the earliest, so the plies after it are the ones that test it.
TOY_CARDS: dict[str, tuple[dict[str, str], cards.Rules, list[int], list[int]]] = {
    "as it is": ({}, {}, [
        1, 3, 6, 18, 36, 96, 192, 432, 864, 2_052, 3_888, 3_960, 7_440, 7_296, 13_992, 22_176, 42_624, 62_904,
        122_208, 199_440, 377_568, 668_376, 1_259_856, 1_886_400, 3_529_056, 4_059_696, 7_710_240,
    ], [
        1, 3, 6, 18, 21, 54, 60, 132, 150, 306, 165, 315, 93, 237, 184, 411, 348, 735, 429, 918, 478, 1_089,
        532, 1_161, 592, 1_335, 778,
    ]),
    "must keep": ({"facing_full": "must_keep"}, {"facing_full": "must_keep"}, [
        1, 3, 6, 18, 36, 96, 144, 324, 324, 1_152, 2_088, 288, 576, 576, 1_152, 2_304, 3_456, 6_912, 6_912,
        24_192, 43_776, 9_216, 18_432, 18_432, 36_864, 73_728, 110_592,
    ], [
        1, 3, 6, 18, 21, 54, 30, 66, 42, 132, 3, 3, 6, 6, 9, 18, 24, 48, 36, 114, 3, 3, 6, 6, 9, 18, 24,
    ]),
    "one discard": ({"facing_full": "cap:1"}, {"facing_full": "cap:1"}, [
        1, 3, 6, 18, 36, 96, 192, 432, 756, 1_872, 2_808, 2_880, 5_280, 960, 1_920, 4_608, 9_216, 21_504,
        40_704, 93_312, 154_368, 294_912, 456_192, 396_288, 731_136, 251_904, 503_808,
    ], [
        1, 3, 6, 18, 21, 54, 60, 132, 108, 240, 69, 219, 9, 9, 15, 36, 57, 126, 144, 318, 165, 423, 78, 228,
        24, 45, 69,
    ]),
    "alternate": ({"full_turn": "alternate"}, {"full_turn": "alternate"}, [
        1, 3, 6, 18, 36, 96, 192, 432, 864, 2_052, 3_888, 3_960, 7_440, 7_296, 13_992, 22_176, 42_624, 62_904,
        122_208, 199_440, 383_400, 679_068, 1_282_860, 1_948_608, 3_646_776, 4_174_176, 7_897_944,
    ], [
        1, 3, 6, 18, 21, 54, 60, 132, 195, 348, 231, 381, 144, 369, 250, 519, 492, 951, 534, 1_038, 697,
        1_497, 805, 1_644, 865, 1_845, 1_087,
    ]),
    "persistent": ({"deck": "persistent", "wins_needed": "2"}, {"deck": "persistent", "wins_needed": 2}, [
        1, 3, 6, 18, 36, 96, 192, 432, 864, 2_052, 3_888, 7_200, 13_920, 18_096, 35_592, 101_736, 201_744,
        499_224, 994_848, 2_265_840, 4_423_968, 8_928_936, 17_291_376, 30_316_896, 57_380_448, 97_458_672,
        189_168_672,
    ], [
        1, 3, 6, 18, 21, 54, 60, 132, 150, 306, 177, 333, 135, 279, 240, 561, 594, 1_293, 1_161, 2_442, 1_602,
        3_372, 1_809, 3_945, 2_389, 5_286, 3_349,
    ]),
    "two wins": ({"wins_needed": "2"}, {"wins_needed": 2}, [
        1, 3, 6, 18, 36, 96, 192, 432, 864, 2_052, 3_888, 9_360, 18_240, 52_656, 104_712, 288_936, 576_144,
        1_397_784, 2_791_968, 6_654_384, 12_898_656, 26_193_960, 50_513_904, 108_363_168, 212_162_592,
        516_140_400, 1_020_311_328,
    ], [
        1, 3, 6, 18, 21, 54, 60, 132, 150, 306, 167, 321, 107, 279, 240, 561, 524, 1_149, 905, 1_944, 1_285,
        2_748, 1_531, 3_312, 1_960, 4_308, 2_818,
    ]),
}  # fmt: skip


def game(id: str, options: Mapping[str, str] | None = None) -> AnyGame:
    chosen: AnyGame = variant(id).customised(options or {}).game
    return chosen


def levels(
    rules: AnyGame, plies: int, merge: Callable[[Any], Any] = lambda state: state
) -> list[Counter[Any]]:
    """For every ply, each distinct state of the game with the number of sequences that lead to it."""
    found = [Counter({rules.start(): 1})]
    for _ in range(plies):
        after: Counter[Any] = Counter()
        for state, ways in found[-1].items():
            moves = [move for move, _ in rules.chance(state)]
            moves += [move for seat in rules.acting(state) for move in rules.legal(state, seat)]
            for move in moves:
                after[merge(rules.play(state, move))] += ways
        found.append(after)
    return found


def without_memory(state: Any) -> Any:
    """A table of cards as the rules see it: memory, and the order in which cards came, play no part."""
    first, second = state.hands
    return replace(state, memory=(), hands=(tuple(sorted(first)), tuple(sorted(second))))


def states(found: list[Counter[Any]]) -> list[int]:
    return [len(level) for level in found]


def sequences(found: list[Counter[Any]]) -> list[int]:
    return [level.total() for level in found]


# Placing games.


@pytest.mark.parametrize("id", ["classic", pytest.param("reverse", marks=pytest.mark.slow)])
def test_classic_and_reverse_have_138268_states(id: str) -> None:
    found = levels(game(id), 6)
    assert (states(found), sequences(found)) == (CLASSIC_STATES, CLASSIC_SEQUENCES)
    assert sum(CLASSIC_STATES) == 138_268


@pytest.mark.parametrize("rules", [placing.CLASSIC, placing.REVERSE])
def test_the_reference_counts_classic_and_reverse_alike(rules: placing.Rules) -> None:
    assert placing.count_states_by_ply(**rules) == CLASSIC_STATES
    assert placing.count_sequences_by_ply(**rules) == CLASSIC_SEQUENCES


@pytest.mark.slow
@pytest.mark.parametrize("rules", [placing.CLASSIC, placing.REVERSE])
def test_the_reference_enumerates_classic_and_reverse_alike(rules: placing.Rules) -> None:
    assert placing.enumerate_by_ply(6, **rules) == (CLASSIC_STATES, CLASSIC_SEQUENCES)


@pytest.mark.parametrize("plies", [3, pytest.param(4, marks=pytest.mark.slow)])
def test_sabotage_opens_into_as_many_states_as_the_closed_form_says(plies: int) -> None:
    found = levels(game("sabotage"), plies)
    assert states(found) == SABOTAGE_STATES[: plies + 1]
    assert sequences(found) == SABOTAGE_SEQUENCES[: plies + 1]


def test_sabotage_has_153046261_states() -> None:
    assert placing.count_states_by_ply(**placing.SABOTAGE) == SABOTAGE_STATES
    assert placing.count_sequences_by_ply(**placing.SABOTAGE) == SABOTAGE_SEQUENCES
    assert sum(SABOTAGE_STATES) == 153_046_261


@pytest.mark.slow
def test_the_reference_enumerates_the_opening_of_sabotage_alike() -> None:
    assert placing.enumerate_by_ply(3, **placing.SABOTAGE) == (SABOTAGE_STATES[:4], SABOTAGE_SEQUENCES[:4])


def test_a_placing_game_of_ones_own_has_as_many_states_as_the_closed_form_says() -> None:
    mine = game("classic", {"places": "2", "pool": "0x2,1,2x2", "goal": "low", "reach": "any", "tie": "draw"})
    found = levels(mine, 4)
    assert (states(found), sequences(found)) == (CUSTOM_STATES, CUSTOM_SEQUENCES)
    assert placing.count_states_by_ply(**CUSTOM) == CUSTOM_STATES
    assert placing.count_sequences_by_ply(**CUSTOM) == CUSTOM_SEQUENCES
    assert placing.enumerate_by_ply(4, **CUSTOM) == (CUSTOM_STATES, CUSTOM_SEQUENCES)


def test_copies_of_a_digit_are_one_move_so_sabotage_by_another_name_opens_with_eighty() -> None:
    options = {"places": "4", "pool": "0-9x2", "goal": "low", "reach": "any"}
    assert sequences(levels(game("classic", options), 2)) == [1, 80, 5_600]


# Battle.


@cache
def battle_levels() -> list[Counter[Any]]:
    return levels(game("battle"), 11)


def test_battle_has_83635_states_until_the_pool_is_empty() -> None:
    battling, found = game("battle"), battle_levels()
    assert (states(found)[:10], sequences(found)[:10]) == (BATTLE_STATES, BATTLE_SEQUENCES)
    assert sequences(found)[10:] == SUDDEN_DEATH_SEQUENCES
    assert sum(BATTLE_STATES) == 83_635
    for result, expected in BATTLE_ENDS.items():
        assert [ended(battling, level, result) for level in found[:10]] == expected


def ended(rules: AnyGame, level: Counter[Any], result: str) -> int:
    """The number of sequences that end in a result, or go on."""
    outcomes = ((rules.outcome(state), ways) for state, ways in level.items())
    return sum(
        ways for outcome, ways in outcomes if result == ("*" if outcome is None else won(outcome.winner))
    )


def won(winner: Any) -> str:
    return "1/2-1/2" if winner is None else ("1-0", "0-1")[winner]


def test_ties_in_battle_are_possible_on_every_total_from_1_to_20() -> None:
    battling = game("battle")
    tied: Counter[int] = Counter()
    for state, ways in battle_levels()[9].items():
        if battling.outcome(state) is None:
            assert state.life[0] == state.life[1]
            tied[state.life[0]] += ways
    assert tied == TIED_LIFE


@pytest.mark.slow
def test_the_reference_enumerates_battle_alike() -> None:
    found = battle.levels(11)
    assert (states(found)[:10], sequences(found)[:10]) == (BATTLE_STATES, BATTLE_SEQUENCES)
    assert sequences(found)[10:] == SUDDEN_DEATH_SEQUENCES
    tied: Counter[int] = Counter()
    for now, ways in found[9].items():
        tied[now.life[0]] += ways * (now.result == "*")
    assert +tied == TIED_LIFE
    for result, expected in BATTLE_ENDS.items():
        assert [
            sum(n for now, n in level.items() if now.result == result) for level in found[:10]
        ] == expected


def test_battle_has_294777_states_with_those_of_sudden_death() -> None:
    # Sudden death is two totals, the equal reveals in a row, the last reveal, and one choice or none.
    tied = [(life, life, 0, (0, 0)) for life in TIED_LIFE]
    found, queue = set(tied), list(tied)
    going_on = 0
    for one, two, equal, _ in queue:
        if one <= 0 or two <= 0 or equal == 10:
            continue
        going_on += 1
        for x, y in product(range(1, 6), repeat=2):
            after = (min(one + x - y, 20), min(two + y - x, 20), equal + 1 if x == y else 0, (x, y))
            if after not in found:
                found.add(after)
                queue.append(after)
    half_way = going_on * (5 + 5)  # either seat has chosen one of five
    assert sum(BATTLE_STATES) + len(found) - len(tied) + half_way == 294_777


# Cards.


@pytest.mark.parametrize("rules", TOY_CARDS)
def test_a_toy_deck_has_as_many_sequences_and_states_as_the_reference_says(rules: str) -> None:
    options, reference, by_sequence, by_state = TOY_CARDS[rules]
    toy = game("cards", {"pool": "0-2x2", "hand_size": "2", "wins_needed": "1", **options})
    found = levels(toy, 26, without_memory)
    assert sequences(found) == by_sequence
    assert [sum(toy.outcome(state) is None for state in level) for level in found] == by_state
    second: cards.Rules = {**TOY, **reference}
    again = cards.levels(26, **second)
    assert referee.sequences(again) == by_sequence
    assert [sum(now.result == "*" for now in level) for level in again] == by_state


@pytest.mark.parametrize("plies", [7, pytest.param(9, marks=pytest.mark.slow)])
def test_the_full_deck_opens_into_as_many_sequences_and_states_as_the_reference_says(plies: int) -> None:
    found = levels(game("cards"), plies, without_memory)
    assert (states(found), sequences(found)) == (CARDS_STATES[: plies + 1], CARDS_SEQUENCES[: plies + 1])
    again = cards.levels(plies)
    assert (states(again), sequences(again)) == (CARDS_STATES[: plies + 1], CARDS_SEQUENCES[: plies + 1])


def test_a_state_of_cards_remembers_the_whole_game_so_only_the_order_of_the_numbers_merges() -> None:
    rules = game("cards", {"pool": "0-2", "hand_size": "1", "wins_needed": "1", "facing_full": "must_keep"})
    found = levels(rules, 6)
    # Three cards to draw, keep or give, two cards left, no choice, then both numbers in either order.
    assert sequences(found) == [1, 3, 6, 12, 12, 24, 24]
    assert states(found) == [1, 3, 6, 12, 12, 24, 12]
