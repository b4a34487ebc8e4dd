"""classic: three places, the digits 1 to 9 once, your own board, the higher number wins."""

from __future__ import annotations

from digit_duel.core.variant import Rules
from digit_duel.games._placement import Placement
from digit_duel.games._placement_script import PlacementScript, Wording, boxed, spaced
from digit_duel.games._placement_variant import placing_variant

WORDING = Wording(
    last_place="units",
    welcome=lambda pool: f"Digits Available: {spaced(pool)}",
    turn=lambda headline, pool: f"{headline}\nAvailable Digits: {spaced(pool)}",
    ask_digit="Enter the digit you want to select: ",
    ask_place=lambda digit, places: f"Choose position to place the digit ({places}): ",
    place_names="/".join,
    news=lambda mover, owner, move, after, place: (
        f"\n{owner}'s Number: {boxed(after.boards[move.board], ' ', '')}\n\n"
        f"Digits Available: {spaced(after.pool)}"
    ),
    final=lambda name, number: f"{name}'s Number: {number}",
)

RULES = Rules(
    text="""\
Build the higher three-digit number.

The digits 1 to 9 lie in one pool, each of them once. Each player has three empty
places: hundreds, tens and units. In turn, take a digit that is left in the pool and
put it on one of your own empty places. It stays there for good, and nobody may pass.

When all six places are filled, the higher number wins. Every digit exists only once,
so the numbers always differ and there is always a winner.

What pays: a high digit in the hundreds early, taking a digit that the other player
needs, and keeping a cheap place free for a digit that you are forced to take.""",
    example="""\
[Game "classic"]
[First "Ann"]
[Second "Ben"]
[Result "1-0"]

1. 9a1 8b1 2. 2a3 7b2 3. 5a2 6b3 1-0
""",
)


def script(game: Placement) -> PlacementScript:
    """The words of this rulebook; a function of the module, so that environments can be pickled."""
    return PlacementScript(game, WORDING)


VARIANT = placing_variant(
    id="classic",
    title="Digit Duel",
    summary="Build the higher 3-digit number from a shared pool of 1-9.",
    game=Placement(),
    script=script,
    rules=RULES,
)
