"""The script of cards; it reads only what one seat knows, so it cannot reveal more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from digit_duel.core.game import Outcome, Pair, Seat
from digit_duel.core.script import Names, Question, Scene, Script, Spot, Step
from digit_duel.games._cards import Cards, Decks, Visibility
from digit_duel.games._cards_scene import current_round, highest, missed, number, revealed_round, scene
from digit_duel.games._cards_table import Arrange, CardsMove, Give, Keep, Reveal, Sight, Table, To, Turn
from digit_duel.games._digits import Digits, a_digit

_RESHUFFLED = "- The deck has run out; the discards are shuffled into a new one."
_THROW = "throw away"


def _keep_or_give(keep: tuple[str, ...], give: tuple[str, ...]) -> tuple[Question[CardsMove]]:
    answers: dict[type, tuple[str, ...]] = {Keep: keep, Give: give}
    return (
        Question[CardsMove](
            lambda move: "- Do you want to keep it? (yes/no): ", lambda move: answers.get(type(move), ())
        ),
    )


# Created once, because the server caches by question.
_IN_TURN = _keep_or_give(("yes", "keep"), ("no", "give"))
_FACING_FULL = _keep_or_give(("yes", "keep"), ("no", "give", _THROW))
_WITH_FULL_HAND = _keep_or_give(("yes", "keep", _THROW), ("no", "give"))


def _own(view: Sight) -> Digits:
    return tuple(digit for digit in view.hands[view.seat] if digit is not None)


@dataclass(frozen=True)
class CardsScript(Script[Table, CardsMove, Sight]):
    """Words and picture of cards."""

    game: Cards

    def scene(self, view: Sight) -> Scene:
        return scene(self.game, view)

    def opening(self, view: Sight, names: Names) -> str:
        return f"Welcome to Digit Duel!\n\n--- Round {current_round(view)} ---"

    def headline(self, view: Sight, seat: Seat, names: Names) -> str:
        if self.game.revealing(view.hands):
            return f"{names[seat]}, arrange your digits to form your number."
        return f"{names[seat]}'s Turn:"

    def turn(self, view: Sight, seat: Seat, names: Names) -> str:
        lines = [self.headline(view, seat, names)]
        if self.game.revealing(view.hands):
            lines.append(f"- Your digits: {list(view.hands[seat])}")
            return "\n".join(lines)
        lines.append(f"- You draw a '{view.drawn}'.")
        if self.game.full(view.hands[seat]):
            lines.append("- Your hand is full: keeping throws the digit away.")
        return "\n".join(lines)

    def questions(self, view: Sight, seat: Seat) -> Sequence[Question[CardsMove]]:
        if self.game.revealing(view.hands):
            best = highest(_own(view))
            return (
                Question[CardsMove](
                    lambda move: "- Enter your number (use each digit once): ",
                    # C7: just Enter takes the highest.
                    lambda move: _number_answers(move, best),
                ),
            )
        if self.game.full(view.hands[seat]):
            return _WITH_FULL_HAND
        return _FACING_FULL if self.game.facing_full_hand(view) else _IN_TURN

    def caption(self, answer: str, other: str) -> str:
        captions = {"keep": "keep it in your hand", "give": f"give it to {other}", _THROW: "throw it away"}
        return captions.get(answer, answer)

    def lands(self, step: Step[Table, CardsMove]) -> Spot | None:
        if isinstance(step.move, Arrange):
            last = step.after.memory[-1]
            return Spot(row=last.winner) if isinstance(last, Reveal) and last.winner is not None else None
        if not isinstance(step.move, Keep | Give):
            return None
        # Both see how many cards are where; they stay in order of arrival until they are laid out.
        grown = [seat for seat in Seat if len(step.after.hands[seat]) > len(step.before.hands[seat])]
        return Spot(row=grown[0], cell=len(step.before.hands[grown[0]])) if grown else None

    def narrate(self, step: Step[Table, CardsMove], to: Seat | None, names: Names) -> str:
        # A screen that both see addresses the mover.
        reader = to if to is not None else step.seat if step.seat is not None else step.before.to_move
        before, after = self.game.view(step.before, reader), self.game.view(step.after, reader)
        event = _new_event(before, after)
        if isinstance(event, Reveal):
            return self._revealed(before, after, event, names)
        if isinstance(event, Turn):
            return self._settled(before, after, event, names)
        if after.arranged != before.arranged:
            return self._arranged(before, after, names)
        return ""  # a draw, which turn() announces

    def round_result(self, step: Step[Table, CardsMove], names: Names) -> str:
        if not isinstance(step.move, Arrange):
            return ""
        before, after = (self.game.view(state, Seat.FIRST) for state in (step.before, step.after))
        reveal = _new_event(before, after)  # both seats see it alike
        if not isinstance(reveal, Reveal):
            return ""
        lines = [*_numbers(reveal, after.wins, names), _verdict(reveal, names)]
        lines += [
            f"- {names[seat]} {missed(reveal, seat) or f'could have made {number(highest(digits))}'}."
            for seat, digits in zip(Seat, reveal.numbers, strict=True)
            if digits != highest(digits)
        ]
        if self._same_deck(reveal) and after.deck_size > before.deck_size:
            lines.append(_RESHUFFLED)
        return "\n".join([*lines, "", *_score(after.wins, names)])

    def brief(self, step: Step[Table, CardsMove], to: Seat | None, names: Names) -> str:
        if step.seat is None:
            return ""
        # A spectator is told what the seat that did not move sees, without the cards of that seat.
        reader = step.seat.other if to is None else to
        before, after = self.game.view(step.before, reader), self.game.view(step.after, reader)
        event = _new_event(before, after)
        if event is None:
            return (
                "You have laid out your number."
                if to is step.seat
                else (f"{names[step.seat]} has laid out a number.")
            )
        if isinstance(event, Reveal):
            return _brief_reveal(event, to, names)
        return self._moved(event, to, names)

    def _moved(self, turn: Turn, to: Seat | None, names: Names) -> str:
        """Where a card went; a kept card is named only to its owner."""
        you = to is turn.seat
        who, s = ("You", "") if you else (names[turn.seat], "s")
        if turn.to is To.DISCARDS:
            return f"{who} throw{s} away {a_digit(turn.digit)}."
        if turn.to is To(turn.seat):
            return f"You keep the {turn.digit}." if you else f"{who} keep{s} the card."
        target = "you" if to is turn.seat.other else names[turn.seat.other]
        return f"{who} give{s} {target} {a_digit(turn.digit)}."

    def closing(self, state: Table, outcome: Outcome, names: Names) -> str:
        assert outcome.winner is not None
        wins = state.wins
        return (
            f"{names[outcome.winner]} wins the game, {wins[outcome.winner]} to {wins[outcome.winner.other]}!"
        )

    def verdict(self, state: Table, outcome: Outcome, to: Seat | None, names: Names) -> str:
        assert outcome.winner is not None
        return f"{state.wins[outcome.winner]} rounds to {state.wins[outcome.winner.other]}."

    def _settled(self, before: Sight, after: Sight, turn: Turn, names: Names) -> str:
        """Where a card went, as told to the mover or to the opponent."""
        own = turn.seat is after.seat
        if turn.to is To.DISCARDS:
            who = "You discard" if own else f"{names[turn.seat]} discards"
            news = [f"- {who} {'the' if own else 'a'} '{turn.digit}'."]
        else:
            news = self._own_turn(after, turn, names) if own else self._their_turn(after, turn, names)
        if after.deck_size > before.deck_size:
            news.append(_RESHUFFLED)
        if self.game.revealing(after.hands):
            news += ["", "Both hands are full. Time to reveal your numbers!"]
        return "\n".join(news)

    def _own_turn(self, after: Sight, turn: Turn, names: Names) -> list[str]:
        me, them = after.seat, after.seat.other
        if turn.to is To(me):
            return [f"- {self._own_hand(after)}"]
        return [f"- You give the '{turn.digit}' to {names[them]}.", f"- {self._other_hand(after, names)}"]

    def _their_turn(self, after: Sight, turn: Turn, names: Names) -> list[str]:
        me, them = after.seat, after.seat.other
        if turn.to is To(me):
            return [f"- {names[them]} gives you a '{turn.digit}'. {self._own_hand(after)}"]
        return [f"- {names[them]} keeps the card. {self._other_hand(after, names)}"]

    def _own_hand(self, view: Sight) -> str:
        hand = view.hands[view.seat]
        return f"Your hand is now full: {list(hand)}" if self.game.full(hand) else f"Your hand: {list(hand)}"

    def _other_hand(self, view: Sight, names: Names) -> str:
        them = view.seat.other
        hand = view.hands[them]
        if self.game.visibility is Visibility.PRIVATE:
            count = f"{len(hand)} digit" if len(hand) == 1 else f"{len(hand)} digits"
            return f"{names[them]} holds {count} now."  # C1: the count, not the hand
        full = "hand is now full" if self.game.full(hand) else "hand"
        return f"{names[them]}'s {full}: {list(hand)}"

    def _arranged(self, before: Sight, after: Sight, names: Names) -> str:
        mine = after.numbers[after.seat]
        if mine == before.numbers[after.seat]:
            return f"- {names[after.seat.other]} has laid out a number."
        return f"- {_advice(mine)}" if mine and _advice(mine) else ""

    def _revealed(self, before: Sight, after: Sight, reveal: Reveal, names: Names) -> str:
        lines = ["", *_numbers(reveal, after.wins, names)]
        advice = _advice(reveal.numbers[after.seat])
        if advice and before.numbers[after.seat] is None:  # otherwise it was given on arranging
            lines.append(f"- {advice}")
        lines.append(_verdict(reveal, names))
        if self._same_deck(reveal) and after.deck_size > before.deck_size:
            lines.append(_RESHUFFLED)
        lines += ["", *_score(after.wins, names)]
        if max(after.wins) < self.game.wins_needed:
            lines += ["", f"--- Round {current_round(after)} ---"]
        return "\n".join(lines)

    def _same_deck(self, reveal: Reveal) -> bool:
        return reveal.winner is None or self.game.deck is Decks.PERSISTENT


def _new_event(before: Sight, after: Sight) -> Turn | Reveal | None:
    """What a seat remembers of a step, if it is worth remembering."""
    return after.memory[-1] if len(after.memory) > len(before.memory) else None


def _numbers(reveal: Reveal, wins: Pair[int], names: Names) -> list[str]:
    return [
        f"Round {revealed_round(reveal, wins)} Results:",
        *(f"- {names[seat]}'s Number: {number(reveal.numbers[seat])}" for seat in Seat),
    ]


def _verdict(reveal: Reveal, names: Names) -> str:
    if reveal.winner is None:
        return "- The numbers are equal: the round is replayed with the remaining cards."
    return f"- {names[reveal.winner]} wins the round!"


def _brief_reveal(reveal: Reveal, to: Seat | None, names: Names) -> str:
    called = ["You" if seat is to else names[seat] for seat in Seat]
    numbers = ", ".join(f"{called[seat]}: {number(reveal.numbers[seat])}" for seat in Seat)
    wins = "win" if reveal.winner is to else "wins"
    verdict = "Equal numbers." if reveal.winner is None else f"{called[reveal.winner]} {wins} the round."
    regrets = [f"{called[seat]} {regret}." for seat in Seat if (regret := missed(reveal, seat))]
    return " ".join([f"{numbers}.", verdict, *regrets])


def _score(wins: Pair[int], names: Names) -> list[str]:
    lines = [f"- {names[seat]}: {wins[seat]} {'win' if wins[seat] == 1 else 'wins'}" for seat in Seat]
    return ["Current Score:", *lines]


def _number_answers(move: CardsMove, best: Digits) -> tuple[str, ...]:
    if not isinstance(move, Arrange):
        return ()
    return (number(move.digits), "") if move.digits == best else (number(move.digits),)


def _advice(mine: Digits) -> str:
    """A note that a higher order exists, if it does (C7)."""
    best = highest(mine)
    return "" if mine == best else f"A higher order was possible: {number(best)}."
