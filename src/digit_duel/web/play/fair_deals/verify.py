"""Verifies a finished game from its record alone, without the server.

A record carries its proof in headers: Online (the game's id), Seal, ServerSeed, FirstSeed, SecondSeed,
and Choices, a list of version:salt:seal for every secret choice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from hmac import compare_digest
from itertools import pairwise

from digit_duel.core.game import Game, M, S, V
from digit_duel.core.record import UNFINISHED, BadRecord, Record, Steps, follow, result_of
from digit_duel.core.session import half_chosen
from digit_duel.core.variant import AnyVariant
from digit_duel.web.play.fair_deals.deals import choice_seal, deck_seal, sealed_dealer

GAME, SEAL, SEED = "Online", "Seal", "ServerSeed"
SEATS = ("FirstSeed", "SecondSeed")
CHOICES = "Choices"
_HEX = re.compile(r"(?:[0-9a-f]{2})*", re.ASCII)
_CHOICE = re.compile(r"([1-9][0-9]{0,6}):([0-9a-f]{32}):([0-9a-f]{64})", re.ASCII)


class NotProven(ValueError):
    """A record fails verification; the message says why."""


@dataclass(frozen=True, slots=True)
class ChoiceProof:
    """What proves one secret choice: its version, its salt and its seal."""

    version: int
    salt: str
    seal: str


@dataclass(frozen=True, slots=True)
class Verified:
    """What a record proves about itself."""

    seal: str
    draws: int
    secrets: int
    result: str
    ended: str | None  # how, if not by the rules

    @property
    def sentences(self) -> list[str]:
        """The result of the check in sentences."""
        told = [f"The seal matches: the seed was fixed before anybody joined. It is {self.seal}"]
        if self.draws:
            told.append(
                f"{self.draws} of {self.draws} draws follow from the sealed seed and both players' own seeds."
            )
        if self.secrets:
            told.append(f"{self.secrets} of {self.secrets} secret choices are the ones that were sealed.")
        if not self.draws and not self.secrets:
            told.append("Nothing was drawn and nothing was hidden in this game.")
        told.append(
            f"The moves follow the rules; the game ended by {self.ended}, which only the server can tell."
            if self.ended
            else f"The moves follow the rules and end in {self.result}."
        )
        return told


def verify(record: Record, variant: AnyVariant) -> Verified:
    """Verify a record and return what it proves, or raise NotProven."""
    game, seal, seed = _header(record, GAME), _hex(record, SEAL), _hex(record, SEED)
    seats = (_hex(record, SEATS[0]), _hex(record, SEATS[1]))
    if not compare_digest(deck_seal(seed, game), seal):
        raise NotProven("the seal does not match: this is not the seed that the server committed to.")
    try:
        steps = follow(variant.game, record.moves, record.places)
    except BadRecord as bad:
        raise NotProven(f"the moves do not follow the rules: {bad}") from bad
    _check_end(record, variant.game, steps)
    drawn = _check_draws(variant.game, steps, seed, seats)
    secrets = _check_choices(variant.game, steps, _choices(record), game)
    return Verified(seal, drawn, secrets, record.result, record.headers.get("Ended"))


def _check_end(record: Record, game: Game[S, M, V], steps: Steps[S, M]) -> None:
    """Check that the record is complete: its moves reach the result, or the game was ended early."""
    state = steps[-1].after if steps else game.start()
    outcome = game.outcome(state)
    if game.chance(state):
        raise NotProven("the record is incomplete: a draw is missing after its last move.")
    if record.result == UNFINISHED:
        raise NotProven("this game is not over: its seals are opened at the end.")
    if outcome is None and "Ended" not in record.headers:
        raise NotProven(f"the record is incomplete: its moves do not reach {record.result}.")
    if outcome is not None and (record.result != result_of(outcome) or "Ended" in record.headers):
        raise NotProven(f"the moves end in {result_of(outcome)}, but the record says otherwise.")


def _check_draws(game: Game[S, M, V], steps: Steps[S, M], seed: str, seats: tuple[str, str]) -> int:
    """Check that all draws follow from the seeds, and return their number."""
    deal, found = sealed_dealer(seed, seats), 0
    for ply, step in enumerate(steps):
        if step.seat is None:
            due = deal(game.chance(step.before), ply)
            if due != step.move:
                drawn, right = game.text(step.move), game.text(due)
                raise NotProven(f"move {ply + 1}: {drawn} was drawn, but the seeds give {right}.")
            found += 1
    return found


def _check_choices(game: Game[S, M, V], steps: Steps[S, M], choices: list[ChoiceProof], id: str) -> int:
    """Check that every secret choice matches its seal, and return their number."""
    secret = list(_secret(game, steps))
    if len(secret) != len(choices):
        raise NotProven(
            f"the game has {len(secret)} secret choices, but the record opens {len(choices)} seals."
        )
    if any(one.version >= other.version for one, other in pairwise(choices)):
        raise NotProven("the secret choices are not in the order in which they were made.")
    for ply, choice in zip(secret, choices, strict=True):
        text = game.text(steps[ply].move)
        if not compare_digest(choice_seal(choice.salt, id, choice.version, text), choice.seal):
            raise NotProven(f"move {ply + 1}: {text} is not what was sealed.")
    return len(secret)


def _secret(game: Game[S, M, V], steps: Steps[S, M]) -> Iterator[int]:
    """The plies at which both seats chose at the same time."""
    for ply, step in enumerate(steps):
        if step.seat is not None and (
            len(game.acting(step.before)) == 2 or half_chosen(game, steps[max(0, ply - 1) : ply])
        ):
            yield ply


def _choices(record: Record) -> list[ChoiceProof]:
    found = []
    for text in _header(record, CHOICES).split():
        parts = _CHOICE.fullmatch(text)
        if parts is None:
            raise NotProven(f"the header {CHOICES} is damaged.")
        found.append(ChoiceProof(int(parts[1]), parts[2], parts[3]))
    return found


def _hex(record: Record, name: str) -> str:
    found = _header(record, name)
    if not _HEX.fullmatch(found):
        raise NotProven(f"the header {name} is damaged.")
    return found


def _header(record: Record, name: str) -> str:
    if name not in record.headers:
        raise NotProven(
            f"the header {name} is missing. Only the record of a finished game on a server can be verified."
        )
    return record.headers[name]
