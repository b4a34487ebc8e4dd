"""The operations page, followed line by line: its commands are run, with stand-ins for a few programs.

Real are digit-duel, PostgreSQL and its programs, curl, awk and the files of the folder deploy. systemctl
starts the command of the unit; useradd, sudo, nginx, journalctl, venv and pip do as much as is needed here.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.documents import ROOT, blocks
from tests.web import postgres as programs
from tests.web.client import Client, pair, seated
from tests.web.postgres import Postgres
from tests.web.server import free_port

PAGE = "docs/web/operations.md"
PLACES = ("/opt/", "/etc/", "/var/", "/tmp/duel")
SYSTEMCTL = r"""
action=$1; shift
for word in "$@"; do
    case $word in digit-duel@*) port=${word#digit-duel@} ;; *) continue ;; esac
    pid=$SYSTEM/$port.pid
    if [ "$action" != start ] && [ -e "$pid" ]; then
        kill "$(cat "$pid")"
        while kill -0 "$(cat "$pid")" 2>/dev/null; do sleep 0.05; done
        rm "$pid"
    fi
    [ "$action" != stop ] || continue
    unit=$SYSTEM/etc/systemd/system/digit-duel@.service
    places="s| /etc| $SYSTEM/etc|; s|^/opt|$SYSTEM/opt|; s|%i|$port|"
    command=$(sed -n 's/^ExecStart=//p' "$unit" | sed -e "$places")
    DIGIT_DUEL_HOME=$SYSTEM/var/lib/digit-duel setsid $command >/dev/null 2>>"$SYSTEM/log" </dev/null &
    echo $! > "$pid"
    for _ in $(seq 600); do curl -sf "http://127.0.0.1:$port/readyz" >/dev/null && break; sleep 0.1; done
done
"""
PYTHON = r"""
[ "$1 $2" = "-m venv" ] || exit 1
mkdir -p "$3/bin"
printf '#!/bin/sh\ntrue\n' > "$3/bin/pip"
printf '#!/bin/sh\nexec {python} -m digit_duel "$@"\n' > "$3/bin/digit-duel"
chmod +x "$3/bin/pip" "$3/bin/digit-duel"
"""
STAND_INS = {
    "useradd": "true",
    "nginx": "true",
    "journalctl": 'cat "$SYSTEM/log"',
    "sudo": '[ "$1" = -u ] && shift 2; exec env "$@"',
    "install": '[ "$1" = -d ]; for word in "$@"; do case $word in /*) mkdir -p -m 700 "$word" ;; esac; done',
    "systemctl": SYSTEMCTL,
    "python3": PYTHON.replace("{python}", sys.executable),
}


class Machine:
    """A folder that takes the place of a machine's files, and the programs that stand in for others."""

    def __init__(self, folder: Path, postgres: Postgres) -> None:
        self.folder = folder
        self.ports = {"8642": str(free_port()), "8643": str(free_port())}
        for place in (
            "etc/systemd/system",
            "etc/nginx/conf.d",
            "opt",
            "var/lib",
            "var/backups",
            "bin",
            "tmp",
        ):
            (folder / place).mkdir(parents=True)
        (folder / "etc/nginx/nginx.conf").write_text("events {\n\tworker_connections 768;\n}\nhttp {\n}\n")
        for name, text in STAND_INS.items():
            program = folder / "bin" / name
            program.write_text(f"#!/bin/bash\n{text.strip()}\n")
            program.chmod(0o755)
        path = [str(folder / "bin"), str(Path(programs.program("createdb")).parent), os.environ["PATH"]]
        self._environment = {
            **os.environ, "SYSTEM": str(folder), "PATH": os.pathsep.join(path), "PGHOST": postgres.host,
            "PGPORT": str(postgres.port), "PGUSER": "duel", "PGDATABASE": "postgres",
        }  # fmt: skip

    def run(self, block: str) -> str:
        """What a block of commands prints; each of them must end well."""
        for place in PLACES:
            block = re.sub(rf"(?<![\w.]){place}", f"{self.folder}{place}", block)
        for there, here in self.ports.items():
            block = block.replace(there, here)
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", block], capture_output=True, text=True, timeout=120, cwd=ROOT,
            env=self._environment, check=False,
        )  # fmt: skip
        assert done.returncode == 0, f"{block}\n{done.stdout}\n{done.stderr}\n{self.log}"
        return done.stdout

    @property
    def log(self) -> str:
        """What the servers logged."""
        log = self.folder / "log"
        return log.read_text() if log.exists() else ""


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    postgres = Postgres()
    made = Machine(tmp_path, postgres)
    try:
        yield made
        made.run("systemctl stop digit-duel@8642 digit-duel@8643")
    finally:
        postgres.remove()


def sections() -> dict[str, str]:
    """The commands of the page by heading; a heading with two blocks has both."""
    text = (ROOT / PAGE).read_text(encoding="utf-8")
    parts = re.split(r"^## (.+)\n", text, flags=re.MULTILINE)[1:]
    found = dict(zip(parts[::2], parts[1::2], strict=True))
    told = {name: "\n".join(re.findall(r"```sh\n(.*?)```", part, re.DOTALL)) for name, part in found.items()}
    return {name: commands for name, commands in told.items() if commands}


@pytest.mark.slow
def test_the_page_can_be_followed_line_by_line(machine: Machine) -> None:
    """Install, back up, upgrade, rotate keys, restore, roll back, and look for what is slow."""
    page = sections()
    assert len(blocks(PAGE, "sh")) == 8
    wanted = ["Install", "Back up", "Upgrade", "Roll back", "Restore", "Rotate keys", "Something is slow"]
    assert list(page) == wanted
    assert machine.run(page["Install"]) == "ready\n"
    nginx = (machine.folder / "etc/nginx/nginx.conf").read_text()
    assert "worker_connections 16384;" in nginx
    assert nginx.endswith(
        "include /etc/nginx/digit-duel-connections.conf;\n".replace("/etc", f"{machine.folder}/etc")
    )
    anna, ben = pair(f"http://127.0.0.1:{machine.ports['8642']}")
    with anna, ben:
        game = seated(anna, ben, "cards")
        assert "holds 1 game with 3 events, all verified." in machine.run(page["Back up"])
        later = anna.open("classic").game
        assert machine.run(page["Upgrade"]) == "ready\nready\n"
        assert "holds 2 keys now." in machine.run(page["Rotate keys"])
        assert anna.look(game)["version"] == 3
        assert "holds 1 game with 3 events, all verified." in machine.run(page["Restore"])
    with Client(f"http://127.0.0.1:{machine.ports['8642']}", anna.token) as anna:
        assert anna.ask("GET", f"/api/games/{later}").code == "not_found"
        assert anna.move(game, "k", version=3).code == "ok"
        assert machine.run(page["Roll back"]) == "ready\n"
        assert anna.look(game)["version"] == 4
        assert anna.open("classic").game
    found = machine.run(page["Something is slow"])
    metrics = (machine.folder / "tmp/duel-metrics").read_text()
    route = '{method="GET",route="/api/games/{game}"}'
    total, count = (
        float(metrics.partition(f"digit_duel_request_seconds_{what}{route} ")[2].partition("\n")[0])
        for what in ("sum", "count")
    )
    assert f"{total / count:.4f} {count:.0f} {route}\n" in found
    assert "digit_duel_commit_seconds_count" in found
    assert '"message": "ready"' in found
