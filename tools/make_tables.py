"""Compute the tables that the package ships: python tools/make_tables.py (takes a few minutes)."""

from __future__ import annotations

from pathlib import Path

from digit_duel.games import catalogue
from digit_duel.games._battle import Battle
from digit_duel.games._placement import Placement
from digit_duel.solve.general.tablebase import Tablebase
from digit_duel.solve.general.value_file import ValueFile
from digit_duel.solve.keep_or_give import FullHandRule, Round, save, solve_for_play
from digit_duel.solve.placing import pool_file, pooled

TABLES = Path(__file__).parent.parent / "src" / "digit_duel" / "solve" / "tables"
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
    lines = []
    for rule in FullHandRule:
        done = solve_for_play(Round(facing_full=rule))
        save(done.strategy, TABLES / f"{rule.value}.kog")
        proof = done.certificate
        lines.append(f"{rule.value} {(proof.low + proof.high) / 2}\n")
    (TABLES / "rounds.txt").write_text("".join(lines))


if __name__ == "__main__":
    TABLES.mkdir(exist_ok=True)
    card_rounds()
    placing_tables()
    battle_values()
    for path in TABLES.iterdir():
        path.chmod(0o644)  # they are shipped, not private
