"""sabotage: four places, the digits 0 to 9 twice, either board, the lower number wins."""

from __future__ import annotations

from digit_duel.core.game import Seat
from digit_duel.core.teaching.tutorial import Lesson, Tutorial
from digit_duel.core.variant import Edition, Rules
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
Build the lower four-digit number, and spoil your opponent's.

The digits 0 to 9 are in one pool, two of each. Each player has four empty places:
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

TUTORIAL = Tutorial(
    (
        Lesson(
            text="Make the smaller number! Put a 0 in your thousands.",
            good="0a1",
            well="Nothing is smaller than 0. But there are two of each digit: the computer does the same.",
            otherwise="You may do that, but first put a 0 in your own thousands: your side is the lower one.",
            reply="0b1",
        ),
        Lesson(
            text="You may put digits on the computer's side, too! Put a 9 in its hundreds.",
            at="0a1 0b1",
            good="9b2",
            well="That hurts: its number now begins with 09. And it does the same to you!",
            otherwise="You may do that, but first try the other side: a 9 in the computer's hundreds.",
            reply="9a2",
        ),
        Lesson(
            text="Put the smallest digit in your own tens, or the biggest one in the computer's tens.",
            at="0a1 0b1 9b2 9a2",
            good="1a3 8b3",
            well="Well done. Small digits for you, big ones for the other: that is the whole game.",
            otherwise="Not quite. Find the smallest digit left for you, or the biggest for the computer.",
            shown=False,
        ),
        Lesson(
            text="Another game. You went second, and equal numbers win for you. Fill your last place.",
            at="3a1 3b1 8b2 8a2 1a3 1b3 0a4",
            good="0b4",
            well="3810 and 3810. Equal, and you went second, so you win!",
            otherwise="With that your number is bigger. Can you make it equal?",
            seat=Seat.SECOND,
            shown=False,
        ),
    )
)

FAIR = Edition(
    "fair",
    "A tie is a draw, so copying every move no longer wins; and after the first move the second player may"
    " swap seats, so a strong first move does not win, either.",
    {"tie": "draw", "swap": "yes"},
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
    tutorial=TUTORIAL,
    editions=(FAIR,),
)
