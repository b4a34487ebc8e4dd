"""Two people who do all that people do, in any order, at a real server: SAFETY A1 to A5, A8, A10, A17, A18.

Hypothesis chooses; a model knows which reply is right; the checker compares the log with all that was said.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from tests.web.checker import Acked, Replica, check, read_log
from tests.web.client import Client, Reply, ending, pair, seated
from tests.web.server import Server, running_server

from digit_duel.games import ids

QUIET = settings(deadline=None, suppress_health_check=list(HealthCheck), derandomize=True, database=None)
NUMBER = st.integers(0, 10**6)
SEAT = st.integers(0, 1)


@dataclass(slots=True)
class Stage:
    """What all runs of the machine share: one server and two people."""

    server: Server
    people: tuple[Client, Client]


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    folder: Path = tmp_path_factory.mktemp("machine")
    with running_server(folder) as server:
        people = pair(server.url)
        with people[0], people[1]:
            yield Stage(server, people)


class Duel(RuleBasedStateMachine):
    """One game, and all actions that the machine may try in it."""

    stage: Stage

    def __init__(self) -> None:
        super().__init__()
        self.acks: list[Acked] = []
        self.sent: list[tuple[int, dict[str, Any], int]] = []  # seat, body, where it was applied
        self.last_move: dict[int, int] = {}

    @initialize(variant=st.sampled_from(ids()))
    def sit_down(self, variant: str) -> None:
        self.game = seated(*self.stage.people, variant)
        self.replicas = [Replica(self.game, 0), Replica(self.game, 1), Replica(self.game, None)]
        self.version = 3

    @cached_property
    def watcher(self) -> Client:
        return Client(self.stage.server.url, stranger=True)

    def see(self, seat: int) -> dict[str, Any]:
        return self.stage.people[seat].look(self.game)

    def send(self, seat: int, body: dict[str, Any]) -> Reply:
        return self.stage.people[seat].ask("POST", f"/api/games/{self.game}/commands", body)

    def want(self, seat: int, version: int | None = None, **wanted: Any) -> Reply:
        """Send a new command, and take it into the model if it is done."""
        body = {"id": uuid4().hex, "version": self.version if version is None else version, **wanted}
        reply = self.send(seat, body)
        if reply.code == "ok":
            self.version += 1
            assert reply.body["applied"] == self.version
            asked = dict(wanted)
            if wanted["do"] == "rematch":
                asked.setdefault("seed", "")
            self.acks.append(Acked(self.game, seat, str(body["id"]), self.version, asked))
            self.sent.append((seat, body, self.version))
        assert reply.body.get("version", self.version) == self.version
        return reply

    @property
    def over(self) -> bool:
        return bool(self.see(0)["phase"] == "over")

    @rule(choice=NUMBER, first=SEAT)
    def move(self, choice: int, first: int) -> None:
        """Whoever is on turn plays one of the moves that are offered."""
        for seat in (first, 1 - first):
            view = self.see(seat)
            if view["turn"]:
                move = view["moves"][choice % len(view["moves"])]
                assert self.want(seat, do="move", move=move).code == "ok"
                self.last_move[seat] = self.version
                return
        assert self.over

    @precondition(lambda self: self.sent)
    @rule(choice=NUMBER, times=st.integers(1, 3))
    def resend(self, choice: int, times: int) -> None:
        """A1, A2: send the last command again, and get the same reply."""
        seat, body, applied = self.sent[choice % len(self.sent)]
        for _ in range(times):
            reply = self.send(seat, body)
            assert (reply.code, reply.body["applied"], reply.version) == ("ok_repeat", applied, self.version)

    @precondition(lambda self: self.sent)
    @rule(choice=NUMBER)
    def use_an_id_twice(self, choice: int) -> None:
        """A3."""
        seat, body, _ = self.sent[choice % len(self.sent)]
        other = (
            {**body, "do": "resign"}
            if body["do"] == "claim"
            else {"id": body["id"], "version": 1, "do": "claim"}
        )
        assert self.send(seat, other).code == "bad_request"

    @rule(seat=SEAT)
    def decide_on_an_old_board(self, seat: int) -> None:
        """A4: with the version before one's own last move, on turn again."""
        view = self.see(seat)
        if not view["turn"] or seat not in self.last_move:
            return
        reply = self.want(seat, self.last_move[seat] - 1, do="move", move=view["moves"][0])
        assert (reply.status, reply.code) == (409, "stale_version")
        assert reply.view["version"] == self.version

    @rule(seat=SEAT, choice=NUMBER)
    def play_out_of_turn(self, seat: int, choice: int) -> None:
        """A5, A8: not one's turn, or sealed already."""
        view = self.see(seat)
        if view["turn"] or view["phase"] == "over":
            return
        moves = self.see(1 - seat)["moves"]
        code = self.want(seat, do="move", move=moves[choice % len(moves)]).code
        assert code == "not_your_turn" or (code == "illegal_move" and self.last_move.get(seat) is not None)

    @rule(
        seat=SEAT, text=st.sampled_from(["", "0", "zz", "9a9", "a5", "x9", "k", "9b1", "٣a1", "9 h", "-1a1"])
    )
    def play_nonsense(self, seat: int, text: str) -> None:
        """A9, D1: refused unless it happens to be one of the moves that are offered."""
        view = self.see(seat)
        legal = view["moves"]
        if text in legal:
            return
        code = self.want(seat, do="move", move=text).code
        if view["phase"] == "over":
            assert code == "game_over"
        else:
            assert code in ("bad_request", "illegal_move", "not_your_turn")

    @rule(seat=SEAT)
    def look_ahead(self, seat: int) -> None:
        """D8: a version that is not there yet."""
        assert self.want(seat, self.version + 1, do="resign").code == "bad_request"

    @rule(seat=SEAT, minutes=st.integers(1, 3))
    def offer_a_clock(self, seat: int, minutes: int) -> None:
        over, offer = self.over, self.see(0)["offers"]["clock"]
        code = self.want(seat, do="clock", minutes=minutes).code
        if over:
            assert code == "game_over"
        elif offer == {"seat": seat, "minutes": minutes}:
            assert code == "ok_repeat"
        else:
            assert code == "ok"

    @rule(seat=SEAT)
    def ask_for_a_takeback(self, seat: int) -> None:
        over = self.over
        code = self.want(seat, do="takeback").code
        assert code == "game_over" if over else code in ("ok", "ok_repeat", "illegal_move")

    @rule(seat=SEAT, what=st.sampled_from(["takeback", "rematch", "clock"]))
    def decline(self, seat: int, what: str) -> None:
        offered = self.see(0)["offers"][what] is not None
        assert self.want(seat, do="decline", what=what).code == ("ok" if offered else "illegal_move")

    @rule(seat=SEAT)
    def claim(self, seat: int) -> None:
        """Nobody has been away for a quarter of an hour."""
        assert self.want(seat, do="claim").code == ("game_over" if self.over else "illegal_move")

    @rule(seat=SEAT, really=st.integers(0, 9))
    def resign(self, seat: int, really: int) -> None:
        """A10: seldom, since little is left to do after."""
        if really and not self.over:
            return
        over = self.over
        assert self.want(seat, do="resign").code == ("game_over" if over else "ok")
        assert self.see(0)["phase"] == "over"

    @rule(seat=SEAT)
    def ask_for_a_rematch(self, seat: int) -> None:
        """A17."""
        view = self.see(seat)
        code = self.want(seat, do="rematch").code
        if view["phase"] != "over":
            assert code == "illegal_move"
        elif view["next"] is not None:
            assert code == "game_over"
        else:
            assert code == ("ok_repeat" if view["offers"]["rematch"] == seat else "ok")

    @invariant()
    def all_see_the_same(self) -> None:
        """Each replica asks for what it lacks, and none goes back."""
        if not hasattr(self, "game"):
            return
        seen = []
        for replica, person in zip(self.replicas, (*self.stage.people, self.watcher), strict=True):
            after = replica.versions[-1] if replica.versions else 0
            view = person.look(self.game, after=after)
            assert replica.show(view)
            assert view["version"] == self.version
            seen.append((view["phase"], view["acting"], view["offers"], ending(view), view["next"]))
        assert seen[0] == seen[1] == seen[2]

    def teardown(self) -> None:
        if hasattr(self, "game"):
            logs = read_log(self.stage.server.database)
            assert len(logs[self.game]) == self.version
            check({self.game: logs[self.game]}, self.acks, self.replicas)
        if "watcher" in self.__dict__:
            self.watcher.close()


def test_whatever_two_people_do_the_log_reproduces_it(stage: Stage) -> None:
    """A1 to A5, A8, A10, A17, A18: a model of the right replies, and the checker."""
    machine = type("DuelHere", (Duel,), {"stage": stage})
    run_state_machine_as_test(machine, settings=settings(QUIET, max_examples=15, stateful_step_count=25))


@pytest.mark.slow
def test_whatever_two_people_do_for_long_the_log_reproduces_it(stage: Stage) -> None:
    machine = type("DuelHere", (Duel,), {"stage": stage})
    run_state_machine_as_test(machine, settings=settings(QUIET, max_examples=60, stateful_step_count=40))
