"""The time until the command answers, over a bare interpreter: a line per figure; fails if a goal is missed.

On a busy machine wall-clock times are unreliable: --processor judges by processor time instead.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

PROMPT = b"Enter the digit you want to select: "
INSTALLED = Path(sys.executable).with_name("digit-duel")
COMMAND = [str(INSTALLED)] if INSTALLED.exists() else [sys.executable, "-m", "digit_duel"]
Measure = Callable[[], float]
Times = dict[Measure, list[float]]


def bare() -> float:
    """Time a bare interpreter from start to end."""
    return _run([sys.executable, "-c", "pass"])


def version() -> float:
    """Time `digit-duel --version` from start to end."""
    return _run([*COMMAND, "--version"])


def piped_prompt() -> float:
    """Time from the start of a game to its first prompt, through pipes."""
    began = time.perf_counter()
    with subprocess.Popen(
        [*COMMAND, "play", "classic"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as game:
        assert game.stdout
        seconds = _until_prompt(game.stdout.fileno(), began)
        game.kill()
    return seconds


def terminal_prompt() -> float:
    """Time from the start of a game to its first prompt, on a terminal in line mode."""
    return _on_terminal(["--lines"], PROMPT)


def first_paint() -> float:
    """Time from the start of a game to the first frame of the full-screen app."""
    return _on_terminal([], b"Choose a digit")


def full_screen() -> float:
    """Time from the start of a game until the app accepts keys."""
    return _on_terminal([], b"? keys")


def _on_terminal(arguments: list[str], awaited: bytes) -> float:
    import fcntl
    import pty
    import struct
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    began = time.perf_counter()
    with subprocess.Popen(
        [*COMMAND, "play", "classic", *arguments],
        stdin=theirs, stdout=theirs, stderr=theirs, env={**os.environ, "TERM": "xterm", "LC_ALL": "C.UTF-8"},
    ) as game:  # fmt: skip
        seconds = _until_prompt(ours, began, awaited)
        game.kill()
    os.close(ours)
    os.close(theirs)
    return seconds


def imports_numpy(*arguments: str) -> bool:
    """Whether a command imports NumPy."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "digit_duel", *arguments],
        stdin=subprocess.DEVNULL, capture_output=True, text=True,
    )  # fmt: skip
    assert "digit_duel" in done.stderr, done.stderr
    return "numpy" in done.stderr


def _run(command: list[str]) -> float:
    began = time.perf_counter()
    subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - began


def _until_prompt(source: int, began: float, awaited: bytes = PROMPT) -> float:
    seen = b""
    while awaited not in seen:
        more = os.read(source, 65536)
        assert more, f"no prompt appeared, only {seen!r}"
        seen += more
    return time.perf_counter() - began


def processor_time() -> float:
    """The processor time of all ended child processes; 0 if the system does not record it."""
    if sys.platform == "win32":
        return 0.0
    import resource

    found = resource.getrusage(resource.RUSAGE_CHILDREN)
    return found.ru_utime + found.ru_stime


def measured(rounds: int, measures: list[Measure]) -> tuple[Times, Times]:
    """Take every measure once per round, in turn, so that a busy spell of the machine affects all alike.

    Returns wall-clock times, and processor times up to the end of the process, which is killed once it has
    answered.
    """
    clock: Times = {measure: [] for measure in measures}
    processor: Times = {measure: [] for measure in measures}
    for number in range(rounds + 1):
        for at in range(len(measures)):
            measure = measures[(at + number) % len(measures)]
            before, taken = processor_time(), measure()
            if number:  # the first round fills the caches
                clock[measure].append(taken)
                processor[measure].append(processor_time() - before)
    return clock, processor


def _ms(seconds: list[float]) -> str:
    return f"{1000 * median(seconds):6.1f} ms (best {1000 * min(seconds):5.1f})"


def main() -> int:
    """Measure and print; the exit code tells whether every goal was reached."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=31)
    parser.add_argument("--processor", action="store_true", help="judge by processor time")
    wanted = parser.parse_args()
    rounds = wanted.rounds
    goals: list[tuple[str, Measure, float]] = [
        ("digit-duel --version", version, 0.060),
        ("first prompt, piped", piped_prompt, 0.150),
    ]
    if sys.platform != "win32":
        goals.append(("first prompt, terminal", terminal_prompt, 0.150))
        goals.append(("first paint, full screen", first_paint, 0.400))
        goals.append(("keys, full screen", full_screen, 1.000))
    missed = False
    with tempfile.TemporaryDirectory() as home:
        os.environ["DIGIT_DUEL_HOME"] = home
        clock, processor = measured(rounds, [bare, *(measure for _, measure, _ in goals)])
        times = processor if wanted.processor else clock
        what = "processor time" if wanted.processor else "by the clock"
        print(f"{'bare python':<24} {_ms(times[bare])}, {rounds} rounds, {what}")
        for title, measure, goal in goals:
            over = median(mine - base for mine, base in zip(times[measure], times[bare], strict=True))
            best, times_bare = min(times[measure]) - min(times[bare]), over / median(times[bare])
            missed |= over > goal
            print(
                f"{title:<24} {_ms(times[measure])}; over bare python {1000 * over:5.1f} ms "
                f"(best {1000 * best:.1f}, {times_bare:.1f} x bare), "
                f"goal {1000 * goal:.0f} ms: {'MISSED' if over > goal else 'reached'}"
            )
        for arguments in (("--version",), ("play", "classic")):
            found = imports_numpy(*arguments)
            missed |= found
            print(f"{'numpy in ' + ' '.join(arguments):<24} {'IMPORTED' if found else 'not imported'}")
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
