"""The screen of a game on a server: the opponent's moves arrive as events, and nothing here waits."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import ClassVar

from digit_duel.cli.app.drawing.canvas import Canvas
from digit_duel.cli.app.drawing.invitation import draw_invitation
from digit_duel.cli.app.screens.online_client import OnlineClient
from digit_duel.cli.app.screens.playing import PlayingScreen
from digit_duel.cli.app.state.online import OnlineTable
from digit_duel.cli.app.state.table import Phase, TableView
from digit_duel.cli.errors import Problem
from digit_duel.cli.online.entry import Entered, way_back
from digit_duel.cli.online.fairness import Checked
from digit_duel.cli.online.seat import OFFER_QUESTIONS, Sent, accepting
from digit_duel.cli.online.view import Choice as RemoteMove
from digit_duel.cli.online.view import GameView, Offer
from digit_duel.core.game import Refused
from digit_duel.core.script import Spot

_RULES, _LEAVE = "r    the rules", "q    leave; the server keeps the game"
_COPY = "c    copy the link to your clipboard"


def help_lines(hints: bool) -> tuple[str, ...]:
    """What the keys do in a game, with hints or without."""
    return (
        "Arrows and Enter choose, or a click, or the key shown.",
        "",
        "Esc  one choice back     u  ask to take back",
        "m    type a move         l  what happened so far",
        "o    offer a clock       x  resign",
        f"{_RULES}           h  a hint" if hints else _RULES,
        "c    claim the game when your opponent stays away",
        _LEAVE,
    )


class OnlineScreen(PlayingScreen):
    """A seat in a game on a server."""

    keys: ClassVar = {**PlayingScreen.keys, "c": "claim", "o": "clock"}

    def __init__(self, client: OnlineClient, go_home: Callable[[], None]) -> None:
        super().__init__()
        self._client, self._go_home = client, go_home
        self.table = OnlineTable(client.variant, client.entered)
        self._answered: set[str] = set()  # offers that this player has been asked about
        self._asked_about = ""
        self._checked: Checked | None = None
        self._seed = ""  # given to a rematch
        self._typed_words = ""  # a move in words on its way to the server

    def on_mount(self) -> None:
        super().on_mount()
        self._client.listen(self)
        self.set_interval(1.0, self._tick)
        self._look_around()

    def on_unmount(self) -> None:
        self._client.close()

    @property
    def commands(self) -> str:
        hint = "h hint  " if self.table.game.hints else ""
        return f"{hint}u take back  o clock  x resign  m type a move"

    @property
    def playable(self) -> OnlineTable:
        return self.table

    def help(self) -> tuple[str, ...]:
        if self.table.inviting:
            return (_COPY, _RULES, _LEAVE) if self.table.entered.link else (_RULES, _LEAVE)
        return help_lines(self.table.game.hints)

    # What it shows.

    def view(self) -> TableView:
        found = self.table.view()
        actions: tuple[tuple[str, str, str], ...] = ()
        if found.phase is Phase.OVER:
            again = (("again", "n", "rematch"),) if "rematch" not in self.table.game.offered else ()
            actions = (*again, ("review", "v", "review"), ("leave", "q", "leave"))
            if not again:
                found = replace(found, news="Waiting for the other player to agree to a rematch.")
        elif found.phase is Phase.REVEAL:
            actions = (("go on", "enter", "next round"),)
        elif self.table.claim_in() == 0 and found.phase is Phase.WAITING:
            actions = (("claim", "c", "claim the game"),)
        return replace(found, actions=actions)

    def draw(self, canvas: Canvas) -> None:
        if self.table.inviting:
            entered = self.table.entered
            title = f"{self.table.variant.id.capitalize()} online"
            draw_invitation(canvas, title, entered.link, entered.qr, self.table.game.headline)
        else:
            super().draw(canvas)

    def first_focus(self, canvas: Canvas) -> str:
        return "" if self.table.inviting else super().first_focus(canvas)

    def extra_key(self, key: str) -> str:
        return "" if self.table.inviting else super().extra_key(key)

    def _tick(self) -> None:
        """Redraw the clocks, which count down."""
        if self.table.game.clock is not None or self.table.game.claim_in is not None:
            self.redraw()

    # What the player does.

    def act(self, action: str) -> None:
        if not self.table.inviting or action in ("leave", "rules"):
            super().act(action)
        elif action == "claim" and self.table.entered.link:  # nobody is here yet, so the same key copies
            self.duel.copy_to_clipboard(self.table.entered.link)
            self.duel.tell("Copied, if your terminal lets programs use the clipboard.")

    def command(self, action: str) -> None:
        match action:
            case "leave":
                self._leave()
            case "go on":
                self.table.go_on()
                self.redraw()
            case "again" | "review":
                self._after_the_game(action)
            case "back":
                self.choose_back()
            case _:
                self._in_play(action)

    def _in_play(self, action: str) -> None:
        phase, turn = self.table.phase, self.table.phase is Phase.TURN
        if action == "undo" and not (turn and self.choose_back()):
            self._send({"do": "takeback"})
        elif action == "resign" and phase in (Phase.TURN, Phase.WAITING):
            self.ask("Do you want to resign?", lambda: self._send({"do": "resign"}))
        elif action == "claim" and self.table.claim_in() == 0:
            self._send({"do": "claim"})
        elif action == "clock" and phase in (Phase.TURN, Phase.WAITING):
            self.ask_line("Minutes for each player, from 1 to 180", self._offer_clock)
        elif action == "hint" and turn:
            self._advise()
        elif action == "why":
            self.duel.tell("The coach can review this game with you when it is over.")
        elif turn:
            self.pick(action)

    def play(self, move: RemoteMove | str) -> None:
        self._typed_words = ""
        if isinstance(move, RemoteMove):
            self._send({"do": "move", "move": move.move}, move.spot)
        else:  # words, which the server parses
            self._typed_words = move[:100]
            self._send({"do": "move", "text": self._typed_words})

    def _offer_clock(self, text: str) -> str:
        if text.strip().isascii() and text.strip().isdigit() and 1 <= int(text) <= 180:
            self._send({"do": "clock", "minutes": int(text)})
            return ""
        return "Choose from 1 to 180 minutes." if text.strip() else ""

    def _advise(self) -> None:
        self.show_coach(("One moment …",))
        self._client.hint(self.table.game.version)

    def _leave(self) -> None:
        self.close_table()
        self._go_home()
        if not self.table.over:
            self.duel.tell("The server keeps the game.")

    def _after_the_game(self, action: str) -> None:
        if not self.table.over:
            return
        if action == "again":
            self._want_rematch()
        elif self._checked is None:
            self.duel.tell("The record of this game has not arrived yet.")
        else:
            self.duel.look_back(self.table.variant, self._checked.record, judged=True)

    def _want_rematch(self) -> None:
        self._seed = self._seed or secrets.token_hex(16)
        self._send({"do": "rematch", "seed": self._seed})

    def _send(self, command: Mapping[str, object], spot: Spot | None = None) -> None:
        if not self.table.sending:
            self.table.send(spot)
            self._client.send(command, self.table.game.version)
            self.redraw()

    # What comes from the server, in the app's own thread.

    def received(self, view: GameView) -> None:
        """A view has arrived."""
        table = self.table
        was_lost = table.lost
        if table.receive(view):
            self.forget_note()  # it would hide the news
            self._focus = ""
            self.light_up()
        elif was_lost:
            self.duel.tell("Connected again.")
        self._look_around()
        self.redraw()

    def connection_lost(self) -> None:
        """The connection is lost; the client keeps trying to reconnect."""
        self.table.lost = True
        self.redraw()

    def sent(self, sent: Sent) -> None:
        """A command has been answered."""
        if sent.version:
            self.table.promised(sent.version)
        else:
            self.table.done()
            if sent.reason and self._typed_words:
                self.ask_move(self._typed_words, sent.reason)
            elif sent.reason:
                self.duel.tell(Refused(sent.reason))
        self.redraw()

    def hinted(self, version: int, texts: tuple[str, ...]) -> None:
        """A hint has arrived."""
        if version == self.table.game.version:
            self.show_coach(texts)

    def failed(self, problem: Problem) -> None:
        """Something failed that a retry cannot fix."""
        self.table.done()
        self.table.coach = ()
        self.duel.tell(problem)
        self.redraw()

    def checked(self, checked: Checked | None) -> None:
        """The check found that the game was fair."""
        self._checked = checked
        if checked is not None and checked.hidden:
            self.duel.tell(checked.sentence)

    def entered(self, entered: Entered) -> None:
        """The rematch begins."""
        self.table = OnlineTable(self._client.variant, entered)
        self._answered, self._checked, self._seed, self._focus = set(), None, "", ""
        self._look_around()
        self.redraw()

    def _look_around(self) -> None:
        """React to a view: ask about offers, check a finished game, or go to the next one."""
        game = self.table.game
        self.duel.remember_game("" if self.table.over else self._client.link)
        if game.next is not None and self._seed:
            self._client.go_to(game.next, self._seed)
        elif self.table.over and self._checked is None:
            self._client.check(game)
        self._ask_about_offers({offer.what: offer for offer in game.offers})

    def _ask_about_offers(self, standing: dict[str, Offer]) -> None:
        """Ask the player once about each offer of the opponent; close the question if it is withdrawn."""
        self._answered &= standing.keys()
        if self._asked_about and self._asked_about not in standing:
            self._asked_about = ""
            if self.asking:
                self.withdraw_question()
        new = next((offer for offer in standing.values() if offer.what not in self._answered), None)
        if new is None or self.asking:
            return
        self._answered.add(new.what)
        self._asked_about = new.what
        question = OFFER_QUESTIONS[new.what].format(new.minutes)
        self.ask(question, lambda: self._agree(new), lambda: self._decline(new))

    def _agree(self, offer: Offer) -> None:
        self._asked_about = ""
        if offer.what == "rematch":
            self._want_rematch()
        else:
            self._send(accepting(offer))

    def _decline(self, offer: Offer) -> None:
        self._asked_about = ""
        self._send({"do": "decline", "what": offer.what})

    # Leaving.

    @property
    def goodbye(self) -> str:
        back = way_back(self._client.connection, self.table.game)
        return f"The server keeps the game. {back}" if back else ""

    def close_table(self) -> None:
        """Stop listening; the server keeps the game."""
        self._client.close()
