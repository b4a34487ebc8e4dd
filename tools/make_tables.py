"""Compute the tables that the package ships: python tools/make_tables.py (takes about ten minutes)."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from digit_duel.games import catalogue
from digit_duel.games._battle import Battle
from digit_duel.games._placement import Placement
from digit_duel.solve.general.tablebase import Tablebase
from digit_duel.solve.general.value_file import ValueFile
from digit_duel.solve.keep_or_give import FullHandRule, Round, save, solve_for_play
from digit_duel.solve.placing import pool_file, pooled

ROOT = Path(__file__).parent.parent
TABLES = ROOT / "src" / "digit_duel" / "solve" / "tables"
WITH_ERRORS = ROOT / "tests" / "solve" / "keep_or_give" / "with_errors.npz"  # what the tests compare with
EARLY = 6  # digits used; from here on solving takes a millisecond


def placing_tables() -> None:
    """The margins of the three placing games."""
    for id, variant in catalogue().items():
        if isinstance(variant.game, Placement):
            table = pool_file.encode(pooled.solve(variant.game))
            (TABLES / f"{id}.ddpt").write_bytes(table)


def battle_values() -> None:
    """Battle's first moves, and sudden death, whose cycles take long to solve."""
    game = catalogue()["battle"].game_as(Battle)
    solved = Tablebase(game)
    kept = [s for s in solved if len(game.pool) - len(s.pool) < EARLY or game.sudden_death(s)]
    values = ValueFile.of(repr(game), ((state, solved.value(state)) for state in kept))
    (TABLES / "battle.ddvf").write_bytes(values.encode())


def card_rounds() -> None:
    """The equilibrium of a round of cards under both rules, with what it proves."""
    lines, with_errors = [], []
    for rule in FullHandRule:
        done = solve_for_play(Round(facing_full=rule))
        save(done.strategy, TABLES / f"{rule.value}.kog")
        proof = done.certificate
        lines.append(f"{rule.value} {(proof.low + proof.high) / 2}\n")
        with_errors.append([np.concatenate(profile.keep) for profile in done.solutions.values()])
    (TABLES / "rounds.txt").write_text("".join(lines))
    np.savez_compressed(WITH_ERRORS, keep=np.array(with_errors))  # by rule, error and choice


if __name__ == "__main__":
    TABLES.mkdir(exist_ok=True)
    card_rounds()
    placing_tables()
    battle_values()
    for path in TABLES.iterdir():
        path.chmod(0o644)  # they are shipped, not private
