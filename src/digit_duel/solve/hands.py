"""Hidden hands: what one seat of a card table knows, asked of a solved round."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

from digit_duel.core.game import Seat
from digit_duel.games._cards import Cards, Decks, FullTurn, Starter
from digit_duel.games._cards_table import Reveal, Sight, To, this_round
from digit_duel.games._digits import Digits
from digit_duel.solve.errors import Unsolved

if TYPE_CHECKING:  # NumPy is loaded only when somebody asks
    from digit_duel.solve.keep_or_give import Certificate, Round, RoundStrategy, SolvedRound

QUICK = 30  # iterations that solve a rest of the deck well enough to play on
_KINDS = 10


@dataclass(frozen=True, slots=True)
class Odds:
    """The chances to win the round from what one seat knows, by keeping and by giving the card just drawn."""

    keep: float
    give: float | None  # None where the rules make the seat keep
    keeps: float  # how often perfect play keeps
    bound: str  # what is certain about it

    @property
    def best(self) -> float:
        """The chance to win with the better choice."""
        return self.keep if self.give is None else max(self.keep, self.give)


def odds(game: Cards, sight: Sight) -> Odds:
    """What keeping and giving are worth to the seat that has just drawn a card."""
    if sight.drawn is None:
        raise ValueError("there is no card to keep or give.")
    from digit_duel.solve.keep_or_give import HuntObservation, Observation, choices, hunt_choices

    solved, bound = _solved_round(game, round_of(game, sight))
    word, digits, since = _heard(game, sight)
    if not game.facing_full_hand(sight):
        found = choices(solved, Observation(word, (*digits, sight.drawn)))
        return Odds(found.keep, found.give, found.table_keep, bound)
    cap = _cap(game)
    hunted = hunt_choices(solved, HuntObservation(Observation(word, digits), since), sight.drawn, cap)
    if hunted.give is None:
        return Odds(hunted.keep[0], None, 1.0, bound)
    return Odds(hunted.keep[0], hunted.give[0], float(hunted.best == "k"), bound)


def round_of(game: Cards, sight: Sight) -> Round:
    """The round being played: its cards were known to both when it began."""
    if game.full_turn is not FullTurn.SKIP:
        raise Unsolved("full_turn=alternate: discards have no bound there, and no exact table is finite.")
    deck, pile = _cards_at_start(game, sight)
    return _round(game, deck, pile)


def fresh_round(game: Cards) -> Round:
    """A round from a fresh deck."""
    if game.full_turn is not FullTurn.SKIP:
        raise Unsolved("full_turn=alternate: discards have no bound there, and no exact table is finite.")
    return _round(game, game.pool, ())


def shipped(round_: Round) -> RoundStrategy | None:
    """The table of a round that the package brings."""
    table = shipped_table(round_.facing_full.value)
    return table if table.round == round_ else None


@lru_cache(maxsize=2)
def shipped_table(rule: str) -> RoundStrategy:
    """The table that the package brings for a way of facing a full hand, with a fresh deck."""
    from digit_duel.solve.keep_or_give import from_bytes

    return from_bytes(files("digit_duel.solve").joinpath("tables", f"{rule}.kog").read_bytes())


@lru_cache(maxsize=2)
def shipped_round(rule: str) -> SolvedRound:
    """That table ready to be asked, a tie being worth what a round is, for it is played again."""
    from digit_duel.solve.keep_or_give import solved_round

    # The tests prove these values again.
    lines = files("digit_duel.solve").joinpath("tables", "rounds.txt").read_text(encoding="ascii").split("\n")
    values = dict(line.split(" ") for line in lines if line)
    return solved_round(shipped_table(rule), float(Fraction(values[rule])))


def certificate(table: RoundStrategy) -> Certificate:
    """What a table proves, in exact fractions: both bounds of the starter's chance to win a round."""
    from digit_duel.solve.keep_or_give import certify, payoffs

    return certify(payoffs(table.round), table)


def match_odds(game: Cards, starter_wins: Fraction) -> Fraction:
    """The first seat's chance to win the game, each round won by its starter with the same chance."""
    next_seat: dict[Starter, Callable[[Seat, Seat], Seat]] = {
        Starter.ALTERNATE: lambda starter, winner: starter.other,
        Starter.LOSER: lambda starter, winner: winner.other,
        Starter.WINNER: lambda starter, winner: winner,
        Starter.SAME: lambda starter, winner: starter,
    }

    @cache
    def first_wins(wins: tuple[int, int], starter: Seat) -> Fraction:
        if max(wins) == game.wins_needed:
            return Fraction(int(wins[0] == game.wins_needed))
        after = {
            Seat.FIRST: (wins[0] + 1, wins[1]),
            Seat.SECOND: (wins[0], wins[1] + 1),
        }
        chance = {starter: starter_wins, starter.other: 1 - starter_wins}
        return sum(
            (chance[w] * first_wins(after[w], next_seat[game.next_starter](starter, w)) for w in Seat),
            Fraction(0),
        )

    return first_wins((0, 0), Seat.FIRST)


@lru_cache(maxsize=64)
def _solved_round(game: Cards, round_: Round) -> tuple[SolvedRound, str]:
    """The solved of a round, and what is certain about it."""
    from digit_duel.solve.keep_or_give import payoffs, quantise, solve, solve_again, solved_round

    capped = "" if _cap(game) is None else ", which does not know the cap"
    if shipped(round_) is not None:
        return shipped_round(round_.facing_full.value), f"by the shipped table{capped}"
    if round_ == _round(game, game.pool, ()):
        solution = solve(payoffs(round_), target=1e-6, limit=300)
        solved = solved_round(quantise(round_, solution.profile), solution.value)
        return solved, f"by a solve of this deck, within {solution.gap:.1g}{capped}"
    fresh = _solved_round(game, _round(game, game.pool, ()))[0]
    # A further tie is taken to be worth what it is with a fresh deck; it is rare, and nearly so.
    again = solve_again(round_, fresh.profile, ties=(fresh.tie_value, fresh.tie_value), iterations=QUICK)
    solved = solved_round(quantise(round_, again.profile), fresh.tie_value)
    return solved, f"by a quick solve of these cards, within {again.gap:.1g}{capped}"


def _round(game: Cards, deck: Digits, pile: Digits) -> Round:
    from digit_duel.solve.keep_or_give import FacingFull, Round

    # A cap has no table of its own: the one that did better in trial games plays the first phase.
    most = game.facing_full.most
    rule = FacingFull.DISCARD if most is None or most >= 8 else FacingFull.MUST_KEEP
    return Round(_counts(deck), _counts(pile) if pile else (), game.hand_size, rule)


def _cap(game: Cards) -> int | None:
    return game.facing_full.most or None


def _counts(cards: Digits) -> tuple[int, ...]:
    return tuple(cards.count(digit) for digit in range(_KINDS))


def _heard(game: Cards, sight: Sight) -> tuple[str, tuple[int | None, ...], tuple[tuple[int, bool], ...]]:
    """The round so far: the word over keep and give, the digit of each draw, and what a hunter drew since."""
    word, digits, since = "", [], []
    held = {To.FIRST: 0, To.SECOND: 0, To.DISCARDS: 0}
    for turn in this_round(sight.memory):
        if game.hand_size in (held[To.FIRST], held[To.SECOND]):
            assert turn.digit is not None  # only the hunter asks, and the hunter drew it
            since.append((turn.digit, turn.to is not To.DISCARDS))
        else:
            word += "k" if turn.to is To(turn.seat) else "g"
            digits.append(turn.digit)
        held[turn.to] += 1
    return word, tuple(digits), tuple(since)


def _cards_at_start(game: Cards, sight: Sight) -> tuple[Digits, Digits]:
    """Deck and discards when this round began; after a reveal both seats can work them out."""
    deck, left = list(game.pool), len(game.pool)
    pile: list[int] = []
    shown: list[int] = []  # digits of this round's hands that this seat saw come
    older: list[int] = []  # and those it did not see, drawn before the deck last ran out
    start = (tuple(deck), tuple(pile))
    for event in sight.memory:
        if isinstance(event, Reveal):
            hands = [*event.numbers[0], *event.numbers[1]]
            deck = _without(deck, _without(hands, shown + older))
            pile, shown, older = pile + hands, [], []
            if event.winner is not None and game.deck is Decks.FRESH:
                deck, pile = list(game.pool), []
            if not deck:
                deck, pile = pile, []
            left = len(deck)
            start = (tuple(sorted(deck)), tuple(sorted(pile)))
            continue
        if left == 0:
            # What is left in our count of an empty deck is what came out of it unseen.
            older, deck, pile, left = older + deck, pile, [], len(pile)
        left -= 1
        if event.digit is not None:
            deck.remove(event.digit)
            (pile if event.to is To.DISCARDS else shown).append(event.digit)
    return start


def _without(cards: list[int], gone: list[int]) -> list[int]:
    left = list(cards)
    for digit in gone:
        left.remove(digit)
    return left
