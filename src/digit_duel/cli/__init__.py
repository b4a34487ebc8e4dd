"""The terminal. Exit codes: see docs/terminal.md."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from typing import Any

OUTPUT_GONE, BROKEN_PIPE = 74, 141


def main() -> None:
    """The command digit-duel."""
    _end_in_order()
    try:
        code = _run()
    except KeyboardInterrupt:
        code = 130
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else 1
    with suppress(KeyboardInterrupt):
        _no_more_interrupts()  # nothing is left to interrupt but the interpreter's own end
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except (OSError, ValueError):  # the window is gone
        _give_up(code)
    sys.exit(code)


def _run() -> int:
    try:
        from digit_duel.cli.commands import run

        code = run()
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        return _give_up(BROKEN_PIPE)
    except OSError as error:
        _complain(f"Output failed: {error.strerror}.")
        return _give_up(OUTPUT_GONE)
    except Exception as ending:
        from digit_duel.cli.screen.terminal import OutputGone  # only now, for --version is quick

        if not isinstance(ending, OutputGone):
            raise
        return _give_up(BROKEN_PIPE if ending.broken_pipe else OUTPUT_GONE)
    return code


def _give_up(code: int) -> int:
    """Nothing more can be printed, not even at exit."""
    sys.stdout = open(os.devnull, "w")  # noqa: SIM115  # the interpreter flushes and closes it
    return code


def _complain(text: str) -> None:
    try:
        sys.stderr.write(f"digit-duel: {text}\n")
        sys.stderr.flush()
    except (OSError, AttributeError):  # nobody is listening
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115  # the interpreter flushes and closes it


def _no_more_interrupts() -> None:
    """Ignore Ctrl-C from now on; Python would complain of one that comes at this very moment."""
    mask = getattr(signal, "pthread_sigmask", None)
    if mask is not None:
        mask(signal.SIG_BLOCK, {signal.SIGINT})
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if mask is not None:
        mask(signal.SIG_UNBLOCK, {signal.SIGINT})


def _end_in_order() -> None:
    """A closed window or a polite kill restores the terminal before the end."""

    def end(number: int, frame: Any) -> None:
        raise SystemExit(128 + number)

    def interrupt(number: int, frame: Any) -> None:
        _no_more_interrupts()  # the way out is not interrupted again
        raise KeyboardInterrupt

    for name, handler in (("SIGINT", interrupt), ("SIGTERM", end), ("SIGHUP", end)):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:  # nohup, background
            signal.signal(number, handler)
