"""Tab in a shell, and the man page."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from tests.surroundings import environment
from tests.terminal.console import COMMAND, inside, run
from tools.make_man_page import PAGE, man_page


def completed(home: Path, *words: str) -> list[str]:
    """What the command offers bash for the last word."""
    asked = {"_DIGIT_DUEL_COMPLETE": "bash_complete", "COMP_WORDS": " ".join(["digit-duel", *words])}
    done = run_named(home, COMP_CWORD=str(len(words)), **asked)
    return [line.removeprefix("plain,") for line in done.splitlines() if line]


def run_named(home: Path, **env: str) -> str:
    """Run the command under its own name, which click makes the name of the variable from."""
    code = "import sys; sys.argv = ['digit-duel']; from digit_duel.cli import main; main()"
    command = [COMMAND[0], "-c", code]
    done = subprocess.run(command, env=environment(home, **env), capture_output=True, text=True, timeout=30)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("re",), ["resume", "replay", "review", "research", "restore"]),
        (("play", "c"), ["classic", "cards"]),
        (("rules", ""), ["classic", "reverse", "sabotage", "cards", "battle"]),
        (("play", "cards", "--vs", ""), ["person", "computer"]),
        (("play", "cards", "--level", "s"), ["sensible", "sharp"]),
        (("play", "cards", "--first-"), ["--first-to"]),
        (("play", "cards", "--set", "vis"), ["visibility="]),
        (("play", "classic", "--set", "vis"), []),  # nothing is hidden there
        (("--plain", "play", "--set", "places=4", "classic", "--set", "p"), ["places=", "pool=", "pick="]),
        (("play", "--set", "vis"), ["visibility="]),
        (("rules", "classic", "--edition", ""), ["fair"]),
        (("play", "battle", "--edition", "x"), []),
        (("completion", ""), ["bash", "zsh", "fish"]),
        (("replay", "less"), ["file,less"]),
    ],
)
def test_a_shell_is_offered(words: tuple[str, ...], offered: list[str], tmp_path: Path) -> None:
    assert completed(tmp_path, *words) == offered


@pytest.mark.parametrize(
    ("shell", "sign"), [("bash", "complete -o"), ("zsh", "#compdef"), ("fish", "complete ")]
)
def test_the_script_of_each_shell_is_printed(shell: str, sign: str, tmp_path: Path) -> None:
    done = inside(tmp_path, "completion", shell)
    assert (done.code, done.error) == (0, "")
    assert sign in done.text
    assert "_DIGIT_DUEL_COMPLETE" in done.text


def test_bash_completes_with_the_script(tmp_path: Path) -> None:
    script = tmp_path / "completion"
    script.write_text(run(tmp_path, "completion", "bash").text)
    named = tmp_path / "digit-duel"
    named.write_text(
        f"#!{COMMAND[0]}\nimport sys; sys.argv[0] = 'digit-duel'\nfrom digit_duel.cli import main; main()\n"
    )
    named.chmod(0o755)
    line = (
        f"source {script}; COMP_WORDS=({named} play sab); COMP_CWORD=2; "
        f"_digit_duel_completion {named}; echo ${{COMPREPLY[@]}}"
    )
    done = subprocess.run(["bash", "-c", line], env=environment(tmp_path), capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("sabotage\n", "")


def test_the_man_page_is_the_help_of_today() -> None:
    assert PAGE.read_text(encoding="utf-8") == man_page(), "run make manual"
