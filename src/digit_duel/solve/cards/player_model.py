"""A model of how a player of cards chooses: the solution, mixed with errors, tips and coin tosses."""

from __future__ import annotations

from dataclasses import dataclass

from digit_duel.games._cards_tips import HUNT_FROM, KEEP_FROM

_NUMBERS = {3: "three", 4: "four", 5: "five", 6: "six", 8: "eight", 10: "ten", 20: "twenty", 100: "a hundred"}


@dataclass(frozen=True, slots=True)
class PlayerModel:
    """One way of choosing: with some probability by a coin or by the tips, and otherwise by the solution."""

    coin: float = 0.0  # the share of choices made by tossing a coin
    tips: float = 0.0  # the share of choices that follow the rulebook's tips
    blur: float = 0.0  # the standard error of judgement in all other choices, in winning probability
    any_order: bool = False  # lays out its digits in random order, not as the highest number
    level: str = ""  # of the computer; empty for a person
    keep_from: int = KEEP_FROM
    hunt_from: int = HUNT_FROM

    @property
    def how_often(self) -> str:
        """How often a person errs, in words."""
        every = round(1 / self.coin) if self.coin else 0
        if every in _NUMBERS and abs(self.coin * every - 1) < 1e-9:
            return f"one choice in {_NUMBERS[every]}"
        return f"{100 * self.coin:g}% of the choices" if self.coin else "no choice"

    @property
    def condition(self) -> str:
        """What odds assume about the opponent, in words."""
        if self.level:
            return f"against the computer's level {self.level}"
        return f"if the other player errs on {self.how_often}"


ERRS = 0.1  # the default share of a person's choices that are random: one in ten
PERSON = PlayerModel(coin=ERRS)  # half of these coin tosses agree with the solution
NEVER_ERRS = PlayerModel()
