"""The guided start: ask which game, against whom and who starts; then play."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill

from digit_duel import games
from digit_duel.bots import DESCRIPTIONS
from digit_duel.cli.errors import Leave
from digit_duel.cli.play import sitting
from digit_duel.cli.play.messages import coin_toss
from digit_duel.cli.play.plan import PlayOptions, plan_game
from digit_duel.cli.play.prompt import confirm
from digit_duel.cli.screen.symbols import BOLD, CYAN, DIM
from digit_duel.cli.screen.terminal import Terminal
from digit_duel.core.game import excerpt

_WIDE = 60  # columns from which words and meanings stand side by side
_INDENT = " " * 5  # below a word, past its number


def guided_start(terminal: Terminal) -> None:
    """Ask what to play, and play until the players have had enough."""
    paint = terminal.style.paint
    terminal.say(paint("DIGIT DUEL", BOLD, CYAN) + paint("  five games for two; type quit to leave", DIM))
    catalogue = games.catalogue()
    game = _choose(terminal, "Which game?", [(id, variant.summary) for id, variant in catalogue.items()])
    opponents = [("person", "another person, at this keyboard"), ("computer", "the computer")]
    vs = _choose(terminal, "Against whom?", opponents)
    level = (
        _choose(terminal, "How well should it play?", list(DESCRIPTIONS.items()))
        if vs == "computer"
        else None
    )
    starters = [
        ("1", "you" if level else "Player 1"),
        ("2", "the computer" if level else "Player 2"),
        ("coin", "a coin toss"),
    ]
    first = _choose(terminal, "Who starts?", starters, numbered=False)
    plan = plan_game(catalogue[game], PlayOptions(vs, level, first))
    terminal.say()
    if first == "coin":
        terminal.say(coin_toss(plan.names) + "\n")
    sitting.play(terminal, plan)
    terminal.say()
    while confirm(terminal, "Another game, with seats swapped? (yes/no): "):
        plan = plan.with_seats_swapped()
        terminal.say()
        sitting.play(terminal, plan)
        terminal.say()


def _choose(terminal: Terminal, heading: str, items: Sequence[tuple[str, str]], numbered: bool = True) -> str:
    """Ask for one item of a list, by its number, its word or the beginning of the word."""
    terminal.say("\n" + terminal.style.paint(heading, BOLD))
    width = max(len(word) for word, _ in items)
    columns = terminal.size[0]
    for number, (word, meaning) in enumerate(items, start=1):
        head = f"  {number}  {word.ljust(width)}  " if numbered else f"  {word.ljust(width)}  "
        below = " " * len(head)
        if columns < _WIDE and len(head + meaning) > columns:
            terminal.say(head.rstrip())
            head = below = _INDENT
        terminal.say(fill(meaning, max(20, columns), initial_indent=head, subsequent_indent=below))
    while True:
        typed = terminal.ask("> ").strip(" \t").lower()
        if typed == "quit":
            raise Leave(0)
        if numbered and typed in {str(number) for number in range(1, len(items) + 1)}:
            return items[int(typed) - 1][0]
        fitting = [word for word, _ in items if typed and word.startswith(typed)]
        if len(fitting) == 1 or typed in fitting:
            return typed if typed in fitting else fitting[0]
        refused = f"I don't understand {excerpt(typed)}. " if typed else ""
        terminal.say(f"{refused}Choose: {', '.join(word for word, _ in items)}")
