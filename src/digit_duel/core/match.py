"""Match play: several games with a running score; the players swap seats after each (A2)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from digit_duel.core.game import Pair, Seat, put, swap

_TEXT = re.compile(r"(best of|first to) ([1-9][0-9]{0,5})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Match:
    """The score of a match, by the seats of the current game, and the rule that ends it."""

    first_to: int | None = None
    best_of: int | None = None
    number: int = 1  # of the current game, from 1
    score: Pair[int] = (0, 0)

    def after(self, winner: Seat | None) -> Match:
        """The match before its next game, in which the players have swapped seats."""
        score = self.score if winner is None else put(self.score, winner, self.score[winner] + 1)
        return replace(self, number=self.number + 1, score=swap(score))

    @property
    def decided(self) -> bool:
        """Whether the match is over."""
        if self.first_to is not None:
            return max(self.score) >= self.first_to
        games = self.best_of or 1
        return 2 * max(self.score) > games or self.number > games

    @property
    def text(self) -> str:
        """The rule of the match in words."""
        return f"first to {self.first_to}" if self.first_to is not None else f"best of {self.best_of or 1}"

    def headers(self) -> dict[str, str]:
        """The match as headers of a record."""
        return {"Match": self.text, "Number": str(self.number), "Score": f"{self.score[0]}-{self.score[1]}"}

    @staticmethod
    def from_headers(headers: Mapping[str, str]) -> Match | None:
        """The match that a record belongs to; None for a single game or invalid headers."""
        rule = _TEXT.fullmatch(headers.get("Match", ""))
        number = re.fullmatch(r"[0-9]{1,6}", headers.get("Number", ""), re.ASCII)
        score = re.fullmatch(r"([0-9]{1,6})-([0-9]{1,6})", headers.get("Score", ""), re.ASCII)
        if not (rule and number and score):
            return None
        limit = int(rule[2])
        first_to, best_of = (limit, None) if rule[1] == "first to" else (None, limit)
        return Match(first_to, best_of, int(number[0]), (int(score[1]), int(score[2])))
