"""Parses JSON strictly: limited in size and depth, and nothing that parsers interpret differently."""

from __future__ import annotations

import json
import re
from typing import NoReturn

from digit_duel.web.http.input.validation import bad_request
from digit_duel.web.replies import Code, Refusal

_DEEPEST = 8
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")  # escapes can produce NUL characters and lone surrogates


def parse(data: bytes | str, most: int) -> dict[str, object]:
    """Parse a text that must be one JSON object, or raise Refusal."""
    if len(data) > most:
        raise Refusal(Code.TOO_LARGE, f"This is too large: at most {most} bytes are allowed.")
    try:
        text = data.decode("utf-8") if isinstance(data, bytes) else data
    except UnicodeDecodeError:
        raise bad_request("The text is not valid UTF-8.") from None
    if text.count("[") + text.count("{") > _DEEPEST and _depth(text) > _DEEPEST:
        raise bad_request("The JSON is nested too deeply.")
    try:
        found = _DECODER.decode(text)
    except Refusal:
        raise
    except (ValueError, RecursionError):
        raise bad_request("The text is not valid JSON.") from None
    if not isinstance(found, dict):
        raise bad_request("The JSON must be an object.")
    if not _sound(found):
        raise bad_request("A text contains a NUL character or half of a surrogate pair.")
    return found


def _depth(text: str) -> int:
    """The depth of the brackets; those in strings count too, which can only overestimate."""
    depth = most = 0
    for character in text:
        if character in "[{":
            depth += 1
            most = max(most, depth)
        elif character in "]}":
            depth -= 1
    return most


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise bad_request("A name occurs twice in an object.")
    return found


def _refuse(text: str) -> NoReturn:
    raise bad_request("Numbers must be whole numbers.")


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_refuse, parse_float=_refuse)


def _sound(value: object) -> bool:
    """Whether all strings can be stored."""
    if isinstance(value, str):
        return _UNSTORABLE.search(value) is None
    if isinstance(value, dict):
        return all(_sound(name) and _sound(each) for name, each in value.items())
    return all(map(_sound, value)) if isinstance(value, list) else True
