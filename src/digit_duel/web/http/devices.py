"""The kind of device that a session was started on, in one word: nothing else of it is stored."""

from __future__ import annotations

# The first match counts: iPhones also mention Mac, and Android phones Linux.
_WORDS = {
    "iphone": "iPhone",
    "ipad": "iPad",
    "android": "Android",
    "cros": "Chromebook",
    "windows": "Windows",
    "macintosh": "Mac",
    "linux": "Linux",
    "digit-duel": "terminal",
}
_OTHER = "program"


def device(user_agent: str) -> str:
    """The kind of device that a User-Agent header names."""
    told = user_agent[:500].lower()
    return next((word for sign, word in _WORDS.items() if sign in told), _OTHER)
