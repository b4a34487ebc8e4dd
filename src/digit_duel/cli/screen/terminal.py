"""The terminal: print lines, read lines, and hide what only one of two players may see."""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from io import StringIO
from types import FrameType
from typing import TextIO, TypeAlias

from digit_duel.cli.screen.line_editor import Complete, LineEditor, no_words
from digit_duel.cli.screen.word_wrap import wrap_words

MAX_LINE = 1000  # characters of an answer; the rest of the line is dropped
_ALTERNATE, _MAIN = "\x1b[?1049h", "\x1b[?1049l"
_CLEAR = "\x1b[2J\x1b[H"
_EDITABLE = 20  # columns below which a line editor would only scroll
_SLOW = 0.5  # seconds after which a wait is explained
_CLEAR_LINE = "\r\x1b[K"

_Mode: TypeAlias = list[int | list[bytes | int]]


class OutputFailed(Exception):
    """Standard output cannot be written; the text says why."""

    def __init__(self, why: str = "standard output is closed", broken_pipe: bool = False) -> None:
        super().__init__(why)
        self.broken_pipe = broken_pipe


class Terminal:
    """Standard input and output: a screen that can be cleared, or plain text."""

    def __init__(self, stdin: TextIO, stdout: TextIO, plain: bool = False) -> None:
        self._in, self._out = stdin, stdout
        self.interactive = _is_tty(stdin)  # a person types; otherwise a script
        screen = self.interactive and _is_tty(stdout)
        self.screen = screen and not plain and os.environ.get("TERM", "xterm") != "dumb"
        self.encoding = getattr(stdout, "encoding", None) or "ascii"
        self._private = False
        self._saved_mode: _Mode | None = None  # set while echo is off
        self._ordinary_mode: _Mode | None = None  # of the terminal between prompts
        self._editing: LineEditor | None = None  # set while a line is being typed
        self._since_clear: list[str] = []
        _replace_bad_characters(stdin)
        _replace_bad_characters(stdout)

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows."""
        return shutil.get_terminal_size((80, 24)) if self.screen else (80, 24)

    def say(self, text: str = "") -> None:
        """Print a text and a line break; on a screen, lines are wrapped at words."""
        self._write(self._fitted(text) + "\n")

    def ask(self, prompt: str, secret: bool = False, complete: Complete = no_words) -> str:
        """Print a prompt and read a line; raises EOFError at the end of input. A secret is not echoed."""
        prompt = self._fitted(prompt)
        if secret and self.interactive:
            with self._echo_off():
                self._write(prompt)
                line = self._read_line()
                self._write("\n")
            return line
        # On the private screen nothing may remember a line: the next player could recall or yank it.
        if self._editor and not self._private and self.size[0] >= _EDITABLE:
            return self._edit_line(self._editor, prompt, complete)
        self._write(prompt)
        line = self._read_line()
        if not self.interactive:
            # Answers from a pipe are echoed, so that a transcript reads like the session.
            self._write(("" if secret else printable(line)) + "\n")
        return line

    @contextmanager
    def thinking(self) -> Iterator[None]:
        """Say on a screen that a reply takes a while, if it does."""
        if not self.screen:
            yield
            return
        from threading import Timer  # late: most commands need none

        shown: list[bool] = []

        def show() -> None:
            shown.append(True)
            with suppress(OutputFailed):  # the next write reports it
                self._write("thinking...")

        timer = Timer(_SLOW, show)
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()
            if shown:
                self._write(_CLEAR_LINE)

    def go_private(self) -> None:
        """Switch to the alternate screen, which has no scrollback."""
        if self.screen and not self._private:
            self._write(_ALTERNATE + _CLEAR)
            self._private = True
            self._since_clear.clear()

    def go_public(self) -> None:
        """Clear the alternate screen and leave it."""
        if self._private:
            self._write(_CLEAR + _MAIN)
            self._private = False

    def clear(self) -> None:
        """Clear the alternate screen, if it is shown."""
        if self._private:
            self._since_clear.clear()
            self._write(_CLEAR)

    @contextmanager
    def restored(self) -> Iterator[None]:
        """Restore the screen and the echo on the way out, and whenever Ctrl-Z stops the program."""
        stops = self.interactive and hasattr(signal, "SIGTSTP")
        self._ordinary_mode = self._mode()
        old = signal.signal(signal.SIGTSTP, self._stop) if stops else None
        try:
            yield
        finally:
            with suppress(OutputFailed, OSError, ValueError):  # the terminal is gone
                self.go_public()
                self._out.flush()
            self._restore_echo()
            if stops:
                signal.signal(signal.SIGTSTP, old)

    def _write(self, text: str) -> None:
        if self._private:
            self._since_clear.append(text)
        try:
            self._out.write(text)
            self._out.flush()
        except OSError as error:
            raise OutputFailed(str(error.strerror), isinstance(error, BrokenPipeError)) from error
        except ValueError as error:
            raise OutputFailed from error

    def _fitted(self, text: str) -> str:
        return wrap_words(text, self.size[0]) if self.screen else text

    @cached_property
    def _editor(self) -> LineEditor | None:
        """The line editor, if the screen is the terminal of this process."""
        if not self.screen or self._in is not sys.stdin or self._out is not sys.stdout:
            return None
        try:
            return LineEditor()
        except ImportError:  # Windows, and Pythons built without readline
            return None

    def _edit_line(self, editor: LineEditor, prompt: str, complete: Complete) -> str:
        above, line_break, last = prompt.rpartition("\n")  # an editor redraws one line
        self._write(above + line_break)
        self._editing = editor
        try:
            return editor.read(last, complete)[: MAX_LINE + 1]
        except OSError as error:  # the window was closed
            raise EOFError from error
        finally:
            self._editing = None

    def _read_line(self) -> str:
        try:
            line = self._in.readline(MAX_LINE + 1)
        except OSError:  # standard input is not open for reading
            line = ""
        if not line:
            raise EOFError
        if not line.endswith("\n") and len(line) > MAX_LINE:
            while (rest := self._in.readline(MAX_LINE)) and not rest.endswith("\n"):
                pass
        return line.rstrip("\r\n")

    @contextmanager
    def _echo_off(self) -> Iterator[None]:
        self._saved_mode = self._mode()
        if self._saved_mode is None:  # Windows: the digit stays visible until the screen is cleared
            yield
            return
        self._stop_echo()
        try:
            yield
        finally:
            self._restore_echo()
            self._saved_mode = None

    def _stop_echo(self) -> None:
        import termios

        mode = termios.tcgetattr(self._in.fileno())
        mode[3] &= ~termios.ECHO
        termios.tcsetattr(self._in.fileno(), termios.TCSAFLUSH, mode)

    def _restore_echo(self) -> None:
        if self._saved_mode is not None:
            import termios

            with suppress(termios.error, OSError):  # the window was closed
                termios.tcsetattr(self._in.fileno(), termios.TCSAFLUSH, self._saved_mode)

    def _stop(self, number: int, frame: FrameType | None) -> None:
        """Restore the terminal, stop as Ctrl-Z asks, and redraw the screen after resuming."""
        mode = self._mode()
        self._set_mode(self._ordinary_mode)
        if self._private:
            self._write_unbuffered(_CLEAR + _MAIN)
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, self._stop)
        self._set_mode(mode)
        if self._private:
            self._write_unbuffered(_ALTERNATE + _CLEAR + "".join(self._since_clear))
        elif self._editing is not None:
            self._write_unbuffered(_CLEAR_LINE + self._editing.shown)

    def _mode(self) -> _Mode | None:
        """The mode of the terminal; None where there is none to restore."""
        if not self.interactive:
            return None
        try:
            import termios

            return termios.tcgetattr(self._in.fileno())
        except (ImportError, OSError, ValueError):  # Windows, or the window was closed
            return None

    def _set_mode(self, mode: _Mode | None) -> None:
        if mode is not None:
            import termios

            with suppress(termios.error, OSError):  # the window was closed
                termios.tcsetattr(self._in.fileno(), termios.TCSADRAIN, mode)

    def _write_unbuffered(self, text: str) -> None:
        """Write from a signal handler, which may interrupt a buffered write."""
        os.write(self._out.fileno(), text.encode(self._out.encoding or "ascii", "replace"))


def printable(text: str) -> str:
    """A text with its control characters replaced, cut to the length of an answer."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text[:MAX_LINE])


def standard_terminal(plain: bool = False) -> Terminal:
    """The terminal that this process was started in."""
    if sys.stdout is None:
        raise OutputFailed
    if sys.platform == "win32":
        os.system("")  # makes the Windows console understand escape sequences
    return Terminal(sys.stdin or StringIO(), sys.stdout, plain)


def _is_tty(stream: TextIO) -> bool:
    try:
        return stream.isatty()
    except ValueError:  # closed
        return False


def _replace_bad_characters(stream: TextIO) -> None:
    """Replace what the encoding of a stream cannot carry instead of failing."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="replace")
