"""What the other player's last choice means for a seat that saw only part of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from digit_duel.coach.cards.claims import LastTurn, Stands, Stood, Watches
from digit_duel.coach.cases import Case
from digit_duel.coach.reason import Reason, first_true
from digit_duel.coach.speech import Speech, chances, sentence
from digit_duel.games._cards import Cards
from digit_duel.games._cards_table import Sight, To, Turn
from digit_duel.solve.cards.odds import standing
from digit_duel.solve.cards.player_model import PlayerModel


def news(game: Cards, view: Sight, speech: Speech, player: PlayerModel) -> Reason | None:
    """How the last card changed the chances of the asking seat; None if the last event was not a card."""
    turn = view.memory[-1] if view.memory else None
    if not isinstance(turn, Turn):
        return None
    return first_true(Case(game, view), _offered(game, view, turn, speech, player))


def _offered(game: Cards, view: Sight, turn: Turn, speech: Speech, player: PlayerModel) -> Iterator[Reason]:
    what, seen = sentence(_told(view, turn, speech)), LastTurn((), turn)
    hand = speech.whose(view.seat)
    yield Reason(f"{what}; {hand} hand is full, so there is nothing left to decide.", (seen, Watches(())))
    before = standing(game, replace(view, memory=view.memory[:-1]), player)
    after = standing(game, view, player)
    if before is not None and after is not None:
        chance, (earlier, now) = f"{speech.whose(view.seat)} chance", chances(before, after)
        claims = (seen, Stood((), player, before), Stands((), player, after))
        if earlier == now:
            yield Reason(f"{what}: {chance} stays {now}.", claims)
        change = "rises" if after > before else "falls"
        yield Reason(f"{what}: {chance} {change} from {earlier} to {now}.", claims)
    yield Reason(f"{what}.", (seen,))


def _told(view: Sight, turn: Turn, speech: Speech) -> str:
    card = "a card" if turn.digit is None else f"the {turn.digit}"
    if turn.to is To.DISCARDS:
        return f"{speech.does(turn.seat, 'throw')} {card} away"
    if turn.to is To(turn.seat):
        return f"{speech.does(turn.seat, 'keep')} {card}"
    return f"{speech.does(turn.seat, 'give')} {speech.who(turn.seat.other)} {card}"
