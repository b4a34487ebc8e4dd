"""cards: draw, keep or give, hidden hands of three, first to win two rounds."""

from __future__ import annotations

from digit_duel.core.teaching.tutorial import Lesson, Tutorial
from digit_duel.core.variant import Edition, Rules, Variant
from digit_duel.games._cards import Cards
from digit_duel.games._cards_script import CardsScript
from digit_duel.games._cards_table import CardsMove, Sight, Table
from digit_duel.games._cards_tips import tips

RULES = Rules(
    text="""\
Win two rounds with the higher three-digit number.

The deck has 40 cards, four of each digit from 0 to 9. In turn, draw the top card and
either keep it or give it to the other player, who must take it. A hand holds three
digits and stays hidden. A player whose hand is full is skipped, so the other one draws
again and again; giving to a full hand throws the card away, face up.

When both hands are full, each player lays out the three digits in any order; zero may
come first. The higher number wins the round. If the numbers are equal, the round is
played again with the cards that are left. All other rounds start with a fresh deck, and
the players take turns to start. If the deck runs out, the discards are shuffled into a
new one; if that happens twice in one round, everything drawn from then on must be kept.

The rulebook's tips: keep 7, 8 and 9, give away 0, 1 and 2, think about the rest, and
remember which digits have gone by. In the fair edition they are right. By the rulebook,
keeping high digits is right only late in a round: the first to face a full hand may
throw away everything but the best, so at first give nearly every card away, even a 9,
to fill the other hand before yours.""",
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

# From the end of a round to its start, because what a first card is worth follows from how a round ends.
TUTORIAL = Tutorial(
    (
        Lesson(
            text="The bigger number wins the round. Lay out your three cards as the biggest you can.",
            at="d1 g d2 g d3 g d4 g d7 g d9 k",
            good="a942",
            well="942 beats 731: the round is yours. Win two rounds, and you win the game.",
            otherwise="You can make a bigger number. Put the biggest card first.",
            reply="b731",
        ),
        Lesson(
            text="One card earlier: the computer's hand is full. You drew a 0: throw it away.",
            at="d1 g d2 g d3 g d4 g d7 g d0",
            good="g",
            well="The 0 is gone, and you draw again. The computer has to wait until your hand is full.",
            otherwise="420 would lose to the computer's 731. Throw the 0 away and draw again.",
        ),
        Lesson(
            text="The computer has 731. You drew a 9 to go with your 4 and 2. Keep it or throw it away?",
            at="d1 g d2 g d3 g d4 g d7 g d0 g d9",
            good="k",
            well="942! Whoever draws when the other hand is full can wait for the best card.",
            otherwise="You could go on waiting, but no card is better than a 9. Keep it.",
            shown=False,
        ),
        Lesson(
            text="A new round: in turn, draw a card, and keep it or give it away. Give the 1 away.",
            at="d1",
            good="g",
            well="The computer must take the 1. Now it draws a card and keeps it: you cannot see which.",
            otherwise="The 1 would make your number small. Give it to the computer.",
            reply="d9 k",
        ),
        Lesson(
            text="Another round. The 7 fills your hand or the computer's. Whose should be full first?",
            at="d1 g d2 g d3 g d4 g d7",
            good="g",
            well="Yes! Its hand is full with 731. Now only you draw, and you can wait for a 9.",
            otherwise="Then your hand is full with 742, and the computer can wait for a 9. Give the 7 away.",
            shown=False,
        ),
        Lesson(
            text="A new round, and your first card is a 9. Think of whose hand should be full first.",
            at="d9",
            good="g",
            well="Yes! Whoever is full first usually loses. So give nearly every card away, even a 9.",
            otherwise="Whoever is full first usually loses, even with a 9. Give it away.",
            shown=False,
        ),
    )
)

FAIR = Edition(
    "fair",
    "When the other hand is full you keep every card; the rulebook lets you throw cards away and wait.",
    {"facing_full": "must_keep"},
)

VARIANT: Variant[Table, CardsMove, Sight] = Variant(
    id="cards",
    title="Digit Duel: Cards",
    summary="Draw, keep or give; hidden hands of three; first to win two rounds.",
    game=Cards(),
    script=CardsScript,
    rules=RULES,
    tips=tips,
    tutorial=TUTORIAL,
    editions=(FAIR,),
)
