"""Digests of positions, for recognising an analysis that would help in a game in progress.

A digest covers what both players know and nothing else: a refusal that depended on a hidden card would
confirm a guess. It does not cover the rules either: an analysis under rules that differ where it no longer
matters helps just as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from digit_duel.core.game import Seat
from digit_duel.core.record import Steps
from digit_duel.core.session import half_chosen
from digit_duel.core.swap import Seated
from digit_duel.core.variant import AnyVariant
from digit_duel.web.play.online_game import OnlineGame

_FEWEST_CHOICES = 2  # earlier positions occur in many games at once, and anybody can memorise them


def digests(
    variant: AnyVariant,
    steps: Steps[Any, Any],
    ahead: int | None = None,
    fewest: int = _FEWEST_CHOICES,
    all_from: int | None = None,
) -> list[str]:
    """The digests of the positions after each choice, from the first few choices on.

    With `ahead`, only of the last position and of that many before it, and of all from one choice on.
    """
    decided = _decided(variant, steps)
    first = 0 if ahead is None else len(decided) - 1 - ahead
    if all_from is not None:
        first = min(first, all_from - 1)
    wanted = decided[max(first, fewest - 1) :]
    return [sha256(text.encode()).hexdigest()[:32] for text in _known_to_both(variant, steps, wanted)]


def position_digest(game: OnlineGame) -> str | None:
    """The digest of a game's current position; None if analysing it would help nobody."""
    if game.session is None or game.over or not game.people_apart:
        return None
    return next(iter(digests(game.variant, game.session.steps, ahead=0)), None)


def same_position(variant: AnyVariant, steps: Steps[Any, Any], others: Steps[Any, Any]) -> bool:
    """Whether two games of the same rules are at the same position, as far as both players know."""
    one, other = (_known_to_both(variant, each, _decided(variant, each)[-1:]) for each in (steps, others))
    return one == other


def _decided(variant: AnyVariant, steps: Steps[Any, Any]) -> list[int]:
    """The indices of the steps that end a choice; half of a simultaneous one is still secret."""
    return [
        at
        for at, step in enumerate(steps)
        if step.seat is not None and not half_chosen(variant.game, steps[at : at + 1])
    ]


def _known_to_both(variant: AnyVariant, steps: Steps[Any, Any], wanted: Sequence[int]) -> list[str]:
    """What both players know after some of the steps: the state or, with hidden hands, the moves."""
    game = variant.game
    if not variant.hides_hands:
        return [repr(_without_seats(game.essence(steps[at].after))) for at in wanted]
    path = [(step.before, step.move) for step in steps]
    seen = zip(*(game.seen(path, seat) for seat in Seat), strict=True)
    moves = [one if one == other else "?" for one, other in seen]
    return [" ".join(moves[: at + 1]) for at in wanted]


def _without_seats(state: object) -> object:
    """A position under the pie rule without who plays which side: it is the same one without the rule."""
    return state.state if isinstance(state, Seated) else state
