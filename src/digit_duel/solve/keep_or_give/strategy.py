"""A strategy in integers, and its file format."""

from __future__ import annotations

import hashlib
import struct
import zlib
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from digit_duel.core.files import write_whole
from digit_duel.solve.errors import DamagedTable
from digit_duel.solve.keep_or_give.counterfactual import Profile
from digit_duel.solve.keep_or_give.payoffs import FullHandRule, Round
from digit_duel.solve.keep_or_give.public_tree import SECOND, STARTER, AnyArray

PURE, FINE = 1, 65_535  # denominators of keep-probabilities; 0 and 1 are exact with both
MAGIC = b"KEEPGIVE"
VERSION = 1
# magic, version, kinds, hand size, rule, cap, scale, packed size, plain size
_HEAD = struct.Struct("<8sHBBBBHQQ")
_RULES = (FullHandRule.DISCARD, FullHandRule.MUST_KEEP)
_LARGEST = 16_000_000  # a file that declares a larger plain size is rejected

Parts = NDArray[np.uint16]


@dataclass(frozen=True)
class RoundStrategy:
    """The keep-probability of every information set of both seats, as an integer out of `scale`."""

    round: Round
    scale: int
    keep: tuple[Parts, Parts] = field(repr=False)

    def counts(self, seat: int) -> dict[str, AnyArray]:
        """The integers of a seat by word, with an axis per draw."""
        tree = self.round.tree
        return {word: tree.at(self.keep[seat], word) for word in tree.seat_nodes(seat)}

    def profile(self) -> Profile:
        """The strategy as probabilities."""
        starter, second = (parts / self.scale for parts in self.keep)
        return Profile(self.round.tree, (starter, second))


def quantise(round_: Round, profile: Profile, scale: int = FINE) -> RoundStrategy:
    """The nearest strategy with probabilities in multiples of 1 / scale."""
    starter, second = (np.rint(keep * scale).astype(np.uint16) for keep in profile.keep)
    return RoundStrategy(round_, scale, (starter, second))


def _pack(table: RoundStrategy) -> bytes:
    parts = np.concatenate(table.keep)
    # Nearly every choice is pure, so two bits each, and the few mixed ones in full, compress best.
    mixed = (parts > 0) & (parts < table.scale)
    mostly = 2 * parts.astype(np.int64) >= table.scale
    fine = parts[mixed].astype("<u2").tobytes()
    return np.packbits(mostly).tobytes() + np.packbits(mixed).tobytes() + fine


def _unpack(plain: bytes, size: int, scale: int) -> Parts:
    flags = (size + 7) // 8
    if len(plain) < 2 * flags:
        raise DamagedTable("the table is too short")
    data = np.frombuffer(plain, dtype=np.uint8)
    bits = (np.unpackbits(data[i * flags : (i + 1) * flags], count=size) for i in (0, 1))
    mostly, mixed = (flag.astype(bool) for flag in bits)
    fine = np.frombuffer(plain, dtype=np.uint8, offset=2 * flags)
    if fine.size != 2 * int(mixed.sum()):
        raise DamagedTable("the table has the wrong number of mixed choices")
    parts = np.where(mostly, scale, 0).astype(np.uint16)
    parts[mixed] = fine.view("<u2")
    if parts.max(initial=0) > scale:
        raise DamagedTable("a probability is above 1")
    return parts


def to_bytes(table: RoundStrategy) -> bytes:
    """Encode a strategy as the bytes of a file."""
    round_ = table.round
    plain = _pack(table)
    packed = zlib.compress(plain, 9)
    kinds, rule = len(round_.deck), _RULES.index(round_.facing_full)
    rules = kinds, round_.hand_size, rule, round_.cap
    head = _HEAD.pack(MAGIC, VERSION, *rules, table.scale, len(packed), len(plain))
    head += struct.pack(f"<{2 * kinds}H", *round_.deck, *(round_.pile or (0,) * kinds))
    return head + hashlib.sha256(head + packed).digest() + packed


def from_bytes(data: bytes) -> RoundStrategy:
    """Decode a strategy from the bytes of a file; raises DamagedTable."""
    if len(data) < _HEAD.size:
        raise DamagedTable("the file is too short")
    magic, version, kinds, hand_size, rule, cap, scale, packed_size, plain_size = _HEAD.unpack_from(data)
    if magic != MAGIC or version != VERSION:
        raise DamagedTable("this is not a strategy file of this format version")
    counts_at = struct.Struct(f"<{2 * kinds}H")
    body = _HEAD.size + counts_at.size
    if len(data) != body + 32 + packed_size:
        raise DamagedTable("the file has the wrong length")
    packed = data[body + 32 :]
    if hashlib.sha256(data[:body] + packed).digest() != data[body : body + 32]:
        raise DamagedTable("the checksum does not match")
    if rule >= len(_RULES) or not scale or plain_size > _LARGEST:
        raise DamagedTable("the header is invalid")
    counts = counts_at.unpack_from(data, _HEAD.size)
    pile = counts[kinds:] if any(counts[kinds:]) else ()
    try:
        round_ = Round(counts[:kinds], pile, hand_size, _RULES[rule], cap)
        plain = zlib.decompressobj().decompress(packed, plain_size + 1)
    except (ValueError, zlib.error) as error:
        raise DamagedTable(str(error)) from error
    if len(plain) != plain_size:
        raise DamagedTable("the contents do not match the header")
    sizes = round_.tree.size(STARTER), round_.tree.size(SECOND)
    parts = _unpack(plain, sum(sizes), scale)
    return RoundStrategy(round_, scale, (parts[: sizes[STARTER]], parts[sizes[STARTER] :]))


def save(table: RoundStrategy, path: Path) -> None:
    """Write a strategy to a file atomically."""
    write_whole(path, to_bytes(table))


def load(path: Path) -> RoundStrategy:
    """Read a strategy from a file."""
    return from_bytes(path.read_bytes())
