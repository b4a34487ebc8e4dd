"""The guided start: offer the unfinished game, or ask what to play, against whom and who starts."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill

from digit_duel import games
from digit_duel.bots import DEFAULT_LEVEL, DESCRIPTIONS
from digit_duel.cli.errors import Leave, Problem
from digit_duel.cli.learn import learn
from digit_duel.cli.play import sitting
from digit_duel.cli.play.messages import coin_toss, command
from digit_duel.cli.play.plan import COMPUTER, PlayOptions, plan_game
from digit_duel.cli.play.prompt import confirm
from digit_duel.cli.records.find_games import game_to_offer
from digit_duel.cli.screen.line_editor import any_of
from digit_duel.cli.screen.terminal import Terminal
from digit_duel.core.game import excerpt
from digit_duel.core.names import BadName, clean_names
from digit_duel.core.variant import AnyVariant

_WIDE = 60  # columns from which words and meanings fit side by side
_INDENT = " " * 5  # below a word, past its number


def guided_start(terminal: Terminal) -> None:
    """Ask what to play, and play until nobody wants another game."""
    terminal.say("DIGIT DUEL  five games for two; type help or quit")
    if _resumed(terminal):
        return
    catalogue = games.catalogue()
    game = _choose(terminal, "Which game?", [(id, variant.summary) for id, variant in catalogue.items()])
    variant = _edition(terminal, catalogue[game])
    vs = _opponent(terminal, catalogue[game])
    level = None
    if vs == "computer":
        levels = list(DESCRIPTIONS.items())
        level = _choose(terminal, "How well should it play?", levels, default=DEFAULT_LEVEL)
    names = _names(terminal, level is not None)
    starters = [("1", names[0]), ("2", names[1]), ("coin", "a coin toss")]
    first = _choose(terminal, "Who starts?", starters, numbered=False)
    plan = plan_game(variant, PlayOptions(vs, level, first, names))
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


def _opponent(terminal: Terminal, variant: AnyVariant) -> str:
    """Ask for the opponent; a player who does not know the game can learn it first."""
    opponents = [("person", "another person, at this keyboard"), ("computer", "the computer")]
    if variant.tutorial is not None:
        lessons = len(variant.tutorial.lessons)
        opponents.append(("learn", f"nobody yet: learn the game first, in {lessons} short lessons"))
    while (vs := _choose(terminal, "Who do you want to play?", opponents, default="computer")) == "learn":
        terminal.say()
        learn(terminal, variant)
    return vs


def _edition(terminal: Terminal, variant: AnyVariant) -> AnyVariant:
    """Ask which rules to play by, if there is a choice."""
    if not variant.editions:
        return variant
    rules = [("rulebook", "the original rules")]
    rules += [(edition.name, edition.summary) for edition in variant.editions]
    chosen = _choose(terminal, "Which rules?", rules)
    return variant if chosen == "rulebook" else variant.edition(chosen)


def _resumed(terminal: Terminal) -> bool:
    """Offer to continue the unfinished game played last; return whether it was played."""
    try:
        game = game_to_offer()
    except Problem:  # the folder cannot be read
        return False
    if game is None:
        return False
    names = " - ".join(game.record.names)
    terminal.say(f"\nA game is waiting for you: {game.variant.id}, {names}.")
    if not confirm(terminal, "Continue it? (yes/no, Enter for yes): ", default=True):
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
        typed = _ask(
            terminal, words, f"a word from the list or its first letters; Enter alone takes {default}"
        )
        begun = (typed or default).lower()
        if numbered and begun in {str(number) for number in range(1, len(items) + 1)}:
            return words[int(begun) - 1]
        fitting = [word for word in words if word.startswith(begun)]
        if len(fitting) == 1 or begun in fitting:
            return begun if begun in fitting else fitting[0]
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
    terminal.say(f"\n{heading} (Enter: {default})")


def _ask(terminal: Terminal, words: Sequence[str], answers: str) -> str:
    """Read a line; quit leaves, and help lists what can be typed."""
    while True:
        typed = terminal.ask("> ", complete=any_of([*words, "help", "quit"])).strip(" \t")
        match command(typed):
            case "quit":
                raise Leave(0)
            case "help":
                terminal.say(f"Type {answers}. Type quit to leave.")
            case _:
                return typed
