"""The list of saved games, the one to resume, and records opened from any file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from digit_duel import games
from digit_duel.cli.errors import Problem
from digit_duel.cli.play.hidden import hides_something
from digit_duel.cli.play.plan import Plan
from digit_duel.cli.records import record_file
from digit_duel.cli.records.save_file import InUse, Save, Unreadable, all_saves, folder, read_bounded
from digit_duel.core.game import Seat
from digit_duel.core.match import Match
from digit_duel.core.options import BadOption
from digit_duel.core.record import ENDINGS, UNFINISHED, BadRecord, Record, read_records, replay, winner_of
from digit_duel.core.session import Session, dealer
from digit_duel.core.variant import AnyVariant


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

    def can_be_resumed(self, saves: Sequence[Save]) -> bool:
        """Whether the game is unfinished, or it is the newest save and its match goes on."""
        if self.unfinished:
            return True
        match = Match.from_headers(dict(self.record.headers))
        newest = bool(saves) and saves[0] == self.save
        return newest and match is not None and not match.after(winner_of(self.record.result)).decided


def saved_games() -> list[SavedGame | str]:
    """All saved games, newest first; instead of an unreadable one, a sentence that says why."""
    found: list[SavedGame | str] = []
    for save in _saves():
        try:
            found.append(_read(save))
        except Unreadable as why:
            found.append(f"{save.path.name} {why}; the file is unchanged")
    return found


def list_games() -> str:
    """All saved games, newest first, one per line, and what can be done with them."""
    found, saves = saved_games(), _saves()
    lines = [
        f"{number:>3}  {game if isinstance(game, str) else describe(game)}"
        for number, game in enumerate(found, start=1)
    ]
    if not lines:
        return "There are no games yet. To play one: digit-duel play classic"
    readable = [game for game in found if not isinstance(game, str)]
    lines.append("")
    if any(game.can_be_resumed(saves) for game in readable):
        lines.append("To continue a game: digit-duel resume NUMBER")
    if any(not game.unfinished for game in readable):
        lines.append("To review a finished game: digit-duel review NUMBER")
    return "\n".join([*lines, f"They are kept in {folder()}"])


def game_to_resume(number: int | None) -> SavedGame:
    """The game with this number, or the newest that can be resumed."""
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
    for save in saves:
        try:
            game = _read(save)
        except Unreadable:
            continue  # digit-duel games names it
        if game.can_be_resumed(saves):
            return game
    raise Problem("there is no game to continue. To start one: digit-duel play classic")


def delete_game(number: int) -> str:
    """Delete a game permanently, unless somebody is playing it."""
    save = _numbered(number)
    try:
        with save.lock():
            save.path.unlink()
    except InUse as holder:
        raise Problem(
            f"game {number} is being played by {holder}; quit it there before you delete it."
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
    if seat in (None, record.headers.get("Seen")) and any("?" in move for move in record.moves):
        return record.text()  # it is already this seat's record
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


def describe(game: SavedGame) -> str:
    """A line about a game: date, players, result or whose turn it is, match, options."""
    record = game.record
    headers = dict(record.headers)
    who = " - ".join(
        f"{name} ({level})" if (level := headers.get(f"Computer{seat.name.capitalize()}")) else name
        for seat, name in zip(Seat, record.names, strict=True)
    )
    parts = [f"{headers.get('Date', ''):<10}", f"{record.game:<9}", who, status(game)]
    if match := Match.from_headers(headers):
        before = f"score {match.score[0]}-{match.score[1]} before it"
        parts.append(f"game {match.number}, {match.text}, {before}")
    if record.options:
        parts.append(" ".join(f"{name}={value}" for name, value in record.options.items()))
    return "  ".join(parts)


def status(game: SavedGame) -> str:
    """Who won, or whose turn it is."""
    record = game.record
    if not game.unfinished:
        winner = winner_of(record.result)
        how = f" {ENDINGS[ended]}" if (ended := record.headers.get("Ended")) in ENDINGS else ""
        return "a draw" if winner is None else f"{record.names[winner]} won{how}"
    # A card may be due: whatever it is, it does not change whose turn it is.
    session = Session.from_record(game.variant, record, dealer("any"))
    return f"{' and '.join(record.names[seat] for seat in session.acting)} to move"
