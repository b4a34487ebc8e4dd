"""Worlds that differ only in what a seat may not know show that seat the same bytes, at every step.

SAFETY, table C. The harness is worlds.py; leaks planted into rules, script and terminal show that it works.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from click.testing import CliRunner
from tests import worlds
from tests.reference import cards
from tests.worlds import NAMES, Glass, Leak, Tokens, Typist, known, same, sweep, told, watched

from digit_duel import games
from digit_duel.cli import commands, prompt
from digit_duel.cli.duel import Duel
from digit_duel.cli.picture import draw
from digit_duel.cli.saves import Save
from digit_duel.cli.terminal import Terminal
from digit_duel.core.game import Game, NotAMove, Seat, excerpt
from digit_duel.core.script import Names, Question, Scene, Step
from digit_duel.core.session import Session
from digit_duel.core.variant import AnyVariant
from digit_duel.games._battle import Act, Battle, Fight, Secret
from digit_duel.games._battle_script import BattleScript
from digit_duel.games._cards import Cards
from digit_duel.games._cards_script import CardsScript
from digit_duel.games._cards_table import Deal, Sight, Table, To, Turn

CARDS = games.variant("cards")
BATTLE = games.variant("battle")

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
    found = {" ".join(worlds.dealt_anew(game, "a", {}, Random(n)) or ()) for n in range(2000)}
    assert len(found) == 99  # any two digits for Ben's two cards, but for those he has
    assert all(re.fullmatch(r"d7 k d2 g d9 k d\d k d\d", world) for world in found)


def test_worlds_of_finished_rounds_differ_in_the_order_of_the_draws_only() -> None:
    game = ["d7", "k", "d2", "g", "d9", "k", "d5", "k", "d1", "k", "d8", "k", "a972", "b851", "d4"]
    found = {" ".join(worlds.dealt_anew(game, "b", {}, Random(n)) or game) for n in range(50)}
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


def every_game(variant: AnyVariant, rules: cards.Rules, plies: int) -> Iterator[tuple[Tokens, Session]]:
    """All beginnings of all games up to a length, each with its session."""
    begun: list[Tokens] = [[]]
    while begun:
        tokens = begun.pop()
        yield tokens, worlds.played(variant, tokens)
        if len(tokens) < plies:
            begun += [[*tokens, token] for token in cards.trace(tokens, **rules)[-1].legal()]


def compare_every_game(variant: AnyVariant, rules: cards.Rules, plies: int) -> tuple[int, int]:
    """Compare all worlds that a seat cannot tell apart; how many beginnings, and how many sights."""
    first: dict[tuple[Seat, tuple[str, ...]], tuple[int, Tokens]] = {}
    count = 0
    for tokens, session in every_game(variant, rules, plies):
        count += 1
        for seat in Seat:
            sight = known(tokens, worlds.LETTERS[seat], rules)
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
        if variant.game.chance(session.state) or not worlds.in_order(tokens):
            continue
        for seat in Seat:
            answers = worlds.answers_of(session, tokens, Random("words"))
            seen = watched(variant, tokens, answers, seat, "small deck", tty).seen[NAMES[seat]]
            sight = known(tokens, worlds.LETTERS[seat], rules)
            same(first.setdefault((seat, sight), seen), seen, f"{tokens} shown to {NAMES[seat]}")
            runs += 1
    assert (runs, len(first)) == (4482, 2410)


# Sudden death.


TIES = [Fight((life, life), (), Seat.SECOND) for life in range(1, 21)]


def reveals(state: Fight) -> Iterator[Fight]:
    """What may come of a state of sudden death, as long as the game goes on."""
    game = Battle()
    for first in game.sudden:
        for second in game.sudden:
            after = game.play(game.play(state, Secret(Seat.FIRST, first)), Secret(Seat.SECOND, second))
            if game.outcome(after) is None:
                yield after


def every_sudden_death() -> list[Fight]:
    """Every state in which both have to choose, from every tie."""
    found = dict.fromkeys(TIES)
    for state in (waiting := list(found)):
        new = [after for after in reveals(state) if after not in found]
        found |= dict.fromkeys(new)
        waiting += new
    return waiting


def compare_picks(variant: AnyVariant, states: Sequence[Fight]) -> None:
    """Whatever one has chosen, the other is told the same, and so are both at an open table."""
    game, script = variant.game, variant.voice
    for state in states:
        for seat in Seat:
            shown = []
            for digit in game.sudden:
                move = Secret(seat.other, digit)
                step = Step(seat.other, move, state, game.play(state, move))
                session = Session(variant, NAMES, lambda draws, ply: draws[0][0])
                session.steps = [step]
                words = told(session, seat, Random(str(state)))
                shown.append([*words, script.narrate(step, None, NAMES)])
            for other in shown[1:]:
                same(shown[0], other, f"{state} told to {NAMES[seat]}")


def compare_picks_at_a_terminal(game: Battle, tty: bool, script: Any = BattleScript) -> None:
    """All 25 pairs of secret digits, with slips of the hand, look alike until they are open."""
    variant = replace(BATTLE, game=replace(game, pool=(1, 1)), script=script)
    shown, opened = [], []
    for first in game.sudden:
        for second in game.sudden:
            tokens = ["+1", "+1", f"a{first}", f"b{second}"]
            slips = [f"{d}{d}|a{d}|{d} {d}|{d}x|{d + 5}|{d}" for d in (first, second)]
            answers = [("Ann", "+1"), ("Ben", "+1"), ("Ann", slips[0]), ("Ben", slips[1])]
            seen = watched(variant, tokens, answers, Seat.SECOND, "sudden death", tty).seen
            assert seen["Ann"] == seen["Ben"]  # one screen for both: nothing else is hidden
            shown.append([text.split("Both digits are open:")[0] for text in seen["Ben"]])
            opened.append(f"Ann chose {first}.\nBen chose {second}.\n" in seen["Ben"][-1])
            same(shown[0], shown[-1], "sudden death at one keyboard")
    assert opened == [True] * 25  # it was played to the reveal


def test_a_sealed_digit_changes_nothing_that_the_other_seat_is_told() -> None:
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


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for saves, in memory where there is such a place: every move is synced."""
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with TemporaryDirectory(dir=memory) as folder:
        monkeypatch.setenv("DIGIT_DUEL_HOME", folder)
        yield Path(folder)


def random_pairs(count: int, seed: str) -> Iterator[tuple[Seat, Tokens, Tokens]]:
    rng = Random(seed)
    while count:
        tokens = worlds.random_tokens(rng, rng.randrange(2, 20), {})
        seat = rng.choice(tuple(Seat))
        if world := worlds.dealt_anew(tokens, worlds.LETTERS[seat], {}, rng):
            count -= 1
            yield seat, tokens, world


# What one can ask about a game that is saved; NAME and SEAT stand for the game and the one who asks.
OUTLETS = {
    "games": ["games"],
    "export": ["export 1", "export 1 --seat SEAT"],
    "replay": ["replay 1 --plain"],
    "review": ["review 1", "review 1 --seat SEAT", "review 1 --seat SEAT --json"],
    "analyze": ["analyze NAME FILE", "analyze NAME FILE --seat SEAT", "analyze NAME FILE --seat SEAT --json"],
}
ELSEWHERE = {"play", "resume"}  # in the terminals, above and below
SPEAKS_OF_NO_GAME = {"rules", "solve", "serve"}
OF_FINISHED_GAMES = {"verify"}  # a record that is not over is refused: tests/terminal/test_verify.py


def asked(home: Path, session: Session, seat: Seat, command: str) -> list[str]:
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
    assert set(commands.main.commands) == {*OUTLETS, *ELSEWHERE, *SPEAKS_OF_NO_GAME, *OF_FINISHED_GAMES}


@pytest.mark.parametrize("command", OUTLETS)
def test_a_command_says_the_same_about_a_saved_game_of_cards_in_both_worlds(command: str, home: Path) -> None:
    for seat, tokens, world in random_pairs(12 if command == "analyze" else 40, command):
        said = []
        for number, each in enumerate((tokens, world)):
            session = worlds.played(CARDS, each)
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
        said.append(asked(home, worlds.played(BATTLE, tokens), Seat.SECOND, command))
        same(said[0], said[-1], "a sealed digit")


def test_a_game_that_is_given_up_shows_nobodys_hand() -> None:
    for number, (seat, tokens, world) in enumerate(random_pairs(60, "resign")):
        if not worlds.in_order(tokens):
            continue
        seen = []
        for each in (tokens, world):
            answers = worlds.answers_of(worlds.played(CARDS, each), each, Random("words"))
            given_up = [*answers, ("whoever it is", "resign"), ("the same one", "yes")]
            glass = watched(CARDS, each, given_up, seat, "resign", tty=number % 2 == 0)
            seen.append(glass.seen[NAMES[seat]])
        same(seen[0], seen[1], f"{tokens} given up, shown to {NAMES[seat]}")


@pytest.mark.parametrize("look", ["", "--plain"], ids=["screen", "plain"])
def test_a_game_resumed_when_all_cards_happen_to_be_known_is_private_all_the_same(
    home: Path, look: str
) -> None:
    pexpect = pytest.importorskip("pexpect", reason="needs a pseudo-terminal")
    # Each gave the other its only card, so both know both hands; but the numbers are still laid out at once.
    variant = CARDS.customised({"hand_size": "1", "full_turn": "alternate"})
    Save(home / "20260101-000000-abcdef.duel").write(worlds.played(variant, ["d5", "g", "d3", "g"]).record())
    child = pexpect.spawn(f"{sys.executable} -m digit_duel resume {look}", env=environment(home), timeout=20)
    found = child.expect(["plain text cannot hide", "when only you can see the screen", "Enter your number"])
    child.close()
    assert found == (0 if look else 1)


# Planted leaks: each of them is found by what is used above.


class ShowsTheDrawnCard(Cards):
    def view(self, state: Table, seat: Seat) -> Sight:
        return replace(super().view(state, seat), drawn=state.drawn)


class ShowsTheOtherHand(Cards):
    def view(self, state: Table, seat: Seat) -> Sight:
        return replace(super().view(state, seat), hands=state.hands)


class RemembersTooMuch(Cards):
    def view(self, state: Table, seat: Seat) -> Sight:
        return replace(super().view(state, seat), memory=state.memory)


class ShowsTheNumberTooSoon(Cards):
    def view(self, state: Table, seat: Seat) -> Sight:
        return replace(super().view(state, seat), numbers=state.numbers)


class WeighsTheDeck(Cards):
    """The value of the cards in place of their number: not a digit in sight, and yet."""

    def view(self, state: Table, seat: Seat) -> Sight:
        return replace(super().view(state, seat), deck_size=sum(state.deck))


class WritesEverythingDown(Cards):
    def seen(self, path: Sequence[tuple[Table, Deal]], seat: Seat) -> Sequence[str]:
        return Game.seen(self, path, seat)


class WritesTheNumberDown(Cards):
    def seen(self, path: Sequence[tuple[Table, Deal]], seat: Seat) -> Sequence[str]:
        pairs = zip(super().seen(path, seat), Game.seen(self, path, seat), strict=True)
        return [full if masked.endswith("???") else masked for masked, full in pairs]


class ExplainsTooMuch(Cards):
    def parse(self, state: Table, seat: Seat, text: str) -> Deal:
        try:
            return super().parse(state, seat, text)
        except NotAMove:
            raise NotAMove(f"No. There are {state.deck.count(9)} nines left in the deck.") from None


class SortsByTheDeck(Cards):
    """The order of the legal moves tells whether the lowest card of the deck is even."""

    def legal(self, state: Table, seat: Seat) -> Sequence[Deal]:
        legal = super().legal(state, seat)
        return legal if sum(state.deck) % 2 == 0 else legal[::-1]


class NamesTheKeptDigit(CardsScript):
    def narrate(self, step: Step[Table, Deal], to: Seat | None, names: Names) -> str:
        news = super().narrate(step, to, names)
        return news.replace("keeps the card", f"keeps the {step.before.drawn}")


class NamesNothingButTheLength(CardsScript):
    """So many blanks at the end of a line as the kept digit says: nobody sees them."""

    def narrate(self, step: Step[Table, Deal], to: Seat | None, names: Names) -> str:
        event = step.after.memory[-1] if step.after.memory else None
        kept = isinstance(event, Turn) and event.to is To(event.seat) and event.digit
        return super().narrate(step, to, names) + " " * (kept or 0)


class RemembersTheTruth(CardsScript):
    """A picture drawn from what an earlier story was about."""

    truth: dict[str, Table] = {}  # noqa: RUF012  # the mistake itself

    def narrate(self, step: Step[Table, Deal], to: Seat | None, names: Names) -> str:
        self.truth["now"] = step.after
        return super().narrate(step, to, names)

    def scene(self, view: Sight) -> Scene:
        hands = self.truth["now"].hands if self.truth else ()
        return replace(super().scene(view), facts=(str(sum(map(sum, hands))),))


PLANTED: list[tuple[Any, Any]] = [
    (ShowsTheDrawnCard, CardsScript),
    (ShowsTheOtherHand, CardsScript),
    (RemembersTooMuch, CardsScript),
    (ShowsTheNumberTooSoon, CardsScript),
    (WeighsTheDeck, CardsScript),
    (WritesEverythingDown, CardsScript),
    (WritesTheNumberDown, CardsScript),
    (ExplainsTooMuch, CardsScript),
    (SortsByTheDeck, CardsScript),
    (Cards, NamesTheKeptDigit),
    (Cards, NamesNothingButTheLength),
    (Cards, RemembersTheTruth),
]


def planted_name(leak: tuple[Any, Any]) -> str:
    return str(next(part.__name__ for part in leak if part not in (Cards, CardsScript)))


@pytest.mark.parametrize("leak", PLANTED, ids=planted_name)
def test_a_leak_planted_into_cards_is_found(leak: tuple[Any, Any]) -> None:
    game, script = leak
    with pytest.raises((Leak, ValueError)):  # the coach itself refuses what no seat can know
        sweep(replace(CARDS, game=game(), script=script), {}, 500, "planted")


def never_wipes(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Terminal, "wipe", lambda terminal: None)


def never_hands_over(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Duel, "_hand_over", lambda duel, seat: None)


def thinks_that_nothing_is_hidden(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Duel, "hides", lambda duel: False)


def tells_the_movers_story_to_the_other(patch: pytest.MonkeyPatch) -> None:
    narrate = CardsScript.narrate
    patch.setattr(CardsScript, "narrate", lambda script, step, to, names: narrate(script, step, None, names))


def shows_the_wrong_board(patch: pytest.MonkeyPatch) -> None:
    command = prompt._command

    def wrong(word: str, terminal: Any, session: Session, seat: Seat, *rest: Any) -> None:
        command(word, terminal, session, seat.other if word == "board" else seat, *rest)

    patch.setattr(prompt, "_command", wrong)


def marks_what_the_other_saw(patch: pytest.MonkeyPatch) -> None:
    """A picture that remembers what was drawn before, whoever it was for."""

    def blotted(
        scene: Scene, names: Names, style: Any, size: Any, turn: Any = None, before: Any = None
    ) -> Any:
        blots = sum(map(ord, repr(shadow[-1:]))) % 5
        shadow.append(scene)
        return [*draw(scene, names, style, size, turn, before), "." * blots]

    shadow: list[Scene] = []
    patch.setattr("digit_duel.cli.duel.draw", blotted)


@pytest.mark.parametrize(
    "plant",
    [
        never_wipes,
        never_hands_over,
        thinks_that_nothing_is_hidden,
        tells_the_movers_story_to_the_other,
        shows_the_wrong_board,
        marks_what_the_other_saw,
    ],
)
def test_a_leak_planted_into_the_terminal_is_found(
    plant: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    with pytest.raises(Leak, match=r"shown to|told to"):
        sweep(CARDS, {}, 500, "planted")


class SealsNothing(Battle):
    def view(self, state: Fight, seat: Seat) -> Fight:
        return state


class WritesTheDigitDown(Battle):
    def seen(self, path: Sequence[tuple[Fight, Act]], seat: Seat) -> Sequence[str]:
        return Game.seen(self, path, seat)


class NamesTheDigit(BattleScript):
    def narrate(self, step: Step[Fight, Act], to: Seat | None, names: Names) -> str:
        news = super().narrate(step, to, names)
        return news.replace("Your digit is", f"Your {step.move.digit} is")


class AsksAloud(BattleScript):
    def questions(self, view: Fight, seat: Seat) -> Sequence[Question[Act]]:
        return [replace(question, secret=False) for question in super().questions(view, seat)]


@pytest.mark.parametrize(
    ("game", "script"),
    [(SealsNothing, BattleScript), (WritesTheDigitDown, BattleScript), (Battle, NamesTheDigit)],
)
def test_a_leak_planted_into_sudden_death_is_found(game: Any, script: Any) -> None:
    with pytest.raises(Leak):
        compare_picks(replace(BATTLE, game=game(), script=script), TIES)


@pytest.mark.parametrize("tty", [False, True], ids=["piped", "typed"])
def test_a_secret_that_is_typed_in_the_open_is_found(tty: bool) -> None:
    with pytest.raises(Leak, match="one keyboard"):
        compare_picks_at_a_terminal(Battle(), tty, AsksAloud)


def test_a_refusal_that_quotes_a_slip_of_the_hand_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prompt, "refusal", lambda *known: f"{excerpt(known[-1])} cannot be chosen.")
    with pytest.raises(Leak, match="one keyboard"):
        compare_picks_at_a_terminal(Battle(), tty=True)


# Real terminals.


def environment(home: Path) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "COLUMNS", "LINES")}
    return {**kept, "DIGIT_DUEL_HOME": str(home), "TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8"}


PROMPTS = r"\(yes/no\): |each digit once\): |can see the screen\. |to cover your hand\. "


def typed(home: Path, tokens: Tokens, seat: Seat, seed: str, screen: Any = None) -> list[str]:
    """What a person could read at a real pseudo-terminal, as the real command plays a world there."""
    pexpect = pytest.importorskip("pexpect", reason="needs a pseudo-terminal")
    draws = "".join(token[1] for token in tokens if token[0] == "d")
    answers = worlds.answers_of(worlds.played(CARDS, tokens), tokens, Random(seed))
    glass = Glass(tty=True)
    glass.echo = False  # the terminal itself sees to that
    people = Typist(glass, answers, NAMES[seat], seed)
    child = pexpect.spawn(
        sys.executable,
        ["-m", "digit_duel", "play", "cards", "--names", *NAMES, "--draws", draws, "--seed", "1"],
        env=environment(home),
        dimensions=(24, 80),
        encoding="utf-8",
        timeout=20,
    )
    child.delaybeforesend, child.ptyproc.delayafterclose = None, 0
    while child.expect([PROMPTS, pexpect.EOF]) == 0:
        text = child.before + child.after
        glass.write(text.replace("\r\n", "\n"))
        if screen is not None:
            screen(text)
        child.send(people.readline() or "quit\n")
    glass.write(child.before.replace("\r\n", "\n"))
    glass.read_now()
    child.close()
    assert child.exitstatus == 0
    return glass.seen[NAMES[seat]]


def compare_typed(home: Path, pairs: int, seed: str) -> None:
    for number, (seat, tokens, world) in enumerate(random_pairs(pairs, seed)):
        if worlds.in_order(tokens):
            shown = [typed(home, each, seat, f"{seed}/{number}") for each in (tokens, world)]
            same(shown[0], shown[1], f"{tokens} shown to {NAMES[seat]}")


def test_worlds_look_alike_on_a_real_pseudo_terminal(home: Path) -> None:
    compare_typed(home, 5, "quick typed")


@pytest.mark.slow
def test_forty_more_pairs_of_worlds_look_alike_on_a_real_pseudo_terminal(home: Path) -> None:
    compare_typed(home, 40, "slow typed")


def test_a_hand_over_leaves_nothing_else_on_the_screen(home: Path) -> None:
    pyte = pytest.importorskip("pyte")
    screen = pyte.Screen(80, 24)
    stream = pyte.Stream(screen)
    shown: list[list[str]] = []

    def look(text: str) -> None:
        stream.feed(text)
        shown.append([line.rstrip() for line in screen.display if line.strip()])

    typed(
        home, "d9 k d4 g d8 k d6 k d1 k d7 k a989".replace("a989", "a984").split(), Seat.SECOND, "look", look
    )
    covered = [lines for lines in shown if lines[0].startswith("Pass the keyboard")]
    assert covered == [
        [f"Pass the keyboard to {name}.", f"{name}, press Enter when only you can see the screen."]
        for name in ("Ann", "Ben", "Ann", "Ben", "Ann", "Ben")
    ]


def test_two_people_who_type_into_a_pipe_are_told_that_it_cannot_hide_a_hand(home: Path) -> None:
    pexpect = pytest.importorskip("pexpect", reason="needs a pseudo-terminal")
    # What goes through tee ends up on the screen that both look at.
    command = f"{sys.executable} -m digit_duel play cards | cat"
    child = pexpect.spawn("/bin/sh", ["-c", command], env=environment(home), timeout=20)
    found = child.expect(["plain text cannot hide one player's hand", "You draw a"])
    child.close()
    assert found == 0


class Tmux:
    """A real terminal emulator, with a history that can be scrolled back to."""

    def __init__(self, home: Path, *args: str, planted: str = "") -> None:
        self._call = ["tmux", "-S", f"{home}/tmux-{time.monotonic_ns()}", "-f", "/dev/null"]
        settings = [f"DIGIT_DUEL_HOME={home}", "PYTHONIOENCODING=utf-8"]
        leaky = f"from digit_duel.cli import main, terminal; terminal.{planted}; main()"
        program = ["-c", leaky] if planted else ["-m", "digit_duel"]
        command = ["env", *settings, sys.executable, *program, *args]
        self._run("new-session", "-d", "-x", "80", "-y", "24", *command, ";", "set", "remain-on-exit", "on")

    def _run(self, *args: str) -> str:
        return subprocess.run([*self._call, *args], check=True, capture_output=True, text=True).stdout

    def type(self, line: str) -> None:
        self._run("send-keys", "-l", line)
        self._run("send-keys", "Enter")

    def everything(self) -> str:
        """The screen and all that was scrolled away, with the screen behind a private one."""
        behind = self._run("capture-pane", "-p", "-q", "-a", "-S", "-")
        return behind + self._run("capture-pane", "-p", "-S", "-")

    def shows(self, text: str) -> str:
        """Wait for a text at the end of the screen; all there is to see then."""
        return self._wait(lambda screen: screen.rstrip().endswith(text))

    def left(self) -> str:
        """Wait for the program's last words; all there is to see then."""
        return self._wait(lambda screen: "digit-duel resume" in screen).split("Pane is dead")[0]

    def _wait(self, happened: Callable[[str], bool]) -> str:
        for _ in range(400):
            if happened(self._run("capture-pane", "-p")):
                return self.everything()
            time.sleep(0.05)
        raise AssertionError(self.everything())

    def close(self) -> None:
        subprocess.run([*self._call, "kill-server"], check=False, capture_output=True)


@pytest.fixture
def tmux(home: Path) -> Iterator[Callable[..., Tmux]]:
    if not shutil.which("tmux"):
        pytest.skip("needs tmux")
    opened: list[Tmux] = []

    def open_one(*args: str, planted: str = "") -> Tmux:
        opened.append(Tmux(home, *args, planted=planted))
        return opened[-1]

    yield open_one
    for one in opened:
        one.close()


def left_by_anns_nine(pane: Tmux) -> Iterator[str]:
    """All that can be seen or scrolled back to when Ann, who has kept a 9, is no longer at the keyboard."""
    pane.shows("press Enter when only you can see the screen.")
    pane.type("")
    assert "9" in pane.shows("(yes/no):")
    for _ in range(4):  # until the card has scrolled away
        pane.type("help")
        pane.shows("(yes/no):")
    pane.type("yes")
    assert "Your hand: [9]" in pane.shows("Press Enter to cover your hand.")
    pane.type("")
    yield pane.shows("press Enter when only you can see the screen.")
    pane.type("")
    yield pane.shows("(yes/no):")
    pane.type("no")
    yield pane.shows("Press Enter to cover your hand.")
    pane.type("quit")
    yield pane.left()


def test_nothing_of_a_hand_is_left_on_the_screen_or_in_the_scrollback(tmux: Callable[..., Tmux]) -> None:
    seen = list(left_by_anns_nine(tmux("play", "cards", "--names", *NAMES, "--draws", "9467")))
    assert re.search(r"drawn +4\n", seen[1])
    assert not any("9" in text for text in seen)


def test_a_screen_that_can_be_scrolled_back_is_found(tmux: Callable[..., Tmux]) -> None:
    pane = tmux(
        "play", "cards", "--names", *NAMES, "--draws", "9467", planted="_ALTERNATE = terminal._MAIN = ''"
    )
    assert any("9" in text for text in left_by_anns_nine(pane))


def test_a_secret_digit_is_nowhere_to_be_seen_before_the_reveal(tmux: Callable[..., Tmux]) -> None:
    seen = []
    for digit in "35":
        pane = tmux("play", "battle", "--names", *NAMES, "--set", "pool=1-1x2")
        for line in ("+1", "+1"):
            pane.shows("Select a digit to use:")
            pane.type(line)
        pane.shows("and press Enter.")
        pane.type("")
        pane.shows("Choose a secret digit from 1 to 5:")
        pane.type(digit)
        pane.shows("Pass the keyboard to Ben, and press Enter.")
        pane.type("")
        seen.append(pane.shows("Choose a secret digit from 1 to 5:"))
        pane.type("1")
        assert f"Ann chose {digit}." in pane.shows("and press Enter.")
        pane.close()
    assert seen[0] == seen[1]
