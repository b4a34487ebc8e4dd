"""Prints every count of the references, to be pinned as literals: python -m tests.reference.counts."""

from collections import Counter
from collections.abc import Sequence

from . import battle, cards, placing, referee

TOY: cards.Rules = {"pool": (0, 0, 1, 1, 2, 2), "hand_size": 2, "wins_needed": 1}
CUSTOM: placing.Rules = {"places": 2, "pool": (0, 0, 1, 2, 2), "goal": "low", "reach": "any", "tie": "draw"}


def show(title: str, counts: Sequence[int]) -> None:
    """Print counts by ply and their sum."""
    print(f"{title}: {list(counts)} sum {sum(counts):_}")


def placing_counts() -> None:
    """Closed forms, checked against enumeration as far as that is quick."""
    quick: list[tuple[str, placing.Rules, int]] = [
        ("classic", placing.CLASSIC, 6),
        ("reverse", placing.REVERSE, 6),
        ("sabotage", placing.SABOTAGE, 3),
        ("custom 2 places, pool 00122, any board", CUSTOM, 4),
    ]
    for name, rules, plies in quick:
        states, sequences = placing.count_states_by_ply(**rules), placing.count_sequences_by_ply(**rules)
        show(f"{name} states", states)
        show(f"{name} sequences", sequences)
        agree = placing.enumerate_by_ply(plies, **rules) == (states[: plies + 1], sequences[: plies + 1])
        print(f"{name} enumeration to ply {plies} agrees: {agree}")


def battle_counts() -> None:
    """Up to the end of the pool, what ends there, and the first plies of sudden death."""
    levels = battle.levels(11)
    pool, sudden = levels[:10], levels[10:]
    show("battle states", referee.states(pool))
    show("battle sequences", referee.sequences(pool))
    show("battle states, unfinished", [sum(now.result == "*" for now in level) for level in pool])
    for result in ("1-0", "0-1", "*"):
        ended = [sum(n for now, n in level.items() if now.result == result) for level in pool]
        show(f"battle sequences with result {result}", ended)
    show("battle sudden death sequences, plies 10 and 11", referee.sequences(sudden))
    ties: Counter[int] = Counter()
    for now, ways in pool[-1].items():
        ties[now.life[0]] += ways * (now.result == "*")
    print(f"battle sequences by tied life points: {sorted((+ties).items())}")


def cards_counts() -> None:
    """The toy deck under every option that changes legality, and the first plies of the full game."""
    options: list[tuple[str, cards.Rules]] = [
        ("toy", TOY),
        ("toy must_keep", {**TOY, "facing_full": "must_keep"}),
        ("toy cap:1", {**TOY, "facing_full": "cap:1"}),
        ("toy alternate", {**TOY, "full_turn": "alternate"}),
        ("toy persistent, two wins", {**TOY, "deck": "persistent", "wins_needed": 2}),
        ("toy fresh, two wins", {**TOY, "wins_needed": 2}),
    ]
    for name, rules in options:
        # Sequences only: how many states there are depends on what a state remembers. The second run-out (C4)
        # of a round comes at ply 18 at the earliest, so the plies after it are the ones that test it.
        show(f"cards {name} sequences", cards.count_sequences_by_ply(26, **rules))
    show("cards sequences", cards.count_sequences_by_ply(9))


if __name__ == "__main__":
    placing_counts()
    battle_counts()
    cards_counts()
