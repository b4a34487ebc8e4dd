"""Random games of each kind through the real command, judged by the second implementation."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest
from tests.reference import battle, cards, placing
from tests.surroundings import environment

# A hundred games in every run of the tests, a thousand in make soak.
COUNTS = [100, pytest.param(1000, marks=pytest.mark.campaign)]
PLACES = {
    "classic": ("hundreds", "tens", "units"),
    "reverse": ("hundreds", "tens", "ones"),
    "sabotage": ("thousands", "hundreds", "tens", "ones"),
}


@dataclass(frozen=True)
class Kind:
    """One game as the second implementation knows it."""

    choices: Callable[[list[str]], dict[str, set[str]]]
    judge: Callable[[list[str]], str]


KINDS = {
    "classic": Kind(
        lambda tokens: placing.choices(tokens, **placing.CLASSIC),
        lambda tokens: placing.judge(tokens, **placing.CLASSIC),
    ),
    "reverse": Kind(
        lambda tokens: placing.choices(tokens, **placing.REVERSE),
        lambda tokens: placing.judge(tokens, **placing.REVERSE),
    ),
    "sabotage": Kind(
        lambda tokens: placing.choices(tokens, **placing.SABOTAGE),
        lambda tokens: placing.judge(tokens, **placing.SABOTAGE),
    ),
    "battle": Kind(lambda tokens: battle.choices(tokens), lambda tokens: battle.judge(tokens)),
}


def random_game(kind: Kind, rng: Random, begun: Sequence[str] = ()) -> list[str]:
    tokens = list(begun)
    while choices := kind.choices(tokens):
        seat = min(choices)  # where both choose at once, the first seat is asked first
        tokens.append(rng.choice(sorted(choices[seat])))
    return tokens


def tying_battle(kind: Kind, rng: Random) -> list[str]:
    """A random game that reaches sudden death, which few do by chance."""
    while True:
        tokens = [rng.choice("x+") + digit for digit in rng.sample("123456789", 9)]
        with suppress(ValueError):  # a life ran out before the digits did
            if kind.judge(tokens) == "*":
                return random_game(kind, rng, tokens)


def typed(id: str, token: str, seat: str, rng: Random) -> list[str]:
    """A move as people type it: in notation, in one line, or answer by answer."""
    if token[0] in "ab":
        return [token[1:]]  # a secret
    if token[0] in "x+":
        words = [token[1:], "attack" if token[0] == "x" else "defend"]
    else:
        place = PLACES[id][int(token[2:]) - 1]
        whose = ["1" if token[1] == seat else "2"] if id == "sabotage" else []
        words = [token[0], *whose, place]
    return rng.choice([[token], [" ".join(words)], words])


def command(home: Path, *args: str) -> list[str]:
    return [sys.executable, "-m", "digit_duel", "play", *args, "--record", str(home / "record")]


def records(home: Path) -> list[tuple[str, str, str, list[str]]]:
    """Who sat where, the result, and the moves of each game in the record file."""
    text = (home / "record").read_text(encoding="utf-8")
    found = []
    for headers, moves in re.findall(r"((?:\[.*\]\n)+)\n((?:[^\[\n].*\n)+)", text):
        header = dict(re.findall(r'\[(\w+) "(.*)"\]', headers))
        *tokens, result = [word for word in moves.split() if not word.endswith(".")]
        assert result == header["Result"]
        found.append((header["First"], header["Second"], result, tokens))
    return found


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("id", KINDS)
def test_piped_games_end_with_the_winner_of_the_second_implementation(
    id: str, count: int, home: Path
) -> None:
    kind, rng = KINDS[id], Random(f"{count} games of {id}")
    games: list[list[str]] = []
    score = {"Player 1": 0, "Player 2": 0}
    winners: list[str] = []
    enough = count
    while len(games) < count or max(score.values()) < enough:
        make = tying_battle if id == "battle" and len(games) % 20 == 0 else random_game
        games.append(make(kind, rng))
        # A2: the players swap seats after every game.
        first_won = kind.judge(games[-1]) == "1-0"
        assert first_won or kind.judge(games[-1]) == "0-1"
        winners.append("Player 1" if first_won == (len(games) % 2 == 1) else "Player 2")
        score[winners[-1]] += 1
        if len(games) == count:
            enough = max(score.values()) + 1  # so that a later game decides the match
    answers = [
        line
        for tokens in games
        for ply, token in enumerate(tokens)
        for line in typed(id, token, "ab"[ply % 2], rng)
    ]

    done = subprocess.run(
        command(home, id, "--first-to", str(enough)),
        input="".join(f"{line}\n" for line in answers).encode(),
        capture_output=True,
        env=environment(home / "saves"),
        timeout=600,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, b"")
    shown = done.stdout.decode()
    won = re.findall(r"^(?:A tie\. .*, so )?(Player [12]) wins(?:!$|: | with )", shown, re.MULTILINE)
    assert won == winners
    seats = [("Player 1", "Player 2"), ("Player 2", "Player 1")]
    assert records(home) == [(*seats[at % 2], kind.judge(tokens), tokens) for at, tokens in enumerate(games)]
    assert shown.endswith(f"\n{winners[-1]} wins the match, {enough} to {len(games) - enough}!\n")
    assert len(list((home / "saves").glob("*.duel"))) == len(games)


@dataclass
class Dealt:
    """A game of cards as its transcript tells it."""

    first: str = ""
    tokens: list[str] = field(default_factory=list)
    winner: str = ""


QUESTIONS = (b"(yes/no): ", b"(use each digit once): ")


def until_a_question(process: subprocess.Popen[bytes]) -> str:
    assert process.stdout is not None
    shown = b""
    while not shown.endswith(QUESTIONS):
        more = os.read(process.stdout.fileno(), 65536)
        assert more, shown.decode()
        shown += more
    return shown.decode()


def answer(shown: str, game: Dealt, giving: float, rng: Random) -> str:
    """A random answer to the question at the end of what was shown, noted down as a token."""
    if arranging := re.search(r"(Player \d), arrange your digits.*\n- Your digits: \[(.*)\]\n", shown):
        name, digits = arranging[1], arranging[2].split(", ")
        rng.shuffle(digits)
        number = "".join(digits)
        game.tokens.append(("a" if name == game.first else "b") + number)
        return "" if rng.random() < 0.2 and digits == sorted(digits, reverse=True) else number
    drawn = re.findall(r"- You draw a '(\d)'\.\n", shown)
    if drawn:
        game.tokens += [f"d{drawn[-1]}", "k" if rng.random() > giving else "g"]
    else:
        # C4: the deck ran out a second time, and the program says so.
        assert "must keep" in shown, shown
        assert game.tokens.pop() == "g"
        with pytest.raises(ValueError, match="illegal"):
            cards.judge([*game.tokens, "g"])
        game.tokens.append("k")
    return rng.choice(["yes", "y", "keep", "K"] if game.tokens[-1] == "k" else ["no", "n", "give", "G"])


@pytest.mark.parametrize("count", COUNTS)
def test_games_of_cards_end_with_the_winner_of_the_second_implementation(count: int, home: Path) -> None:
    rng = Random(f"{count} games of cards")
    games = [Dealt()]
    with subprocess.Popen(
        command(home, "cards", "--first-to", "100000", "--seed", "1"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        bufsize=0,
        env=environment(home / "saves"),
    ) as process:
        assert process.stdin is not None
        while True:
            shown = until_a_question(process)
            if over := re.search(r"\n(Player \d) wins the game, 2 to [01]!\n", shown):
                games[-1].winner = over[1]
                if len(games) == count:
                    break
                games.append(Dealt())
                shown = shown[over.end() :]
            if begun := re.search(r"(Player \d) goes first\.\n", shown):
                games[-1].first = begun[1]
            giving = 0.98 if len(games) % 25 == 0 else (0.1, 0.5)[len(games) % 2]  # 0.98 empties the deck
            process.stdin.write(answer(shown, games[-1], giving, rng).encode() + b"\n")
        process.stdin.write(b"quit\n")
        assert process.stdout is not None
        goodbye = process.stdout.read()
        assert process.wait(timeout=60) == 0
    assert goodbye.decode() == (
        "quit\n\nYour game is saved. To continue: digit-duel resume\n"
        f"It has hidden information, so its record goes to {home / 'record'} when it is over.\n"
    )

    finished = records(home)
    assert len(finished) == count
    for number, (game, (first, second, result, moves)) in enumerate(zip(games, finished, strict=True)):
        assert (first, second) == (("Player 1", "Player 2"), ("Player 2", "Player 1"))[number % 2]
        assert (game.first, game.tokens) == (first, moves)
        assert cards.judge(moves) == result
        assert game.winner == {"1-0": first, "0-1": second}[result]
