"""The line to type in."""

from __future__ import annotations

from textual import events
from textual.binding import Binding
from textual.widgets import Input

_LEAVES = "ctrl+c"  # belongs to the app
_EDITING = {
    key: binding.action
    for binding in Input.BINDINGS
    if isinstance(binding, Binding)
    for key in binding.key.split(",")
    if key != _LEAVES
}


class Line(Input):
    """A line whose keys act in the order in which they were typed.

    Textual inserts letters at once, but passes Backspace and Enter up to the app first. Letters that arrive
    with them, as over a slow connection, would overtake them and change the move.
    """

    async def on_key(self, event: events.Key) -> None:
        action = _EDITING.get(event.key)
        if action is not None:
            event.stop()
            await self.app.run_action(action, self)

    def on_paste(self, event: events.Paste) -> None:
        """Join the lines: a link copied from two rows of a terminal has a break in it."""
        event.prevent_default()  # Textual takes the first line alone
        event.stop()
        self.replace("".join(event.text.splitlines()), *self.selection)
