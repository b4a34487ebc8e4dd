"""JSON from strangers: bounded, exact, and with nothing that two readers could take two ways."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from digit_duel.core.game import Seat
from digit_duel.web.replies import Code, Refusal

_DEEPEST = 8
_SIMPLE = {str, int, bool, type(None)}
_TOKEN = re.compile(r"[A-Za-z0-9_.:-]{1,64}", re.ASCII)
_HEX = re.compile(r"(?:[0-9a-f]{2}){0,32}", re.ASCII)


def bad(message: str) -> Refusal:
    """A request that makes no sense."""
    return Refusal(Code.BAD_REQUEST, message)


def parse(data: bytes | str, most: int) -> dict[str, Any]:
    """The one JSON object in a text, or Refusal."""
    if len(data) > most:
        raise Refusal(Code.TOO_LARGE, f"At most {most} bytes are read.")
    try:
        text = data.decode("utf-8") if isinstance(data, bytes) else data
    except UnicodeDecodeError:
        raise bad("This is not UTF-8.") from None
    if (plain := _plain(text)) is not None:
        return plain
    if text.count("[") + text.count("{") > _DEEPEST and _depth(text) > _DEEPEST:
        raise bad("This is nested too deeply.")
    try:
        found = json.loads(text, object_pairs_hook=_object, parse_constant=_constant, parse_float=_constant)
    except Refusal:
        raise
    except (ValueError, RecursionError):
        raise bad("This is not JSON.") from None
    if not isinstance(found, dict):
        raise bad("A JSON object is expected.")
    if not _sound(found):
        raise bad("A text contains a NUL character or half of a surrogate pair.")
    return found


def _plain(text: str) -> dict[str, Any] | None:
    """The object in a text, read the quick way; None if it takes a closer look to be sure of it.

    Sure is what has no escapes, nothing nested and no fractions, and in which every quote belongs to a name
    or a text that was found: so no name stands there twice.
    """
    if "\\" in text or "[" in text or text.count("{") != 1:
        return None
    try:
        found = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeEncodeError):
        return None
    if type(found) is not dict:
        return None
    kinds = [type(value) for value in found.values()]
    if not _SIMPLE.issuperset(kinds):
        return None
    return found if text.count('"') == 2 * (len(found) + kinds.count(str)) else None


def _sound(value: object) -> bool:
    """Whether all texts can be stored; only escapes can spell a NUL character or a lone surrogate."""
    if isinstance(value, str):
        return "\x00" not in value and not _lone(value)
    if isinstance(value, dict):
        return all(_sound(name) and _sound(each) for name, each in value.items())
    return all(map(_sound, value)) if isinstance(value, list) else True


def _depth(text: str) -> int:
    """How deep the brackets go; those in strings are counted too, which is as well."""
    depth = most = 0
    for character in text:
        if character in "[{":
            depth += 1
            most = max(most, depth)
        elif character in "]}":
            depth -= 1
    return most


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise bad("A name stands here twice.")
    return found


def _constant(text: str) -> Any:
    raise bad("Only whole numbers are used here.")


class Fields:
    """The fields of an object, each asked for once, with its exact type; what is left over is refused."""

    def __init__(self, body: Mapping[str, Any]) -> None:
        self._left = dict(body)

    def text(self, name: str, default: str | None = None, *, most: int = 200) -> str:
        found = self._take(name, default)
        if not isinstance(found, str) or len(found) > most or "\x00" in found or _lone(found):
            raise bad(f"'{name}' must be a text of at most {most} characters.")
        return found

    def token(self, name: str) -> str:
        found = self._take(name, None)
        if not isinstance(found, str) or not _TOKEN.fullmatch(found):
            raise bad(f"'{name}' must be 1 to 64 letters, digits, or _ . : -")
        return found

    def hex(self, name: str) -> str:
        found = self._take(name, "")
        if found is None:
            return ""
        if not isinstance(found, str) or not _HEX.fullmatch(found):
            raise bad(f"'{name}' must be at most 64 hexadecimal digits in lower case.")
        return found

    def whole(self, name: str, low: int, high: int) -> int:
        found = self._take(name, None)
        if type(found) is not int or not low <= found <= high:
            raise bad(f"'{name}' must be a whole number from {low} to {high}.")
        return found

    def yes(self, name: str, default: bool = False) -> bool:
        found = self._take(name, default)
        if type(found) is not bool:
            raise bad(f"'{name}' must be true or false.")
        return found

    def one_of(self, name: str, words: Sequence[str], default: str | None = None) -> str:
        found = self._take(name, default)
        if not isinstance(found, str) or found not in words:
            raise bad(f"'{name}' must be one of: {', '.join(words)}.")
        return found

    def seat(self, name: str = "seat") -> Seat | None:
        found = self._take(name, _NOTHING)
        if found is _NOTHING or found is None:
            return None
        if type(found) is not int or found not in (0, 1):
            raise bad(f"'{name}' must be 0 or 1.")
        return Seat(found)

    def maybe(self, name: str, most: int = 200) -> str | None:
        if self._left.get(name) is None:
            self._left.pop(name, None)
            return None
        return self.text(name, most=most)

    def pairs(self, name: str) -> dict[str, str]:
        """A small object of texts."""
        found = self._take(name, {})
        if not isinstance(found, dict) or len(found) > 20:
            raise bad(f"'{name}' must be an object of at most 20 options.")
        for key, value in found.items():
            if not isinstance(value, str) or len(key) > 40 or len(value) > 100 or _lone(key + value):
                raise bad(f"'{name}' must be an object of short texts.")
        return found

    def texts(self, name: str, most: int) -> list[str]:
        found = self._take(name, [])
        if not isinstance(found, list) or len(found) > most:
            raise bad(f"'{name}' must be a list of at most {most} texts.")
        for text in found:
            if not isinstance(text, str) or len(text) > 20 or _lone(text):
                raise bad(f"'{name}' must be a list of short texts.")
        return found

    def left(self) -> dict[str, Any]:
        """What nobody has asked for yet."""
        return self._left

    def done(self) -> None:
        """Refuse what nobody asked for."""
        if self._left:
            raise bad(f"{sorted(self._left)[0][:20]!r} is not expected here.")

    def _take(self, name: str, default: Any) -> Any:
        found = self._left.pop(name, default)
        if found is None and default is None:
            raise bad(f"'{name}' is missing.")
        return found


_NOTHING = object()


def _lone(text: str) -> bool:
    """Whether a text holds half a character, which no database and no terminal takes."""
    return not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text)
