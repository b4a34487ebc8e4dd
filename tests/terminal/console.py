"""The real command, driven as people and scripts drive it: through pipes and on a pseudo-terminal."""

from __future__ import annotations

import os
import re
import select
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO, TextIOWrapper
from pathlib import Path
from types import TracebackType

import pytest
from tests.surroundings import environment

if sys.platform == "win32":  # pragma: no cover
    pytest.skip("these tests need pseudo-terminals and signals", allow_module_level=True)

import fcntl
import pty
import termios

from digit_duel.cli.commands import run as run_commands

COMMAND = (sys.executable, "-m", "digit_duel")
# The same as COMMAND, after making the pseudo-terminal the controlling one, without a thread-unsafe preexec.
_ON_A_TERMINAL = (
    "import fcntl, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); import runpy; "
    "runpy.run_module('digit_duel', run_name='__main__', alter_sys=True)"
)
PATIENCE = 30.0  # seconds, on a machine that others keep busy

ALTERNATE, MAIN = b"\x1b[?1049h", b"\x1b[?1049l"
_ESCAPES = re.compile(rb"\x1b\[[0-9;?]*[A-Za-z]")


@dataclass(frozen=True, slots=True)
class Ended:
    """What a command left behind."""

    code: int
    out: bytes
    err: bytes

    @property
    def text(self) -> str:
        """What was printed, as text."""
        return self.out.decode("utf-8", "replace")

    @property
    def complaint(self) -> str:
        """What was said on the side, as text."""
        return self.err.decode("utf-8", "replace")


def run(home: Path, *args: str, typed: str | bytes = b"", **env: str) -> Ended:
    """Run the command with something piped in; it never shows a traceback."""
    typed = typed.encode() if isinstance(typed, str) else typed
    done = subprocess.run(
        [*COMMAND, *args], input=typed, capture_output=True, timeout=PATIENCE, env=environment(home, **env)
    )
    assert_calm(done.stdout + done.stderr)
    return Ended(done.returncode, done.stdout, done.stderr)


def inside(home: Path, *args: str, typed: str = "", save_in: str | None = None) -> Ended:
    """The same command line in this process, for tables that would be too long with one each."""
    out, err = BytesIO(), BytesIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DIGIT_DUEL_HOME", save_in or str(home))
        patch.setattr(sys, "argv", ["digit-duel", *args])
        patch.setattr(sys, "stdin", TextIOWrapper(BytesIO(typed.encode()), "utf-8"))
        patch.setattr(sys, "stdout", TextIOWrapper(out, "utf-8", write_through=True))
        patch.setattr(sys, "stderr", TextIOWrapper(err, "utf-8", "backslashreplace", write_through=True))
        code = run_commands()
        shown, complaint = out.getvalue(), err.getvalue()
    return Ended(code, shown, complaint)


def shell(home: Path, line: str, **env: str) -> Ended:
    """Run a line of bash in which $DUEL is the command."""
    duel = " ".join(f"'{part}'" for part in COMMAND)
    done = subprocess.run(
        ["bash", "-c", f"duel() {{ {duel} \"$@\"; }}; {line}"],
        capture_output=True, timeout=PATIENCE, env=environment(home, **env),
    )  # fmt: skip
    assert_calm(done.stdout + done.stderr)
    return Ended(done.returncode, done.stdout, done.stderr)


def assert_calm(shown: bytes) -> None:
    """No traceback, and no complaint of the interpreter, ever reaches a person."""
    for sign in (b"Traceback", b"Exception ignored", b"Fatal Python", b"Warning:"):
        assert sign not in shown, shown[-3000:].decode("utf-8", "replace")


def without_escapes(shown: bytes) -> bytes:
    """What was shown, without colours and cursor movements."""
    return _ESCAPES.sub(b"", shown).replace(b"\r\n", b"\n")


class Console:
    """The command on a pseudo-terminal, with a person who waits for prompts and types."""

    def __init__(
        self,
        home: Path,
        *args: str,
        size: tuple[int, int] = (80, 24),
        command: tuple[str, ...] = (),
        env: dict[str, str] | None = None,
    ) -> None:
        self._master, self._slave = pty.openpty()
        self.resize(*size)
        self.shown = b""
        self._read_up_to = 0
        self.process = subprocess.Popen(
            [*(command or (sys.executable, "-c", _ON_A_TERMINAL)), *args],
            stdin=self._slave, stdout=self._slave, stderr=self._slave,
            env=environment(home, **(env or {})), start_new_session=True, close_fds=True,
        )  # fmt: skip

    def __enter__(self) -> Console:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.hang_up()
        if self._slave >= 0:
            os.close(self._slave)
            self._slave = -1

    def expect(self, *texts: str | bytes, timeout: float = PATIENCE) -> bytes:
        """Wait until one of the texts is shown; what came up to there, newly."""
        wanted = [text.encode() if isinstance(text, str) else text for text in texts]
        deadline = time.monotonic() + timeout
        while True:
            found = [
                at + len(text) for text in wanted if (at := self.shown.find(text, self._read_up_to)) >= 0
            ]
            if found:
                new = self.shown[self._read_up_to : min(found)]
                self._read_up_to = min(found)
                return new
            left = deadline - time.monotonic()
            assert left > 0, f"waited for {texts}, saw {self.shown[-2000:]!r}"
            ended = self.process.poll() is not None
            assert self._read(0.05) or not ended, f"ended without {texts}: {self.shown!r}"

    def type(self, text: str | bytes) -> None:
        """Press keys."""
        data = text.encode() if isinstance(text, str) else text
        while data and self._master >= 0:
            _, writable, _ = select.select([], [self._master], [], 0.05)
            if writable:
                data = data[os.write(self._master, data[:1024]) :]
            self._read(0)

    def enter(self, line: str) -> None:
        """Type a line."""
        self.type(line + "\n")

    def answer(self, prompt: str, line: str) -> bytes:
        """Wait for a prompt and type a line; what was shown up to the prompt."""
        before = self.expect(prompt)
        self.enter(line)
        return before

    def end(self, timeout: float = PATIENCE) -> int:
        """Read on until the command ends; its exit code, as a shell would give it."""
        deadline = time.monotonic() + timeout
        while self.process.poll() is None:
            assert time.monotonic() < deadline, f"still running: {self.shown[-2000:]!r}"
            self._read(0.005)
        while self._read(0):
            pass
        assert_calm(self.shown)
        code = self.process.returncode
        return 128 - code if code < 0 else code

    def end_by(self, act: Callable[[], None]) -> int:
        """Do something that ends the command; its exit code.

        A signal between a prompt and the wait for its answer is heard only with the next one: so Python is.
        """
        deadline = time.monotonic() + PATIENCE
        while self.process.poll() is None and time.monotonic() < deadline:
            act()
            again = time.monotonic() + 1
            while self.process.poll() is None and time.monotonic() < again:
                self._read(0.005)
        return self.end(1)

    def end_with(self, keys: str) -> int:
        """Press keys that end the command; its exit code."""
        return self.end_by(lambda: self.type(keys))

    def signal(self, number: int) -> None:
        """Send a signal to the command."""
        self.process.send_signal(number)

    def kill(self) -> None:
        """kill -9, and wait until it is gone."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def resize(self, columns: int, rows: int) -> None:
        """Change the size of the window, as a window manager does."""
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def hang_up(self) -> None:
        """Close the window."""
        if self._master >= 0:
            os.close(self._master)
            self._master = -1

    @property
    def echoes(self) -> bool:
        """Whether the terminal shows what is typed, line by line, as it should after the end."""
        mode = termios.tcgetattr(self._slave)[3]
        return bool(mode & termios.ECHO and mode & termios.ICANON and mode & termios.ISIG)

    @property
    def on_main_screen(self) -> bool:
        """Whether the ordinary screen is shown, not the private one."""
        return self.shown.rfind(ALTERNATE) <= self.shown.rfind(MAIN)

    def assert_restored(self) -> None:
        """The terminal is as it was before."""
        assert self.echoes, "the terminal does not echo"
        assert self.on_main_screen, "the private screen is still there"
        assert b"\x1b[?25l" not in self.shown, "the cursor was hidden"

    def _read(self, timeout: float) -> bool:
        if self._master < 0:
            return False
        readable, _, _ = select.select([self._master], [], [], timeout)
        if not readable:
            return False
        try:
            more = os.read(self._master, 65536)
        except OSError:  # Linux: nobody holds the other end any more
            return False
        self.shown += more
        return bool(more)
