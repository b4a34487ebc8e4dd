"""The moves that a view offers, in their compact form."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from digit_duel import games
from digit_duel.core.game import Seat
from digit_duel.web.views.choices import choices, column, plain_choices
from digit_duel.web.views.view_types import Choices, Column


@pytest.mark.parametrize(
    ("values", "each", "of"),
    [
        ("7", 1, "7"),
        ("777", 3, "7"),
        ("112233", 2, "123"),
        ("123123", 1, "123"),
        ("11221122", 2, "12"),
        ("1112", 1, "1112"),
        ("121", 1, "121"),
    ],
)
def test_a_column_keeps_no_repetitions(values: str, each: int, of: str) -> None:
    assert column(values) == Column(each, list(of))


def value(column: dict[str, Any], number: int) -> Any:
    of = column["of"]
    return of[number // column["each"] % len(of)]


def decoded(found: dict[str, Any], number: int) -> tuple[list[str], list[str], tuple[Any, ...] | None]:
    """The answers, the prompts and the spot of one move, as a client decodes them."""
    questions, spots = found["questions"], found["spots"]
    answers = [value(question["answers"], number) for question in questions]
    prompts = [value(question["prompts"], number) for question in questions]
    for at, question in enumerate(questions):
        if question["fill"] is not None:
            prompts[at] = prompts[at].replace("{}", answers[question["fill"]], 1)
    spot = spots and tuple(value(spots[name], number) for name in ("digit", "row", "cell"))
    return answers, prompts, spot


@pytest.mark.parametrize("id", games.ids())
def test_every_move_of_a_game_can_be_decoded(id: str) -> None:
    variant, rng = games.catalogue()[id], Random(id)
    game, script = variant.game, variant.script(variant.game)
    state = game.start()
    while game.outcome(state) is None:
        if draws := game.chance(state):
            state = game.play(state, rng.choice(draws)[0])
            continue
        seat = rng.choice(game.acting(state))
        seen, legal = game.view(state, seat), game.legal(state, seat)
        found = msgspec.to_builtins(choices(script, seen, seat, {game.text(move): move for move in legal}))
        assert found["moves"] == [game.text(move) for move in legal]
        questions = script.questions(seen, seat)
        assert found["secret"] is any(question.secret for question in questions)
        for number, move in enumerate(legal):
            answers, prompts, spot = decoded(found, number)
            assert answers == [question.answers(move)[0] for question in questions]
            assert prompts == [question.prompt(move).strip() for question in questions]
            at = script.spot(seen, move)
            assert spot == (None if at is None else (at.digit, at.row, at.cell))
        state = game.play(state, rng.choice(legal))


def test_the_first_choices_of_sabotage_are_short() -> None:
    """80 moves with three answers and a place each; in full they are 11 kB."""
    variant = games.catalogue()["sabotage"]
    game, state = variant.game, variant.game.start()
    legal = {game.text(move): move for move in game.legal(state, Seat.FIRST)}
    found = choices(variant.script(game), game.view(state, Seat.FIRST), Seat.FIRST, legal)
    assert len(found.moves) == 80
    prompt = "Assign digit '{}' to which player? (1 for you, 2 for opponent):"
    assert found.questions[1].prompts == Column(1, [prompt])
    assert found.questions[1].fill == 0
    assert len(msgspec.json.encode(found)) < 1300


def test_what_is_drawn_is_answered_by_its_notation() -> None:
    found = msgspec.to_builtins(plain_choices("What is drawn?", ["d1", "d2"]))
    assert found["moves"] == ["d1", "d2"]
    assert decoded(found, 1) == (["d2"], ["What is drawn?"], None)
    assert plain_choices("What is drawn?", []) == Choices(False, [], [], None)
