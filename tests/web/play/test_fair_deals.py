"""R21: deals that anyone can check, and every kind of tampering caught."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from hashlib import sha256
from hmac import new as hmac
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec import to_builtins
from scipy.stats import chi2
from tests.documents import blocks
from tests.web.client import Client
from tests.web.client import seated as between
from tests.web.played import GAME, KEY, add, finished, opened, play_on, seated
from tests.web.server import running_server

from digit_duel.core.record import Record, read_record
from digit_duel.games import catalogue, variant
from digit_duel.web.play.fair_deals.deals import (
    choice_seal,
    deck_seal,
    is_reserved,
    reserved_id,
    salt,
    sealed_dealer,
    server_seed,
)
from digit_duel.web.play.fair_deals.proof import proof, proven_headers
from digit_duel.web.play.fair_deals.verify import NotProven, verify
from digit_duel.web.play.online_game import OnlineGame
from digit_duel.web.replies import Code, Refusal

DECK = [digit for digit in range(10) for _ in range(4)]


def by_hand(seed: str, seats: tuple[str, str], cards: Sequence[int]) -> list[int]:
    """A whole deck in the order that the seeds give it: RFC 2104 and rejection, written out."""
    key = bytes.fromhex(seed).ljust(64, b"\0")
    inner, outer = (sha256(bytes(byte ^ pad for byte in key)) for pad in (0x36, 0x5C))
    left, order = sorted(cards), []
    for ply in range(len(cards)):
        attempt, whole = 0, len(left) * (2**64 // len(left))
        while True:
            inside, outside = inner.copy(), outer.copy()
            inside.update(f"{seats[0]}/{seats[1]}/{ply}/{attempt}".encode())
            outside.update(inside.digest())
            number = int(outside.hexdigest()[:16], 16)
            if number < whole:
                break
            attempt += 1
        order.append(left.pop(number % len(left)))
    return order


def dealt(seed: str, seats: tuple[str, str], cards: Sequence[int]) -> list[int]:
    """The same deck from the server's own dealer, card by card from what is left in the bag."""
    deal, bag, order = sealed_dealer(seed, seats), Counter(cards), []
    for ply in range(len(cards)):
        digit = deal([(digit, bag[digit]) for digit in sorted(bag) if bag[digit]], ply)
        bag[digit] -= 1
        order.append(digit)
    return order


@pytest.mark.slow
def test_ten_thousand_shuffles_agree_with_a_second_computation_and_favour_no_digit_anywhere() -> None:
    shuffles, places = 10_000, [Counter[int]() for _ in DECK]
    for number in range(shuffles):
        seed = sha256(f"shuffle {number}".encode()).hexdigest()
        seats = (f"{number:04x}", f"{number * number:08x}")
        order = dealt(seed, seats, DECK)
        assert order == by_hand(seed, seats, DECK)
        for place, digit in enumerate(order):
            places[place][digit] += 1
    expected = shuffles / 10
    deviation = sum((counts[digit] - expected) ** 2 / expected for counts in places for digit in range(10))
    # Rows and columns of the table have fixed sums, and cards are drawn without being put back.
    p = chi2.sf(deviation * (len(DECK) - 1) / len(DECK), (len(DECK) - 1) * 9)
    assert 0.001 < p < 0.999


def test_two_hundred_shuffles_agree_with_a_second_computation() -> None:
    for number in range(200):
        seed, seats = sha256(b"%d" % number).hexdigest(), (f"{number:02x}", "")
        assert dealt(seed, seats, DECK) == by_hand(seed, seats, DECK)


def test_numbers_that_would_favour_a_card_are_thrown_away(monkeypatch: pytest.MonkeyPatch) -> None:
    tries: list[bytes] = []

    def digest(key: bytes, message: bytes, kind: str) -> bytes:
        tries.append(message)
        return (2**64 - 1 if len(tries) < 3 else 7).to_bytes(8, "big") + bytes(24)

    monkeypatch.setattr("digit_duel.web.play.fair_deals.deals.digest", digest)
    # 2^64 - 1 is in the incomplete last stretch of ten, and would make small numbers likelier.
    assert sealed_dealer("00", ("a", "b"))([("low", 7), ("high", 3)], 5) == "high"
    assert tries == [b"a/b/5/0", b"a/b/5/1", b"a/b/5/2"]


def test_seeds_and_seals_are_what_openssl_says() -> None:
    # printf 'seed/g' | openssl dgst -sha256 -hmac k, and so on.
    assert server_seed(b"k", "g") == "bf2388b6dd900c5765ddae0a322bff0a90d3208715630306968ea356570cbdbc"
    assert salt(b"k", "g", 7) == "ea3d91c909cac307f406312f8299ad1b"
    assert deck_seal("00", "g") == "0c974601ce2e2f42d556f1a13880f71dd9e21e5d88470f68cb146ad21a054cd7"
    sealed = choice_seal("0123456789abcdef0123456789abcdef", "g", 7, "a5")
    assert sealed == "3c3f01461b6d25e7ae07a5b8927c34d1d7baf2e6bd4a706842b64e076bb4556c"


@pytest.mark.parametrize("id", catalogue())
def test_every_game_verifies_from_the_text_of_its_record(id: str) -> None:
    rng = Random(f"verify {id}")
    for _ in range(10):
        online_game = finished(id, rng)
        record = read_record(written(online_game))
        told = verify(record, variant(id)).sentences
        assert told[-1] == f"The moves follow the rules and end in {record.result}."
        assert online_game.opening.seal in told[0]


def test_the_commitment_is_in_the_log_before_anybody_can_add_a_seed(tmp_path: Path) -> None:
    with running_server(tmp_path) as server:
        with Client(server.url) as ann, Client(server.url) as ben:
            for id in catalogue():
                friends = between(ann, ben, id)
                assert ann.command(friends, "resign").code == "ok"
                for person in (ann, ben):
                    assert person.command(friends, "rematch", seed="c3").code == "ok"
                ann.join(ann.open(id, "computer").game, "Ann", seed="d4")
        server.stop()
        with closing(sqlite3.connect(server.database)) as database:
            rows = database.execute(
                "SELECT game, version, body FROM events ORDER BY game, version"
            ).fetchall()
    logs: dict[str, list[dict[str, Any]]] = {}
    for game, _, body in rows:
        logs.setdefault(game, []).append(json.loads(body))
    assert len(logs) == 3 * len(catalogue())
    for game, log in logs.items():
        assert (log[0]["kind"], len(log[0]["seal"])) == ("open", 64)
        assert "seed" not in log[0]
        seeds = [event["seed"] for event in log if event["kind"] == "sit" and event.get("seed")]
        assert seeds, game  # somebody added one, after that


def test_the_second_players_seed_changes_the_deal() -> None:
    deals = set()
    for seed in ("", "00", "01", "ffff"):
        online_game = seated(opened("cards"), ("aa", seed))
        online_game = play_on(online_game, Random(1), 12)
        assert online_game.session is not None
        deals.add(tuple(str(step.move) for step in online_game.session.steps if step.seat is None))
    assert len(deals) == 4


def test_nothing_is_opened_while_the_game_goes_on() -> None:
    for online_game in (
        opened("cards"),
        seated(opened("cards")),
        play_on(seated(opened("battle")), Random(1), 3),
    ):
        for opening in (proof, proven_headers):
            with pytest.raises(Refusal) as refused:
                opening(online_game, KEY)
            assert refused.value.code is Code.FORBIDDEN


def test_the_proof_names_every_draw_and_opens_every_secret() -> None:
    online_game = finished("cards", Random(5))
    found = proof(online_game, KEY)
    assert (found.game, found.variant, found.settings) == (GAME, "cards", {})
    assert sha256(f"{found.seed}/{GAME}".encode()).hexdigest() == found.seal
    arranged = [text for text in found.moves if text[0] in "ab"]
    assert [choice.move for choice in found.choices] == arranged
    for choice in found.choices:
        text = f"{choice.salt}/{GAME}/{choice.version}/{choice.move}"
        assert sha256(text.encode()).hexdigest() == choice.seal
        assert choice.seat == "ab".index(choice.move[0])
    drawn = [(ply, text) for ply, text in enumerate(found.moves) if text[0] == "d"]
    assert [(draw.ply, draw.move) for draw in found.draws] == drawn
    for draw in found.draws:  # as a checker does who knows no rules
        message = "{}/{}/{}/0".format(*found.client_seeds, draw.ply)
        number = int(hmac(bytes.fromhex(found.seed), message.encode(), sha256).hexdigest()[:16], 16)
        bag = [text for text, weight in draw.among for _ in range(weight)]
        assert draw.move == bag[number % len(bag)]


def test_the_check_in_the_documentation_passes_a_fair_deal_and_no_other() -> None:
    page: dict[str, Any] = {}
    exec(blocks("docs/web/fair-deals.md", "python")[0], page)
    told = to_builtins(proof(finished("cards", Random(5)), KEY))
    assert told["draws"]
    assert told["choices"]
    page["check"](told, told["seal"])
    other_seed = {**told, "client_seeds": ("00" * 16, told["client_seeds"][1])}
    other_choice = {**told, "choices": [{**told["choices"][0], "salt": "00" * 16}]}
    for shown, seal in ((other_seed, told["seal"]), (other_choice, told["seal"]), (told, "00" * 32)):
        with pytest.raises(AssertionError):
            page["check"](shown, seal)


def test_a_resigned_game_verifies_and_says_what_only_the_server_can_tell() -> None:
    online_game = play_on(seated(opened("cards"), ("aa", "bb")), Random(3), 9)
    online_game = add(online_game, 0, {"kind": "resign"})
    told = verify(read_record(written(online_game)), variant("cards")).sentences
    assert told[-1] == (
        "The moves follow the rules; the game ended by resignation, which only the server can tell."
    )


def written(online_game: OnlineGame) -> str:
    """The record as the server gives it out after the end."""
    record = online_game.record()
    return replace(record, headers={**record.headers, **proven_headers(online_game, KEY)}).text()


def header(name: str, change: Callable[[str], str]) -> Callable[[Record], Record]:
    def tamper(record: Record) -> Record:
        return replace(record, headers={**record.headers, name: change(record.headers[name])})

    return tamper


def without(name: str) -> Callable[[Record], Record]:
    def tamper(record: Record) -> Record:
        return replace(record, headers={key: text for key, text in record.headers.items() if key != name})

    return tamper


def other_digit(text: str) -> str:
    """A hex text with its first digit changed."""
    return ("0" if text[0] != "0" else "1") + text[1:]


def exchanged(*at: int) -> Callable[[str], str]:
    def change(text: str) -> str:
        words = text.split()
        words[at[0]], words[at[1]] = words[at[1]], words[at[0]]
        return " ".join(words)

    return change


def another_draw(record: Record) -> Record:
    """The first card is another one; what follows is left as it is."""
    return replace(record, moves=("d3" if record.moves[0] != "d3" else "d4", *record.moves[1:]))


def last_move_gone(record: Record) -> Record:
    return replace(record, moves=record.moves[:-1])


def other_result(record: Record) -> Record:
    return replace(record, result="0-1" if record.result == "1-0" else "1-0")


def other_number(record: Record) -> Record:
    """The last secret number is laid out in another order, as if to make it smaller or larger."""
    last = record.moves[-1]
    turned = last[0] + "".join(sorted(last[1:], reverse=last[1:] == "".join(sorted(last[1:]))))
    return replace(record, moves=(*record.moves[:-1], turned))


TAMPERINGS: dict[str, tuple[Callable[[Record], Record], str]] = {
    "another seed": (header("ServerSeed", other_digit), "the seal does not match"),
    "another seal": (header("Seal", other_digit), "the seal does not match"),
    "another game's id": (header("Online", lambda text: text + "x"), "the seal does not match"),
    "another first seed": (header("FirstSeed", other_digit), "the seeds give"),
    "another second seed": (header("SecondSeed", lambda text: text + "00"), "the seeds give"),
    "seeds exchanged": (
        lambda record: replace(
            record,
            headers={
                **record.headers,
                "FirstSeed": record.headers["SecondSeed"],
                "SecondSeed": record.headers["FirstSeed"],
            },
        ),
        "the seeds give",
    ),
    "another draw": (another_draw, "the seeds give|do not follow the rules"),
    "the last move gone": (last_move_gone, "incomplete"),
    "all moves gone": (lambda record: replace(record, moves=()), "incomplete"),
    "another result": (other_result, "the moves end in"),
    "unfinished": (lambda record: replace(record, result="*"), "not over"),
    "another number": (other_number, "is not what was sealed|the moves end in"),
    "a salt changed": (
        header("Choices", lambda text: text.replace(text.split(":")[1], other_digit(text.split(":")[1]))),
        "is not what was sealed",
    ),
    "a seal changed": (header("Choices", lambda text: text[:-64] + other_digit(text[-64:])), "sealed"),
    "a version changed": (header("Choices", lambda text: "1:" + text.partition(":")[2]), "sealed"),
    "choices exchanged": (header("Choices", exchanged(0, 1)), "order"),
    "a choice gone": (header("Choices", lambda text: text.rpartition(" ")[0]), "but the record opens"),
    "a choice added": (
        header("Choices", lambda text: f"{text} 999:{'0' * 32}:{'0' * 64}"), "but the record opens",
    ),
    "choices damaged": (header("Choices", lambda text: text.replace(":", ";")), "Choices is damaged"),
    "a seed that is no hex": (header("ServerSeed", lambda text: "g" + text[1:]), "ServerSeed is damaged"),
    "ended otherwise": (
        lambda record: replace(record, headers={**record.headers, "Ended": "time"}), "the moves end in",
    ),
    **{f"no {name}": (without(name), f"{name} is missing") for name in (
        "Online", "Seal", "ServerSeed", "FirstSeed", "SecondSeed", "Choices",
    )},
}  # fmt: skip


@pytest.mark.parametrize("kind", TAMPERINGS)
def test_tampering_is_caught(kind: str) -> None:
    tamper, told = TAMPERINGS[kind]
    record = read_record(written(play_on(seated(opened("cards"), ("aa11", "bb22")), Random(8))))
    assert verify(record, variant("cards"))
    with pytest.raises(NotProven, match=told):
        verify(tamper(record), variant("cards"))


def test_a_secret_digit_of_sudden_death_cannot_be_changed_afterwards() -> None:
    settings = {"pool": "1,1,1,1"}  # nobody can fall before the secrets begin
    record = read_record(written(play_on(seated(opened("battle", settings)), Random(2))))
    game = variant("battle").customised(settings)
    secrets = [place for place, text in enumerate(record.moves) if text[0] in "ab"]
    assert verify(record, game).secrets == len(secrets) > 3
    for place in secrets[:3]:
        seat, made = record.moves[place][0], record.moves[place][1]
        for digit in set("12345") - {made}:
            forged = replace(record, moves=(*record.moves[:place], seat + digit, *record.moves[place + 1 :]))
            with pytest.raises(NotProven):
                verify(forged, game)


def test_the_record_of_a_local_game_has_nothing_to_verify() -> None:
    record: Any = Record("classic", {}, ("Ann", "Ben"), (), "1-0")
    with pytest.raises(NotProven, match="Only the record of a finished game on a server can be verified"):
        verify(record, variant("classic"))


def test_a_reserved_id_is_the_servers_own_and_expires() -> None:
    made = reserved_id(KEY, 1_800_000_000.9, "Random12")
    assert made[:16] == "6b49d200Random12"
    assert is_reserved(KEY, made, 1_800_003_600, 3600)
    assert not is_reserved(KEY, made, 1_800_003_601, 3600)
    assert not is_reserved(bytes(32), made, 1_800_000_000, 3600), "another server's"
    for other in ("", "x", "6b49d201" + made[8:], made[:-1] + "é", made[:15] + "é" + made[16:], made[:-1]):
        assert not is_reserved(KEY, other, 1_800_000_000, 3600), other


def test_the_seal_of_a_new_game_is_shown_before_its_players_seed_is_sent(tmp_path: Path) -> None:
    wish = {"variant": "cards", "opponent": "computer", "level": "random", "name": "Tom", "seed": "ab" * 16}
    with running_server(tmp_path) as server, Client(server.url) as tom, Client(server.url) as eve:
        deal = tom.ask("GET", "/api/me").body["deal"]
        wish["game"] = deal["game"]
        started = tom.ask("POST", "/api/games", wish)
        assert (started.body["game"], started.body["seal"]) == (deal["game"], deal["seal"])
        assert started.view["seal"] == deal["seal"]
        version = tom.look(deal["game"])["version"]
        again = tom.ask("POST", "/api/games", wish)
        assert (again.status, again.body["game"]) == (201, deal["game"]), "the answer may have got lost"
        assert again.view["version"] == version, "and nothing happens twice"
        assert eve.ask("POST", "/api/games", wish).code == "bad_request"
        other = "-" if deal["game"].endswith("_") else "_"
        forged = tom.ask("POST", "/api/games", {**wish, "game": deal["game"][:-1] + other})
        assert (forged.status, forged.code) == (400, "bad_request")
