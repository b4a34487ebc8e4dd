"""Arrow keys, history and Tab completion for typed lines, with the standard library's readline."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

# From the words already typed on the line to the words that can follow.
Complete: TypeAlias = Callable[[Sequence[str]], Sequence[str]]


def no_words(before: Sequence[str]) -> Sequence[str]:
    """Complete nothing."""
    return ()


def any_of(words: Sequence[str]) -> Complete:
    """Complete the first word on a line to one of these."""
    return lambda before: () if before else words


class LineEditor:
    """Reads lines from the terminal of this process; raises ImportError where Python has no readline."""

    def __init__(self) -> None:
        import readline  # late: pipes and --version never need it

        self._readline = readline
        self._prompt: str | None = None  # while a line is being typed
        self._complete: Complete = no_words
        self._matches: list[str] = []
        readline.set_auto_history(False)  # remember() decides what enters the history
        readline.set_completer_delims(" ")
        readline.set_completer(self._match)
        libedit = "libedit" in (readline.__doc__ or "")  # the readline of macOS
        for setting in ("bind ^I rl_complete",) if libedit else ("tab: complete", "set bell-style none"):
            readline.parse_and_bind(setting)

    def read(self, prompt: str, complete: Complete) -> str:
        """Print a prompt and read a line; EOFError at the end of input."""
        self._prompt, self._complete = prompt, complete
        try:
            line = input(prompt)
        finally:
            self._prompt = None
        # What the locale cannot encode, readline cannot remember; answers are ASCII.
        if line.strip() and line.isascii():
            self._readline.add_history(line)
        return line

    @property
    def shown(self) -> str:
        """The prompt and what has been typed after it, to be printed again; empty between lines."""
        return "" if self._prompt is None else self._prompt + self._readline.get_line_buffer()

    def _match(self, word: str, number: int) -> str | None:
        """The match with this number for the word at the cursor: readline asks until there is none."""
        if number == 0:
            before = self._readline.get_line_buffer()[: self._readline.get_begidx()].split()
            found = [one for one in self._complete(before) if one.startswith(word.lower())]
            self._matches = [f"{found[0]} "] if len(found) == 1 else found
        return self._matches[number] if number < len(self._matches) else None
