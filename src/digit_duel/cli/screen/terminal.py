"""The terminal itself: lines out, lines in, nothing of one person's left for the other to see."""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import StringIO
from typing import Any, TextIO

from digit_duel.cli.screen.symbols import Style, symbols_for

LONGEST_LINE = 1000
_ALTERNATE, _MAIN = "\x1b[?1049h", "\x1b[?1049l"
_WIPE = "\x1b[2J\x1b[H"


class OutputGone(Exception):
    """What we write no longer arrives: a closed pipe, a full device."""

    def __init__(self, broken_pipe: bool) -> None:
        super().__init__()
        self.broken_pipe = broken_pipe


class Terminal:
    """Where people read and type: a screen with pictures, or a plain stream of sentences."""

    def __init__(self, stdin: TextIO, stdout: TextIO, plain: bool = False) -> None:
        self._in, self._out = stdin, stdout
        self.typed = _is_tty(stdin)  # a person types, rather than a script
        screen = self.typed and _is_tty(stdout)
        self.screen = screen and not plain and os.environ.get("TERM", "xterm") != "dumb"
        self.shared = self.typed  # people can read what was printed before, over each other's shoulder
        symbols = symbols_for(getattr(stdout, "encoding", None))
        self.style = Style(symbols, colour=self.screen and not os.environ.get("NO_COLOR"))
        self._private = False
        self._unseen: Any = None  # the terminal's own settings, while typing is unseen
        self._since_wipe: list[str] = []
        _survive(stdin)
        _survive(stdout)

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows."""
        return shutil.get_terminal_size((80, 24)) if self.screen else (80, 24)

    def say(self, text: str = "") -> None:
        """Print a text and end the line."""
        self._write(text + "\n")

    def ask(self, prompt: str, secret: bool = False) -> str:
        """One line from the person; EOFError when there will be no more."""
        if secret and self.typed:
            with self._typing_unseen():
                self._write(prompt)
                line = self._line()
                self._write("\n")
            return line
        self._write(prompt)
        line = self._line()
        if not self.typed:
            # A script's answers are shown, so that a transcript reads like the session; secrets are not.
            self._write(("" if secret else printable(line)) + "\n")
        return line

    def go_private(self) -> None:
        """From now on show nothing that could be scrolled back to."""
        if self.screen and not self._private:
            self._write(_ALTERNATE + _WIPE)
            self._private = True
            self._since_wipe.clear()

    def go_public(self) -> None:
        """Leave the private screen; what it showed is gone."""
        if self._private:
            self._write(_WIPE + _MAIN)
            self._private = False

    def wipe(self) -> None:
        """Clear a private screen."""
        if self._private:
            self._since_wipe.clear()
            self._write(_WIPE)

    @contextmanager
    def restored(self) -> Iterator[None]:
        """Whatever happens inside, the terminal is as before afterwards; being stopped and continued too."""
        old: dict[int, Any] = {}
        if self.typed and hasattr(signal, "SIGTSTP"):
            old[signal.SIGTSTP] = signal.signal(signal.SIGTSTP, self._stopped)
        try:
            yield
        finally:
            try:
                self.go_public()
                self._out.flush()
            except (OutputGone, OSError, ValueError):
                pass  # there is no terminal left to restore
            self._show_typing()
            for number, handler in old.items():
                signal.signal(number, handler)

    def _write(self, text: str) -> None:
        if self._private:
            self._since_wipe.append(text)
        try:
            self._out.write(text)
            self._out.flush()
        except (OSError, ValueError) as gone:
            raise OutputGone(isinstance(gone, BrokenPipeError)) from gone

    def _line(self) -> str:
        try:
            line = self._in.readline(LONGEST_LINE + 1)
        except OSError:  # not readable at all
            line = ""
        if not line:
            raise EOFError
        if not line.endswith("\n") and len(line) > LONGEST_LINE:
            while (rest := self._in.readline(LONGEST_LINE)) and not rest.endswith("\n"):
                pass
        return line.rstrip("\r\n")

    @contextmanager
    def _typing_unseen(self) -> Iterator[None]:
        try:
            import termios
        except ImportError:  # Windows: what is typed stays visible, and is wiped or scrolled away
            yield
            return
        self._unseen = termios.tcgetattr(self._in.fileno())
        self._hide_typing()
        try:
            yield
        finally:
            self._show_typing()
            self._unseen = None

    def _hide_typing(self) -> None:
        import termios

        unseen = list(self._unseen)
        unseen[3] &= ~termios.ECHO
        termios.tcsetattr(self._in.fileno(), termios.TCSAFLUSH, unseen)

    def _show_typing(self) -> None:
        if self._unseen is not None:
            import termios

            with suppress(termios.error, OSError):  # the window is gone, and its settings with it
                termios.tcsetattr(self._in.fileno(), termios.TCSAFLUSH, self._unseen)

    def _stopped(self, number: int, frame: Any) -> None:
        """Ctrl-Z: hand the screen back in order, and take it again when we go on."""
        self._show_typing()
        if self._private:
            self._write_past_the_buffer(_WIPE + _MAIN)
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, self._stopped)
        if self._unseen is not None:
            self._hide_typing()
        if self._private:
            self._write_past_the_buffer(_ALTERNATE + _WIPE + "".join(self._since_wipe))

    def _write_past_the_buffer(self, text: str) -> None:
        """Write from within a signal, which may have come in the middle of a write."""
        os.write(self._out.fileno(), text.encode(self._out.encoding or "ascii", "replace"))


def printable(text: str) -> str:
    """A text with control characters made visible, cut to a bearable length."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text[:LONGEST_LINE])


def standard(plain: bool = False) -> Terminal:
    """The terminal this process was started in."""
    if sys.stdout is None:
        raise OutputGone(broken_pipe=False)
    if sys.platform == "win32":
        os.system("")  # switches escape sequences on in the Windows console
    return Terminal(sys.stdin or StringIO(), sys.stdout, plain)  # a closed input has ended


def _is_tty(stream: TextIO) -> bool:
    try:
        return stream.isatty()
    except ValueError:  # closed
        return False


def _survive(stream: TextIO) -> None:
    """Never fail on a character that an encoding lacks, or on bytes that are none."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="replace")
