"""The ten digits as block letters in two sizes, drawn with half blocks: two pixels to a character."""

from __future__ import annotations

from functools import cache

# Pixels, row by row. The small ones are 4 by 6, the large ones 6 by 10.
_SMALL = """
.##. ..#. ###. ###. #..# #### .### #### .##. .##.
#..# .##. ...# ...# #..# #... #... ...# #..# #..#
#..# ..#. ...# .##. #..# ###. ###. ..#. .##. #..#
#..# ..#. .##. ...# #### ...# #..# ..#. #..# .###
#..# ..#. #... ...# ...# ...# #..# .#.. #..# ...#
.##. .### #### ###. ...# ###. .##. .#.. .##. ###.
"""
_LARGE = """
.####. ..##.. .####. .####. ...### ###### ..###. ###### .####. .####.
##..## .###.. ##..## ##..## ..#.## ##.... .##... ....## ##..## ##..##
##..## ####.. ....## ....## .##.## ##.... ##.... ....## ##..## ##..##
##..## ..##.. ....## ....## ##..## ##.... ##.... ...##. ##..## ##..##
##..## ..##.. ...##. ..###. ##..## #####. #####. ...##. .####. ##..##
##..## ..##.. ..##.. ....## ###### ....## ##..## ..##.. ##..## .#####
##..## ..##.. .##... ....## ....## ....## ##..## ..##.. ##..## ....##
##..## ..##.. ##.... ....## ....## ....## ##..## .##... ##..## ....##
##..## ..##.. ##.... ##..## ....## ##..## ##..## .##... ##..## ...##.
.####. ###### ###### .####. ....## .####. .####. .##... .####. .###..
"""
_HALVES = {"..": " ", "#.": "▀", ".#": "▄", "##": "█"}

SMALL, LARGE = (4, 3), (6, 5)  # columns and rows


@cache
def glyph(digit: int, size: tuple[int, int]) -> tuple[str, ...]:
    """The rows of characters that draw a digit."""
    rows = [line.split()[digit] for line in (_SMALL if size == SMALL else _LARGE).split("\n") if line]
    return tuple(
        "".join(_HALVES[upper + lower] for upper, lower in zip(rows[at], rows[at + 1], strict=True))
        for at in range(0, len(rows), 2)
    )
