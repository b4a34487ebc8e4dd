"""Validates input against a struct, and explains errors in a sentence.

The sentences come from the same types as the checks: msgspec names the invalid field, and the field's type
says what it must be.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeVar

import msgspec
from msgspec import inspect

from digit_duel.web.replies import Code, Refusal

T = TypeVar("T")
_FIELD = re.compile(r" - at (?:`key` in )?`\$(?:\.(\w+))?[^`]*`$", re.ASCII)
_MISSING = re.compile(r"Object missing required field `(.*?)`")
_UNKNOWN = re.compile(r"Object contains unknown field `(.*?)`", re.DOTALL)
_LONGEST_NAME = 20  # of an unknown field, in a sentence


def bad_request(message: str) -> Refusal:
    """Build the refusal of an invalid request."""
    return Refusal(Code.BAD_REQUEST, message)


def checked(found: Mapping[str, object], kind: type[T]) -> T:
    """Convert plain data to a struct, or raise Refusal."""
    try:
        return msgspec.convert(found, kind)
    except msgspec.ValidationError as error:
        raise bad_request(_explained(str(error), found, kind)) from None


def _explained(error: str, found: Mapping[str, object], kind: type) -> str:
    """Say which field is invalid, and what it must be."""
    if missing := _MISSING.match(error):
        return f"'{missing[1]}' is missing."
    if unknown := _UNKNOWN.match(error):
        return f"{unknown[1][:_LONGEST_NAME]!r} is not expected here."
    place = _FIELD.search(error)
    name = place[1] if place else None
    if place is None or name is None:
        return _FIELD.sub("", error)  # raised by the struct's own check, already a sentence
    return f"'{name}' must be {_wanted(name, found, inspect.type_info(kind))}."


def _wanted(name: str, found: Mapping[str, object], kind: inspect.Type) -> str:
    """Describe the type of a field, in the union member that the tag selects."""
    structs = [each for each in _members(kind) if isinstance(each, inspect.StructType)]
    if any(each.tag_field == name for each in structs):
        return f"one of: {', '.join(str(each.tag) for each in structs)}"
    for struct in structs:
        if struct.tag_field is None or struct.tag == found.get(struct.tag_field):
            return next(_described(field.type) for field in struct.fields if field.encode_name == name)
    raise AssertionError(name)


def _members(kind: inspect.Type) -> tuple[inspect.Type, ...]:
    return kind.types if isinstance(kind, inspect.UnionType) else (kind,)


def _described(kind: inspect.Type) -> str:
    """Describe a type in words that complete a sentence."""
    match kind:
        case inspect.Metadata(extra_json_schema={"description": str(text)}):
            return text
        case inspect.Metadata():
            return _described(kind.type)
        case inspect.UnionType():
            return next(_described(each) for each in kind.types if not isinstance(each, inspect.NoneType))
        case inspect.IntType():
            return f"a whole number from {kind.ge} to {kind.le}"
        case inspect.StrType():
            return f"a text of at most {kind.max_length} characters"
        case inspect.BoolType():
            return "true or false"
        case inspect.LiteralType():
            return f"one of: {', '.join(map(str, kind.values))}"
        case inspect.EnumType():
            return f"one of: {', '.join(str(each.value) for each in kind.cls)}"
        case inspect.ListType():
            return f"a list of at most {kind.max_length} items, each {_described(kind.item_type)}"
        case inspect.DictType():
            return f"an object of at most {kind.max_length} fields, each {_described(kind.value_type)}"
    raise AssertionError(kind)
