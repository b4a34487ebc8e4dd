"""What is written down, and what is not: SAFETY B6, B7, B12, B13 and C6, figure R13."""

from __future__ import annotations

import hmac
import json
import secrets
from hashlib import sha256
from pathlib import Path
from random import Random

import httpx
import pytest
from tests.web.client import Client, People, pair, play_on, play_to_end, seated
from tests.web.raw import content, exchange, request, status
from tests.web.server import Server, running_server
from tests.worlds import known

from digit_duel import games
from digit_duel.core.record import read_record


def test_no_secret_is_in_the_database_the_log_or_an_answer(tmp_path: Path) -> None:
    """B6, B7, R13: tokens, invitations, codes, seeds and salts are in no file, no log and no answer."""
    with running_server(tmp_path) as server:
        anna, ben = pair(server.url)
        said: list[bytes] = []
        for person in (anna, ben):
            person.http.event_hooks["response"] = [
                lambda answer: said.append(answer.read() + repr(answer.headers.raw).encode())
            ]
        waiting = anna.open("cards")
        said.clear()  # the one answer that is meant to hold the invitation's secret
        game = seated(anna, ben, "battle", settings={"pool": "1-2", "start_life": "20"})
        said.clear()
        anna.move(game, "+1")
        ben.move(game, "+2")
        anna.move(game, "a5")
        code = anna.ask("POST", "/api/me/codes").body["code"]
        said.clear()
        anna.ask("GET", "/api/me")
        anna.look(waiting.game)
        anna.ask("POST", f"/api/games/{waiting.game}/join", {"name": "x", "invite": waiting.secret, "y": 1})
        with Client(server.url, "no such token " + secrets.token_urlsafe(32)) as wrong:
            wrong_token = wrong.token
            wrong.ask("GET", "/api/me")
        assert anna.token is not None
        assert ben.token is not None
        key = (Path(server.database + ".key")).read_bytes()
        seeds = [hmac.digest(key, f"seed/{id}".encode(), "sha256") for id in (game, waiting.game)]
        salts = [hmac.digest(key, f"salt/{game}/{at}".encode(), "sha256")[:16] for at in range(1, 10)]
        hidden = [anna.token, ben.token, waiting.secret, wrong_token, code, code.replace("-", "")]
        hidden += [data.hex() for data in (key, *seeds, *salts)]
        needles = [text.encode() for text in hidden if text] + [key, *seeds, *salts]
        anna.close()
        ben.close()
        folder = [path for path in tmp_path.iterdir() if path.name != Path(server.database).name + ".key"]
        stored = b"".join(path.read_bytes() for path in folder)
        assert sha256(anna.token.encode()).hexdigest().encode() in stored, (
            "the hash is there, as it should be"
        )
        for needle in needles:
            assert needle not in stored
            assert not any(needle in answer for answer in said)
        assert {path.name for path in folder} >= {"server.sqlite3", "server.log"}


def test_the_key_lies_apart_and_is_private(server: Server) -> None:
    """B7: a stolen database reveals neither the deals nor a session."""
    path = Path(server.database + ".key")
    assert path.stat().st_mode & 0o777 == 0o600


def test_no_page_sends_its_address_to_other_sites(server: Server, people: People) -> None:
    """B6, B12, B13: no referrer, no frame, no script but ours, nothing stored."""
    opened = people[0].open("classic")
    with httpx.Client(base_url=server.url, trust_env=False) as http:
        for path in ("/", f"/j/{opened.game}", f"/g/{opened.game}", f"/api/games/{opened.game}", "/nothing"):
            headers = http.get(path).headers
            assert headers["referrer-policy"] == "no-referrer"
            assert headers["cache-control"] == "no-store"
            assert headers["x-content-type-options"] == "nosniff"
            policy = headers["content-security-policy"]
            assert "frame-ancestors 'none'" in policy
            assert "script-src 'self';" in policy
            assert "unsafe" not in policy


def test_a_refused_handshake_has_the_same_headers(server: Server) -> None:
    handshake = [
        ("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Version", "13"),
        ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="), ("Origin", "http://localhost"),
    ]  # fmt: skip
    said = exchange(server.port, request("GET", "/api/games/unknown/socket", handshake))
    assert (status(said), content(said)["code"]) == (404, "not_found")
    head = said.partition(b"\r\n\r\n")[0].lower().split(b"\r\n")
    assert {b"cache-control: no-store", b"x-content-type-options: nosniff"} <= set(head)


def test_the_seed_is_revealed_only_at_the_end(people: People) -> None:
    """C6, R21: the proof belongs to the seal that was published before the first card."""
    game = seated(*people, "cards")
    play_on(game, people, Random(2), 5)
    assert people[0].ask("GET", f"/api/games/{game}/proof").code == "forbidden"
    seal = people[0].look(game)["seal"]
    play_to_end(game, people, Random(2))
    proof = people[0].ask("GET", f"/api/games/{game}/proof").body
    assert sha256(f"{proof['seed']}/{game}".encode()).hexdigest() == seal == proof["seal"]
    assert json.dumps(proof["client_seeds"]) == '["a1", "b2"]'


@pytest.mark.parametrize("variant", games.ids())
def test_the_record_of_a_seat_opens_nothing_even_when_the_game_is_over(variant: str, people: People) -> None:
    """Neither seeds nor salts, and of cards only what that seat saw; the whole record is another request."""
    settings = {"pool": "1", "standoff_limit": "2"} if variant == "battle" else {}
    game = seated(*people, variant, settings=settings)
    play_to_end(game, people, Random(3))
    proof = people[0].ask("GET", f"/api/games/{game}/proof").body
    secret = [proof["seed"], *(choice["salt"] for choice in proof["choices"])]
    whole = people[0].http.get(f"/api/games/{game}/record").text
    assert all(each in whole for each in secret)
    for person in people:
        seat = person.look(game)["seat"]
        text = person.http.get(f"/api/games/{game}/record?seat={seat}").text
        record = read_record(text)
        assert set(record.headers) == {"Online", "Seal", "Seen"}
        assert record.result == read_record(whole).result
        assert not any(each in text for each in [*secret, '"a1"', '"b2"'])
        if variant == "cards":
            assert record.moves == known(proof["moves"], "ab"[seat], {})
        else:
            assert list(record.moves) == proof["moves"]
        refused = person.http.get(f"/api/games/{game}/record?seat={1 - seat}")
        assert refused.json()["code"] == "forbidden"
