"""Make the pages of the environments: everything on them is taken from the code."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path

import numpy as np

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

The rules, the rulings, and what is known about best play: [{variant.id}](../../games/{variant.id}.md)."""


def _specs(variant: AnyVariant) -> str:
    game, met, id = variant.game, probe(variant.game), variant.id
    at_once = "yes; one after the other and unseen with OpenSpiel's `turn_based=True`"
    rows = [
        ("OpenSpiel", f'`import digit_duel.adapters.openspiel`; `pyspiel.load_game("{spiel_name(id)}")`'),
        ("PettingZoo", f"`digit_duel.adapters.pettingzoo.{zoo_name(id)}`: `env()`, `parallel_env()`"),
        ("Gymnasium", f'`import digit_duel.adapters.gymnasium`; `gymnasium.make("{gym_id(id)}")`'),
        ("agents", "`seat_0`, which moves first, and `seat_1`"),
        ("actions", f"`Discrete({alphabet(game).size})`"),
        ("observations", f"`Box`, `int16`, {len(layout(game).entries)} numbers"),
        ("information", "some of it hidden" if met.hidden else "perfect"),
        ("chance", "drawn with the weights of what is left" if game.draws() else "none"),
        ("choices at once", at_once if met.simultaneous else "none"),
        ("most moves", "no limit" if game.bound is None else str(game.bound)),
        ("opponents in Gymnasium", ", ".join(f"`{level}`" for level in LEVELS)),
    ]
    settings = parameters(variant)
    table = [(f"`{name}`", f"`{settings[name]}`", option.help) for name, option in options(game).items()]
    return f"""{_table(("", ""), rows)}

Every option of the rules is a keyword of `env`, `parallel_env` and `make`, and a parameter in OpenSpiel.
OpenSpiel takes what begins like a number for one, so there such a text stands between quotes, with `;` for
`,`: `{spiel_name(id)}({_example(settings)})`.

{_table(("option", "default", "meaning"), table)}"""


def _example(settings: dict[str, int | str]) -> str:
    quoted = [name for name, value in settings.items() if str(value).startswith("'")]
    return ",".join(f"{name}={settings[name]}" for name in quoted)


def _observation(variant: AnyVariant) -> str:
    """Runs of entries that differ in nothing but a digit share a line."""
    rows: list[tuple[str, str, str]] = []
    for _, run in groupby(enumerate(layout(variant.game).entries), key=lambda numbered: _kind(numbered[1])):
        (low, first), *_, (high, last) = (*run,) * 2
        one = low == high
        meaning = first.name if one else f"{first.name} ... {last.name}"
        rows.append((str(low) if one else f"{low}-{high}", meaning, _range(first)))
    encoding = record_encoding(variant.game)
    letters = "; ".join(f"letter {at} one of `{letters}`" for at, letters in enumerate(encoding.letters, 1))
    latest = "" if variant.game.bound is not None else " (of a longer game the latest ones)"
    size = f"{len(Seat) + encoding.lines * encoding.width} numbers"
    return f"""What the seat sees now, as whole numbers. A digit that can be missing takes ten entries, all 0
while it is not there or not seen.

{_table(("index", "meaning", "range"), rows)}

OpenSpiel's observation tensor is the same. Its information state is the seat's own record: as text the moves
in notation as far as the seat knows them, `{UNSEEN}` for what it does not. As a tensor it has {size}:
two for the seat, then {encoding.lines} lines of {encoding.width}, one for each move{latest},
with a 1 for every letter of its notation: {letters}."""


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
    start = "In [notation](../../notation.md); the number in front is that of the line's first move."
    return "\n\n".join([start, *blocks])


def _numbered(words: Sequence[str]) -> str:
    last = len(str(len(words) - 1))
    return "\n".join(
        f"{at:>{last}}  {' '.join(words[at : at + ACROSS])}" for at in range(0, len(words), ACROSS)
    )


def _rewards() -> str:
    return """At the end 1 for the winner, -1 for the loser, 0 to both in a draw; nothing before. In Gymnasium
`info["regret"]` has what each move loses of that: see [regret](../README.md#regret)."""


def _termination(variant: AnyVariant) -> str:
    bound = variant.game.bound
    ends = f"By the rules, after {bound} moves at most."
    if bound is None:
        ends = (
            "By the rules, which set no limit. OpenSpiel needs one: after `horizon` moves a game is a draw,\n"
        )
        ends += f"{DEFAULT_HORIZON:,} unless told otherwise."
    return f"""{ends}

PettingZoo and Gymnasium break a game off (truncation) after {MAX_MOVES:,} moves. A move that the mask forbids
changes nothing, counts as one of these, and `info["refused"]` says why it was refused."""


def _history(variant: AnyVariant) -> str:
    rows = [
        (f"v{version}", what, f"`{dynamics(variant)}`" if version == VERSION else "")
        for version, what in HISTORY.items()
    ]
    return f"""{_table(("version", "what changed", "dynamics"), rows)}

The last column is a hash over the states, masks, observations and results of seeded games; a test pins it."""


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines)


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
        print(f"{path.name} {'is out of date' if check else 'was made anew'}")
    return int(check and old > 0)


if __name__ == "__main__":
    sys.exit(main())
