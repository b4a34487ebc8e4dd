"""classic: three places, the digits 1 to 9 once, your own board, the higher number wins."""

from __future__ import annotations

from digit_duel.core.teaching.tutorial import Lesson, Tutorial
from digit_duel.core.variant import Edition, Rules
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

The digits 1 to 9 are in one pool, one of each. Each player has three empty
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

TUTORIAL = Tutorial(
    (
        Lesson(
            text="Make the bigger number! Put the 9 in your hundreds: there it counts 900.",
            good="9a1",
            well="900 is the best start there is. The computer puts the 8 in its hundreds.",
            otherwise="You may do that, but look: no digit is bigger than 9. Put it in your hundreds.",
            reply="8b1",
        ),
        Lesson(
            text="Every digit is there only once. Take the 7 for your tens, before the computer does.",
            at="9a1 8b1",
            good="7a2",
            well="The 7 is yours for good. The computer has to make do with the 6.",
            otherwise="That works too, but the 7 in your tens is worth more. Take it.",
            reply="6b2",
        ),
        Lesson(
            text="Your turn: fill your last place, so that your number gets as big as it can.",
            at="9a1 8b1 7a2 6b2",
            good="5a3",
            well="975 against 864. Bigger wins, so you win!",
            otherwise="There is a bigger digit left. Try again.",
            reply="4b3",
            shown=False,
        ),
        Lesson(
            text="Another game. The computer put the 9 in its tens. Find the move that wins for you.",
            at="1a3 9b2",
            good="8a1",
            well="Yes! Numbers are compared from the left, and nobody can beat your 8 there now.",
            otherwise="Not quite. The place on the left counts most. Which is the biggest digit left?",
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
    id="classic",
    title="Digit Duel",
    summary="Build the higher 3-digit number from a shared pool of 1-9.",
    game=Placement(),
    script=script,
    rules=RULES,
    tutorial=TUTORIAL,
    editions=(FAIR,),
)
