"""Names of players: short, printable, and different."""

from __future__ import annotations

import unicodedata

from digit_duel.core.script import Names

MOST_CHARACTERS = 24
# Letters and symbols that look blank: the Hangul fillers, and the Braille pattern without dots.
_BLANKS = "\u115f\u1160\u3164\uffa0\u2800"
# Lower-case letters of Cyrillic (first) and Greek, and a digit, that look like letters of "computer".
_LOOKALIKES = str.maketrans(
    {
        "\u0441": "c", "\u043e": "o", "\u043c": "m", "\u0440": "p", "\u0442": "t", "\u0435": "e",
        "\u0433": "r", "\u03bf": "o", "\u03c1": "p", "\u03c5": "u", "\u03c4": "t", "\u03b5": "e", "0": "o",
    }
)  # fmt: skip
_COMPUTER = "computer"


class BadName(ValueError):
    """A name cannot be used; the message says why."""


def clean_name(text: str) -> str:
    """The name without control, bidi and invisible characters, blanks collapsed; raises BadName."""
    composed = unicodedata.normalize("NFC", text[:1000])
    # Categories C* are control, format (bidi, zero width), surrogate, private and unassigned characters.
    visible = "".join(
        c if not unicodedata.category(c).startswith("C") and c not in _BLANKS else " " for c in composed
    )
    name = " ".join(visible.split())
    if not any(unicodedata.category(c)[0] in "LNPS" for c in name):  # marks alone, or nothing
        raise BadName("a name needs at least one visible character.")
    marks = sum(1 for c in name if unicodedata.category(c).startswith("M"))
    if len(name) > MOST_CHARACTERS or marks > len(name) // 2:
        raise BadName(f"a name can have at most {MOST_CHARACTERS} characters.")
    return name


def clean_names(first: str, second: str) -> Names:
    """Two clean names that differ; raises BadName."""
    names = (clean_name(first), clean_name(second))
    if names[0].casefold() == names[1].casefold():
        raise BadName("the two players need different names.")
    return names


def poses_as_computer(name: str) -> bool:
    """Whether a name could be mistaken for the computer's, look-alike letters included."""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    letters = "".join(c for c in plain.translate(_LOOKALIKES) if c.isalpha())
    return _COMPUTER in letters
