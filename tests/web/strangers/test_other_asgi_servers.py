"""The application under an ASGI server of the operator's choice, set up by the environment."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from tests.web.server import free_port, running_server, until
from tests.web.strangers.plain import Stranger, duel


@contextmanager
def uvicorn(folder: Path, port: int) -> Iterator[subprocess.Popen[str]]:
    """Plain uvicorn, as the operations page starts it."""
    environment = {"DIGIT_DUEL_DATABASE": str(folder / "server.sqlite3"), "DIGIT_DUEL_HOME": str(folder)}
    command = [sys.executable, "-m", "uvicorn", "--factory", "digit_duel.web.app:app", "--port", str(port)]
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        env={**os.environ, **environment},
    ) as process:  # fmt: skip
        try:
            yield process
        finally:
            process.kill()


def ready(port: int) -> bool:
    try:
        with urlopen(f"http://127.0.0.1:{port}/readyz", timeout=5) as answer:
            return bool(answer.status == 200)
    except URLError:
        return False


def test_another_asgi_server_refuses_to_start_without_the_key_and_creates_none(tmp_path: Path) -> None:
    """F14: a new key in its place would only hide that the key is missing."""
    with running_server(tmp_path) as server:
        ada, _, game = duel(server.url)
    key, port = tmp_path / "server.sqlite3.key", free_port()
    kept = key.read_bytes()
    key.unlink()
    with uvicorn(tmp_path, port) as process:
        _, said = process.communicate(timeout=60)
        assert process.returncode != 0
        assert f"the database holds games, but their key {key} is missing" in said
    assert not key.exists()
    key.touch(0o600)
    key.write_bytes(kept)
    with uvicorn(tmp_path, port):
        until(lambda: ready(port))
        with Stranger(f"http://127.0.0.1:{port}") as again:
            again.token = ada.token
            assert again.command(game, 3, "move", move="9a1").status == 200
