"""One word for the kind of device that a session was started on, which is all that is kept of it."""

from __future__ import annotations

# The first that occurs counts: iPhones claim to be like a Mac, and Android phones to be Linux.
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
    """The kind of device by its User-Agent."""
    told = user_agent[:500].lower()
    return next((word for sign, word in _WORDS.items() if sign in told), _OTHER)
