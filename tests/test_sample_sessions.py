"""The rulebooks' sample sessions through the real command: piped, and typed with --lines or --plain."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from random import Random

import pytest
from tests.reference import battle, cards, placing
from tests.rulebook_samples import (
    BATTLE,
    CARDS,
    CLASSIC,
    MATCH,
    OPEN_SAMPLES,
    PRIVATE_CARDS,
    REVERSE,
    REVERSE_EXAMPLE,
    RULEBOOK,
    SABOTAGE,
    SUDDEN_DEATH,
    Sample,
)
from tests.surroundings import environment
from tests.terminal.console import run

WAIT = 20  # seconds; a machine may be busy

# Every question of these sessions; a typist waits for one of them before each answer.
QUESTION = "|".join(
    [
        r"Enter the digit you want to select: ",
        r"Choose position to place the digit \(hundreds/tens/units\): ",
        r"Select a digit from the available digits: ",
        r"Assign digit '\d' to a position \(hundreds/tens/ones\): ",
        r"Assign digit '\d' to which player\? \(1 for you, 2 for opponent\): ",
        r"Assign to which position\? \(T/H/T/O\): ",
        r"'T' could be thousands or tens\. Which one\? ",
        r"Do you want to keep it\? \(yes/no\): ",
        r"Enter your number \(use each digit once\): ",
        r"Select a digit to use: ",
        r"Do you want to attack or defend\? ",
        r"Choose a secret digit from 1 to 5: ",
        r"Pass the keyboard to Player \d, and press Enter\. ",
    ]
)


def piped(args: str, answers: list[str], home: Path, code: int = 0) -> str:
    done = run(home, *args.split(), typed="\n".join(answers) + "\n")
    assert (done.code, done.err) == (code, b"")
    return done.text


def typed(args: str, answers: list[str], home: Path) -> str:
    """What a pseudo-terminal shows while somebody types an answer to each question."""
    pexpect = pytest.importorskip("pexpect", reason="needs a pseudo-terminal")
    child = pexpect.spawn(
        sys.executable,
        ["-m", "digit_duel", *args.split(), "--lines"],
        env=environment(home),
        dimensions=(24, 80),
        encoding="utf-8",
        timeout=WAIT,
    )
    child.delaybeforesend, child.ptyproc.delayafterclose = None, 0  # we wait for each question instead
    shown = ""
    for answer in answers:
        child.expect(QUESTION)
        shown += child.before + child.after
        child.sendline(answer)
    child.expect(pexpect.EOF)
    child.close()
    assert (child.exitstatus, child.signalstatus) == (0, None)
    return str(shown + child.before).replace("\r\n", "\n")


def with_hand_overs(sample: Sample) -> tuple[list[str], str]:
    """The answers and the text of sudden death where people type: the keyboard is passed before each pick."""
    answers = [*sample.answers[:-8], *(key for pick in sample.answers[-8:] for key in ("", pick))]
    text = re.sub(
        r"\nSudden Death: (Player \d), choose",
        r"\nPass the keyboard to \1, and press Enter. \n\nSudden Death: \1, choose",
        sample.text,
    )
    return answers, text


@pytest.mark.parametrize("sample", OPEN_SAMPLES, ids=lambda sample: sample.golden)
def test_a_piped_sample_session_is_the_golden_file_byte_for_byte(sample: Sample, home: Path) -> None:
    assert piped(sample.args, sample.answers, home) == sample.text


@pytest.mark.parametrize("how", ["", " --plain"])
@pytest.mark.parametrize("sample", OPEN_SAMPLES, ids=lambda sample: sample.golden)
def test_a_sample_session_typed_line_by_line_is_the_golden_file_too(
    sample: Sample, how: str, home: Path
) -> None:
    assert typed(f"{sample.args}{how}", sample.answers, home) == sample.text


@pytest.mark.parametrize("sample", RULEBOOK, ids=lambda sample: sample.golden)
def test_every_line_of_the_rulebooks_sample_stands_in_the_golden_file_in_order(sample: Sample) -> None:
    lines = iter(sample.text.split("\n"))
    for wanted in RULEBOOK[sample].split("\n"):
        pattern = re.compile(re.escape(wanted).replace(re.escape("..."), ".*"))
        assert any(pattern.fullmatch(line) for line in lines), wanted


def test_the_sample_blocks_of_classic_cards_and_battle_stand_in_the_golden_file_as_one_piece() -> None:
    for sample, first, last in [
        (CLASSIC, 0, 11),  # up to the rulebook's own "..."
        (CARDS, 0, 42),
        (BATTLE, 0, 16),
        (REVERSE, 0, 7),
    ]:
        block = RULEBOOK[sample].split("\n")[first:last]
        lines = [line for line in sample.text.split("\n") if line]
        assert lines[: len(block)] == block


def test_the_inputs_of_the_sabotage_sample_go_through_with_the_one_question_of_s2(home: Path) -> None:
    # S1, S2: the sample's last T finds the thousands taken, so it can only mean the tens.
    typed_by_the_book = ["9", "2", "T", "thousands", "0", "1", "T", "resign", "yes"]
    assert piped("play sabotage", typed_by_the_book, home).split("\n")[5:] == [
        "Available digits: [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9]",
        "Enter the digit you want to select: 9",
        "Assign digit '9' to which player? (1 for you, 2 for opponent): 2",
        "Assign to which position? (T/H/T/O): T",
        "'T' could be thousands or tens. Which one? thousands",
        "Player 1 assigned digit '9' to Player 2's thousands place.",
        "",
        "Player 2, it's your turn.",
        "Available digits: [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9]",
        "Enter the digit you want to select: 0",
        "Assign digit '0' to which player? (1 for you, 2 for opponent): 1",
        "Assign to which position? (T/H/T/O): T",
        "Player 2 assigned digit '0' to their own tens place.",
        "",
        "Player 1, it's your turn.",
        "Available digits: [0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9]",
        "Enter the digit you want to select: resign",
        "Do you want to resign? (yes/no): yes",
        "",
        "Player 1 resigns. Player 2 wins!",
        "",
    ]


def test_the_referee_finds_the_same_winners_in_the_golden_games() -> None:
    moves = {
        CLASSIC: "9a1 8b1 2a3 7b2 5a2 6b3",
        REVERSE: "6a3 1b1 2a1 3b2 4a2 5b3",
        REVERSE_EXAMPLE: "9a1 1b1 8a2 2b3 3a3 4b2",
        SABOTAGE: "9b1 8b3 0a1 7a3 1a2 2b2 5a4 6b4",
        CARDS: "d7 k d2 g d9 k d5 k d1 k d8 k a972 b851 d4 g d6 k d9 k d3 k d0 k d7 k a643 b970"
        " d5 k d1 g d3 g d8 k d4 k d2 g d9 k a541 b389",
        BATTLE: "x9 +8 x7 +6 x5 +4 x3 +2 x1",
        SUDDEN_DEATH: "+6 +4 +5 +2 x8 x7 x1 x9 x3 a3 b3 a5 b2 a1 b3 a4 b1",
        PRIVATE_CARDS: "d7 k d2 g d9 k d5 k d1 k d8 k a972 b851 d4 g d9 k d3 k d8 k d6 g d0 k d7 k a498 b037",
    }
    judged = {sample: text.split() for sample, text in moves.items()}
    assert placing.judge(judged[CLASSIC]) == "1-0"
    assert placing.judge(judged[REVERSE], **placing.REVERSE) == "0-1"
    assert placing.judge(judged[REVERSE_EXAMPLE], **placing.REVERSE) == "0-1"
    assert placing.judge(judged[SABOTAGE], **placing.SABOTAGE) == "1-0"
    assert cards.judge(judged[CARDS]) == "1-0"
    assert battle.judge(judged[BATTLE]) == "1-0"
    assert battle.judge(judged[SUDDEN_DEATH]) == "1-0"
    assert cards.judge(judged[PRIVATE_CARDS]) == "1-0"


def test_a_piped_sudden_death_does_not_print_the_secret_digits(home: Path) -> None:
    assert piped(SUDDEN_DEATH.args, SUDDEN_DEATH.answers, home) == SUDDEN_DEATH.text


@pytest.mark.parametrize("how", ["", " --plain"])
def test_a_typed_sudden_death_passes_the_keyboard_and_echoes_nothing(how: str, home: Path) -> None:
    answers, text = with_hand_overs(SUDDEN_DEATH)
    assert typed(f"{SUDDEN_DEATH.args}{how}", answers, home) == text


def test_a_private_game_of_cards_tells_the_other_player_counts_only(home: Path) -> None:
    shown = piped(PRIVATE_CARDS.args, PRIVATE_CARDS.answers, home)
    assert shown == PRIVATE_CARDS.text
    # SAFETY C14: the sample's "Player 1's hand: [7, 2]" is for the open table.
    assert "'s hand" not in shown


def test_a_match_swaps_seats_and_keeps_the_score(home: Path) -> None:
    assert piped(MATCH.args, MATCH.answers, home) == MATCH.text


@pytest.mark.parametrize("how", ["", " --plain"])
def test_a_match_typed_line_by_line_reads_the_same(how: str, home: Path) -> None:
    assert typed(f"{MATCH.args}{how}", MATCH.answers, home) == MATCH.text


def test_classic_with_four_settings_is_sabotage_by_another_name(home: Path) -> None:
    rng = Random(4)
    games = [random_sabotage(rng) for _ in range(30)]
    answers = [token for game in games for token in game]
    settings = "--set places=4 --set pool=0-9x2 --set goal=low --set reach=any"
    for args in ["play sabotage", f"play classic {settings}"]:
        # A match that goes on when the games run out, which is exit code 3.
        shown = piped(f"{args} --first-to 99", answers, home, code=3)
        numbers = re.findall(r"\nFinal Numbers:\n.*: (\d{4})\n.*: (\d{4})\n", shown)
        assert numbers == [(number_of(game, "a"), number_of(game, "b")) for game in games]
        results = [placing.judge(game, **placing.SABOTAGE) for game in games]
        # A2: the players swap seats, so the second seat of every other game is Player 1's.
        winners = [1 + ((result == "0-1") ^ (at % 2)) for at, result in enumerate(results)]
        assert re.findall(r"\n(?:A tie\. .*, so )?Player ([12]) wins!\n", shown) == list(map(str, winners))


def random_sabotage(rng: Random) -> list[str]:
    tokens: list[str] = []
    while legal := sorted(placing.legal(tokens, **placing.SABOTAGE)):
        tokens.append(rng.choice(legal))
    return tokens


def number_of(tokens: list[str], seat: str) -> str:
    return "".join(token[0] for token in sorted(tokens, key=lambda token: token[2]) if token[1] == seat)
