"""Counterfactual regret minimisation on a small game of hidden cards, with its exploitability plotted.

    python examples/cfr_on_cards.py                   six cards, hands of two; about a minute
    python examples/cfr_on_cards.py --short           four cards; a few seconds
    python examples/cfr_on_cards.py --svg curve.svg   also draw a picture

CFR+ (Tammelin 2014) on the tree that the library unrolls. The library also measures how far the average
policy is from optimal: exploitability, from exact best responses. The size ladder has the exact value.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import log10
from pathlib import Path
from typing import Any

from digit_duel import solve
from digit_duel.core.game import Pair, Seat
from digit_duel.core.variant import AnyGame

Node = solve.Node[Any, Any]
Curve = list[tuple[int, float]]  # iterations, exploitability


class Chooser:
    """One information set: the cumulative regret and the cumulative strategy of each move."""

    def __init__(self, node: Node) -> None:
        self.regrets = [0.0] * len(node.moves)
        self.played = [0.0] * len(node.moves)
        self.policy = [1 / len(node.moves)] * len(node.moves)

    def learn(self) -> None:
        """Play in proportion to regret; negative regrets are reset to zero, which is the plus of CFR+."""
        self.regrets = [max(regret, 0.0) for regret in self.regrets]
        if total := sum(self.regrets):
            self.policy = [regret / total for regret in self.regrets]


class Cfr:
    """The tree of a game, and one chooser for each information set."""

    def __init__(self, game: AnyGame) -> None:
        self.nodes = list(solve.nodes(game))
        self.children: defaultdict[int, list[Node]] = defaultdict(list)
        self.choosers: dict[tuple[Seat, int], Chooser] = {}
        self.views: dict[Any, Chooser] = {}
        for node in self.nodes:
            self.children[node.parent].append(node)
            if node.seat is not None:
                chooser = self.choosers.setdefault((node.seat, node.knows), Chooser(node))
                self.views[node.view] = chooser
        self.iterations = 0

    def iterate(self) -> None:
        """Update each seat in turn over the whole tree."""
        self.iterations += 1
        for seat in Seat:
            self.walk(self.nodes[0], seat, (1.0, 1.0))
            for (owner, _), chooser in self.choosers.items():
                if owner is seat:
                    chooser.learn()

    def walk(self, node: Node, learner: Seat, reach: Pair[float]) -> float:
        """The learner's expected score, given the reach probabilities of its own and all other choices."""
        if node.outcome is not None:
            return node.outcome.score(learner)
        mine, others = reach
        nexts = self.children[node.number]
        if node.seat is None:
            chances = [float(chance) for chance in node.chances]
            found = (
                self.walk(next, learner, (mine, others * c)) for next, c in zip(nexts, chances, strict=True)
            )
            return sum(c * value for c, value in zip(chances, found, strict=True))
        chooser = self.choosers[node.seat, node.knows]
        if node.seat is not learner:
            return sum(
                chance * self.walk(next, learner, (mine, others * chance))
                for next, chance in zip(nexts, chooser.policy, strict=True)
            )
        values = [
            self.walk(next, learner, (mine * chance, others))
            for next, chance in zip(nexts, chooser.policy, strict=True)
        ]
        expected = sum(chance * value for chance, value in zip(chooser.policy, values, strict=True))
        for at, (chance, value) in enumerate(zip(chooser.policy, values, strict=True)):
            chooser.regrets[at] += others * (value - expected)
            chooser.played[at] += self.iterations * mine * chance  # linear averaging
        return expected

    def average(self, view: Any, legal: Sequence[Any]) -> Mapping[Any, float]:
        """The average policy, which converges."""
        played = self.views[view].played
        total = sum(played)
        shares = [part / total for part in played] if total else [1 / len(legal)] * len(legal)
        return dict(zip(legal, shares, strict=True))


def plotted(curve: Curve, width: int = 60) -> str:
    """The curve as text, with exploitability on a logarithmic scale."""
    low, high = (log10(edge(value for _, value in curve if value)) for edge in (min, max))
    bars = [round(width * (log10(value) - low) / (high - low or 1)) if value else 0 for _, value in curve]
    lines = (f"{at:6,}  {value:.6f}  {'#' * bar}" for (at, value), bar in zip(curve, bars, strict=True))
    return "\n".join(["  iter  exploitability (log scale)", *lines])


def svg(curve: Curve, title: str) -> str:
    """The curve as a picture, with both scales logarithmic."""
    points = [(log10(at), log10(value)) for at, value in curve if value]
    (left, right), (low, high) = ((min(axis), max(axis)) for axis in zip(*points, strict=True))
    across, down = 520 / (right - left), 280 / (high - low)
    scaled = " ".join(f"{60 + across * (x - left):.1f},{40 + down * (high - y):.1f}" for x, y in points)
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 360" font-family="sans-serif">'
        f'<text x="60" y="24">{title}: exploitability by iterations, both logarithmic</text>'
        '<path d="M60 40V320H580" fill="none" stroke="gray"/>'
        f'<polyline points="{scaled}" fill="none" stroke="black" stroke-width="2"/>'
        f'<text x="4" y="48">{10**high:.1e}</text><text x="4" y="320">{10**low:.1e}</text>'
        f'<text x="60" y="340">{10**left:.0f}</text><text x="545" y="340">{10**right:.0f}</text></svg>\n'
    )


def main() -> None:
    """Iterate, measure at powers of two, plot."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--short", action="store_true", help="a smaller game, fewer iterations")
    parser.add_argument("--svg", type=Path, help="a file for the picture")
    chosen = parser.parse_args()
    rung = next(rung for rung in solve.ladder() if rung.name == ("cards-3" if chosen.short else "cards-5"))
    game = rung.variant.game
    cfr = Cfr(game)
    print(f"{rung.name}: {len(cfr.nodes):,} nodes, {len(cfr.choosers):,} information sets")
    curve: Curve = []
    for power in range(7 if chosen.short else 9):
        while cfr.iterations < 2**power:
            cfr.iterate()
        curve.append((cfr.iterations, float(solve.exploitability(game, cfr.average))))
    print(plotted(curve))
    if chosen.svg:
        chosen.svg.write_text(svg(curve, rung.name), encoding="utf-8")
    value = float(solve.expected_value(game, cfr.average))
    print(f"value {value:.6f}, exactly {rung.value}")
    assert curve[-1][1] < 0.01 * curve[0][1], "CFR does not converge"
    assert abs(value - rung.value) <= 2 * curve[-1][1] + 1e-9, "CFR converges to another value"


if __name__ == "__main__":
    main()
