"""A review gives each move its exact cost, the turning points, the missed wins, and where to try again."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from random import Random

import pytest
from tests.coach.positions import step, variant

from digit_duel.cli.errors import Problem
from digit_duel.cli.records.find_games import game_to_resume
from digit_duel.cli.review import as_json_data, as_text, show, try_again
from digit_duel.cli.screen.review_chart import ASCII, NO_MARKS, UNICODE, ChartMarks, bar
from digit_duel.cli.screen.terminal import Terminal
from digit_duel.coach.coach import Verdict
from digit_duel.coach.review import Review, again, review
from digit_duel.core.game import Seat
from digit_duel.core.record import Record, read_record, result_of
from digit_duel.core.session import Session, dealer
from digit_duel.core.variant import AnyVariant

GAMES = ("classic", "reverse", "sabotage", "cards", "battle")

# The game of SCREENS, Analysis: the values there are exact.
SCREENS = """\
[Game "reverse"]
[First "Tom"]
[Second "Anna"]
[Result "1-0"]

1. 4a2 3b1 2. 7a3 6b2 3. 1a1 2b3 1-0
"""


def looked_back(text: str = SCREENS, seat: Seat | None = None) -> Review:
    record = read_record(text)
    return review(variant(record.game, **record.options), record, seat)


def example(id: str) -> tuple[AnyVariant, Record]:
    table = variant(id)
    return table, read_record(table.rules.example)


def random_record(table: AnyVariant, seed: int) -> Record:
    rng, state, moves = Random(seed), table.game.start(), []
    while table.game.outcome(state) is None:
        after = step(table, state, rng, 0.5)
        moves.append(_between(table, state, after))
        state = after
    result = result_of(table.game.outcome(state))
    return Record(table.id, table.settings, ("Ann", "Ben"), tuple(moves), result)


def _between(table: AnyVariant, before: object, after: object) -> str:
    game = table.game
    if draws := game.chance(before):
        return str(next(game.text(move) for move, _ in draws if game.play(before, move) == after))
    legal = [move for seat in game.acting(before) for move in game.legal(before, seat)]
    return str(next(game.text(move) for move in legal if game.play(before, move) == after))


def test_the_history_turns_where_the_design_says_it_does() -> None:
    found = looked_back()
    assert found.history == (1, -1, 1, 1, 1, 1, 1)
    assert [move.ply for move in found.turning_points] == [1, 2]
    assert [(move.seat, move.ply) for move in found.missed_wins] == [(Seat.FIRST, 1), (Seat.SECOND, 2)]


def test_each_move_has_its_exact_cost() -> None:
    found = looked_back()
    assert [(move.cost, move.margin_cost) for move in found.moves] == [
        (2, 220), (2, 290), (0, 113), (0, 147), (0, 0), (0, 0),
    ]  # fmt: skip
    assert [move.verdict.value for move in found.moves] == [
        "mistake",
        "mistake",
        "fine",
        "fine",
        "best",
        "best",
    ]


def test_a_mistake_comes_with_the_better_move_and_the_reason() -> None:
    first = looked_back().moves[0]
    assert (first.best, first.best_words) == ("1a1", "1 in Tom's hundreds")
    assert first.reason == (
        "4 in Tom's tens throws the win away. Only 1 in Tom's hundreds kept it. "
        "Anna's answer: With 1 in Anna's hundreds, Tom's number is at least 243, and Anna's at most 198."
    )


def test_cards_are_reviewed_in_chances_from_what_the_mover_knew() -> None:
    found = review(*example("cards"))
    first = found.moves[0]
    assert found.chances
    assert first.before is not None
    assert first.after is not None
    assert (round(first.before.value, 4), round(first.after.value, 4)) == (0.8874, 0.152)
    assert [move.ply for move in found.turning_points] == [2, 10, 12, 18, 22, 26, 30, 36, 38]
    assert {move.round for move in found.moves} == {1, 2, 3}


def test_a_review_of_a_finished_game_says_what_each_choice_was_worth_against_the_true_hand() -> None:
    # Ann held 9, 5 and 9, and Ben knew the 5. With the 2 he makes at most 992, without it 998.
    moves = "d9 k d5 g d9 k d2 k d9 k d9 k a995 b992 d5"
    record = Record("cards", {}, ("Ann", "Ben"), tuple(moves.split()), "1-0", {"Ended": "resignation"})
    told = {move.ply: move.truth for move in review(variant("cards"), record).moves}
    assert told[8] == "Ann's hidden cards were 9 and 9: keeping it was worth 0%, throwing it away 100%."
    assert told[4].startswith("Ann's hidden card was 9: keeping it was worth ")
    assert not any(move.truth for move in review(variant("cards"), record, Seat.SECOND).moves)


def test_what_a_choice_was_worth_under_a_cap_is_certain_only_if_the_cards_decide() -> None:
    """Any hand with Ann's 8 beats a 741 of Ben's, and her 984 beats all that he can make of 7 and 1."""
    moves = "d8 k d1 k d7 g d4 g d9 k d9 k a984 b971"
    options = {"facing_full": "cap:3", "wins_needed": "1"}
    record = Record("cards", options, ("Ann", "Ben"), tuple(moves.split()), "1-0")
    told = {move.ply: move.truth for move in review(variant("cards", **options), record).moves}
    assert told[8].startswith("Ann's hidden card was 8: keeping it was worth 0%, giving it away ")
    assert told[10].startswith("Ben's hidden card was 1: keeping it was worth 100%, giving it away ")


@pytest.mark.parametrize("options", [{"full_turn": "alternate"}, {"hand_size": "4"}, {"pool": "0-5x4"}])
def test_chances_that_are_not_known_have_no_history(options: dict[str, str]) -> None:
    record = Record("cards", options, ("Ann", "Ben"), ("d5", "g", "d4", "g"), "1-0", {"Ended": "resignation"})
    found = review(variant("cards", **options), record)
    assert {move.verdict for move in found.moves} == {Verdict.UNJUDGED}
    assert found.history == ()
    told = "\n".join(as_text(found, UNICODE, 80))
    assert "%" not in told
    assert told.endswith("The odds of these choices are not known here, so none of them was judged.")


def test_chances_that_are_known_late_in_a_round_are_not_guessed_before() -> None:
    """Under a cap chances are known only at choices: Ben's at move 2, and after Ann's round at move 8."""
    moves = "d9 k d9 k d8 k d8 k d7 k d6 k a987 b986 d5 g d4 g"
    record = Record(
        "cards",
        {"facing_full": "cap:3"},
        ("Ann", "Ben"),
        tuple(moves.split()),
        "1-0",
        {"Ended": "resignation"},
    )
    found = review(variant("cards", facing_full="cap:3"), record, Seat.SECOND)
    chances = [(1 - value) / 2 for value in found.history]  # from Ben's point of view
    assert chances[0] == chances[1] == chances[2] == chances[3] != 0.5
    assert chances[14] == 0  # Ann has won the round
    assert chances[15] == chances[16] > 0  # and Ben starts the next one


@pytest.mark.parametrize(("ann", "missed"), [("9", [(Seat.SECOND, 8)]), ("8", [])])
def test_a_sure_win_that_was_not_taken_is_missed_if_the_round_was_lost(
    ann: str, missed: list[tuple[Seat, int]]
) -> None:
    # Without the 2 Ben makes at least 998. With it he makes 992, which beats 985 but not 995.
    moves = f"d9 k d5 g d{ann} k d2 k d9 k d9 k a9{ann}5 b992 d5"
    record = Record("cards", {}, ("Ann", "Ben"), tuple(moves.split()), "1-0", {"Ended": "resignation"})
    found = review(variant("cards"), record)
    assert [(move.seat, move.ply) for move in found.missed_wins] == missed
    assert (8 in {move.ply for move in found.turning_points}) is bool(missed)
    assert 8 in found.mistakes


def test_a_replayed_round_keeps_its_number() -> None:
    moves = "d9 k d9 k d8 k d8 k d7 k d7 k a987 b987 d5 k"
    ended = {"Ended": "resignation"}
    found = review(variant("cards"), Record("cards", {}, ("Ann", "Ben"), tuple(moves.split()), "1-0", ended))
    assert [move.round for move in found.moves] == [1] * 9
    headings = [line for line in as_text(found, UNICODE, 80) if line.startswith("Round")]
    assert headings == ["Round 1", "Round 1, replayed"]


@pytest.mark.parametrize(
    ("highest", "made", "result", "verdict", "more"),
    [
        ("a972", "a729", "*", Verdict.MISTAKE, ""),  # Ben's 851 is between them: it lost the round
        ("a972", "a927", "0-1", Verdict.FINE, " Against 851 it made no difference."),
        ("a541", "a514", "0-1", Verdict.FINE, " Against 983 it made no difference."),
        ("b851", "b815", "0-1", Verdict.FINE, " Against 972 it made no difference."),
    ],
)
def test_a_number_laid_out_too_low_is_a_mistake_if_it_changed_the_round(
    highest: str, made: str, result: str, verdict: Verdict, more: str
) -> None:
    table, record = example("cards")
    moves = tuple(made if move == highest else move for move in record.moves)
    if result == "*":
        moves = moves[: moves.index("b851") + 1]
    found = review(table, Record("cards", {}, record.names, moves, result), Seat("ab".index(made[0])))
    judged = next(move for move in found.moves if move.move == made)
    assert (judged.verdict, judged.best) == (verdict, highest)
    assert judged.reason == f"{made[1:]} is too low: the same digits make {highest[1:]}.{more}"


def test_sudden_death_is_judged_by_what_is_sure() -> None:
    text = """\
[Game "battle"]
[Options "start_life=1 max_life=1 pool=1-2"]
[First "Ann"]
[Second "Ben"]
[Result "1-0"]

1. +1 +2 2. a5 b4 1-0
"""
    found = looked_back(text)
    assert [move.verdict.value for move in found.moves][2:] == ["best", "mistake"]
    assert found.moves[-1].reason == "Showing 4 risks 1 life point against a 5; showing 5 is never worse."


@pytest.mark.parametrize("id", GAMES)
def test_the_history_follows_the_costs(id: str) -> None:
    table = variant(id)
    for seed in range(5):
        found = review(table, random_record(table, seed))
        for move in found.moves:
            assert move.cost is None or move.cost >= 0
            if found.history:
                sign = 1 if move.seat is Seat.FIRST else -1
                if id == "cards" and move.before is None:
                    continue  # a number laid out
                assert move.before is not None
                assert move.after is not None
                if id == "cards":  # from what the first seat knew, in chances
                    if move.seat is Seat.FIRST:
                        assert found.history[move.ply - 1] == pytest.approx(2 * move.before.value - 1)
                elif id != "battle" or move.move[0] in "x+":
                    assert found.history[move.ply - 1] == sign * move.before.value
                    assert found.history[move.ply] == sign * move.after.value


@pytest.mark.parametrize("id", GAMES)
def test_every_prefix_to_try_again_from_can_be_gone_on_with(id: str) -> None:
    table, record = example(id)
    for move in review(table, record).moves:
        prefix = read_record(again(record, move.ply, move.number).text())
        session = Session.from_record(table, prefix, dealer("again"))
        assert len(prefix.moves) == move.ply - 1
        assert move.seat in session.acting
        assert move.move in [table.game.text(one) for one in table.game.legal(session.state, move.seat)]


def test_a_new_try_is_no_part_of_a_match_has_not_ended_and_comes_from_no_server() -> None:
    record = read_record(SCREENS)
    headers = {
        "Ended": "resignation",
        "Match": "best of 3",
        "Number": "1",
        "Score": "0-0",
        "Online": "abc",
        "Seed": "7",
        "ComputerSecond": "perfect",
    }
    prefix = again(Record(record.game, {}, record.names, record.moves, "1-0", headers), 3, "2a")
    assert prefix.headers == {"Seed": "7", "ComputerSecond": "perfect", "From": "2a"}
    assert prefix.result == "*"


@pytest.mark.parametrize("columns", [40, 80])
@pytest.mark.parametrize("marks", [UNICODE, ASCII])
@pytest.mark.parametrize("id", GAMES)
def test_a_review_fits_the_terminal(id: str, marks: ChartMarks, columns: int) -> None:
    for seed in range(2):
        lines = as_text(review(variant(id), random_record(variant(id), seed)), marks, columns)
        assert max(map(len, lines)) <= columns
        if marks == ASCII:
            assert all(line.isascii() for line in lines)


def test_the_picture_is_a_tug_of_war() -> None:
    lines = as_text(looked_back(), UNICODE, 80)
    assert lines[2:7] == [
        "Who was ahead after each move:",
        "            1a  1b  2a  2b  3a  3b",
        "Tom     ▲\N{BOX DRAWINGS LIGHT DIAGONAL UPPER LEFT TO LOWER RIGHT}      ▲───▲───▲───▲───▲",
        "Anna        ▼\N{BOX DRAWINGS LIGHT DIAGONAL UPPER RIGHT TO LOWER LEFT}",
        "mistake     ●   ●",
    ]


def test_a_chance_is_a_bar_with_what_was_given_away() -> None:
    assert bar(0.75, 0.25, ASCII, 8) == "##!!!!--"


def test_values_are_told_in_words_as_well_as_by_symbols() -> None:
    text = "\n".join(as_text(looked_back(), ASCII, 80))
    assert "a mistake, ^ wins before, v loses after, margin -109 instead of 111" in " ".join(text.split())


def test_a_long_game_is_drawn_in_stretches_that_meet() -> None:
    text = """\
[Game "battle"]
[Options "start_life=1 max_life=1 pool=1-2"]
[First "Ann"]
[Second "Ben"]
[Result "0-1"]

+1 +2 {} 0-1
""".format("a5 b5 " * 10)
    lines = as_text(looked_back(text), ASCII, 40)
    headings = [line for line in lines if line.startswith(" " * 8)]
    assert headings[:3] == [
        "           1a 1b 2a 2b 3a 3b 4a 4b 5a",
        "        5a 5b 6a 6b 7a 7b 8a 8b 9a 9b",
        "        9b 10a   11a",
    ]


def _terminal() -> tuple[Terminal, StringIO]:
    out = StringIO()
    return Terminal(StringIO(), out), out


def test_the_review_for_programs_is_json() -> None:
    terminal, out = _terminal()
    record = read_record(SCREENS)
    show(terminal, variant("reverse"), record, as_json=True)
    data = json.loads(out.getvalue())
    assert data["turning_points"] == [1, 2]
    assert data["history"] == [1.0, -1.0, 1.0, 1.0, 1.0, 1.0, 1.0]
    assert data["moves"][0]["best"] == "1a1"
    assert read_record(data["moves"][2]["again"]).moves == ("4a2", "3b1")
    assert data == as_json_data(review(variant("reverse"), record))


def test_trying_again_saves_a_game_game_to_resume(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIGIT_DUEL_HOME", str(tmp_path))
    terminal, out = _terminal()
    record = read_record(SCREENS)
    try_again(terminal, variant("reverse"), record, "1b")
    assert out.getvalue() == "Saved as it stood before move 1b. To continue: digit-duel resume\n"
    assert game_to_resume(None).record.moves == ("4a2",)


@pytest.mark.parametrize("number", ["0", "4", "1c", ""])
def test_only_a_move_that_was_made_can_be_tried_again(number: str) -> None:
    with pytest.raises(Problem, match="a player's move by its number in the review, such as 3b"):
        try_again(_terminal()[0], variant("reverse"), read_record(SCREENS), number)


def test_plain_text_has_words_and_no_symbols() -> None:
    lines = as_text(looked_back(), NO_MARKS, 80)
    assert "\n".join(lines).isascii()
    assert lines[2].startswith(" 1a. Tom: 4 in ")
    assert "a mistake, wins before, loses after" in " ".join("\n".join(lines).split())


def test_a_bad_record_is_a_problem_in_words() -> None:
    record = Record("reverse", {}, ("Ann", "Ben"), ("4a2", "4b1"))
    with pytest.raises(Problem, match="4 is no longer in the pool"):
        show(_terminal()[0], variant("reverse"), record)


def test_an_unfinished_game_with_open_hands_is_reviewed_for_everybody() -> None:
    start = '[Game "cards"]\n[Options "visibility=open"]\n[First "Ann"]\n[Second "Ben"]\n[Result "*"]\n\n'
    found = looked_back(start + "d2 k d9 k d3 *\n")
    assert [(move.seat, move.move) for move in found.moves] == [(Seat.FIRST, "k"), (Seat.SECOND, "k")]
    assert not found.secret
