"""A bitmap font of five by seven pixels, for images made with NumPy alone."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

HIGH, WIDE = 7, 6  # pixels of a letter, with the gap to the next one

# Five columns a letter, two hexadecimal digits each, the lowest bit on top.
_COLUMNS = {
    " ": "0000000000", "!": "00005f0000", "'": "0005030000", "(": "001c224100", ")": "0041221c00",
    "+": "08083e0808", ",": "0050300000", "-": "0808080808", ".": "0060600000", "/": "2010080402",
    "0": "3e5149453e", "1": "00427f4000", "2": "4261514946", "3": "2141454b31", "4": "1814127f10",
    "5": "2745454539", "6": "3c4a494930", "7": "0171090503", "8": "3649494936", "9": "064949291e",
    ":": "0036360000", "=": "1414141414", ">": "4122140800", "?": "0201510906",
    "A": "7e1111117e", "B": "7f49494936", "C": "3e41414122", "D": "7f4141221c", "E": "7f49494941",
    "F": "7f09090901", "G": "3e4149497a", "H": "7f0808087f", "I": "00417f4100", "J": "2040413f01",
    "K": "7f08142241", "L": "7f40404040", "M": "7f020c027f", "N": "7f0408107f", "O": "3e4141413e",
    "P": "7f09090906", "Q": "3e4151215e", "R": "7f09192946", "S": "4649494931", "T": "01017f0101",
    "U": "3f4040403f", "V": "1f2040201f", "W": "3f4038403f", "X": "6314081463", "Y": "0708700807",
    "Z": "6151494543",
}  # fmt: skip


@lru_cache(maxsize=512)
def dots(text: str, scale: int) -> NDArray[np.bool_]:
    """A text as pixels that are on or off, in capitals; unknown characters become question marks."""
    columns = [
        byte for letter in text.upper() for byte in (*bytes.fromhex(_COLUMNS.get(letter, _COLUMNS["?"])), 0)
    ]
    bits = np.array(columns, np.uint8)[None, :] >> np.arange(HIGH, dtype=np.uint8)[:, None] & 1
    return np.kron(bits, np.ones((scale, scale), np.uint8)).astype(bool)
