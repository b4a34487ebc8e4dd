"""One round of keep or give, solved: exact payoffs, an equilibrium, its proof, its table, and its odds."""

from digit_duel.solve.keep_or_give.caps import bracket
from digit_duel.solve.keep_or_give.certify import Certificate, certify
from digit_duel.solve.keep_or_give.corners import Finished, finish
from digit_duel.solve.keep_or_give.hunt import Hunt
from digit_duel.solve.keep_or_give.hunter import Pursuit, hunt_odds, pursue
from digit_duel.solve.keep_or_give.match import match_value
from digit_duel.solve.keep_or_give.odds import Book, Choices, Seen, choices, open_book, standing
from digit_duel.solve.keep_or_give.payoffs import FRESH_DECK, FacingFull, Payoffs, Round, payoffs
from digit_duel.solve.keep_or_give.replay import Bounds, after_tie, bounds, replayed, solve_again, tied_hands
from digit_duel.solve.keep_or_give.solver import Solution, refine, solve
from digit_duel.solve.keep_or_give.table import (
    DamagedTableError,
    Table,
    from_bytes,
    load,
    quantise,
    save,
    to_bytes,
)
from digit_duel.solve.keep_or_give.tree import (
    SECOND,
    STARTER,
    Tree,
    hand_draws,
    hidden_draws,
    mover,
    seen_draws,
    tree_of,
)
from digit_duel.solve.keep_or_give.values import Profile, even_profile

__all__ = [
    "FRESH_DECK",
    "SECOND",
    "STARTER",
    "Book",
    "Bounds",
    "Certificate",
    "Choices",
    "DamagedTableError",
    "FacingFull",
    "Finished",
    "Hunt",
    "Payoffs",
    "Profile",
    "Pursuit",
    "Round",
    "Seen",
    "Solution",
    "Table",
    "Tree",
    "after_tie",
    "bounds",
    "bracket",
    "certify",
    "choices",
    "even_profile",
    "finish",
    "from_bytes",
    "hand_draws",
    "hidden_draws",
    "hunt_odds",
    "load",
    "match_value",
    "mover",
    "open_book",
    "payoffs",
    "pursue",
    "quantise",
    "refine",
    "replayed",
    "save",
    "seen_draws",
    "solve",
    "solve_again",
    "standing",
    "tied_hands",
    "to_bytes",
    "tree_of",
]
