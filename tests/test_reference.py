"""The rules against the second implementation in tests/reference: who may do what, and who has won."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, Literal

import pytest
from tests.reference import battle, cards, placing
from tests.reference.referee import Seen

from digit_duel.core.game import Seat
from digit_duel.core.options import BadOption
from digit_duel.core.variant import AnyGame
from digit_duel.games import variant

RESULTS = {Seat.FIRST: "1-0", Seat.SECOND: "0-1", None: "1/2-1/2"}
Trace = Callable[[Sequence[str]], list[Seen]]
Pick = Callable[[Random, list[str]], str]


def game(id: str, options: Mapping[str, str] | None = None) -> AnyGame:
    chosen: AnyGame = variant(id).customised(options or {}).game
    return chosen


def shown(rules: AnyGame, state: Any) -> tuple[Seen, dict[str, Any]]:
    """What the rules say of a state, in the referee's words, and the moves by their texts."""
    outcome = rules.outcome(state)
    result = (
        "*" if outcome is None else "1/2-1/2" if outcome.winner is None else ("1-0", "0-1")[outcome.winner]
    )
    moves = {rules.text(move): move for move, _ in rules.chance(state)}
    draws = {int(rules.text(move)[1:]): weight for move, weight in rules.chance(state)}
    choices = {}
    for seat in rules.acting(state):
        named = {rules.text(move): move for move in rules.legal(state, seat)}
        choices["ab"[seat]] = set(named)
        moves |= named
    return Seen(result, choices, draws), moves


def follow(trace: Callable[..., list[Seen]], rules: Any) -> Trace:
    return lambda texts: trace(texts, **rules)


# Every state there is.


def agree_on_every_state(rules: AnyGame, trace: Trace, plies: int | None = None) -> int:
    """Compare all states that can be reached, or can be within some plies; how many there were."""
    start = rules.start()
    came: dict[Any, tuple[Any, str] | None] = {start: None}
    level, inner = [start], set()
    while level and plies != 0:
        after = []
        for state in level:
            for text, move in shown(rules, state)[1].items():
                next_state = rules.play(state, move)
                if next_state not in came:
                    came[next_state] = (state, text)
                    inner.add(state)
                    after.append(next_state)
        level = after
        plies = None if plies is None else plies - 1
    # Every state lies on the way to one from which no other was first reached.
    done = set()
    for end in came.keys() - inner:
        way, texts = [end], []
        while (step := came[way[-1]]) is not None:
            way.append(step[0])
            texts.append(step[1])
        for state, seen in zip(reversed(way), trace(texts[::-1]), strict=True):
            if state not in done:
                done.add(state)
                assert shown(rules, state)[0] == seen, texts[::-1]
    assert done == came.keys()
    return len(done)


@pytest.mark.parametrize(
    ("plies", "states"), [(3, 5_212), pytest.param(None, 138_268, marks=pytest.mark.slow)]
)
@pytest.mark.parametrize(("id", "rules"), [("classic", placing.CLASSIC), ("reverse", placing.REVERSE)])
def test_every_state_of_classic_and_reverse_is_seen_alike(
    id: str, rules: placing.Rules, plies: int | None, states: int
) -> None:
    assert agree_on_every_state(game(id), follow(placing.trace, rules), plies) == states


@pytest.mark.parametrize(
    ("plies", "states"), [(3, 2_275), pytest.param(None, 294_777, marks=pytest.mark.slow)]
)
def test_every_state_of_battle_is_seen_alike(plies: int | None, states: int) -> None:
    assert agree_on_every_state(game("battle"), battle.trace, plies) == states


def test_every_state_of_a_small_battle_is_seen_alike_sudden_death_and_all() -> None:
    options = {"pool": "1-3", "start_life": "3", "max_life": "4", "sudden": "1-3", "standoff_limit": "3"}
    rules: battle.Rules = {
        "pool": (1, 2, 3), "start_life": 3, "max_life": 4, "sudden": (1, 3), "standoff_limit": 3,
    }  # fmt: skip
    assert agree_on_every_state(game("battle", options), follow(battle.trace, rules)) > 400


# Random games, which go where the options and the choosers lead them.


def agree_on_a_game(rules: AnyGame, trace: Trace, rng: Random, pick: Pick = Random.choice) -> str:
    """Play a random game by the rules and have the referee follow it; the result."""
    state = rules.start()
    seen, moves = shown(rules, state)
    ours, texts = [seen], []
    while moves:
        if seen.draws:
            digits, copies = list(seen.draws), list(seen.draws.values())
            texts.append(f"d{rng.choices(digits, copies)[0]}")
        else:
            texts.append(pick(rng, sorted(seen.choices[rng.choice(list(seen.choices))])))
        state = rules.play(state, moves[texts[-1]])
        seen, moves = shown(rules, state)
        ours.append(seen)
    assert trace(texts) == ours, " ".join(texts)
    return seen.result


def play_sabotage(games: int, seed: int) -> None:
    rng, rules = Random(seed), game("sabotage")
    for _ in range(games):
        agree_on_a_game(rules, follow(placing.trace, placing.SABOTAGE), rng)


def play_mirrored_sabotage(games: int, seed: int) -> set[str]:
    """Games in which the second player copies the first, so that the numbers are equal."""
    rng, rules = Random(seed), game("sabotage")
    copies: list[str] = []

    def mirror(rng: Random, choices: list[str]) -> str:
        if copies:
            return copies.pop()
        move = rng.choice(choices)
        copies.append(move[0] + {"a": "b", "b": "a"}[move[1]] + move[2])
        return move

    trace = follow(placing.trace, placing.SABOTAGE)
    return {agree_on_a_game(rules, trace, rng, mirror) for _ in range(games)}


def play_placing(games: int, seed: int) -> None:
    rng = Random(seed)
    for _ in range(games):
        places = rng.randint(1, 4)
        pool = sorted(rng.choices(range(10), k=rng.randint(2 * places, 2 * places + 4)))
        goal: Literal["high", "low"] = rng.choice(["high", "low"])
        reach: Literal["own", "any"] = rng.choice(["own", "any"])
        tie: Literal["second", "first", "draw"] = rng.choice(["second", "first", "draw"])
        same: placing.Rules = {
            "places": places,
            "pool": tuple(pool),
            "goal": goal,
            "reach": reach,
            "tie": tie,
        }
        options = {"places": f"{places}", "pool": written(pool), "goal": goal, "reach": reach, "tie": tie}
        rules = game(rng.choice(["classic", "reverse", "sabotage"]), options)
        agree_on_a_game(rules, follow(placing.trace, same), rng)


def play_battle(games: int, seed: int) -> set[str]:
    """Games of battle, with few attacks in most of them, so that sudden death is common."""
    rng, results = Random(seed), set()
    for _ in range(games):
        most = rng.randint(8, 20)
        life, low, limit = rng.randint(1, most), rng.randint(1, 4), rng.choice([None, 1, 2, 10])
        high = rng.randint(low + 1, 6)
        pool = sorted(rng.choices(range(1, 10), k=rng.randint(1, 9)))
        attacks = rng.choice([0.05, 0.2, 0.5])

        def pick(rng: Random, choices: list[str], attacks: float = attacks) -> str:
            chosen = [text for text in choices if (text[0] == "x") == (rng.random() < attacks)]
            return rng.choice(chosen or choices)

        same: battle.Rules = {
            "start_life": life, "max_life": most, "pool": tuple(pool), "sudden": (low, high),
            "standoff_limit": limit,
        }  # fmt: skip
        options = {
            "start_life": f"{life}", "max_life": f"{most}", "pool": written(pool), "sudden": f"{low}-{high}",
            "standoff_limit": "none" if limit is None else f"{limit}",
        }  # fmt: skip
        trace = follow(battle.trace, same)
        results.add(agree_on_a_game(game("battle", options), trace, rng, pick))
    return results


FACING = ["discard", "must_keep", "cap:0", "cap:1", "cap:3"]
DECKS = [("0-9x4", 3), ("0-9x4", 3), ("0-2x2", 2), ("0,1x2", 1), ("0-3x2", 3), ("5-9x3", 4), ("0-9", 3)]


def play_cards(games: int, seed: int) -> None:
    """Games of cards over all options, from hasty keepers to givers who run the deck out again and again."""
    rng = Random(seed)
    for _ in range(games):
        pool, hand_size = rng.choice(DECKS)
        gives = rng.choice([0.3, 0.5, 0.95])
        wins = rng.choice([1, 2, 2, 3])
        full_turn: Literal["skip", "alternate"] = rng.choice(["skip", "alternate"])
        deck: Literal["fresh", "persistent"] = rng.choice(["fresh", "persistent"])
        starter: Literal["alternate", "loser", "winner", "same"] = rng.choice(
            ["alternate", "loser", "winner", "same"]
        )
        facing = rng.choice(FACING)

        def pick(rng: Random, choices: list[str], gives: float = gives) -> str:
            return rng.choice(choices) if "g" not in choices else "g" if rng.random() < gives else "k"

        options = {
            "pool": pool, "hand_size": f"{hand_size}", "wins_needed": f"{wins}", "full_turn": full_turn,
            "deck": deck, "next_starter": starter, "facing_full": facing,
            "visibility": rng.choice(["private", "open"]),
        }  # fmt: skip
        rules = game("cards", options)
        same: cards.Rules = {
            "pool": DIGITS[pool], "hand_size": hand_size, "wins_needed": wins, "full_turn": full_turn,
            "deck": deck, "starter": starter, "facing_full": facing,
        }  # fmt: skip
        agree_on_a_game(rules, follow(cards.trace, same), rng, pick)


DIGITS: dict[str, tuple[int, ...]] = {
    "0-9x4": tuple(digit for digit in range(10) for _ in range(4)),
    "0-2x2": (0, 0, 1, 1, 2, 2),
    "0,1x2": (0, 1, 1),
    "0-3x2": (0, 0, 1, 1, 2, 2, 3, 3),
    "5-9x3": tuple(digit for digit in range(5, 10) for _ in range(3)),
    "0-9": tuple(range(10)),
}


def written(pool: Sequence[int]) -> str:
    return ",".join(str(digit) for digit in pool)


def test_random_games_of_sabotage_go_alike() -> None:
    play_sabotage(games=150, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(4))
def test_forty_thousand_random_games_of_sabotage_go_alike(chunk: int) -> None:
    play_sabotage(games=10_000, seed=10 + chunk)


def test_a_mirrored_game_of_sabotage_is_a_tie_and_the_second_player_wins_it() -> None:
    assert play_mirrored_sabotage(games=60, seed=2) == {"0-1"}


def test_random_games_of_cards_go_alike_under_all_options() -> None:
    play_cards(games=250, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(6))
def test_sixty_thousand_random_games_of_cards_go_alike_under_all_options(chunk: int) -> None:
    play_cards(games=10_000, seed=10 + chunk)


def test_random_games_of_battle_go_alike_under_all_options() -> None:
    assert play_battle(games=200, seed=1) == {"1-0", "0-1"}


@pytest.mark.slow
def test_many_random_games_of_battle_go_alike_under_all_options() -> None:
    assert play_battle(games=10_000, seed=2) == {"1-0", "0-1"}


def test_random_placing_games_of_ones_own_go_alike() -> None:
    play_placing(games=200, seed=1)


@pytest.mark.slow
def test_many_random_placing_games_of_ones_own_go_alike() -> None:
    play_placing(games=10_000, seed=2)


def test_both_refuse_a_pool_that_cannot_fill_the_boards_or_the_hands() -> None:
    with pytest.raises(BadOption, match="at least 6 digits"):
        game("classic", {"pool": "1-5"})
    with pytest.raises(ValueError, match="cannot fill"):
        placing.trace([], pool=(1, 2, 3, 4, 5))
    with pytest.raises(BadOption, match="at least 6 cards"):
        game("cards", {"pool": "1-5"})
    with pytest.raises(ValueError, match="cannot fill"):
        cards.trace([], pool=(1, 2, 3, 4, 5))


# The comparison itself can fail.


def test_a_wrong_rule_is_found_out() -> None:
    backwards = follow(placing.trace, {**placing.CLASSIC, "places": 1, "goal": "low"})
    with pytest.raises(AssertionError):
        agree_on_every_state(game("classic", {"places": "1"}), backwards)
    capped = follow(battle.trace, {"max_life": 11})  # so +9 x8 x1 x7 kills
    with pytest.raises(AssertionError):
        agree_on_every_state(game("battle"), capped, plies=4)


def test_a_wrong_weight_is_found_out() -> None:
    more = follow(cards.trace, {"pool": DIGITS["0-9x4"] + DIGITS["0-9"]})
    with pytest.raises(AssertionError):
        agree_on_a_game(game("cards"), more, Random(1))
