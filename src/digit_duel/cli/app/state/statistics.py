"""Statistics of finished games, without those played on from a review: by level, and between people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from textwrap import wrap

from digit_duel.bots import LEVELS
from digit_duel.core.game import Seat
from digit_duel.core.record import CONTINUED, UNFINISHED, Record, level_of, winner_of

_WITH_BARS = 66  # columns from which shares have bars


def statistics(records: Iterable[Record], columns: int = 80) -> list[str]:
    """The results as lines of text: a table by level and game, then one by pairs of people."""
    computer: dict[tuple[str, str], Counter[str]] = {}
    people: dict[tuple[tuple[str, str], str], Counter[str]] = {}
    for record in records:
        if record.result == UNFINISHED or CONTINUED in record.headers:
            continue
        winner = winner_of(record.result)
        levels = [level_of(record.headers, seat) for seat in Seat]
        person = next((seat for seat in Seat if levels[seat] is None), None)
        level = next(filter(None, levels), None)
        if level is None:
            pair = (min(record.names), max(record.names))
            tally = people.setdefault((pair, record.game), Counter())
            tally["drawn" if winner is None else record.names[winner]] += 1
        elif person is not None:
            tally = computer.setdefault((level, record.game), Counter())
            tally["drawn" if winner is None else "won" if winner is person else "lost"] += 1
    if not computer and not people:
        return ["No game has been finished yet."]
    return [*_against_computer(computer, columns >= _WITH_BARS), *_between_people(people, columns)]


def _against_computer(found: dict[tuple[str, str], Counter[str]], bars: bool) -> list[str]:
    if not found:
        return []
    title = "Share of games you won" if bars else "Share"
    order = list(LEVELS)
    lines = [
        "YOU AGAINST THE COMPUTER",
        "",
        f"{'Its level':<11}{'Game':<11}{'You won':>8}{'lost':>6}{'drew':>6}  {title}",
    ]
    ranked = sorted(found, key=lambda key: (order.index(key[0]) if key[0] in order else -1, key[1]))
    for level, game in ranked:
        tally = found[level, game]
        share = round(100 * tally["won"] / tally.total())
        counts = f"{tally['won']:>8}{tally['lost']:>6}{tally['drawn']:>6}"
        bar = f"{_bar(share)} " if bars else ""
        lines.append(f"{level:<11}{game.capitalize():<11}{counts}  {bar}{share}%")
    return [*lines, ""]


def _bar(share: int) -> str:
    full = round(share / 10)
    return "█" * full + "░" * (10 - full)


def _between_people(found: dict[tuple[tuple[str, str], str], Counter[str]], columns: int) -> list[str]:
    if not found:
        return []
    lines = ["TWO PLAYERS", "", f"{'Game':<11}Games won"]
    for pair, game in sorted(found):
        tally = found[pair, game]
        drawn = f", {tally['drawn']} drawn" if tally["drawn"] else ""
        told = f"{game.capitalize():<11}{pair[0]} {tally[pair[0]]}, {pair[1]} {tally[pair[1]]}{drawn}"
        lines += wrap(told, columns, subsequent_indent=" " * 11)
    return lines
