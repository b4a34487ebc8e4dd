"""Every kind of prompt, and a short way to it on a pseudo-terminal."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tests.terminal.console import Console
from tests.terminal.walks import ALONE, COVER, PASS_ON, save_of, walk

_RECORD = '[Game "classic"]\n[First "A"]\n[Second "B"]\n[Result "*"]\n\n1. 9a1 8b1 2. 2a3 *\n'


_BEFORE_A_MOVE = (
    "classic digit", "classic place", "classic resign", "sabotage board", "sabotage which t",
    "cards hand-over", "cards keep", "battle action",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt: how to start, what to answer on the way, and how it reads."""

    name: str
    text: str
    args: tuple[str, ...] = ("resume",)
    way: tuple[tuple[str, str], ...] = ()
    saved: tuple[str, int] | None = None  # a game of so many moves to resume

    @property
    def plays(self) -> bool:
        """Whether a game is on, so that there is something to save."""
        return self.args[:1] in (("play",), ("resume",))

    @property
    def moved(self) -> bool:
        """Whether somebody has moved in the game that is on; without a move nothing is kept."""
        return self.plays and self.name not in _BEFORE_A_MOVE

    def reach(
        self,
        home: Path,
        size: tuple[int, int] = (80, 24),
        env: dict[str, str] | None = None,
        command: tuple[str, ...] = (),
    ) -> Console:
        """The command, waiting at this prompt."""
        home.mkdir(exist_ok=True)
        if self.saved is not None:
            save_of(home, *self.saved)
        (home / "record").write_text(_RECORD)
        args = [str(home / "record") if arg == "record" else arg for arg in self.args]
        console = Console(home, *args, size=size, env=env, command=command)
        try:
            for prompt, answer in self.way:
                console.answer(prompt, answer)
            console.expect(self.text)
        except BaseException:
            console.__exit__(None, None, None)
            raise
        return console


_REVEAL = next(one.plies for one in walk("cards").asked if "Enter your number" in one.prompt)
_SUDDEN = 9  # moves until the pool of battle is empty
_COMPUTER = ("play", "--vs", "computer", "--level", "random", "--first", "2")
_CLASSIC, _SABOTAGE, _CARDS, _BATTLE = (walk(id).args for id in ("classic", "sabotage", "cards", "battle"))
_DIGIT, _PLACE = "want to select: ", "(hundreds/tens/units): "

PROMPTS = (
    Prompt("classic digit", _DIGIT, _CLASSIC),
    Prompt("classic place", _PLACE, _CLASSIC, ((_DIGIT, "9"),)),
    Prompt("classic resign", "resign? (yes/no): ", _CLASSIC, ((_DIGIT, "resign"),)),
    Prompt("classic against the computer", _DIGIT, (*_COMPUTER, "classic")),
    Prompt("sabotage board", "2 for opponent): ", _SABOTAGE, ((_DIGIT, "9"),)),
    Prompt("sabotage which t", "Which one? ", _SABOTAGE,
           ((_DIGIT, "9"), ("opponent): ", "1"), ("(T/H/T/O): ", "T"))),
    Prompt("cards hand-over", ALONE, _CARDS),
    Prompt("cards keep", "(yes/no): ", _CARDS, ((ALONE, ""),)),
    Prompt("cards cover", COVER, _CARDS, ((ALONE, ""), ("(yes/no): ", "y"))),
    Prompt("cards number", "each digit once): ", way=((ALONE, ""),), saved=("cards", _REVEAL)),
    Prompt("cards against the computer", "(yes/no): ", (*_COMPUTER, "cards")),
    Prompt("battle action", "attack or defend? ", _BATTLE, (("digit to use: ", "9"),)),
    Prompt("battle hand-over", PASS_ON, saved=("battle", _SUDDEN)),
    Prompt("battle secret", "from 1 to 5: ", way=((PASS_ON, ""),), saved=("battle", _SUDDEN)),
    Prompt("battle second secret", "from 1 to 5: ", way=((PASS_ON, ""),), saved=("battle", _SUDDEN + 1)),
    Prompt("guide game", "> ", ()),
    Prompt("guide opponent", "> ", (), (("> ", "classic"), ("> ", "rulebook"))),
    Prompt("guide level", "> ", (), (("> ", "classic"), ("> ", "rulebook"), ("> ", "computer"))),
    Prompt("guide name", "> ", (), (("> ", "classic"), ("> ", "rulebook"), ("> ", "person"))),
    Prompt("guide starter", "> ", (),
           (("> ", ""), ("> ", ""), ("> ", "person"), ("> ", ""), ("> ", "Ben"))),
    Prompt("guide another game", "swapped? (yes/no): ", (),
           (("> ", ""), ("> ", ""), ("> ", "person"), ("> ", ""), ("> ", ""), ("> ", "1"),
            (_DIGIT, "resign"), ("(yes/no): ", "yes"))),
    Prompt("guide resume", "Enter for yes): ", (), saved=("classic", 2)),
    Prompt("replay", "q quit: ", ("replay", "record")),
)  # fmt: skip
BY_NAME = {prompt.name: prompt for prompt in PROMPTS}
SOME = tuple(
    BY_NAME[name] for name in ("classic place", "cards keep", "battle secret", "guide game", "replay")
)
