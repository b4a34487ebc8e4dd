"""Sudden death: whatever digit one has sealed, the other is shown the same until both are open."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from tests.comparing import same
from tests.watching import watched
from tests.worlds import NAMES, told

from digit_duel import games
from digit_duel.core.game import Seat
from digit_duel.core.script import Step
from digit_duel.core.session import Session
from digit_duel.core.variant import AnyVariant
from digit_duel.games._battle import Battle, Fight, Secret
from digit_duel.games._battle_script import BattleScript

BATTLE = games.variant("battle")
TIES = [Fight((life, life), (), Seat.SECOND) for life in range(1, 21)]


def reveals(state: Fight) -> Iterator[Fight]:
    """What may come of a state of sudden death, as long as the game goes on."""
    game = Battle()
    for first in game.sudden:
        for second in game.sudden:
            after = game.play(game.play(state, Secret(Seat.FIRST, first)), Secret(Seat.SECOND, second))
            if game.outcome(after) is None:
                yield after


def every_sudden_death() -> list[Fight]:
    """Every state in which both have to choose, from every tie."""
    found = dict.fromkeys(TIES)
    for state in (waiting := list(found)):
        new = [after for after in reveals(state) if after not in found]
        found |= dict.fromkeys(new)
        waiting += new
    return waiting


def compare_picks(variant: AnyVariant, states: Sequence[Fight]) -> None:
    """Whatever one has chosen, the other is told the same, and so are both at an open table."""
    game, script = variant.game_as(Battle), variant.voice
    for state in states:
        for seat in Seat:
            shown = []
            for digit in game.sudden:
                move = Secret(seat.other, digit)
                step = Step(seat.other, move, state, game.play(state, move))
                session = Session(variant, NAMES, lambda draws, ply: draws[0][0])
                session.steps = [step]
                words = told(session, seat, Random(str(state)))
                shown.append([*words, script.narrate(step, None, NAMES)])
            for other in shown[1:]:
                same(shown[0], other, f"{state} told to {NAMES[seat]}")


def compare_picks_at_a_terminal(game: Battle, tty: bool, script: Any = BattleScript) -> None:
    """All 25 pairs of secret digits, with slips of the hand, look alike until they are open."""
    variant = replace(BATTLE, game=replace(game, pool=(1, 1)), script=script)
    shown, opened = [], []
    for first in game.sudden:
        for second in game.sudden:
            tokens = ["+1", "+1", f"a{first}", f"b{second}"]
            slips = [f"{d}{d}|a{d}|{d} {d}|{d}x|{d + 5}|{d}" for d in (first, second)]
            answers = [("Ann", "+1"), ("Ben", "+1"), ("Ann", slips[0]), ("Ben", slips[1])]
            seen = watched(variant, tokens, answers, Seat.SECOND, "sudden death", tty).seen
            assert seen["Ann"] == seen["Ben"]  # one screen for both: nothing else is hidden
            shown.append([text.split("Both digits are open:")[0] for text in seen["Ben"]])
            opened.append(f"Ann chose {first}.\nBen chose {second}.\n" in seen["Ben"][-1])
            same(shown[0], shown[-1], "sudden death at one keyboard")
    assert opened == [True] * 25  # it was played to the reveal
