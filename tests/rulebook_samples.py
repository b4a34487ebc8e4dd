"""The rulebooks' sample sessions: what is typed, and the lines that the rulebooks themselves show."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

GOLDEN = Path(__file__).parent / "golden"


@dataclass(frozen=True)
class Sample:
    """What is typed, and the golden file that shows it with the program's words around it."""

    args: str
    typed: str  # the answers, with a comma between
    golden: str

    @property
    def answers(self) -> list[str]:
        return self.typed.split(",")

    @property
    def text(self) -> str:
        return (GOLDEN / f"{self.golden}.txt").read_text(encoding="utf-8")


CLASSIC = Sample("play classic", "9,hundreds,8,hundreds,2,units,7,tens,5,tens,6,units", "classic")
REVERSE = Sample("play reverse", "6,ones,1,hundreds,2,hundreds,3,tens,4,tens,5,ones", "reverse")
REVERSE_EXAMPLE = Sample(
    "play reverse", "9,hundreds,1,hundreds,8,tens,2,ones,3,ones,4,tens", "reverse-worked-example"
)
SABOTAGE = Sample(
    "play sabotage",
    "9,2,T,thousands,8,1,T,0,1,T,Th,7,2,T,1,1,H,2,1,H,5,1,O,6,1,O",  # S2: the bare T, asked about or not
    "sabotage",
)
CARDS = Sample(
    "play cards --open --draws 7295184693075138429",
    "yes,no,yes,yes,yes,yes,972,851,no,yes,yes,yes,yes,yes,643,970,yes,no,no,yes,yes,no,yes,,389",
    "cards-open",
)
BATTLE = Sample(
    "play battle",
    "9,attack,8,defend,7,attack,6,defend,5,attack,4,defend,3,attack,2,defend,1,attack",
    "battle",
)
OPEN_SAMPLES = [CLASSIC, REVERSE, REVERSE_EXAMPLE, SABOTAGE, CARDS, BATTLE]

SUDDEN_DEATH = Sample(
    "play battle",
    "6,defend,4,d,+5,2 defend,x8,x7,x1,x9,3,attack,3,3,5,2,1,3,4,1",
    "sudden-death",
)
PRIVATE_CARDS = Sample(
    "play cards --draws 7295184938607",
    "yes,no,yes,yes,yes,yes,972,851,no,yes,board,yes,yes,no,yes,yes,498,037",
    "cards-private",
)
MATCH = Sample(
    "play classic --match 3 --names Ann Ben",
    "9a1,8 h,2a3,7 Tens,5a2,6 3,9a1,8b1,7a2,6b2,5a3,4b3,1a1,9b1,2a2,8b2,3a3,7b3",
    "match",
)

# The sample blocks of the rulebooks, line by line; "..." stands for what the rulebook leaves out.
RULEBOOK = {
    CLASSIC: """\
Digits Available: 1 2 3 4 5 6 7 8 9
Player 1, it's your turn.
Available Digits: 1 2 3 4 5 6 7 8 9
Enter the digit you want to select: 9
Choose position to place the digit (hundreds/tens/units): hundreds
Player 1's Number: [9][ ][ ]
Digits Available: 1 2 3 4 5 6 7 8
Player 2, it's your turn.
Available Digits: 1 2 3 4 5 6 7 8
Enter the digit you want to select: 8
Choose position to place the digit (hundreds/tens/units): hundreds
Player 2's Number: [8][ ][ ]
Final Numbers:
Player 1's Number: 952
Player 2's Number: 876
Player 1 wins!""",
    REVERSE: """\
Available Digits: 1 2 3 4 5 6 7 8 9
Player 1, it's your turn.
Select a digit from the available digits: 6
Assign digit '6' to a position (hundreds/tens/ones): ones
Updated Board:
Player 1 Board: [_] [_] [6]
Available Digits: 1 2 3 4 5 7 8 9""",
    REVERSE_EXAMPLE: """\
Available Digits: 1 2 3 4 5 6 7 8 9
Player 1 Board: [9] [_] [_]
Available Digits: 1 2 3 4 5 6 7 8
Player 2 Board: [1] [_] [_]
Available Digits: 2 3 4 5 6 7 8
Player 1 Board: [9] [8] [_]
Available Digits: 2 3 4 5 6 7
Player 2 Board: [1] [_] [2]
Available Digits: 3 4 5 6 7
Player 1 Board: [9] [8] [3]
Available Digits: 4 5 6 7
Player 2 Board: [1] [4] [2]
Available Digits: 5 6 7""",
    # S1: the second move of the rulebook puts a 0 on a place that is taken; here it is an 8 in the tens.
    SABOTAGE: """\
Welcome to Digit Duel!
The digit pool is: 0 0 1 1 2 2 3 3 4 4 5 5 6 6 7 7 8 8 9 9
Player 1, it's your turn.
Available digits: [0, 0, 1, 1, ..., 9, 9]
Enter the digit you want to select: 9
Assign digit '9' to which player? (1 for you, 2 for opponent): 2
Assign to which position? (T/H/T/O): T
Player 1 assigned digit '9' to Player 2's thousands place.
Player 2, it's your turn.
Available digits: [0, 0, 1, 1, ..., 8, 8, 9]
Enter the digit you want to select: 8
Assign digit '8' to which player? (1 for you, 2 for opponent): 1
Assign to which position? (T/H/T/O): T
Player 2 assigned digit '8' to their own tens place.
Final Numbers:
Player 1: 0175
Player 2: 9286
Player 1 wins!""",
    CARDS: """\
Welcome to Digit Duel!
--- Round 1 ---
Player 1's Turn:
- You draw a '7'.
- Do you want to keep it? (yes/no): yes
- Your hand: [7]
Player 2's Turn:
- You draw a '2'.
- Do you want to keep it? (yes/no): no
- You give the '2' to Player 1.
- Player 1's hand: [7, 2]
Player 1's Turn:
- You draw a '9'.
- Do you want to keep it? (yes/no): yes
- Your hand is now full: [7, 2, 9]
Player 2's Turn:
- You draw a '5'.
- Do you want to keep it? (yes/no): yes
- Your hand: [5]
Player 2's Turn:
- You draw a '1'.
- Do you want to keep it? (yes/no): yes
- Your hand: [5, 1]
Player 2's Turn:
- You draw a '8'.
- Do you want to keep it? (yes/no): yes
- Your hand is now full: [5, 1, 8]
Both hands are full. Time to reveal your numbers!
Player 1, arrange your digits to form your number.
- Your digits: [7, 2, 9]
- Enter your number (use each digit once): 972
Player 2, arrange your digits to form your number.
- Your digits: [5, 1, 8]
- Enter your number (use each digit once): 851
Round 1 Results:
- Player 1's Number: 972
- Player 2's Number: 851
- Player 1 wins the round!
Current Score:
- Player 1: 1 win
- Player 2: 0 wins
--- Round 2 ---""",
    BATTLE: """\
Player 1's turn.
Available digits: [1, 2, 3, 4, 5, 6, 7, 8, 9]
Your life points: 10
Opponent's life points: 10
Select a digit to use: 9
Do you want to attack or defend? attack
You attack Player 2 for 9 points.
Player 2's life points are now 1.
Player 2's turn.
Available digits: [1, 2, 3, 4, 5, 6, 7, 8]
Your life points: 1
Opponent's life points: 10
Select a digit to use: 8
Do you want to attack or defend? defend
You defend and gain 8 life points.
Your life points are now 9.""",
}
