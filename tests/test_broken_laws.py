"""Every law can fail: each of these games breaks one, and is caught."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import count
from random import Random
from typing import Any

import pytest

from digit_duel.core import laws
from digit_duel.core.game import Outcome, Seat
from digit_duel.core.laws import LawBroken, Witness, check_playout, check_tree
from digit_duel.core.script import Names, Question, Spot, Step
from digit_duel.core.variant import AnyGame, AnyScript
from digit_duel.games._battle import Battle, BattleMove, Fight, Secret
from digit_duel.games._battle_script import BattleScript
from digit_duel.games._cards import Cards
from digit_duel.games._cards_script import CardsScript
from digit_duel.games._cards_table import CardsMove, Draw, Give, Keep, Sight, Table
from digit_duel.games._placement import Place, Placement, PlacingMove, Position
from digit_duel.games._placement_script import PlacementScript
from digit_duel.games.classic import WORDING


class Endless(Placement):
    def acting(self, state: Position) -> tuple[Seat, ...]:
        return (state.to_move,)


class BothWin(Placement):
    def outcome(self, state: Position) -> Outcome | None:
        return Won(Seat.FIRST, "both are happy") if super().outcome(state) else None


class Won(Outcome):
    def score(self, seat: Seat) -> int:
        return 1


class Weightless(Cards):
    def chance(self, state: Table) -> Sequence[tuple[CardsMove, int]]:
        return [(move, 0) for move, _ in super().chance(state)]


class Fractional(Cards):
    def chance(self, state: Table) -> Sequence[tuple[CardsMove, Any]]:
        return [(move, weight / len(state.deck)) for move, weight in super().chance(state)]


class DrawnTwice(Cards):
    def chance(self, state: Table) -> Sequence[tuple[CardsMove, int]]:
        return [(Draw(digit), 1) for digit in state.deck] if super().chance(state) else ()


class OutOfTurn(Placement):
    def legal(self, state: Position, seat: Seat) -> Sequence[Place]:
        return super().legal(replace(state, to_move=seat), seat)


class Stuck(Battle):
    def legal(self, state: Fight, seat: Seat) -> Sequence[BattleMove]:
        return [move for move in super().legal(state, seat) if isinstance(move, Secret)]


class ShortAlphabet(Placement):
    def moves(self, seat: Seat) -> Sequence[Place]:
        return super().moves(seat)[1:]


class ForgottenDraw(Cards):
    def draws(self) -> Sequence[CardsMove]:
        return super().draws()[1:]


class SameText(Placement):
    def text(self, move: PlacingMove) -> str:
        assert isinstance(move, Place)
        return f"{move.digit}{move.board.letter}"


class Shouting(Placement):
    def text(self, move: PlacingMove) -> str:
        return super().text(move).upper()


class Misread(Placement):
    def parse(self, state: Position, seat: Seat, text: str) -> PlacingMove:
        return self.legal(state, seat)[-1]


class SameSecret(Battle):
    """The two seats' secret digits have the same texts, so that a record cannot tell whose is whose."""

    def text(self, move: BattleMove) -> str:
        return f"s{move.digit}" if isinstance(move, Secret) else super().text(move)


class OpenSecret(Battle):
    def view(self, state: Fight, seat: Seat) -> Fight:
        return state


class InARow(Battle):
    """One who has chosen may choose again."""

    def acting(self, state: Fight) -> tuple[Seat, ...]:
        sudden = self.sudden_death(state) and not self.outcome(state)
        return tuple(Seat) if sudden else super().acting(state)


class FirstCome(Battle):
    """It makes a difference who chooses first."""

    def play(self, state: Fight, move: BattleMove) -> Fight:
        after = super().play(state, move)
        if isinstance(move, Secret) and state.picks == (None, None):
            return replace(after, to_move=move.seat)
        return after


class Telling(Cards):
    """Whether one may give tells what the other hand holds."""

    def must_keep(self, table: Table | Sight) -> bool:
        return isinstance(table, Table) and 0 in table.hands[table.to_move.other]


class Speechless(Placement):
    def why_not(self, view: Position, seat: Seat, move: PlacingMove) -> str:
        return ""


class Lenient(Placement):
    """Any move of the alphabet is read, legal or not."""

    def parse(self, state: Position, seat: Seat, text: str) -> PlacingMove:
        return next(move for move in self.moves(seat) if self.text(move) == text)


class Forgetful(Cards):
    def view(self, state: Table, seat: Seat) -> Sight:
        return replace(super().view(state, seat), memory=())


class OwnSecretForgotten(Battle):
    def view(self, state: Fight, seat: Seat) -> Fight:
        view = super().view(state, seat)
        return super().view(view, seat.other)


class Nobody(Position):
    """A position that is equal to none but itself."""

    __eq__ = object.__eq__
    __hash__ = object.__hash__


class ByIdentity(Placement):
    def play(self, state: Position, move: PlacingMove) -> Position:
        after = super().play(state, move)
        return Nobody(after.pool, after.boards, after.to_move)


class Unstable(Position):
    """A position whose hash is not a function of its value."""

    __hash__ = object.__hash__


class OtherHash(Placement):
    def play(self, state: Position, move: PlacingMove) -> Position:
        after = super().play(state, move)
        return Unstable(after.pool, after.boards, after.to_move)


class Numbered(Placement):
    """Texts that a record takes for the numbers of its lines."""

    def text(self, move: PlacingMove) -> str:
        assert isinstance(move, Place)
        return f"{move.digit}{int(move.board)}{move.place}."


class TellTale(Cards):
    """The record of a seat shows every card."""

    def seen(self, path: Sequence[tuple[Table, CardsMove]], seat: Seat) -> Sequence[str]:
        return [self.text(move) for _, move in path]


class TellTaleOfOld(Cards):
    """The record of a seat shows every card but the last."""

    def seen(self, path: Sequence[tuple[Table, CardsMove]], seat: Seat) -> Sequence[str]:
        return [*(self.text(move) for _, move in path[:-1]), *super().seen(path, seat)[-1:]]


class Secretive(Battle):
    """The record of a seat hides what both have seen."""

    def seen(self, path: Sequence[tuple[Fight, BattleMove]], seat: Seat) -> Sequence[str]:
        return ["?" for _ in path]


class Coy(Cards):
    """The record of a seat hides its own moves."""

    def seen(self, path: Sequence[tuple[Table, CardsMove]], seat: Seat) -> Sequence[str]:
        return ["?" if isinstance(move, Keep | Give) else text
                for (_, move), text in zip(path, super().seen(path, seat), strict=True)]  # fmt: skip


class Misled(Cards):
    """No hidden card of a seat's record is thought possible."""

    def may_be(self, state: Table, move: CardsMove, later: Sequence[str]) -> bool:
        return False


class Lying(Placement):
    def seen(self, path: Sequence[tuple[Position, PlacingMove]], seat: Seat) -> Sequence[str]:
        return ["9a1" for _ in path]


class TooShort(Placement):
    @property
    def bound(self) -> int:
        return 2 * self.places - 1


class NeverOver(Battle):
    def outcome(self, state: Fight) -> Outcome | None:
        return None

    def sudden_death(self, state: Fight) -> bool:
        return not state.pool


class Blabbing(CardsScript):
    """Tells everybody what was drawn."""

    def narrate(self, step: Step[Table, CardsMove], to: Seat | None, names: Names) -> str:
        drawn = step.after.drawn
        return super().narrate(step, to, names) + ("" if drawn is None else f"It is a {drawn}.")


class BriefBlabbing(CardsScript):
    """Tells everybody what was drawn, on the status line."""

    def brief(self, step: Step[Table, CardsMove], to: Seat | None, names: Names) -> str:
        return f"It is a {step.after.drawn}."


class Beside(PlacementScript):
    """Points beside the board."""

    def spot(self, view: Position, move: PlacingMove) -> Spot:
        assert isinstance(move, Place)
        return Spot(move.digit, move.board, move.place + 1)


class UsedUp(PlacementScript):
    """Points at a digit of which none is left."""

    def spot(self, view: Position, move: PlacingMove) -> Spot:
        return Spot(0)


class Boasting(BattleScript):
    """Promises one point more than a move brings."""

    def spot(self, view: Fight, move: BattleMove) -> Spot:
        found = super().spot(view, move)
        return found if found.points is None else replace(found, points=found.points + 1)


class Counting(PlacementScript):
    """Numbers its news, and so says more than the views do."""

    numbers = count()

    def narrate(self, step: Step[Position, PlacingMove], to: Seat | None, names: Names) -> str:
        return f"{next(self.numbers)}. {super().narrate(step, to, names)}"


@dataclass(frozen=True)
class Asking(PlacementScript):
    """Asks with other answers."""

    answers: Callable[[PlacingMove], tuple[str, ...]] = lambda move: ()
    also: bool = False  # ask the proper questions first

    def questions(self, view: Position, seat: Seat) -> Sequence[Question[PlacingMove]]:
        mine = Question[PlacingMove](lambda move: "? ", self.answers)
        return (*super().questions(view, seat), mine) if self.also else (mine,)


def placing(game: type[Placement], script: Callable[..., AnyScript] = PlacementScript, **more: Any) -> Any:
    rules = game(places=2, pool=(0, 0, 1, 2, 2))
    return rules, script(rules, WORDING, **more)


def cards(game: type[Cards], script: type[CardsScript] = CardsScript) -> Any:
    rules = game(pool=(0, 1, 2), hand_size=1, wins_needed=1)
    return rules, script(rules)


def battle(game: type[Battle], script: type[BattleScript] = BattleScript) -> Any:
    rules = game(pool=(1, 1), start_life=2, max_life=3, sudden=(1, 2), standoff_limit=2)
    return rules, script(rules)


BROKEN: dict[str, tuple[tuple[AnyGame, AnyScript], str]] = {
    "a seat acts in a game that is over": (placing(Endless), "Game over, nature's turn, a seat's turn"),
    "both seats win": (placing(BothWin), "does not sum to zero"),
    "a draw weighs nothing": (cards(Weightless), "Wrong weights"),
    "a draw weighs a fraction": (cards(Fractional), "Wrong weights"),
    "a draw stands twice": (
        (rules := DrawnTwice(pool=(0, 0, 1), hand_size=1, wins_needed=1), CardsScript(rules)), "occurs twice"
    ),
    "a seat moves out of turn": (placing(OutOfTurn), "has legal moves: True; it acts: False"),
    "a seat acts without moves": (battle(Stuck), "has legal moves: False; it acts: True"),
    "a legal move is not in the alphabet": (placing(ShortAlphabet), "missing from the alphabet"),
    "a draw is not in the alphabet": (cards(ForgottenDraw), "missing from the alphabet"),
    "two moves have one text": (placing(SameText), "look alike"),
    "two seats have one text": (battle(SameSecret), "share notation"),
    "a text is in capitals": (placing(Shouting), "lower-case"),
    "a text is read as another move": (placing(Misread), "read back as another move"),
    "a secret choice is seen": (battle(OpenSecret), "sees what the other chose"),
    "a choice can be made twice": (battle(InARow), "should act alone"),
    "the order of choices matters": (battle(FirstCome), "do not commute"),
    "legal moves tell a hidden card": (
        (telling := Telling(pool=(0, 1, 2, 3), hand_size=2, wins_needed=1), CardsScript(telling)),
        "legal moves:",
    ),
    "a refusal has no words": (placing(Speechless), "not a sentence"),
    "an illegal move is read": (placing(Lenient), "is illegal, yet it is read"),
    "a question has no answers": (placing(Placement, Asking), "no answer that leads"),
    "two moves have the same answers": (
        placing(Placement, Asking, answers=lambda move: (str(move.digit),)), "The same answers lead to all"
    ),
    "an answer means two things": (
        placing(Placement, Asking, answers=lambda move: (f"{move.digit}{move.place}", "00")), "could mean"
    ),
    "an answer is in capitals": (
        placing(Placement, Asking, answers=lambda move: (f"D{move.digit}",)), "could mean"
    ),
    "a question is asked in vain": (
        placing(Placement, Asking, answers=lambda move: () if move.digit else ("zero",), also=True),
        "no answer that leads",
    ),
    "the news tell a hidden card": (cards(Cards, Blabbing), "narration:"),
    "the brief news tell a hidden card": (cards(Cards, BriefBlabbing), "brief:"),
    "people are to point beside the board": (placing(Placement, Beside), "not on the scene"),
    "people are to point at a digit that is gone": (placing(Placement, UsedUp), "not on the scene"),
    "a move promises points that it does not bring": (battle(Battle, Boasting), "points, not to"),
    "the news tell more than the views": (placing(Placement, Counting), "narration:"),
    "a view forgets what was seen": (cards(Forgetful), "earlier views:"),
    "a view forgets the seat's own choice": (battle(OwnSecretForgotten), "earlier views:"),
    "states compare by identity": (placing(ByIdentity), "leads to other states"),
    "equal states have different hashes": (placing(OtherHash), "leads to other states"),
    "a text cannot stand in a record": (placing(Numbered), "record is refused"),
    "a seat's record shows a hidden card": (cards(TellTale), "which it cannot see"),
    "a seat's record shows a hidden card later": (cards(TellTaleOfOld), "own record:"),
    "a seat's record hides what lay open": (battle(Secretive), "has . for"),
    "a seat's record hides its own moves": (cards(Coy), "has . for"),
    "a seat's record cannot be replayed": (cards(Misled), "own record of .* is refused"),
    "a seat's record is wrong": (placing(Lying), "has 9a1 for"),
    "a game outlasts its bound": (placing(TooShort), "not ended after 3 moves"),
}  # fmt: skip


@pytest.mark.parametrize("fault", BROKEN)
def test_a_broken_law_is_caught_when(fault: str) -> None:
    (game, script), sentence = BROKEN[fault]
    with pytest.raises(LawBroken, match=sentence):
        check_all(game, script)


def check_all(game: AnyGame, script: AnyScript) -> None:
    check_tree(game, script, limit=1_500)
    rng, witness = Random(2), Witness()
    for _ in range(80):
        check_playout(game, script, rng, witness, some=5)


@pytest.mark.parametrize(
    "sound", [placing(Placement), cards(Cards), battle(Battle)], ids=lambda it: type(it[0]).__name__
)
def test_no_law_is_broken_when_the_same_toys_are_sound(sound: tuple[AnyGame, AnyScript]) -> None:
    check_all(*sound)


def test_a_game_without_a_bound_that_never_ends_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(laws, "LONG", 500)
    with pytest.raises(LawBroken, match="not ended after 500 moves"):
        laws.playout(NeverOver(sudden=(1, 1)), Random(1))
