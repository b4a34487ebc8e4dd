"""Policies as tables and as files: one text for each, read back exactly, everything else refused by line."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from digit_duel import solve
from digit_duel.core.game import Seat
from digit_duel.core.variant import AnyVariant
from digit_duel.games import variant
from digit_duel.solve import BadPolicyFile, policy_text, read_policy, tabulate, uniform

NINE_STATES = variant("sabotage").customised({"places": "1", "pool": "0-1"})
CARDS = variant("cards").customised(
    {"facing_full": "must_keep", "pool": "0-2", "hand_size": "1", "wins_needed": "1"}
)
FIGHT = variant("battle").customised(
    {"start_life": "2", "max_life": "3", "pool": "1-2x2", "sudden": "1-2", "standoff_limit": "2"}
)
EMPTY = "Position(pool=(0, 1), boards=((None,), (None,)), to_move=<Seat.FIRST: 0>)"
TEXT = f"""\
{{"format": "digit-duel policy 1", "game": "sabotage", "options": {{"places": "1", "pool": "0-1"}}}}
{{"view": "{EMPTY}", "play": {{"0a1": "2/3", "0b1": 0, "1a1": 0, "1b1": "1/3"}}}}
"""


def test_a_policy_is_a_line_for_the_game_and_one_for_every_question() -> None:
    table = read_policy(TEXT)
    start = NINE_STATES.game.start()
    legal = NINE_STATES.game.legal(start, Seat.FIRST)
    played = {NINE_STATES.game.text(move): chance for move, chance in table(start, legal).items()}
    assert played == {"0a1": Fraction(2, 3), "0b1": 0, "1a1": 0, "1b1": Fraction(1, 3)}
    assert (table.variant.id, table.variant.settings) == ("sabotage", {"places": "1", "pool": "0-1"})
    assert len(table) == 1
    assert policy_text(table) == TEXT


@pytest.mark.parametrize("game", [NINE_STATES, CARDS, FIGHT], ids=lambda game: game.id)
def test_a_table_of_all_questions_is_worth_what_its_policy_is(game: AnyVariant, tmp_path: Path) -> None:
    table = tabulate(game, uniform)
    path = tmp_path / "new folder" / "uniform.policy"
    solve.save_policy(table, path)
    again = solve.load_policy(path)
    assert again.rows == table.rows
    assert again.variant.game == game.game
    assert policy_text(again).encode() == path.read_bytes()
    assert solve.nash_conv(game.game, again) == solve.nash_conv(game.game, uniform)


def test_how_many_questions_there_are() -> None:
    # The empty boards, and four first moves.
    assert len(tabulate(NINE_STATES, uniform)) == 5
    # The starter sees one of three cards. If it is kept, the other seat draws one of three, and both lay out
    # one of three. If it is given, the starter draws one of two and lays it out, the other what was given.
    rows = tabulate(CARDS, uniform).rows
    assert len(rows) == 3 + (3 + 3 + 3) + (6 + 6 + 3)
    assert sum(moves == ("k", "g") for _, moves in rows) == 3


def test_secret_choices_of_two_seats_with_one_view_are_two_questions() -> None:
    tied = [row for row in tabulate(FIGHT, uniform).rows if row[1] in (("a1", "a2"), ("b1", "b2"))]
    views = {view for view, _ in tied}
    assert len(tied) == 2 * len(views) > 0
    table = tabulate(FIGHT, solve.always(lambda view, legal: legal[-1]))
    assert {table.rows[row] for row in tied} == {(0, 1)}


def test_floats_whole_numbers_and_fractions_are_read_back_as_what_they_were() -> None:
    def thirds(view: Any, legal: Any) -> dict[Any, float]:
        return {move: 1 / len(legal) for move in legal}

    def first(view: Any, legal: Any) -> dict[Any, int]:
        return {legal[0]: 1}

    kinds: list[tuple[solve.Policy[Any, Any], type]] = [(thirds, float), (uniform, Fraction), (first, int)]
    for policy, kind in kinds:
        table = tabulate(NINE_STATES, policy)
        again = read_policy(policy_text(table))
        rows = {key: [(type(c), c) for c in row] for key, row in again.rows.items() if len(row) > 1}
        assert {kind for row in rows.values() for kind, _ in row} == {kind}
        assert again.rows == table.rows


def test_the_order_in_which_a_table_was_made_does_not_matter() -> None:
    table = tabulate(CARDS, uniform)
    turned = solve.TabularPolicy(CARDS, dict(reversed([*table.rows.items()])))
    assert policy_text(turned) == policy_text(table)


def test_a_table_names_a_missing_view_and_another_policy_can_fill_it() -> None:
    table = read_policy(TEXT)
    with pytest.raises(solve.BadPolicy, match="has no entry for Position"):
        solve.nash_conv(NINE_STATES.game, table)
    # The first seat wins with 0a1 and with 1b1, so this table leaves the other nothing.
    helped = table.otherwise(uniform)
    assert solve.best_response(NINE_STATES.game, helped, Seat.SECOND).value == -1


def test_a_table_of_a_bad_policy_is_not_made() -> None:
    with pytest.raises(solve.BadPolicy, match="sum to 0"):
        tabulate(NINE_STATES, lambda view, legal: {})
    with pytest.raises(solve.TooBig, match="more than 100 moves"):
        tabulate(variant("classic"), uniform, limit=100)
    with pytest.raises(solve.TooBig, match="too big for a table"):
        tabulate(FIGHT, uniform, limit=10)


def test_an_answer_that_is_no_mixture_is_refused_with_a_sentence() -> None:
    def answers(answer: Any) -> Any:
        return lambda view, legal: answer(legal)

    for answer, problem in (
        (lambda legal: None, "the policy returned None, not the probability of each move"),
        (lambda legal: {"0a1": 1}, "plays an illegal move: '0a1' where"),
        (lambda legal: {legal[0]: "1"}, "the probability of a move is '1'"),
        (lambda legal: {legal[0]: 1.1}, "a probability is not between 0 and 1"),
    ):
        with pytest.raises(solve.BadPolicy, match=problem):
            solve.best_response(NINE_STATES.game, answers(answer), Seat.SECOND)
        with pytest.raises(solve.BadPolicy, match=problem):
            tabulate(NINE_STATES, answers(answer))


def test_single_precision_is_enough_and_is_scaled() -> None:
    def thirds(view: Any, legal: Any) -> Any:
        weights = np.arange(1, 1 + len(legal), dtype=np.float32)
        return dict(zip(legal, weights / weights.sum(), strict=True))

    def always_once(view: Any, legal: Any) -> Any:
        return {legal[0]: np.float32(1.0000001)}

    def off(view: Any, legal: Any) -> Any:
        return {legal[0]: 0.99999}

    table = tabulate(CARDS, thirds)
    assert any(sum(row) != 1 for row in table.rows.values())
    # A probability slightly above 1 is scaled to 1, so nobody wins more than every game.
    certain = solve.expected_value(NINE_STATES.game, always_once)
    assert certain == 1
    with pytest.raises(solve.BadPolicy, match=r"sum to 0\.99999, not to 1"):
        tabulate(CARDS, off)
    with pytest.raises(solve.BadPolicy, match="sum to 999999999/1000000000, not to 1"):
        tabulate(CARDS, lambda view, legal: {legal[0]: Fraction(999_999_999, 1_000_000_000)})


def test_a_pair_of_policies_can_be_tabulated() -> None:
    last = solve.always(lambda view, legal: legal[-1])
    table = tabulate(CARDS, (uniform, last))
    # The first seat keeps or gives at random; where the second lays out a card, there is one move.
    assert {row for (_, moves), row in table.rows.items() if moves == ("k", "g")} == {(Fraction(1, 2),) * 2}
    assert {tabulate(CARDS, (last, uniform)).rows[key] for key in table.rows if key[1] == ("k", "g")} == {
        (0, 1)
    }
    found = solve.equilibrium(CARDS.game)
    assert solve.nash_conv(CARDS.game, tabulate(CARDS, found.policies)) == 0


def test_seats_can_be_numbers_and_games_are_not_variants() -> None:
    game = NINE_STATES.game
    by_number = solve.best_response(game, uniform, 1)  # type: ignore[arg-type]  # as OpenSpiel numbers players
    assert by_number.seat is Seat.SECOND
    assert by_number == solve.best_response(game, uniform, Seat.SECOND)
    with pytest.raises(ValueError, match=r"a seat is Seat.FIRST \(0\) or Seat.SECOND \(1\), not 2"):
        solve.best_response(game, uniform, 2)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="takes a variant, not its game"):
        tabulate(game, uniform)  # type: ignore[arg-type]
    asks: list[Any] = [
        lambda: solve.nash_conv(NINE_STATES, uniform),  # type: ignore[arg-type]
        lambda: solve.expected_value(NINE_STATES, uniform),  # type: ignore[arg-type]
        lambda: solve.equilibrium(NINE_STATES),  # type: ignore[arg-type]
        lambda: solve.value_of(NINE_STATES),  # type: ignore[arg-type]
        lambda: solve.regrets(NINE_STATES, game.start(), Seat.FIRST),  # type: ignore[arg-type]
    ]
    for ask in asks:
        with pytest.raises(TypeError, match=r"pass variant\.game"):
            ask()


HEAD, LINE, END = TEXT.split("\n")


def row(**changes: Any) -> str:
    return json.dumps({**json.loads(LINE), **changes})


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "line 1: this is not valid JSON."),
        (TEXT[:-1], "line 2: the last line does not end with a newline."),
        ("[]\n", "line 1: expected an object with exactly these keys: format, game, options."),
        (TEXT.replace("policy 1", "policy 2"), "line 1: the format is 'digit-duel policy 2', not"),
        (TEXT.replace("sabotage", "poker"), "line 1: there is no game 'poker'."),
        (TEXT.replace('"0-1"}', '"0-x"}'), "line 1: write digits like"),
        (TEXT.replace('"0-1"}', '"0,1"}'), "line 1: the options are not in the game's standard form"),
        (TEXT.replace('"0-1"}', "1}"), "line 1: 'game' must be a string, and 'options' an object"),
        (TEXT.replace('{"places"', '{"tie": "second", "places"'), "line 1: the options are not in the"),
        (f"{HEAD}\nnot json\n", "line 2: this is not valid JSON."),
        (f"{HEAD}\n{'[' * 100_000}\n", "line 2: this is not valid JSON."),
        (f"{HEAD}\n\n", "line 2: this is not valid JSON."),
        (f"{HEAD}\n{LINE}\n{LINE}\n", "line 3: the lines are not sorted, or this one is a duplicate."),
        (f"{HEAD}\n {LINE}\n", "line 2: not in the standard form"),
        (TEXT.replace("Position", "\\u0050osition"), "line 2: not in the standard form"),
        (TEXT.replace("0b1", "9b9"), "line 2: the game has no move '9b9'."),
        (TEXT.replace('"0b1": 0', '"0a1": 0'), "line 2: the key '0a1' appears twice."),
        (f"{HEAD}\n{row(view=1)}\n", "line 2: 'view' must be a string, and 'play' an object."),
        (f"{HEAD}\n{row(play=[])}\n", "line 2: 'view' must be a string, and 'play' an object."),
        (f"{HEAD}\n{row(more=1)}\n", "line 2: expected an object with exactly these keys: view, play."),
        (f"{HEAD}\n{row(play={})}\n", "line 2: the probabilities sum to 0, not to 1."),
        (f"{HEAD}\n{row(play={'0a1': '2/4', '0b1': '1/2'})}\n", "line 2: '2/4' is not in lowest terms."),
        (f"{HEAD}\n{row(play={'0a1': '1/1'})}\n", "line 2: '1/1' is not in lowest terms."),
        (f"{HEAD}\n{row(play={'0a1': '0.5', '0b1': 0.5})}\n", "line 2: a probability is a number, or"),
        (f"{HEAD}\n{row(play={'0a1': '1e9999999'})}\n", "line 2: a probability is a number, or"),
        (f"{HEAD}\n{row(play={'0a1': True})}\n", "line 2: a probability is a number, or"),
        (f"{HEAD}\n{row(play={'0a1': None})}\n", "line 2: a probability is a number, or"),
        (f"{HEAD}\n{row(play={'0a1': 2, '0b1': -1})}\n", "line 2: a probability is not between 0 and 1."),
        (f"{HEAD}\n{row(play={'0a1': float('nan')})}\n", "line 2: a probability is not between 0 and 1."),
        (TEXT.replace("0b1\": 0", "0b1\": " + "9" * 5000), "line 2: this is not valid JSON."),
    ],
    ids=lambda text: text[:50] if text.startswith("line") else "",
)  # fmt: skip
def test_anything_else_is_refused_with_the_number_of_the_line(text: str, problem: str) -> None:
    with pytest.raises(BadPolicyFile) as refused:
        read_policy(text)
    assert str(refused.value).startswith(problem)


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"\xff\n")
    with pytest.raises(BadPolicyFile, match="UTF-8"):
        solve.load_policy(path)
