"""battle: ten life points, attack or defend with the digits 1 to 9, sudden death on a tie."""

from __future__ import annotations

from digit_duel.core.game import Seat
from digit_duel.core.teaching.tutorial import Lesson, Tutorial
from digit_duel.core.variant import Edition, Rules, Variant
from digit_duel.games._battle import Attack, Battle, BattleMove, Defend, Fight, Secret
from digit_duel.games._battle_script import BattleScript

RULES = Rules(
    text="""\
Bring the other player down to zero life points.

Both players start with 10 life points. The digits 1 to 9 are in one pool, one of each.
In turn, take a digit that is left and either attack, which takes that many points from
your opponent, or defend, which gives them to you. Nobody can have more than 20 points:
anything above that is lost. Nobody may pass.

A player at zero or below loses at once. When all nine digits are used and both players
are still standing, the one with more life points wins.

Equal life points lead to Sudden Death: both players choose a digit from 1 to 5 in
secret and show it together. The player with the higher digit gains the difference, and
the other one loses it; equal digits change nothing. This goes on until somebody is at
zero or below. After ten equal reveals in a row the player who went second wins.

What pays: attack while it hurts, defend when the next blow would kill, and count which
high digits are left.""",
    example="""\
[Game "battle"]
[First "Ann"]
[Second "Ben"]
[Result "1-0"]

1. x9 +8 2. x7 +6 3. x5 +4 4. x3 +2 5. x1 1-0
""",
)

TUTORIAL = Tutorial(
    (
        Lesson(
            text="Whoever has no life points left loses. Attack with the 9: the computer loses 9.",
            good="x9",
            well="It had 1 left, and then defended with the 8: 1 + 8 is 9.",
            otherwise="You may do that, but try an attack with the 9 first.",
            reply="+8",
        ),
        Lesson(
            text="Every digit is there only once. Defend with the 7: you gain 7 life points.",
            at="x9 +8",
            good="+7",
            well="17 for you; nobody can have more than 20. The computer attacks with the 6: 11 are left.",
            otherwise="You may do that, but try to defend with the 7.",
            reply="x6",
        ),
        Lesson(
            text="Another game. You have 2 life points, the computer has 1. Find a move that wins at once.",
            at="x9 x8",
            good="x1 x2 x3 x4 x5 x6 x7",
            well="The computer has no life points left, so you win!",
            otherwise="That keeps you alive, but an attack would end the game now.",
            shown=False,
        ),
        Lesson(
            text="Another game. You have 6 life points, and the computer could attack with 8. Survive!",
            at="x4 x9 +5 +3",
            good="+6 +7 +8",
            well="Safe! Whatever the computer attacks with, you still have life points left.",
            otherwise="After that, one attack could finish you. Look at the biggest digits.",
            shown=False,
        ),
        Lesson(
            text="No digits are left. More life wins, but it is 2 to 2: Sudden Death! Secretly take the 5.",
            at="+9 +3 +4 x5 x2 x7 x8 x6 x1",
            good="a5",
            well="5 against 3. The difference is 2: you gain it, the computer loses it. You win!",
            otherwise="A bigger digit is safer. Take the 5.",
            reply="b3",
        ),
    )
)


def tips(game: Battle, view: Fight, seat: Seat, move: BattleMove) -> int:
    """How good a move looks: win at once, otherwise survive the next attack, otherwise use high digits."""
    match move:
        case Secret(_, digit):
            return digit
        case Attack(digit):
            return 1000 if digit >= view.life[seat.other] else 10 * digit
        case Defend(digit):
            threat = max((d for d in view.pool if d != digit or view.pool.count(d) > 1), default=0)
            saved = min(view.life[seat] + digit, game.max_life)
            in_danger = view.life[seat] <= threat
            return 500 + saved if in_danger and saved > threat else 10 * (saved - view.life[seat]) - 1


FAIR = Edition(
    "fair",
    "The second player begins with 15 life points (rulebook: 10), and equal reveals that end sudden death"
    " are a draw.",
    {"second_life": "15", "standoff": "draw"},
    "Games last about four times as long.",
)

VARIANT: Variant[Fight, BattleMove, Fight] = Variant(
    id="battle",
    title="Digit Duel: Battle",
    summary="Attack or defend with the digits 1-9; zero life points lose.",
    game=Battle(),
    script=BattleScript,
    rules=RULES,
    tips=tips,
    tutorial=TUTORIAL,
    editions=(FAIR,),
)
