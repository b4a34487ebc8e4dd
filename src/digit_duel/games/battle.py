"""battle: ten life points, attack or defend with the digits 1 to 9, sudden death on a tie."""

from __future__ import annotations

from digit_duel.core.game import Seat
from digit_duel.core.variant import Rules, Variant
from digit_duel.games._battle import Act, Attack, Battle, Defend, Fight, Secret
from digit_duel.games._battle_script import BattleScript

RULES = Rules(
    text="""\
Bring the other player down to zero life points.

Both players start with 10 life points. The digits 1 to 9 lie in one pool, each of them
once. In turn, take a digit that is left and either attack, which takes that many
points from your opponent, or defend, which gives them to you. Nobody ever has more
than 20 points: what would go beyond is lost. Nobody may pass.

Whoever is at zero or below has lost at once. When all nine digits are used and both
are still standing, more life points win.

Equal then? Sudden Death: both choose a digit from 1 to 5 in secret and show it
together. The higher one gains the difference, and the lower one loses it; equal digits
change nothing. This goes on until somebody is at zero or below. After ten equal reveals
in a row the player who went second wins.

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


def tips(game: Battle, view: Fight, seat: Seat, move: Act) -> int:
    """How good a move looks: win at once, else survive the next attack, else use the high digits."""
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


VARIANT: Variant[Fight, Act, Fight] = Variant(
    id="battle",
    title="Digit Duel: Battle",
    summary="Attack or defend with the digits 1-9; zero life points lose.",
    game=Battle(),
    script=BattleScript,
    rules=RULES,
    tips=tips,
)
