"""Seats, invitations and tokens at a real server: SAFETY, table B."""

from __future__ import annotations

import secrets
from concurrent.futures import ThreadPoolExecutor
from random import Random
from threading import Barrier

import httpx
from tests.web.checker import read_log
from tests.web.client import Client, People, bearer, seated
from tests.web.raw import RawSocket
from tests.web.server import Server

from digit_duel.web.http.pages import PATHS
from digit_duel.web.http.routes import ROUTES


class Browser:
    """A browser with a cookie, on a page of this server."""

    def __init__(self, url: str) -> None:
        self.http = httpx.Client(base_url=url, headers={"Origin": url}, trust_env=False)

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()

    def post(self, path: str, body: object) -> httpx.Response:
        return self.http.post(path, json=body)

    @property
    def token(self) -> str:
        return self.http.cookies["digit_duel"]


# Guessing


def test_an_id_opens_the_public_view_alone(server: Server, people: People) -> None:
    """B1: who knows the game's id, and nothing else, sees what strangers see and sits nowhere."""
    game = seated(*people, "cards")
    for person in (
        *people,
        *people,
    ):  # what is given away is known to both, and so to all; what is kept is not
        assert person.move(game, "k").code == "ok"
    with Client(server.url, stranger=True) as nobody, Client(server.url) as somebody:
        for watcher in (nobody, somebody):
            view = watcher.look(game)
            assert (view["seat"], view["seats"], view["owner"], view["moves"]) == (None, [], False, [])
            cells = [cell for row in view["scene"]["rows"] for cell in row["cells"]]
            assert [cell["digit"] for cell in cells] == [None] * 6
            assert sum(cell["hidden"] for cell in cells) == 4
            for seat in (0, 1):
                reply = watcher.ask("GET", f"/api/games/{game}", params={"seat": seat})
                assert (reply.status, reply.code) == (403, "forbidden")
            assert watcher.try_join(game).code in ("seat_taken", "forbidden")


def test_guessed_ids_and_tokens_open_nothing(server: Server, people: People) -> None:
    """B1: neighbours of real ids and tokens, and random ones; not one seat is seen."""
    anna, _ = people
    game = seated(*people, "classic")
    rng = Random(5)
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

    def changed(text: str) -> str:
        at = rng.randrange(len(text))
        return text[:at] + rng.choice([letter for letter in letters if letter != text[at]]) + text[at + 1 :]

    assert anna.token is not None
    with httpx.Client(base_url=server.url, trust_env=False) as http:
        for at in range(300):
            id = changed(game) if at % 2 else secrets.token_urlsafe(9)
            assert http.get(f"/api/games/{id}").status_code == 404
            token = changed(anna.token) if at % 2 else secrets.token_urlsafe(32)
            answer = http.get(f"/api/games/{game}", headers={"Authorization": f"Bearer {token}"})
            assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
            cookie = {"Cookie": f"digit_duel={token}"}
            assert http.get(f"/api/games/{game}", headers=cookie).json()["seats"] == []


def test_ids_secrets_and_codes_are_long_enough(people: People) -> None:
    """B1, R13: 72 bits for an id, which gives nothing; 192 for an invitation; 256 for a token."""
    opened = [people[0].open("classic") for _ in range(50)]
    assert all(len(each.game) == 12 for each in opened)
    assert all(each.secret is not None and len(each.secret) == 32 for each in opened)
    assert len({each.secret for each in opened} | {each.game for each in opened}) == 100
    assert people[0].token is not None
    assert len(people[0].token) == 43


# Invitations


def test_whatever_only_reads_changes_nothing(server: Server, people: People) -> None:
    """B2: a chat's preview, a prefetch, HEAD and curl at every address do not use the invitation up."""
    anna, ben = people
    opened = anna.open("cards")
    anna.join(opened.game, "Anna")
    before = read_log(server.database)
    assert opened.url is not None
    paths = {route.path for route in ROUTES if route.method == "GET"} | set(PATHS)
    paths |= {"/metrics", "/healthz", "/readyz", "/api/openapi.json"}
    with httpx.Client(base_url=server.url, trust_env=False) as http:
        for path in sorted(paths):
            address = path.replace("{game}", opened.game).replace("{variant}", "cards")
            for method in ("GET", "HEAD"):
                assert http.request(method, address).status_code < 500
                assert http.request(method, address, headers=dict(anna.http.headers)).status_code < 500
        assert http.get(opened.url).status_code == 200
        assert http.head(opened.url.partition("#")[0]).status_code == 200
    assert read_log(server.database) == before
    assert ben.join(opened.game, "Ben", invite=opened.secret) == 1


def test_an_invitation_seats_the_first_of_two(server: Server, people: People) -> None:
    """B3: two people press Join in the same instant; one gets the seat, the other may watch. 40 times."""
    anna, ben = people
    with Client(server.url) as carl, ThreadPoolExecutor(2) as threads:
        for _ in range(40):
            opened, together = anna.open("classic"), Barrier(2)
            anna.join(opened.game, "Anna")

            def press(
                person: Client, game: str = opened.game, secret: str | None = opened.secret,
                together: Barrier = together,
            ) -> tuple[str, str]:  # fmt: skip
                together.wait()
                reply = person.try_join(game, "Ben", invite=secret)
                return reply.code, reply.body.get("message", "")

            replies = sorted(threads.map(press, (ben, carl)))
            assert replies == [("ok", ""), ("seat_taken", "This seat is taken: you can watch instead.")]
            held = sorted(len(person.look(opened.game)["seats"]) for person in (ben, carl))
            assert held == [0, 1]


def test_a_wrong_or_old_invitation_does_not_seat(server: Server, people: People) -> None:
    """B3: nor does none at all; a new invitation ends the old one."""
    anna, ben = people
    opened = anna.open("classic")
    renewed = anna.ask("POST", f"/api/games/{opened.game}/invite").body["url"].partition("#")[2]
    for wrong in (None, "", opened.secret, renewed[:-1], renewed + "A", renewed.swapcase(), "x" * 100):
        reply = ben.try_join(opened.game, invite=wrong)
        assert (reply.status, reply.code) == (403, "forbidden"), wrong
    assert ben.join(opened.game, invite=renewed) == 1
    assert ben.join(opened.game, invite=renewed) == 1, "pressed twice is no mistake"


def test_nobody_can_join_their_own_game(people: People) -> None:
    """B4: the inviter's own link says so; two on one device is another kind of game."""
    anna, _ = people
    opened = anna.open("classic")
    for seated_already in (False, True):
        reply = anna.try_join(opened.game, invite=opened.secret)
        assert (reply.status, reply.code) == (403, "forbidden")
        assert "your own invitation" in reply.body["message"]
        if not seated_already:
            anna.join(opened.game)
    assert anna.look(opened.game)["phase"] == "waiting"
    both = anna.open("classic", "same_device")
    assert [anna.join(both.game, name, seat=seat) for seat, name in enumerate(("Anna", "Ben"))] == [0, 1]
    assert anna.look(both.game)["seats"] == [0, 1]


def test_nobody_can_join_a_cancelled_game(people: People) -> None:
    anna, ben = people
    opened = anna.open("classic")
    assert ben.ask("DELETE", f"/api/games/{opened.game}/invite").code == "forbidden"
    assert anna.ask("DELETE", f"/api/games/{opened.game}/invite").code == "ok"
    assert ben.try_join(opened.game, invite=opened.secret).code in ("forbidden", "game_over")


def test_names_are_clean_and_told_apart(server: Server, people: People) -> None:
    """B12: markup is a name like any other; control, bidi and invisible characters are not."""
    anna, ben = people
    payloads = {
        "<img src=x onerror=alert(1)>": None,  # 28 characters
        "<b onclick=alert(1)>": "<b onclick=alert(1)>",
        "a\u202ereversed": "a reversed",
        "a\u200b\u200db": "a b",
        "\x1b[31mred": "[31mred",
        "a\x00b": None,
        "e\u0301": "\u00e9",
        " a \n\t b ": "a b",
        "x" * 24: "x" * 24,
        "x" * 25: None,
        "x" * 10_000: None,
        "": None,
        "\u200b": None,
        "Z\u0351\u0352\u0353\u0354\u0355\u0356": None,
        "'; DROP TABLE games; --": "'; DROP TABLE games; --",
        "{0.__class__} %s %n": "{0.__class__} %s %n",
        "\ufeffBen": "Ben",
        "\U0001f600": "\U0001f600",
    }
    for payload, expected in payloads.items():
        opened = anna.open("classic")
        reply = anna.try_join(opened.game, payload)
        if expected is None:
            assert reply.code in ("bad_request", "too_large"), payload
        else:
            assert reply.view["players"][0]["name"] == expected
    long = "x" * 22
    for first, second, told in [("Anna", "ANNA", "ANNA 2"), (f"{long} 2", f"{long} 2", f"{long} 3")]:
        opened = anna.open("classic")
        anna.join(opened.game, first)
        ben.join(opened.game, second, invite=opened.secret)
        assert [player["name"] for player in ben.look(opened.game)["players"]] == [first, told]


# Sessions


def test_a_token_is_invalid_once_its_session_has_ended(server: Server) -> None:
    """B5: at every way in, at once, on an open socket too."""
    with Client(server.url) as anna, Client(server.url) as ben:
        game = seated(anna, ben, "classic")
        with RawSocket(server.port, f"/api/games/{game}/socket", bearer(anna)) as line:
            line.hear("view")
            assert anna.ask("DELETE", "/api/sessions").code == "ok"
            assert line.end() == 4003
        for method, path, body in (
            ("GET", "/api/me", None),
            ("GET", f"/api/games/{game}", None),
            ("POST", f"/api/games/{game}/commands", {"id": "2", "version": 3, "do": "move", "move": "9a1"}),
            ("POST", "/api/games", {"variant": "classic", "opponent": "computer"}),
        ):
            assert anna.ask(method, path, body).code == "forbidden"
        with RawSocket(server.port, f"/api/games/{game}/socket", bearer(anna)) as line:
            assert line.status == 403
        assert ben.look(game)["version"] == 3


def test_a_browsers_first_seat_comes_with_a_new_session(server: Server) -> None:
    """B10: a cookie that somebody planted before is worthless afterwards."""
    with Browser(server.url) as victim, Client(server.url) as attacker:
        assert attacker.token is not None
        code = attacker.ask("POST", "/api/me/codes").body["code"]
        resumed = attacker.ask("POST", "/api/sessions/resume", {"code": code, "bearer": True}).body["token"]
        victim.http.cookies.set("digit_duel", attacker.token, domain=httpx.URL(server.url).host)
        answer = victim.post("/api/games", {"variant": "cards", "opponent": "computer"})
        assert answer.status_code == 201
        given = answer.headers["set-cookie"]
        assert given.startswith("digit_duel=")
        assert "HttpOnly; SameSite=Strict" in given
        fresh = given.partition("=")[2].partition(";")[0]
        assert fresh != attacker.token
        game = answer.json()["game"]
        with Client(server.url, fresh) as owner:
            assert owner.look(game)["owner"] is True
        assert attacker.ask("GET", "/api/me").code == "forbidden"
        with Client(server.url, resumed) as other:
            assert other.look(game)["owner"] is False, "not even by a second session that was laid aside"


def test_a_seat_that_was_refused_leaves_the_browser_signed_in(server: Server, people: People) -> None:
    """B10: a wrong link must not sign anybody out."""
    opened = people[0].open("classic")
    with Browser(server.url) as browser:
        assert browser.post("/api/sessions", {}).status_code == 201
        for _ in range(2):
            answer = browser.post(f"/api/games/{opened.game}/join", {"name": "Eve", "invite": "wrong"})
            assert answer.json()["code"] == "forbidden"
            assert "set-cookie" not in answer.headers
            assert browser.http.get("/api/me").json()["signed_in"] is True
        answer = browser.post(f"/api/games/{opened.game}/join", {"name": "Eve", "invite": opened.secret})
        assert answer.json()["seat"] == 1
        assert browser.http.get(f"/api/games/{opened.game}").json()["seat"] == 1


def test_a_first_seat_is_not_lost_with_the_answer(server: Server, people: People) -> None:
    """B10, A2: a browser that never got its new cookie repeats its request and gets its seat."""
    opened = people[0].open("classic")
    with Browser(server.url) as browser:
        assert browser.post("/api/sessions", {}).status_code == 201
        old = browser.token
        join = {"name": "Eve", "invite": opened.secret}
        assert browser.post(f"/api/games/{opened.game}/join", join).json()["seat"] == 1
        browser.http.cookies.clear()
        browser.http.cookies.set("digit_duel", old, domain=httpx.URL(server.url).host)
        again = browser.post(f"/api/games/{opened.game}/join", join)
        assert (again.status_code, again.json()["seat"]) == (200, 1)
        with Browser(server.url) as planted:
            planted.http.cookies.set("digit_duel", again.cookies["digit_duel"])
            assert planted.http.get(f"/api/games/{opened.game}").json()["seat"] == 1
            planted.http.cookies.clear()
            planted.http.cookies.set("digit_duel", old)
            assert planted.http.get("/api/me").json()["signed_in"] is False, "the new one is in use"
            assert planted.post(f"/api/games/{opened.game}/join", join).json()["code"] == "seat_taken"


def test_a_newcomers_seat_is_not_lost_with_the_answer(server: Server, people: People) -> None:
    """B10, A2: without a cookie, the same attempt again gets the same seat, and no other attempt does."""
    opened = people[0].open("classic")
    path, join = f"/api/games/{opened.game}/join", {"name": "Eve", "invite": opened.secret}
    for attempt, code in (("a" * 32, "ok"), ("b" * 32, "seat_taken"), ("a" * 32, "ok")):
        with Browser(server.url) as browser:
            answer = browser.post(path, {**join, "attempt": attempt})
            assert answer.json()["code"] == code
            assert ("set-cookie" in answer.headers) == (code == "ok")
            seat = browser.http.get(f"/api/games/{opened.game}").json()["seat"]
            assert seat == (1 if code == "ok" else None)


def test_one_request_starts_a_session_opens_a_game_and_takes_a_seat(server: Server) -> None:
    wish = {"variant": "classic", "opponent": "friend", "start": "other", "name": "Tom"}
    with Browser(server.url) as tom, Browser(server.url) as anna:
        answer = tom.post("/api/games", wish)
        assert answer.status_code == 201
        assert "HttpOnly; SameSite=Strict" in answer.headers["set-cookie"]
        found = answer.json()
        assert "token" not in found
        view, game = found["view"], found["game"]
        assert (view["game"], view["seat"], view["owner"], view["phase"]) == (game, 1, True, "waiting")
        assert [player["name"] for player in view["players"]] == ["", "Tom"]
        secret = found["invite"]["url"].partition("#")[2]
        joined = anna.post(f"/api/games/{game}/join", {"name": "Anna", "invite": secret})
        assert (joined.json()["seat"], joined.json()["view"]["turn"]) == (0, True)
        assert tom.http.get("/api/me").json()["games"][0]["names"] == ["Anna", "Tom"]
        again = tom.post("/api/games", wish)
        assert "set-cookie" not in again.headers, "the session stays"


def test_on_one_device_one_request_takes_both_seats(server: Server) -> None:
    wish = {"opponent": "same_device", "start": "other", "name": "Tom", "second_name": "Anna"}
    for variant, seat in (("classic", 0), ("cards", None)):  # no hand is shown before somebody asks for it
        with Browser(server.url) as both:
            view = both.post("/api/games", {"variant": variant, **wish}).json()["view"]
            assert [player["name"] for player in view["players"]] == ["Anna", "Tom"]
            assert (view["seats"], view["seat"], view["phase"]) == ([0, 1], seat, "playing")


def test_a_program_gets_a_token_with_its_first_game(server: Server) -> None:
    with Client(server.url, stranger=True) as bot:
        wish = {"variant": "classic", "opponent": "computer", "name": "Bot", "bearer": True}
        reply = bot.ask("POST", "/api/games", wish)
        assert "set-cookie" not in reply.headers
        with Client(server.url, reply.body["token"]) as known:
            assert known.look(reply.body["game"])["seat"] == 0
            assert "token" not in known.ask("POST", "/api/games", wish).body


def test_a_name_that_cannot_be_used_opens_nothing(server: Server) -> None:
    with Browser(server.url) as tom:
        answer = tom.post("/api/games", {"variant": "classic", "opponent": "friend", "name": "\u202e"})
        assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")
        assert "set-cookie" not in answer.headers


def test_a_page_of_another_site_cannot_start_a_game(server: Server) -> None:
    """B8."""
    wish = {"variant": "classic", "opponent": "friend", "name": "Tom"}
    with Browser(server.url) as tom:
        answer = tom.http.post("/api/games", json=wish, headers={"Origin": "https://evil.example"})
        assert answer.status_code == 403
        assert "set-cookie" not in answer.headers


def test_a_code_moves_a_person_to_another_device_once(server: Server, people: People) -> None:
    """I2: and both devices are the same person from then on."""
    anna, ben = people
    game = seated(anna, ben, "classic")
    code = anna.ask("POST", "/api/me/codes").body["code"]
    with Client(server.url, stranger=True) as phone:
        reply = phone.ask("POST", "/api/sessions/resume", {"code": code.lower(), "bearer": True})
        assert reply.status == 201
        again = phone.ask("POST", "/api/sessions/resume", {"code": code, "bearer": True})
        assert (again.status, again.code) == (403, "forbidden")
        with Client(server.url, reply.body["token"]) as resumed:
            assert resumed.look(game)["seat"] == 0
