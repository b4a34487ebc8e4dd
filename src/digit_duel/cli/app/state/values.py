"""What the choices at a position are worth: as signs on tiles and places, and the best three in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from digit_duel.cli.app.state.choice import Choice
from digit_duel.cli.app.state.table import Sign
from digit_duel.core.game import Seat
from digit_duel.core.record import Record, Steps
from digit_duel.core.variant import AnyVariant

_SHOWN = 3  # choices that are named; the others are counted
_MANY = {"loses": "lose", "wins for sure": "win for sure", "even": "are even"}


@dataclass(frozen=True, slots=True)
class ChoiceValue:
    """A legal move with its value from the mover's side."""

    move: Any
    words: str
    value: float
    symbol: str
    text: str  # wins for sure, even, loses, or a chance
    good: bool  # no choice is better

    @property
    def told(self) -> str:
        """The move and its value in a sentence."""
        return f"{self.words}, {self.text}" if "%" in self.text else f"{self.words} {self._verb}"

    @property
    def _verb(self) -> str:
        return "is even" if self.text == "even" else self.text

    @property
    def sign(self) -> Sign:
        """A short form for a tile."""
        short = self.text.replace("under ", "<").replace("over ", ">") if "%" in self.text else self.symbol
        return Sign(short, None if self.value == 0 else self.value > 0)


def choice_values(
    variant: AnyVariant, record: Record, steps: Steps[Any, Any], seat: Seat
) -> tuple[ChoiceValue, ...]:
    """The choices of a seat after some steps, best first; none if nothing is known. It may take a while."""
    from digit_duel.coach.analysis import analyse  # slow to import: it brings the solvers
    from digit_duel.coach.opponent import PERSON, opponent_of
    from digit_duel.solve.effort import Effort
    from digit_duel.web.analysis import values

    opponent = opponent_of(record.headers, seat, PERSON.errs)
    found = analyse(variant, steps, None, Effort(), record.names, opponent)  # nobody is called you
    worth = found.evaluation
    return tuple(
        ChoiceValue(
            move.move,
            words,
            float(move.value),
            values.symbol(move.value),
            values.text(move.value, worth.chances),
            move.best or move.keeps,
        )
        for move, words in zip(worth.moves, found.words, strict=True)
    )


def signs(choice: Choice, known: Sequence[ChoiceValue]) -> dict[str, Sign]:
    """For each thing that can be chosen, by its action, what the best move with it is worth."""
    found: dict[str, Sign] = {}
    for offer in choice.offers:
        fitting = [value for value in known if choice.leads(offer, value.move)]
        if fitting:
            found[offer.action] = max(fitting, key=lambda value: value.value).sign
    return found


def words_with_signs(found: Mapping[str, Sign]) -> str:
    """What answers in words are worth, which have no place on the table: keep 43%, give 96%."""
    words = [(action.split(" ", 2)[2], sign) for action, sign in found.items() if action.startswith("word ")]
    return ", ".join(f"{label} {sign.text}" for label, sign in words[:_SHOWN]).capitalize()


def best_choices(known: Sequence[ChoiceValue]) -> tuple[str, ...]:
    """The best choices in words, and the number of the others."""
    lines = [f"{value.symbol} {value.words}: {value.text}" for value in known[:_SHOWN]]
    others = known[_SHOWN:]
    return (*lines, _folded(others)) if others else tuple(lines)


def _folded(others: Sequence[ChoiceValue]) -> str:
    """The other choices in one line: and 21 others lose."""
    text = others[0].text
    count = f"and {len(others)} {'other' if len(others) == 1 else 'others'}"
    if "%" in text:
        return f"{count}, at most {text}"
    if any(value.text != text for value in others):
        return count
    return f"{count} {text if len(others) == 1 else _MANY.get(text, text)}"
