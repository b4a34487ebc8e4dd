"""A link as a square of dark and light, for a phone's camera."""

from __future__ import annotations


def rows(text: str) -> list[str]:
    """The code row by row: 1 is dark."""
    import segno  # only when somebody is invited

    # Any of the eight masks can be read; to look for the prettiest takes ten times as long.
    code = segno.make(text, error="m", micro=False, mask=3)
    return ["".join("1" if dark else "0" for dark in row) for row in code.matrix]
