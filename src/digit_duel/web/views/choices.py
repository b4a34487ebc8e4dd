"""What a seat may choose from, in the words of its game's questions: by typing, and by pointing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import orjson

from digit_duel.core.game import Seat
from digit_duel.core.script import Question
from digit_duel.core.variant import AnyScript, AnyVariant

NO_CHOICE: dict[str, Any] = {"secret": False, "prompts": [], "moves": []}
_MOST_LISTS = 500  # of offered moves, for one set of questions; one takes about 3 kB


@lru_cache(maxsize=256)
def _script(id: str, game: Any, make: Any) -> AnyScript:
    script: AnyScript = make(game)
    return script


def voice(variant: AnyVariant) -> AnyScript:
    """The script of a variant, made once."""
    return _script(variant.id, variant.game, variant.script)


def offered(script: AnyScript, seen: Any, seat: Seat, legal: Mapping[str, Any]) -> dict[str, Any]:
    """The choices, their long list as it is sent: the same moves are on offer again and again."""
    if not legal:
        return NO_CHOICE
    lists, moves = _lists(tuple(script.questions(seen, seat))), tuple(legal)
    if (known := lists.get(moves)) is None:
        found = choices(script, seen, seat, legal)
        known = {**found, "moves": orjson.Fragment(orjson.dumps(found["moves"]))}
        if len(lists) >= _MOST_LISTS:
            lists.clear()
        lists[moves] = known
    return known


@lru_cache(maxsize=64)
def _lists(questions: tuple[Question[Any], ...]) -> dict[tuple[str, ...], dict[str, Any]]:
    """What was offered under these questions, by the moves."""
    return {}


def choices(script: AnyScript, seen: Any, seat: Seat, legal: Mapping[str, Any]) -> dict[str, Any]:
    """The moves a seat can choose from, which are given by their notation: by words, and by pointing."""
    if not legal:
        return NO_CHOICE
    questions = tuple(script.questions(seen, seat))
    known = _glossary(questions)
    prompts: dict[str, int] = {}
    asked: dict[tuple[str, ...], list[int]] = {}
    moves = []
    for text, move in legal.items():
        if (worded := known.get(text)) is None:
            worded = known[text] = _worded(script, questions, move)
        if (numbers := asked.get(worded.prompts)) is None:
            numbers = [prompts.setdefault(prompt, len(prompts)) for prompt in worded.prompts]
            asked[worded.prompts] = numbers
        moves.append(
            {
                "move": text,
                "answers": worded.answers,
                "labels": worded.labels,
                "prompts": numbers,
                "spot": worded.spot,
            }
        )
    return {
        "secret": any(question.secret for question in questions),
        "prompts": list(prompts),
        "moves": moves,
    }


@dataclass(frozen=True, slots=True)
class _Worded:
    """A move in the words of some questions."""

    answers: list[str]
    labels: list[str]
    prompts: tuple[str, ...]
    spot: dict[str, Any] | None


@lru_cache(maxsize=256)
def _glossary(questions: tuple[Question[Any], ...]) -> dict[str, _Worded]:
    """The moves that were put in the words of these questions, by notation: a script may ask them again."""
    return {}


def _worded(script: AnyScript, questions: Sequence[Question[Any]], move: Any) -> _Worded:
    answers = [question.answers(move) for question in questions]
    at = script.spot(move)
    spot = None if at is None else {"digit": at.digit, "row": at.row, "cell": at.cell}
    return _Worded(
        [words[0] for words in answers],
        [_label(words) for words in answers],
        tuple(question.prompt(move).strip() for question in questions),
        spot,
    )


def _label(words: tuple[str, ...]) -> str:
    """The most telling word for an answer: keep rather than yes, hundreds rather than 1."""
    return max((word for word in words if word.replace("-", "").isalpha()), key=len, default=words[0])
