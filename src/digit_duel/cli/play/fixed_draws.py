"""The cards of --draws: check them before the game, and deal them first."""

from __future__ import annotations

from collections.abc import Sequence

import click

from digit_duel.core.game import M, Refused
from digit_duel.core.session import Dealer
from digit_duel.core.variant import AnyVariant

_MOST = 200  # cards
_POSITIONS = 2000  # to search, in about a hundredth of a second


def read_draws(variant: AnyVariant, text: str | None) -> tuple[str, ...]:
    """The first cards to draw; raises click.UsageError if no sequence of moves could deal them."""
    if text is None:
        return ()
    if not variant.game.draws():
        raise click.UsageError("--draws is for games with a deck; this game draws nothing.")
    if not (text.isascii() and text.isdigit() and len(text) <= _MOST):
        raise click.UsageError("--draws takes digits in a row, such as 729518.")
    _check(variant, text)
    return tuple(text)


def _check(variant: AnyVariant, draws: str) -> None:
    """Search for a sequence of moves in which every card can be dealt."""
    game, longest = variant.game, 0
    left = [(game.start(), 0)]  # positions, and how many cards were dealt before them
    for _ in range(_POSITIONS):
        if not left:
            wanted = draws[longest]
            raise click.UsageError(
                f"--draws asks for a {wanted} as card {longest + 1}, but the deck has none left by then."
            )
        state, dealt = left.pop()
        if dealt == len(draws) or game.outcome(state) is not None:
            return
        if chance := game.chance(state):
            drawn = [move for move, _ in chance if game.text(move).endswith(draws[dealt])]
            longest = max(longest, dealt)
            left += [(game.play(state, move), dealt + 1) for move in drawn]
        else:
            seat = game.acting(state)[0]
            left += [(game.play(state, move), dealt) for move in game.legal(state, seat)]
    # There are too many sequences to search them all: the dealer checks the rest.


def with_draws(variant: AnyVariant, draws: Sequence[str], by_chance: Dealer) -> Dealer:
    """Deal given cards first, then at random; raises Refused if the deck does not have one."""
    fixed = list(draws)

    def deal(draws: Sequence[tuple[M, int]], ply: int) -> M:
        if not fixed:
            return by_chance(draws, ply)
        wanted = fixed.pop(0)
        for move, _ in draws:
            if variant.game.text(move).endswith(wanted):
                return move
        raise Refused(f"--draws asks for a {wanted}, but the deck has none left.")

    return deal
