"""Worlds that differ only in what a seat may not know show that seat the same bytes, at every step.

SAFETY, table C. The harness is worlds.py, watching.py and comparing.py; test_planted_leaks.py shows that it
works, and test_leaks_on_real_terminals.py goes on where a terminal in memory would not do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner
from tests.comparing import same, sweep
from tests.reference import cards
from tests.sudden_death import (
    BATTLE,
    TIES,
    compare_picks,
    compare_picks_at_a_terminal,
    every_sudden_death,
    reveals,
)
from tests.watching import answers_of, in_order, watched
from tests.worlds import CARDS, LETTERS, NAMES, Leak, Tokens, dealt_anew, known, played, random_pairs, told

from digit_duel.cli import commands
from digit_duel.cli.records.save_file import Save
from digit_duel.core.game import Seat
from digit_duel.core.session import AnySession
from digit_duel.core.variant import AnyVariant
from digit_duel.games._battle import Battle

# A table's settings, as the program and as the second implementation name them.
TABLES: dict[str, tuple[dict[str, str], cards.Rules]] = {
    "by the book": ({}, {}),
    "must keep": ({"facing_full": "must_keep"}, {"facing_full": "must_keep"}),
    "one discard": ({"facing_full": "cap:1"}, {"facing_full": "cap:1"}),
    "alternate": ({"full_turn": "alternate"}, {"full_turn": "alternate"}),
    "one small deck": (
        {"deck": "persistent", "pool": "0-4x2", "next_starter": "loser"},
        {"deck": "persistent", "pool": (0, 0, 1, 1, 2, 2, 3, 3, 4, 4), "starter": "loser"},
    ),
    "two in hand": (
        {"hand_size": "2", "pool": "0-2x2", "wins_needed": "1"},
        {"hand_size": 2, "pool": (0, 0, 1, 1, 2, 2), "wins_needed": 1},
    ),
}
TOY, TOY_RULES = TABLES["two in hand"]


def table(name: str) -> tuple[AnyVariant, cards.Rules]:
    settings, rules = TABLES[name]
    return CARDS.customised(settings), rules


# What a seat may know.


def test_a_seat_knows_its_own_draws_all_gifts_all_discards_and_all_reveals() -> None:
    game = ["d7", "k", "d2", "g", "d9", "k", "d5", "k", "d6", "g", "d1", "k", "d8", "k", "a972"]
    assert " ".join(known(game, "a", {})) == "d7 k d2 g d9 k d? k d6 g d? k d? k a972"
    assert " ".join(known(game, "b", {})) == "d? k d2 g d? k d5 k d6 g d1 k d8 k a?"
    assert " ".join(known([*game, "b851"], "b", {})) == "d? k d2 g d? k d5 k d6 g d1 k d8 k a972 b851"
    assert " ".join(known([*game, "b851", "d3"], "a", {})).endswith("a972 b851 d?")


def test_another_world_is_dealt_from_what_the_seat_has_not_seen() -> None:
    game = ["d7", "k", "d2", "g", "d9", "k", "d5", "k", "d1"]
    found = {" ".join(dealt_anew(game, "a", {}, Random(n)) or ()) for n in range(2000)}
    assert len(found) == 99  # any two digits for Ben's two cards, but for those he has
    assert all(re.fullmatch(r"d7 k d2 g d9 k d\d k d\d", world) for world in found)


def test_worlds_of_finished_rounds_differ_in_the_order_of_the_draws_only() -> None:
    game = ["d7", "k", "d2", "g", "d9", "k", "d5", "k", "d1", "k", "d8", "k", "a972", "b851", "d4"]
    found = {" ".join(dealt_anew(game, "b", {}, Random(n)) or game) for n in range(50)}
    assert found - {" ".join(game)} == {"d9 k d2 g d7 k d5 k d1 k d8 k a972 b851 d4"}


# Random worlds of cards.


@pytest.mark.parametrize(
    ("name", "pairs"),
    [(name, 1000 if name == "by the book" else 200) for name in TABLES],
)
def test_two_thousand_pairs_of_worlds_look_alike_to_rules_script_and_terminal(name: str, pairs: int) -> None:
    assert sweep(*table(name), pairs, f"quick {name}") >= pairs


@pytest.mark.campaign
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "pairs"),
    [(name, 10_000 if name == "by the book" else 2000) for name in TABLES],
)
def test_twenty_thousand_pairs_of_worlds_look_alike_too(name: str, pairs: int) -> None:
    assert sweep(*table(name), pairs, f"slow {name}", longest=24) >= pairs


# Every world of a small deck.


def every_game(variant: AnyVariant, rules: cards.Rules, plies: int) -> Iterator[tuple[Tokens, AnySession]]:
    """All beginnings of all games up to a length, each with its session."""
    begun: list[Tokens] = [[]]
    while begun:
        tokens = begun.pop()
        yield tokens, played(variant, tokens)
        if len(tokens) < plies:
            begun += [[*tokens, token] for token in cards.trace(tokens, **rules)[-1].legal()]


def compare_every_game(variant: AnyVariant, rules: cards.Rules, plies: int) -> tuple[int, int]:
    """Compare all worlds that a seat cannot tell apart; how many beginnings, and how many sights."""
    first: dict[tuple[Seat, tuple[str, ...]], tuple[int, Tokens]] = {}
    count = 0
    for tokens, session in every_game(variant, rules, plies):
        count += 1
        for seat in Seat:
            sight = known(tokens, LETTERS[seat], rules)
            shown = hash(tuple(told(session, seat, Random(" ".join(sight)))))
            earlier, example = first.setdefault((seat, sight), (shown, tokens))
            if earlier != shown:
                raise Leak(f"{NAMES[seat]} can tell {tokens} from {example}")
    return count, len(first)


def test_every_round_of_a_small_deck_looks_alike_in_all_its_worlds() -> None:
    variant = CARDS.customised({**TOY, "facing_full": "must_keep"})
    # 4192 beginnings, which two seats would tell apart as 8384 if they saw everything.
    assert compare_every_game(variant, {**TOY_RULES, "facing_full": "must_keep"}, 10) == (4192, 4858)


@pytest.mark.slow
def test_every_game_of_a_small_deck_looks_alike_in_all_its_worlds_up_to_thirteen_moves() -> None:
    assert compare_every_game(CARDS.customised(TOY), TOY_RULES, 13)[0] == 26_284


@pytest.mark.slow
@pytest.mark.parametrize("tty", [False, True], ids=["piped", "screen"])
def test_every_round_of_a_small_deck_shows_the_same_on_the_terminal_in_all_its_worlds(tty: bool) -> None:
    variant = CARDS.customised({**TOY, "facing_full": "must_keep"})
    rules: cards.Rules = {**TOY_RULES, "facing_full": "must_keep"}
    first: dict[tuple[Seat, tuple[str, ...]], list[str]] = {}
    runs = 0
    for tokens, session in every_game(variant, rules, 10):
        if variant.game.chance(session.state) or not in_order(tokens):
            continue
        for seat in Seat:
            answers = answers_of(session, tokens, Random("words"))
            seen = watched(variant, tokens, answers, seat, "small deck", tty).seen[NAMES[seat]]
            sight = known(tokens, LETTERS[seat], rules)
            same(first.setdefault((seat, sight), seen), seen, f"{tokens} shown to {NAMES[seat]}")
            runs += 1
    assert (runs, len(first)) == (4482, 2410)


# Sudden death.


def test_a_sealed_digit_changes_nothing_that_the_other_seat_is_shown() -> None:
    compare_picks(BATTLE, [*TIES, *reveals(TIES[2]), *reveals(TIES[-1])])


@pytest.mark.slow
def test_a_sealed_digit_changes_nothing_in_any_state_of_sudden_death() -> None:
    states = every_sudden_death()
    assert len(states) == 19_022
    compare_picks(BATTLE, states)


@pytest.mark.parametrize("tty", [False, True], ids=["piped", "typed"])
def test_all_pairs_of_secret_digits_look_alike_at_the_keyboard_until_both_are_open(tty: bool) -> None:
    compare_picks_at_a_terminal(Battle(), tty)


# Records, lists and the end of a game.


# What one can ask about a game that is saved; NAME and SEAT stand for the game and the one who asks.
OUTLETS = {
    "games": ["games"],
    "export": ["export 1", "export 1 --seat SEAT"],
    "replay": ["replay 1 --plain"],
    "review": ["review 1", "review 1 --seat SEAT", "review 1 --seat SEAT --json"],
    "analyze": ["analyze NAME FILE", "analyze NAME FILE --seat SEAT", "analyze NAME FILE --seat SEAT --json"],
}
ELSEWHERE = {"play", "resume"}  # in the terminals, above and below
SPEAKS_OF_NO_GAME = {"rules", "solve", "serve", "completion", "learn", "lab", "research"}
# Of a server's database, for its operator; they name games by id and tell nothing of what is in them.
OF_A_SERVER = {"backup", "restore", "check", "rotate-key"}
OF_FINISHED_GAMES = {"verify"}  # a record that is not over is refused: tests/terminal/test_verify.py


def asked(home: Path, session: AnySession, seat: Seat, command: str) -> list[str]:
    """What a command says about a saved game, its exit code, and its excuse."""
    save = Save(home / "20260101-000000-abcdef.duel")
    save.write(session.record())
    said = []
    for line in OUTLETS[command]:
        words = {"SEAT": seat.name.lower(), "NAME": session.variant.id, "FILE": str(save.path)}
        result = CliRunner().invoke(commands.main, [words.get(word, word) for word in line.split()])
        said += [line, result.output, str(result.exit_code), repr(result.exception)]
    return said


def test_every_command_is_known_to_these_tests() -> None:
    # A new command that can be asked about a saved game belongs into OUTLETS.
    known = {*OUTLETS, *ELSEWHERE, *SPEAKS_OF_NO_GAME, *OF_FINISHED_GAMES, *OF_A_SERVER}
    assert set(commands.main.commands) == known


@pytest.mark.parametrize("command", OUTLETS)
def test_a_command_says_the_same_about_a_saved_game_of_cards_in_both_worlds(command: str, home: Path) -> None:
    for seat, tokens, world in random_pairs(12 if command == "analyze" else 40, command):
        said = []
        for number, each in enumerate((tokens, world)):
            session = played(CARDS, each)
            if session.outcome is None:  # afterwards everything may be read
                # SAFETY C6: who has the seed has the deck, so other worlds have other seeds.
                session.headers = {"Date": "2026-01-01", "Seed": f"867530{number}"}
                said.append(asked(home, session, seat, command))
        if said:
            same(said[0], said[1], f"{tokens} asked by {NAMES[seat]}")


@pytest.mark.parametrize("command", OUTLETS)
def test_a_command_does_not_tell_a_sealed_digit_of_a_saved_sudden_death(command: str, home: Path) -> None:
    said = []
    for digit in range(1, 6):
        tokens = ["+6", "+4", "+5", "+2", "x8", "x7", "x1", "x9", "x3", f"a{digit}"]
        said.append(asked(home, played(BATTLE, tokens), Seat.SECOND, command))
        same(said[0], said[-1], "a sealed digit")


def test_a_game_that_is_given_up_shows_nobodys_hand() -> None:
    for number, (seat, tokens, world) in enumerate(random_pairs(60, "resign")):
        if not in_order(tokens):
            continue
        seen = []
        for each in (tokens, world):
            answers = answers_of(played(CARDS, each), each, Random("words"))
            given_up = [*answers, ("whoever it is", "resign"), ("the same one", "yes")]
            glass = watched(CARDS, each, given_up, seat, "resign", tty=number % 2 == 0)
            seen.append(glass.seen[NAMES[seat]])
        same(seen[0], seen[1], f"{tokens} given up, shown to {NAMES[seat]}")
