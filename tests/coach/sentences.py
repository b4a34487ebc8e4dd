"""What a sentence requires: the claims that its phrases need, and a claim for every number in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

# A phrase, and the claims of which one at least must be there; a sentence with no phrase is unknown.
PHRASES: tuple[tuple[str, str], ...] = (
    (r"throws the win away|turns a (win|draw) into", "Costs"),
    (r"kept (it|the win|the draw)", "Keeping"),
    (r"settles it", "Leads"),
    (r"settles it|won already|whatever comes after", "Decided"),
    (r"beats", "Leads"),
    (r"is at least \d", "AtLeast"),
    (r"at most \d", "AtMost|HoldsAtMost"),
    (r"number is at least", "Decided"),
    (r"cannot stop", "Unstoppable"),
    (r"which decides|either decides|each decides", "Decided"),
    (r"must fill", "MustFill"),
    (r"with best play (you|Ann|Ben) ends? on", "BestNumbers"),
    (r"holds the draw: with best play", "BestNumbers"),
    (r"makes it \d+ against", "Numbers"),
    (r"It ends \d+ against", "Numbers"),
    (r"makes it .*: (you|Ann|Ben) wins?", "Over"),
    (r"as with any other digit", "Winning"),
    (r"wins by the most|comes closest|holds out longest", "Best"),
    (r"[Cc]opy every move", "Mirrors"),
    (r"^Only (?!\d+ of the ).* wins", "Only"),
    (r"answer: Only .* wins", "Only"),
    (r"every other move loses to", "OthersLoseTo"),
    (r"would go to .* and win", "LastCopy"),
    (r"keeps the win", "ValueIs"),
    (r"can be forced in \d", "ForcedIn"),
    (r"in sudden death at the latest", "ValueIs"),
    (r"holds out longest, \d", "ForcedIn"),
    (r"^Every move loses", "ValueIs"),
    (r"answers wins?\.", "Winning"),
    (r"holds the draw", "ValueIs"),
    (r"(in|:) a draw\.", "Over"),
    (r"ends it: ", "Kills"),
    (r"ends the game with|ends the game: (you|Ann|Ben) wins?", "Over"),
    (r"ends the game with|leaves .* life point|lifts", "Life"),
    (r"must defend", "MustDefend"),
    (r"next blow ends it", "FinishesNext"),
    (r"would finish", "CouldKill"),
    (r"would finish", "Safe"),
    (r"highest digit left|is the highest:", "Highest"),
    (r"only the totals count", "OnlyCounts"),
    (r"with best play (you|Ann|Ben) ends? \d+ ahead", "Margin"),
    (r"wastes", "Wasted"),
    (r"leads to sudden death", "WinsByShowing"),
    (r"^Showing \d can lose no points", "NeverWorse"),
    (r"equal (reveals?|digits)", "StandOff"),
    (r"risks", "Risks"),
    (r"is never worse", "NeverWorse"),
    (r"chance", "Stands"),
    (r"errs? on one choice|computer's level", "WinsShare"),
    (r"[Tt]he round is (won|lost) either way", "WinsShare|WinsAgainstPerfection"),
    (r"the round for certain, .* (wins|loses) it", "WinsShare"),
    (r"the round for certain, ", "BetterChoice"),
    (r"may hold", "SureAgainst"),
    (r"choices so far make", "ChoicesTell"),
    (r"errs? on .* wins the round in .* of cases, |slightly", "BetterChoice"),
    (r"should be full before", "BothDraw"),
    (r"should be full before", "FreeChoice"),
    (r"should be full before|cannot see (is|are) higher", "BetterChoice"),
    (r"cannot see (is|are) higher", "Higher"),
    (r"never errs", "WinsAgainstPerfection"),
    (r"never errs, (you|Ann|Ben) holds", "PerfectionHolds"),
    (r"would never have reached", "Unexpected"),
    (r"count the cards alone", "CardsAlone"),
    (r"can still make|pick from all cards left", "ReachesAtLeast"),
    (r"can still make|pick from all cards left", "FreeChoice"),
    (r"hand is then full", "Fills"),
    (r"then full with at most", "HoldsAtMost"),
    (r"would fill (your|Ann's|Ben's) hand", "Makes"),
    (r"is the highest number of", "HighestOrder"),
    (r"is too low", "Lower"),
    (r"no longer be thrown away|every card must be kept", "Forced"),
    (r"both hands|is replayed", "Ties"),
    (r"rulebook's tips|rule of thumb|the tips", "LikedMost"),
)


def unsupported(sentence: str, claims: tuple[Any, ...]) -> list[str]:
    """The phrases and numbers of a sentence that no claim supports; an unknown sentence counts as one."""
    kinds = {type(claim).__name__ for claim in claims}
    needed = [names for phrase, names in PHRASES if re.search(phrase, sentence)]
    if not needed:
        return ["an unknown sentence"]
    missing = [names for names in needed if not kinds & set(names.split("|"))]
    known = {number for claim in claims for number in _numbers(claim)}
    return missing + [number for number in re.findall(r"\d+(?:\.\d+)?", sentence) if number not in known]


def _numbers(value: Any) -> Iterator[str]:
    """Every number within a claim, as a sentence could put it."""
    if isinstance(value, Enum | bool) or value is None or (callable(value) and not is_dataclass(value)):
        return
    if isinstance(value, float):
        yield from (f"{100 * value:.0f}", f"{100 * value:.1f}")
        # Under 1% and under 0.1%, over 99% and over 99.9%.
        yield from (str(limit) for limit in (1, 0.1) if 0 < 100 * value < limit)
        yield from (str(limit) for limit in (99, 99.9) if limit < 100 * value < 100)
    elif isinstance(value, int | str):
        yield str(value)
    elif isinstance(value, tuple):
        if all(isinstance(part, int) for part in value):
            yield "".join(map(str, value))  # the digits of a number
        for part in value:
            yield from _numbers(part)
    elif is_dataclass(value):
        for field in fields(value):
            yield from _numbers(getattr(value, field.name))
