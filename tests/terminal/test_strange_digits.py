"""SAFETY D1, D2 and D6, ruling A4: what looks like a digit or a letter but is none, at every prompt."""

from __future__ import annotations

import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from tests.terminal.console import inside, run
from tests.terminal.walks import GAMES, NAMES, walk
from tests.watching import SavesNothing

from digit_duel import games
from digit_duel.cli.play.local_turn import LocalTurn
from digit_duel.cli.play.prompt import ask_move
from digit_duel.cli.screen.terminal import Terminal
from digit_duel.core.answers import fit, one_line
from digit_duel.core.game import Refused, Seat
from digit_duel.core.options import BadOption, customise
from digit_duel.core.record import replay
from digit_duel.core.session import Session

# One lookalike in so many: searching cards' thousand numbers for what was meant takes time.
PASSES = [
    *((game, 1) for game in ("classic", "reverse", "sabotage", "battle")), ("cards", 100),
    pytest.param("cards", 1, marks=pytest.mark.campaign),
]  # fmt: skip
PROMPT_PASSES = [(game, 20) for game in GAMES] + [
    pytest.param(game, 1, marks=pytest.mark.campaign) for game in GAMES
]
LOOKALIKES = [c for c in map(chr, range(sys.maxunicode + 1)) if c.isdigit() and not c.isascii()]
ODDITIES = [
    "1_0", "+3", "-3", "0x3", "3.0", "-0", "3e0", "3,", "03", "003", "(3)", "__", "''", "0o1", "1j",
    "\u00b3", "\u0663", "\uff13", "\U0001d7d1", "\u07c3", "\u096f", "3 3 3 3", "3\x00", "\x003", "3\u200b",
    "\ufeff3", "3\u00a0", "3" * 5000, "1" * 1000,
]  # fmt: skip
# Long s, the Kelvin sign, i with and without dots, full width and Cyrillic letters, joiners, ligatures.
TRAPS = [
    "\u017f", "\u212a", "\u0130", "\u0131", "\uff48", "\u04bb", "hundred\u017f", "ten\u017f", "t\u0435ns",
    "\u043enes", "keep\u0301", "\u212aeep", "\uff39\uff25\uff33", "ye\u017f", "attac\u212a", "un\u0131ts",
    "thou\u017fands", "\ufb01", "h\u200d",
]  # fmt: skip


def positions(game: str) -> list[tuple[Any, Seat]]:
    """States of a whole game in which somebody is asked: the first few of every kind of question."""
    rules, script = games.variant(game).game, games.variant(game).voice
    found: dict[tuple[str, ...], list[tuple[Any, Seat]]] = {}
    for step in replay(rules, walk(game).record):
        for seat in rules.acting(step.before):
            questions = script.questions(rules.view(step.before, seat), seat)
            kind = tuple(question.prompt(rules.legal(step.before, seat)[0]) for question in questions)
            found.setdefault(kind, []).append((step.before, seat))
    return [one for kind in found.values() for one in (kind[:1] if game == "cards" else kind[:2])]


def test_there_are_788_lookalikes_in_the_unicode_of_python_3_11_and_none_is_ascii() -> None:
    assert len([c for c in map(chr, range(sys.maxunicode + 1)) if c.isdigit()]) >= 788
    assert len(LOOKALIKES) >= 778
    assert {"\u0663", "\u00b2", "\U0001d7d7"} <= {*LOOKALIKES}


@pytest.mark.parametrize(("game", "one_in"), PASSES)
def test_no_lookalike_answers_any_question_or_names_any_move(game: str, one_in: int) -> None:
    variant = games.variant(game)
    script, rules = variant.voice, variant.game
    for state, seat in positions(game):
        legal = tuple(rules.legal(state, seat))
        texts = [rules.text(move) for move in (legal[0], legal[-1])]
        for question in script.questions(rules.view(state, seat), seat):
            for strange in [*LOOKALIKES, *TRAPS]:
                assert fit(question, legal, strange).moves == ()
        for strange in LOOKALIKES[::one_in]:
            written = {"".join(strange if c.isdigit() else c for c in text) for text in texts}
            for text in {strange, *written}.difference(texts):
                with pytest.raises(Refused):
                    rules.parse(state, seat, text)


@pytest.mark.parametrize("game", GAMES)
def test_notation_and_one_line_answers_refuse_every_number_oddity(game: str) -> None:
    variant = games.variant(game)
    for state, seat in positions(game):
        proper = {variant.game.text(move) for move in variant.game.legal(state, seat)}
        padded = [change.format(text) for text in proper for change in (" {}", "{}\n", "{}\t", "{}\x00")]
        for strange in {*ODDITIES, *TRAPS, *padded}.difference(proper):  # battle's own +3 is one
            with pytest.raises(Refused) as refused:
                variant.game.parse(state, seat, strange)
            assert len(str(refused.value)) < 300
            assert str(refused.value).isprintable()
            if strange.strip() not in proper:
                with pytest.raises(Refused):
                    one_line(variant.voice, state, seat, f"{strange} {strange}")


@pytest.mark.parametrize(("game", "one_in"), PROMPT_PASSES)
def test_every_prompt_asks_again_after_each_lookalike_oddity_and_trap(game: str, one_in: int) -> None:
    for state, seat in positions(game):
        session = Session(games.variant(game), NAMES, lambda draws, ply: draws[0][0])
        session.steps = []
        session._start = state  # the position as it is, whatever came before
        legal = session.game.legal(state, seat)
        questions = session.variant.voice.questions(session.view(seat), seat)
        odd = [o for o in ODDITIES if not (game == "battle" and o == "+3")]  # which is a move there
        strange = [*LOOKALIKES[::one_in], *odd, *TRAPS]
        typed = StringIO("".join(
            "".join(f"{text}\n" for text in strange) + question.answers(legal[-1])[0] + "\n"
            for question in questions
        ))  # fmt: skip
        shown = StringIO()
        terminal = Terminal(typed, shown)
        move = ask_move(terminal, LocalTurn(terminal, session, seat, SavesNothing(), two_people=True))
        assert move == legal[-1]
        asked = sum(shown.getvalue().count(question.prompt(legal[-1])) for question in questions)
        assert asked >= len(strange) * len(questions), "each one is asked again"


def test_the_command_asks_again_each_time_and_then_takes_the_real_digit(tmp_path: Path) -> None:
    first, second = walk("classic").asked[:2]
    typed = "".join(f"{c}\n" for c in LOOKALIKES) + f"{first.answer}\n{second.answer}\n"
    done = run(tmp_path, *walk("classic").args, typed=typed)
    assert done.code == 3
    assert done.text.count(first.prompt) == len(LOOKALIKES) + 2  # and once for the next player


@pytest.mark.parametrize("blanks", [" {}", "{} ", "\t{}\t", "  {}  "])
def test_blanks_around_an_answer_are_forgiven_at_the_prompt(blanks: str, tmp_path: Path) -> None:
    done = inside(tmp_path, "play", "classic", typed=f"{blanks.format('9')}\n{blanks.format('h')}\n")
    assert "Player 1's Number: [9][ ][ ]" in done.text


@pytest.mark.parametrize(
    ("game", "option", "value"),
    [
        ("cards", "full_turn", "s\u212aip"),
        ("cards", "facing_full", "must_\u212aeep"),
        ("cards", "facing_full", "cap:\u0663"),
        ("cards", "hand_size", "\uff13"),
        ("cards", "pool", "0-\uff19x4"),
        ("classic", "places", "\u00b2"),
        ("classic", "goal", "h\u0131gh"),
        ("classic", "goal", "h\u0130gh"),
        ("battle", "start_life", "1_0"),
        ("battle", "start_life", "+10"),
        ("battle", "start_life", " 10"),
        ("battle", "standoff_limit", "n\u03bfne"),
        ("battle", "sudden", "1-\u0665"),
        ("battle", "pool", "1-9x\u00b2"),
    ],
)
def test_options_take_only_ascii_words_and_digits(game: str, option: str, value: str) -> None:
    with pytest.raises(BadOption):
        customise(games.variant(game).game, {option: value})


@pytest.mark.parametrize(
    "number", ["\u0663", "\uff13", "1_0", "+3", " 3", "3 ", "0x3", "3.0", "-0", "\u00b3", "1e1", ""]
)
@pytest.mark.parametrize(
    "line",
    [
        "play classic --seed", "play classic --match", "play classic --first-to", "resume",
        "games --delete", "replay nowhere --game", "export nowhere --game",
    ],
)  # fmt: skip
def test_numbers_on_the_command_line_are_ascii_digits_and_nothing_else(
    line: str, number: str, tmp_path: Path
) -> None:
    done = inside(tmp_path, *line.split(), number)
    assert done.code == 2
    assert done.error.strip()
