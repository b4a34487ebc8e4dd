"""reverse: three places, the digits 1 to 9 once, your own board, the lower number wins."""

from __future__ import annotations

from digit_duel.core.variant import Rules
from digit_duel.games._placement import Goal, Placement
from digit_duel.games._placement_script import PlacementScript, Wording, boxed, spaced
from digit_duel.games._placement_variant import placing_variant

WORDING = Wording(
    last_place="ones",
    welcome=lambda pool: f"Available Digits: {spaced(pool)}",
    turn=lambda headline, pool: headline,
    ask_digit="Select a digit from the available digits: ",
    ask_place=lambda digit, places: f"Assign digit '{digit}' to a position ({places}): ",
    place_names="/".join,
    news=lambda mover, owner, move, after, place: (
        f"\nUpdated Board:\n{owner} Board: {boxed(after.boards[move.board], '_', ' ')}"
        f"\nAvailable Digits: {spaced(after.pool)}"
    ),
    final=lambda name, number: f"{name} Number: {number}",
)

RULES = Rules(
    text="""\
Build the lower three-digit number.

The digits 1 to 9 lie in one pool, each of them once. Each player has three empty
places: hundreds, tens and ones. In turn, take a digit that is left in the pool and
put it on one of your own empty places. It stays there for good, and nobody may pass.

When all six places are filled, the lower number wins. With the ordinary pool the
numbers always differ; with a pool that holds copies, equal numbers are a win for the
player who finished second.

What pays: a low digit in the hundreds early, and a cheap place for the high digit
that you are forced to take.""",
    example="""\
[Game "reverse"]
[First "Ann"]
[Second "Ben"]
[Result "0-1"]

1. 9a1 1b1 2. 8a2 2b3 3. 3a3 4b2 0-1
""",
)


def script(game: Placement) -> PlacementScript:
    """The words of this rulebook; a function of the module, so that environments can be pickled."""
    return PlacementScript(game, WORDING)


VARIANT = placing_variant(
    id="reverse",
    title="Reverse Digit Duel",
    summary="Build the lower 3-digit number from a shared pool of 1-9.",
    game=Placement(goal=Goal.LOW),
    script=script,
    rules=RULES,
)
