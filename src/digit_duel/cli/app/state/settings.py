"""The settings of the app, kept in a small file beside the saved games."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from digit_duel.bots import DEFAULT_LEVEL, LEVELS
from digit_duel.cli.app.themes import DEFAULT, THEMES
from digit_duel.cli.play.plan import COMPUTER, Plan
from digit_duel.core.files import home_folder, write_whole
from digit_duel.core.names import BadName, clean_names
from digit_duel.core.variant import AnyVariant

_MAX_BYTES = 4000
_MAX_LINK = 300  # characters
NOTATIONS = ("words", "notation")


@dataclass(frozen=True, slots=True)
class Settings:
    """The choices that the app remembers."""

    theme: str = DEFAULT
    notation: str = NOTATIONS[0]
    level: str = DEFAULT_LEVEL
    name: str = "Player 1"
    friend: str = "Player 2"
    server: str = ""  # the address of the server played on last
    online_game: str = ""  # a link to the unfinished game there

    def checked(self) -> Settings:
        """The same settings, with defaults for values that this version does not know."""
        standard = Settings()
        names = (self.name, self.friend)
        try:
            names = clean_names(*names)
        except BadName:
            names = (standard.name, standard.friend)
        return Settings(
            self.theme if self.theme in THEMES else standard.theme,
            self.notation if self.notation in NOTATIONS else standard.notation,
            self.level if self.level in LEVELS else standard.level,
            *names,
            _one_line(self.server),
            _one_line(self.online_game),
        )


def _one_line(text: str) -> str:
    return text if text.isprintable() and len(text) <= _MAX_LINK else ""


def path() -> Path:
    """The file of the settings."""
    return home_folder("state") / "settings.json"


def load() -> Settings:
    """The settings, or the defaults where there is no file or it cannot be read."""
    try:
        with open(path(), "rb") as file:
            found = json.loads(file.read(_MAX_BYTES))
        known = {field.name for field in fields(Settings)}
        texts = {key: value for key, value in found.items() if key in known and isinstance(value, str)}
    except (OSError, ValueError, AttributeError):
        return Settings()
    return Settings(**texts).checked()


def save(settings: Settings) -> None:
    """Save the settings; if nothing can be written, they last until the app ends."""
    with suppress(OSError):
        write_whole(path(), json.dumps(asdict(settings), indent=1).encode())


def against_computer(variant: AnyVariant, settings: Settings) -> Plan:
    """A game against the computer at the chosen level."""
    computer = COMPUTER if settings.name != COMPUTER else "Machine"
    return Plan(variant, clean_names(settings.name, computer), (None, settings.level))
