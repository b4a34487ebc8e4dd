"""Servers that start and die quickly: forks of a process that has already loaded everything."""

from __future__ import annotations

import json
import os
import resource
import select
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, TextIO, cast

from digit_duel.web.store import crash_points

ROOT = Path(__file__).parent.parent.parent


class ForkedServer:
    """One server process, which a test will kill."""

    def __init__(self, pid: int) -> None:
        self._handle = os.pidfd_open(pid)

    def died(self, seconds: float = 0) -> bool:
        """Whether it is dead, by the end of some seconds."""
        waiting = select.poll()  # which, unlike select, takes handles of any number
        waiting.register(self._handle, select.POLLIN)
        return bool(waiting.poll(1000 * seconds))

    def kill(self) -> None:
        """Kill it without warning, like a power cut that spares the disk."""
        if not self.died():
            signal.pidfd_send_signal(self._handle, signal.SIGKILL)
        assert self.died(30)

    def close(self) -> None:
        """Make sure that it is dead, and release it."""
        if self._handle >= 0:
            self.kill()
            os.close(self._handle)
            self._handle = -1


def allow_many_files() -> None:
    """Let this process have as many open files as it may."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


class ForkServer:
    """A process without threads that has loaded the server, and forks one whenever it is asked to."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.web.fork_server"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT,
        )  # fmt: skip
        self._forked: list[ForkedServer] = []

    def __enter__(self) -> ForkServer:
        return self

    def __exit__(self, *_: object) -> None:
        for server in self._forked:
            server.close()
        self._process.communicate(timeout=30)

    def start(self, settings: dict[str, Any], port: int, crash_at: str | None, log: Path) -> ForkedServer:
        """A server at a port that begins to serve, and dies at a point of the store if one is named."""
        line, answer = cast(TextIO, self._process.stdin), cast(TextIO, self._process.stdout)
        print(json.dumps([settings, port, crash_at, str(log)]), file=line, flush=True)
        self._forked.append(ForkedServer(int(answer.readline())))
        return self._forked[-1]


def main() -> None:
    """Load everything, then fork a server for each line that comes in."""
    import uvloop

    from digit_duel.web import serving  # loaded for the children
    from digit_duel.web.play import variants  # loaded for the children

    assert serving
    assert uvloop
    allow_many_files()
    for id in variants.ids():
        variants.customised(id, {})
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # let the kernel reap dead children
    for line in sys.stdin:
        pid = os.fork()
        if pid == 0:
            _serve(*json.loads(line))
        sys.stdout.write(f"{pid}\n")
        sys.stdout.flush()


def _serve(settings: dict[str, Any], port: int, crash_at: str | None, log: str) -> None:
    """Be a server until the end."""
    from digit_duel.web.serving import listen, serve
    from digit_duel.web.settings import Settings

    code = 1
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        file = os.open(log, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)
        nothing = os.open(os.devnull, os.O_RDONLY)
        for number, target in ((nothing, 0), (file, 1), (file, 2)):
            os.dup2(number, target)
        crash_points.arm(crash_at)
        serve(Settings(**settings), listen("127.0.0.1", port))
        code = 0
    except BaseException:
        sys.excepthook(*sys.exc_info())
        raise
    finally:
        os._exit(code)


if __name__ == "__main__":
    main()
