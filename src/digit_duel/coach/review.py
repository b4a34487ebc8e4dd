"""Review of a whole game: what each move cost, where the game turned, and where to try again."""

from __future__ import annotations

from dataclasses import dataclass, replace

from digit_duel.coach.cases import Case
from digit_duel.coach.coach import Coach, Expected, Verdict
from digit_duel.coach.families import coach_of
from digit_duel.coach.opponent import PERSON, opponent_of
from digit_duel.coach.speech import Speech
from digit_duel.core.game import Game, M, S, Seat, V
from digit_duel.core.numbering import move_numbers
from digit_duel.core.record import CONTINUED, UNFINISHED, Record, Steps
from digit_duel.core.seat_record import replay_seen, seat_of
from digit_duel.core.session import half_chosen
from digit_duel.core.variant import AnyVariant
from digit_duel.solve.errors import Unsolved
from digit_duel.solve.value import Score

TURN = 0.1  # losing this much of the chance to win a round makes a move a turning point
_KEPT = ("Date", "Seed", "Draws", "ComputerFirst", "ComputerSecond")  # headers of a game played on


class NeedsSeat(ValueError):
    """A record hides something, so it can be reviewed for one seat only; the message says for which."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One move, judged by what its mover knew."""

    ply: int  # counting from 1, nature's moves included
    round: int  # counting from 1, if the game has rounds
    seat: Seat
    move: str
    words: str
    verdict: Verdict
    before: Expected | None  # with the best move
    after: Expected | None  # with the move that was made
    best: str
    best_words: str
    reason: str
    truth: str = ""  # what someone who saw all hands would have known, once the game is over
    number: str = ""  # the move number in the record: 2, or 2a and 2b
    won: float | None = None  # 1, 0 or 0.5 if the round ended and the mover won, lost or tied it
    ties: int = 0  # how often its round had been tied before

    @property
    def cost(self) -> Score | float | None:
        """How much worse the move was than the best one."""
        if self.before is None or self.after is None:
            return None
        cost = self.before.value - self.after.value
        return round(cost, 12) if isinstance(cost, float) else cost

    @property
    def margin_cost(self) -> int | None:
        """How much worse the move's margin was than the best one's."""
        if (
            self.before is None
            or self.after is None
            or self.before.margin is None
            or self.after.margin is None
        ):
            return None
        return self.before.margin - self.after.margin


@dataclass(frozen=True, slots=True)
class Review:
    """A game judged move by move."""

    variant: AnyVariant
    record: Record
    seat: Seat | None  # for whom it is; None for everybody
    chances: bool  # values are probabilities of winning a round, not results
    moves: tuple[Judged, ...]
    history: tuple[Score | float, ...]  # for the first seat, from -1 to 1: at the start, then after each move
    secret: bool  # the record holds something that this reader must not see
    assumed: str = ""  # what is assumed about the opponent, if hands are hidden

    @property
    def mistakes(self) -> frozenset[int]:
        """The plies of all mistakes."""
        return frozenset(move.ply for move in self.moves if move.verdict is Verdict.MISTAKE)

    @property
    def turning_points(self) -> tuple[Judged, ...]:
        """The moves that lost the result, or much of the chance of winning."""
        least, missed = TURN if self.chances else 0, self.missed_wins
        return tuple(
            move
            for move in self.moves
            if move.verdict is Verdict.MISTAKE and (move.cost is None or move.cost >= least or move in missed)
        )

    @property
    def missed_wins(self) -> tuple[Judged, ...]:
        """The moves with which a mover who could have forced a win let it slip."""
        return tuple(move for move in self.moves if self._missed(move))

    def _missed(self, move: Judged) -> bool:
        if move.before is None or move.after is None or move.before.value != 1:
            return False
        if move.won is None:
            return move.after.value < (TURN if self.chances else 1)
        return move.after.value < 1 and move.won < 1


def review(
    variant: AnyVariant,
    record: Record,
    seat: Seat | None = None,
    errs: float = PERSON.errs,
    reader: Seat | None = None,
) -> Review:
    """Judge every move of a record, for everybody or for one seat.

    The text addresses the seat, or else the reader, as "you". With hidden hands a move is judged by what its
    mover knew, against its opponent: a level of the computer, or a person whose choices are random with
    probability `errs`. The history is then what one seat knew, and the true result at the end of each round.
    The record of one seat is reviewed for this seat. Raises BadRecord, or NeedsSeat for the other seat, and
    if an unfinished game with hidden hands is reviewed for everybody.
    """
    steps, own = replay_seen(variant, record), seat_of(variant, record)
    if own is not None and seat not in (None, own):
        raise NeedsSeat(f"this record shows only what {record.names[own]} saw; leave --seat out.")
    seat = seat if own is None else own
    if half_chosen(variant.game, steps):
        steps.pop()  # still secret, so nobody may judge it
    hidden, over = variant.hides_hands, record.result != UNFINISHED
    coaches = [coach_of(variant, opponent_of(record.headers, one, errs)) for one in Seat]
    coach = coaches[seat or Seat.FIRST]
    if hidden and seat is None and not over:
        raise NeedsSeat(
            "this game is not over and has hidden cards. Choose whose moves to review:"
            " add --seat first or --seat second."
        )
    # The reveal shows the hands but not when each card came, so one seat alone must not learn the rest.
    open_to_all = over and seat is None
    speech = Speech(record.names, reader if seat is None else seat)
    judged, rounds, ties, numbers = [], 1, 0, move_numbers(step.seat for step in steps)
    for at, step in enumerate(steps):
        if step.seat is not None and seat in (None, step.seat):
            found = _judged(coaches[step.seat], steps[at:], at + 1, rounds, speech, open_to_all)
            ends = (coach.round_won(later, step.seat) for later in steps[at:])
            won = next((end for end in ends if end is not None), None)
            judged.append(replace(found, number=numbers[at], won=won, ties=ties))
        if coach.ends_round(step):
            rounds, ties = rounds + 1, 0
        elif coach.round_won(step, Seat.FIRST) == 0.5:
            ties += 1
    history = _standings(coach, steps, seat or Seat.FIRST) if coach.chances else _history(variant.game, steps)
    secret, assumed = (
        seat is not None and (hidden or own is not None),
        " or ".join(sorted({one.assumed for one in coaches})),
    )
    return Review(variant, record, seat, coach.chances, tuple(judged), history, secret, assumed)


def again(record: Record, ply: int, number: str) -> Record:
    """The game as it stood before a move with a number, as a new record to continue from."""
    headers = {key: record.headers[key] for key in _KEPT if key in record.headers}
    headers[CONTINUED] = number
    return replace(record, moves=record.moves[: ply - 1], result=UNFINISHED, headers=headers, places=())


def _judged(
    coach: Coach[S, M, V], later: Steps[S, M], ply: int, rounds: int, speech: Speech, open_to_all: bool
) -> Judged:
    """Judge the first of some steps; the later ones are used only to see how its round ended."""
    variant, step = coach.variant, later[0]
    seat = step.seat
    assert seat is not None
    view = variant.game.view(step.before, seat)
    legal = tuple(variant.game.legal(step.before, seat))
    asked = coach.decision(view, seat, legal, speech)
    found = coach.hindsight(coach.judge(view, seat, legal, step.move), later)
    verdict = Verdict.FORCED if len(legal) == 1 else found.verdict
    best = step.move if verdict in (Verdict.BEST, Verdict.FORCED) else asked.chosen()
    return Judged(
        ply=ply,
        round=rounds,
        seat=seat,
        move=variant.game.text(step.move),
        words=asked.named(step.move),
        verdict=verdict,
        before=found.best,
        after=found.made,
        best=variant.game.text(best),
        best_words=asked.named(best),
        reason=" ".join(filter(None, (asked.explain(step.move).sentence, found.note))),
        truth=coach.truth(step, speech) if open_to_all else "",
    )


def _standings(coach: Coach[S, M, V], steps: Steps[S, M], seat: Seat) -> tuple[float, ...]:
    """One seat's expectation in each round and its end, as results from -1 to 1 for the first seat.

    Where it is unknown, it is the one before or else after it in the round. Empty if it is never known.
    """
    game, sign = coach.variant.game, 1 if seat is Seat.FIRST else -1
    ended = [None, *(coach.round_won(step, seat) for step in steps)]
    states = [game.start(), *(step.after for step in steps)]
    known = [coach.standing(game.view(state, seat)) for state in states]
    if all(chance is None for chance in known):
        return ()
    told = [one if won is None else won for one, won in zip(known, ended, strict=True)]
    found, last = [], None
    for at, won in enumerate(ended):
        chance = next((one for one in (told[at], last, *told[at:]) if one is not None), 0.5)
        found.append(chance)
        last = chance if won is None else None
    return tuple(sign * round(2 * chance - 1, 12) for chance in found)


def _history(game: Game[S, M, V], steps: Steps[S, M]) -> tuple[Score, ...]:
    """The value for the first seat at the start and after each move."""
    states = [game.start(), *(step.after for step in steps)]
    try:
        return tuple(_value(game, state) for state in states)
    except Unsolved:
        return ()


def _value(game: Game[S, M, V], state: S) -> Score:
    outcome = game.outcome(state)
    return Case(game, state).value().score if outcome is None else outcome.score(Seat.FIRST)
