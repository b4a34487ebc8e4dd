"""Reads settings: options override the environment, which overrides a file, which overrides the defaults."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path

from digit_duel.web.settings import BadSetting, Settings

PREFIX = "DIGIT_DUEL_"
FILE = f"{PREFIX}CONFIG"  # the variable that names the file
_SECRETS = ("database", "metrics_token")  # each may be read from a file of its own, as docker secrets are
_NAMES = [field.name for field in fields(Settings)]
_VARIABLES = {f"{PREFIX}{name.upper()}": name for name in (*_NAMES, *(f"{name}_file" for name in _SECRETS))}
_NO_SETTINGS = {FILE, f"{PREFIX}HOME", f"{PREFIX}GAMES", f"{PREFIX}CRASH_AT"}


def read_settings(
    options: Mapping[str, str],
    environment: Mapping[str, str],
    file: str | None = None,
    database: Callable[[], str] | None = None,
) -> Settings:
    """Read the settings, or raise BadSetting, whose message quotes no value: it may be secret.

    The database function makes the default of the setting with that name.
    """
    file = file or environment.get(FILE)
    found = _in_file(Path(file)) if file else {}
    for layer in (_in_environment(environment), options):
        for name in _SECRETS:  # a secret overrides a lower layer's secret file, and the reverse
            if name in layer or f"{name}_file" in layer:
                found.pop(name, None)
                found.pop(f"{name}_file", None)
        found.update(layer)
    found = {**_from_files(found), **found}
    if "database" not in found and database is not None:
        found["database"] = database()
    return Settings.of(found)


def _in_environment(environment: Mapping[str, str]) -> dict[str, str]:
    return {name: environment[variable] for variable, name in _VARIABLES.items() if variable in environment}


def unknown_variables(environment: Mapping[str, str]) -> list[str]:
    """Variables that are named like settings but set nothing, such as misspelt ones."""
    known = _VARIABLES.keys() | _NO_SETTINGS
    return sorted(name for name in environment if name.startswith(PREFIX) and name not in known)


def _in_file(path: Path) -> dict[str, str]:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise BadSetting(f"{path} cannot be read.") from None
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as wrong:
        raise BadSetting(f"{path} is not TOML: {wrong}.") from None
    for name, value in found.items():
        if not isinstance(value, str | int | float) or isinstance(value, bool):
            raise BadSetting(f"{path}: {name[:40]} must be a string or a number.")
    return {name: str(value) for name, value in found.items()}


def _from_files(found: dict[str, str]) -> dict[str, str]:
    """Read the secrets that are in files of their own, and remove their paths from what was found."""
    secrets = {}
    for name in _SECRETS:
        if (path := found.pop(f"{name}_file", None)) is not None:
            if not path:
                raise BadSetting(f"{name}_file is empty: it must name a file.")
            try:
                secrets[name] = Path(path).read_text(encoding="utf-8").strip()
            except (OSError, UnicodeDecodeError):
                raise BadSetting(f"{path}, named by {name}_file, cannot be read.") from None
            if not secrets[name]:
                raise BadSetting(f"{path}, named by {name}_file, is empty.")
    return secrets
