"""A private nginx with a certificate of its own, in front of a server of this machine."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp

NOBODY = "nobody"
_STREAM = Path("/usr/lib/nginx/modules/ngx_stream_module.so")  # Debian's; elsewhere it may be built in
_AROUND = """
{modules}
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
include {folder}/connections;
"""


@dataclass(frozen=True, slots=True)
class Front:
    """Where the proxy listens, and what a client must trust."""

    port: int
    trust: ssl.SSLContext
    errors: Path
    pid: int


class Nginx:
    """One proxy with a site's configuration; {FOLDER} in it is where its certificate lies."""

    def __init__(self, site: str, port: int, connections: int = 256, before: str = "") -> None:
        """Take the limit on connections, and the configuration besides the http block."""
        self.folder = Path(mkdtemp(prefix="duel-nginx-", dir="/tmp"))
        self.port, self.errors = port, self.folder / "errors"
        self.process: subprocess.Popen[bytes] | None = None
        _make_certificate(self.folder)
        (self.folder / "site").write_text(site.replace("{FOLDER}", str(self.folder)))
        (self.folder / "connections").write_text(before.replace("{FOLDER}", str(self.folder)))
        modules = f"load_module {_STREAM};" if _STREAM.exists() else ""
        (self.folder / "nginx.conf").write_text(
            _AROUND.format(folder=self.folder, connections=connections, modules=modules)
        )
        if os.getuid() == 0:
            for path in (self.folder, *self.folder.iterdir()):
                shutil.chown(path, NOBODY)

    def start(self) -> None:
        """Start, and wait until the port is open."""
        for left in self.folder.iterdir():  # a killed nginx leaves its unix sockets, and could not bind again
            if left.is_socket():
                left.unlink()
        command = [_program("nginx"), "-c", str(self.folder / "nginx.conf"), "-e", str(self.errors)]
        self.process = subprocess.Popen(
            [*_unprivileged(), *command],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        _wait_until_open(self.port, self.process, self.errors)

    def kill(self) -> None:
        """End all its processes at once."""
        assert self.process is not None
        main = self.process.pid
        children = Path(f"/proc/{main}/task/{main}/children").read_text().split()
        for pid in (main, *map(int, children)):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait(30)

    def remove(self) -> None:
        """Stop, and leave nothing behind."""
        if self.process is not None:
            self.process.terminate()
            self.process.wait(30)
        shutil.rmtree(self.folder)


@contextmanager
def front(site: str, port: int, connections: int = 256, before: str = "") -> Iterator[Front]:
    """A running nginx with a site's configuration."""
    nginx = Nginx(site, port, connections, before)
    try:
        nginx.start()
        assert nginx.process is not None
        trust = ssl.create_default_context(cafile=nginx.folder / "duel.pem")
        yield Front(port, trust, nginx.errors, nginx.process.pid)
    except BaseException as failure:
        failure.add_note(f"nginx said: {nginx.errors.read_text() or 'nothing'}")
        raise
    finally:
        nginx.remove()


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
