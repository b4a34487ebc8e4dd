"""The reader of strangers' JSON: SAFETY D3, D4 and D8, without a server."""

from __future__ import annotations

import json
from contextlib import suppress
from itertools import accumulate
from time import thread_time
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digit_duel.web.http.input.json_input import parse
from digit_duel.web.http.input.requests import AnalysePosition, JoinGame, NewGame, StartSession, read_command
from digit_duel.web.http.input.validation import checked
from digit_duel.web.play.command_types import Command
from digit_duel.web.play.events import canonical
from digit_duel.web.replies import Code, Refusal

MOST = 4096


def refused(text: bytes | str) -> Code:
    with pytest.raises(Refusal) as refusal:
        parse(text, MOST)
    return refusal.value.code


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "nul", "null", "true", "1", '"a"', "[]", "[1]", "{", "}", "{]", '{"a":}', "{'a':1}",
        '{"a":1,}',
        '{"a":NaN}', '{"a":Infinity}', '{"a":-Infinity}', '{"a":1e999}', '{"a":1e2}', '{"a":3.0}',
        '{"a":-0.0}',
        '{"a":1}{"a":1}', '{"a":1} x', '{"a":1,"a":1}', '{"a":1,"a":2}', '{"b":{"a":1,"a":2}}',
        '{"\\u0061":1,"a":1}',
        '\ufeff{"a":1}', '{"a":01}', '{"a":+1}', '{"a":0x3}', '{"a":1_0}', '{"a":"\n"}', '{a:1}', '{"a":1}//',
        '{"a":٣}', '{"a":\uff13}', "\x00", '{"a":1}\x00', '{"a": .5}', '{"a":"\\x41"}',
        '{"a":"\\u0000"}', '{"\\u0000":1}', '{"a":["\\ud800"]}', '{"a":{"\\udfff":1}}',
    ],
)  # fmt: skip
def test_what_is_not_exactly_one_object_of_plain_json_is_refused(text: str) -> None:
    """D3: two parsers could read it differently, or one of them could fail."""
    assert refused(text) is Code.BAD_REQUEST
    assert refused(text.encode()) is Code.BAD_REQUEST


@pytest.mark.parametrize(
    "data", [b"\xff{}", b'{"a":"\xc3"}', b'{"a":"\xed\xa0\x80"}', b"\x80", "{}".encode("utf-16")]
)
def test_bytes_that_are_not_utf_8_are_refused(data: bytes) -> None:
    """D5."""
    assert refused(data) is Code.BAD_REQUEST


@pytest.mark.parametrize(
    "text", ['{"a":9' + "9" * 4000 + "}", "{" + '"a":{' * 200, '{"a":' + "[" * 2000 + "]" * 2000 + "}"]
)
def test_long_invalid_json_is_refused_quickly(text: str) -> None:
    """D4: with little work, which a busy machine makes slower, but not larger."""
    began = thread_time()
    with pytest.raises(Refusal) as refusal:
        checked(parse(text, MOST), StartSession)
    assert refusal.value.code is Code.BAD_REQUEST
    assert thread_time() - began < 0.5


@pytest.mark.parametrize("size", [MOST + 1, 100_000, 1_000_000])
@pytest.mark.parametrize("filling", ["[", '"', "1", " ", "{"])
def test_what_is_too_large_is_not_read_at_all(size: int, filling: str) -> None:
    """D4: only its length is looked at."""

    class Unread(str):
        def __getattribute__(self, name: str) -> object:
            raise AssertionError(f"{name} was looked at")

    assert refused(Unread(filling * size)) is Code.TOO_LARGE


def test_eight_levels_are_read_and_nine_are_not() -> None:
    """D4."""
    assert parse('{"a":' + "[" * 7 + "]" * 7 + "}", MOST) == {"a": [[[[[[[]]]]]]]}
    assert refused('{"a":' + "[" * 8 + "]" * 8 + "}") is Code.BAD_REQUEST


def test_exactly_the_largest_is_read() -> None:
    """D4."""
    text = '{"a":"' + "x" * (MOST - 8) + '"}'
    assert len(text) == MOST
    assert parse(text, MOST) == {"a": "x" * (MOST - 8)}


# Fields: where each kind of value is sent, in a body that is otherwise right.

COMMAND = {"id": "x", "version": 3}
FIELDS: dict[str, tuple[type, dict[str, Any], str]] = {
    "text": (JoinGame, {}, "name"),
    "id": (cast(type, Command), {**COMMAND, "do": "resign"}, "id"),
    "seed": (JoinGame, {"name": "x"}, "seed"),
    "number": (cast(type, Command), {**COMMAND, "do": "clock"}, "minutes"),
    "truth": (StartSession, {}, "bearer"),
    "word": (NewGame, {"variant": "x"}, "opponent"),
    "seat": (JoinGame, {"name": "x"}, "seat"),
    "optional text": (JoinGame, {"name": "x"}, "invite"),
    "options": (NewGame, {"variant": "x", "opponent": "friend"}, "settings"),
    "list": (AnalysePosition, {"variant": "x"}, "moves"),
    "rule": (NewGame, {"variant": "x", "opponent": "friend"}, "match"),
}
STRANGE_TEXTS = [
    "\u0663", "\uff13", "1 ", "AB", "ab", "abc", "ab\n", "x\n", "\u017f", "\u212a", "\u0130", "a b",
    "0f" * 33, "best of 3\n", "best of 0", "best of 100", "best of \u0663", "friend\n", "Friend",
]  # fmt: skip
TEXTS = ["", "x", "3", "x" * 201, *STRANGE_TEXTS]
GOOD: dict[str, list[Any]] = {
    "text": TEXTS,
    "id": ["x", "3", "AB", "ab", "abc", "Friend", "A-z_0.9:", "x" * 64],
    "seed": ["", "ab", "0f" * 32],
    "number": [1, 2, 3, 11, 180],
    "truth": [True, False],
    "word": ["friend", "computer", "same_device"],
    "seat": [0, 1, None],
    "optional text": [*(text for text in TEXTS if len(text) <= 100), None],
    "options": [{}, {"a": "b"}],
    "list": [[], ["x"], ["a", "b", "c"], ["x"] * 4],
    "rule": ["best of 3", "first to 99", None],
}  # fmt: skip
STRANGE: list[Any] = [
    None, True, False, 0, 1, 2, -1, 11, 3, 181, 10**30, *TEXTS, "x" * 1001, "\x00", "\ud800", [], ["x"], [1],
    ["x"] * 4, ["x" * 21], ["\udfff"], {}, {"a": 1}, {"a": "\ud800"}, {"x" * 41: "a"}, {"a": "x" * 101},
    {str(at): "" for at in range(21)}, [[]], [None], ["x"] * 201,
]  # fmt: skip


def sent(kind: type, body: dict[str, Any]) -> Any:
    return checked(parse(json.dumps(body), 100_000), kind)


@pytest.mark.parametrize("field", FIELDS)
def test_a_field_has_its_exact_type_and_nothing_is_taken_for_another(field: str) -> None:
    """D1, D3, D6, D8: true is not 1, "3" is not 3, an Arabic digit is no digit."""
    kind, rest, name = FIELDS[field]
    for value in GOOD[field]:
        found = getattr(sent(kind, {**rest, name: value}), name)
        assert found == value
        assert isinstance(found, type(value))
    good = [json.dumps(value) for value in GOOD[field]]
    for value in STRANGE:
        if json.dumps(value) in good:
            continue
        with pytest.raises(Refusal) as refusal:
            sent(kind, {**rest, name: value})
        assert refusal.value.code is Code.BAD_REQUEST
        refusal.value.message.encode()  # half a character must not come back


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("text", 3, "'name' must be a text of at most 1000 characters."),
        ("id", "", "'id' must be 1 to 64 letters, digits, or _ . : -."),
        ("seed", "xy", "'seed' must be at most 64 hexadecimal digits in lower case, two for each byte."),
        ("number", 0, "'minutes' must be a whole number from 1 to 180."),
        ("truth", "yes", "'bearer' must be true or false."),
        ("word", "enemy", "'opponent' must be one of: computer, friend, same_device."),
        ("seat", 2, "'seat' must be one of: 0, 1."),
        ("optional text", 1, "'invite' must be a text of at most 100 characters."),
        ("options", {"a": 1},
         "'settings' must be an object of at most 20 fields, each a text of at most 100 characters."),
        ("list", [1], "'moves' must be a list of at most 200 items, each a text of at most 20 characters."),
        ("rule", "best of x", "'match' must be like 'best of 3' or 'first to 3', up to 99."),
    ],
)  # fmt: skip
def test_a_refusal_says_which_field_is_wrong_and_what_it_must_be(
    field: str, value: Any, sentence: str
) -> None:
    kind, rest, name = FIELDS[field]
    with pytest.raises(Refusal) as refusal:
        sent(kind, {**rest, name: value})
    assert refusal.value.message == sentence


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({}, "'do' is missing."),
        ({"id": "x", "version": 3}, "'do' is missing."),
        ({"id": "x", "do": "resign"}, "'version' is missing."),
        ({**COMMAND, "do": "clock"}, "'minutes' is missing."),
        ({**COMMAND, "do": "resign", "zz": 1}, "'zz' is not expected here."),
        ({**COMMAND, "do": "resign", "minutes": 5}, "'minutes' is not expected here."),
        ({**COMMAND, "do": "x"},
         "'do' must be one of: move, resign, takeback, rematch, clock, decline, claim."),
        ({**COMMAND, "do": 1},
         "'do' must be one of: move, resign, takeback, rematch, clock, decline, claim."),
        ({**COMMAND, "version": True, "do": "resign"}, "'version' must be a whole number from 0 to 1000000."),
        ({**COMMAND, "do": "move"}, "A move needs either 'move' in notation or 'text' as it is typed."),
        ({**COMMAND, "do": "move", "move": "x", "text": "x"},
         "A move needs either 'move' in notation or 'text' as it is typed."),
    ],
)  # fmt: skip
def test_an_invalid_command_is_refused_with_the_reason(body: dict[str, Any], sentence: str) -> None:
    """D3: what is missing, what is too much, and what is wrong."""
    with pytest.raises(Refusal) as refusal:
        read_command(body)
    assert refusal.value.message == sentence


def _deepest(text: str) -> int:
    """The most brackets that are open at once, in strings too."""
    depths = accumulate((letter in "[{") - (letter in "]}") for letter in text)
    return max(depths)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner, max_size=3)
    )
)
def test_any_whole_json_is_read_as_the_standard_library_reads_it(value: Any) -> None:
    text = json.dumps({"a": value})
    if _deepest(text) <= 8 and "\\u0000" not in text:
        assert parse(text, 100_000) == json.loads(text)
    else:
        assert refused(text) is Code.BAD_REQUEST


@given(st.binary(max_size=200) | st.text(max_size=200))
def test_any_bytes_are_an_object_or_refused(data: bytes | str) -> None:
    """R8: nothing else is raised."""
    with suppress(Refusal):
        assert isinstance(parse(data, MOST), dict)


# What is read, and what is written.

WORDS = st.one_of(
    st.text(max_size=6), st.sampled_from(["do", "id", 'a"b', "\\", "\x7f", "é", "\u2028", "{", ":"])
)
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), WORDS),
    lambda more: st.one_of(st.lists(more, max_size=2), st.dictionaries(WORDS, more, max_size=2)),
    max_leaves=4,
)
PAIRS = st.lists(st.tuples(WORDS, VALUES), max_size=4)  # the same name may stand there twice


def _storable(value: Any) -> bool:
    """Whether an event can hold it: no fraction, no number beyond 64 bits, no half character."""
    if isinstance(value, float):
        return False
    if isinstance(value, int):
        return -(1 << 63) <= value < 1 << 63
    if isinstance(value, str):
        return not any("\ud800" <= character <= "\udfff" for character in value)
    if isinstance(value, dict):
        return all(_storable(each) for pair in value.items() for each in pair)
    return all(map(_storable, value)) if isinstance(value, list) else True


def _read(text: str) -> Any:
    try:
        return parse(text, MOST)
    except Refusal as refusal:
        return refusal.code, refusal.message


@given(PAIRS, st.booleans(), st.integers(0, 40), st.sampled_from(["", '"', ",", "}", " ", "\\", "\x00", "1"]))
def test_what_is_read_is_what_the_json_says_without_repetitions(
    pairs: list[tuple[str, Any]], ascii_only: bool, at: int, more: str
) -> None:
    """D3: duplicates, fractions, escapes and everything that somebody put in between."""
    members = (f"{json.dumps(name, ensure_ascii=ascii_only)}: {json.dumps(value)}" for name, value in pairs)
    text = "{" + ", ".join(members) + "}"
    text = text[:at] + more + text[at:]
    read = _read(text)
    if isinstance(read, dict):
        assert repr(read) == repr(json.loads(text)), "1 is not True"
        assert list(read) == [name for name, _ in json.loads(text, object_pairs_hook=list)]


@given(st.dictionaries(WORDS, VALUES, max_size=4).filter(_storable))
def test_there_is_one_canonical_form(body: dict[str, Any]) -> None:
    """F5: what the digests in old logs were made from."""
    expected = json.dumps(body, ensure_ascii=True, separators=(",", ":"), sort_keys=True)
    assert canonical(body) == expected
