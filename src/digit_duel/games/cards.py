"""cards: draw, keep or give, hidden hands of three, first to win two rounds."""

from __future__ import annotations

from digit_duel.core.teaching.tutorial import Lesson, Tutorial
from digit_duel.core.variant import Edition, Rules, Variant
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

TUTORIAL = Tutorial(
    (
        Lesson(
            text="Three cards make your number, and the bigger number wins. You drew a 9: keep it.",
            at="d9",
            good="k",
            well="Only you can see your 9. The computer draws a card, too, and keeps it face down.",
            otherwise="A 9 is too good to give away. Keep it.",
            reply="d6 k",
        ),
        Lesson(
            text="You drew a 1. Give it away: the computer must take it.",
            at="d9 k d6 k d1",
            good="g",
            well="Now the computer has to use your 1. And it gives you a 2!",
            otherwise="A 1 would make your number small. Give it away.",
            reply="d2 g",
        ),
        Lesson(
            text="You drew an 8, and your hand has room for one more card. Keep it or give it?",
            at="d9 k d6 k d1 g d2 g d8",
            good="k",
            well="Your hand is full. Now the computer draws until its hand is full, too.",
            otherwise="With the 8 your number gets bigger. Keep it.",
            reply="d7 k",
            shown=False,
        ),
        Lesson(
            text="Both hands are full. Lay out your three cards as the biggest number you can.",
            at="d9 k d6 k d1 g d2 g d8 k d7 k",
            good="a982",
            well="982 beats 761: the round is yours. Win two rounds, and you win the game.",
            otherwise="You can make a bigger number. Put the biggest card first.",
            reply="b761",
            shown=False,
        ),
        Lesson(
            text="Another game. The other hand is full: what you do not keep is thrown away.",
            at="d6 k d7 k d8 k d4 k d3 g d0",
            good="g",
            well="The 0 is gone. The computer has no room, so you may draw again.",
            otherwise="A 0 would make your number small. Throw it away.",
        ),
        Lesson(
            text="You drew a 9. What do you do?",
            at="d6 k d7 k d8 k d4 k d3 g d0 g d9",
            good="k",
            well="986! Whoever still draws when the other hand is full can wait for the best card.",
            otherwise="You will not get a better card. Keep it.",
            shown=False,
        ),
    )
)

FAIR = Edition(
    "fair",
    "When the other hand is full you keep every card; the rulebook lets you throw cards away and wait.",
    {"facing_full": "must_keep"},
)

VARIANT: Variant[Table, Deal, Sight] = Variant(
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
