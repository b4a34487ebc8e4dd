"""Somebody who plays through pipes: reads what is printed, and types what it calls for."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path
from types import TracebackType

from tests.surroundings import environment
from tests.terminal.console import COMMAND, PATIENCE, assert_calm


class Typist:
    """The command with its input open, and its output read as it comes."""

    def __init__(self, home: Path, *args: str, **env: str) -> None:
        self.shown = ""
        self._read_up_to = 0
        self._news = threading.Condition()
        self.process = subprocess.Popen(
            [*COMMAND, *args], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env=environment(home, **env),
        )  # fmt: skip
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Typist:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self._reader.join()
        for stream in (self.process.stdin, self.process.stdout):
            assert stream is not None
            try:
                stream.close()
            except BrokenPipeError:
                sys.exc_info()  # what was typed last was never read

    def type(self, line: str) -> None:
        """Type a line."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n".encode())
        self.process.stdin.flush()

    def expect(self, *texts: str, timeout: float = PATIENCE) -> str:
        """Wait until one of the texts is shown; which."""
        deadline = time.monotonic() + timeout
        with self._news:
            while True:
                found = [(at, text) for text in texts if (at := self.shown.find(text, self._read_up_to)) >= 0]
                if found:
                    at, text = min(found)
                    self._read_up_to = at + len(text)
                    return text
                assert self._reader.is_alive(), f"ended without {texts}: {self.shown}"
                assert time.monotonic() < deadline, f"waited for {texts}, saw {self.shown[-2000:]}"
                self._news.wait(0.2)

    def rest_of_line(self) -> str:
        """What follows on the line that was waited for."""
        start = self._read_up_to
        self.expect("\n")
        return self.shown[start : self._read_up_to - 1]

    def end(self, timeout: float = PATIENCE) -> int:
        """The exit code, once the command has ended."""
        code = self.process.wait(timeout)
        self._reader.join()
        assert_calm(self.shown.encode())
        return 128 - code if code < 0 else code

    def hang_up(self) -> None:
        """Close the input."""
        assert self.process.stdin is not None
        self.process.stdin.close()

    def _read(self) -> None:
        assert self.process.stdout is not None
        while data := self.process.stdout.read1(65536):  # type: ignore[attr-defined]  # a BufferedReader
            with self._news:
                self.shown += data.decode("utf-8", "replace")
                self._news.notify_all()
        with self._news:
            self._news.notify_all()
