"""The moves that a seat can choose, with what to type and where to tap, in a compact form."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from math import gcd
from typing import Any, TypeAlias, TypeVar

from msgspec import UNSET

from digit_duel.core.game import Seat
from digit_duel.core.script import Question, Spot
from digit_duel.core.variant import AnyGame, AnyScript, AnyVariant
from digit_duel.web.views.view_types import Choices, Column, QuestionView, SpotsView

T = TypeVar("T")
AnyQuestion: TypeAlias = Question[Any]

NO_CHOICE = Choices(secret=False, moves=[], questions=[], spots=None)
_LETTERS = re.compile("[a-z][a-z -]*")
_GAP = "{}"  # in a prompt: the place of an earlier answer
_MOST_LISTS = 500  # cached lists of moves for one set of questions; each takes about 1 kB


@lru_cache(maxsize=256)
def _script(id: str, game: AnyGame, make: Callable[[AnyGame], AnyScript]) -> AnyScript:
    return make(game)


def cached_script(variant: AnyVariant) -> AnyScript:
    """The script of a variant, created once."""
    return _script(variant.id, variant.game, variant.script)


def offered(script: AnyScript, seen: object, seat: Seat, legal: Mapping[str, object]) -> Choices:
    """The choices for a seat, cached, because games offer the same moves again and again."""
    if not legal:
        return NO_CHOICE
    lists, moves = _lists(tuple(script.questions(seen, seat))), tuple(legal)
    if (known := lists.get(moves)) is None:
        if len(lists) >= _MOST_LISTS:
            lists.clear()
        known = lists[moves] = choices(script, seen, seat, legal)
    return known


@lru_cache(maxsize=64)
def _lists(questions: tuple[AnyQuestion, ...]) -> dict[tuple[str, ...], Choices]:
    """The cached choices for these questions, by moves."""
    return {}


def choices(script: AnyScript, seen: object, seat: Seat, legal: Mapping[str, object]) -> Choices:
    """The moves in notation and, in columns, the answers that lead to each and where it points."""
    if not legal:
        return NO_CHOICE
    questions = tuple(script.questions(seen, seat))
    known = _glossary(questions)
    worded = []
    for text, move in legal.items():
        if text not in known:
            known[text] = _worded(script, seen, questions, move)
        worded.append(known[text])
    return Choices(
        secret=any(question.secret for question in questions),
        moves=list(legal),
        questions=[_question(worded, at) for at in range(len(questions))],
        spots=_spots([each.spot for each in worded]),
    )


def plain_choices(prompt: str, moves: Sequence[str]) -> Choices:
    """Choices whose answers are the moves' own notation."""
    if not moves:
        return NO_CHOICE
    worded = [_Worded((text,), (text,), (prompt,), None) for text in moves]
    return Choices(secret=False, moves=list(moves), questions=[_question(worded, 0)], spots=None)


def column(values: Sequence[T]) -> Column[T]:
    """Compress a column that repeats, as when moves are all combinations of a digit and a place."""
    every = list(values)
    each = next((at for at, value in enumerate(every) if value != every[0]), len(every))
    runs = every[::each]
    if any(every[at::each] != runs for at in range(1, each)) or len(every) % each:
        each = gcd(*(len(list(run)) for _, run in groupby(every)))  # runs of different lengths
        runs = every[::each]
    sizes = (size for size in range(1, len(runs) + 1) if len(runs) % size == 0)
    period = next(size for size in sizes if runs == runs[:size] * (len(runs) // size))
    return Column(each, runs[:period])


@dataclass(frozen=True, slots=True)
class _Worded:
    """A move as answers to some questions."""

    answers: tuple[str, ...]
    labels: tuple[str, ...]
    prompts: tuple[str, ...]
    spot: Spot | None


@lru_cache(maxsize=256)
def _glossary(questions: tuple[AnyQuestion, ...]) -> dict[str, _Worded]:
    """The cached moves as answers to these questions, by notation: scripts repeat their questions."""
    return {}


def _worded(script: AnyScript, seen: object, questions: Sequence[AnyQuestion], move: object) -> _Worded:
    answers = [question.answers(move) for question in questions]
    return _Worded(
        tuple(words[0] for words in answers),
        tuple(
            question.label(move) if question.label else _label(words)
            for question, words in zip(questions, answers, strict=True)
        ),
        tuple(question.prompt(move).strip() for question in questions),
        script.spot(seen, move),
    )


def _label(words: tuple[str, ...]) -> str:
    """The most descriptive word for an answer: keep rather than yes, hundreds rather than 1."""
    return max((word for word in words if _LETTERS.fullmatch(word)), key=len, default=words[0])


def _question(worded: Sequence[_Worded], at: int) -> QuestionView:
    """One question's columns."""
    prompts = [each.prompts[at] for each in worded]
    fill = _repeated_answer(worded, at) if len(set(prompts)) > 1 else None
    if fill is not None:
        prompts = [prompts[0].replace(worded[0].answers[fill], _GAP, 1)]
    return QuestionView(
        prompts=column(prompts),
        fill=fill,
        answers=column([each.answers[at] for each in worded]),
        labels=column([each.labels[at] for each in worded]),
    )


def _repeated_answer(worded: Sequence[_Worded], at: int) -> int | None:
    """The earlier question whose answer is the only difference between this question's prompts."""
    if any(_GAP in each.prompts[at] for each in worded):
        return None
    for earlier in range(at):
        if len({each.prompts[at].replace(each.answers[earlier], _GAP, 1) for each in worded}) == 1:
            return earlier
    return None


def _spots(spots: Sequence[Spot | None]) -> SpotsView | None:
    """Where each move points; None if none of them does."""
    if not any(spots):
        return None
    points = [None if spot is None else spot.points for spot in spots]
    return SpotsView(
        digit=column([None if spot is None else spot.digit for spot in spots]),
        row=column([None if spot is None else spot.row for spot in spots]),
        cell=column([None if spot is None else spot.cell for spot in spots]),
        points=UNSET if set(points) == {None} else column(points),
    )
