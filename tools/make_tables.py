"""Compute the tables that the package ships: python tools/make_tables.py (takes about ten minutes).

python tools/make_tables.py caps solves rounds with a cap on discards, in hours, or in ten minutes on a
graphics card with CuPy. Caps that already have a table are not solved again.

python tools/make_tables.py one-deck solves matches with one deck for all rounds, in about ten minutes. Where
players shape that deck, python tools/make_tables.py one-deck-games lets perfect computers play each other, in
half an hour. Rules that already have a line are not played again.
"""

from __future__ import annotations

import argparse
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from digit_duel.games import catalogue
from digit_duel.games._cards import Cards, Decks, FacingFull, Starter, Visibility
from digit_duel.games._placement import Placement
from digit_duel.lab.equals.simulation import simulated_one_by_one
from digit_duel.solve.cards.one_deck import SEED, Samples, encloses, one_deck_bounds
from digit_duel.solve.cards.played_games import PLAYED, played_games, rules_text
from digit_duel.solve.cards.rounds import MOST_CAP, shipped_open_round, shipped_round
from digit_duel.solve.keep_or_give import FullHandRule, Profile, Round, load, quantise, save, solve_for_play
from digit_duel.solve.keep_or_give.capped.best_hunts import AT_ONCE
from digit_duel.solve.keep_or_give.capped.certified import SolveProgress, solve_capped
from digit_duel.solve.keep_or_give.capped.open_hunts import open_capped_value
from digit_duel.solve.keep_or_give.other_rules.open_hands import open_value
from digit_duel.solve.keep_or_give.payoffs import payoffs
from digit_duel.solve.placing import pool_file, pooled

try:
    cupy: Any = import_module("cupy")  # used where it is installed
except ImportError:
    cupy = None

ROOT = Path(__file__).parent.parent
TABLES = ROOT / "src" / "digit_duel" / "solve" / "tables"
ONE_DECK = {  # open hands are solved exactly, so fewer decks suffice
    Visibility.PRIVATE: Samples(fit=100, check=80, tied=24, last=6),
    Visibility.OPEN: Samples(fit=60, check=50, tied=12, last=6),
}
ONE_DECK_GAMES = 2_000, 20_000  # games under a cap, which are slower to play, and with free discards
WITH_ERRORS = ROOT / "tests" / "solve" / "keep_or_give" / "with_errors.npz"  # what the tests compare with


def placing_tables() -> None:
    """The margins of the three placing games."""
    for id, variant in catalogue().items():
        if isinstance(variant.game, Placement):
            table = pool_file.encode(pooled.solve(variant.game))
            (TABLES / f"{id}.ddpt").write_bytes(table)


def card_rounds() -> None:
    """The equilibrium of a round of cards under both rules, with its certificate."""
    lines, with_errors = [], []
    for rule in FullHandRule:
        done = solve_for_play(Round(facing_full=rule))
        save(done.strategy, TABLES / f"{rule.value}.kog")
        proof = done.certificate
        lines.append(f"{rule.value} {(proof.low + proof.high) / 2}\n")
        lines.append(f"open_{rule.value} {open_value(payoffs(Round(facing_full=rule)))}\n")
        with_errors.append([np.concatenate(profile.keep) for profile in done.solutions.values()])
    for cap in range(1, MOST_CAP + 1):
        capped = Round(facing_full=FullHandRule.MUST_KEEP, cap=cap)
        lines.append(f"open_cap{cap} {open_capped_value(capped)!r}\n")
    (TABLES / "rounds.txt").write_text("".join(lines))
    np.savez_compressed(WITH_ERRORS, keep=np.array(with_errors))  # by rule, error and choice


def capped_rounds(caps: range) -> None:
    """The strategies of rounds with a cap, and their certificates; delete a table to compute it again."""
    arrays, at_once = (cupy, 4 * 10**8) if cupy is not None else (np, AT_ONCE)
    start, value = load(TABLES / "must_keep.kog").profile(), 0.6
    lines = dict(line.split(" ", 1) for line in (TABLES / "caps.txt").read_text().splitlines())
    for cap in caps:
        path = TABLES / f"cap{cap}.kog"
        if path.exists():
            start, value = load(path).profile(), float(lines[str(cap)].split()[0])
            continue
        start = Profile(start.tree, (arrays.asarray(start.keep[0]), arrays.asarray(start.keep[1])))
        found = solve_capped(
            Round(), cap, start=start, tie_value=value, iterations=3_000, at_once=at_once, progress=_say
        )
        lines[str(cap)] = f"{found.low!r} {found.high!r}"
        keep = (np.array(part.tolist()) for part in found.profile.keep)  # back from the graphics card
        start, value = Profile(start.tree, (next(keep), next(keep))), found.value
        save(quantise(Round(facing_full=FullHandRule.MUST_KEEP, cap=cap), start), path)
        (TABLES / "caps.txt").write_text("".join(f"{cap} {line}\n" for cap, line in sorted(lines.items())))


def one_deck() -> None:
    """The first seat's share of matches with one deck, by who starts the next round."""
    lines = []
    for visibility in Visibility:
        hidden = visibility is Visibility.PRIVATE
        solved = shipped_round("must_keep") if hidden else shipped_open_round("must_keep")
        games = [
            Cards(visibility, facing_full=FacingFull(0), deck=Decks.PERSISTENT, next_starter=starter)
            for starter in Starter
        ]
        found = one_deck_bounds(
            games, solved.tie_value, encloses(games[0], solved.profile), ONE_DECK[visibility], SEED, _count
        )
        for game, bounds in zip(games, found, strict=True):
            low, high = f"{bounds.low:.7f}", f"{bounds.high:.7f}"
            lines.append(f"{visibility.value} {game.next_starter.value} {low} {high}\n")
            print(f"\n{lines[-1]}", end="", flush=True)
        (TABLES / "one_deck.txt").write_text("".join(lines))


def one_deck_games(most: int | None = None) -> None:
    """How often the first seat wins when perfect computers play each other; most limits the rule sets."""
    rules = [("discard", Visibility.PRIVATE, starter) for starter in Starter]
    rules += [(f"cap:{cap}", Visibility.PRIVATE, Starter.ALTERNATE) for cap in range(1, MOST_CAP + 1)]
    rules += [("discard", Visibility.OPEN, starter) for starter in Starter]
    for facing_full, hands, starter in rules:
        variant = catalogue()["cards"].customised(
            {
                "deck": Decks.PERSISTENT.value,
                "facing_full": facing_full,
                "visibility": hands.value,
                "next_starter": starter.value,
            }
        )
        game, games = variant.game_as(Cards), ONE_DECK_GAMES[facing_full == "discard"]
        if most == 0 or played_games(game) is not None:
            continue
        found = simulated_one_by_one(variant, ("perfect", "perfect"), games)
        line = f"{rules_text(game)} {games} {round(found.wins * games)}\n"
        print(line, end="", flush=True)
        with (TABLES / PLAYED).open("a") as lines:
            lines.write(line)
        most = None if most is None else most - 1


def _count(done: int, total: int | None = None, unit: str = "states") -> None:
    print(f"\r{done} of {total} {unit}", end="", flush=True)


def _say(step: SolveProgress) -> None:
    print(f"{step.plans} plans: {step.bounds.low:.9f} to {step.bounds.high:.9f}", flush=True)


def main() -> None:
    """Make the tables that the command line asks for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("tables", nargs="?", choices=["caps", "one-deck", "one-deck-games"])
    TABLES.mkdir(exist_ok=True)
    match parser.parse_args().tables:
        case "caps":
            capped_rounds(range(1, MOST_CAP + 1))
        case "one-deck":
            one_deck()
        case "one-deck-games":
            one_deck_games()
        case _:
            card_rounds()
            placing_tables()
            for path in TABLES.iterdir():
                path.chmod(0o644)  # shipped files must be readable by everybody


if __name__ == "__main__":
    main()
