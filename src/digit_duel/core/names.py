"""Names of people: short, printable, and different."""

from __future__ import annotations

import unicodedata

from digit_duel.core.script import Names

MOST_CHARACTERS = 24


class BadName(ValueError):
    """A sentence that says why a name cannot be used."""


def clean_name(text: str) -> str:
    """A name fit for any screen: control, bidi and invisible characters go, blanks are folded."""
    composed = unicodedata.normalize("NFC", text[:1000])
    # Categories C* are control, format (bidi, zero width), surrogate, private and unassigned characters.
    visible = "".join(c if not unicodedata.category(c).startswith("C") else " " for c in composed)
    name = " ".join(visible.split())
    if not name:
        raise BadName("a name needs at least one visible character.")
    marks = sum(1 for c in name if unicodedata.category(c).startswith("M"))
    if len(name) > MOST_CHARACTERS or marks > len(name) // 2:
        raise BadName(f"a name has at most {MOST_CHARACTERS} characters.")
    return name


def clean_names(first: str, second: str) -> Names:
    """Two names that can be told apart."""
    names = (clean_name(first), clean_name(second))
    if names[0].casefold() == names[1].casefold():
        raise BadName("the two players need different names.")
    return names
