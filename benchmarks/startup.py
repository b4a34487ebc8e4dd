"""How quickly the command answers, over a bare interpreter: a line per figure; fails if a goal is missed."""

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


def bare() -> float:
    """A bare interpreter, from start to end."""
    return _run([sys.executable, "-c", "pass"])


def version() -> float:
    """The version, from start to end."""
    return _run([*COMMAND, "--version"])


def piped_prompt() -> float:
    """From the start of a game to its first question, through pipes."""
    began = time.perf_counter()
    with subprocess.Popen(
        [*COMMAND, "play", "classic"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as game:
        assert game.stdout
        seconds = _until_prompt(game.stdout.fileno(), began)
        game.kill()
    return seconds


def terminal_prompt() -> float:
    """From the start of a game to its first question, on a terminal."""
    import pty

    ours, theirs = pty.openpty()
    began = time.perf_counter()
    with subprocess.Popen(
        [*COMMAND, "play", "classic"], stdin=theirs, stdout=theirs, env={**os.environ, "TERM": "xterm"}
    ) as game:
        seconds = _until_prompt(ours, began)
        game.kill()
    os.close(ours)
    os.close(theirs)
    return seconds


def imports_numpy(*arguments: str) -> bool:
    """Whether a command loads numpy on its way."""
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


def _until_prompt(source: int, began: float) -> float:
    seen = b""
    while PROMPT not in seen:
        more = os.read(source, 65536)
        assert more, f"no question came, only {seen!r}"
        seen += more
    return time.perf_counter() - began


def measured(rounds: int, measures: list[Measure]) -> dict[Measure, list[float]]:
    """Every measure once a round, in turn, so that a busy spell of the machine hits them all alike."""
    times: dict[Measure, list[float]] = {measure: [] for measure in measures}
    for number in range(rounds + 1):
        for at in range(len(measures)):
            measure = measures[(at + number) % len(measures)]
            taken = measure()
            if number:  # the first round fills the caches
                times[measure].append(taken)
    return times


def _ms(seconds: list[float]) -> str:
    return f"{1000 * median(seconds):6.1f} ms (best {1000 * min(seconds):5.1f})"


def main() -> int:
    """Measure, print, and say by the exit code whether every goal was reached."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=31)
    rounds = parser.parse_args().rounds
    goals: list[tuple[str, Measure, float]] = [
        ("digit-duel --version", version, 0.060),
        ("first prompt, piped", piped_prompt, 0.150),
    ]
    if sys.platform != "win32":
        goals.append(("first prompt, terminal", terminal_prompt, 0.150))
    missed = False
    with tempfile.TemporaryDirectory() as home:
        os.environ["DIGIT_DUEL_HOME"] = home
        times = measured(rounds, [bare, *(measure for _, measure, _ in goals)])
        print(f"{'bare python':<24} {_ms(times[bare])}, {rounds} rounds")
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
