"""Run the real command: in this process, through pipes, and on a pseudo-terminal."""

from __future__ import annotations

import os
import re
import select
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
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
# The same as COMMAND, with the pseudo-terminal as its controlling terminal.
ON_A_TERMINAL = (
    "import fcntl, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); import runpy; "
    "runpy.run_module('digit_duel', run_name='__main__', alter_sys=True)"
)
TIMEOUT = 60.0  # seconds, on a busy machine

_FULL_SCREEN = ("play", "resume", "learn", "replay")  # the commands that open the app on a terminal
ALTERNATE, MAIN = b"\x1b[?1049h", b"\x1b[?1049l"
_ESCAPES = re.compile(rb"\x1b\[[0-9;?]*[A-Za-z]")


@dataclass(frozen=True, slots=True)
class Result:
    """What a command printed, and its exit code."""

    code: int
    out: bytes
    err: bytes

    @property
    def text(self) -> str:
        """Standard output as text."""
        return self.out.decode("utf-8", "replace")

    @property
    def error(self) -> str:
        """Standard error as text."""
        return self.err.decode("utf-8", "replace")


def run(home: Path, *args: str, typed: str | bytes = b"", **env: str) -> Result:
    """Run the command in a process of its own with piped input."""
    typed = typed.encode() if isinstance(typed, str) else typed
    return _finished([*COMMAND, *args], environment(home, **env), typed)


def shell(home: Path, line: str, **env: str) -> Result:
    """Run a line of bash in which `duel` is the command."""
    duel = " ".join(f"'{part}'" for part in COMMAND)
    return _finished(["bash", "-c", f'duel() {{ {duel} "$@"; }}; {line}'], environment(home, **env))


def _finished(command: list[str], env: dict[str, str], typed: bytes | None = None) -> Result:
    done = subprocess.run(command, input=typed, capture_output=True, timeout=TIMEOUT, env=env)
    assert_no_traceback(done.stdout + done.stderr)
    return Result(done.returncode, done.stdout, done.stderr)


def inside(home: Path, *args: str, typed: str | bytes = "", save_in: str | None = None) -> Result:
    """Run the same command line in this process, which is much faster."""
    typed = typed.encode() if isinstance(typed, str) else typed
    out, err = BytesIO(), BytesIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DIGIT_DUEL_HOME", save_in or str(home))
        patch.setattr(sys, "argv", ["digit-duel", *args])
        patch.setattr(sys, "stdin", TextIOWrapper(BytesIO(typed), "utf-8"))
        patch.setattr(sys, "stdout", TextIOWrapper(out, "utf-8", write_through=True))
        patch.setattr(sys, "stderr", TextIOWrapper(err, "utf-8", "backslashreplace", write_through=True))
        code = run_commands()
        shown, error = out.getvalue(), err.getvalue()
    return Result(code, shown, error)


def assert_no_traceback(shown: bytes) -> None:
    """No traceback and no warning of the interpreter ever reaches a person."""
    for sign in (b"Traceback", b"Exception ignored", b"Fatal Python", b"Warning:"):
        assert sign not in shown, shown[-3000:].decode("utf-8", "replace")


def _wrapped_or_not(text: bytes) -> re.Pattern[bytes]:
    """A text in which a narrow window may have made a line break of any space."""
    return re.compile(rb"[ \r\n]+?".join(map(re.escape, text.split(b" "))))


def without_escapes(shown: bytes) -> bytes:
    """What was shown, without colours and cursor movements."""
    return _ESCAPES.sub(b"", shown).replace(b"\r\n", b"\n")


def line_by_line(args: tuple[str, ...]) -> list[str]:
    """The arguments of a command, with the option that keeps it off the full screen."""
    at = next((at + 1 for at, word in enumerate(args) if word in _FULL_SCREEN), None if args else 0)
    return [*args] if at is None else [*args[:at], "--lines", *args[at:]]


class Console:
    """The command on a pseudo-terminal, or without one, and somebody who waits for prompts and types."""

    def __init__(
        self,
        home: Path,
        *args: str,
        size: tuple[int, int] = (80, 24),
        command: tuple[str, ...] = (),
        env: dict[str, str] | None = None,
        terminal: bool = True,
        full_screen: bool = False,
    ) -> None:
        if terminal:
            self._near, self._far = pty.openpty()
            self.resize(*size)
        else:
            self._near, self._far = (end.detach() for end in socket.socketpair())
        os.set_blocking(self._near, False)  # or a write would wait for ever for a program that does not read
        self.shown = b""
        self._read_up_to = 0
        started = command or ((sys.executable, "-c", ON_A_TERMINAL) if terminal else COMMAND)
        self.process = subprocess.Popen(
            [*started, *(args if full_screen else line_by_line(args))],
            stdin=self._far, stdout=self._far, stderr=self._far,
            env=environment(home, **(env or {})), start_new_session=True, close_fds=True,
        )  # fmt: skip
        if not terminal:
            os.close(self._far)
            self._far = -1

    def __enter__(self) -> Console:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.kill()
        self.hang_up()
        if self._far >= 0:
            os.close(self._far)
            self._far = -1

    @property
    def text(self) -> str:
        """All that was shown, as text."""
        return self.shown.decode("utf-8", "replace")

    @property
    def words(self) -> str:
        """All that was shown, with a single space wherever a window may have broken a line."""
        return " ".join(self.text.split())

    def expect(self, *texts: str | bytes, timeout: float = TIMEOUT) -> bytes:
        """Wait until one of the texts is shown, wrapped or not; return what is new up to its end."""
        wanted = [_wrapped_or_not(text.encode() if isinstance(text, str) else text) for text in texts]
        deadline = time.monotonic() + timeout
        while True:
            found = [match.end() for text in wanted if (match := text.search(self.shown, self._read_up_to))]
            if found:
                new = self.shown[self._read_up_to : min(found)]
                self._read_up_to = min(found)
                return new
            left = deadline - time.monotonic()
            assert left > 0, f"waited for {texts}, saw {self.shown[-2000:]!r}"
            ended = self.process.poll() is not None
            assert self._read(0.05) or not ended, f"ended without {texts}: {self.shown!r}"

    def rest_of_line(self) -> str:
        """What follows on the line that was waited for."""
        return self.expect("\n").decode().rstrip("\r\n")

    def type(self, text: str | bytes) -> None:
        """Press keys."""
        data = text.encode() if isinstance(text, str) else text
        deadline = time.monotonic() + TIMEOUT
        while data and self._near >= 0:
            assert time.monotonic() < deadline, f"nobody reads what is typed: {self.shown[-2000:]!r}"
            _, writable, _ = select.select([], [self._near], [], 0.05)
            if writable:
                with suppress(BlockingIOError):  # there is room, but not for all of it
                    data = data[os.write(self._near, data[:1024]) :]
            self._read(0)

    def enter(self, line: str) -> None:
        """Type a line."""
        self.type(line + "\n")

    def answer(self, prompt: str, line: str) -> bytes:
        """Wait for a prompt and type a line; return what was shown up to the prompt."""
        before = self.expect(prompt)
        self.enter(line)
        return before

    def end(self, timeout: float = TIMEOUT) -> int:
        """Read on until the command ends; return its exit code, as a shell would."""
        deadline = time.monotonic() + timeout
        while self.process.poll() is None:
            assert time.monotonic() < deadline, f"still running: {self.shown[-2000:]!r}"
            self._read(0.005)
        while self._read(0):
            pass
        assert_no_traceback(self.shown)
        code = self.process.returncode
        return 128 - code if code < 0 else code

    def end_by(self, act: Callable[[], None]) -> int:
        """Do something that ends the command, again if need be; return its exit code.

        Python handles a signal that comes between a prompt and its read only with the next signal.
        """
        deadline = time.monotonic() + TIMEOUT
        while self.process.poll() is None and time.monotonic() < deadline:
            act()
            again = time.monotonic() + 1
            while self.process.poll() is None and time.monotonic() < again:
                self._read(0.005)
        return self.end(1)

    def end_with(self, keys: str) -> int:
        """Press keys that end the command; return its exit code."""
        return self.end_by(lambda: self.type(keys))

    def signal(self, number: int) -> None:
        """Send a signal to the command."""
        self.process.send_signal(number)

    def kill(self) -> None:
        """kill -9, and wait until it is gone."""
        self.process.kill()
        self.process.wait()

    def resize(self, columns: int, rows: int) -> None:
        """Change the size of the window, as a window manager does."""
        fcntl.ioctl(self._near, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def hang_up(self) -> None:
        """Close the window."""
        if self._near >= 0:
            os.close(self._near)
            self._near = -1

    @property
    def echoes(self) -> bool:
        """Whether the terminal shows what is typed, line by line."""
        mode = termios.tcgetattr(self._far)[3]
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
        if self._near < 0:
            return False
        readable, _, _ = select.select([self._near], [], [], timeout)
        if not readable:
            return False
        try:
            more = os.read(self._near, 65536)
        except OSError:  # Linux: the other end is closed
            return False
        self.shown += more
        return bool(more)


def piped(home: Path, *args: str) -> Console:
    """The command without a terminal, and somebody who types."""
    return Console(home, *args, terminal=False)
