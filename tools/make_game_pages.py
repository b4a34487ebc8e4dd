"""Write the figures on the pages of the games: python -m tools.make_game_pages [--check] [PAGE ...]

The text in docs/games/*.md between `<!-- figures: NAME -->` and `<!-- end -->` is computed from the rules,
the shipped tables and their proofs. The rest of the pages is written by hand.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from tools.game_pages import battle, cards, placing
from tools.game_pages.overview import overview

from digit_duel.solve.keep_or_give import FullHandRule

ROOT = Path(__file__).parent.parent
PAGES = ROOT / "docs" / "games"

Figures = Mapping[str, Callable[[], str]]


def _placing(id: str) -> Figures:
    return {
        "size": partial(placing.size, id),
        "value": partial(placing.value, id),
        "balance": partial(placing.balance, id),
    }


FIGURES: Mapping[str, Figures] = {
    "README": {"overview": partial(overview, PAGES)},
    "classic": _placing("classic"),
    "reverse": _placing("reverse"),
    "sabotage": _placing("sabotage"),
    "battle": {
        "size": battle.size,
        "value": battle.value,
        "sudden death": battle.sudden_death,
        "balance": battle.balance,
    },
    "cards": {
        "size": cards.size,
        "value": cards.value,
        "first card": partial(cards.first_draws, FullHandRule.DISCARD),
        "situations": partial(cards.situations, FullHandRule.DISCARD),
        "first card, must_keep": partial(cards.first_draws, FullHandRule.MUST_KEEP),
        "situations, must_keep": partial(cards.situations, FullHandRule.MUST_KEEP),
        "rules of thumb": cards.rules_of_thumb,
        "ties": cards.ties,
        "caps": cards.caps,
        "games with one deck": cards.one_deck_played,
        "balance": cards.balance,
    },
}


def filled(text: str, figures: Figures) -> str:
    """A page with its figures computed again; ValueError unless blocks and figures correspond."""
    found = re.findall(r"^<!-- figures: (.*?) -->$", text, re.MULTILINE)
    if sorted(found) != sorted(figures):
        raise ValueError(f"the page has blocks for {found}, but there are figures for {list(figures)}")
    return re.sub(
        r"^(<!-- figures: (.*?) -->)\n.*?^(<!-- end -->)$",
        lambda block: f"{block[1]}\n{figures[block[2]]()}\n{block[3]}",
        text,
        flags=re.MULTILINE | re.DOTALL,
    )


def outdated(names: Iterable[str]) -> Iterator[tuple[Path, str]]:
    """The pages whose figures have changed, with their new text."""
    for name in names:
        path = PAGES / f"{name}.md"
        text = path.read_text(encoding="utf-8")
        right = filled(text, FIGURES[name])
        if right != text:
            yield path, right


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the pages, or check whether they are up to date."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a page is out of date")
    parser.add_argument(
        "pages", nargs="*", metavar="PAGE", help=f"one of: {', '.join(FIGURES)}; default: all"
    )
    wanted = parser.parse_args(arguments)
    if unknown := set(wanted.pages) - set(FIGURES):
        parser.error(f"unknown page: {', '.join(sorted(unknown))}")
    found = 0
    for path, right in outdated(wanted.pages or FIGURES):
        found += 1
        if not wanted.check:
            path.write_text(right, encoding="utf-8")
        sys.stdout.write(f"{path.relative_to(ROOT)} {'is out of date' if wanted.check else 'updated'}\n")
    return 1 if wanted.check and found else 0


if __name__ == "__main__":
    sys.exit(main())
