"""Fair deals: commitments, and draws that follow from committed seeds.

The server derives a seed from its key and the game's id, and commits to it with a hash in the first event.
Each player may add a seed afterwards, so that neither the server nor a player alone decides what is drawn. A
secret choice is sealed with a salt as soon as it is made. The server reveals everything when the game ends.
"""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections.abc import Sequence
from hashlib import sha256
from hmac import compare_digest, digest

from digit_duel.core.game import M
from digit_duel.core.session import Dealer, draw_at

_SPAN = 1 << 64
_TAG = 8  # characters, of 6 bits each


def server_seed(key: bytes, game: str) -> str:
    """The seed of a game, in hex; nobody can compute it without the key."""
    return digest(key, f"seed/{game}".encode(), "sha256").hex()


def reserved_id(key: bytes, now: float, random: str) -> str:
    """Make the id of a future game, so that its seal can be shown before a player sends a seed."""
    text = f"{int(now):08x}{random}"
    return text + _tag(key, text)


def is_reserved(key: bytes, game: str, now: float, seconds: float) -> bool:
    """Whether reserved_id made an id with this key within the last seconds given."""
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
    """The salt for the secret choice in this version of a game: 128 bits, in hex."""
    return digest(key, f"salt/{game}/{version}".encode(), "sha256").hex()[:32]


def choice_seal(salt: str, game: str, version: int, move: str) -> str:
    """The commitment to a secret choice; without the salt, trying all digits would open it."""
    return sha256(f"{salt}/{game}/{version}/{move}".encode()).hexdigest()


def below(limit: int, seed: str, seats: tuple[str, str], ply: int) -> int:
    """A number below the limit, each equally likely: hashes that would favour some are skipped."""
    fair = _SPAN - _SPAN % limit
    attempt = 0
    while True:
        message = f"{seats[0]}/{seats[1]}/{ply}/{attempt}".encode()
        number = int.from_bytes(digest(bytes.fromhex(seed), message, "sha256")[:8], "big")
        if number < fair:
            return number % limit
        attempt += 1


def sealed_dealer(seed: str, seats: tuple[str, str]) -> Dealer:
    """Make a dealer whose draws follow from the sealed seed and both players' seeds."""

    def deal(draws: Sequence[tuple[M, int]], ply: int) -> M:
        return draw_at(draws, below(sum(weight for _, weight in draws), seed, seats, ply))

    return deal
