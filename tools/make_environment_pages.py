"""Generate the pages of the environments from the code."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

import numpy as np
from tools.game_pages.markdown import paragraph, table

from digit_duel import games
from digit_duel.adapters._alphabet import alphabet
from digit_duel.adapters._dynamics import dynamics
from digit_duel.adapters._names import HISTORY, VERSION, gym_id, spiel_name, zoo_name
from digit_duel.adapters._numbered_game import MAX_MOVES
from digit_duel.adapters._parameters import DEFAULT_HORIZON, parameters
from digit_duel.adapters._probe import probe
from digit_duel.adapters._records import UNSEEN, record_encoding
from digit_duel.adapters._views import Entry, layout
from digit_duel.bots import LEVELS
from digit_duel.core.game import Seat
from digit_duel.core.options import options
from digit_duel.core.variant import AnyVariant

PAGES = Path(__file__).parent.parent / "docs" / "research" / "environments"
ACROSS = 10  # moves in a line of the list


def page(variant: AnyVariant) -> str:
    """The page of one environment."""
    sections = {
        "Description": _description(variant),
        "Specs": _specs(variant),
        "Observation by index": _observation(variant),
        "Action by index": _actions(variant),
        "Rewards": _rewards(),
        "Termination": _termination(variant),
        "Version history": _history(variant),
    }
    parts = [f"# {variant.title} (`{variant.id}`)", "<!-- Made by tools/make_environment_pages.py. -->"]
    parts += [f"## {heading}\n\n{text}" for heading, text in sections.items()]
    return "\n\n".join(parts) + "\n"


def _description(variant: AnyVariant) -> str:
    return f"""{variant.summary}

Rules, rulings and best play: [{variant.id}](../../games/{variant.id}.md)."""


def _specs(variant: AnyVariant) -> str:
    game, met, id = variant.game, probe(variant.game), variant.id
    at_once = "yes; with OpenSpiel's `turn_based=True` one after the other, and the first stays hidden"
    rows = [
        ("OpenSpiel", f'`import digit_duel.adapters.openspiel`; `pyspiel.load_game("{spiel_name(id)}")`'),
        ("PettingZoo", f"`digit_duel.adapters.pettingzoo.{zoo_name(id)}`: `env()`, `parallel_env()`"),
        ("Gymnasium", f'`import digit_duel.adapters.gymnasium`; `gymnasium.make("{gym_id(id)}")`'),
        ("agents", "`seat_0`, which moves first, and `seat_1`"),
        ("actions", f"`Discrete({alphabet(game).size})`"),
        ("observations", f"`Box`, `int16`, {len(layout(game).entries)} numbers"),
        ("information", "imperfect" if met.hidden else "perfect"),
        ("chance", "draws, weighted by what is left" if game.draws() else "none"),
        ("simultaneous choices", at_once if met.simultaneous else "none"),
        ("longest game", "no limit" if game.bound is None else f"{game.bound} moves"),
        ("opponents in Gymnasium", ", ".join(f"`{level}`" for level in LEVELS)),
    ]
    settings = parameters(variant)
    meanings = [(f"`{name}`", f"`{settings[name]}`", option.help) for name, option in options(game).items()]
    told = f"""Options of the rules are keywords of `env`, `parallel_env` and `make`, and parameters in
        OpenSpiel. OpenSpiel parses what begins like a number as one, so put such text in quotes there,
        with `;` instead of `,`: `{spiel_name(id)}({_example(settings)})`."""
    return "\n\n".join(
        [table(("", ""), rows), paragraph(told), table(("option", "default", "meaning"), meanings)]
    )


def _example(settings: dict[str, int | str]) -> str:
    quoted = [name for name, value in settings.items() if str(value).startswith("'")]
    return ",".join(f"{name}={settings[name]}" for name in quoted)


def _observation(variant: AnyVariant) -> str:
    """The entries; those that differ only in a digit share a line."""
    rows: list[tuple[str, str, str]] = []
    for _, run in groupby(enumerate(layout(variant.game).entries), key=lambda numbered: _kind(numbered[1])):
        (low, first), *_, (high, last) = (*run,) * 2
        one = low == high
        meaning = first.name if one else f"{first.name} ... {last.name}"
        rows.append((str(low) if one else f"{low}-{high}", meaning, _range(first)))
    encoding = record_encoding(variant.game)
    letters = "; ".join(f"character {at}: `{letters}`" for at, letters in enumerate(encoding.letters, 1))
    latest = "" if variant.game.bound is not None else " (the latest ones of a longer game)"
    size = f"{len(Seat) + encoding.lines * encoding.width} numbers"
    now = """What the seat sees now, as integers. A digit that can be missing has ten entries, which are
        all 0 if it is missing or not seen."""
    recalled = f"""OpenSpiel's observation tensor is the same. The information state is the seat's own
        record: as text, the moves in notation, with `{UNSEEN}` for what the seat does not know. As a
        tensor it has {size}: two for the seat, then {encoding.lines} lines of {encoding.width}, one for
        each move{latest}, with a one-hot encoding of every character of its notation ({letters})."""
    return "\n\n".join([paragraph(now), table(("index", "meaning", "range"), rows), paragraph(recalled)])


def _kind(entry: Entry) -> tuple[str, int, int]:
    return re.sub(r"^\d(?=s in )|(?<= is )\d$", "", entry.name), entry.low, entry.high


def _range(entry: Entry) -> str:
    limits = np.iinfo(np.int16)
    if entry.high < limits.max:
        return (
            f"{entry.low} or {entry.high}" if entry.high == entry.low + 1 else f"{entry.low} to {entry.high}"
        )
    return "any number" if entry.low == limits.min else f"{entry.low} or more"


def _actions(variant: AnyVariant) -> str:
    game = variant.game
    known = alphabet(game)
    lists = [(f"`seat_{int(seat)}`", known.moves[seat]) for seat in Seat]
    if known.draws:
        lists.append(("Nature, in OpenSpiel", known.draws))
    blocks = [f"{who}:\n\n```\n{_numbered([game.text(move) for move in moves])}\n```" for who, moves in lists]
    start = "In [notation](../../notation.md); each line begins with the number of its first move."
    return "\n\n".join([start, *blocks])


def _numbered(words: Sequence[str]) -> str:
    last = len(str(len(words) - 1))
    return "\n".join(
        f"{at:>{last}}  {' '.join(words[at : at + ACROSS])}" for at in range(0, len(words), ACROSS)
    )


def _rewards() -> str:
    return paragraph("""At the end 1 for the winner, -1 for the loser, and 0 for both in a draw; 0 before. In
        Gymnasium `info["regret"]` tells what each move loses: see [regret](../README.md#regret).""")


def _termination(variant: AnyVariant) -> str:
    bound = variant.game.bound
    ends = f"By the rules, after at most {bound} moves."
    if bound is None:
        ends = f"""By the rules, which set no limit. OpenSpiel needs one: a game is a draw after `horizon`
            moves, {DEFAULT_HORIZON:,} by default."""
    cut = f"""PettingZoo and Gymnasium truncate a game after {MAX_MOVES:,} moves. An illegal move changes
        nothing, counts as a move, and `info["refused"]` says why it was refused."""
    return f"{paragraph(ends)}\n\n{paragraph(cut)}"


def _history(variant: AnyVariant) -> str:
    rows = [
        (f"v{version}", what, f"`{dynamics(variant)}`" if version == VERSION else "")
        for version, what in HISTORY.items()
    ]
    told = """The last column is a hash over the states, masks, observations and results of seeded games,
        which a test pins."""
    return f"{table(('version', 'what changed', 'dynamics'), rows)}\n\n{paragraph(told)}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the pages, or say which are out of date."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a page is out of date")
    check = parser.parse_args(arguments).check
    old = 0
    for id, variant in games.catalogue().items():
        path, text = PAGES / f"{id}.md", page(variant)
        if check and not path.exists():
            continue  # a new game needs no page
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        old += 1
        if not check:
            PAGES.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        print(f"{path.name} {'is out of date' if check else 'updated'}")
    return int(check and old > 0)


if __name__ == "__main__":
    sys.exit(main())
