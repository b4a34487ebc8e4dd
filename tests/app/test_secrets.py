"""Two people at one screen: nobody sees what is the other's, and nothing is left of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from tests.app.driving import Visitor, visit
from tests.comparing import same
from tests.watching import in_order
from tests.worlds import CARDS, NAMES, Tokens, random_pairs

from digit_duel import games
from digit_duel.cli.app.drawing.canvas import Canvas
from digit_duel.cli.app.drawing.table import draw_table
from digit_duel.cli.app.state.local import LocalTable
from digit_duel.cli.app.state.table import Phase
from digit_duel.cli.play.plan import Plan
from digit_duel.cli.records.save_file import new_save
from digit_duel.core.game import Seat
from digit_duel.core.session import Session


def drawn(table: LocalTable, size: tuple[int, int], notation: bool) -> str:
    """The screen as text, with every place that can be chosen."""
    canvas = Canvas(*size)
    draw_table(table.view(notation), canvas)
    return f"{canvas.text}\n{[target.action for target in canvas.targets]}"


def seen_by(seat: Seat, tokens: Tokens, size: tuple[int, int], notation: bool) -> list[str]:
    """Every screen that one of two people can see while the moves of a world are made."""

    def deal(draws: Sequence[tuple[Any, int]], ply: int) -> Any:
        wanted = tokens[ply] if ply < len(tokens) else CARDS.game.text(draws[0][0])
        return next(move for move, _ in draws if CARDS.game.text(move) == wanted)

    table = LocalTable(Plan(CARDS, NAMES), Session(CARDS, NAMES, deal), new_save())
    table.open()
    shown = []
    while len(table.session.steps) <= len(tokens):
        public = table.phase in (Phase.COVER, Phase.REVEAL, Phase.OVER)
        if public or table.reader in (seat, None):
            shown.append(drawn(table, size, notation))
        if table.phase is Phase.OVER:
            break
        if table.phase is not Phase.TURN:
            table.go_on()
        elif len(table.session.steps) == len(tokens):
            break
        else:
            token = tokens[len(table.session.steps)]
            table.play(CARDS.game.parse(table.session.state, table.seat, token))
    table.close()
    return shown


@pytest.mark.parametrize(("size", "notation"), [((80, 24), False), ((140, 45), False), ((140, 45), True)])
def test_worlds_that_look_alike_to_a_player_are_the_same_on_the_screen(
    size: tuple[int, int], notation: bool
) -> None:
    compared = 0
    for seat, tokens, world in random_pairs(12, f"app {size} {notation}"):
        if in_order(tokens) and in_order(world):
            shown = [seen_by(seat, each, size, notation) for each in (tokens, world)]
            same(shown[0], shown[1], f"{tokens} shown to {NAMES[seat]}")
            compared += len(shown[0])
    assert compared > 40


def test_a_resigned_game_shows_the_hands_to_nobody() -> None:
    plan = Plan(CARDS, NAMES)
    screens = []
    for cards in ("5724", "5124"):  # the second card is Ben's
        table = LocalTable(plan, _dealt(cards), new_save())
        table.open()
        for _ in range(2):
            while table.phase is not Phase.TURN:
                table.go_on()
            table.play(CARDS.game.parse(table.session.state, table.seat, "k"))
        while table.phase is not Phase.TURN:
            table.go_on()
        table.resign()
        screens.append(drawn(table, (140, 45), notation=False))
        table.close()
    assert screens[0] == screens[1]
    assert "Ann resigns. Ben wins!" in screens[0]
    assert not any(digit in screens[0].split("\n", 1)[1] for digit in "57")


def _dealt(cards: str) -> Session[Any, Any, Any]:
    def deal(draws: Sequence[tuple[Any, int]], ply: int) -> Any:
        wanted = f"d{cards[ply // 2]}"
        return next(move for move, _ in draws if CARDS.game.text(move) == wanted)

    return Session(CARDS, NAMES, deal)


def test_the_cover_shows_a_name_and_nothing_else() -> None:
    async def session(visitor: Visitor) -> None:
        covers = []
        for _ in range(3):
            shown = await visitor.sees("Pass the keyboard to")
            covers.append([line.strip(" ╔╗╚╝═║╭╮╰╯─│") for line in shown.split("\n")])
            await visitor.press("l")
            assert visitor.text == shown
            await visitor.press("enter")
            await visitor.sees("Do you want to keep it?")
            await visitor.press("k")
            await visitor.sees("Cover your hand")
            await visitor.press("enter")
        assert [list(filter(None, lines)) for lines in covers] == [
            [
                f"Pass the keyboard to {name}.",
                f"{name}, press Enter when only you can see the screen.",
                f"Enter  I am {name}",
            ]
            for name in ("Ann", "Ben", "Ann")
        ]

    visit(session, Plan(games.variant("cards"), ("Ann", "Ben"), draws=tuple("987654")), (140, 45))


def test_a_second_enter_after_the_cover_does_not_choose_a_secret_digit() -> None:
    async def session(visitor: Visitor) -> None:
        await visitor.press("1", "d", "1", "d")
        await visitor.press("enter", "enter")
        shown = await visitor.sees("Press one of the digits shown.", "Ann: Choose a secret digit")
        assert shown.split("\n")[-1].startswith(" Press a digit, or click it  ? keys")
        await visitor.press("right", "enter")
        await visitor.sees("Ann: Choose a secret digit")
        await visitor.press("x", "left", "enter")  # questions still have a cursor
        await visitor.sees("Ann resigns. Ben wins!")

    battle = games.variant("battle").customised({"pool": "1-1x2"})
    visit(session, Plan(battle, ("Ann", "Ben")))


def test_a_secret_digit_leaves_no_trace_before_the_reveal() -> None:
    """Whichever digit is chosen, and wherever the arrow keys went, the screen is the same."""
    seen = []

    async def session(visitor: Visitor) -> None:
        for _ in "ab":
            await visitor.press("1")
            await visitor.press("d")
        for wanted in ("Ann", "Ben"):
            await visitor.sees(f"Pass the keyboard to {wanted}.")
            await visitor.press("enter")
            await visitor.sees(f"{wanted}: Choose a secret digit from 1 to 5")
            if wanted == "Ann":
                await visitor.press("right")
            seen.append(visitor.text)
            if wanted == "Ann":
                await visitor.press(digits[len(seen) // 3])
        await visitor.press("1")
        await visitor.sees(f"Ann: {digits[len(seen) // 3]}, Ben: 1.")

    digits = "35"
    battle = games.variant("battle").customised({"pool": "1-1x2"})
    for _ in digits:
        visit(session, Plan(battle, ("Ann", "Ben")))
    assert seen[:2] == seen[2:]
