"""From questions to a move: forgiving about words, firm about rules, with help at every prompt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from digit_duel.cli.play import messages
from digit_duel.cli.screen.picture import draw, plain
from digit_duel.cli.screen.terminal import Terminal
from digit_duel.core.answers import choices, fit, one_line, refusal
from digit_duel.core.game import IllegalMove, NotAMove, Seat, excerpt
from digit_duel.core.script import Question
from digit_duel.core.session import AnySession


class Undo(Exception):
    """The person wants their last choice back."""


class Resign(Exception):
    """The person gives up."""


class Leave(Exception):
    """Somebody leaves the program, or must."""

    def __init__(self, code: int, word: str = "") -> None:
        super().__init__()
        self.code, self.word = code, word


def pause(terminal: Terminal, prompt: str) -> None:
    """Wait for Enter; quit is heard here too."""
    while typed := terminal.ask(prompt).strip(" \t").lower():
        if typed == "quit":
            raise Leave(0)
        if typed == "help":
            terminal.say("Press Enter to go on, or type quit to leave; the game is saved.")


def confirm(terminal: Terminal, prompt: str) -> bool:
    """A plain yes or no."""
    while (typed := terminal.ask(prompt).strip(" \t").lower()) not in ("y", "yes", "n", "no"):
        if typed == "quit":
            raise Leave(0)
        terminal.say("Please type yes or no.")
    return typed in ("y", "yes")


def ask_move(
    terminal: Terminal, session: AnySession, seat: Seat, save_now: Callable[[AnySession], str]
) -> Any:
    """The move a person chooses; Undo, Resign or Leave if they would rather do that."""
    script, view = session.variant.voice, session.view(seat)
    questions = script.questions(view, seat)
    left: list[tuple[Any, ...]] = [tuple(session.game.legal(session.state, seat))]  # after each answer
    alphabet: list[tuple[Any, ...]] = [tuple(session.game.moves(seat))]  # the same, legal or not
    asking: str | None = None  # a follow-up in place of the question's own prompt
    while len(left) <= len(questions):
        question, moves = questions[len(left) - 1], left[-1]
        typed = terminal.ask(asking or question.prompt(moves[0]), question.secret).strip(" \t")
        word = typed.lower() if typed.isascii() else typed
        if word in messages.COMMANDS:
            if word == "save":
                terminal.say(save_now(session))
            elif word == "undo" and len(left) > 1:
                left.pop()  # back to the question before
                alphabet.pop()
                asking = None
            else:
                _command(word, terminal, session, seat, question, moves)
            continue
        found = fit(question, moves, typed)
        if len(found.choices) == 1:
            left.append(found.moves)
            alphabet.append(fit(question, alphabet[-1], typed).moves)
            asking = None
        elif found.choices:
            # S2: ambiguous words are never guessed at.
            asking = f"{excerpt(typed)} could be {' or '.join(found.choices)}. Which one? "
        else:
            asking = None
            if len(left) == 1 and typed and not question.secret:
                try:
                    return one_line(script, session.state, seat, typed)
                except IllegalMove as illegal:
                    terminal.say(str(illegal))
                    continue
                except NotAMove as refused:
                    if " " in typed:
                        terminal.say(str(refused))
                        continue
            terminal.say(refusal(script, view, seat, question, moves, alphabet[-1], typed))
    return left[-1][0]


def _command(
    word: str,
    terminal: Terminal,
    session: AnySession,
    seat: Seat,
    question: Question[Any],
    moves: tuple[Any, ...],
) -> None:
    """Do what a person typed instead of an answer."""
    script, view = session.variant.voice, session.view(seat)
    match word:
        case "help":
            terminal.say(messages.help_text(choices(question, moves), terminal.size[0]))
        case "rules":
            terminal.say(messages.paragraphs(session.variant.rules.text, terminal.size[0]))
        case "board":
            scene = script.scene(view)
            lines = (
                draw(scene, session.names, terminal.style, terminal.size, seat)
                if terminal.screen
                else plain(scene, session.names)
            )
            terminal.say("\n".join(lines))
        case "moves":
            texts = [session.game.text(move) for move in moves]
            terminal.say(messages.listed(texts, terminal.size[0]))
        case "hint" | "why":
            terminal.say(messages.coached(_coached(word, session, seat), terminal.size[0]))
        case "undo":
            raise Undo
        case "resign":
            if confirm(terminal, "Do you want to resign? (yes/no): "):
                raise Resign
        case "quit":
            raise Leave(0)


def _coached(word: str, session: AnySession, seat: Seat) -> Sequence[str]:
    """What the coach answers, from what this seat sees."""
    from digit_duel.coach.advice import hint, why  # and with it the solvers, only when somebody asks

    if word == "why":
        return why(session.variant, session.steps, seat, session.names) or ("No move has been made yet.",)
    advice = hint(
        session.variant, session.view(seat), seat, session.game.legal(session.state, seat), session.names
    )
    assert advice is not None  # one who is asked has a move
    return (f"Hint: {advice.words} ({advice.notation}).", advice.reason.sentence)
