"""The file format of a pool table: small enough to ship, safe to cache, readable without NumPy.

| offset | bytes | what |
|---|---|---|
| 0  | 4  | magic, "DDPT" |
| 4  | 1  | version of this format |
| 5  | 1  | places on a board |
| 6  | 3  | goal, reach and tie, each by its index in its enumeration |
| 9  | 10 | how many copies of each digit 0 to 9 the pool holds |
| 19 | 8  | length of the body |
| 27 | 32 | SHA-256 of bytes 0 to 26 and the body |
| 59 |    | body: the layers of the table one after the other, xz-compressed |

Numbers are little-endian; a cell takes 2 bytes up to 4 places, 4 bytes up to 8, and 8 beyond.
"""

from __future__ import annotations

import lzma
import struct
import sys
from array import array
from hashlib import sha256
from itertools import chain
from typing import TypeVar

from digit_duel.games._placement import Goal, Placement, Reach, Tie
from digit_duel.solve.errors import DamagedTable
from digit_duel.solve.placing.pool_table import Pools, PoolTable, cell_code
from digit_duel.solve.placing.slots import Slots

MAGIC = b"DDPT"
VERSION = 1
HEADER = struct.Struct("<4sBB3B10BQ")
DIGEST = sha256().digest_size

Choice = TypeVar("Choice", Goal, Reach, Tie)


def encode(table: PoolTable, preset: int = 9) -> bytes:
    """Encode a table as the bytes of a file."""
    game = table.game
    cells = array(cell_code(game.places))
    for layer in table.layers:
        cells.frombytes(layer.cast("B"))
    body = lzma.compress(_little_endian(cells), preset=preset)
    header = HEADER.pack(
        MAGIC,
        VERSION,
        game.places,
        list(Goal).index(game.goal),
        list(Reach).index(game.reach),
        list(Tie).index(game.tie),
        *(game.pool.count(digit) for digit in range(10)),
        len(body),
    )
    return header + sha256(header + body).digest() + body


def decode(data: bytes) -> PoolTable:
    """Decode a table from the bytes of a file; raises DamagedTable."""
    header, rest = data[: HEADER.size], data[HEADER.size :]
    digest, body = rest[:DIGEST], rest[DIGEST:]
    if len(header) < HEADER.size or not header.startswith(MAGIC):
        raise DamagedTable("this is not a pool table")
    _, version, places, goal, reach, tie, *copies, length = HEADER.unpack(header)
    if version != VERSION:
        raise DamagedTable(f"this table has format {version}, not {VERSION}")
    if len(body) != length or sha256(header + body).digest() != digest:
        raise DamagedTable("this table is truncated or corrupted")
    pool = tuple(chain.from_iterable([digit] * held for digit, held in enumerate(copies)))
    game = Placement(places, pool, _at(Goal, goal), _at(Reach, reach), _at(Tie, tie))
    return PoolTable(game, _layers(game, body))


def _layers(game: Placement, body: bytes) -> tuple[memoryview, ...]:
    slots = Slots(game)
    pools = Pools(slots.copies, slots.count)
    sizes = [slots.mask_count(filled) * pools.count(filled) for filled in range(slots.count)]
    code = cell_code(game.places)
    length = sum(sizes) * array(code).itemsize
    try:
        # Never more than the header declares, so that a malicious file cannot fill the memory.
        raw = lzma.LZMADecompressor().decompress(body, max_length=length + 1)
    except lzma.LZMAError as error:
        raise DamagedTable("this table cannot be unpacked") from error
    if len(raw) != length:
        raise DamagedTable("this table has the wrong number of cells")
    cells = memoryview(_little_endian(array(code, raw)))
    starts = [sum(sizes[:filled]) for filled in range(slots.count)]
    return tuple(cells[start : start + size] for start, size in zip(starts, sizes, strict=True))


def _little_endian(cells: array[int]) -> array[int]:
    """The cells in little-endian byte order, whatever the machine's."""
    if sys.byteorder == "big":
        cells.byteswap()
    return cells


def _at(choices: type[Choice], index: int) -> Choice:
    names = list(choices)
    if index >= len(names):
        raise DamagedTable("this table is for rules that do not exist")
    return names[index]
