"""A private nginx with a certificate of its own, in front of a server of this machine."""

from __future__ import annotations

import os
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp

NOBODY = "nobody"
_AROUND = """
daemon off;
pid {folder}/pid;
error_log {folder}/errors;
worker_processes 1;
events {{ worker_connections {connections}; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/site;
}}
"""


@dataclass(frozen=True, slots=True)
class Front:
    """Where the proxy listens, and what a client must trust."""

    port: int
    trust: ssl.SSLContext
    errors: Path
    pid: int


@contextmanager
def front(site: str, port: int, connections: int = 256) -> Iterator[Front]:
    """A running nginx with a site's configuration; {FOLDER} in it is where its certificate lies."""
    folder = Path(mkdtemp(prefix="duel-nginx-", dir="/tmp"))
    try:
        _make_certificate(folder)
        (folder / "site").write_text(site.replace("{FOLDER}", str(folder)))
        (folder / "nginx.conf").write_text(_AROUND.format(folder=folder, connections=connections))
        if os.getuid() == 0:
            for path in (folder, *folder.iterdir()):
                shutil.chown(path, NOBODY)
        process = subprocess.Popen(
            [*_unprivileged(), _program("nginx"), "-c", str(folder / "nginx.conf"), "-e", f"{folder}/errors"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            _wait_until_open(port, process, folder / "errors")
            trust = ssl.create_default_context(cafile=folder / "duel.pem")
            yield Front(port, trust, folder / "errors", process.pid)
        finally:
            process.terminate()
            process.wait(30)
    finally:
        shutil.rmtree(folder)


def _make_certificate(folder: Path) -> None:
    subprocess.run(
        [
            _program("openssl"), "req", "-x509", "-newkey", "rsa:2048", "-noenc", "-days", "2",
            "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
            "-keyout", str(folder / "duel.key"), "-out", str(folder / "duel.pem"),
        ],
        check=True, capture_output=True, timeout=60,
    )  # fmt: skip


def _wait_until_open(port: int, process: subprocess.Popen[bytes], errors: Path) -> None:
    until = time.monotonic() + 30
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=5).close()
            return
        except OSError:
            assert process.poll() is None, errors.read_text()
            assert time.monotonic() < until, errors.read_text()
            time.sleep(0.02)


def _program(name: str) -> str:
    found = shutil.which(name, path=f"{os.environ.get('PATH', os.defpath)}:/usr/sbin:/sbin")
    if found is None:
        raise FileNotFoundError(f"{name} is not installed; tools/install-test-packages installs it")
    return found


def _unprivileged() -> Sequence[str]:
    if os.getuid() != 0:
        return []
    return ["setpriv", f"--reuid={NOBODY}", "--clear-groups"]
