"""Are the probabilities that the coach gives in cards well calibrated?

One seat follows the coach's advice, and the other is a level of the computer. In each round one decision,
whose number is chosen before the round, is compared with the result. In each of ten bins the share of rounds
won must lie within two percentage points of the prediction, or within its 99% interval. --picture writes the
chart.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import product
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any

from digit_duel.bots import LEVELS
from digit_duel.bots.cards.hunt import keeps
from digit_duel.bots.cards.players import LEVEL_MODELS, highest
from digit_duel.core.game import Seat
from digit_duel.core.session import Session, dealer
from digit_duel.games import variant
from digit_duel.games._cards import Cards
from digit_duel.games._cards_table import Arrange, Give, Keep, Reveal
from digit_duel.solve.cards.odds import Odds, odds

RULES = ("discard", "must_keep")
BINS = 10
LATEST = 6  # the decision to compare is among this many first ones of a round
SURE = 2.576  # standard errors on either side of a 99% interval
POINTS = 0.02
PICTURE = Path(__file__).parent.parent / "docs" / "pictures" / "calibration.svg"


@dataclass
class Bin:
    """Predictions of about the same probability, and their results."""

    count: int = 0
    predicted: float = 0.0
    won: int = 0

    def add(self, chance: float, won: bool) -> None:
        """Count one round."""
        self.count, self.predicted, self.won = self.count + 1, self.predicted + chance, self.won + won

    @property
    def mean(self) -> float:
        """The mean prediction."""
        return self.predicted / self.count

    @property
    def share(self) -> float:
        """The share that was won."""
        return self.won / self.count

    @property
    def error(self) -> float:
        """Half the width of the 99% interval, if the prediction is right."""
        return SURE * sqrt(max(self.mean * (1 - self.mean), 1e-9) / self.count)

    @property
    def well(self) -> bool:
        """Whether prediction and result agree."""
        return abs(self.share - self.mean) <= max(POINTS, self.error)


@dataclass
class Pupil:
    """A seat that follows the coach's advice."""

    game: Cards
    level: str
    known: dict[Any, Odds] = field(default_factory=dict)  # a cache of odds, because rounds start alike

    def asked(self, view: Any) -> Odds:
        """The odds against the level."""
        key = view.seat, view.memory, view.drawn
        if key not in self.known:
            found = odds(self.game, view, LEVEL_MODELS[self.level])
            if len(view.memory) > LATEST:
                return found
            self.known[key] = found
        return self.known[key]

    def chooses(self, view: Any) -> bool:
        """Whether to keep the card just drawn."""
        if self.game.facing_full_hand(view):
            return keeps(self.game, view)  # the same choice, found faster
        return self.asked(view).keeps


def rounds(rule: str, level: str, count: int) -> Iterator[tuple[float, bool]]:
    """Play rounds; yields the prediction of each, and whether it was won."""
    table = variant("cards").customised({"wins_needed": "1", "facing_full": rule})
    game = table.game_as(Cards)
    pupil = Pupil(game, level)
    for number in range(count):
        rng = Random(f"{rule} {level} {number}")
        me, wanted = Seat(number % 2), rng.randrange(LATEST)
        other = LEVELS[level](table, me.other, rng)
        session = Session(table, ("Ann", "Ben"), dealer(f"{rule} {level} {number}"))
        chance, made = None, 0
        while session.outcome is None:
            seat = session.acting[0]
            view, legal = session.view(seat), session.game.legal(session.state, seat)
            if any(isinstance(event, Reveal) for event in view.memory):
                break  # a tie counts as half a win, and its replay as another round
            if seat is not me:
                session.play(seat, other.choose(view, legal))
            elif isinstance(legal[0], Arrange):
                session.play(seat, highest(view))
            elif len(legal) == 1:
                session.play(seat, legal[0])
            else:
                if made == wanted:
                    chance = pupil.asked(view).best
                made += 1
                session.play(seat, Keep() if pupil.chooses(view) else Give())
        if chance is not None and session.outcome is not None:
            yield chance, session.outcome.winner is me


def bins(rule: str, level: str, count: int) -> list[Bin]:
    """The predictions against one level, in bins."""
    found = [Bin() for _ in range(BINS)]
    for chance, won in rounds(rule, level, count):
        found[min(int(chance * BINS), BINS - 1)].add(chance, won)
    return found


def picture(found: dict[tuple[str, str], list[Bin]]) -> str:
    """A chart with a panel for each rule and level: predictions on the x axis, results on the y axis."""
    side, gap, top = 150, 34, 40
    width, height = gap + len(LEVELS) * (side + gap), top + len(RULES) * (side + gap + 14)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
        'font-size="12" role="img" aria-label="Predicted and won shares, by level and rule">',
        "<style>text{fill:#555}line,rect{stroke:#999;fill:none}.dot{fill:#2a6fb0}.bar{stroke:#2a6fb0}"
        "@media(prefers-color-scheme:dark){text{fill:#bbb}.dot{fill:#7db8ee}.bar{stroke:#7db8ee}}</style>",
        f'<text x="{gap}" y="16">predicted (left to right), won (bottom to top), bars: 99%</text>',
    ]
    for (rule, level), line in found.items():
        x = gap + list(LEVELS).index(level) * (side + gap)
        y = top + RULES.index(rule) * (side + gap + 14)
        parts += [
            f'<text x="{x}" y="{y - 6}">{level}, {rule}</text>',
            f'<rect x="{x}" y="{y}" width="{side}" height="{side}"/>',
            f'<line x1="{x}" y1="{y + side}" x2="{x + side}" y2="{y}" stroke-dasharray="3"/>',
        ]
        for one in line:
            if one.count:
                at, low, high = x + side * one.mean, one.share - one.error, one.share + one.error
                ends = [y + side * (1 - min(max(end, 0), 1)) for end in (low, high)]
                parts.append(
                    f'<line class="bar" x1="{at:.1f}" y1="{ends[0]:.1f}" x2="{at:.1f}" y2="{ends[1]:.1f}"/>'
                )
                up = y + side * (1 - one.share)
                parts.append(f'<circle class="dot" cx="{at:.1f}" cy="{up:.1f}" r="3"/>')
    return "\n".join([*parts, "</svg>\n"])


def main() -> int:
    """Play and print the bins; the exit code tells whether all of them agree."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=2_000, help="for each rule and level")
    parser.add_argument("--picture", action="store_true", help=f"write {PICTURE.name}")
    wanted = parser.parse_args()
    pairs, found = list(product(RULES, LEVELS)), {}
    with ProcessPoolExecutor() as processes:
        done = processes.map(bins, *zip(*pairs, strict=True), [wanted.rounds] * len(pairs))
        for (rule, level), line in zip(pairs, done, strict=True):
            found[rule, level] = line
            print(f"{rule}, {level}: predicted, won, tolerance (rounds)")
            for one in filter(lambda one: one.count, found[rule, level]):
                within, note = max(POINTS, one.error), "" if one.well else "  MISSED"
                print(f"  {one.mean:6.1%} {one.share:6.1%} {within:6.1%} ({one.count}){note}", flush=True)
    if wanted.picture:
        PICTURE.write_text(picture(found))
    used = [one for line in found.values() for one in line if one.count]
    missed = sum(not one.well for one in used)
    print(f"bins that do not agree: {missed} of {len(used)}")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
