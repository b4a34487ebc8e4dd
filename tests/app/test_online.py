"""Games on a real server in the app: both seats, what can be asked of the other, and a server that dies."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from random import Random

import pytest
from tests.app.driving import Listener, Visitor, run, visit
from tests.terminal.console import Console
from tests.web.client import Client, seated
from tests.web.server import Server, free_port, running_server

from digit_duel import games
from digit_duel.cli.app.screens.online import OnlineScreen
from digit_duel.cli.app.screens.online_client import OnlineClient, connect
from digit_duel.cli.app.state import settings
from digit_duel.cli.app.state.online import OnlineTable
from digit_duel.cli.app.state.table import Phase
from digit_duel.cli.online import credentials
from digit_duel.cli.online.plan import OnlinePlan


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running_server(tmp_path_factory.mktemp("server"), claim_after=2.0) as found:
        yield found


def table_of(visitor: Visitor) -> OnlineTable:
    assert isinstance(visitor.app.screen, OnlineScreen)
    return visitor.app.screen.table


def sit_down(client: OnlineClient, then: Callable[[Visitor], Awaitable[None]]) -> Awaitable[None]:
    """Somebody at the app, in a task of their own, because each app has a context of its own."""

    async def session() -> None:
        app = Listener(lambda app: app.show(OnlineScreen(client, app.leave)))
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            visitor = Visitor(app, pilot)
            await then(visitor)
            if isinstance(app.screen, OnlineScreen):
                app.screen.close_table()

    return asyncio.create_task(session())


def play_alone(client: OnlineClient, then: Callable[[Visitor], Awaitable[None]]) -> None:
    async def session() -> None:
        await sit_down(client, then)

    run(session())


def play_together(
    clients: tuple[OnlineClient, OnlineClient],
    first: Callable[[Visitor], Awaitable[None]],
    second: Callable[[Visitor], Awaitable[None]],
) -> None:
    async def session() -> None:
        await asyncio.gather(sit_down(clients[0], first), sit_down(clients[1], second))

    run(session())


def two_clients(
    server: str, game: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[OnlineClient, OnlineClient]:
    """Ann, who invites, and Ben, who follows her link from another home."""
    monkeypatch.setenv("DIGIT_DUEL_HOME", str(home / "ann"))
    ann = connect(OnlinePlan(games.variant(game), server, None, True, None, "Ann"))
    monkeypatch.setenv("DIGIT_DUEL_HOME", str(home / "ben"))
    return ann, connect(OnlinePlan(None, None, join=ann.entered.link, name="Ben"))


def seat_of(person: Client, game: str, seat_name: str) -> OnlineClient:
    """The app in the seat of somebody who has a session already."""
    assert person.token is not None
    credentials.save(person.url, person.token)
    return connect(OnlinePlan(games.variant(seat_name), None, join=f"{person.url}/g/{game}"))


def test_two_people_play_take_back_set_a_clock_and_play_again(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clients = two_clients(server.url, "classic", tmp_path, monkeypatch)

    async def ann(visitor: Visitor) -> None:
        shown = await visitor.sees("Classic online", "Ann, your turn", "Choose a digit")
        assert shown.endswith("? keys  q leave  u take back  o clock  x resign"), "friends have no hints"
        await visitor.press("?")
        assert "hint" not in await visitor.sees("r    the rules", "u  ask to take back")
        await visitor.press("enter")
        await visitor.press("9", "1")
        await visitor.sees("Ben places 8 in their tens.")
        await visitor.sees("Your opponent wants to take a choice back. Do you agree?")
        await visitor.press("y")
        await visitor.sees("Ben places 8 in their hundreds.", "Ann, your turn")
        await visitor.press("o", "5", "enter")
        await visitor.sees("From now on each player has 5 minutes.", "4:5")
        await visitor.press("7", "2")  # places keep their numbers
        await visitor.sees("Ben places 6 in their tens.")
        await visitor.press("m", *"5a3", "enter")
        await visitor.sees("Ann wins", "975", "864", "Rematch")
        await visitor.press("n")
        await visitor.sees("Ben to move", "Waiting for Ben.")
        await visitor.press("x", "y")
        await visitor.sees("Ben wins")

    async def ben(visitor: Visitor) -> None:
        await visitor.sees("Ann places 9 in their hundreds.", "Ben, your turn")
        await visitor.press("8", "2")
        await visitor.sees("Waiting for Ann.")
        await visitor.press("u")
        await visitor.sees("Your move is taken back.", "Ben, your turn")
        await visitor.press("8", "1")
        await visitor.sees("Your opponent wants a clock, 5 minutes for each. Do you agree?")
        await visitor.press("y")
        await visitor.sees("Ann places 7 in their tens.", "Ben, your turn")
        await visitor.press("6", "2")
        await visitor.sees("Ann places 5 in their units.", "Ben, your turn")
        await visitor.press("4")
        await visitor.sees("★ Ann")  # the offer of a rematch may lie over the result already
        await visitor.sees("Your opponent wants to play again. Do you agree?")
        await visitor.press("y")
        await visitor.sees("Ben, your turn")  # seats change
        await visitor.sees("Ben wins")

    play_together(clients, ann, ben)


def test_a_killed_server_comes_back_and_nothing_is_lost_or_made_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = free_port()
    folder = tmp_path / "server"
    folder.mkdir()
    done, stored = asyncio.Event(), list[str]()

    async def on_their_own(visitor: Visitor) -> None:
        await visitor.sees("Ann places 9 in their hundreds.", "Ben, your turn")
        await visitor.press("8", "1")
        await visitor.sees("Ann places 7 in their tens.", "Ben, your turn")

    async def through_the_fall(visitor: Visitor) -> None:
        await visitor.sees("Ann, your turn")
        await visitor.press("9", "1")
        await visitor.sees("Ben places 8 in their hundreds.", "Ann, your turn")
        first.kill()
        await visitor.sees("The connection is lost. Reconnecting …")
        await visitor.press("7", "2")
        await visitor.sees("The connection is lost. Your move is kept. Reconnecting …")
        with running_server(folder, port=port) as second:
            await visitor.sees("Waiting for Ben.")
            while "7" not in table_of(visitor).moves[-1].text:
                await visitor.pilot.pause(0.02)
            assert "The connection is lost" not in visitor.text
            await asyncio.wait_for(done.wait(), 60)
            stored.extend(_moves(second, clients[0]))

    with running_server(folder, port=port) as first:
        clients = two_clients(first.url, "classic", tmp_path, monkeypatch)

        async def session() -> None:
            ben = sit_down(clients[1], on_their_own)
            ann = sit_down(clients[0], through_the_fall)
            await ben
            done.set()
            await ann

        run(session())
    assert stored == ["9a1", "8b1", "7a2"]


def _moves(server: Server, client: OnlineClient) -> list[str]:
    with Client(server.url, client.connection.token) as person:
        game = client.entered.view.game
        return [str(news["move"]) for news in person.look(game)["news"] if news["kind"] == "move"]


@pytest.mark.parametrize("game", ["classic", "reverse", "sabotage", "cards", "battle"])
def test_a_whole_game_against_the_computer_of_the_server(server: Server, game: str) -> None:
    rng = Random(3)
    client = connect(OnlinePlan(games.variant(game), server.url, None, False, "random", "Ann"))
    seen: list[Phase] = []

    async def session(visitor: Visitor) -> None:
        for _ in range(10_000):
            table = table_of(visitor)
            seen.append(table.phase)
            if table.phase is Phase.OVER:
                break
            if table.phase is Phase.TURN and table.choice is not None:
                await visitor.press(rng.choice([offer.key for offer in table.choice.offers if offer.key]))
            elif table.phase is Phase.REVEAL:
                await visitor.sees("Next round")
                await visitor.press("enter")
            else:
                await visitor.pilot.pause(0.01)
        await visitor.sees("★", "Rematch", "Review")
        for _ in range(3000):
            await visitor.press("v")
            if not isinstance(visitor.app.screen, OnlineScreen):
                break
            await visitor.pilot.pause(0.02)
        await visitor.sees(f"{game.capitalize()} · re")
        checked = "Checked: all cards and secrets are what the server sealed before the game."
        assert (checked in visitor.told) or game != "cards"

    play_alone(client, session)
    if game != "battle":  # which ends in sudden death, or not
        assert (Phase.REVEAL in seen) == (game == "cards")


def test_battle_on_a_server_tells_what_a_digit_would_do(server: Server) -> None:
    with Client(server.url) as ann, Client(server.url) as ben:
        game = seated(ann, ben, "battle")
        ann.move(game, "x7")
        client = seat_of(ben, game, "battle")

        async def session(visitor: Visitor) -> None:
            await visitor.sees("When digits run out, more life wins", "Anna  ▲ more life so far")
            await visitor.sees("With 1   attack: Anna 10 → 9   defend: you 3 → 4")
            await visitor.press("9")
            await visitor.sees("A  Attack: Anna 10 → 1", "D  Defend: you 3 → 12")

        play_alone(client, session)


def test_sudden_death_turns_both_digits_over_together_and_keeps_them_until_one_goes_on(
    server: Server,
) -> None:
    """Nine defences leave 20 points each; then 5 beats 3, and 4 beats 2: two points go there and back."""
    with Client(server.url) as ann, Client(server.url) as ben:
        game = seated(ann, ben, "battle")
        for digit in range(9, 0, -1):
            (ann if digit % 2 else ben).move(game, f"+{digit}")
        client = seat_of(ann, game, "battle")

        def digits(visitor: Visitor) -> list[int | None]:
            return [row.cells[0].digit for row in table_of(visitor).view().scene.rows]

        async def session(visitor: Visitor) -> None:
            await visitor.sees("Sudden Death", "Choose a secret digit from 1 to 5")
            ben.move(game, "b3")
            await visitor.sees("has sealed a digit.")
            assert digits(visitor) == [None, None]  # the other's lies face down
            await visitor.press("5")
            await visitor.sees("Next round", "★ Anna wins the round ★", "You: 5, Ben: 3.")
            assert digits(visitor) == [5, 3]
            ben.move(game, "b4")  # the server waits for nobody
            while table_of(visitor).game.version != ben.look(game)["version"]:
                await visitor.pilot.pause(0.02)
            await visitor.sees("Next round", "You: 5, Ben: 3. You now have 20 life points, Ben 18.")
            assert digits(visitor) == [5, 3]
            await visitor.press("enter")
            await visitor.sees("Choose a secret digit from 1 to 5", "has sealed a digit.")
            await visitor.press("2")
            await visitor.sees("Next round", "★ Ben wins the round ★", "You now have 18 life points, Ben 20.")
            assert digits(visitor) == [2, 4]
            await visitor.press("enter")
            ben.command(game, "resign")
            await visitor.sees("★ Anna")

        play_alone(client, session)


def test_a_game_is_claimed_from_one_who_stays_away(server: Server) -> None:
    with Client(server.url) as ann, Client(server.url) as ben:
        game = seated(ann, ben, "classic")
        ann.move(game, "9a1")
        client = seat_of(ann, game, "classic")

        async def session(visitor: Visitor) -> None:
            await visitor.sees("Ben is away. You can claim the game in 0:0")
            await visitor.sees("Ben keeps you waiting. You can claim the game.", "Claim the game")
            await visitor.press("c")
            await visitor.sees("wins")

        play_alone(client, session)
        assert ann.look(game)["result"]["winner"] == 0


def test_an_offer_can_be_declined_and_a_withdrawn_one_asks_no_longer(server: Server) -> None:
    with Client(server.url) as ann, Client(server.url) as ben:
        game = seated(ann, ben, "classic")
        ann.move(game, "9a1")
        client = seat_of(ann, game, "classic")

        async def session(visitor: Visitor) -> None:
            ben.command(game, "clock", minutes=3)
            await visitor.sees("Your opponent wants a clock, 3 minutes for each. Do you agree?")
            await visitor.press("n")
            await visitor.sees("You declined a clock.")
            ben.command(game, "clock", minutes=4)
            await visitor.sees("4 minutes for each")
            ben.command(game, "decline", what="clock")
            for _ in range(3000):
                if "Do you agree?" not in visitor.text:
                    break
                await visitor.pilot.pause(0.02)
            assert "Do you agree?" not in visitor.text
            ben.command(game, "resign")
            await visitor.sees("★")

        play_alone(client, session)


def test_the_first_screen_leads_to_a_server_and_back_to_the_game_there(server: Server) -> None:
    async def session(visitor: Visitor) -> None:
        await visitor.press("i")
        await visitor.sees("Play online", "Server", "Join a friend")
        await visitor.press("f")
        assert visitor.told[-1] == "Choose a server first."
        await visitor.press("enter", *server.url, "enter", "f")
        await visitor.sees("Send this link to a friend:", server.url, "Waiting for the other player.")
        await visitor.press("?")
        assert "resign" not in await visitor.sees("r    the rules", "q    leave; the server keeps the game")
        await visitor.press("enter")
        await visitor.sees("c copy link")
        await visitor.press("c")
        await visitor.sees("Copied, if your terminal")
        assert visitor.app.clipboard.startswith(f"{server.url}/j/")
        assert len(visitor.app.clipboard.partition("#")[2]) > 20
        await visitor.press("q")
        assert "To continue" not in await visitor.sees(
            "Continue your game there", "The server keeps the game."
        )
        await visitor.press("enter")
        await visitor.sees("Waiting for the other player.")
        await visitor.press("q")
        await visitor.press("c")
        await visitor.sees("Player 1, your turn", "careful computer", "q leave  h hint")
        await visitor.press("?")
        await visitor.sees("h  a hint")
        await visitor.press("enter", "h")
        await visitor.sees("Hint:")
        await visitor.press("enter")
        await visitor.press("x", "y")
        await visitor.sees("Computer wins")
        await visitor.press("q")
        await visitor.sees("Play online")
        assert "Continue your game there" not in visitor.text

    visit(session)
    assert settings.load().online_game == ""
    assert settings.load().server == server.url


def test_killed_on_a_real_terminal_the_app_returns_to_its_game(server: Server, tmp_path: Path) -> None:
    args = ("play", "classic", "--server", server.url, "--level", "random", "--name", "Ann")
    with Console(tmp_path, *args, full_screen=True) as console:
        console.expect("Choose a digit")
        console.type("9")
        console.expect("Where does the 9 go?")
        console.type("1")
        console.expect("Computer places")
        os.kill(console.process.pid, signal.SIGKILL)
        console.process.wait(60)
    assert settings.load().online_game.startswith(f"{server.url}/g/")
    link = settings.load().online_game
    with Console(tmp_path, "play", "--join", link, full_screen=True) as console:
        console.expect("Choose a digit")
        assert console.end_with("q") == 0
        assert "The server keeps the game. To continue: digit-duel play --join" in console.words
        assert console.echoes
