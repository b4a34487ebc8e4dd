"""A file format for solved values: small, for the states of any game.

| bytes | what                                                          |
| 4     | magic, DDVF                                                   |
| 1     | format version                                                |
| 32    | SHA-256 of all that follows                                   |
| 4     | length of the title                                           |
| ...   | title: the rules that the values are for, as text             |
| 4     | length of the values, then each value as a line of text       |
| 4     | number of states, then (zlib) their sorted keys of 6 bytes,   |
|       | and the number of each state's value in 2 bytes               |

Numbers are little-endian. A state's key is the start of the BLAKE2 hash of its repr, which for a frozen
dataclass determines its value; writing a file checks that no two states share a key.
"""

from __future__ import annotations

import struct
import zlib
from array import array
from bisect import bisect_left
from collections.abc import Hashable, Iterable
from fractions import Fraction
from hashlib import blake2b, sha256

from digit_duel.solve.errors import DamagedTable
from digit_duel.solve.value import Score, Value

MAGIC = b"DDVF"
VERSION = 1
KEY = 6
LARGEST = 64 << 20
_LENGTH = struct.Struct("<I")


def key_of(state: Hashable) -> int:
    """The key of a state."""
    return int.from_bytes(blake2b(repr(state).encode(), digest_size=KEY).digest(), "little")


class ValueFile:
    """The values of some states of one game."""

    def __init__(self, title: str, keys: array[int], numbers: array[int], values: list[Value]) -> None:
        self.title, self._keys, self._numbers, self._values = title, keys, numbers, values

    @staticmethod
    def of(title: str, found: Iterable[tuple[Hashable, Value]]) -> ValueFile:
        """A file with these states, which must be distinct; raises ValueError if two share a key."""
        entries = sorted((key_of(state), value) for state, value in found)
        if len({key for key, _ in entries}) < len(entries):
            raise ValueError("two states share a key")
        values = sorted({value for _, value in entries})
        number = {value: at for at, value in enumerate(values)}
        return ValueFile(
            title,
            array("Q", (key for key, _ in entries)),
            array("H", (number[value] for _, value in entries)),
            values,
        )

    def __len__(self) -> int:
        return len(self._keys)

    def get(self, state: Hashable) -> Value | None:
        """The value of a state; None if the file does not have it."""
        key = key_of(state)
        at = bisect_left(self._keys, key)
        if at == len(self._keys) or self._keys[at] != key:
            return None
        return self._values[self._numbers[at]]

    def encode(self) -> bytes:
        """The file's bytes."""
        keys = b"".join(key.to_bytes(KEY, "little") for key in self._keys)
        numbers = b"".join(number.to_bytes(2, "little") for number in self._numbers)
        values = "\n".join(f"{score} {haste} {margin}" for score, haste, margin in self._values).encode()
        title = self.title.encode()
        body = b"".join(
            [
                _LENGTH.pack(len(title)), title, _LENGTH.pack(len(values)), values,
                _LENGTH.pack(len(self._keys)), zlib.compress(keys + numbers, 9),
            ]
        )  # fmt: skip
        return MAGIC + bytes([VERSION]) + sha256(body).digest() + body

    @staticmethod
    def decode(data: bytes, title: str) -> ValueFile:
        """Read the values from a file's bytes; raises DamagedTable, also if they are for other rules."""
        head, digest, body = data[:5], data[5:37], data[37:]
        if head != MAGIC + bytes([VERSION]):
            raise DamagedTable("this is not a value file, or one of another format version")
        if sha256(body).digest() != digest:
            raise DamagedTable("this value file is truncated or corrupted")
        found, rest = _cut(body)
        if found.decode() != title:
            raise DamagedTable("this value file is for other rules")
        lines, rest = _cut(rest)
        (count,) = _LENGTH.unpack(rest[:4])
        raw = zlib.decompressobj().decompress(rest[4:], max_length=LARGEST)
        if len(raw) != count * (KEY + 2):
            raise DamagedTable("this value file has the wrong length")
        keys = array("Q", (int.from_bytes(raw[at : at + KEY], "little") for at in range(0, count * KEY, KEY)))
        numbers = array("H", struct.unpack(f"<{count}H", raw[count * KEY :]))
        return ValueFile(title, keys, numbers, [_value(text) for text in lines.decode().split("\n") if text])


def _cut(data: bytes) -> tuple[bytes, bytes]:
    (length,) = _LENGTH.unpack(data[:4])
    return data[4 : 4 + length], data[4 + length :]


def _value(text: str) -> Value:
    score, haste, margin = text.split(" ")
    exact: Score = Fraction(score)
    return Value(int(exact) if exact.denominator == 1 else exact, int(haste), int(margin))
