"""Generate the pages of the environments from the code."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from tools.game_pages.markdown import paragraph, table

from digit_duel import games
from digit_duel.adapters.interface.alphabet import alphabet, ranked_alphabet
from digit_duel.adapters.interface.dynamics import dynamics
from digit_duel.adapters.interface.encoding import encoding
from digit_duel.adapters.interface.feature import LEAST, MOST, Feature
from digit_duel.adapters.interface.names import HISTORY, VERSION, gym_id, spiel_name, zoo_name
from digit_duel.adapters.interface.numbered_game import MAX_MOVES
from digit_duel.adapters.interface.probe import probe
from digit_duel.adapters.interface.version import OPTIONS, VersionSettings, decisions
from digit_duel.adapters.interface.views import layout
from digit_duel.adapters.spiel.parameters import DEFAULT_HORIZON, RECORD, parameters
from digit_duel.adapters.spiel.records import LINES, UNSEEN, record_encoding, short_encoding
from digit_duel.bots import LEVELS
from digit_duel.core.game import Seat
from digit_duel.core.variant import AnyGame, AnyVariant

PAGES = Path(__file__).parent.parent / "docs" / "research" / "environments"
ACROSS = 10  # moves per line of a list


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
        "Version 1": _first_version(variant),
    }
    parts = [f"# {variant.title} (`{variant.id}`)", "<!-- Made by tools/make_environment_pages.py. -->"]
    parts += [f"## {heading}\n\n{text}" for heading, text in sections.items()]
    return "\n\n".join(parts) + "\n"


def _description(variant: AnyVariant) -> str:
    return f"""{variant.summary}

Rules, rulings and best play: [{variant.id}](../../games/{variant.id}.md)."""


def _specs(variant: AnyVariant) -> str:
    game, met, id = variant.game, probe(variant.game), variant.id
    encoder = encoding(game)
    bounded = all(feature.high < MOST for feature in encoder.features)
    flags = f"; one-hot {encoding(game, one_hot=True).size}" if bounded else ""
    at_once = "yes; with OpenSpiel's `turn_based=True` one after the other, and the first stays hidden"
    rows = [
        (
            "OpenSpiel",
            f'`import digit_duel.adapters.openspiel`; `pyspiel.load_game("{spiel_name(id, VERSION)}")`',
        ),
        ("PettingZoo", f"`digit_duel.adapters.pettingzoo.{zoo_name(id)}`: `env()`, `parallel_env()`"),
        ("Gymnasium", f'`import digit_duel.adapters.gymnasium`; `gymnasium.make("{gym_id(id)}")`'),
        ("pgx", f'`digit_duel.adapters.pgx.make("{id}")`: see [pgx](../README.md#pgx-and-mctx)'),
        ("agents", "`seat_0`, which moves first, and `seat_1`"),
        (
            "arrays",
            f"`digit_duel.adapters.batch.batch_of(game, version={VERSION})`: see [arrays](../batch.md)",
        ),
        ("actions", f"`Discrete({ranked_alphabet(game).size})`"),
        ("observations", f"`Box`, `{encoder.dtype.__name__}`, {encoder.size} numbers{flags}"),
        ("information", "imperfect" if met.hidden else "perfect"),
        ("chance", "draws, weighted by what is left" if game.draws() else "none"),
        ("simultaneous choices", at_once if met.simultaneous else "none"),
        ("longest game", "no limit" if game.bound is None else f"{game.bound} moves"),
        ("opponents in Gymnasium", ", ".join(f"`{level}`" for level in LEVELS)),
    ]
    settings = parameters(variant)
    meanings = [(f"`{name}`", f"`{settings[name]}`", option.help) for name, option in variant.options.items()]
    meanings += [
        (f"`{name}`", f"`{getattr(VersionSettings(), name)}`", help)
        for name, help in OPTIONS.items()
        if name != "layout" or _has_hands(game)
    ]
    example = f"{spiel_name(id, VERSION)}({_example(settings)})"
    told = f"""The options of the rules and, from {meanings[len(settings)][0]} on, of the version are
        keyword arguments of `env`, `parallel_env` and `make`, and game parameters in OpenSpiel. OpenSpiel
        reads any value that begins like a number as a number, so put such text in quotes there, with `;`
        instead of `,`: `{example}`."""
    return "\n\n".join(
        [table(("", ""), rows), paragraph(told), table(("option", "default", "meaning"), meanings)]
    )


def _example(settings: dict[str, int | str]) -> str:
    quoted = [name for name, value in settings.items() if str(value).startswith("'")]
    return ",".join(f"{name}={settings[name]}" for name in quoted)


def _observation(variant: AnyVariant) -> str:
    """The table of features; those that differ only in a digit share a line."""
    game = decisions(variant.game, VersionSettings())
    record = short_encoding(game)
    latest = "" if variant.game.bound is not None else " (the latest ones of a longer game)"
    size = f"{len(Seat) + record.lines * record.width} numbers"
    now = """What the seat sees now, as small whole numbers, the same in all libraries; "own" is what belongs
        to the observing seat, and -1 stands for a digit that is missing or hidden. With
        `encoding=one_hot` there is a flag for each value instead, in the same order."""
    recalled = f"""OpenSpiel's observation tensor is the same. The information state is the seat's own
        record. As text, it is the moves in notation, with `{UNSEEN}` for what the seat does not know. As a
        tensor it has {size}: two for the seat, then {record.lines} lines of {record.width}{latest},
        {record.about()}."""
    if record.lines == LINES:
        recalled += f" The parameter `{RECORD}` sets the number of lines."
    rows = _rows(encoding(variant.game).features)
    return "\n\n".join([paragraph(now), table(("index", "meaning", "range"), rows), paragraph(recalled)])


def _rows(features: Sequence[Feature]) -> list[tuple[str, str, str]]:
    rows = []
    for _, run in groupby(enumerate(features), key=lambda numbered: _kind(numbered[1])):
        (low, first), *_, (high, last) = (*run,) * 2
        one = low == high
        meaning = first.name if one else f"{first.name} ... {last.name}"
        rows.append((str(low) if one else f"{low}-{high}", meaning, _range(first)))
    return rows


def _kind(feature: Feature) -> tuple[str, int, int]:
    digit = r"^\d(?=s in )|(?<= is )\d$|(?<=copies of )\d|(?<=place )\d|(?<=card )\d"
    return re.sub(digit, "#", feature.name), feature.low, feature.high


def _range(feature: Feature) -> str:
    if feature.high < MOST:
        between = "or" if feature.high == feature.low + 1 else "to"
        return f"{feature.low} {between} {feature.high}"
    return "any number" if feature.low == LEAST else f"{feature.low} or more"


def _actions(variant: AnyVariant) -> str:
    game = variant.game
    known = ranked_alphabet(game)
    start = "In [notation](../../notation.md); each line begins with the index of its first move."
    if _has_hands(game):
        start = """The same for both seats. An order lists ranks in the seat's own hand, 1 for the highest
            card, so the first order makes the highest number. If several orders make the same number,
            because digits are equal, only the first is legal. With `layout=highest` there are no orders."""
        named = [f"{at}  {known.name(at)}" for at in range(known.size)]
        lists = ["```\n" + "\n".join(named) + "\n```"]
    else:
        texts = [(f"`seat_{int(seat)}`", [game.text(move) for move in known.moves[seat]]) for seat in Seat]
        lists = [f"{who}:\n\n```\n{_numbered(words)}\n```" for who, words in texts]
    if known.draws:
        draws = _numbered([game.text(draw) for draw in known.draws])
        lists.append(f"Nature, in OpenSpiel:\n\n```\n{draws}\n```")
    return "\n\n".join([paragraph(start), *lists])


def _first_version(variant: AnyVariant) -> str:
    """How version 1 differs."""
    game, id = variant.game, variant.id
    record = record_encoding(game)
    numbered = _unranked(variant) if _has_hands(game) else "The action numbers are the same."
    told = f"""`{zoo_name(id, 1)}`, `{gym_id(id, 1)}` and OpenSpiel's `{spiel_name(id, 1)}` stay as they
        were.
        {numbered} In Gymnasium an unknown regret is `None`, not NaN. OpenSpiel's information tensor has
        {len(Seat) + record.lines * record.width} numbers: two for the seat, then {record.lines} lines of
        {record.width}, {record.about()}. Observations are `int16`:"""
    return f"{paragraph(told)}\n\n{table(('index', 'meaning', 'range'), _rows(layout(game).features))}"


def _has_hands(game: AnyGame) -> bool:
    """Whether hands are laid out, which the versions number differently."""
    return ranked_alphabet(game).size != alphabet(game).size


def _unranked(variant: AnyVariant) -> str:
    moves = alphabet(variant.game).moves[Seat.FIRST]
    low, high = (variant.game.text(move) for move in (moves[2], moves[-1]))
    return f"There are {len(moves)} actions: keep, give, and every number by itself, `{low}` to `{high}`."


def _numbered(words: Sequence[str]) -> str:
    last = len(str(len(words) - 1))
    return "\n".join(
        f"{at:>{last}}  {' '.join(words[at : at + ACROSS])}" for at in range(0, len(words), ACROSS)
    )


def _rewards() -> str:
    return paragraph("""At the end of the game 1 for the winner, -1 for the loser, and 0 for both in a draw;
        before that 0. In Gymnasium `info["regret"]` says how much each move gives away: see
        [regret](../README.md#regret).""")


def _termination(variant: AnyVariant) -> str:
    bound = variant.game.bound
    ends = f"By the rules, after at most {bound} moves."
    if bound is None:
        ends = f"""By the rules, which set no limit. OpenSpiel needs one: a game is a draw after `horizon`
            moves, {DEFAULT_HORIZON:,} by default."""
    cut = f"""PettingZoo and Gymnasium truncate a game after {MAX_MOVES:,} moves. An illegal move changes
        nothing, counts as a move, and `info["refused"]` says why it was refused; with `illegal="lose"` it
        loses the game in Gymnasium."""
    return f"{paragraph(ends)}\n\n{paragraph(cut)}"


def _history(variant: AnyVariant) -> str:
    rows = [(f"v{version}", what, f"`{dynamics(variant, version)}`") for version, what in HISTORY.items()]
    told = """The last column is a hash of the states, masks, observations and results of seeded games; a test
        pins it."""
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
