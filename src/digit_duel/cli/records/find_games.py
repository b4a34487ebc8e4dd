"""The list of saved games, the one to resume, and records opened from any file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from digit_duel import games
from digit_duel.cli.errors import Problem
from digit_duel.cli.play.hidden import hides_something
from digit_duel.cli.play.plan import Plan
from digit_duel.cli.records import record_file
from digit_duel.cli.records.save_file import InUse, Save, Unreadable, all_saves, folder, read_bounded
from digit_duel.cli.screen.terminal import printable
from digit_duel.core.game import Seat
from digit_duel.core.match import Match
from digit_duel.core.options import BadOption
from digit_duel.core.record import (
    CONTINUED,
    ENDINGS,
    UNFINISHED,
    BadRecord,
    Record,
    level_of,
    read_records,
    replay,
    winner_of,
)
from digit_duel.core.seat_record import seat_of
from digit_duel.core.session import Session, dealer
from digit_duel.core.variant import AnyVariant

_WIDEST = (16, 11, 36, 30)  # the most that columns of the list are padded to, so that long names stay out


@dataclass(frozen=True, slots=True)
class SavedGame:
    """A save that can be read."""

    save: Save
    record: Record
    variant: AnyVariant

    @property
    def unfinished(self) -> bool:
        """Whether the game is not over."""
        return self.record.result == UNFINISHED

    @property
    def begun(self) -> bool:
        """Whether a player has moved, in this game or in one before it of the same match."""
        match = Match.from_headers(self.record.headers)
        moved = any(step.seat is not None for step in replay(self.variant.game, self.record))
        return moved or (match is not None and match.number > 1)

    @property
    def played_at(self) -> str:
        """The date and the time of day of the last move."""
        saved_at = self.save.saved_at
        if not saved_at:  # deleted in the meantime
            return self.record.headers.get("Date", "")
        return f"{datetime.fromtimestamp(saved_at):%Y-%m-%d %H:%M}"

    def can_be_resumed(self, saves: Sequence[Save]) -> bool:
        """Whether the game is unfinished, or it was played last and its match goes on."""
        if self.unfinished:
            return True
        match = Match.from_headers(self.record.headers)
        newest = bool(saves) and saves[0] == self.save
        return newest and match is not None and not match.after(winner_of(self.record.result)).decided


def saved_games(saves: Sequence[Save] | None = None) -> list[SavedGame | str]:
    """All saved games, last played first; instead of an unreadable one, a sentence that says why."""
    found: list[SavedGame | str] = []
    for save in _saves() if saves is None else saves:
        try:
            found.append(_read(save))
        except Unreadable as why:
            found.append(f"{save.path.name} {why}; the file is unchanged")
    return found


def list_games() -> str:
    """All saved games, last played first, one per line, and what can be done with them."""
    saves = _saves()
    found = saved_games(saves)
    if not found:
        return "There are no games yet. To play one: digit-duel play classic"
    readable = [game for game in found if not isinstance(game, str)]
    columns = zip(*map(_columns, readable), strict=True)
    widths = [min(most, max(map(len, column))) for most, column in zip(_WIDEST, columns, strict=False)]
    lines = [
        f"{number:>3}  {game if isinstance(game, str) else _listed(game, widths)}"
        for number, game in enumerate(found, start=1)
    ]
    lines.append("")
    if any(game.can_be_resumed(saves) for game in readable):
        lines.append("To continue a game: digit-duel resume NUMBER")
    if any(not game.unfinished for game in readable):
        lines.append("To review a finished game: digit-duel review NUMBER")
    return "\n".join([*lines, f"They are kept in {folder()}"])


def game_to_resume(number: int | None) -> SavedGame:
    """The game with this number, or the one played last that is not open elsewhere, preferably with moves."""
    saves = _saves()
    if number is not None:
        save = _numbered(number)
        try:
            game = _read(save)
        except Unreadable as why:
            raise Problem(f"game {number}, {save.path.name}, {why}. The file is unchanged.") from why
        if not game.can_be_resumed(saves):
            raise Problem(f"game {number} is over. To look at it: digit-duel replay {number}")
        return game
    if (offered := game_to_offer()) is not None:
        return offered
    holders = []
    for game in _resumable(saves):
        if not (holder := game.save.holder()):
            return game
        holders.append(holder)
    if holders:
        raise Problem(f"this game is being played by {holders[0]}; only one can play it at a time.")
    raise Problem("there is no game to continue. To start one: digit-duel play classic")


def game_to_offer() -> SavedGame | None:
    """The game to go on with that was played last, if it has begun and is not open elsewhere."""
    return next((game for game in _resumable(_saves()) if game.begun and not game.save.holder()), None)


def _resumable(saves: Sequence[Save]) -> Iterator[SavedGame]:
    """The games that can be resumed, last played first."""
    for save in saves:
        with suppress(Unreadable):  # digit-duel games names it
            game = _read(save)
            if game.can_be_resumed(saves):
                yield game


def game_to_delete(number: int) -> tuple[Save, str]:
    """The save with this number, and the game in it in words; raises Problem if somebody is playing it."""
    save = _numbered(number)
    try:
        name = in_words(_read(save))
    except Unreadable as why:
        name = f"{save.path.name}, which {why}"
    if holder := save.holder():
        raise Problem(f"game {number} is being played by {holder}; quit it there before you delete it.")
    return save, name


def delete_game(save: Save, name: str) -> str:
    """Delete a game permanently, unless somebody is playing it."""
    try:
        with save.lock():
            save.path.unlink()
    except InUse as holder:
        raise Problem(
            f"this game is being played by {holder}; quit it there before you delete it."
        ) from holder
    except OSError as error:
        raise Problem(f"{save.path.name} could not be deleted: {error.strerror}.") from error
    return f"Deleted: {name}."


def open_record(file: str, at: int) -> tuple[AnyVariant, Record]:
    """A record from a file, or by its number in the list of games."""
    path = _numbered(int(file)).path if _is_number(file) else Path(file)
    name = path.name if _is_number(file) else printable(file) or "''"
    try:
        records = read_records(read_bounded(path))
    except Unreadable as why:
        raise Problem(f"{name} {why}.") from why
    except BadRecord as bad:
        raise Problem(f"{name}: {bad}") from bad
    if not records:
        raise Problem(f"{name}: there is no game in this file.")
    if at > len(records):
        held = "there is only one game" if len(records) == 1 else f"there are {len(records)} games"
        raise Problem(f"{name}: {held} in this file.")
    # A file from elsewhere must not choose a record file to write to.
    record = record_file.without_save_headers(records[at - 1])
    return _variant(record), record


def record_file_of(file: str) -> Path | None:
    """The record file of a game in the list of games."""
    try:
        return record_file.file_of(_numbered(int(file)).read()) if _is_number(file) else None
    except Unreadable as why:
        raise Problem(f"game {file} {why}.") from why


def export_record(file: str, at: int, seat: str | None) -> str:
    """A record as text, whole or as one seat saw it, of a finished game or of a save."""
    variant, record = open_record(file, at)
    if (own := seat_of(variant, record)) is not None:
        if seat in (None, own.name.lower()):
            return record.text()
        raise Problem(f"this record shows only what {record.names[own]} saw, not what the other player saw.")
    try:
        session = Session.from_record(variant, record, dealer())
    except BadRecord as bad:
        raise Problem(str(bad)) from bad
    # A resumed session draws the next card; only what was recorded is exported.
    del session.steps[len(record.moves) :]
    if seat is not None:
        return session.record_for(Seat[seat.upper()]).text()
    if hides_something(session, record):
        raise Problem("this game is not over and has hidden cards; add --seat first or --seat second.")
    return record.text()


def _saves() -> list[Save]:
    try:
        return all_saves()
    except Unreadable as why:
        raise Problem(f"the folder of saved games {why}.") from why


def _read(save: Save) -> SavedGame:
    record = save.read()
    try:
        game = SavedGame(save, record, _variant(record))
        Plan.from_record(game.variant, record)
    except Problem as problem:
        raise Unreadable(f"cannot be played here: {problem}") from problem
    try:
        replay(game.variant.game, record)
    except BadRecord as bad:
        raise Unreadable(f"does not follow the rules: {bad}") from bad
    return game


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


def in_words(game: SavedGame) -> str:
    """A game in words, to tell it from others: what, who, how it stands and when it was played last."""
    return ", ".join([game.record.game, " - ".join(game.record.names), status(game), game.played_at])


def _columns(game: SavedGame) -> tuple[str, ...]:
    """What the list of games says first about each: when, what, who, and how it stands."""
    record = game.record
    who = " - ".join(
        f"{name} ({level})" if (level := level_of(record.headers, seat)) else name
        for seat, name in zip(Seat, record.names, strict=True)
    )
    return game.played_at, f"{record.game:<9}", who, status(game)


def _listed(game: SavedGame, widths: Sequence[int]) -> str:
    """A line about a game: the columns, then its match, its options, and whether it is open elsewhere."""
    record = game.record
    parts = [text.ljust(width) for text, width in zip(_columns(game), widths, strict=True)]
    if game.save.holder():
        parts.append("open elsewhere")
    if match := Match.from_headers(record.headers):
        before = f"score {match.score[0]}-{match.score[1]} before it"
        parts.append(f"game {match.number}, {match.text}, {before}")
    if told := played_on_from(record):
        parts.append(told)
    if record.options:
        parts.append(" ".join(f"{name}={value}" for name, value in record.options.items()))
    return "  ".join(parts).rstrip()


def played_on_from(record: Record) -> str:
    """From which move of another game this one was played on, empty if it began at the start."""
    number = record.headers.get(CONTINUED, "")
    return f"played on from move {number}" if number else ""


def status(game: SavedGame, short: bool = False) -> str:
    """Who won, and unless it should be short how, or whose turn it is."""
    record = game.record
    if not game.unfinished:
        winner = winner_of(record.result)
        ended = "" if short else record.headers.get("Ended")
        how = f" {ENDINGS[ended]}" if ended in ENDINGS else ""
        return "a draw" if winner is None else f"{record.names[winner]} won{how}"
    # A card may be due: whatever it is, it does not change whose turn it is.
    session = Session.from_record(game.variant, record, dealer("any"))
    acting = session.acting
    return "both to move" if len(acting) > 1 else f"{record.names[acting[0]]} to move"
