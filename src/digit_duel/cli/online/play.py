"""digit-duel play --server: a sitting at a server's tables, alone, with a friend, or where a link leads."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from digit_duel.cli.errors import INPUT_ENDED, INTERRUPTED, Leave, Problem
from digit_duel.cli.online import credentials
from digit_duel.cli.online.connection import Link, Server
from digit_duel.cli.online.game import OnlineTable
from digit_duel.cli.online.view import Seen, field, read
from digit_duel.cli.play.prompt import confirm
from digit_duel.cli.records.autosave import add_record
from digit_duel.cli.screen.symbols import ASCII
from digit_duel.cli.screen.terminal import Terminal
from digit_duel.core.options import BadOption
from digit_duel.core.record import BadRecord, read_record
from digit_duel.core.variant import AnyVariant
from digit_duel.web.play.verify import SEAL, SEATS, NotProven, verify
from digit_duel.web.replies import Code, Refusal

_WHITE_ON_BLACK = ("97", "40")
_QUIET = 2  # light modules around a QR code


@dataclass(frozen=True, slots=True)
class Wish:
    """What to play where, and against whom."""

    variant: AnyVariant
    server: str | None
    join: str | None = None  # a link to a game
    invite: bool = False
    level: str | None = None  # of the computer, if no friend is invited
    name: str | None = None
    start: str = "me"
    match: str | None = None
    record: Path | None = None


@dataclass(frozen=True, slots=True)
class Sealed:
    """What must come true at the end: the server's seal, and our own part in the deal."""

    seal: str
    seed: str | None  # None if we came back to a game


def play(terminal: Terminal, wish: Wish) -> None:
    """Play at a server until the person has enough; Leave or Problem if it ends otherwise."""
    server = Server.at(wish.server or wish.join or "")
    link = Link(server, terminal.say)
    try:
        with terminal.restored():
            _sign_in(link)
            _evening(terminal, link, wish)
    except Refusal as refusal:
        raise Problem(_lowered(refusal.message)) from refusal
    except BadOption as wrong:
        raise Problem(f"this game cannot be played here: {wrong}") from wrong


def _evening(terminal: Terminal, link: Link, wish: Wish) -> None:
    seen, sealed = _joined(link, wish) if wish.join else _opened(terminal, link, wish)
    while True:
        variant = wish.variant.customised(seen.settings)
        if seen.match:
            terminal.say(seen.match)
        table = OnlineTable(terminal, link, variant.rules.text, seen)
        try:
            table.play()
            _checked(terminal, link, wish, variant, table.seen, sealed)
            seed = secrets.token_hex(16)
            again = terminal.interactive and confirm(terminal, "Do you want to play again? (yes/no): ")
            next_game = table.rematch(seed) if again else None
        except (Leave, KeyboardInterrupt, EOFError) as leaving:
            raise _parted(terminal, link, wish, table.seen, leaving) from None
        except Problem as problem:
            raise Problem(f"{problem} {_way_back(link, wish, table.seen)}".rstrip()) from problem
        if next_game is None:
            return
        seen = read(link.ask("GET", f"/api/games/{next_game}"))
        sealed = Sealed(seen.seal, seed)


def _sign_in(link: Link) -> None:
    """Be who we were at this server, or somebody new."""
    server = str(link.server)
    link.token = credentials.load(server) or ""
    if link.token:
        try:
            link.ask("GET", "/api/me", again=False)
            return
        except Refusal as refusal:
            if refusal.code is not Code.FORBIDDEN:
                raise
            link.token = ""
            credentials.forget(server)
    token = field(link.ask("POST", "/api/sessions", {"bearer": True}, again=False), "token", str)
    if not (token.isascii() and token.isprintable() and " " not in token):
        raise Problem("the server's answer makes no sense here.")
    link.token = token
    credentials.keep(server, token)


def _opened(terminal: Terminal, link: Link, wish: Wish) -> tuple[Seen, Sealed]:
    """A new game, against the computer or for a friend."""
    body = {
        "variant": wish.variant.id,
        "settings": wish.variant.settings,
        "opponent": "friend" if wish.invite else "computer",
        "level": None if wish.invite else wish.level,
        "start": wish.start,
        "hints": not wish.invite,
        "match": wish.match,
    }
    found = link.ask("POST", "/api/games", body, again=False)
    sealed = Sealed(field(found, "seal", str), secrets.token_hex(16))
    if wish.invite:
        _show_invitation(terminal, field(found, "invite", dict))
    return _sat(link, field(found, "game", str), wish.name or "Player 1", sealed, None), sealed


def _joined(link: Link, wish: Wish) -> tuple[Seen, Sealed]:
    """The game that a link leads to: an invitation to it, or one that we have a seat in."""
    assert wish.join is not None
    parts = urlsplit(wish.join if "://" in wish.join else f"http://{wish.join}")
    way = parts.path.strip("/").split("/")
    if len(way) < 2 or way[-2] not in ("j", "g") or not _plain(way[-1]):
        raise Problem("--join takes a link to a game, such as https://duel.example/j/GAME#SECRET")
    seen = read(link.ask("GET", f"/api/games/{way[-1]}", again=False))
    if seen.variant != wish.variant.id:
        raise Problem(
            f"that link leads to a game of {seen.variant}: digit-duel play {seen.variant} --join LINK"
        )
    if seen.seat is not None:
        return seen, Sealed(seen.seal, None)
    if not parts.fragment:
        raise Problem("you have no seat in that game, and the link has no invitation in it.")
    sealed = Sealed(seen.seal, secrets.token_hex(16))
    return _sat(link, way[-1], wish.name or "Player 2", sealed, parts.fragment), sealed


def _sat(link: Link, game: str, name: str, sealed: Sealed, invite: str | None) -> Seen:
    """Take a seat; to press twice does no harm, so this may be sent again."""
    body = {"name": name, "seed": sealed.seed, "invite": invite}
    return read(field(link.ask("POST", f"/api/games/{game}/join", body), "view", dict))


def _plain(id: str) -> bool:
    return id.isascii() and 0 < len(id) <= 40 and id.replace("-", "").replace("_", "").isalnum()


def _show_invitation(terminal: Terminal, invite: dict[str, Any]) -> None:
    terminal.say(f"Send this link to a friend:\n\n  {field(invite, 'url', str)}\n")
    rows = invite.get("qr")
    if terminal.style.colour and terminal.style.symbols != ASCII and isinstance(rows, list):
        lines = qr(terminal, [str(row) for row in rows])
        if lines and len(lines) < terminal.size[1]:
            terminal.say("\n".join(lines) + "\n")


def qr(terminal: Terminal, rows: list[str]) -> list[str]:
    """A QR code of half blocks, light on dark whatever the colours of the terminal are."""
    width = len(rows[0]) + 2 * _QUIET if rows else 0
    blank = "0" * width
    framed = [blank] * _QUIET + [row.center(width, "0") for row in rows] + [blank] * (_QUIET + 1)
    marks = {("0", "0"): "█", ("0", "1"): "▀", ("1", "0"): "▄", ("1", "1"): " "}
    pairs = zip(framed[::2], framed[1::2], strict=False)
    return [
        "  "
        + terminal.style.paint(
            "".join(marks.get(pair, " ") for pair in zip(*two, strict=False)), *_WHITE_ON_BLACK
        )
        for two in pairs
    ]


def _checked(
    terminal: Terminal, link: Link, wish: Wish, variant: AnyVariant, seen: Seen, sealed: Sealed
) -> None:
    """Keep the record, and see that the deal was the one that was sealed before we added our part."""
    if not seen.news and seen.scene is None:
        return  # cancelled before it began
    text = link.ask("GET", f"/api/games/{seen.game}/record")
    try:
        record = read_record(text if isinstance(text, str) else "")
        proved = verify(record, variant)
        assert seen.seat is not None
        if record.headers[SEAL] != sealed.seal:
            raise NotProven("the seal is not the one that was shown before the game.")
        if sealed.seed is not None and record.headers[SEATS[seen.seat]] != sealed.seed:
            raise NotProven("our own part in the deal was exchanged.")
    except (BadRecord, NotProven) as wrong:
        raise Problem(f"this game does not prove to be fair: {wrong}") from wrong
    if proved.draws or proved.secrets:
        terminal.say("\nChecked: what was drawn and what was secret is what had been sealed.")
    if wish.record is not None:
        add_record(wish.record, record)


def _parted(terminal: Terminal, link: Link, wish: Wish, seen: Seen, leaving: BaseException) -> Leave:
    """Say goodbye, and how to come back."""
    match leaving:
        case Leave():
            code, why = leaving.code, ""
        case KeyboardInterrupt():
            code, why = INTERRUPTED, "Interrupted. "
        case _:
            code, why = INPUT_ENDED, "The input has ended. "
    if back := _way_back(link, wish, seen):
        terminal.say(f"\n{why}The game stays at the server. {back}")
    return Leave(code)


def _way_back(link: Link, wish: Wish, seen: Seen) -> str:
    if seen.phase == "over":
        return ""
    return f"To go on with it: digit-duel play {wish.variant.id} --join {link.server}/g/{seen.game}"


def _lowered(message: str) -> str:
    return message[:1].lower() + message[1:]
