"""Worlds that differ only in what an observer may not know show the same bytes at every outlet of the server.

SAFETY, table C and figure R9. An outlet is a route of the routing table: status, headers, bodies and frames
are compared, their number and their order, and so are the log, the metrics and what a debugger prints. A seal
is replaced by a fixed token where a seal may stand, and only there. The leaks of test_injected_leaks.py show
that all this finds what it looks for.
"""

from __future__ import annotations

import asyncio
import json
import pickle
import re
from dataclasses import replace
from hashlib import sha256
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from tests.web.leaks.outlets import OUTLETS, routed
from tests.web.leaks.servers import Server
from tests.web.leaks.sweep import Tally, a_server, compare, sweep
from tests.web.leaks.telling import Shown, Telling
from tests.web.leaks.wire import ask
from tests.web.leaks.worlds import Story, story
from tests.worlds import Leak

from digit_duel.core.game import Seat
from digit_duel.web.app import routes
from digit_duel.web.http.pages import Page
from digit_duel.web.http.sessions import hashed
from digit_duel.web.play.online_game import OnlineGame

ROUND = ["d7", "k", "d2", "g", "d9", "k", "d5", "k", "d1", "k", "d8", "k", "a972", "b851", "d4"]
HAND = Story("hand", "cards", {}, Seat.SECOND, (tuple(ROUND[:7]), ("d3", *ROUND[1:7])), thorough=True)


def told(wanted: Story) -> Shown:
    """What the first world of a story shows."""

    async def run() -> Shown:
        async with a_server() as server:
            return await Telling(server, wanted, 0).run()

    return asyncio.run(run())


def compared(*wanted: Story) -> Tally:
    """Compare the worlds of some stories."""

    async def run() -> Tally:
        tally = Tally()
        async with a_server() as server:
            for each in wanted:
                await compare(server, each, tally)
        return tally

    return asyncio.run(run())


def answers(shown: Shown, asked: str) -> list[tuple[int, bytes]]:
    """The status and the body of every answer to a question."""
    found = [text for where, text in shown.told if where.startswith(asked)]
    assert found, asked
    statuses = [re.search(rb"\nstatus=([0-9]+)", text) for text in found]
    return [
        (int(status[1]), text.partition(b"\nbody=")[2])
        for status, text in zip(statuses, found, strict=True)
        if status
    ]


# The outlets.


def test_every_route_of_the_server_is_an_outlet_here() -> None:
    async def run() -> set[tuple[str, str]]:
        async with a_server() as server:
            return routed(routes(server.services, Page()))

    # A route that is missing here is one that nobody compares: say in outlets.py what can be asked of it.
    assert asyncio.run(run()) == set(OUTLETS)


def test_a_route_that_is_not_registered_is_noticed() -> None:
    async def debug(request: Request) -> Response:
        raise NotImplementedError

    assert routed([Route("/api/debug/{game}", debug)]) - set(OUTLETS) == {
        ("GET", "/api/debug/{game}"),
        ("HEAD", "/api/debug/{game}"),
    }


@pytest.mark.parametrize("sight", [Seat.SECOND, None], ids=["the opponent", "a stranger"])
def test_a_thorough_story_asks_at_every_outlet_and_is_answered_by_the_server_itself(
    sight: Seat | None,
) -> None:
    shown = told(replace(HAND, sight=sight))
    asked = [where for where, _ in shown.told]
    for method, path in OUTLETS:
        place = re.escape(path).replace(r"\{", "{").replace(r"\}", "}")
        place = re.sub(r"{[a-z:]+}", "[^/ ?]+", place)
        assert any(re.match(rf"[a-z]+: (line )?{method} {place}(\?| )", each) for each in asked), (
            method,
            path,
        )
    statuses = {int(status) for _, text in shown.told for status in re.findall(rb"\nstatus=([0-9]+)", text)}
    assert statuses <= {200, 201, 400, 403, 404, 405, 409}  # refused, perhaps, but never broken


# Random worlds.


@pytest.mark.parametrize("seed", ["one", "two"])
def test_three_thousand_pairs_of_worlds_look_alike(seed: str) -> None:
    """C1, C2, C3, C4, C5, C6, C7, C8, C9, C12, C13, C16, C17: every observer, at outlets chosen at random."""
    assert sweep(1500, f"quick {seed}").pairs >= 1500


@pytest.mark.campaign
@pytest.mark.slow
@pytest.mark.parametrize("seed", ["one", "two"])
def test_seventeen_thousand_pairs_more_look_alike(seed: str) -> None:
    """With the quick ones 20,000; benchmarks/leaks.py counts on to the figures of SAFETY R9."""
    assert sweep(8_500, f"slow {seed}").pairs >= 8_500


@pytest.mark.parametrize("kind", ["cards", "battle", "open"])
def test_worlds_look_alike_at_every_single_outlet(kind: str) -> None:
    """C1, C2, C3, C4, C5, C6, C7, C8, C9, C12: all outlets, methods and versions, in one story each."""
    assert sweep(9, f"thorough {kind}", thorough=True, most=3, kind=kind).pairs >= 9


def test_worlds_that_may_be_told_apart_are_told_apart() -> None:
    # The first card was Ann's: Ben cannot tell a 7 from a 3, but Ann can.
    assert compared(HAND).pairs == 1
    with pytest.raises(Leak):
        compared(replace(HAND, sight=Seat.FIRST))


def test_a_story_is_the_same_whenever_it_is_told() -> None:
    wanted = story("again", thorough=True)
    assert told(wanted).blanked() == told(wanted).blanked()


# Rows of table C, one by one.


def test_nothing_but_commitments_differs_between_worlds_of_a_seat() -> None:
    """C6: a seal is shown at once, its seed is not; replacing the seals is what makes two worlds equal."""
    shown = told(HAND)
    (deck,) = {
        seal for game, seal in shown.deck_seals.items() if any(game in where for where, _ in shown.told)
    }
    assert any(deck.encode() in text for _, text in shown.told)
    assert not any(deck.encode() in text for _, text in shown.blanked())


def test_before_the_end_there_is_no_whole_record_no_proof_and_no_review() -> None:
    """C4, C5: whoever asks."""
    for sight, who in ((Seat.SECOND, "player"), (None, "stranger")):
        shown = told(replace(HAND, sight=sight))
        for caller in (who, "nobody"):
            for what in ("proof", "review"):
                assert {
                    status for status, _ in answers(shown, f"{caller}: GET /api/games/{game(shown)}/{what}")
                } == {403}
        assert [status for status, _ in answers(shown, f"nobody: GET /api/games/{game(shown)}/record ")] == [
            403
        ]
    shown = told(HAND)
    ((status, record), *_) = answers(shown, f"player: GET /api/games/{game(shown)}/record ")
    assert (status, record.split(b"\n\n")[1].split(b"\n")[0]) == (200, b"1. d? k 2. d2 g 3. d? k 4. d5 *")


def game(shown: Shown) -> str:
    """The id of the game that a story is about."""
    return next(iter(shown.deck_seals))


def test_people_who_play_each_other_get_no_hints() -> None:
    """C5: neither for their own seat nor for the other's."""
    shown = told(replace(HAND, hints=True))
    assert {status for status, _ in answers(shown, f"player: GET /api/games/{game(shown)}/hint")} == {403}


def test_a_hint_is_made_from_the_askers_own_view() -> None:
    """C5: all that the analyst is given, and so all that it could say, is the same in all worlds."""
    worlds = tuple((first, "k", "d5", "k", "d1") for first in ("d3", "d7", "d0"))
    against = replace(HAND, sight=Seat.FIRST, owner=Seat.FIRST, opponent="computer", hints=True)
    theirs = tuple(("d7", "k", second, "k", "d1") for second in ("d5", "d9", "d0"))
    shown = told(replace(against, worlds=theirs))
    assert [status for status, _ in answers(shown, f"player: GET /api/games/{game(shown)}/hint ")] == [200]
    assert compared(replace(against, worlds=theirs)).pairs == 3
    with pytest.raises(Leak):
        compared(replace(against, worlds=worlds))


def test_a_player_who_watches_in_another_browser_sees_what_strangers_see() -> None:
    """C13: nothing is known about whoever has no token, not even by the address."""
    shown = told(replace(HAND, sight=None))
    nobody, stranger = (
        answers(shown, f"{who}: GET /api/games/{game(shown)} ")[0] for who in ("nobody", "stranger")
    )
    (watching,) = answers(shown, f"watching: GET /api/games/{game(shown)}?as=watcher")
    assert nobody == stranger
    hand = json.loads(watching[1].partition(b"\nmore_body")[0])
    public = json.loads(nobody[1].partition(b"\nmore_body")[0])
    assert {**hand, "seats": [], "owner": False} == public
    cells = [cell["digit"] for row in public["scene"]["rows"] for cell in row["cells"]]
    assert cells == [None, 2, None, None, None, None]  # two cards that Ann kept, and one that Ben gave her
    assert public["scene"]["drawn"] == {"digit": None, "hidden": True, "label": "drawn"}


@pytest.mark.parametrize("sight", [Seat.SECOND, None], ids=["the opponent", "a stranger"])
def test_the_end_of_a_round_shows_two_numbers_and_no_order_of_drawing(sight: Seat | None) -> None:
    """C17: Ann may have drawn her 9 before her 7, or after."""
    other = ("d9", *ROUND[1:4], "d7", *ROUND[5:])
    wanted = Story("round", "cards", {}, sight, (tuple(ROUND), other), live=2, thorough=True)
    assert compared(wanted).pairs == 1


def test_a_secret_number_costs_as_many_events_and_frames_as_any_other() -> None:
    """C2, C9: laid out under the eyes of the other, over every kind of connection."""
    worlds = tuple((*ROUND[:12], f"a{number}") for number in ("972", "279", "792", "927"))
    for sight in (Seat.SECOND, None):
        assert compared(Story("number", "cards", {}, sight, worlds, live=2, thorough=True)).pairs == 6


def test_every_kind_of_connection_sends_news_to_silent_clients() -> None:
    async def run() -> Shown:
        async with a_server() as server:
            return await Telling(server, HAND, 0).run()

    told = asyncio.run(run()).told
    for kind, sign in (("line WS", b'"type":"view"'), ("line GET", b"\ndata: {")):
        news = [text.count(sign) for where, text in told if kind in where]
        assert sum(count > 0 for count in news) >= 3, kind


def test_games_and_their_parts_do_not_print_or_pickle_what_they_know() -> None:
    """C16: whatever a log, a traceback or a debugger makes of them."""

    async def run() -> tuple[str, OnlineGame]:
        async with a_server() as server:
            shown = await Telling(server, HAND, 0).run()
            live = server.game_service._games.find(game(shown))
            return (
                f"{live!r} {live.game.news!r} {live.game.players!r} {server.services.game_service!r}",
                live.game,
            )

    printed, online_game = asyncio.run(run())
    assert re.fullmatch(
        r"<live <game \S+ at \d+>> \((<news \d+>(, |\)))+ "
        r"\(Player\(name='Ann', level=None\), Player\(name='Ben', level=None\)\) <\S+ object at 0x[0-9a-f]+>",
        printed,
    )
    with pytest.raises(TypeError, match="send a view"):
        pickle.dumps(online_game)
    with pytest.raises(TypeError):
        json.dumps(online_game)


# A rematch.


async def call(server: Server, method: str, target: str, body: Any = None) -> Any:
    """What the server answers to one who holds both seats."""
    headers = {"authorization": "Bearer both", "content-type": "application/json"}
    data = b"" if body is None else json.dumps(body).encode()
    sent = await ask(server.app, method, target, headers, data, server.complain)
    return json.loads(sent[1].partition(b"body=")[2].partition(b"\nmore_body")[0])


async def played(server: Server, game: str) -> Any:
    """The last view of a game, after first moves until the end."""
    for number in range(200):
        view = await call(server, "GET", f"/api/games/{game}")
        if view["phase"] == "over":
            return view
        move = {"id": f"m{number}", "version": view["version"], "seat": view["acting"][0], "do": "move"}
        seen = await call(server, "GET", f"/api/games/{game}?seat={view['acting'][0]}")
        await call(server, "POST", f"/api/games/{game}/commands", {**move, "move": seen["moves"][0]})
    raise AssertionError("it does not end")


def test_a_rematch_is_dealt_anew_and_what_was_opened_opens_nothing() -> None:
    """C18: another seed, another seal, other cards."""

    async def run() -> None:
        async with a_server() as server:
            server.clean(b"k" * 32)
            server.store.sessions[hashed("both")] = "both"
            wish = {"variant": "cards", "settings": {"wins_needed": "1"}, "opponent": "same_device"}
            game = (await call(server, "POST", "/api/games", wish))["game"]
            for seat in (0, 1):
                who = {"name": f"Player {seat}", "seat": seat, "seed": "00"}
                assert (await call(server, "POST", f"/api/games/{game}/join", who))["code"] == "ok"
            deals, seals, seeds = [], [], []
            for number in range(4):
                over = await played(server, game)
                proof = await call(server, "GET", f"/api/games/{game}/proof")
                deals.append([move for move in proof["moves"] if move[0] == "d"])
                seals.append(proof["seal"])
                seeds.append(proof["seed"])
                again = {
                    "id": f"again{number}",
                    "version": over["version"],
                    "seat": 0,
                    "do": "rematch",
                    "seed": "00",
                }
                game = (await call(server, "POST", f"/api/games/{game}/commands", again))["view"]["next"]
                fresh = await call(server, "GET", f"/api/games/{game}?seat=0")
                assert fresh["seal"] not in {sha256(f"{seed}/{game}".encode()).hexdigest() for seed in seeds}
                assert (await call(server, "GET", f"/api/games/{game}/proof"))["code"] == "forbidden"
            assert len(set(seals)) == len(set(seeds)) == len(set(map(tuple, deals))) == 4

    asyncio.run(run())
