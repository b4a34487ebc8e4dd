"""The files shipped for operators: the systemd unit, the Containerfile and the compose file.

No container is built here, because that needs an engine and images; what is in the files is run outside.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import yaml
from tests.web.postgres import Postgres
from tests.web.server import free_port, until

from digit_duel.web.settings import Settings

ROOT = Path(__file__).parents[3]
DEPLOY = ROOT / "deploy"
UNIT = (DEPLOY / "digit-duel@.service").read_text(encoding="utf-8")
CONTAINER = (DEPLOY / "Containerfile").read_text(encoding="utf-8").replace("\\\n", " ")
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
VARIABLES = {f"DIGIT_DUEL_{name.upper()}" for name in Settings.__dataclass_fields__}


def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    program = shutil.which("true")
    unit = tmp_path / "digit-duel@.service"
    unit.write_text(UNIT.replace("/opt/digit-duel/bin/digit-duel", str(program)))
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(unit)], capture_output=True, text=True, timeout=60,
        check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")


def test_the_units_command_tells_systemd_when_it_is_ready(tmp_path: Path, postgres: Postgres) -> None:
    """With the shipped settings, but for the database."""
    (command,) = re.findall(r"^ExecStart=\S+/digit-duel (.*)$", UNIT, re.MULTILINE)
    config = tmp_path / "duel.toml"
    text = (DEPLOY / "duel.toml").read_text(encoding="utf-8")
    assert "postgresql:///digit_duel" in text
    config.write_text(text.replace("postgresql:///digit_duel", postgres.create_database()))
    args = [{"%i": "0", "/etc/digit-duel/duel.toml": str(config)}.get(word, word) for word in command.split()]
    assert {"0", str(config)} <= set(args)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(tmp_path / "notify"))
        systemd.settimeout(60)
        environment = {"DIGIT_DUEL_HOME": str(tmp_path), "NOTIFY_SOCKET": str(tmp_path / "notify")}
        process = subprocess.Popen(
            [sys.executable, "-m", "digit_duel", *args],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env={**os.environ, **environment},
        )  # fmt: skip
        with process:
            assert process.stdout is not None
            assert process.stdout.readline() == "Digit Duel is at https://duel.example - Ctrl-C stops it.\n"
            assert systemd.recv(100) == b"READY=1"
            process.terminate()
            assert process.wait(60) == 0


def test_the_servers_know_how_many_they_are() -> None:
    """Each allows its share: if they did not know, two servers would let strangers do twice as much."""
    nginx = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    assert len(re.findall(r"^ +server 127\.0\.0\.1:\d+ ", nginx, re.MULTILINE)) == 2
    assert tomllib.loads((DEPLOY / "duel.toml").read_text(encoding="utf-8"))["servers"] == 2
    for name in ("server1", "server2"):
        assert COMPOSE["services"][name]["environment"]["DIGIT_DUEL_SERVERS"] == "2"


def test_what_the_container_copies_is_there_and_its_settings_are_known() -> None:
    copied = [word for line in re.findall(r"^COPY (.*)$", CONTAINER, re.MULTILINE) for word in line.split()]
    assert copied == ["pyproject.toml", "README.md", "LICENSE", "./", "src", "src"]
    assert all((ROOT / word).exists() for word in copied)
    (settings,) = re.findall(r"^ENV (.*)$", CONTAINER, re.MULTILINE)
    assert {word.partition("=")[0] for word in settings.split()} <= {*VARIABLES, "DIGIT_DUEL_HOME"}


def test_the_containers_command_serves_and_its_health_check_finds_out(tmp_path: Path) -> None:
    (settings,) = re.findall(r"^ENV (.*)$", CONTAINER, re.MULTILINE)
    entry, command, check = (
        json.loads(re.findall(rf"^{what} .*?(\[.*\])$", CONTAINER, re.MULTILINE)[0])
        for what in ("ENTRYPOINT", "CMD", "HEALTHCHECK")
    )
    assert entry == ["digit-duel"]
    port = free_port()
    environment = dict(word.split("=") for word in settings.split())
    environment |= {"DIGIT_DUEL_HOME": str(tmp_path), "DIGIT_DUEL_PORT": str(port)}
    assert check[0] == "python"
    probe = [sys.executable, *(word.replace("8642", str(port)) for word in check[1:])]

    def healthy() -> bool:
        return subprocess.run(probe, stderr=subprocess.DEVNULL, timeout=60, check=False).returncode == 0

    assert not healthy()
    process = subprocess.Popen(
        [sys.executable, "-m", "digit_duel", *command],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, **environment},
    )  # fmt: skip
    try:
        until(healthy)
    finally:
        process.terminate()
        assert process.wait(60) == 0


def test_the_compose_file_names_what_is_there() -> None:
    services = COMPOSE["services"]
    assert set(services) == {"postgres", "server1", "server2", "nginx"}
    for name in ("server1", "server2"):
        build = services[name]["build"]
        assert (DEPLOY / build["context"] / build["dockerfile"]).samefile(DEPLOY / "Containerfile")
        assert set(services[name]["environment"]) <= {*VARIABLES, "DIGIT_DUEL_DATABASE_FILE"}
    for service in services.values():
        assert set(service.get("depends_on", [])) <= set(services)
        assert set(service.get("secrets", [])) <= set(COMPOSE["secrets"])
        for volume in service.get("volumes", []):
            source = volume.partition(":")[0]
            made = source in COMPOSE["volumes"] or source == "./tls"  # the operator makes the certificate
            assert made or (DEPLOY / source).exists(), source


def test_the_compose_files_nginx_sends_requests_to_both_servers(tmp_path: Path) -> None:
    """Its command is run, but for the start of nginx and the places of files."""
    shell, option, command = COMPOSE["services"]["nginx"]["command"]
    start = "exec nginx -g 'daemon off;'"
    assert command.endswith(start)
    script = command.replace(start, "true").replace("$$", "$").replace("/etc/nginx/", f"{tmp_path}/")
    script = re.sub(r"(?<![\w/])/duel(\S*\.conf)", lambda found: f"{DEPLOY}/nginx{found[1]}", script)
    (tmp_path / "conf.d").mkdir()
    main = tmp_path / "nginx.conf"
    main.write_text("events {\n    worker_connections  1024;\n}\nhttp {\n}\n")
    environment = {**os.environ, "DUEL_NAME": "play.example"}
    for _ in range(2):  # a container that is started again finds its files as it left them
        subprocess.run([shell, option, script], check=True, env=environment, timeout=60)
    included = f"include {tmp_path}/duel-connections.conf;\n"
    assert main.read_text() == "events {\n    worker_connections 16384;\n}\nhttp {\n}\n" + included
    assert "access_log /dev/stdout " in (tmp_path / "duel-connections.conf").read_text()
    text = (tmp_path / "conf.d" / "default.conf").read_text()
    assert re.findall(r"server (\S+) max_fails", text) == ["server1:8642", "server2:8642"]
    assert re.findall(r"server_name (\S+);", text) == ["play.example", "play.example"]
    assert "/etc/ssl/duel/duel.pem" in text
    assert "/etc/ssl/duel/duel.key" in text
