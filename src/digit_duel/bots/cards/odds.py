"""The solved rounds, asked with one seat's view: the only place here that knows their solver."""

from __future__ import annotations

from dataclasses import dataclass

from digit_duel.games._cards import Cards, Decks, FullTurn, Visibility
from digit_duel.games._cards_table import Reveal, Sight, To, Turn, remembered, this_round
from digit_duel.solve.hands import shipped_round, shipped_table

STANDARD = Cards()  # with the deck and the hands of the solved rounds
MANY = 8  # with so many discards a capped hunt is more like a free one than like none, as games between show


@dataclass(frozen=True, slots=True)
class Odds:
    """What keeping and giving win of the round."""

    keep: float
    give: float


def solved_rule(game: Cards) -> str | None:
    """The solved rule that a game's rounds follow or come nearest to; None where none is near."""
    if (game.pool, game.hand_size) != (STANDARD.pool, STANDARD.hand_size):
        return None
    if game.full_turn is FullTurn.ALTERNATE:
        return "must_keep"  # the hunter gets little choice here either
    most = game.facing_full.most
    return "discard" if most is None or most >= MANY else "must_keep"


def is_exact(game: Cards) -> bool:
    """Whether a round from a fresh deck is the solved one itself, and not only near it."""
    return (
        solved_rule(game) is not None
        and game.full_turn is FullTurn.SKIP
        and game.facing_full.most in (None, 0)
        and game.visibility is Visibility.PRIVATE
        and game.deck is Decks.FRESH
    )


def load(game: Cards, with_odds: bool) -> None:
    """Read now what the answers of a game will need, so that the first one takes no longer than the next."""
    if (rule := solved_rule(game)) is not None:
        shipped_table(rule)
        if with_odds or game.facing_full.most:  # capped hunts go by the odds
            shipped_round(rule)


def keep_probability(game: Cards, view: Sight) -> float | None:
    """How often the solution keeps the card just drawn, before any hand is full."""
    if (rule := solved_rule(game)) is None:
        return None
    from digit_duel.solve.keep_or_give import mover

    table, (word, digits) = shipped_table(rule), _seen(view)
    parts = table.round.tree.at(table.keep[mover(word)], word)
    # The table has an axis of 1 for a digit that the mover has not seen.
    return float(parts[tuple(digit or 0 for digit in digits)]) / table.scale


def odds(game: Cards, view: Sight) -> Odds | None:
    """What both choices win against the solution, before any hand is full."""
    if (rule := solved_rule(game)) is None:
        return None
    from digit_duel.solve.keep_or_give import Observation, choices

    found = choices(shipped_round(rule), Observation(*_seen(view)))
    return Odds(found.keep, found.give)


def capped_hunt_keeps(game: Cards, view: Sight) -> bool | None:
    """Whether a hunter with few discards keeps the card just drawn; None where no solution fits."""
    rule = solved_rule(game)
    if rule is None or game.full_turn is FullTurn.ALTERNATE or not _from_fresh_deck(game, view):
        return None
    from digit_duel.solve.keep_or_give import HuntObservation, Observation, hunt_choices

    word, digits = _seen(view)
    start = next(at for at in range(len(word) + 1) if _fills_a_hand(word[:at], game.hand_size))
    later = [(digit, said == "k") for said, digit in zip(word[start:], digits[start:-1], strict=True)]
    since = tuple((digit, kept) for digit, kept in later if digit is not None)  # a hunter sees them all
    assert view.drawn is not None
    hunt = HuntObservation(Observation(word[:start], digits[:start]), since)
    return hunt_choices(shipped_round(rule), hunt, view.drawn, cap=game.facing_full.most).best == "k"


def _seen(view: Sight) -> tuple[str, tuple[int | None, ...]]:
    """The round so far: a letter for each card kept or given, and each digit that the seat has seen."""
    # What an open table shows besides is left out: the solved rounds are those with private hands.
    turns = [remembered(turn, view.seat) for turn in this_round(view.memory)]
    seen = [turn for turn in turns if isinstance(turn, Turn)]
    word = "".join("k" if turn.to is To(turn.seat) else "g" for turn in seen)
    return word, (*(turn.digit for turn in seen), view.drawn)


def _fills_a_hand(word: str, size: int) -> bool:
    starters = sum((at % 2 == 0) == (said == "k") for at, said in enumerate(word))
    return max(starters, len(word) - starters) == size


def _from_fresh_deck(game: Cards, view: Sight) -> bool:
    reveals = [event for event in view.memory if isinstance(event, Reveal)]
    return not reveals or (game.deck is Decks.FRESH and reveals[-1].winner is not None)
