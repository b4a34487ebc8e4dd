"""The guided start: offer the unfinished game, or ask what to play, against whom and who starts."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill

from digit_duel import games
from digit_duel.bots import DESCRIPTIONS
from digit_duel.cli.errors import Leave, Problem
from digit_duel.cli.play import sitting
from digit_duel.cli.play.messages import coin_toss
from digit_duel.cli.play.plan import COMPUTER, PlayOptions, plan_game
from digit_duel.cli.play.prompt import confirm
from digit_duel.cli.records.find_games import game_to_resume
from digit_duel.cli.screen.line_editor import any_of
from digit_duel.cli.screen.symbols import BOLD, CYAN, DIM
from digit_duel.cli.screen.terminal import Terminal
from digit_duel.core.game import excerpt
from digit_duel.core.names import BadName, clean_names

_WIDE = 60  # columns from which words and meanings stand side by side
_INDENT = " " * 5  # below a word, past its number


def guided_start(terminal: Terminal) -> None:
    """Ask what to play, and play until the players have had enough."""
    paint = terminal.style.paint
    terminal.say(paint("DIGIT DUEL", BOLD, CYAN) + paint("  five games for two; type help or quit", DIM))
    if _resumed(terminal):
        return
    catalogue = games.catalogue()
    game = _choose(terminal, "Which game?", [(id, variant.summary) for id, variant in catalogue.items()])
    opponents = [("person", "another person, at this keyboard"), ("computer", "the computer")]
    vs = _choose(terminal, "Against whom?", opponents, default="computer")
    level = None
    if vs == "computer":
        levels = list(DESCRIPTIONS.items())
        middle = levels[len(levels) // 2][0]
        level = _choose(terminal, "How well should it play?", levels, default=middle)
    names = _names(terminal, level is not None)
    starters = [("1", names[0]), ("2", names[1]), ("coin", "a coin toss")]
    first = _choose(terminal, "Who starts?", starters, numbered=False)
    plan = plan_game(catalogue[game], PlayOptions(vs, level, first, names))
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


def _resumed(terminal: Terminal) -> bool:
    """Offer to go on with the newest unfinished game; whether it was played."""
    try:
        game = game_to_resume(None)
    except Problem:  # there is none
        return False
    names = " - ".join(game.record.names)
    terminal.say(f"\nA game is waiting for you: {game.variant.id}, {names}.")
    if not confirm(terminal, "Go on with it? (yes/no, Enter for yes): ", default=True):
        return False
    terminal.say()
    sitting.resume(terminal, game.variant, game.record, game.save)
    return True


def _choose(
    terminal: Terminal,
    heading: str,
    items: Sequence[tuple[str, str]],
    default: str = "",  # the first item
    numbered: bool = True,
) -> str:
    """Ask for one item of a list, by its number, its word or the beginning of the word."""
    words = [word for word, _ in items]
    default = default or words[0]
    _say_heading(terminal, heading, default)
    width = max(map(len, words))
    columns = terminal.size[0]
    for number, (word, meaning) in enumerate(items, start=1):
        head = f"  {number}  {word.ljust(width)}  " if numbered else f"  {word.ljust(width)}  "
        below = " " * len(head)
        if columns < _WIDE and len(head + meaning) > columns:
            terminal.say(head.rstrip())
            head = below = _INDENT
        terminal.say(fill(meaning, max(20, columns), initial_indent=head, subsequent_indent=below))
    while True:
        typed = _ask(terminal, words, f"a word of the list or its beginning; Enter alone takes {default}")
        typed = (typed or default).lower()
        if numbered and typed in {str(number) for number in range(1, len(items) + 1)}:
            return words[int(typed) - 1]
        fitting = [word for word in words if word.startswith(typed)]
        if len(fitting) == 1 or typed in fitting:
            return typed if typed in fitting else fitting[0]
        terminal.say(f"I don't understand {excerpt(typed)}. Choose: {', '.join(words)}")


def _names(terminal: Terminal, against_computer: bool) -> tuple[str, str]:
    """Ask for the names of the people who play."""
    first, second = "Player 1", COMPUTER if against_computer else "Player 2"
    first = _name(terminal, "Your name?" if against_computer else "Who is player 1?", first, second)
    if not against_computer:
        second = _name(terminal, "Who is player 2?", second, first)
    return first, second


def _name(terminal: Terminal, heading: str, default: str, other: str) -> str:
    _say_heading(terminal, heading, default)
    while True:
        typed = _ask(terminal, (), f"a name; Enter alone takes {default}") or default
        try:
            return clean_names(typed, other)[0]
        except BadName as bad:
            terminal.say(str(bad).capitalize())


def _say_heading(terminal: Terminal, heading: str, default: str) -> None:
    paint = terminal.style.paint
    terminal.say(f"\n{paint(heading, BOLD)}{paint(f' (Enter: {default})', DIM)}")


def _ask(terminal: Terminal, words: Sequence[str], answers: str) -> str:
    """Read a line; quit leaves, and help says what can be typed."""
    while True:
        typed = terminal.ask("> ", complete=any_of([*words, "help", "quit"])).strip(" \t")
        match typed.lower():
            case "quit":
                raise Leave(0)
            case "help":
                terminal.say(f"Type {answers}. quit leaves.")
            case _:
                return typed
