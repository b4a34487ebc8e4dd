"""JSON from a server, which may be broken, newer or hostile: read with checks."""

from __future__ import annotations

import json
from dataclasses import dataclass

from digit_duel.cli.errors import Problem


@dataclass(frozen=True, slots=True)
class Json:
    """A JSON value; reading it as something that it is not raises Problem."""

    value: object

    @staticmethod
    def parse(text: bytes) -> Json:
        """Parse a text; an invalid one reads as null."""
        try:
            return Json(_without_control_characters(json.loads(text)))
        except (ValueError, RecursionError):
            return Json(None)

    def __getitem__(self, key: str | int) -> Json:
        match self.value:
            case dict() if key in self.value:
                return Json(self.value[key])
            case list() if isinstance(key, int) and 0 <= key < len(self.value):
                return Json(self.value[key])
        raise not_understood()

    def __contains__(self, key: str) -> bool:
        return isinstance(self.value, dict) and key in self.value

    @property
    def text(self) -> str:
        """The value as text."""
        if not isinstance(self.value, str):
            raise not_understood()
        return self.value

    @property
    def number(self) -> int:
        """The value as a whole number."""
        if type(self.value) is not int:
            raise not_understood()
        return self.value

    @property
    def items(self) -> list[Json]:
        """The items of a list."""
        if not isinstance(self.value, list):
            raise not_understood()
        return [Json(item) for item in self.value]

    @property
    def texts(self) -> dict[str, str]:
        """An object whose values are texts."""
        if not isinstance(self.value, dict):
            raise not_understood()
        return {key: Json(value).text for key, value in self.value.items()}

    @property
    def is_object(self) -> bool:
        """Whether the value is an object."""
        return isinstance(self.value, dict)

    @property
    def is_null(self) -> bool:
        """Whether the value is null."""
        return self.value is None

    @property
    def is_true(self) -> bool:
        """Whether the value is true."""
        return self.value is True

    def over(self, earlier: Json) -> Json:
        """This object, with what it leaves out taken from an earlier one."""
        if not (isinstance(self.value, dict) and isinstance(earlier.value, dict)):
            raise not_understood()
        return Json({**earlier.value, **self.value})


def not_understood() -> Problem:
    """The problem with an answer that is not what this version expects."""
    return Problem("this program does not understand the server's answer; the server may be newer.")


def _without_control_characters(found: object) -> object:
    """The same value, in which no text can send commands to the terminal."""
    if isinstance(found, str):
        return printable_lines(found)
    if isinstance(found, dict):
        return {printable_lines(key): _without_control_characters(value) for key, value in found.items()}
    return [_without_control_characters(item) for item in found] if isinstance(found, list) else found


def printable_lines(text: str) -> str:
    """A text with all control characters but line breaks replaced."""
    return "".join(c if c.isprintable() or c == "\n" else "\N{REPLACEMENT CHARACTER}" for c in text)
