"""A game on a server as one seat sees it: views that arrived, commands sent, and what can be chosen."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from digit_duel.cli.app.state.choice import Choice, asked
from digit_duel.cli.app.state.effects import captions, effects
from digit_duel.cli.app.state.score import counted
from digit_duel.cli.app.state.table import MoveLine, Phase, TableView, verdict
from digit_duel.cli.online.entry import Entered
from digit_duel.cli.online.view import Choice as RemoteMove
from digit_duel.cli.online.view import GameView, News
from digit_duel.core.answers import not_understood
from digit_duel.core.game import Refused, Seat
from digit_duel.core.script import Cell, Question, Scene, Spot
from digit_duel.core.variant import AnyVariant


class RemoteChoice(Choice):
    """A choice between the moves that the server offers."""

    def __init__(self, seat: Seat, view: GameView) -> None:
        questions: Sequence[Question[Any]] = [
            replace(question, label=_label_at(at)) for at, question in enumerate(view.questions)
        ]
        places = 0 if view.scene is None else len(view.scene.rows[seat].cells)
        super().__init__(seat, questions, {move: move.spot for move in view.choices}, places)

    def notation(self, move: Any) -> str:
        found: str = move.move
        return found

    def typed(self, text: str) -> RemoteMove | str:
        """A move, or the words themselves: the server knows every way to type a move."""
        line = " ".join(text.split()).lower()
        if not self.picked:
            return next((move for move in self.legal if move.move == line), line)
        if (move := self.answered(line)) is None:
            raise Refused(not_understood(self.open_question(), self.moves, line))
        found: RemoteMove = move
        return found


class OnlineTable:
    """What one seat knows of a game that a server keeps; nothing here waits for the server."""

    def __init__(self, variant: AnyVariant, entered: Entered) -> None:
        assert entered.view.seat is not None
        self.variant, self.entered = variant, entered
        self.game, self.seat = entered.view, entered.view.seat
        self.coach: tuple[str, ...] = ()
        self.choice: Choice | None = None
        self.lost = False  # whether the connection is down
        self.sending = False  # a command is on its way, and the view after it is not here yet
        self._sent: Spot | None = None  # where the move on its way will show
        self._awaited = 0  # the version that the server promised after the command
        self._news: dict[int, News] = {}
        self._reveals: list[News] = []  # ends of rounds and revealed secrets that the player has not seen yet
        self._arrived = time.monotonic()
        self._remember(entered.view)
        self._reveals.clear()  # from before this program was started
        self._offer_moves()

    @property
    def inviting(self) -> bool:
        """Whether the game waits for an opponent to join, so that there is no table yet."""
        return self.game.scene is None

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.game.phase == "over"

    @property
    def told(self) -> int:
        """The last version whose news have arrived."""
        return max(self._news, default=0)

    @property
    def phase(self) -> Phase:
        """What the table waits for."""
        if self.over:
            return Phase.OVER
        if self._reveals:
            return Phase.REVEAL
        return Phase.TURN if self.choice is not None and not self.sending else Phase.WAITING

    # Changes.

    def receive(self, view: GameView) -> bool:
        """Take a view from the server; return whether the game has advanced since the previous one."""
        if view.version < self.game.version:
            return False
        changed = view.version > self.game.version
        self.game, self._arrived, self.lost = view, time.monotonic(), False
        self._remember(view)
        if changed:
            self.coach = ()
            self._offer_moves()
        if self._awaited and view.version >= self._awaited:
            self.done()
        return changed

    def send(self, spot: Spot | None = None) -> None:
        """A command is on its way; a move shows at once at its place."""
        self.sending, self._sent, self._awaited = True, spot, 0

    def promised(self, version: int) -> None:
        """The server has run the command, which made this version."""
        self._awaited = version
        if self.game.version >= version:
            self.done()

    def done(self) -> None:
        """The command has been answered."""
        self.sending, self._sent, self._awaited = False, None, 0

    def go_on(self) -> None:
        """Continue after looking at how a round ended."""
        if self._reveals:
            self._reveals.pop(0)

    def _remember(self, view: GameView) -> None:
        for news in view.news:
            if news.version > self.told and news.scene is not None:
                self._reveals.append(news)
            self._news[news.version] = news

    def _offer_moves(self) -> None:
        mine = self.game.turn and self.game.phase == "playing"
        self.choice = RemoteChoice(self.seat, self.game) if mine else None

    # Time, which passes between two views.

    def seconds_left(self, seat: Seat) -> float | None:
        """What a seat has left on its clock, if there is one."""
        clock = self.game.clock
        if clock is None:
            return None
        gone = self._age if clock.running is seat else 0.0
        return max(0.0, clock.left[seat] / 1000 - gone)

    def claim_in(self) -> float | None:
        """Seconds until this player may claim the game; None while nobody is kept waiting."""
        clock, other = self.game.clock, self.seat.other
        if self.over:
            return None
        if clock is not None and clock.running is other and self.seconds_left(other) == 0:
            return 0.0
        return None if self.game.claim_in is None else max(0.0, self.game.claim_in - self._age)

    @property
    def _age(self) -> float:
        return time.monotonic() - self._arrived

    # What it looks like.

    def view(self) -> TableView:
        """The table as this seat sees it; the game must have begun."""
        game, phase = self.game, self.phase
        assert game.scene is not None
        shown = self._last_with_place()
        base = TableView(
            title=f"{self.variant.id.capitalize()} online",
            phase=phase,
            scene=self._scene(),
            names=game.names,
            below=self.seat,
            turn=None if self.over or phase is Phase.REVEAL else _first(game.acting, self.seat),
            alone=True,
            clocks=(self._clock(Seat.FIRST), self._clock(Seat.SECOND)),
            labels=(self._label(Seat.FIRST), self._label(Seat.SECOND)),
            news="" if phase is Phase.WAITING and self.sending else self._told(),
            message=self._message(phase),
            marked=None if shown is None else shown.place,
            mover=None if shown is None else shown.seat,
            winner=game.winner,
            score=self._score(),
            moves=self.moves,
            coach=self.coach,
            hints=self.over,
        )
        if phase is Phase.REVEAL:
            shown = self._reveals[0]
            return replace(base, news=shown.text, winner=None if shown.place is None else shown.place.row)
        if phase is not Phase.TURN or self.choice is None:
            return base
        told = effects(self.choice, base.scene, self.seat, base.names, alone=True)
        words = captions(self.choice, self.variant.voice, base.names[self.seat.other], told)
        return replace(
            base, offers=self.choice.offers, picked=self.choice.picked, effects=told, captions=words
        )

    @property
    def moves(self) -> tuple[MoveLine, ...]:
        """What happened, in the server's words for this seat."""
        found = [self._news[version] for version in sorted(self._news)]
        return tuple(MoveLine("", news.seat, news.text) for news in found if news.text)

    def _last_with_place(self) -> News | None:
        found = [news for _, news in sorted(self._news.items()) if news.place is not None]
        return found[-1] if found else None

    def _scene(self) -> Scene:
        scene = self.game.scene
        if self._reveals and not self.over:
            scene = self._reveals[0].scene
        assert scene is not None
        return scene if self._sent is None else _with_tile(scene, self._sent)

    def _clock(self, seat: Seat) -> str:
        player, left = self.game.players[seat], self.seconds_left(seat)
        away = "away" if not (player.here or player.level) and seat is not self.seat else ""
        return " ".join(filter(None, (away, "" if left is None else minutes(left))))

    def _label(self, seat: Seat) -> str:
        level = self.game.players[seat].level
        return f"{level} computer" if level else ""

    def _told(self) -> str:
        """What has happened since this player's last move, or that move if nothing has."""
        texts = [news for _, news in sorted(self._news.items()) if news.text]
        mine = max((at for at, news in enumerate(texts) if news.seat is self.seat), default=-1)
        return " ".join(news.text for news in (texts[mine + 1 :] or texts[-1:])[-2:])

    def _message(self, phase: Phase) -> str:
        other = self.game.names[self.seat.other]
        if phase is Phase.OVER:
            reason = self.game.json["result"]["reason"].text
            return verdict(self.game.closing, self.game.names, self.game.winner, reason, self._scene())
        if self.lost:
            kept = "Your move is kept. " if self.sending else ""
            return f"The connection is lost. {kept}Reconnecting …"
        if self.sending:
            return "Sending …"
        if phase is Phase.TURN and self.choice is not None:
            return asked(self.choice, self._scene())
        claim = self.claim_in()
        if phase is Phase.REVEAL or claim is None:
            return "" if phase is Phase.REVEAL else self.game.headline
        if claim > 0:
            return f"{other} is away. You can claim the game in {minutes(claim)}."
        return f"{other} keeps you waiting. You can claim the game."

    def _score(self) -> str:
        """The score of a match, this game included."""
        match, names = self.game.json["match"], self.game.names
        if match["text"].value is None:
            return ""
        won = [match["score"][at].number + (self.game.winner == at) for at in (0, 1)]
        return f"{counted(names, won)} · {match['text'].text}"


def _label_at(at: int) -> Callable[[RemoteMove], str]:
    return lambda move: move.labels[at]


def _first(acting: tuple[Seat, ...], preferred: Seat) -> Seat | None:
    return preferred if preferred in acting else acting[0] if acting else None


def minutes(seconds: float) -> str:
    """Minutes and seconds as on a clock."""
    whole = int(seconds)
    return f"{whole // 60}:{whole % 60:02}"


def _with_tile(scene: Scene, spot: Spot) -> Scene:
    """A scene with a tile already at the place of a move on its way."""
    if spot.digit is None or spot.row is None or spot.cell is None:
        return scene
    rows = list(scene.rows)
    cells = list(rows[spot.row].cells)
    cells[spot.cell] = Cell(spot.digit, label=cells[spot.cell].label)
    rows[spot.row] = replace(rows[spot.row], cells=tuple(cells))
    pool = tuple(replace(s, left=s.left - 1) if s.digit == spot.digit else s for s in scene.pool)
    return replace(scene, rows=(rows[0], rows[1]), pool=pool)
