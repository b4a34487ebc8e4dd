"""Figures of cards."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import ceil, floor
from typing import Any

import numpy as np
from tools.game_pages.counting import words
from tools.game_pages.markdown import decimals, digit_list, paragraph, table

from digit_duel.games import catalogue
from digit_duel.games._cards import Cards, Starter
from digit_duel.solve.cards.played_games import PLAYED, PlayedGames
from digit_duel.solve.cards.report import match_odds
from digit_duel.solve.cards.rounds import MOST_CAP, open_value_of, shipped, shipped_cap
from digit_duel.solve.keep_or_give import (
    Certificate,
    FullHandRule,
    Observation,
    Payoffs,
    Profile,
    Round,
    RoundStrategy,
    SolvedRound,
    bracket,
    certify,
    choices,
    mover,
    payoffs,
    quantise,
    solved_round,
)  # fmt: skip
from digit_duel.solve.keep_or_give.counterfactual import reaches
from digit_duel.solve.keep_or_give.payoffs import draw_weights
from digit_duel.solve.storage import shipped_bytes

CAPS = (1, 2, 3, 4, 5, 6, 7, 8, 10)
THUMB = [
    (FullHandRule.DISCARD, 10),
    *((FullHandRule.MUST_KEEP, least) for least in (6, 7, 8)),
]  # with the lowest digit that is kept
CAP_EFFORT = {
    "target": 1e-4,
    "limit": 20,
}  # a bracket holds after any number of iterations, though it may be wide


@cache
def proven_round(rule: FullHandRule) -> tuple[Payoffs, RoundStrategy, Certificate]:
    """The exact payoffs, the shipped table, and its certificate."""
    round_ = Round(facing_full=rule)
    table_ = shipped(round_)
    assert table_ is not None
    exact = payoffs(round_)
    return exact, table_, certify(exact, table_)


@cache
def book(rule: FullHandRule) -> SolvedRound:
    """The shipped table, ready for queries."""
    _, table_, proof = proven_round(rule)
    return solved_round(table_, float((proof.low + proof.high) / 2))


def size() -> str:
    """Sequences of the whole game, and the round as it is solved."""
    game = catalogue()["cards"].game_as(Cards)
    copies = [game.pool.count(digit) for digit in sorted(set(game.pool))]
    # Up to the fifth draw there is always a choice, and no hand is shown.
    rows = [[ply, words(copies, (ply + 1) // 2) * 2 ** (ply // 2)] for ply in range(10)]
    tree = Round().tree
    deals = {rule: proven_round(rule)[0].total for rule in FullHandRule}
    return "\n\n".join(
        [
            paragraph(
                "Tied rounds are replayed, so a game can last any number of moves and has infinitely many "
                "states. Sequences of moves in the standard game, nature's draws included:"
            ),
            table(["ply", "sequences of moves"], rows),
            paragraph(
                f"Until a hand is full, a round is finite. There are at most {tree.draws} draws, with "
                f"{len(tree.nodes)} public situations (who kept, who gave) and {len(tree.ends)} ends, "
                f"{tree.size(0):,} information sets of the starter and {tree.size(1):,} of the other player, "
                f"and {sum(10 ** (len(word) + 1) for word in tree.nodes):,} histories with a decision. There "
                f"are {deals[FullHandRule.DISCARD]:,} deals, and {deals[FullHandRule.MUST_KEEP]:,} with "
                "`must_keep`, where the last card counts too."
            ),
        ]
    )


def value() -> str:
    """The starter's chance under both rules, with the proof, and under caps."""
    proofs = {rule: proven_round(rule)[2] for rule in FullHandRule}
    pure, mixed = proofs[FullHandRule.DISCARD], proofs[FullHandRule.MUST_KEEP]
    assert pure.nash_conv == 0
    middle = (mixed.low + mixed.high) / 2
    shipped_ = proven_round(FullHandRule.MUST_KEEP)[1]
    assert decimals(mixed.low, 9) == decimals(middle, 9) == decimals(mixed.high, 9)
    mixtures = sum(int(np.count_nonzero((keep > 0) & (keep < shipped_.scale))) for keep in shipped_.keep)
    parts = sum(keep.size for keep in shipped_.keep)
    return "\n\n".join(
        [
            paragraph(
                f"One round, ties replayed from a fresh deck: with best play the starter wins {pure.low} of "
                f"rounds, {decimals(pure.low, 9)}, without random choices. With "
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


def caps() -> str:
    """Brackets for a few caps."""
    rows = []
    for cap in CAPS:
        game = catalogue()["cards"].customised({"facing_full": f"cap:{cap}"}).game_as(Cards)
        if (proof := shipped_cap(game)) is None:
            found = bracket(Round(), cap, target=CAP_EFFORT["target"], limit=int(CAP_EFFORT["limit"]))
            proof = found.low, found.high
        places = 7 if proof[1] - proof[0] < 1e-5 else 4 if proof[1] - proof[0] < 1e-3 else 3
        low, high = decimals(Fraction(proof[0]), places, floor), decimals(Fraction(proof[1]), places, ceil)
        openly = decimals(Fraction(open_value_of(f"cap{cap}")), 7) if cap <= MOST_CAP else "not solved"
        rows.append([f"`cap:{cap}`", low, high, openly])
    return table(["`facing_full`", "the starter wins at least", "and at most", "with open hands"], rows)


def one_deck_played() -> str:
    """Games between perfect computers in which players shape the deck."""
    rows = []
    for line in shipped_bytes(PLAYED).decode("ascii").splitlines():
        options, games, won = line.rsplit(" ", 2)
        played = PlayedGames(int(games), int(won))
        low, high = played.interval
        besides = options.split(" ")
        besides.remove("deck=persistent")
        named = ", ".join(f"`{option}`" for option in besides) or "standard otherwise"
        rows.append([named, f"{played.games:,}", f"{played.share:.2%}", f"{low:.2%} to {high:.2%}"])
    return table(["rules besides `deck=persistent`", "games", "the first seat won", "99% interval"], rows)


def ties() -> str:
    """How much the value of a tie can change."""
    found = []
    for rule in FullHandRule:
        exact, table_, _ = proven_round(rule)
        wide = certify(exact, table_, ties=(Fraction(0), Fraction(1)))
        tied = sum(
            float((exact.tie[end] * reach).sum()) / exact.total for end, reach in _played(table_.profile())[1]
        )
        found.append(
            f"With `{rule.value}`, {100 * tied:.2f}% of rounds are tied. Whatever a tie is worth, the "
            f"starter wins between {decimals(wide.low, 5, floor)} and {decimals(wide.high, 5, ceil)} of "
            "rounds."
        )
    return paragraph(" ".join(found))


def _played(profile: Profile) -> tuple[dict[str, Any], list[tuple[str, Any]]]:
    """The probability of every word and every end when both tables play, leaving out that of the draws."""
    tree = profile.tree
    both = [reaches(tree, seat, profile.tables(seat)) for seat in (0, 1)]
    reach = {word: both[0][word] * both[1][word] for word in tree.words}
    return reach, [(end, reach[end]) for end in tree.ends]


def first_draws(rule: FullHandRule) -> str:
    """How often the starter wins after keeping and after giving the first card."""
    rows = []
    for digit in range(10):
        found = choices(book(rule), Observation("", (digit,)))
        best = "keep" if found.table_keep == 1 else "give"
        rows.append([digit, f"{found.keep:.4f}", f"{found.give:.4f}", best])
    return table(["first card", "keep it", "give it", "best"], rows)


_SURE = 1e-9  # the rounding error of probabilities in float64


def situations(rule: FullHandRule) -> str:
    """The situations that occur with best play, and which digits it keeps there."""
    _, table_, _ = proven_round(rule)
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


def rules_of_thumb() -> str:
    """What simple rules guarantee."""
    rows = []
    for rule, least in THUMB:
        exact, table_, proof = proven_round(rule)
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
        "rule",
        "starter wins at least",
        "short by",
        "second wins at least",
        "short by",
    ]
    return table(head, rows)


def balance() -> str:
    """The whole game, for every way to choose the next starter."""
    pure, mixed = (proven_round(rule)[2] for rule in FullHandRule)
    rows = []
    for starter in Starter:
        game = catalogue()["cards"].customised({"next_starter": starter.value}).game_as(Cards)
        exact = match_odds(game, pure.low)
        bounds = [decimals(match_odds(game, bound), 6) for bound in (mixed.low, mixed.high)]
        assert bounds[0] == bounds[1]
        rows.append([f"`{starter.value}`", decimals(exact, 6), exact, bounds[0]])
    return "\n\n".join(
        [
            paragraph("The probability that the first seat, which starts round one, wins the game:"),
            table(["`next_starter`", "`discard`", "exactly", "`must_keep`"], rows),
        ]
    )
