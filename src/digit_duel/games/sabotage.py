"""sabotage: four places, the digits 0 to 9 twice, either board, the lower number wins."""

from __future__ import annotations

from digit_duel.core.variant import Rules
from digit_duel.games._digits import read_digits
from digit_duel.games._placement import Goal, Place, Placement, Position, Reach
from digit_duel.games._placement_script import PlacementScript, Wording, spaced
from digit_duel.games._placement_variant import placing_variant


def _initials(names: tuple[str, ...]) -> str:
    # S2: the prompt names two places T; it is kept, and a bare T is never guessed at.
    return "/".join(name[0].upper() for name in names) if len(names) <= 4 else "/".join(names)


def _whose(move: Place, after: Position, owner: str) -> str:
    return "their own" if move.board is after.to_move.other else f"{owner}'s"


WORDING = Wording(
    last_place="ones",
    welcome=lambda pool: f"Welcome to Digit Duel!\n\nThe digit pool is: {spaced(pool)}",
    turn=lambda headline, pool: f"{headline}\nAvailable digits: {list(pool)}",
    ask_digit="Enter the digit you want to select: ",
    ask_place=lambda digit, places: f"Assign to which position? ({places}): ",
    place_names=_initials,
    news=lambda mover, owner, move, after, place: (
        f"{mover} assigned digit '{move.digit}' to {_whose(move, after, owner)} {place} place."
    ),
    final=lambda name, number: f"{name}: {number}",
    news_tells_move=True,
)

RULES = Rules(
    text="""\
Build the lower four-digit number, and spoil the other one.

The digits 0 to 9 lie in one pool, two of each. Each player has four empty places:
thousands, hundreds, tens and ones. In turn, take a digit from the pool and put it on
any empty place of either board: a low one on yours, or a high one on your opponent's.
It stays there for good, and nobody may pass.

When all eight places are filled, the lower number wins; leading zeros count as they
stand (0175 is 175). Equal numbers are a win for the player who went second.

What pays: zeros in your own thousands, nines in theirs, and the big places first.""",
    example="""\
[Game "sabotage"]
[First "Ann"]
[Second "Ben"]
[Result "1-0"]

1. 9b1 8b3 2. 0a1 7a3 3. 1a2 2b2 4. 5a4 6b4 1-0
""",
)


def script(game: Placement) -> PlacementScript:
    """The words of this rulebook; a function of the module, so that environments can be pickled."""
    return PlacementScript(game, WORDING)


VARIANT = placing_variant(
    id="sabotage",
    title="Digit Duel: Sabotage",
    summary="Build the lower 4-digit number; place digits 0-9 on either board.",
    game=Placement(places=4, pool=read_digits("0-9x2"), goal=Goal.LOW, reach=Reach.ANY),
    script=script,
    rules=RULES,
)
