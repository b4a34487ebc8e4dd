"""reverse: three places, the digits 1 to 9 once, your own board, the lower number wins."""

from __future__ import annotations

from digit_duel.core.teaching.tutorial import Lesson, Tutorial
from digit_duel.core.variant import Edition, Rules
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

The digits 1 to 9 are in one pool, one of each. Each player has three empty
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

TUTORIAL = Tutorial(
    (
        Lesson(
            text="Make the smaller number! Put the 1 in your hundreds: there it counts only 100.",
            good="1a1",
            well="Nothing is smaller than that. The computer puts the 2 in its hundreds.",
            otherwise="You may do that, but look: no digit is smaller than 1. Put it in your hundreds.",
            reply="2b1",
        ),
        Lesson(
            text="Every digit is there only once. Take the 3 for your tens, before the computer does.",
            at="1a1 2b1",
            good="3a2",
            well="The 3 is yours for good. The computer has to make do with the 4.",
            otherwise="That works too, but the 3 in your tens is better. Take it.",
            reply="4b2",
        ),
        Lesson(
            text="Your turn: fill your last place, so that your number stays as small as it can.",
            at="1a1 2b1 3a2 4b2",
            good="5a3",
            well="135 against 246. Smaller wins, so you win!",
            otherwise="There is a smaller digit in the pool. Try again.",
            reply="6b3",
            shown=False,
        ),
        Lesson(
            text="Another game. The computer put the 1 in its tens. Find the move that wins for you.",
            at="9a3 1b2",
            good="2a1",
            well="Yes! Numbers are compared from the left, and nobody can get below your 2 there now.",
            otherwise="Not quite. The place on the left counts most. Which is the smallest digit left?",
            shown=False,
        ),
    )
)

FAIR = Edition(
    "fair",
    "The digit is drawn by chance; in the rulebook you choose it. You still choose where to put it.",
    {"pick": "draw"},
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
    tutorial=TUTORIAL,
    editions=(FAIR,),
)
