"""Reach probabilities, counterfactual values and best responses on the public tree, in any NumPy type."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from digit_duel.solve.keep_or_give.payoffs import Payoffs, spread
from digit_duel.solve.keep_or_give.public_tree import (
    GIVE,
    KEEP,
    SECOND,
    STARTER,
    AnyArray,
    Array,
    Tree,
    hand_draws,
    hidden_draws,
    mover,
)

# The same code serves the solver, in float64, and the certificate, in integers.
Tables = Mapping[str, AnyArray]
Decide = Callable[[str, AnyArray, AnyArray], AnyArray]


@dataclass(frozen=True)
class Profile:
    """A keep-probability for every information set of both seats, as one flat table per seat."""

    tree: Tree
    keep: tuple[Array, Array]

    def at(self, word: str) -> Array:
        """The keep-probabilities of the mover after a word, with an axis per draw."""
        return self.tree.at(self.keep[mover(word)], word)

    def tables(self, seat: int) -> dict[str, Array]:
        """The keep-probabilities of a seat by word."""
        return {word: self.at(word) for word in self.tree.seat_nodes(seat)}


def even_profile(tree: Tree) -> Profile:
    """The uniform profile, which keeps with probability 1/2 everywhere."""
    return Profile(tree, (np.full(tree.size(STARTER), 0.5), np.full(tree.size(SECOND), 0.5)))


def reaches(
    tree: Tree, seat: int, keep: Tables, one: float = 1.0, below: str = "", start: AnyArray | None = None
) -> dict[str, AnyArray]:
    """A seat's own part of the reach probability of every history from a word on, in units of `one`."""
    if start is None:
        like = next(iter(keep.values()), np.ones(()))  # there may be no choice at all
        start = np.zeros((), dtype=np.result_type(np.int8, *keep.values()), like=like)
        start[...] = 1
    reach: dict[str, AnyArray] = {below: start}
    for word in tree.nodes:
        if not word.startswith(below):
            continue
        here = reach[word][..., None]
        if mover(word) == seat:
            reach[word + KEEP] = here * keep[word]
            reach[word + GIVE] = here * (one - keep[word])
        else:
            reach[word + KEEP] = reach[word + GIVE] = here
    return reach


def reached_values(
    tree: Tree, seat: int, payoff: Tables, reach: Tables, below: str = ""
) -> dict[str, AnyArray]:
    """Payoffs times the other seat's reach probability at every end, summed over what a seat has not seen."""
    worth = {}
    for word in tree.ends:
        if word.startswith(below):
            # Counted from the right, so that payoffs may have further axes in front.
            hidden = tuple(i - len(word) for i in hidden_draws(word, seat))
            worth[word] = (payoff[word] * reach[word]).sum(axis=hidden, keepdims=True)
    return worth


def fold(tree: Tree, seat: int, worth: dict[str, AnyArray], decide: Decide, below: str = "") -> AnyArray:
    """The value of a word from the values of the ends below it, with a seat choosing by `decide`."""
    for word in reversed(tree.nodes):
        if not word.startswith(below):
            continue
        keep, give = worth[word + KEEP], worth[word + GIVE]
        # A digit that the other seat keeps is summed out already; one that it gives is seen, so sum it now.
        here = decide(word, keep, give) if mover(word) == seat else keep + give.sum(axis=-1, keepdims=True)
        worth[word] = here.sum(axis=-1)
    return worth[below]


def tremble(keep: Mapping[str, Array], error: float) -> dict[str, Array]:
    """Keep-probabilities with forced errors: each choice is reversed with probability `error`."""
    return {word: error + (1 - 2 * error) * table for word, table in keep.items()}


@dataclass(frozen=True)
class EndValues:
    """The payoffs of a round as probabilities, for one value of a tie."""

    tree: Tree
    payoff: Mapping[str, Array]

    def best_response(self, seat: int, profile: Profile, error: float = 0.0) -> float:
        """The starter's winning probability if a seat plays a best response to the other's strategy."""
        keep = tremble(profile.tables(1 - seat), error) if error else profile.tables(1 - seat)
        worth = reached_values(self.tree, seat, self.payoff, reaches(self.tree, 1 - seat, keep))
        better, worse = (np.maximum, np.minimum) if seat == STARTER else (np.minimum, np.maximum)

        def best(_word: str, keep: AnyArray, give: AnyArray) -> AnyArray:
            if not error:
                return better(keep, give)
            return (1 - error) * better(keep, give) + error * worse(keep, give)

        return float(fold(self.tree, seat, worth, best))


def end_values(
    payoffs: Payoffs, tie_value: float | Sequence[float] | Array, ends: Iterable[str] | None = None
) -> EndValues:
    """The payoffs as probabilities, with one value for all ties, or one for each ordered tied hand."""
    tree, value = payoffs.round.tree, np.asarray(tie_value, dtype=np.float64)
    payoff = {}
    for word in tree.ends if ends is None else ends:
        full = hand_draws(word, 1 - tree.hunter(word))
        share = value if value.ndim == 0 else spread(value, full, len(word))
        payoff[word] = np.ascontiguousarray((payoffs.win[word] + share * payoffs.tie[word]) / payoffs.total)
    return EndValues(tree, payoff)
