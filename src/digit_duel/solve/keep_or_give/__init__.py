"""The solver of one round of cards: exact payoffs, an equilibrium, its certificate, its file, and its odds.

A word such as "kg" spells which draws were kept and which given, one letter per draw. The hunter is the seat
that faces a full hand and draws until its own hand is full, too; its draws are the hunt. A profile is a
strategy for each seat.
"""

from digit_duel.solve.keep_or_give.by_hand import (
    Fate,
    HandOdds,
    against_each_hand,
    hunt_against_each_hand,
    hunt_fates,
)
from digit_duel.solve.keep_or_give.capped.cap_bounds import bracket
from digit_duel.solve.keep_or_give.certificate import Certificate, certify
from digit_duel.solve.keep_or_give.cfr import RoundSolution, refine, solve
from digit_duel.solve.keep_or_give.counterfactual import Profile, even_profile
from digit_duel.solve.keep_or_give.hunt_beliefs import HuntObservation
from digit_duel.solve.keep_or_give.hunt_choices import HuntChoices, hunt_choices, hunt_odds
from digit_duel.solve.keep_or_give.opponents import against, keep_gains, tie_worth
from digit_duel.solve.keep_or_give.other_rules.other_decks import (
    Bounds,
    after_tie,
    bounds,
    replayed,
    solve_again,
    tied_hands,
)
from digit_duel.solve.keep_or_give.other_rules.tie_replays import replay_bounds
from digit_duel.solve.keep_or_give.payoffs import FRESH_DECK, FullHandRule, Payoffs, Round, payoffs
from digit_duel.solve.keep_or_give.public_tree import (
    SECOND,
    STARTER,
    Tree,
    hand_draws,
    hidden_draws,
    mover,
    seen_draws,
    tree_of,
)
from digit_duel.solve.keep_or_give.solved_round import (
    ChoiceValues,
    Observation,
    RoundPlay,
    SolvedRound,
    belief,
    choices,
    round_play,
    solved_round,
    standing,
)
from digit_duel.solve.keep_or_give.strategy import (
    RoundStrategy,
    from_bytes,
    load,
    quantise,
    save,
    to_bytes,
)
from digit_duel.solve.keep_or_give.with_errors.off_path import PlayableStrategy, solve_for_play

__all__ = [
    "FRESH_DECK",
    "SECOND",
    "STARTER",
    "Bounds",
    "Certificate",
    "ChoiceValues",
    "Fate",
    "FullHandRule",
    "HandOdds",
    "HuntChoices",
    "HuntObservation",
    "Observation",
    "Payoffs",
    "PlayableStrategy",
    "Profile",
    "Round",
    "RoundPlay",
    "RoundSolution",
    "RoundStrategy",
    "SolvedRound",
    "Tree",
    "after_tie",
    "against",
    "against_each_hand",
    "belief",
    "bounds",
    "bracket",
    "certify",
    "choices",
    "even_profile",
    "from_bytes",
    "hand_draws",
    "hidden_draws",
    "hunt_against_each_hand",
    "hunt_choices",
    "hunt_fates",
    "hunt_odds",
    "keep_gains",
    "load",
    "mover",
    "payoffs",
    "quantise",
    "refine",
    "replay_bounds",
    "replayed",
    "round_play",
    "save",
    "seen_draws",
    "solve",
    "solve_again",
    "solve_for_play",
    "solved_round",
    "standing",
    "tie_worth",
    "tied_hands",
    "to_bytes",
    "tree_of",
]
