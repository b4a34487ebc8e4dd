"""The base of the screens of a game being played, here or on a server."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar, Protocol

from digit_duel.cli.app.drawing.canvas import Canvas
from digit_duel.cli.app.drawing.table import WIDE, draw_table
from digit_duel.cli.app.screens.base import CanvasScreen
from digit_duel.cli.app.screens.pages import moves_page
from digit_duel.cli.app.state.choice import Choice, Offer
from digit_duel.cli.app.state.table import Phase, TableView
from digit_duel.core.game import Refused
from digit_duel.core.variant import AnyVariant

_FLASH = 0.35  # seconds for which a move just made is lit


class Playable(Protocol):
    """A table at which moves are chosen."""

    coach: tuple[str, ...]
    choice: Choice | None

    @property
    def variant(self) -> AnyVariant:
        """The game that is played."""

    @property
    def phase(self) -> Phase:
        """What the table waits for."""


class PlayingScreen(CanvasScreen):
    """Chooses among what the table offers, lights up what was moved, and shows the coach's words."""

    keys: ClassVar = {
        "h": "hint", "w": "why", "u": "undo", "m": "type", "x": "resign", "q": "leave", "r": "rules",
        "l": "moves", "escape": "back",
    }  # fmt: skip
    flash = False

    @property
    @abstractmethod
    def commands(self) -> str:
        """The keys named at the foot while it is somebody's turn."""

    @property
    @abstractmethod
    def playable(self) -> Playable:
        """The table."""

    @abstractmethod
    def view(self) -> TableView:
        """What is shown now."""

    @abstractmethod
    def command(self, action: str) -> None:
        """Do what depends on the kind of table, or make a choice."""

    @abstractmethod
    def play(self, move: Any) -> None:
        """Make a move that has been chosen."""

    @abstractmethod
    def close_table(self) -> None:
        """Release the game, which stays saved."""

    @property
    @abstractmethod
    def goodbye(self) -> str:
        """What to tell a player who leaves an unfinished game."""

    def draw(self, canvas: Canvas) -> None:
        commands = self.commands if self.playable.phase is Phase.TURN else ""
        leave = "" if self.playable.phase is Phase.OVER else "q leave"
        footer = "  ".join(filter(None, ("? keys", leave, commands)))
        draw_table(replace(self.view(), note=self.place_note()), canvas, self.flash, footer)

    def act(self, action: str) -> None:
        if self.close_coach(action):
            return
        match action:
            case "rules":
                self.duel.show_rules(self.playable.variant)
            case "moves":
                self.show_moves()
            case "type":
                self.ask_move()
            case _:
                self.command(action)

    def first_focus(self, canvas: Canvas) -> str:
        if self.view().masked:  # Enter must not choose what nobody sees
            return ""
        offers = sorted(self.offers, key=lambda offer: not offer.preferred)
        return next((offer.action for offer in offers), super().first_focus(canvas))

    def arrow(self, key: str) -> bool:
        if self.view().masked and not self.covered:
            self.name_keys()
            return True
        return super().arrow(key)

    @property
    def offers(self) -> Sequence[Offer]:
        return self.view().offers

    def extra_key(self, key: str) -> str:
        view = self.view()
        named = [(offer.key, offer.action) for offer in view.offers]
        named += [(shown, action) for action, shown, _ in view.actions]
        return next((action for shown, action in named if shown and shown == key.lower()), "")

    def pick(self, action: str) -> None:
        """Choose what an action names, if it can be chosen now; the move is made once only one is left."""
        offer = next((offer for offer in self.offers if offer.action == action), None)
        if offer is None or self.playable.choice is None:
            return
        self._focus = ""
        move = self.playable.choice.pick(offer)
        if move is None:
            self.redraw()
        else:
            self.play(move)

    def _choice(self) -> Choice | None:
        """What the player chooses from, if it is their turn."""
        return self.playable.choice if self.playable.phase is Phase.TURN else None

    def ask_move(self, text: str = "", complaint: str = "") -> None:
        """Let the player type a move; or mend one that was refused."""
        choice = self._choice()
        if choice is not None and not choice.secret:
            example = choice.notation(choice.moves[0])
            self.ask_line(f"Your move, for example {example}", self._typed_move, text, complaint)

    def _typed_move(self, text: str) -> str:
        """Make the move that a line names; or say why it names none."""
        choice = self._choice()
        if choice is None or not text.strip():
            return ""
        try:
            move = choice.typed(text)
        except Refused as refused:
            return str(refused)
        self.play(move)
        return ""

    def light_up(self) -> None:
        """Highlight the last move for a moment."""
        self.flash = True
        self.set_timer(_FLASH, self._flash_over)

    def _flash_over(self) -> None:
        self.flash = False
        self.redraw()

    def show_coach(self, texts: Sequence[str]) -> None:
        """Show what the coach says; on a narrow screen, in a panel that Enter closes."""
        self.playable.coach = tuple(texts)
        if self.size.width < WIDE:
            self._focus = "close"
        self.redraw()

    def close_coach(self, action: str) -> bool:
        """Close the coach's panel on a narrow screen; return whether that completes the action."""
        if not self.playable.coach or action in ("hint", "why") or self.size.width >= WIDE:
            return False
        self.playable.coach = ()
        self.redraw()
        return action in ("close", "back")

    def show_moves(self) -> None:
        """Show all moves so far, for screens without a panel for them; a cover keeps them secret."""
        if self.playable.phase is not Phase.COVER:
            self.duel.show(moves_page(self.view().moves))

    def choose_back(self) -> bool:
        """Undo the last choice; return whether there was one."""
        if self.playable.choice is None or not self.playable.choice.back():
            return False
        self._focus = ""
        self.redraw()
        return True
