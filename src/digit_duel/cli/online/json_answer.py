"""JSON from a server, which may be broken, newer or hostile: read with checks."""

from __future__ import annotations

import json
from dataclasses import dataclass

from digit_duel.cli.errors import Problem


@dataclass(frozen=True, slots=True)
class Json:
    """A JSON value; reading it as the wrong type raises Problem."""

    value: object

    @staticmethod
    def parse(text: bytes) -> Json:
        """Parse a text; an invalid one reads as null."""
        try:
            return Json(_without_control_characters(json.loads(text)))
        except (ValueError, RecursionError):
            return Json(None)

    def __getitem__(self, key: str | int) -> Json:
        found = self.value
        if isinstance(found, dict) and key in found:
            return Json(found[key])
        if isinstance(found, list) and isinstance(key, int) and 0 <= key < len(found):
            return Json(found[key])
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
    def is_object(self) -> bool:
        """Whether the value is an object."""
        return isinstance(self.value, dict)

    @property
    def fields(self) -> dict[str, Json]:
        """The fields of an object."""
        if not isinstance(self.value, dict):
            raise not_understood()
        return {key: Json(value) for key, value in self.value.items()}

    def over(self, earlier: Json) -> Json:
        """This object, with missing fields taken from an earlier one."""
        return Json({key: field.value for key, field in (earlier.fields | self.fields).items()})


def not_understood() -> Problem:
    """The problem with an answer that is not what this version expects."""
    return Problem(
        "this program does not understand the server's answer; the server may be newer. Update digit-duel."
    )


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
