"""QR codes of links."""

from __future__ import annotations


def rows(text: str) -> list[str]:
    """The QR code of a text, one string per row: 1 is dark."""
    import segno  # slow to load, and only invitations need it

    # Scanners read any of the eight masks; searching for the best takes ten times as long.
    code = segno.make(text, error="m", micro=False, mask=3)
    return ["".join("1" if dark else "0" for dark in row) for row in code.matrix]
