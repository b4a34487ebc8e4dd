"""Settings by option, environment and file, in this order; secrets by file, and never quoted."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from tests.web.server import free_port, running_server, until

from digit_duel.web.configuration import read_settings
from digit_duel.web.server_key import key_path
from digit_duel.web.settings import BadSetting, Settings


def test_an_option_overrides_the_environment_which_overrides_the_file(tmp_path: Path) -> None:
    file = tmp_path / "duel.toml"
    file.write_text(
        'port = 1\nhost = "file"\nkeep_over = 3\npoll = 2.5\npublic_url = "https://duel.example/"\n'
    )
    environment = {"DIGIT_DUEL_PORT": "4", "DIGIT_DUEL_HOST": "environment", "DIGIT_DUEL_HOME": "/"}
    settings = read_settings({"port": "5"}, environment, str(file))
    assert (settings.port, settings.host, settings.keep_over, settings.poll) == (5, "environment", 3, 2.5)
    assert settings.public_url == "https://duel.example"
    assert settings.drain == Settings().drain == 5.0
    named = {**environment, "DIGIT_DUEL_CONFIG": str(file)}
    assert read_settings({}, named) == read_settings({"port": "4"}, environment, str(file))


def test_every_setting_can_be_given_in_each_way(tmp_path: Path) -> None:
    texts = dict.fromkeys(Settings.__dataclass_fields__, "7") | {"public_url": "http://seven"}
    variables = {f"DIGIT_DUEL_{name.upper()}": text for name, text in texts.items()}
    file = tmp_path / "duel.toml"
    file.write_text("".join(f'{name} = "{text}"\n' for name, text in texts.items()))
    by_option = read_settings(texts, {})
    assert by_option.keep_over == by_option.port == 7
    assert read_settings({}, variables) == read_settings({}, {}, str(file)) == by_option


def test_a_misspelt_variable_is_named_in_the_log(tmp_path: Path) -> None:
    variables = {"DIGIT_DUEL_KEEP_OVR": "9", "DIGIT_DUEL_KEEP_OVER": "9", "DIGIT_DUEL_DATABASE_FILE": "x"}
    with running_server(tmp_path, env=variables) as server:
        lines = [json.loads(line) for line in server.log.read_text().splitlines()]
    named = {line["name"] for line in lines if line["message"] == "unknown_variable"}
    assert named & {*variables, "DIGIT_DUEL_HOME"} == {"DIGIT_DUEL_KEEP_OVR"}


def test_secrets_are_read_from_files_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "url").write_text("postgresql://duel:s3cret@here/duel\n")
    (tmp_path / "token").write_text("t0ken\n")
    file = tmp_path / "duel.toml"
    file.write_text(f'database = "old.sqlite3"\nmetrics_token_file = "{tmp_path}/token"\n')
    settings = read_settings({}, {"DIGIT_DUEL_DATABASE_FILE": str(tmp_path / "url")}, str(file))
    assert settings.database == "postgresql://duel:s3cret@here/duel"
    assert settings.metrics_token == "t0ken"
    assert "s3cret" not in repr(settings)
    assert "t0ken" not in repr(settings)
    assert read_settings({"database": "x"}, {"DIGIT_DUEL_DATABASE_FILE": "nowhere"}).database == "x"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("keep_ever = 1", "there is no setting 'keep_ever'; there are: database,"),
        ('poll = "s3cret"', "poll must be a number."),
        ("keep_over = 1.5", "keep_over must be a number."),
        ("poll = -1", "poll must be a number from 0 to 10^12."),
        ("poll = 0", "poll must be more than 0."),
        ("most_events = 0", "most_events must be more than 0."),
        ("asks_per_second = 0.0", "asks_per_second must be more than 0."),
        ("port = 65536", "port must be a number from 0 to 65535."),
        ("drain = true", "drain must be a string or a number."),
        ("port: 1", "is not TOML:"),
        ('database_file = "nowhere"', "nowhere, named by database_file, cannot be read."),
        ('public_url = "duel.example"', "public_url must be an address such as https://duel.example"),
    ],
)
def test_an_invalid_settings_file_is_refused_with_the_reason(
    tmp_path: Path, text: str, sentence: str
) -> None:
    file = tmp_path / "duel.toml"
    file.write_text(text)
    with pytest.raises(BadSetting) as refused:
        read_settings({}, {}, str(file))
    assert sentence in str(refused.value)
    assert "s3cret" not in str(refused.value)
    with pytest.raises(BadSetting, match=r"none\.toml cannot be read"):
        read_settings({}, {}, str(tmp_path / "none.toml"))


@pytest.mark.parametrize("name", ["database", "metrics_token"])
def test_an_empty_secret_is_refused_instead_of_ignored(tmp_path: Path, name: str) -> None:
    (tmp_path / "secret").write_text("\n")
    with pytest.raises(BadSetting) as refused:
        read_settings({f"{name}_file": str(tmp_path / "secret")}, {})
    assert str(refused.value) == f"{tmp_path}/secret, named by {name}_file, is empty."


@pytest.mark.parametrize("name", ["database", "metrics_token"])
def test_an_empty_name_of_a_secret_file_is_refused_instead_of_ignored(tmp_path: Path, name: str) -> None:
    """Otherwise the server would start with another database than that of the file: an empty one."""
    (tmp_path / "duel.toml").write_text(f'{name} = "postgresql:///duel"')
    with pytest.raises(BadSetting) as refused:
        read_settings({}, {f"DIGIT_DUEL_{name.upper()}_FILE": ""}, str(tmp_path / "duel.toml"))
    assert str(refused.value) == f"{name}_file is empty: it must name a file."


def test_an_address_in_the_place_of_a_name_is_not_quoted() -> None:
    """As in --set ADDRESS, where the address has a parameter and so an equals sign."""
    with pytest.raises(BadSetting) as refused:
        read_settings({"postgresql://duel:s3cret@here/duel?sslmode": "require"}, {})
    assert str(refused.value).startswith("there is no such setting; there are: database, host,")
    assert "s3cret" not in str(refused.value)


def test_the_key_is_beside_the_database_file_or_else_in_the_folder_of_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIGIT_DUEL_HOME", str(tmp_path / "home"))
    for database in (f"{tmp_path}/duel.sqlite3", f"sqlite:///{tmp_path}/duel.sqlite3"):
        assert key_path(Settings(database=database)) == tmp_path / "duel.sqlite3.key"
    assert key_path(Settings(database="postgresql:///duel")) == tmp_path / "home" / "server.key"
    assert key_path(Settings(key_file="elsewhere")) == Path("elsewhere")


def test_a_file_can_hold_all_settings_and_metrics_need_the_token(tmp_path: Path) -> None:
    """Without the token, or with another site's Host, /metrics is not found."""
    port = free_port()
    (tmp_path / "token").write_text("t0ken\n")
    (tmp_path / "duel.toml").write_text(
        f'port = {port}\ndatabase = "{tmp_path}/games.sqlite3"\nmetrics_token_file = "{tmp_path}/token"\n'
    )
    environment = {"DIGIT_DUEL_HOME": str(tmp_path), "DIGIT_DUEL_CONFIG": str(tmp_path / "duel.toml")}
    process = subprocess.Popen(
        [sys.executable, "-m", "digit_duel", "serve"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, env={**os.environ, **environment},
    )  # fmt: skip
    with process:
        assert process.stderr is not None
        until(lambda: process.stderr is not None and '"ready"' in process.stderr.readline())
        until(lambda: _status(port, {}) == 404)
        assert _status(port, {"Authorization": "Bearer t0ken"}) == 200
        assert _status(port, {"Authorization": "Bearer t0ken", "Host": "evil.example"}) == 404
        assert _status(port, {"Authorization": "Bearer t0keN"}) == 404
        process.terminate()
        assert process.wait(30) == 0
    assert (tmp_path / "games.sqlite3").exists()


def _status(port: int, headers: dict[str, str]) -> int:
    try:
        found = httpx.get(f"http://127.0.0.1:{port}/metrics", headers=headers, trust_env=False)
    except httpx.ConnectError:
        return 0
    return found.status_code
