"""Exact solutions of the games: values, optimal play, and tools to evaluate policies.

The names below are the public API for research; each is imported when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from digit_duel.solve.errors import TooBig, Unsolved

if TYPE_CHECKING:
    from digit_duel.solve.research.card_rounds import RoundBounds, round_bounds
    from digit_duel.solve.research.dataset import export_solutions
    from digit_duel.solve.research.equilibrium import Equilibrium, equilibrium
    from digit_duel.solve.research.evaluate import PolicyRow, evaluate
    from digit_duel.solve.research.exploration import check_size
    from digit_duel.solve.research.export import dot, efg
    from digit_duel.solve.research.game_tree import Node, nodes
    from digit_duel.solve.research.policies import (
        BadPolicy,
        Policy,
        Profile,
        TabularPolicy,
        always,
        tabulate,
        uniform,
    )
    from digit_duel.solve.research.policy_file import (
        BadPolicyFile,
        load_policy,
        policy_text,
        read_policy,
        save_policy,
    )
    from digit_duel.solve.research.regret import optimal_moves, regret, regrets, value_of
    from digit_duel.solve.research.responses import (
        BestResponse,
        best_response,
        expected_value,
        exploitability,
        nash_conv,
    )
    from digit_duel.solve.research.size_ladder import Rung, ladder

_WHERE = {
    "dataset": ("export_solutions",),
    "equilibrium": ("Equilibrium", "equilibrium"),
    "regret": ("optimal_moves", "regret", "regrets", "value_of"),
    "evaluate": ("PolicyRow", "evaluate"),
    "exploration": ("check_size",),
    "export": ("dot", "efg"),
    "policies": ("BadPolicy", "Policy", "Profile", "TabularPolicy", "always", "tabulate", "uniform"),
    "policy_file": ("BadPolicyFile", "load_policy", "policy_text", "read_policy", "save_policy"),
    "responses": ("BestResponse", "best_response", "expected_value", "exploitability", "nash_conv"),
    "card_rounds": ("RoundBounds", "round_bounds"),
    "size_ladder": ("Rung", "ladder"),
    "game_tree": ("Node", "nodes"),
}
_MODULE = {name: module for module, names in _WHERE.items() for name in names}


def __getattr__(name: str) -> object:
    if name not in _MODULE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(import_module(f"{__name__}.research.{_MODULE[name]}"), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULE})


__all__ = [
    "BadPolicy",
    "BadPolicyFile",
    "BestResponse",
    "Equilibrium",
    "Node",
    "Policy",
    "PolicyRow",
    "Profile",
    "RoundBounds",
    "Rung",
    "TabularPolicy",
    "TooBig",
    "Unsolved",
    "always",
    "best_response",
    "check_size",
    "dot",
    "efg",
    "equilibrium",
    "evaluate",
    "expected_value",
    "exploitability",
    "export_solutions",
    "ladder",
    "load_policy",
    "nash_conv",
    "nodes",
    "optimal_moves",
    "policy_text",
    "read_policy",
    "regret",
    "regrets",
    "round_bounds",
    "save_policy",
    "tabulate",
    "uniform",
    "value_of",
]
