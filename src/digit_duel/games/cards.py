"""cards: draw, keep or give, hidden hands of three, first to win two rounds."""

from __future__ import annotations

from digit_duel.core.variant import Rules, Variant
from digit_duel.games._cards import Cards
from digit_duel.games._cards_script import CardsScript
from digit_duel.games._cards_table import Deal, Sight, Table
from digit_duel.games._cards_tips import tips

RULES = Rules(
    text="""\
Win two rounds with the higher three-digit number.

The deck has 40 cards, four of each digit from 0 to 9. In turn, draw the top card and
either keep it or give it to the other player, who must take it. A hand holds three
digits and stays hidden. A player whose hand is full is skipped, so the other one draws
again and again; giving to a full hand throws the card away, face up.

When both hands are full, each player lays out the three digits in any order; zero may
lead. The higher number wins the round. Equal numbers: the round is played again with
the cards that are left. Every other round starts with a fresh deck, and the players
take turns to start. Should the deck run out, the discards are shuffled into a new one;
if that happens twice in one round, everything drawn from then on must be kept.

The rulebook's tips: keep 7, 8 and 9, give away 0, 1 and 2, think about the rest, and
remember which digits have gone by. With facing_full=must_keep they are right. Under the
standard rule, keeping high digits is right only late in a round: the first to face a
full hand may throw away everything but the best, so at first give nearly every card
away, even a 9, to fill the other hand before yours.""",
    example="""\
[Game "cards"]
[First "Ann"]
[Second "Ben"]
[Result "0-1"]

d7 k d2 g d9 k d5 k d1 k d8 k a972 b851
d4 g d6 k d9 k d3 k d0 k d7 k a643 b970
d5 k d1 g d3 g d8 k d4 k d9 k a541 b983 0-1
""",
)


VARIANT: Variant[Table, Deal, Sight] = Variant(
    id="cards",
    title="Digit Duel: Cards",
    summary="Draw, keep or give; hidden hands of three; first to win two rounds.",
    game=Cards(),
    script=CardsScript,
    rules=RULES,
    tips=tips,
)
