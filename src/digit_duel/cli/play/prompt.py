"""Ask a person for a move, question by question, in a game on this computer or on a server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from digit_duel.cli.errors import Leave
from digit_duel.cli.play import messages
from digit_duel.cli.screen.line_editor import Complete, any_of
from digit_duel.cli.screen.terminal import Terminal
from digit_duel.core.answers import choices, fit
from digit_duel.core.game import M, Refused, excerpt
from digit_duel.core.script import Question


class TurnOver(Exception):
    """The turn ended without a move from this prompt: undone, resigned, or changed on the server."""


class Turn(Protocol[M]):
    """A person's turn: the questions that lead to a move, and what the commands do."""

    @property
    def commands(self) -> Mapping[str, str]:
        """What can be typed instead of an answer, with its meaning."""

    @property
    def rules(self) -> str:
        """The rules of the game as text."""

    @property
    def questions(self) -> Sequence[Question[M]]:
        """The questions that lead to one move."""

    @property
    def legal(self) -> tuple[M, ...]:
        """The legal moves."""

    def notation(self, move: M) -> str:
        """A move in notation."""

    def board(self) -> str:
        """The board as this player sees it."""

    def counts(self) -> str:
        """How many copies of each digit this player has seen."""

    def hint(self) -> Sequence[str]:
        """A good move and the reason."""

    def why(self) -> Sequence[str]:
        """What was good or bad about the last moves."""

    def undo(self) -> str:
        """Take the last choice back: raise TurnOver, or return the reason why not."""

    def save(self) -> str:
        """Save the game and return what happened."""

    def resign(self) -> str:
        """Give the game up: raise TurnOver, or return the reason why not."""

    def other_answer(self, typed: str, answers: Sequence[str]) -> M:
        """The move named by an answer outside the choices; raises Refused. `answers` came before it."""


def ask_move(terminal: Terminal, turn: Turn[M]) -> M:
    """The move that a person chooses; raises TurnOver or Leave if the turn ends otherwise."""
    answers: list[str] = []
    left = [turn.legal]  # the moves that remain after each answer
    follow_up = ""  # asked instead of the question after an ambiguous answer
    while len(answers) < len(turn.questions):
        question, moves = turn.questions[len(answers)], left[-1]
        asked = follow_up or question.prompt(moves[0])
        typed = terminal.ask(asked, question.secret, _completion(turn, answers, moves)).strip(" \t")
        word = messages.command(typed)
        if word == "undo" and answers:
            answers.pop()
            left.pop()
            follow_up = ""
        elif word in turn.commands:
            if told := _run(word, terminal, turn, question, moves):
                terminal.say(told)
        else:
            found = fit(question, moves, typed)
            follow_up = ""
            if len(found.choices) == 1:
                answers.append(typed)
                left.append(found.moves)
            elif found.choices:  # S2: the program never guesses
                follow_up = f"{excerpt(typed)} could be {' or '.join(found.choices)}. Which one? "
            else:
                try:
                    return turn.other_answer(typed, answers)
                except Refused as refused:
                    terminal.say(str(refused))
    return left[-1][0]


def _completion(turn: Turn[M], answers: Sequence[str], moves: tuple[M, ...]) -> Complete:
    """The answers and commands that Tab completes; at the first question, every word of a whole move."""
    questions = turn.questions if not answers else turn.questions[len(answers) : len(answers) + 1]

    def complete(before: Sequence[str]) -> Sequence[str]:
        left = moves
        for question, word in zip(questions, before, strict=False):
            left = fit(question, left, word).moves
        words = choices(questions[len(before)], left) if len(before) < len(questions) else ()
        return [*filter(None, words), *(() if before else turn.commands)]

    return complete


def _run(word: str, terminal: Terminal, turn: Turn[M], question: Question[M], moves: tuple[M, ...]) -> str:
    """Run a command typed instead of an answer; return what to print."""
    columns = terminal.size[0]
    match word:
        case "help":
            return messages.help_text(choices(question, moves), turn.commands, columns)
        case "rules":
            return messages.paragraphs(turn.rules, columns)
        case "board":
            return turn.board()
        case "moves":
            return messages.wrapped([" ".join(turn.notation(move) for move in moves)], columns)
        case "counts":
            return turn.counts()
        case "hint":
            with terminal.thinking():
                advice = turn.hint()
            return messages.wrapped(advice, columns)
        case "why":
            with terminal.thinking():
                reasons = turn.why()
            return messages.wrapped(reasons, columns)
        case "undo":
            return turn.undo()
        case "save":
            return turn.save()
        case "resign":
            return turn.resign() if confirm(terminal, "Do you want to resign? (yes/no): ") else ""
        case "skip":
            raise TurnOver
        case _:
            raise Leave(0)


def pause(terminal: Terminal, prompt: str, kept: str = "the game is saved") -> None:
    """Wait for Enter; quit leaves, and anything else is answered with that."""
    while typed := messages.command(terminal.ask(prompt).strip(" \t")):
        if typed == "quit":
            raise Leave(0)
        terminal.say(f"Press Enter to continue, or type quit to leave; {kept}.")


def confirm(terminal: Terminal, prompt: str, default: bool | None = None) -> bool:
    """Ask for yes or no; Enter alone takes the default, if there is one."""
    complete = any_of(("yes", "no", "quit"))
    while True:
        typed = messages.command(terminal.ask(prompt, complete=complete).strip(" \t"))
        if typed in ("y", "yes", "n", "no"):
            return typed in ("y", "yes")
        if not typed and default is not None:
            return default
        if typed == "quit":
            raise Leave(0)
        terminal.say("Please type yes or no.")
