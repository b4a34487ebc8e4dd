"""The base of all screens: a canvas, targets to choose, questions, sheets and a line to type in."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar, cast

from textual import events
from textual.app import ComposeResult
from textual.geometry import Size
from textual.screen import Screen
from textual.widgets import Input

from digit_duel.cli.app.drawing.canvas import Canvas, Target
from digit_duel.cli.app.drawing.sheets import draw_field, draw_note, draw_sheet, draw_too_small
from digit_duel.cli.app.run import SMALLEST
from digit_duel.cli.app.screens.line import Line
from digit_duel.cli.app.screens.picture import Picture
from digit_duel.cli.app.themes import colours_of

if TYPE_CHECKING:
    from digit_duel.cli.app.application import DuelApp
    from digit_duel.cli.app.state.choice import Offer

_ARROWS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


class CanvasScreen(Screen[None]):
    """A screen that draws its state on a canvas and acts on what is chosen there."""

    DEFAULT_CSS = """
    CanvasScreen { overflow: hidden; layers: picture line; }
    CanvasScreen Picture { layer: picture; }
    CanvasScreen Input { layer: line; dock: bottom; display: none; }
    CanvasScreen Input, CanvasScreen Input:focus { border: none; height: 1; padding: 0; }
    """
    keys: ClassVar[dict[str, str]] = {}  # key: action
    title_of_help = "Keys"

    def __init__(self) -> None:
        super().__init__()
        self._canvas: Canvas | None = None
        self._focus = ""
        self._sheet: tuple[str, tuple[str, ...]] | None = None
        self._question: tuple[str, Callable[[], None], Callable[[], None]] | None = None
        self._typed: Callable[[str], str | None] | None = None
        self._prompt = ""
        self._complaint = ""  # about what was typed
        self._note = ""
        self._note_placed = False  # whether the screen has shown the note itself

    @property
    def duel(self) -> DuelApp:
        """The app, with what all screens share."""
        return cast("DuelApp", self.app)

    def compose(self) -> ComposeResult:
        yield Picture(self, self.duel.settings.theme)
        yield Line(max_length=200, select_on_focus=False)

    def on_mount(self) -> None:
        self.query_one(Picture).focus()

    # What a screen must define; mypy checks it, because Textual's metaclass conflicts with ABC's.

    @abstractmethod
    def draw(self, canvas: Canvas) -> None:
        """Draw the state."""

    @abstractmethod
    def act(self, action: str) -> None:
        """Do what was chosen."""

    def help(self) -> tuple[str, ...]:
        """What the keys do, one per line."""
        return ()

    def first_focus(self, canvas: Canvas) -> str:
        """The action that has the focus at first."""
        return next((target.action for target in canvas.targets if not target.key), "")

    # What all screens share.

    def redraw(self) -> None:
        """Draw again, because the state has changed."""
        self._canvas = None
        picture = self.query_one(Picture)
        picture.theme_name = self.duel.settings.theme
        picture.refresh()

    def painted(self, size: Size) -> Canvas:
        if self._canvas is None or (self._canvas.width, self._canvas.height) != (size.width, size.height):
            self._canvas = self._drawn(size)
            if self._focus not in {target.action for target in self._canvas.targets}:
                self._focus = self.first_focus(self._canvas)
                self._canvas = self._drawn(size)
        return self._canvas

    def _drawn(self, size: Size) -> Canvas:
        canvas = Canvas(size.width, size.height, self._focus)
        if self.duel.leaving:
            return canvas
        if _too_small(size):
            draw_too_small(canvas, *SMALLEST)
            return canvas
        self._note_placed = False
        self.draw(canvas)
        if self._question is not None:
            canvas.targets.clear()
            draw_sheet(canvas, "Question", (self._question[0],), "", [("yes", "y", "Yes"), ("no", "n", "No")])
        elif self._sheet is not None:
            canvas.targets.clear()
            draw_sheet(canvas, *self._sheet, "Enter closes this")
        elif self._typed is not None:
            draw_field(canvas, self._prompt, self._complaint)
        elif self._note and not self._note_placed:
            draw_note(canvas, self._note, canvas.height)
        return canvas

    def show_note(self, note: str) -> None:
        """Show a sentence until the next key."""
        self._note = note
        self.redraw()

    def place_note(self) -> str:
        """The sentence to be shown, for a screen that has a place of its own for it."""
        self._note_placed = True
        return self._note

    def forget_note(self) -> None:
        """Stop showing the sentence."""
        if self._note:
            self._note = ""
            self.redraw()

    def show_sheet(self, title: str, *lines: str) -> None:
        """Show a text over the screen until somebody presses Enter."""
        self._sheet = (title, lines)
        self.redraw()

    def ask(
        self, question: str, then: Callable[[], None], otherwise: Callable[[], None] = lambda: None
    ) -> None:
        """Ask for yes or no before doing something."""
        self._question = (question, then, otherwise)
        self._focus = "no"
        self.redraw()

    @property
    def asking(self) -> bool:
        """Whether a question waits for an answer."""
        return self._question is not None

    @property
    def covered(self) -> bool:
        """Whether a question or a text lies over the screen."""
        return self._question is not None or self._sheet is not None

    def withdraw_question(self) -> None:
        """Close a question that no longer matters."""
        self._question, self._focus = None, ""
        self.redraw()

    def ask_line(
        self, prompt: str, then: Callable[[str], str | None], text: str = "", complaint: str = ""
    ) -> None:
        """Ask for a line of text; where `then` answers with a sentence, the line stays with it."""
        self._typed, self._prompt, self._complaint = then, f"{prompt}:", complaint
        line, picture = self.query_one(Input), self.query_one(Picture)
        colours = colours_of(self.duel.settings.theme, picture.few_colours)
        line.value = text
        line.styles.background, line.styles.color = colours["felt"], colours["text"]
        line.styles.margin = (0, 1, 0, len(self._prompt) + 2)
        self._show_line()
        if text and not complaint:
            line.select_all()  # so that typing replaces it
        self.redraw()

    def _show_line(self) -> None:
        line = self.query_one(Input)
        if self._typed is not None and not _too_small(self.size):
            line.styles.display = "block"
            line.focus()
        else:
            line.styles.display = "none"
            self.query_one(Picture).focus()

    def on_resize(self) -> None:
        self._show_line()

    def on_input_changed(self) -> None:
        if self._complaint:
            self._complaint = ""
            self.redraw()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        then = self._typed
        complaint = (then(event.value) if then is not None else None) or ""
        self._complaint = complaint[:1].upper() + complaint[1:]
        if self._complaint:
            self.redraw()
        else:
            self._close_line()

    def _close_line(self) -> None:
        self._typed = None
        self._show_line()
        self.redraw()

    def clicked(self, x: int, y: int) -> None:
        self.forget_note()
        target = None if self._canvas is None else self._canvas.target_at(x, y)
        if target is not None and target.key:
            self._press(target.key)
        elif target is not None:
            self._focus = target.action
            self._choose(target.action)

    def on_key(self, event: events.Key) -> None:
        if _too_small(self.size):
            return
        self.forget_note()
        if self._typed is not None:
            if event.key == "escape":
                self._close_line()
            return
        key = event.character if event.character and event.character.isprintable() else event.key
        if self._press("enter" if key == " " else key):
            event.stop()

    def _press(self, key: str) -> bool:
        """Do what a key means; return whether it means something."""
        if key in _ARROWS:
            return self.arrow(key)
        action = self._focus if key == "enter" else self._action_of(key)
        if action or (self.covered and key == "enter"):
            self._choose(action)
        elif self.covered or not (key == "enter" or len(key) == 1):
            return False
        else:
            self.name_keys()
        return True

    def arrow(self, key: str) -> bool:
        """Move the focus to the nearest target in a direction."""
        # Another key may have come before the last change was painted.
        targets = [target for target in self.painted(self.size).targets if not target.key]
        here = next((target for target in targets if target.action == self._focus), None)
        found = nearest(here, targets, _ARROWS[key])
        if found is not None:
            self._focus = found.action
            self.redraw()
        return True

    def _action_of(self, key: str) -> str:
        if self._question is not None:
            return {"y": "yes", "n": "no", "escape": "no", "q": "no"}.get(key.lower(), "")
        if self._sheet is not None:
            return "close" if key in ("escape", "q", "?") else ""
        if key == "?":
            return "help"
        return self.keys.get(key) or self.keys.get(key.lower(), "") or self.extra_key(key)

    def extra_key(self, key: str) -> str:
        """The action of a key that has a meaning only now."""
        return ""

    def name_keys(self) -> None:
        """Say what to press instead of a key that means nothing here."""
        if offers := self.offers:
            self.show_note(f"Press one of the {'digits' if offers[0].in_pool else 'keys'} shown.")

    @property
    def offers(self) -> Sequence[Offer]:
        """What can be chosen on the way to a move."""
        return ()

    def _choose(self, action: str) -> None:
        if self._question is not None:
            _, then, otherwise = self._question
            self._question, self._focus = None, ""
            if action == "yes":
                then()
            else:
                otherwise()
            self.redraw()
        elif self._sheet is not None:
            self._sheet = None
            self.redraw()
        elif action == "help":
            self.show_sheet(self.title_of_help, *self.help())
        elif action:
            self.act(action)


def _too_small(size: Size) -> bool:
    """Whether a window cannot show a screen; before it is known, it can."""
    return bool(size) and (size.width < SMALLEST[0] or size.height < SMALLEST[1])


def nearest(here: Target | None, targets: list[Target], way: tuple[int, int]) -> Target | None:
    """The nearest target in a direction; those straight ahead first."""
    if here is None:
        return targets[0] if targets else None
    x, y = here.middle
    found: list[tuple[float, int, Target]] = []
    for at, target in enumerate(targets):
        right, down = target.middle[0] - x, target.middle[1] - y
        ahead, aside = (right * way[0], abs(down)) if way[0] else (down * way[1], abs(right))
        if ahead > 0.5 and target is not here:
            found.append((ahead + 2.5 * aside, at, target))
    return min(found)[2] if found else None
