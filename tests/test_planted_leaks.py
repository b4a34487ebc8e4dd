"""Leaks planted into rules, script and terminal: the harness of the non-interference tests finds each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from tests.comparing import sweep
from tests.sudden_death import BATTLE, TIES, compare_picks, compare_picks_at_a_terminal
from tests.worlds import CARDS, Leak

from digit_duel.cli.play import local_turn
from digit_duel.cli.play.hidden import Secrecy
from digit_duel.cli.play.local_game import LocalGame
from digit_duel.cli.play.local_turn import LocalTurn
from digit_duel.cli.screen.scene_text import board
from digit_duel.cli.screen.terminal import Terminal
from digit_duel.core.game import Game, NotAMove, Seat, excerpt
from digit_duel.core.script import Names, Question, Scene, Step
from digit_duel.games._battle import Battle, BattleMove, Fight
from digit_duel.games._battle_script import BattleScript
from digit_duel.games._cards import Cards
from digit_duel.games._cards_script import CardsScript
from digit_duel.games._cards_table import CardsMove, Sight, Table, To, Turn


class ShowsTheDrawnCard(Cards):
    def view(self, state: Table, seat: Seat) -> Sight:
        return replace(super().view(state, seat), drawn=state.drawn)


class ShowsTheOtherHand(Cards):
    def view(self, state: Table, seat: Seat) -> Sight:
        return replace(super().view(state, seat), hands=state.hands)


class RemembersTooMuch(Cards):
    def view(self, state: Table, seat: Seat) -> Sight:
        return replace(super().view(state, seat), memory=state.memory)


class ShowsTheNumberTooSoon(Cards):
    def view(self, state: Table, seat: Seat) -> Sight:
        return replace(super().view(state, seat), numbers=state.numbers)


class WeighsTheDeck(Cards):
    """The value of the cards in place of their number, which shows no digit but tells them."""

    def view(self, state: Table, seat: Seat) -> Sight:
        return replace(super().view(state, seat), deck_size=sum(state.deck))


class WritesEverythingDown(Cards):
    def seen(self, path: Sequence[tuple[Table, CardsMove]], seat: Seat) -> Sequence[str]:
        return Game.seen(self, path, seat)


class WritesTheNumberDown(Cards):
    def seen(self, path: Sequence[tuple[Table, CardsMove]], seat: Seat) -> Sequence[str]:
        pairs = zip(super().seen(path, seat), Game.seen(self, path, seat), strict=True)
        return [full if masked.endswith("???") else masked for masked, full in pairs]


class ExplainsTooMuch(Cards):
    def parse(self, state: Table, seat: Seat, text: str) -> CardsMove:
        try:
            return super().parse(state, seat, text)
        except NotAMove:
            raise NotAMove(f"No. There are {state.deck.count(9)} nines left in the deck.") from None


class SortsByTheDeck(Cards):
    """The order of the legal moves tells whether the lowest card of the deck is even."""

    def legal(self, state: Table, seat: Seat) -> Sequence[CardsMove]:
        legal = super().legal(state, seat)
        return legal if sum(state.deck) % 2 == 0 else legal[::-1]


class NamesTheKeptDigit(CardsScript):
    def narrate(self, step: Step[Table, CardsMove], to: Seat | None, names: Names) -> str:
        news = super().narrate(step, to, names)
        return news.replace("keeps the card", f"keeps the {step.before.drawn}")


class NamesNothingButTheLength(CardsScript):
    """As many blanks at the end of a line as the kept digit says; people do not see them."""

    def narrate(self, step: Step[Table, CardsMove], to: Seat | None, names: Names) -> str:
        event = step.after.memory[-1] if step.after.memory else None
        kept = isinstance(event, Turn) and event.to is To(event.seat) and event.digit
        return super().narrate(step, to, names) + " " * (kept or 0)


class RemembersTheTruth(CardsScript):
    """A picture drawn from an earlier game."""

    truth: dict[str, Table] = {}  # noqa: RUF012  # the mistake itself

    def narrate(self, step: Step[Table, CardsMove], to: Seat | None, names: Names) -> str:
        self.truth["now"] = step.after
        return super().narrate(step, to, names)

    def scene(self, view: Sight) -> Scene:
        hands = self.truth["now"].hands if self.truth else ()
        return replace(super().scene(view), facts=(str(sum(map(sum, hands))),))


CAMPAIGN = pytest.mark.campaign  # make soak plants the rest
PLANTED: list[Any] = [
    (ShowsTheOtherHand, CardsScript),
    (Cards, NamesTheKeptDigit),
    (Cards, RemembersTheTruth),
    *(
        pytest.param(leak, marks=CAMPAIGN)
        for leak in (
            (ShowsTheDrawnCard, CardsScript),
            (RemembersTooMuch, CardsScript),
            (ShowsTheNumberTooSoon, CardsScript),
            (WeighsTheDeck, CardsScript),
            (WritesEverythingDown, CardsScript),
            (WritesTheNumberDown, CardsScript),
            (ExplainsTooMuch, CardsScript),
            (SortsByTheDeck, CardsScript),
            (Cards, NamesNothingButTheLength),
        )
    ),
]


def planted_name(leak: tuple[Any, Any]) -> str:
    return str(next(part.__name__ for part in leak if part not in (Cards, CardsScript)))


@pytest.mark.parametrize("leak", PLANTED, ids=planted_name)
def test_a_leak_planted_into_cards_is_found(leak: tuple[Any, Any]) -> None:
    game, script = leak
    with pytest.raises((Leak, ValueError)):  # the coach itself refuses what no seat can know
        sweep(replace(CARDS, game=game(), script=script), {}, 500, "planted")


def never_clears(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Terminal, "clear", lambda terminal: None)


def never_hands_over(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(LocalGame, "_hand_over", lambda game, seat: None)


def thinks_that_nothing_is_hidden(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Secrecy, "needed", lambda secrecy: False)


def tells_the_movers_story_to_the_other(patch: pytest.MonkeyPatch) -> None:
    narrate = CardsScript.narrate
    patch.setattr(CardsScript, "narrate", lambda script, step, to, names: narrate(script, step, None, names))


def shows_the_wrong_board(patch: pytest.MonkeyPatch) -> None:
    class WrongBoard(LocalTurn[Table, CardsMove, Sight]):
        def board(self) -> str:
            other = self._seat.other
            return LocalTurn(self._terminal, self._session, other, self._saver, two_people=True).board()

    patch.setattr("digit_duel.cli.play.local_game.LocalTurn", WrongBoard)


def marks_what_the_other_saw(patch: pytest.MonkeyPatch) -> None:
    """A board that remembers what was printed before, whoever it was for."""

    def blotted(scene: Scene, names: Names) -> str:
        blots = sum(map(ord, repr(shadow[-1:]))) % 5
        shadow.append(scene)
        return board(scene, names) + "." * blots

    shadow: list[Scene] = []
    patch.setattr("digit_duel.cli.play.local_game.board", blotted)


@pytest.mark.parametrize(
    "plant",
    [
        never_clears,
        shows_the_wrong_board,
        *(
            pytest.param(plant, marks=CAMPAIGN)
            for plant in (
                never_hands_over,
                thinks_that_nothing_is_hidden,
                tells_the_movers_story_to_the_other,
                marks_what_the_other_saw,
            )
        ),
    ],
)
def test_a_leak_planted_into_the_terminal_is_found(
    plant: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    with pytest.raises(Leak, match=r"shown to|told to"):
        sweep(CARDS, {}, 500, "planted")


class SealsNothing(Battle):
    def view(self, state: Fight, seat: Seat) -> Fight:
        return state


class WritesTheDigitDown(Battle):
    def seen(self, path: Sequence[tuple[Fight, BattleMove]], seat: Seat) -> Sequence[str]:
        return Game.seen(self, path, seat)


class NamesTheDigit(BattleScript):
    def narrate(self, step: Step[Fight, BattleMove], to: Seat | None, names: Names) -> str:
        news = super().narrate(step, to, names)
        return news.replace("Your digit is", f"Your {step.move.digit} is")


class AsksAloud(BattleScript):
    def questions(self, view: Fight, seat: Seat) -> Sequence[Question[BattleMove]]:
        return [replace(question, secret=False) for question in super().questions(view, seat)]


@pytest.mark.parametrize(
    ("game", "script"),
    [
        (SealsNothing, BattleScript),
        pytest.param(WritesTheDigitDown, BattleScript, marks=CAMPAIGN),
        pytest.param(Battle, NamesTheDigit, marks=CAMPAIGN),
    ],
)
def test_a_leak_planted_into_sudden_death_is_found(game: Any, script: Any) -> None:
    with pytest.raises(Leak):
        compare_picks(replace(BATTLE, game=game(), script=script), TIES)


@pytest.mark.parametrize("tty", [pytest.param(False, marks=CAMPAIGN), True], ids=["piped", "typed"])
def test_a_secret_that_is_typed_in_the_open_is_found(tty: bool) -> None:
    with pytest.raises(Leak, match="one keyboard"):
        compare_picks_at_a_terminal(Battle(), tty, AsksAloud)


def test_a_refusal_that_quotes_a_slip_of_the_hand_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_turn, "refusal", lambda *known: f"{excerpt(known[-1])} cannot be chosen.")
    with pytest.raises(Leak, match="one keyboard"):
        compare_picks_at_a_terminal(Battle(), tty=True)
