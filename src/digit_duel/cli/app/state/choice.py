"""A half-chosen move: digits, places and words narrow the legal moves until one is left."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from digit_duel.core.answers import fit, one_line, refusal
from digit_duel.core.game import NotAMove, Refused, Seat
from digit_duel.core.script import AnyStep, Question, Scene, Spot
from digit_duel.core.variant import AnyScript

RESERVED = "chjlmoqrsuwx?"  # keys with a meaning of their own at the table
_NOWHERE = Spot()
_FEW = 4  # words that fit into a sentence


@dataclass(frozen=True, slots=True)
class Offer:
    """Something that can be chosen now: a digit of the pool, a place on the table, or a word."""

    label: str
    key: str = ""  # the key that chooses it
    digit: int | None = None
    row: Seat | None = None
    cell: int | None = None
    question: int | None = None  # a word that answers this question
    preferred: bool = False  # what Enter alone means

    @property
    def action(self) -> str:
        """A name that is unique among all offers."""
        if self.question is not None:
            return f"word {self.question} {self.label}"
        return f"digit {self.digit}" if self.row is None else f"place {self.row} {self.cell}"

    @property
    def in_pool(self) -> bool:
        """Whether it is a digit of the pool, whose key is the digit itself."""
        return self.question is None and self.row is None


class Choice(ABC):
    """One seat's way to a move: what has been chosen so far, and what can be chosen next."""

    def __init__(
        self,
        seat: Seat,
        questions: Sequence[Question[Any]],
        spots: Mapping[Any, Spot | None],
        places: int,  # on one side, taken or not
    ) -> None:
        self._seat, self.questions, self._side = seat, questions, places
        self.legal = tuple(spots)
        self._spots = {move: spot or _NOWHERE for move, spot in spots.items()}
        self._picked: list[Offer] = []

    @abstractmethod
    def notation(self, move: Any) -> str:
        """A move in notation."""

    @abstractmethod
    def typed(self, text: str) -> Any:
        """The move that a line names, in notation or in words; raises Refused."""

    @property
    def secret(self) -> bool:
        """Whether nobody else may see what is chosen."""
        return any(question.secret for question in self.questions)

    @property
    def picked(self) -> tuple[Offer, ...]:
        """What has been chosen so far."""
        return tuple(self._picked)

    @property
    def moves(self) -> tuple[Any, ...]:
        """The moves that are still possible."""
        left = self.legal
        for offer in self._picked:
            left = tuple(move for move in left if self._fits(offer, move))
        return left

    @property
    def offers(self) -> tuple[Offer, ...]:
        """What can be chosen next: digits and places on the table first, then words."""
        moves = self.moves
        digits = self._digits(moves)
        places = self._places(moves)
        if digits or places:
            return (*digits, *places)
        return self._words(moves)

    @property
    def prompt(self) -> str:
        """What is asked now, in a sentence."""
        offers = self.offers
        if offers and offers[0].question is not None:
            return _sentence(self.questions[offers[0].question].prompt(self.moves[0]))
        if offers and all(offer.row is not None for offer in offers):
            digit = next((offer.digit for offer in self._picked if offer.digit is not None), None)
            both = len({offer.row for offer in offers}) > 1
            what = "it" if digit is None else f"the {digit}"
            return f"Where does {what} go{': your side or theirs' if both else ''}?"
        if self.secret:
            return _sentence(self.questions[0].prompt(self.moves[0]))
        return f"Choose a digit{self._purpose()}."

    def _purpose(self) -> str:
        """What a digit is chosen for: a place on a side, or one of some words."""
        rows = {spot.row for spot in self._spots.values() if spot.row is not None}
        if rows:
            side = "either" if len(rows) > 1 else "your" if rows == {self._seat} else "the other"
            return f" for {side} side"
        words = dict.fromkeys(self.word(move) for move in self.moves)
        return f" to {' or '.join(words)} with" if 1 < len(words) < _FEW else ""

    def word(self, move: Any) -> str:
        """The word that answers the last question on the way to a move."""
        return _label(self.questions[-1], move)

    def points(self, move: Any) -> int | None:
        """What a move does to the first meter: gained by the mover or, below zero, lost by the other."""
        return self._spots[move].points

    def pick(self, offer: Offer) -> Any | None:
        """Choose something; the move, once only one is left."""
        self._picked.append(offer)
        left = self.moves
        return left[0] if len(left) == 1 else None

    def back(self) -> bool:
        """Undo the last choice; return whether there was one."""
        return bool(self._picked) and self._picked.pop() is not None

    def answered(self, line: str) -> Any | None:
        """The one move that a line chooses as an answer to the next question, or None; raises Refused."""
        found = fit(self.open_question(), self.moves, line)
        if len(found.choices) > 1:
            raise Refused(f"{line} could be {' or '.join(found.choices)}. Say which.")
        if len(found.moves) > 1:
            raise Refused(
                f"That leaves {len(found.moves)} moves. Type the whole move, for example "
                f"{self.notation(found.moves[0])}."
            )
        return found.moves[0] if found.moves else None

    def open_question(self) -> Question[Any]:
        """The first question that the choices so far leave open."""
        moves = self.moves
        for question in self.questions:
            if len({question.answers(move)[:1] for move in moves}) > 1:
                return question
        return self.questions[-1]

    def leads(self, offer: Offer, move: Any) -> bool:
        """Whether choosing something leads towards a move."""
        return move in self.moves and self._fits(offer, move)

    def _fits(self, offer: Offer, move: Any) -> bool:
        if offer.question is not None:
            return _label(self.questions[offer.question], move) == offer.label
        spot = self._spots[move]
        return (
            spot.digit == offer.digit
            if offer.row is None
            else (spot.row, spot.cell) == (offer.row, offer.cell)
        )

    def _digits(self, moves: Sequence[Any]) -> list[Offer]:
        found = sorted({digit for move in moves if (digit := self._spots[move].digit) is not None})
        if len(found) < 2 and (self._picked or any(self._spots[move].row is not None for move in moves)):
            return []
        if any(offer.digit is not None and offer.row is None for offer in self._picked):
            return []
        return [Offer(str(digit), str(digit), digit=digit) for digit in found]

    def _places(self, moves: Sequence[Any]) -> list[Offer]:
        """The places on the table: the player's own numbered first, from the left, taken ones included."""
        spots = {self._spots[move] for move in moves}
        found = sorted(
            {(spot.row is not self._seat, spot.row, spot.cell) for spot in spots if spot.row is not None}
        )
        if len(found) < 2:
            return []
        numbered = not self._digits(moves)
        found_numbers = [(cell or 0) + 1 + (self._side if other else 0) for other, _, cell in found]
        return [
            Offer(str(number), str(number) if numbered and number < 10 else "", row=row, cell=cell)
            for number, (_, row, cell) in zip(found_numbers, found, strict=True)
        ]

    def _words(self, moves: Sequence[Any]) -> tuple[Offer, ...]:
        for at, question in enumerate(self.questions):
            labels = list(dict.fromkeys(_label(question, move) for move in moves))
            if len(labels) > 1 or (at == len(self.questions) - 1 and len(moves) == 1):
                best = {_label(question, move) for move in moves if "" in question.answers(move)}
                labels.sort(key=lambda label: label not in best)
                keys = _keys(labels)
                return tuple(
                    Offer(label, key, question=at, preferred=label in best)
                    for label, key in zip(labels, keys, strict=True)
                )
        return ()


class LocalChoice(Choice):
    """A choice in a game whose rules are here."""

    def __init__(self, script: AnyScript, state: Any, seat: Seat) -> None:
        self._script, self._state = script, state
        self._view = script.game.view(state, seat)
        spots = {move: script.spot(self._view, move) for move in script.game.legal(state, seat)}
        places = len(script.scene(self._view).rows[seat].cells)
        super().__init__(seat, script.questions(self._view, seat), spots, places)

    def notation(self, move: Any) -> str:
        return self._script.game.text(move)

    def typed(self, text: str) -> Any:
        line = " ".join(text.split())
        if not self.picked and line:
            try:
                return one_line(self._script, self._state, self._seat, line)
            except NotAMove:
                if " " in line:
                    raise
        if (move := self.answered(line)) is not None:
            return move
        question, alphabet = self.open_question(), tuple(self._script.game.moves(self._seat))
        raise Refused(refusal(self._script, self._view, self._seat, question, self.moves, alphabet, line))


def _label(question: Question[Any], move: Any) -> str:
    """The word for a move's answer: the game's own, or the longest."""
    if question.label is not None:
        return question.label(move)
    return max(question.answers(move), key=len, default="")


def _keys(labels: Sequence[str]) -> list[str]:
    """A key for each word: a letter of it that is still free, or a number."""
    keys: list[str] = []
    for at, label in enumerate(labels, start=1):
        letters = [c for c in _letters(label) if c.isalpha() and c not in RESERVED and c not in keys]
        keys.append(letters[0] if letters else str(at) if at < 10 else "")
    return keys


def _letters(label: str) -> str:
    """The letters of a label, those that begin its words first."""
    words = label.lower().split()
    return "".join([word[0] for word in words] + words)


def _sentence(prompt: str) -> str:
    """A prompt of the sample sessions as a sentence, without its list mark and its list of answers."""
    text = prompt.strip().removeprefix("- ").rstrip(": ")
    head, bracket, tail = text.rpartition(" (")
    told = head if bracket and tail.endswith(")") and "/" in tail else text
    return told if told.endswith(("?", ".", "!")) else f"{told}."


def asked(choice: Choice, scene: Scene) -> str:
    """What is asked now, after naming the card that was drawn, if there is one."""
    drawn = None if scene.drawn is None else scene.drawn.digit
    if drawn is None:
        return choice.prompt
    return f"You drew {'an' if drawn == 8 else 'a'} {drawn}. {choice.prompt}"


def landed(script: AnyScript, steps: Sequence[AnyStep]) -> Spot | None:
    """Where the last move of a player shows on the table."""
    last = next((step for step in reversed(steps) if step.seat is not None), None)
    return None if last is None else script.lands(last)
