"""Names of players: short, printable, and different."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from digit_duel.core.script import Names

MOST_CHARACTERS = 24
# Letters and symbols that look blank: the Hangul fillers, the Braille pattern without dots, a musical symbol.
_BLANKS = "\u115f\u1160\u3164\uffa0\u2800\U0001d159"
# Cyrillic, Greek and Lisu letters, and digits, that look like letters of "computer".
_LOOKALIKES = str.maketrans(
    {
        "\u0441": "c", "\u043e": "o", "\u043c": "m", "\u0440": "p", "\u0442": "t", "\u0435": "e",
        "\u0433": "r", "\u03bf": "o", "\u03c1": "p", "\u03c5": "u", "\u03c4": "t", "\u03b5": "e",
        "\ua4da": "c", "\ua4f3": "o", "\ua4df": "m", "\ua4d1": "p", "\ua4f4": "u", "\ua4d4": "t",
        "\ua4f0": "e", "\ua4e3": "r", "0": "o", "3": "e", "7": "t",
    }
)  # fmt: skip
_LATIN = re.compile(r"LATIN (?:SMALL |CAPITAL |LETTER )*([A-Z])(?: WITH .*)?")  # the Unicode name of a letter
_COMPUTER = "computer"
_ENOUGH = 6  # letters of "computer" in their places, between letters of scripts that may imitate the others


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
    if len(name) > MOST_CHARACTERS:
        raise BadName(f"a name can have at most {MOST_CHARACTERS} characters.")
    marks = sum(1 for c in name if unicodedata.category(c).startswith("M"))
    if marks > len(name) // 2:
        raise BadName("a name needs as many letters as accents and other marks.")
    return name


def clean_names(first: str, second: str) -> Names:
    """Two clean names that differ; raises BadName."""
    names = (clean_name(first), clean_name(second))
    if names[0].casefold() == names[1].casefold():
        raise BadName("the two players need different names.")
    return names


@lru_cache(maxsize=1000)
def poses_as_computer(name: str) -> bool:
    """Whether a name could be mistaken for the computer's, look-alike letters included."""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    letters = "".join(_latin(c) for c in plain.translate(_LOOKALIKES) if c.isalpha()).replace("rn", "m")
    return any(_resembles_computer(letters[at:]) for at in range(len(letters) - len(_COMPUTER) + 1))


def _latin(letter: str) -> str:
    """The plain form of a Latin letter with a stroke or a hook or in small capitals; others as they are."""
    found = _LATIN.fullmatch(unicodedata.name(letter, ""))
    return letter if found is None else found[1].lower()


def _resembles_computer(letters: str) -> bool:
    """Whether the first letters are "computer", or most of them are and the others are not Latin."""
    same = [letter == wanted for letter, wanted in zip(letters, _COMPUTER, strict=False)]
    others = (letter for letter, fits in zip(letters, same, strict=False) if not fits)
    return sum(same) >= _ENOUGH and not any(map(str.isascii, others))
