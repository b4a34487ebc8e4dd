"""Room for what was begun: when it is looked for, let go and taken again (SAFETY E9)."""

from __future__ import annotations

from typing import Any

import pytest

from digit_duel.web import memory
from digit_duel.web.memory import LOOK, ROOM, Memory
from digit_duel.web.replies import Code, Refusal


class System:
    """A machine with a clock and so many bytes, which counts how often it was asked for some."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, left: int) -> None:
        self.left, self.now, self.asked = left, 1000.0, 0
        monkeypatch.setattr(memory, "mmap", self.map)
        monkeypatch.setattr(memory, "monotonic", lambda: self.now)

    def map(self, file: int, size: int) -> Any:
        self.asked += 1
        if size > self.left:
            raise OSError(12, "Cannot allocate memory")
        self.left -= size
        return Mapped(self, size)


class Mapped:
    """Bytes that were given out."""

    def __init__(self, system: System, size: int) -> None:
        self._system, self._size = system, size

    def close(self) -> None:
        self._system.left += self._size
        self._size = 0


def test_something_is_begun_only_where_as_much_is_left_as_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    system = System(monkeypatch, 2 * ROOM)
    kept = Memory()
    kept.check()
    assert system.left == ROOM
    system.left -= 1
    system.now += LOOK
    with pytest.raises(Refusal) as refused:
        kept.check()
    assert refused.value.code is Code.BUSY_RETRY
    assert system.left == 2 * ROOM - 1, "what was kept is there for what was begun"


def test_what_was_let_go_is_taken_again_at_once_and_only_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    system = System(monkeypatch, 2 * ROOM - 1)
    kept = Memory()
    assert not kept.enough()
    assert system.left == 2 * ROOM - 1
    system.left += 1
    assert kept.enough()
    assert system.left == ROOM


def test_a_look_is_good_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    system = System(monkeypatch, 2 * ROOM)
    kept = Memory()
    assert kept.enough()
    system.left, asked = 0, system.asked
    system.now += 0.9 * LOOK
    assert kept.enough()
    assert system.asked == asked
    system.now += 0.2 * LOOK
    assert not kept.enough()


def test_the_operator_hears_of_it_once_and_of_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[tuple[str, dict[str, str]]] = []

    class Log:
        def error(self, message: str, **more: str) -> None:
            heard.append((message, more))

        info = error

    monkeypatch.setattr(memory, "log", Log())
    system = System(monkeypatch, ROOM)
    kept = Memory()
    for _ in range(3):
        assert not kept.enough()
    system.left = 2 * ROOM
    for _ in range(3):
        assert kept.enough()
    assert heard == [("out of memory", {"kind": "MemoryError"}), ("memory again", {})]
