"""A link to a game as a chat shows it: tags and a picture, of public things alone."""

from __future__ import annotations

import re
import zlib
from dataclasses import replace
from random import Random
from struct import unpack

import httpx
import pytest
from tests.web.client import Client, play_on, play_to_end, seated
from tests.web.server import Server

from digit_duel.core.game import Seat
from digit_duel.core.script import Cell, Row, Stock
from digit_duel.games import catalogue
from digit_duel.web.pictures.preview import Preview, draw
from digit_duel.web.views.demo import demo


def tags(url: str, path: str) -> dict[str, str]:
    """The tags that a program finds which knows nothing of our scripts."""
    page = httpx.get(url + path, headers={"user-agent": "Preview/1.0"}, trust_env=False).text
    return dict(re.findall(r'<meta property="(og:[a-z_:]+)" content="([^"]*)">', page))


def decoded(png: bytes) -> tuple[int, int, list[bytes]]:
    """Width, height and the rows of colours of a PNG, read by the standard alone."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    at, chunks = 8, {}
    while at < len(png):
        length, kind = unpack(">I4s", png[at : at + 8])
        body = png[at + 8 : at + 8 + length]
        (check,) = unpack(">I", png[at + 8 + length : at + 12 + length])
        assert check == zlib.crc32(kind + body)
        chunks[kind], at = body, at + 12 + length
    width, height, depth, colour, *rest = unpack(">IIBBBBB", chunks[b"IHDR"])
    assert (depth, colour, rest) == (8, 3, [0, 0, 0])
    data = zlib.decompress(chunks[b"IDAT"])
    rows = [data[row * (width + 1) : (row + 1) * (width + 1)] for row in range(height)]
    assert all(row[0] == 0 and max(row[1:]) < len(chunks[b"PLTE"]) // 3 for row in rows)
    palette = [chunks[b"PLTE"][at : at + 3] for at in range(0, len(chunks[b"PLTE"]), 3)]
    return width, height, [b"".join(palette[index] for index in row[1:]) for row in rows]


def test_an_invitation_says_who_invites_to_what(server: Server) -> None:
    with Client(server.url) as anna:
        opened = anna.open("sabotage", name='Anna "the" <b>')
        found = tags(server.url, f"/j/{opened.game}")
        assert found["og:title"] == "Anna &quot;the&quot; &lt;b&gt; invites you to Sabotage"
        assert found["og:image"] == f"{server.url}/api/games/{opened.game}/picture"
        assert found["og:url"] == f"{server.url}/j/{opened.game}"
        assert (found["og:image:width"], found["og:image:height"]) == ("1200", "630")


def test_a_running_and_a_finished_game_say_how_they_stand(server: Server) -> None:
    with Client(server.url) as anna, Client(server.url) as ben:
        game = seated(anna, ben, "classic")
        assert tags(server.url, f"/g/{game}")["og:title"] == "Anna and Ben play Classic"
        anna.command(game, "resign")
        for path in (f"/g/{game}", f"/g/{game}/result", f"/g/{game}/analysis"):
            assert tags(server.url, path)["og:title"] == "Classic: Ben wins against Anna"


def test_an_address_without_a_game_has_a_page_without_tags(server: Server) -> None:
    for path in ("/g/nothing-here", f"/g/{'x' * 200}", "/j/nothing-here", "/", "/rules"):
        assert tags(server.url, path) == {}
        assert httpx.get(server.url + path, trust_env=False).status_code == 200


def test_the_picture_is_a_png_of_1200_by_630_that_changes_with_the_game(server: Server) -> None:
    with Client(server.url) as anna, Client(server.url) as ben:
        game = seated(anna, ben, "sabotage")
        first = anna.http.get(f"/api/games/{game}/picture")
        assert first.headers["content-type"] == "image/png"
        assert first.headers["cache-control"] == "public, max-age=60"
        assert decoded(first.content)[:2] == (1200, 630)
        play_on(game, (anna, ben), Random(3), moves=2)
        second = anna.http.get(f"/api/games/{game}/picture").content
        assert decoded(second)[2] != decoded(first.content)[2]
        play_to_end(game, (anna, ben), Random(3))
        last = anna.http.get(f"/api/games/{game}/picture")
        assert last.headers["cache-control"] == "public, max-age=86400"


@pytest.mark.parametrize(("winner", "first", "last"), [(Seat.SECOND, 162, 294), (Seat.FIRST, 432, 564)])
def test_the_picture_of_a_finished_game_says_who_wins(winner: Seat, first: int, last: int) -> None:
    """On a pill 78 rows high around the winner's name, and below it in letters 40 rows high."""
    scene = demo(catalogue()["classic"])[-1]
    pictures = [draw(Preview("classic", ("Anna", "Ben"), scene, winner=each)) for each in (None, winner)]
    before, after = (decoded(picture)[2] for picture in pictures)
    changed = [row for row in range(630) if before[row] != after[row]]
    assert first <= changed[0] < changed[-1] <= last


def test_the_picture_of_a_finished_game_leaves_out_the_digits_that_are_left() -> None:
    scene = demo(catalogue()["classic"])[-1]
    rows = tuple(Row(tuple(Cell(digit) for digit in digits)) for digits in ((9, 7, 5), (8, 6, 4)))
    full = replace(scene, rows=(rows[0], rows[1]), pool=(Stock(1, 1, 1), Stock(2, 1, 1), Stock(3, 1, 1)))
    names = ("Anna", "Ben")
    none = replace(full, pool=())
    for winner, same in ((Seat.FIRST, True), (None, False)):
        pictures = {draw(Preview("classic", names, each, winner=winner)) for each in (full, none)}
        assert (len(pictures) == 1) is same


def test_everybody_gets_the_picture_that_a_stranger_sees(server: Server) -> None:
    with Client(server.url) as anna, Client(server.url) as ben, Client(server.url, stranger=True) as eve:
        game = seated(anna, ben, "cards")
        play_on(game, (anna, ben), Random(5), moves=3)
        pictures = {person.http.get(f"/api/games/{game}/picture").content for person in (anna, ben, eve)}
        assert len(pictures) == 1


def test_a_picture_of_no_game_is_refused(server: Server) -> None:
    with Client(server.url, stranger=True) as eve:
        assert eve.ask("GET", "/api/games/nothing-here/picture").code == "not_found"


def test_every_name_has_a_picture(server: Server) -> None:
    """Letters that cannot be drawn are in the tags; the picture says which player it is."""
    with Client(server.url) as anna:
        for name in ("Ærøskøbing", "小林", "Zoë O'Neil-Smith Jr.", "😀", "A" * 24):
            opened = anna.open("battle", name=name)
            assert decoded(anna.http.get(f"/api/games/{opened.game}/picture").content)[:2] == (1200, 630)
