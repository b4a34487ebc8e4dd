"""Who plays what: from the options on the command line, or from a saved game."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random, SystemRandom

import click

from digit_duel.bots import DEFAULT_LEVEL, LEVELS
from digit_duel.cli.errors import Problem
from digit_duel.cli.play.fixed_draws import read_draws
from digit_duel.cli.records import record_file
from digit_duel.core.game import Pair, Seat, swap
from digit_duel.core.match import Match
from digit_duel.core.names import clean_names
from digit_duel.core.options import BadOption
from digit_duel.core.record import Record, level_header, level_of
from digit_duel.core.variant import AnyVariant

COMPUTER = "Computer"


@dataclass(frozen=True, slots=True)
class PlayOptions:
    """The options of digit-duel play."""

    vs: str = "person"
    level: str | None = None
    first: str = "1"
    names: tuple[str, str] | None = None
    best_of: int | None = None
    first_to: int | None = None
    seed: int | None = None
    draws: str | None = None
    record: Path | None = None
    server: str | None = None
    join: str | None = None
    invite: bool = False
    name: str | None = None

    @property
    def match(self) -> Match | None:
        """The match to play; raises click.UsageError if the options name two."""
        if self.best_of is not None and self.first_to is not None:
            raise click.UsageError("a match is best of N (--match) or first to N (--first-to), not both.")
        return Match(self.first_to, self.best_of) if self.best_of or self.first_to else None

    def check_level(self) -> None:
        """Raise click.UsageError if there is no such level."""
        if self.level is not None and self.level not in LEVELS:
            known = ", ".join(LEVELS)
            raise click.UsageError(f"there is no level '{self.level[:20]}'. The levels are: {known}.")


@dataclass(frozen=True, slots=True)
class Plan:
    """A game to play; names and levels are in the order of its seats."""

    variant: AnyVariant
    names: Pair[str]
    levels: Pair[str | None] = (None, None)  # None is a person
    match: Match | None = None
    seed: str | None = None
    draws: tuple[str, ...] = ()  # the first cards, for lessons
    record_file: Path | None = None

    def with_seats_swapped(self) -> Plan:
        """The same plan with the players in each other's seats."""
        return replace(self, names=swap(self.names), levels=swap(self.levels))

    def next_game(self, winner: Seat | None) -> Plan:
        """The plan of the next game of the match."""
        assert self.match is not None
        return replace(self.with_seats_swapped(), match=self.match.after(winner), draws=())

    def headers(self) -> dict[str, str]:
        """The headers of a record from which the game can be resumed."""
        headers = {"Date": time.strftime("%Y-%m-%d", time.gmtime())}
        headers |= self.match.headers() if self.match else {}
        headers |= {"Seed": self.seed} if self.seed is not None else {}
        headers |= {"Draws": "".join(self.draws)} if self.draws else {}
        for seat, level in zip(Seat, self.levels, strict=True):
            headers |= level_header(seat, level) if level else {}
        return headers

    @staticmethod
    def from_record(variant: AnyVariant, record: Record) -> Plan:
        """The plan of a saved game; raises Problem."""
        headers = record.headers
        first, second = (level_of(headers, seat) for seat in Seat)
        if {first, second} - {None, *LEVELS} or (first and second):
            raise Problem("this game was saved with a computer level that this version does not have.")
        match, seed = Match.from_headers(headers), headers.get("Seed")
        kept_in = record_file.file_of(record)
        return Plan(variant, record.names, (first, second), match, seed, record_file=kept_in)


def customised(
    variant: AnyVariant, settings: Sequence[str], open_hands: bool = False, edition: str | None = None
) -> AnyVariant:
    """The variant with the options of --edition, --set and --open; raises BadOption."""
    variant = variant if edition is None else variant.edition(edition)
    wanted = read_settings(settings)
    if open_hands:
        if "visibility" not in variant.options:
            raise BadOption("--open is for games with hidden hands; this game hides nothing.")
        if wanted.setdefault("visibility", "open") == "private":
            raise BadOption("--open and --set visibility=private contradict each other.")
    return variant.customised(wanted)


def plan_game(variant: AnyVariant, options: PlayOptions) -> Plan:
    """The plan of a game on this computer; raises click.UsageError."""
    options.check_level()
    if options.invite:
        raise click.UsageError("--invite is for games on a server; add --server URL.")
    if options.name is not None:
        raise click.UsageError(
            "--name is for games on a server; add --server URL. Here --names A B names both players."
        )
    if options.level is not None and options.vs != "computer":
        raise click.UsageError("--level is for games against the computer; add --vs computer.")
    opponent = (options.level or DEFAULT_LEVEL) if options.vs == "computer" else None
    names = clean_names(*(options.names or ("Player 1", COMPUTER if opponent else "Player 2")))
    seed = None if options.seed is None else str(options.seed)
    draws = read_draws(variant, options.draws)
    plan = Plan(variant, names, (None, opponent), options.match, seed, draws, options.record)
    return plan.with_seats_swapped() if _second_starts(options) else plan


def _second_starts(options: PlayOptions) -> bool:
    rng = SystemRandom() if options.seed is None else Random(f"{options.seed}/coin")
    return options.first == "2" or (options.first == "coin" and rng.randrange(2) == 1)


def read_settings(settings: Sequence[str]) -> dict[str, str]:
    """The values given by --set, by option; raises BadOption."""
    wanted: dict[str, str] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals:
            raise BadOption(f"--set takes option=value, not '{setting[:40]}'.")
        if name in wanted:
            raise BadOption(f"the option '{name}' is set twice.")
        wanted[name] = value
    return wanted
