"""The example bot plays every game to its end, against the computer and against itself."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from tests.documents import blocks
from tests.web.server import Server

from digit_duel.games import catalogue

BOT = Path(__file__).parents[3] / "examples" / "bot.py"


def bot(*args: str) -> str:
    done = subprocess.run([sys.executable, str(BOT), *args], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("game", catalogue())
def test_the_bot_plays_any_game_to_its_end_against_the_computer(server: Server, game: str) -> None:
    told = bot(server.url, game)
    assert "Bot" in told or "Computer" in told or "tie" in told.lower()


def test_the_bot_takes_the_seat_that_an_invitation_offers(server: Server) -> None:
    headers = {"Content-Type": "application/json"}

    def ask(path: str, body: object = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        with urllib.request.urlopen(urllib.request.Request(server.url + path, data, headers)) as answer:
            return json.load(answer)

    headers["Authorization"] = f"Bearer {ask('/api/sessions', {'bearer': True})['token']}"
    opened = ask("/api/games", {"variant": "classic", "opponent": "friend"})
    ask(f"/api/games/{opened['game']}/join", {"name": "Anna"})
    with subprocess.Popen(
        [sys.executable, str(BOT), opened["invite"]["url"]], stdout=subprocess.PIPE
    ) as friend:
        view = ask(f"/api/games/{opened['game']}")
        while view["phase"] != "over":
            if view["turn"]:
                wish = {"do": "move", "move": view["moves"][-1]}
                command = {"id": f"move{view['version']}", "version": view["version"], **wish}
                ask(f"/api/games/{opened['game']}/commands", command)
            view = ask(f"/api/games/{opened['game']}")
        assert friend.wait(30) == 0
    assert [player["name"] for player in view["players"]] == ["Anna", "Bot"]


def test_the_example_in_the_documentation_plays_a_game(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    exec(blocks("docs/web/api.md", "python")[0], {"SERVER": server.url})
    assert capsys.readouterr().out.strip()


def test_the_bot_needs_nothing_but_python_and_is_short() -> None:
    tree = ast.parse(BOT.read_text())
    modules = {alias.name for node in tree.body if isinstance(node, ast.Import) for alias in node.names}
    modules |= {str(node.module) for node in tree.body if isinstance(node, ast.ImportFrom)}
    assert {name.partition(".")[0] for name in modules} <= set(sys.stdlib_module_names)
    statements = [node for node in ast.walk(tree) if isinstance(node, ast.stmt)]
    work = [node for node in statements if not isinstance(node, ast.Import | ast.ImportFrom)]
    assert len(work) <= 20
