"""replay, export, games and rules, on a terminal and piped."""

from __future__ import annotations

import os
import re
from datetime import datetime
from pathlib import Path

import pytest
from tests.terminal.console import Console, inside, without_escapes
from tests.terminal.walks import GAMES, save_of, walk

from digit_duel import games
from digit_duel.core.record import read_record

STEP = "q quit: "
HEAD = '[Game "classic"]\n[First "A"]\n[Second "B"]\n[Result "*"]\n\n'


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """A finished game of classic in a file."""
    path = tmp_path / "record.txt"
    path.write_text(walk("classic").record.text())
    return path


@pytest.mark.parametrize("game", GAMES)
def test_a_piped_replay_tells_the_whole_game(game: str, tmp_path: Path) -> None:
    whole = walk(game)
    (tmp_path / "record").write_text(whole.record.text())
    done = inside(tmp_path, "replay", str(tmp_path / "record"))
    assert done.code == 0
    shown = re.findall(r"^([0-9]+[ab]?)\. (\S+)  \(", done.text, re.MULTILINE)
    assert [text for _, text in shown] == list(whole.record.moves)
    assert done.text.endswith(whole.closing + "\n")


@pytest.mark.parametrize("game", ["classic", "cards"])
def test_a_replay_on_a_terminal_goes_forward_and_back_and_anywhere(game: str, tmp_path: Path) -> None:
    whole = walk(game)
    (tmp_path / "record").write_text(whole.record.text())
    moves = whole.record.moves
    # One number for two moves; in cards the first of them is a draw.
    one, two, three, last = {"classic": ("1a", "1b", "2a", "3b"), "cards": ("1", "1", "2", "22b")}[game]
    third = {"classic": moves[2], "cards": moves[3]}[game]
    with Console(tmp_path, "replay", str(tmp_path / "record")) as console:
        for typed, shows in [
            ("", f"{one}. {moves[0]} "), ("", f"{two}. {moves[1]} "), ("b", f"{one}. {moves[0]} "),
            ("b", "The start."), ("b", "The start."), (three, f"{three}. {third} "),
            (last, f"{last}. {moves[-1]} "), ("0", "The start."), ("f", f"{one}. {moves[0]} "),
            ("999", "Press Enter, or type"),
            ("-1", "Press Enter, or type"),
            ("nonsense", "Press Enter, or type"), ("\u0663", "Press Enter, or type"),
            ("1_0", "Press Enter, or type"),
            ("9" * 900, "Press Enter, or type"),
        ]:  # fmt: skip
            console.answer(STEP, typed)
            console.expect(shows)
        console.answer(STEP, last)
        console.answer(STEP, "")
        assert console.end() == 0
        console.assert_restored()
        assert whole.closing.splitlines()[-1].encode() in without_escapes(console.shown)


def test_a_replay_can_be_left_at_any_time(record: Path, tmp_path: Path) -> None:
    for word in ("q", " QUIT "):
        with Console(tmp_path, "replay", str(record)) as console:
            console.answer(STEP, "")
            console.answer(STEP, word)
            assert console.end() == 0


def test_a_file_of_several_games_is_replayed_by_number(tmp_path: Path) -> None:
    path = tmp_path / "records"
    path.write_text("\n".join(walk(game).record.text() for game in GAMES))
    for number, game in enumerate(GAMES, start=1):
        done = inside(tmp_path, "replay", str(path), "--game", str(number))
        assert done.text.startswith(games.variant(game).title)
    done = inside(tmp_path, "replay", str(path), "--game", "6")
    assert done.code == 1
    assert "there are 5 games in this file" in done.error
    path.write_text(walk("classic").record.text())
    assert (
        "there is only one game in this file." in inside(tmp_path, "replay", str(path), "--game", "2").error
    )


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "there is no game in this file"),
        ("nonsense", "line 1, column 1"),
        (HEAD + "1. 9a1 9b1 *", "line 6, column 8: 9 is no longer in the pool."),
        (HEAD.replace("classic", "chess") + "*", "there is no game 'chess' here"),
        (HEAD.replace("[First", '[Options "places=77"]\n[First') + "*", "places must be a whole number"),
        (HEAD.replace('"A"', '"\x1b[31mEve"') + "1. 9a1 *", "line 2, column"),
        (HEAD + "1. \x1b]0;pwned\x07 *", "line 6, column 4"),
        (HEAD.replace("[First", '[Options "\x1b[31m=1"]\n[First') + "*", "line 2, column"),
    ],
)
@pytest.mark.parametrize("command", ["replay", "export"])
def test_a_bad_file_is_a_problem_in_a_sentence_without_raw_escapes(
    content: str, says: str, command: str, tmp_path: Path
) -> None:
    (tmp_path / "bad").write_text(content)
    done = inside(tmp_path, command, str(tmp_path / "bad"))
    assert done.code == 1
    assert says in done.error
    assert done.error.rstrip("\n").isprintable()
    assert not done.out


@pytest.mark.parametrize("name", ["nowhere", "/", "", "\x1b[31m", "a" * 300, "7", "../../etc/passwd"])
def test_a_file_that_is_not_there_is_a_problem_in_a_sentence(name: str, tmp_path: Path) -> None:
    done = inside(tmp_path, "replay", name)
    assert done.code == 1
    assert done.error.rstrip("\n").isprintable()


def test_what_is_exported_is_what_was_played(record: Path, tmp_path: Path) -> None:
    done = inside(tmp_path, "export", str(record))
    assert done.out == record.read_bytes()
    assert read_record(done.text) == walk("classic").record


@pytest.mark.parametrize("plies", [1, 3, 13])
@pytest.mark.parametrize("seat", ["first", "second"])
def test_a_hidden_game_is_exported_as_one_seat_saw_it_and_no_more(
    plies: int, seat: str, tmp_path: Path
) -> None:
    save_of(tmp_path, "cards", plies)
    whole = inside(tmp_path, "export", "1")
    assert whole.code == 1
    assert "--seat" in whole.error
    done = inside(tmp_path, "export", "1", "--seat", seat)
    assert done.code == 0
    seen = read_record(done.text)
    assert seen.headers["Seen"] == seat
    # With the seed all cards could be worked out; with a check of the whole, what is behind each ? as well.
    assert not {"Seed", "Check", "Draws"} & {*seen.headers}
    assert len(seen.moves) == plies
    for mine, true in zip(seen.moves, walk("cards").record.moves, strict=False):
        assert mine == true or "?" in mine
    again = inside(tmp_path, "replay", "1")
    if plies == 1:  # only a card has been drawn
        assert again.text == "No moves yet.\n"
    else:
        assert again.code == 1
        assert "hidden cards" in again.error


def test_a_sealed_digit_is_not_exported(tmp_path: Path) -> None:
    save_of(tmp_path, "battle", 10)
    assert " b?" not in inside(tmp_path, "export", "1", "--seat", "first").text
    assert "a? *" in inside(tmp_path, "export", "1", "--seat", "second").text
    assert inside(tmp_path, "export", "1").code == 1
    assert inside(tmp_path, "replay", "1").code == 1


def test_games_are_listed_last_played_first_and_deleted_by_number(tmp_path: Path) -> None:
    assert "There are no games yet." in inside(tmp_path, "games").text
    for at, game in enumerate(GAMES):
        save = save_of(tmp_path, game, 2, f"2026010{5 - at}-000000-aaaaaa")  # begun in another order
        played = datetime(2026, 2, at + 1, 12, 34).timestamp()
        os.utime(save.path, (played, played))
    listed = inside(tmp_path, "games").text.splitlines()
    assert [line.split()[3] for line in listed[:5]] == list(reversed(GAMES))
    assert listed[0].startswith("  1  2026-02-05 12:34  battle     Player 1 - Player 2  Player 1 to move")
    assert len({line.index("Player 1 - ") for line in listed[:5]}) == 1
    assert all("to move" in line for line in listed[:5])
    deleted = inside(tmp_path, "games", "--delete", "2")
    assert deleted.text == ("Deleted: cards, Player 1 - Player 2, Player 2 to move, 2026-02-04 12:34.\n")
    assert [line.split()[3] for line in inside(tmp_path, "games").text.splitlines()[:4]] == [
        "battle", "sabotage", "reverse", "classic",
    ]  # fmt: skip
    missing = inside(tmp_path, "games", "--delete", "5")
    assert missing.code == 1
    assert len(list(tmp_path.glob("*.duel"))) == 4


def test_the_list_says_what_can_be_done_with_the_games_that_are_there(tmp_path: Path) -> None:
    resume = "To continue a game: digit-duel resume NUMBER"
    review = "To review a finished game: digit-duel review NUMBER"
    where = f"They are kept in {tmp_path}"
    inside(tmp_path, "play", "classic", typed="resign\nyes\n")
    assert inside(tmp_path, "games").text.splitlines()[1:] == ["", review, where]
    save_of(tmp_path, "classic", 2)
    assert inside(tmp_path, "games").text.splitlines()[2:] == ["", resume, review, where]
    inside(tmp_path, "games", "--delete", "2")
    assert inside(tmp_path, "games").text.splitlines()[1:] == ["", resume, where]
    inside(tmp_path, "games", "--delete", "1")
    inside(tmp_path, "play", "classic", "--match", "3", typed="resign\nyes\n")
    inside(tmp_path, "games", "--delete", "1")  # the second game of the match, before it has begun
    assert inside(tmp_path, "games").text.splitlines()[1:] == ["", resume, review, where]


def test_on_a_terminal_deleting_a_game_is_asked_once_more(tmp_path: Path) -> None:
    save_of(tmp_path, "classic", 2)
    for answer, left in (("no", 1), ("yes", 0)):
        with Console(tmp_path, "games", "--delete", "1", size=(200, 24)) as console:
            console.expect("Delete classic, Player 1 - Player 2, Player 1 to move, 20")
            console.answer("permanently? (yes/no): ", answer)
            assert console.end() == 0
        assert len(list(tmp_path.glob("*.duel"))) == left
    save_of(tmp_path, "classic", 2)
    with Console(tmp_path, "games", "--delete", "1", "--yes") as console:
        assert console.end() == 0
    assert not list(tmp_path.glob("*.duel"))


@pytest.mark.parametrize("game", GAMES)
def test_a_game_without_moves_has_nothing_to_replay_or_review(game: str, tmp_path: Path) -> None:
    save_of(tmp_path, game, 1 if game == "cards" else 0)
    for command in ("replay", "review"):
        done = inside(tmp_path, command, "1")
        if done.code:  # hidden hands are reviewed with --seat
            done = inside(tmp_path, command, "1", "--seat", "first")
        assert (done.code, done.text) == (0, "No moves yet.\n")


def test_a_game_of_one_move_that_is_not_over_says_so(tmp_path: Path) -> None:
    inside(tmp_path, "play", "classic", typed="9 h\n")
    head = "Digit Duel: Player 1 - Player 2, 1 move, not over\n"
    assert inside(tmp_path, "replay", "1").text.startswith(head)
    review = inside(tmp_path, "review", "1").text
    assert review.startswith(head)
    assert review.endswith("Player 1: 1 of 1 choice best, no mistake.\n")


@pytest.mark.parametrize(
    ("name", "why"),
    [("./", "is not a file"), ("/dev/null", "is not a file"), ("nowhere/a.txt", "does not exist")],
)
def test_a_problem_with_a_file_names_it_as_it_was_typed(name: str, why: str, tmp_path: Path) -> None:
    for command in ("replay", "analyze classic"):
        assert inside(tmp_path, *command.split(), name).error == f"digit-duel: {name} {why}.\n"


def test_a_list_that_tells_whose_turn_it_is_tells_nothing_hidden(tmp_path: Path) -> None:
    save_of(tmp_path, "cards", 13)
    save_of(tmp_path, "battle", 10, "20260102-000000-aaaaaa")
    lines = inside(tmp_path, "games").text.splitlines()
    assert re.sub(r"[^0-9]", "", lines[0].split("battle")[1]) == "122"  # Player 1 - Player 2  Player 2
    assert not re.search(r"d[0-9]|\[", lines[1].split("cards")[1])


def test_rules_begin_with_what_an_edition_or_house_rules_change(tmp_path: Path) -> None:
    fair = inside(tmp_path, "rules", "battle", "--edition", "fair").text
    assert fair.startswith(
        "Digit Duel: Battle (battle)\n\nFair edition:\n\n"
        "The second player begins with 15 life points (rulebook: 10), and equal reveals\n"
        "that end sudden death are a draw. Games last about four times as long.\n\n"
        "Otherwise the rulebook:\n\nBring the other player down to zero life points.\n\n"
    )
    house = inside(tmp_path, "rules", "classic", "--set", "places=2", "--set", "tie=draw").text
    assert house.startswith(
        "Digit Duel (classic)\n\nHouse rules:\n\nDigits in a number: 2 (rulebook: 3)\n\n"
        "Who wins a tie: draw (rulebook: second)\n\nOtherwise the rulebook:\n\nBuild the higher"
    )


def test_rules_asked_for_in_a_game_say_what_it_changes(tmp_path: Path) -> None:
    told = inside(tmp_path, "play", "battle", "--edition", "fair", typed="rules\nquit\n").text
    assert (
        "Select a digit to use: rules\nFair edition:\n\n"
        "The second player begins with 15 life points (rulebook: 10), and equal reveals\n"
        "that end sudden death are a draw. Games last about four times as long.\n\n"
        "Otherwise the rulebook:\n\n"
    ) in told


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_of_every_game_come_with_an_example_and_all_options(game: str, tmp_path: Path) -> None:
    done = inside(tmp_path, "rules", game.upper())
    variant = games.variant(game)
    assert done.code == 0
    assert done.text.startswith(f"{variant.title} ({game})\n\n")
    assert " ".join(variant.rules.text.split()) in " ".join(done.text.split())
    assert variant.rules.text.count("\n\n") == done.text.split("An example")[0].count("\n\n") - 2
    for move in read_record(variant.rules.example).moves:
        assert move in done.text
    for option in variant.options:
        assert f"  {option} " in done.text
    assert all(c.isprintable() or c == "\n" for c in done.text)


def test_what_is_not_certain_is_not_printed_as_certain(tmp_path: Path) -> None:
    # Ben, who never errs, does not hold two 9s beside the 5, so keeping the 2 wins nearly always.
    told = inside(tmp_path, "analyze", "cards", "d9 k d5 g d9 k d2", "--errs", "0")
    assert choices(told.text) == ["  give  1.0000, best", "  keep  over 0.9999"]


def choices(told: str) -> list[str]:
    """The lines about moves."""
    return [line for line in told.splitlines() if line.startswith("  ")]


def test_odds_of_an_analysis_wrap_like_other_text(tmp_path: Path) -> None:
    told = inside(tmp_path, "analyze", "cards", "d7", "--set", "facing_full=cap:3").text
    assert "First wins the round with probability 0." in told
    assert max(map(len, told.splitlines())) <= 78


def test_the_tips_are_silent_where_the_odds_are_known(tmp_path: Path) -> None:
    # The tips would keep a 7; whoever faces a full hand of two digits throws away all but the best.
    told = inside(tmp_path, "analyze", "cards", "d7", "--set", "hand_size=2", "--errs", "0.5").text
    assert told.startswith("First wins the round with probability 0.9")
    assert "if the other player errs on 50% of the choices" in " ".join(told.split())
    assert choices(told)[0].startswith("  give")
    assert "tips" not in told


@pytest.mark.parametrize("command", [("solve", "cards"), ("analyze", "cards", "d7")])
@pytest.mark.parametrize("option", ["facing_full=discard", "facing_full=cap:2", "visibility=open"])
def test_hands_too_large_for_memory_are_refused_at_once(
    command: tuple[str, ...], option: str, tmp_path: Path
) -> None:
    done = inside(tmp_path, *command, "--set", "hand_size=4", "--set", option)
    assert done.code == 1
    assert done.error == (
        "digit-duel: this game is too big to solve: "
        "rounds with hands of 4 digits need about 9 GiB; 2 GiB are allowed.\n"
    )


def test_a_file_without_a_game_cannot_be_analysed(tmp_path: Path) -> None:
    (tmp_path / "empty.duel").touch()
    told = inside(tmp_path, "analyze", "classic", str(tmp_path / "empty.duel"))
    assert (told.code, told.error) == (
        1,
        f"digit-duel: {tmp_path}/empty.duel: there is no game in this file.\n",
    )


def test_a_position_beyond_the_last_move_is_refused(tmp_path: Path) -> None:
    told = inside(tmp_path, "analyze", "classic", "9a1 8b1", "--at", "3")
    assert (told.code, told.error) == (
        1,
        "digit-duel: there is no position after 3 moves: there are only 2.\n",
    )
    assert "First to move wins." in inside(tmp_path, "analyze", "classic", "9a1 8b1", "--at", "2").text


@pytest.mark.parametrize("share", ["nan", "-0.1", "1.1", "inf", "often", ""])
@pytest.mark.parametrize("command", ["analyze cards d7", "review 1"])
def test_a_share_of_errors_that_is_none_is_refused(command: str, share: str, tmp_path: Path) -> None:
    told = inside(tmp_path, *command.split(), "--errs", share)
    assert (told.code, told.out) == (2, b"")
    assert told.error.endswith("Invalid value for '--errs': this must be a number from 0 to 1.\n")


def test_where_chance_moves_nobody_has_a_decision_to_analyse(tmp_path: Path) -> None:
    told = inside(tmp_path, "analyze", "cards", "")
    assert told.code == 1
    assert told.error == ("digit-duel: nobody has anything to decide in this position: chance moves next.\n")
