"""Names of players: short, printable, and different."""

from __future__ import annotations

import unicodedata

from digit_duel.core.script import Names

MOST_CHARACTERS = 24


class BadName(ValueError):
    """A name cannot be used; the message says why."""


def clean_name(text: str) -> str:
    """The name without control, bidi and invisible characters, blanks collapsed, or BadName."""
    composed = unicodedata.normalize("NFC", text[:1000])
    # Categories C* are control, format (bidi, zero width), surrogate, private and unassigned characters.
    visible = "".join(c if not unicodedata.category(c).startswith("C") else " " for c in composed)
    name = " ".join(visible.split())
    if not name:
        raise BadName("a name needs at least one visible character.")
    marks = sum(1 for c in name if unicodedata.category(c).startswith("M"))
    if len(name) > MOST_CHARACTERS or marks > len(name) // 2:
        raise BadName(f"a name can have at most {MOST_CHARACTERS} characters.")
    return name


def clean_names(first: str, second: str) -> Names:
    """Two clean names that differ, or BadName."""
    names = (clean_name(first), clean_name(second))
    if names[0].casefold() == names[1].casefold():
        raise BadName("the two players need different names.")
    return names
