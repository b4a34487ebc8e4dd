"""Sessions: a person's device holds the token, and the server stores only its hash."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from hashlib import sha256
from http.cookies import CookieError, SimpleCookie
from time import time

from digit_duel.web.play.live_game import Caller
from digit_duel.web.replies import Code, Refusal
from digit_duel.web.settings import Settings
from digit_duel.web.store import Revoked, SessionRow, Store

_LETTERS = "ABCDEFGHJKMNPQRSTVWXYZ23456789"  # without look-alikes
_CODE_LENGTH = 12
_ID_LENGTH = 16
_MAX_AGE = 400 * 24 * 3600  # seconds; browsers allow no more
_LONGEST = 120  # characters of a token, with the hash of the one it replaces
_MOST_REMEMBERED = 10_000
_MOST_LISTED = 50  # sessions of a person


def hashed(token: str) -> str:
    """The hash of a token; lookups by hash reveal nothing about tokens through their timing."""
    return sha256(token.encode()).hexdigest()


def public_id(session: str) -> str:
    """The id that a session has in its owner's list; it gives no access by itself."""
    return sha256(f"session {session}".encode()).hexdigest()[:_ID_LENGTH]


def tidy(code: str) -> str:
    """Normalise a code that somebody typed."""
    return "".join(letter.upper() for letter in code if letter.isascii() and letter.upper() in _LETTERS)


class Sessions:
    """Starts, finds and ends sessions."""

    def __init__(self, settings: Settings, store: Store, ended: Callable[[str], None]) -> None:
        """Take a function that closes a session's connections to this server."""
        self._settings, self._store, self._ended = settings, store, ended
        self._replaced: dict[str, None] = {}  # sessions known to have ended

    @property
    def cookie(self) -> str:
        """The cookie's name; with TLS, its prefix prevents other hosts and paths from setting it."""
        return "__Host-digit_duel" if self._settings.secure else "digit_duel"

    async def start(self, person: str | None = None, replaces: str | None = None, device: str = "") -> str:
        """Make a 256-bit token for a person, or for a new one; its first use ends the session it replaces."""
        token = _new_token() + (f".{replaces}" if replaces else "")
        person = person or secrets.token_urlsafe(12)
        try:
            await self._store.add_session(hashed(token), person, round(1000 * time()), device)
        except Revoked:
            raise Refusal(Code.FORBIDDEN, "You have left on all devices. Please try again.") from None
        return token

    async def end(self, caller: Caller) -> None:
        """End a session on every server, and close its connections."""
        if caller.session is not None:
            await self._end(caller.session)

    async def latest_of(self, person: str) -> list[SessionRow]:
        """The latest sessions of a person, the last seen first."""
        return await self._store.sessions_of(person, _MOST_LISTED)

    async def end_by_id(self, caller: Caller, wanted: str) -> str:
        """End one of the caller's sessions and revoke all codes; return its hash, or raise Refusal."""
        assert caller.person is not None
        for row in await self.latest_of(caller.person):
            if public_id(row.token) == wanted:
                await self._end(row.token, codes=True)
                return row.token
        raise Refusal(Code.NOT_FOUND, "You have no such session; it may have ended already.")

    async def leave(self, caller: Caller, keep_this: bool) -> None:
        """End all sessions of a person, or all others, and revoke the person's codes."""
        assert caller.person is not None
        kept = (caller.session or "") if keep_this else ""
        for session in await self._store.leave(caller.person, kept, round(1000 * time())):
            self._ended(session)

    async def _end(self, session: str, codes: bool = False) -> None:
        await self._store.end_session(session, round(1000 * time()), codes)
        self._ended(session)

    async def caller(self, token: str | None) -> Caller:
        """The caller to whom a token belongs."""
        if not token or len(token) > _LONGEST:
            return Caller()
        session = hashed(token)
        person = await self._store.person(session)
        if person is None:
            return Caller()
        replaced = token.partition(".")[2]
        if replaced and replaced not in self._replaced:
            await self._end(replaced)
            self._replaced[replaced] = None
            if len(self._replaced) > _MOST_REMEMBERED:
                self._replaced.pop(next(iter(self._replaced)))
        return Caller(person, session)

    def token(self, cookies: str) -> str | None:
        """The token in a Cookie header."""
        if len(cookies) > 4096:
            return None
        try:
            found = SimpleCookie(cookies).get(self.cookie)
        except CookieError:
            return None
        return None if found is None else found.value

    def set_cookie(self, token: str) -> str:
        """The Set-Cookie value that gives a browser its token."""
        return f"{self.cookie}={token}; {self._attributes}; Max-Age={_MAX_AGE}"

    def drop_cookie(self) -> str:
        """The Set-Cookie value that removes the cookie."""
        return f"{self.cookie}=; {self._attributes}; Max-Age=0"

    @property
    def _attributes(self) -> str:
        secure = "; Secure" if self._settings.secure else ""
        return f"Path=/; HttpOnly; SameSite=Strict{secure}"

    async def new_code(self, caller: Caller) -> str:
        """A one-time code for another device; raises Revoked if the caller's session has ended."""
        assert caller.session is not None
        code = "".join(secrets.choice(_LETTERS) for _ in range(_CODE_LENGTH))
        until = round(1000 * (time() + self._settings.code_seconds))
        await self._store.add_code(hashed(code), caller.session, until)
        return "-".join(code[at : at + 4] for at in range(0, _CODE_LENGTH, 4))

    async def resume(self, code: str, device: str = "") -> str:
        """Use up a code, and make a token for the person it belongs to; raise Refusal if it is not valid."""
        token, now = _new_token(), round(1000 * time())
        if not await self._store.use_code(hashed(tidy(code)), hashed(token), now, device):
            raise Refusal(
                Code.FORBIDDEN, "This code is wrong, used or expired. Get a new one on your other device."
            )
        return token


def _new_token() -> str:
    return secrets.token_urlsafe(32)  # 256 bits
