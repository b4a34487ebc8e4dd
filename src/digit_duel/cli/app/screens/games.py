"""The lists of saved and finished games, and the statistics of the finished ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from digit_duel.cli.app.drawing.canvas import DIM, Canvas
from digit_duel.cli.app.drawing.pages import Line, draw_foot, draw_rows, draw_title
from digit_duel.cli.app.screens.base import CanvasScreen
from digit_duel.cli.app.screens.pages import TextPage
from digit_duel.cli.app.state.opening import saved_table
from digit_duel.cli.app.state.saved import details
from digit_duel.cli.app.state.statistics import statistics
from digit_duel.cli.errors import Problem
from digit_duel.cli.records import record_file
from digit_duel.cli.records.find_games import SavedGame, delete_game, in_words, saved_games, status
from digit_duel.cli.records.save_file import Save, all_saves


class GamesScreen(CanvasScreen):
    """All games, last played first: continue, replay, review or delete."""

    keys: ClassVar = {"q": "leave", "escape": "leave", "v": "review", "p": "replay", "d": "delete"}

    def __init__(self) -> None:
        super().__init__()
        self._read()

    def _read(self) -> None:
        self._saves = all_saves()
        self._games: list[SavedGame | str] = saved_games(self._saves)
        self._rows = [
            Line(f"game {at}", game) if isinstance(game, str) else _row(f"game {at}", game)
            for at, game in enumerate(self._games)
        ]

    def look_again(self) -> None:
        """Read the list again."""
        self._read()
        self.redraw()

    def help(self) -> tuple[str, ...]:
        return (
            "Enter  continue a game, or replay a finished one",
            "v      review with the coach",
            "p      step through",
            "d      delete",
            "q      back",
        )

    def draw(self, canvas: Canvas) -> None:
        draw_title(canvas, "Saved games", f"{len(self._games)} games" if len(self._games) > 1 else "")
        if not self._rows:
            canvas.put(3, 3, "There are no games yet.", DIM)
        draw_rows(canvas, self._rows)
        draw_foot(canvas, "Enter open   v review   p step through   d delete   q back")

    def first_focus(self, canvas: Canvas) -> str:
        return "game 0" if self._games else ""

    def act(self, action: str) -> None:
        if action == "leave":
            self.duel.go_back()
            return
        word, _, number = (action if action.startswith("game ") else self._focus).partition(" ")
        if word != "game" or int(number) >= len(self._games):
            return
        game = self._games[int(number)]
        if action == "delete":
            self._delete(game, self._saves[int(number)])
        elif not isinstance(game, str):
            self._open(game, action)

    def _open(self, game: SavedGame, action: str) -> None:
        try:
            if action.startswith("game ") and game.can_be_resumed(all_saves()):
                self.duel.sit_down(saved_table(game))
            else:
                record = record_file.without_save_headers(game.record)
                self.duel.look_back(game.variant, record, judged=action == "review")
        except Problem as problem:
            self.duel.tell(problem)

    def _delete(self, game: SavedGame | str, save: Save) -> None:
        """Delete a game after a question; by its save, for another window may have changed the order."""
        name = game if isinstance(game, str) else in_words(game)

        def delete() -> None:
            try:
                self.duel.tell(delete_game(save, name))
            except Problem as problem:
                self.duel.tell(problem)
            self.look_again()

        self.ask(f"Delete this game permanently: {name}?", delete)


def _row(action: str, game: SavedGame) -> Line:
    names = game.record.names
    text = f"{game.record.game.capitalize()}: {' - '.join(names)}"
    elsewhere = "open elsewhere, " if game.save.holder() else ""
    return Line(action, text, status(game, short=True), elsewhere + details(game), names)


def statistics_page() -> TextPage:
    """The statistics of the finished games."""
    records = [game.record for game in saved_games() if not isinstance(game, str)]

    def lines(columns: int) -> Sequence[str]:
        return statistics(records, columns)

    return TextPage("Results", lines)
