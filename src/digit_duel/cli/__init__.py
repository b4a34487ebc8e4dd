"""The command line and the terminal game; docs/terminal.md lists the exit codes."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from types import FrameType

OUTPUT_FAILED, BROKEN_PIPE = 74, 141


def main() -> None:
    """Run the command digit-duel."""
    _handle_signals()
    try:
        code = _run()
    except KeyboardInterrupt:
        code = 130
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else 1
    with suppress(KeyboardInterrupt):
        _ignore_interrupts()  # only the interpreter's own exit is left
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except (OSError, ValueError):  # the window was closed
        _discard_output()
    sys.exit(code)


def _run() -> int:
    try:
        from digit_duel.cli.commands import run

        code = run()
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        _discard_output()
        return BROKEN_PIPE
    except OSError as error:
        _print_error(f"Output failed: {error.strerror}.")
        _discard_output()
        return OUTPUT_FAILED
    except Exception as error:
        from digit_duel.cli.screen.terminal import OutputFailed  # late: --version must start fast

        if not isinstance(error, OutputFailed):
            raise
        _discard_output()
        if error.broken_pipe:
            return BROKEN_PIPE
        _print_error(f"Output failed: {error}.")
        return OUTPUT_FAILED
    return code


def _discard_output() -> None:
    """Send further output nowhere, because the interpreter flushes once more at exit."""
    sys.stdout = open(os.devnull, "w")  # noqa: SIM115  # the interpreter flushes and closes it


def _print_error(text: str) -> None:
    try:
        sys.stderr.write(f"digit-duel: {text}\n")
        sys.stderr.flush()
    except (OSError, AttributeError):  # standard error is closed, too
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115  # the interpreter flushes and closes it


def _ignore_interrupts() -> None:
    """Ignore Ctrl-C from now on, without a gap in which Python would print a traceback."""
    mask = getattr(signal, "pthread_sigmask", None)
    if mask is not None:
        mask(signal.SIG_BLOCK, {signal.SIGINT})
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if mask is not None:
        mask(signal.SIG_UNBLOCK, {signal.SIGINT})


def _handle_signals() -> None:
    """Turn signals into exceptions, so that the terminal is restored on the way out."""

    def end(number: int, frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    def interrupt(number: int, frame: FrameType | None) -> None:
        _ignore_interrupts()  # a second Ctrl-C must not interrupt the cleanup
        raise KeyboardInterrupt

    for name, handler in (("SIGINT", interrupt), ("SIGTERM", end), ("SIGHUP", end)):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:  # nohup, background
            signal.signal(number, handler)
