"""The games a person has: the list, the one to go on with, and records opened from anywhere."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from digit_duel import games
from digit_duel.cli.errors import Problem
from digit_duel.cli.play.hidden import hides_something
from digit_duel.cli.play.sitting import Plan
from digit_duel.cli.records import recording
from digit_duel.cli.records.saves import InUse, Save, Unreadable, all_saves, folder, read_bounded
from digit_duel.core.game import Seat
from digit_duel.core.match import Match
from digit_duel.core.options import BadOption
from digit_duel.core.record import ENDINGS, UNFINISHED, BadRecord, Record, read_records, replay, winner_of
from digit_duel.core.session import Session, dealer
from digit_duel.core.variant import AnyVariant


@dataclass(frozen=True, slots=True)
class Book:
    """A save that can be read."""

    save: Save
    record: Record
    variant: AnyVariant

    @property
    def open(self) -> bool:
        """Whether there is something to go on with: the game, or its match."""
        return self.record.result == UNFINISHED


def listing() -> str:
    """All games, newest first, in lines for people."""
    lines, books, saves = [], [], _saves()
    for number, save in enumerate(saves, start=1):
        try:
            books.append(_read(save))
            lines.append(f"{number:>3}  {_described(books[-1])}")
        except Unreadable as why:
            lines.append(f"{number:>3}  {save.path.name} {why}; it is kept as it is")
    if not lines:
        return "There are no games yet. To play one: digit-duel play classic"
    lines.append("")
    if any(book.open or _match_goes_on(book, saves) for book in books):
        lines.append("To go on with a game: digit-duel resume NUMBER")
    if any(not book.open for book in books):
        lines.append("To look back on a game that is over: digit-duel review NUMBER")
    return "\n".join([*lines, f"They are kept in {folder()}"])


def to_resume(number: int | None) -> Book:
    """The game with this number, or the latest that is not over."""
    saves = _saves()
    if number is not None:
        save = _numbered(number)
        try:
            book = _read(save)
        except Unreadable as why:
            raise Problem(f"game {number}, {save.path.name}, {why}. It is kept as it is.") from why
        if not (book.open or _match_goes_on(book, saves)):
            raise Problem(f"game {number} is over. To look at it: digit-duel replay {number}")
        return book
    for save in saves:
        try:
            book = _read(save)
        except Unreadable:
            continue  # named by digit-duel games; the rest still works
        if book.open or _match_goes_on(book, saves):
            return book
    raise Problem("there is no game to go on with. To start one: digit-duel play classic")


def deleted(number: int) -> str:
    """Delete a game for good, unless somebody is playing it."""
    save = _numbered(number)
    try:
        with save.lock():
            save.path.unlink()
    except InUse as holder:
        raise Problem(
            f"game {number} is being played by {holder}; leave it there before you delete it."
        ) from holder
    except OSError as error:
        raise Problem(f"{save.path.name} could not be deleted: {error.strerror}.") from error
    return f"Deleted {save.path.name}."


def open_record(file: str, at: int) -> tuple[AnyVariant, Record]:
    """A record from a file, or by its number in the list of games."""
    path = _numbered(int(file)).path if _is_number(file) else Path(file)
    try:
        records = read_records(read_bounded(path))
    except (Unreadable, BadRecord) as why:
        raise Problem(f"{path.name}: {why}") from why
    if not records:
        raise Problem(f"{path.name}: there is no game in this file.")
    if at > len(records):
        held = "there is only one game" if len(records) == 1 else f"there are {len(records)} games"
        raise Problem(f"{path.name}: {held} in this file.")
    # Where a record goes is the save's business alone; above all, a stranger's file has no say in it.
    record = recording.bare(records[at - 1])
    return _variant(record), record


def record_asked(file: str) -> Path | None:
    """The file that was asked for the record of a game in the list of games."""
    try:
        return recording.asked(_numbered(int(file)).read()) if _is_number(file) else None
    except Unreadable as why:
        raise Problem(f"game {file} {why}.") from why


def exported(file: str, at: int, seat: str | None) -> str:
    """A record as text, whole or as one seat saw it."""
    variant, record = open_record(file, at)
    try:
        session = Session.from_record(variant, record, dealer())
    except BadRecord as bad:
        raise Problem(str(bad)) from bad
    # Going on from a record draws the next card; what is exported is what was written.
    del session.steps[len(record.moves) :]
    if seat is not None:
        return session.record_for(Seat[seat.upper()]).text()
    if hides_something(variant, session, record):
        raise Problem("this game is not over and has hidden cards; add --seat first or --seat second.")
    return record.text()


def _saves() -> list[Save]:
    try:
        return all_saves()
    except Unreadable as why:
        raise Problem(f"the folder of saved games {why}.") from why


def _read(save: Save) -> Book:
    record = save.read()
    try:
        book = Book(save, record, _variant(record))
        Plan.from_record(book.variant, record)
    except Problem as problem:
        raise Unreadable(f"cannot be played here: {problem}") from problem
    try:
        replay(book.variant.game, record)
    except BadRecord as bad:
        raise Unreadable(f"does not follow the rules: {bad}") from bad
    return book


def _variant(record: Record) -> AnyVariant:
    if record.game not in games.ids():
        raise Problem(f"there is no game '{record.game[:20]}' here.")
    try:
        return games.variant(record.game).customised(record.options)
    except BadOption as bad:
        raise Problem(str(bad)) from bad


def _is_number(file: str) -> bool:
    return file.isascii() and file.isdigit() and len(file) < 7


def _numbered(number: int) -> Save:
    saves = _saves()
    if not 1 <= number <= len(saves):
        raise Problem(f"there is no game {number}; digit-duel games lists them.")
    return saves[number - 1]


def _match_goes_on(book: Book, saves: list[Save]) -> bool:
    """Whether a finished game is the last of a match that is not decided: only if nothing came after it."""
    match = Match.from_headers(dict(book.record.headers))
    latest = bool(saves) and saves[0] == book.save
    return latest and match is not None and not match.after(winner_of(book.record.result)).decided


def _described(book: Book) -> str:
    record = book.record
    headers = dict(record.headers)
    who = " - ".join(
        f"{name} ({level})" if (level := headers.get(f"Computer{seat.name.capitalize()}")) else name
        for seat, name in zip(Seat, record.names, strict=True)
    )
    options = " ".join(f"{name}={value}" for name, value in record.options.items())
    parts = [f"{headers.get('Date', ''):<10}", f"{record.game:<9}", who, _standing(book)]
    match = Match.from_headers(headers)
    parts += (
        [f"game {match.number}, {match.text}, score {match.score[0]}-{match.score[1]} before it"]
        if match
        else []
    )
    return "  ".join([*parts, *([options] if options else [])])


def _standing(book: Book) -> str:
    record = book.record
    if record.result != UNFINISHED:
        winner = winner_of(record.result)
        how = f" {ENDINGS[ended]}" if (ended := record.headers.get("Ended")) in ENDINGS else ""
        return "a draw" if winner is None else f"{record.names[winner]} won{how}"
    try:
        session = Session.from_record(
            book.variant, record, dealer("any card will do to see whose turn it is")
        )
    except BadRecord as bad:
        return f"does not follow the rules: {bad}"
    names = " and ".join(record.names[seat] for seat in session.acting)
    return f"{names} to move"
