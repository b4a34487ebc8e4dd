"""Playing at a server from the terminal: every game, with friends, and through trouble on the way."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from tests.terminal.console import Console, inside, piped
from tests.web.client import Client
from tests.web.server import Server

from digit_duel.core.record import read_record
from digit_duel.games import catalogue


def link_of(console: Console) -> str:
    """The invitation that was printed."""
    console.expect("Send this link to a friend:\n\n  ")
    return console.rest_of_line()


# Whole games


@pytest.mark.parametrize("game", catalogue())
def test_any_game_is_played_to_its_end_by_its_hints_and_proves_to_be_fair(
    server: Server, tmp_path: Path, game: str
) -> None:
    record = tmp_path / "games.duel"
    args = (
        "play",
        game,
        "--server",
        server.url,
        "--level",
        "random",
        "--name",
        "Ann",
        "--record",
        str(record),
    )
    ends = ("\nFinal", "wins the game", "wins!", "tie", "Checked:")
    with piped(tmp_path, *args, "--record", str(record)) as ann:
        while ann.process.poll() is None:
            ann.enter("hint")
            if not ann.expect("Hint: ", *ends).endswith(b"Hint: "):
                break
            ann.enter(ann.rest_of_line().rpartition("(")[2].removesuffix(")."))
            ann.expect(": ", "\n")
        assert ann.end() == 0
    found = read_record(record.read_text())
    assert (found.game, found.names[0]) == (game, "Ann")
    assert inside(tmp_path, "verify", str(record)).code == 0
    drawn = any(text.startswith("d") for text in found.moves)
    assert ("Checked: all cards and secrets are what the server sealed before the game." in ann.text) >= drawn


def test_two_terminals_play_each_other_by_an_invitation(server: Server, tmp_path: Path) -> None:
    homes = [tmp_path / "ann", tmp_path / "ben"]
    with piped(homes[0], "play", "classic", "--server", server.url, "--invite", "--name", "Ann") as ann:
        link = link_of(ann)
        with piped(homes[1], "play", "--join", link, "--name", "Ben") as ben:
            for mine, theirs in (("9 h", "8 h"), ("7 t", "6 t"), ("5 u", "4 u")):
                ann.enter(mine)
                ben.enter(theirs)
            assert (ann.end(), ben.end()) == (0, 0)
        for shown in (ann.text, ben.text):
            assert "Ann's Number: 975" in shown
            assert "Ben's Number: 864" in shown
            assert "Ann wins!" in shown
    assert "Ben places 8 in their hundreds." in ann.text
    assert "You place 8 in your hundreds." in ben.text


def test_there_are_no_hints_between_people(server: Server, tmp_path: Path) -> None:
    args = ("play", "classic", "--server", server.url, "--invite")
    with Client(server.url) as ben, piped(tmp_path, *args) as ann:
        game, _, secret = link_of(ann).partition("/j/")[2].partition("#")
        ben.join(game, "Ben", invite=secret)
        ann.expect("Enter the digit")
        ann.enter("hint")
        ann.expect("There are no hints in this game.")
        ann.enter("quit")
        assert ann.end() == 0


def test_a_persons_last_choice_is_taken_back_against_the_computer(server: Server, tmp_path: Path) -> None:
    done = inside(
        tmp_path, "play", "classic", "--server", server.url, "--level", "random", "--name", "Ann",
        typed="9 h\nundo\nmoves\nquit\n",
    )  # fmt: skip
    assert done.code == 0
    assert "Your move is taken back." in done.text
    assert "9a1" in done.text.partition("taken back.")[2]


def test_prompts_forgive_words_and_refuse_what_is_against_the_rules(server: Server, tmp_path: Path) -> None:
    typed = "0\nx\n9\nmiddle\nhelp\nundo\n9 hundreds\n\nrules\nboard\nquit\n"
    done = inside(tmp_path, "play", "classic", "--server", server.url, "--level", "random", typed=typed)
    assert done.code == 0
    assert "I don't understand '0'. Choose: 1, 2, 3, 4, 5, 6, 7, 8, 9" in done.text
    assert "I don't understand 'middle'" in done.text
    assert "  undo    take the last choice back" in done.text
    assert "You place 9 in your hundreds." in done.text


def test_a_match_says_where_it_stands(server: Server, tmp_path: Path) -> None:
    done = inside(tmp_path, "play", "classic", "--server", server.url, "--match", "3", typed="quit\n")
    assert done.code == 0
    assert done.text.startswith("Game 1, best of 3. Score before it: 0-0.\n")


# On a terminal


def test_the_board_is_told_before_a_turn_and_a_rematch_changes_seats(server: Server, tmp_path: Path) -> None:
    args = ("play", "classic", "--server", server.url, "--level", "random", "--name", "Ann")
    with Console(tmp_path, *args) as ann:
        ann.expect("Ann: hundreds empty, tens empty, units empty, highest possible 987.")
        ann.answer("select: ", "resign")
        ann.answer("Do you want to resign? (yes/no): ", "yes")
        ann.expect("Ann resigned. Computer wins.")
        ann.answer("Do you want to play again? (yes/no): ", "yes")
        ann.expect("Computer places")  # which goes first now
        ann.answer("select: ", "quit")
        assert ann.end() == 0
        ann.assert_restored()


def test_an_offer_of_the_other_is_put_to_the_person_once(server: Server, tmp_path: Path) -> None:
    with (
        Client(server.url) as ben,
        Console(tmp_path, "play", "classic", "--server", server.url, "--invite", "--name", "Ann") as ann,
    ):
        ann.expect("Send this link to a friend:")
        shown = ann.expect("Waiting for the other player.").decode()
        link = next(line.strip() for line in shown.splitlines() if "/j/" in line)
        game, _, secret = link.partition("/j/")[2].partition("#")
        ben.join(game, "Ben", invite=secret)
        ann.answer("select: ", "9 h")
        ann.expect("Waiting for Ben.")
        assert ben.command(game, "clock", minutes=5).code == "ok"
        ann.answer("Your opponent wants a clock, 5 minutes for each. Do you agree? (yes/no): ", "yes")
        ann.expect("each player has 5 minutes")
        ben.move(game, "8b1")
        assert ben.command(game, "takeback").code == "ok"
        ann.expect("Ben places 8")
        ann.end_with("\x03")


def test_a_secret_digit_is_not_shown_while_it_is_typed(server: Server, tmp_path: Path) -> None:
    args = (
        "play",
        "battle",
        "--server",
        server.url,
        "--set",
        "pool=1,1",
        "--level",
        "random",
        "--name",
        "Ann",
    )
    with Console(tmp_path, *args) as ann:
        ann.answer("Select a digit to use: ", "x1")
        for _ in range(3):
            ann.expect("Choose a secret digit from 1 to 5: ")
            assert not ann.echoes
            ann.enter("3")
            ann.expect(" now ha")  # both digits are told at once
        # Ctrl-C would discard an Enter that has not been read yet, and readline then waits for another one.
        ann.expect("Choose a secret digit from 1 to 5: ")
        assert ann.end_with("\x03") == 130
        ann.assert_restored()


# Leaving and coming back


def test_ctrl_c_ends_politely_and_says_how_to_come_back(server: Server, tmp_path: Path) -> None:
    with piped(tmp_path, "play", "sabotage", "--server", server.url, "--level", "random") as ann:
        ann.expect("select: ")
        ann.process.send_signal(signal.SIGINT)
        assert ann.end() == 130
        assert "Interrupted. The server keeps the game." in ann.text
        command = ann.text.rpartition("To continue: digit-duel ")[2].split()
    assert command[:2] == ["play", "--join"]
    back = inside(tmp_path, *command, typed="moves\nquit\n")
    assert back.code == 0
    assert "0a1" in back.text


def test_an_input_that_ends_leaves_with_code_3(server: Server, tmp_path: Path) -> None:
    done = inside(tmp_path, "play", "classic", "--server", server.url, "--level", "random", typed="9 h\n")
    assert done.code == 3
    assert "The input has ended. The server keeps the game." in done.text


def test_somebody_elses_game_cannot_be_come_back_to(server: Server, tmp_path: Path) -> None:
    with Client(server.url) as ben:
        game = ben.open("classic", "computer").game
        ben.join(game, "Ben")
    done = inside(tmp_path, "play", "classic", "--join", f"{server.url}/g/{game}")
    assert done.code == 1
    assert "you have no seat in that game" in done.error


def test_a_link_that_is_used_up_is_refused_with_the_servers_sentence(server: Server, tmp_path: Path) -> None:
    with Client(server.url) as ben, Client(server.url) as cleo:
        opened = ben.open("classic", "friend")
        ben.join(opened.game, "Ben")
        cleo.join(opened.game, "Cleo", invite=opened.secret)
    assert opened.url is not None
    done = inside(tmp_path, "play", "classic", "--join", opened.url)
    assert done.code == 1
    assert done.error == "digit-duel: this seat is taken: you can watch instead.\n"


# Options


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--server", "localhost", "--seed", "1"), "--seed and --draws are for games on this computer"),
        (("--server", "localhost", "--names", "A", "B"), "--name A"),
        (("--server", "localhost", "--level", "best"), "there is no level 'best'"),
        (("--server", "localhost", "--invite", "--level", "sharp"), "the computer needs no invitation"),
        (("--join", "http://h/j/x#y", "--level", "sharp"), "--join leads to an existing game"),
        (("--join", "http://h/j/x#y", "--set", "tie=draw"), "--join leads to an existing game"),
        (("--server", "localhost", "--match", "3", "--first-to", "2"), "not both"),
        (("--server", "localhost", "--match", "101"), "at most 99 games"),
        (("--invite",), "add --server URL"),
        (("--name", "Ann"), "add --server URL"),
    ],
)
def test_options_that_do_not_go_together_are_refused(
    tmp_path: Path, options: tuple[str, ...], told: str
) -> None:
    done = inside(tmp_path, "play", "classic", *options)
    assert done.code == 2
    assert told in done.error


def test_a_link_to_another_game_says_which(server: Server, tmp_path: Path) -> None:
    with Client(server.url) as ben:
        opened = ben.open("reverse", "friend")
    assert opened.url is not None
    done = inside(tmp_path, "play", "classic", "--join", opened.url)
    assert done.code == 1
    assert "that is a game of reverse" in done.error


WRONG_PATHS = ("/x/abc", "/j/", "/j/a%20b", "/g/../x", "")


@pytest.mark.parametrize("server", [(), ("--server", "http://127.0.0.1:1")])
@pytest.mark.parametrize("link", ["", "x", *(f"http://127.0.0.1:1{path}" for path in WRONG_PATHS)])
def test_a_link_that_leads_nowhere_is_refused_before_anybody_is_asked(
    tmp_path: Path, link: str, server: tuple[str, ...]
) -> None:
    done = inside(tmp_path, "play", "--join", link, *server)
    assert done.code == 1
    assert done.error == "digit-duel: a link to a game looks like https://duel.example/j/GAME#SECRET\n"
