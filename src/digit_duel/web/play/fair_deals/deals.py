"""Fair deals: what is committed to before the first card, how draws follow from it, and how to check it.

The server's seed is a function of its key and the game's id, and its hash is in the first event of the log.
Each seat may add a seed of its own afterwards, so that neither side alone decides what is drawn.
A secret choice is sealed with a salt the moment it is made. All is opened when the game is over.
"""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections.abc import Sequence
from hashlib import sha256
from hmac import compare_digest, digest

from digit_duel.core.game import M
from digit_duel.core.session import Dealer

_SPAN = 1 << 64
_TAG = 8  # letters, of 6 bits each


def server_seed(key: bytes, game: str) -> str:
    """The seed of a game, in hex: nobody can tell it without the key."""
    return digest(key, f"seed/{game}".encode(), "sha256").hex()


def reserved_id(key: bytes, now: float, random: str) -> str:
    """A new game's id, made before the game so that its seal can be shown to whoever will add a seed."""
    text = f"{int(now):08x}{random}"
    return text + _tag(key, text)


def is_reserved(key: bytes, game: str, now: float, seconds: float) -> bool:
    """Whether an id was made by reserved_id with this key, at most so many seconds ago."""
    text, tag = game[:-_TAG], game[-_TAG:]
    if not (game.isascii() and compare_digest(_tag(key, text), tag)):
        return False
    return now - int(text[:8], 16) <= seconds


def _tag(key: bytes, text: str) -> str:
    return urlsafe_b64encode(digest(key, f"game/{text}".encode(), "sha256")).decode()[:_TAG]


def deck_seal(seed: str, game: str) -> str:
    """The commitment to a seed."""
    return sha256(f"{seed}/{game}".encode()).hexdigest()


def salt(key: bytes, game: str, version: int) -> str:
    """The salt of the secret choice that is this version of a game: 128 bits, in hex."""
    return digest(key, f"salt/{game}/{version}".encode(), "sha256").hex()[:32]


def choice_seal(salt: str, game: str, version: int, move: str) -> str:
    """The commitment to a secret choice; five digits could be guessed, a salt cannot."""
    return sha256(f"{salt}/{game}/{version}/{move}".encode()).hexdigest()


def below(limit: int, seed: str, seats: tuple[str, str], ply: int) -> int:
    """A number from 0 up to the limit, each equally likely: what would favour some is thrown away."""
    fair = _SPAN - _SPAN % limit
    attempt = 0
    while True:
        message = f"{seats[0]}/{seats[1]}/{ply}/{attempt}".encode()
        number = int.from_bytes(digest(bytes.fromhex(seed), message, "sha256")[:8], "big")
        if number < fair:
            return number % limit
        attempt += 1


def sealed_dealer(seed: str, seats: tuple[str, str]) -> Dealer:
    """Nature by the sealed seed and both seats' own."""

    def deal(draws: Sequence[tuple[M, int]], ply: int) -> M:
        at = below(sum(weight for _, weight in draws), seed, seats, ply)
        for move, weight in draws:
            at -= weight
            if at < 0:
                return move
        raise AssertionError("weights are positive")

    return deal
