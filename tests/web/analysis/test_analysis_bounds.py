"""The analyst is bounded: one process, a short queue, a time limit, and nothing left on the disk."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Coroutine, Iterator
from itertools import count
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, TypeVar

import pytest
from tests.web.client import Client
from tests.web.server import running_server

from digit_duel.games import variant
from digit_duel.web.analysis import analyst as analysis
from digit_duel.web.analysis.analysis_process import AnalysisProcess, Gone, TooLong
from digit_duel.web.analysis.analyst import Analyst
from digit_duel.web.analysis.questions import PositionQuestion
from digit_duel.web.replies import Code, Refusal
from digit_duel.web.settings import Settings

T = TypeVar("T")
CLASSIC = variant("classic")
START = PositionQuestion((), None, None)
ASKED_AFTER_A_PEAK = """
from digit_duel.games import variant
from digit_duel.web.analysis.analysis_process import AnalysisProcess
from digit_duel.web.analysis.questions import PositionQuestion
if __name__ == "__main__":
    much = bytearray(b"1") * 1_100_000_000
    del much
    process = AnalysisProcess()
    print(process.ask(PositionQuestion((), None, None), variant("classic"), 60).line[0])
    process.close()
"""


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(work)


@pytest.fixture(scope="module")
def analyst() -> Iterator[Analyst]:
    found = Analyst(Settings(analysis_seconds=30))
    yield found
    found.stop()


def test_answers_come_from_a_separate_process_and_are_cached(analyst: Analyst) -> None:
    found = run(analyst.position(CLASSIC, ["9a1"], None))
    assert json.loads(found)["symbol"] == "▼"
    process = analyst._analysis_process._process
    assert process is not None
    assert process.pid != os.getpid()
    assert run(analyst.position(CLASSIC, ["9a1"], None)) is found
    with pytest.raises(Refusal, match="Move 1"):
        run(analyst.position(CLASSIC, ["x1"], None))


class Slow(AnalysisProcess):
    """Answers when the test allows it."""

    def __init__(self) -> None:
        super().__init__()
        self.go, self.asked = threading.Event(), 0
        self.wrong: Exception | None = None

    def ask(self, *question: Any) -> Any:
        self.asked += 1
        assert self.go.wait(30)
        if self.wrong is not None:
            raise self.wrong
        return {"asked": self.asked}


@pytest.fixture
def slow() -> Iterator[tuple[Analyst, Slow]]:
    found, analysis_process = Analyst(Settings()), Slow()
    found._analysis_process = analysis_process
    yield found, analysis_process
    analysis_process.go.set()
    found.stop()


def test_identical_questions_asked_at_once_share_one_computation(slow: tuple[Analyst, Slow]) -> None:
    analyst, analysis_process = slow

    async def many() -> None:
        context = [asyncio.ensure_future(analyst.position(CLASSIC, ["9a1"], None)) for _ in range(100)]
        await asyncio.sleep(0.05)
        context[0].cancel()  # who leaves takes nothing away from the others
        analysis_process.go.set()
        found = await asyncio.gather(*context, return_exceptions=True)
        assert isinstance(found[0], asyncio.CancelledError)
        assert found[1:] == [b'{"asked":1}'] * 99

    run(many())


def test_questions_beyond_a_short_queue_are_refused(slow: tuple[Analyst, Slow]) -> None:
    analyst, analysis_process = slow

    async def many() -> list[Any]:
        context = [
            asyncio.ensure_future(analyst.position(CLASSIC, [str(number)], None)) for number in range(20)
        ]
        await asyncio.sleep(0.05)
        analysis_process.go.set()
        return await asyncio.gather(*context, return_exceptions=True)

    found = run(many())
    turned_away = [answer for answer in found if isinstance(answer, Refusal)]
    assert len(turned_away) == 20 - analysis._MOST_WAITING
    assert {refusal.code for refusal in turned_away} == {Code.BUSY_RETRY}


def test_rules_that_took_too_long_are_refused_at_once_afterwards(slow: tuple[Analyst, Slow]) -> None:
    analyst, analysis_process = slow
    analysis_process.go.set()
    analysis_process.wrong = TooLong()
    small = variant("battle").customised({"pool": "1-8"})
    for moves in ([], ["x8"], ["x7"]):
        with pytest.raises(Refusal, match="too big") as refused:
            run(analyst.position(small, moves, None))
        assert refused.value.code is Code.BAD_REQUEST
    assert analysis_process.asked == 1


@pytest.mark.parametrize("wrong", [TooLong(), Gone()])
def test_a_game_of_the_rulebook_is_tried_again_when_the_machine_was_too_busy(
    slow: tuple[Analyst, Slow], wrong: Exception
) -> None:
    analyst, analysis_process = slow
    analysis_process.go.set()
    analysis_process.wrong = wrong
    for _ in range(2):
        with pytest.raises(Refusal) as refused:
            run(analyst.position(CLASSIC, [], None))
        assert refused.value.code is Code.BUSY_RETRY
    assert analysis_process.asked == 2


def test_the_cache_of_answers_is_bounded(slow: tuple[Analyst, Slow], monkeypatch: pytest.MonkeyPatch) -> None:
    analyst, analysis_process = slow
    monkeypatch.setattr(analysis, "_MOST_REMEMBERED", 3)
    analysis_process.go.set()
    for number in range(10):
        run(analyst.position(CLASSIC, [str(number)], None))
    assert len(analyst._known) == 3


def test_answers_are_remembered_only_while_all_of_them_fit_into_a_limit(
    slow: tuple[Analyst, Slow], monkeypatch: pytest.MonkeyPatch
) -> None:
    analyst, analysis_process = slow
    monkeypatch.setattr(analysis, "_MOST_BYTES", 25)  # two answers like {"asked":1} have 22 bytes
    analysis_process.go.set()
    for number in (1, 2, 3, 2, 1):
        run(analyst.position(CLASSIC, [str(number)], None))
    assert analysis_process.asked == 4, "the second was remembered, the first was not"


def working(analysis_process: AnalysisProcess) -> list[BaseProcess]:
    """The process that thinks, if there is one."""
    return [] if analysis_process._process is None else [analysis_process._process]


def test_a_process_that_takes_too_long_is_ended_and_another_answers_the_next() -> None:
    analysis_process = AnalysisProcess()
    try:
        with pytest.raises(TooLong):
            analysis_process.ask(START, variant("battle").customised({"pool": "1-8"}), 0.01)
        assert not working(analysis_process)
        found = analysis_process.ask(START, CLASSIC, 60)
        assert found.line[0] == "9a1"
        for process in working(analysis_process):
            process.kill()  # as a machine short of memory does
            process.join()
        assert analysis_process.ask(START, CLASSIC, 60) == found
        analysis_process.stop()
        with pytest.raises(Gone):
            analysis_process.ask(START, CLASSIC, 60)
    finally:
        analysis_process.close()


def test_after_stopping_questions_are_refused_and_no_process_remains() -> None:
    analyst = Analyst(Settings(analysis_seconds=30))
    assert json.loads(run(analyst.position(CLASSIC, [], None)))["symbol"] == "▲"
    process = analyst._analysis_process._process
    assert process is not None
    pid = process.pid
    assert pid is not None
    analyst.stop()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    with pytest.raises(Refusal) as refused:
        run(analyst.position(CLASSIC, ["9a1"], None))
    assert refused.value.code is Code.BUSY_RETRY


def test_analyses_for_strangers_write_nothing_to_disk(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIGIT_DUEL_HOME", str(tmp_path))
    analysis_process = AnalysisProcess()
    try:
        small = CLASSIC.customised({"pool": "1-8"})
        assert analysis_process.ask(START, small, 60).options
    finally:
        analysis_process.close()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.campaign
@pytest.mark.slow
def test_costly_analyses_do_not_delay_moves(tmp_path: Path) -> None:
    """E6."""
    with running_server(tmp_path, analysis_seconds=1.0) as server:
        done = threading.Event()
        statuses: Counter[int] = Counter()

        def hammer(number: int) -> None:
            with Client(server.url) as caller:
                for at in count():
                    if done.is_set():
                        return
                    settings = {"pool": "1-9,1-9", "start_life": str(5 + (number + at) % 10)}
                    reply = caller.ask("POST", "/api/analysis", {"variant": "battle", "settings": settings})
                    statuses[reply.status] += 1

        hammering = [threading.Thread(target=hammer, args=(number,)) for number in range(12)]
        for thread in hammering:
            thread.start()
        try:
            with Client(server.url) as ann:
                waited = []
                for _ in range(8):
                    game = ann.open("classic", "same_device").game
                    ann.join(game, "Ann", seat=0)
                    ann.join(game, "Ben", seat=1)
                    for text, seat in (
                        ("9a1", 0),
                        ("8b1", 1),
                        ("7a2", 0),
                        ("6b2", 1),
                        ("5a3", 0),
                        ("4b3", 1),
                    ):
                        began = time.monotonic()
                        assert ann.move(game, text, seat=seat).code == "ok"
                        waited.append(time.monotonic() - began)
        finally:
            done.set()
            for thread in hammering:
                thread.join()
    assert set(statuses) <= {200, 400, 503}  # answered, too big, or come again
    assert sorted(waited)[len(waited) * 9 // 10] < 0.5


def test_a_server_that_once_used_much_memory_still_gets_answers() -> None:
    """A new process inherits the peak memory of its parent, which must not count as its own."""
    done = subprocess.run(
        [sys.executable, "-c", ASKED_AFTER_A_PEAK], capture_output=True, text=True, check=True, timeout=300
    )
    assert done.stdout == "9a1\n"
