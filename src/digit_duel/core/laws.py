"""Laws that every game must obey, as functions that raise LawBroken; run them on a game of your own."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from random import Random
from sys import intern

from digit_duel.core.answers import choices, fit
from digit_duel.core.game import Game, IllegalMove, M, S, Seat, V, public
from digit_duel.core.record import BadRecord, Record, Steps, follow, read_record, replay, result_of
from digit_duel.core.script import Question, Script, Step
from digit_duel.core.seat_record import filled
from digit_duel.core.teaching import tutor
from digit_duel.core.teaching.tutorial import LONGEST, MOST_LESSONS
from digit_duel.core.variant import Variant

NAMES = ("Ann", "Ben")
FEW = 5  # moves of a state whose notation is parsed
SHORT = 8  # moves; histories up to this length recur in random games, so they are compared
LONG = 100_000  # moves after which a game without a bound must have ended


class LawBroken(AssertionError):
    """A game breaks a law; the message says which, and where."""


class Witness:
    """Remembers what seats knew and what followed, to compare any two histories."""

    def __init__(self) -> None:
        self._seen: dict[tuple[str, Seat], dict[Hashable, Hashable]] = defaultdict(dict)

    def agree(self, law: str, seat: Seat, known: Hashable, value: Hashable) -> None:
        """Check that a seat that knows the same finds the same value as before."""
        earlier = self._seen[law, seat].setdefault(known, value)
        broken = "{}: {} knows the same in two games, {}, but has {} in one and {} in the other."
        _hold(earlier == value, broken, law, seat.name, known, earlier, value)


def alphabets_are_distinct(game: Game[S, M, V]) -> None:
    """Every move has notation of its own: one word of lower-case ASCII."""
    for moves in (game.draws(), *(game.moves(seat) for seat in Seat)):
        texts = [game.text(move) for move in moves]
        _hold(len(set(texts)) == len(set(moves)) == len(moves), "Two moves look alike: {}.", texts)
        for text in texts:
            proper = text.isascii() and text == text.lower() and text.split() == [text] and "?" not in text
            _hold(proper, "{!r} is not one word of lower-case ASCII without a question mark.", text)


def one_kind(game: Game[S, M, V], state: S) -> None:
    """In every state exactly one holds: the game is over, nature moves, or seats act."""
    kinds = (game.outcome(state) is not None, bool(game.chance(state)), bool(game.acting(state)))
    _hold(sum(kinds) == 1, "Game over, nature's turn, a seat's turn: {} in {}.", kinds, state)


def scores_sum_to_zero(game: Game[S, M, V], state: S) -> None:
    """What one seat wins, the other loses."""
    outcome = game.outcome(state)
    _hold(not outcome or sum(map(outcome.score, Seat)) == 0, "{} does not sum to zero.", outcome)


def weights_are_positive(game: Game[S, M, V], state: S) -> None:
    """Nature's moves are distinct and have positive whole weights."""
    draws = game.chance(state)
    _hold(len(dict(draws)) == len(draws), "A draw occurs twice in {}.", draws)
    _hold(all(type(weight) is int and weight > 0 for _, weight in draws), "Wrong weights in {}.", draws)


def legal_iff_acting(game: Game[S, M, V], state: S) -> None:
    """A seat has legal moves if, and only if, it may move."""
    for seat in Seat:
        legal, acts = bool(game.legal(state, seat)), seat in game.acting(state)
        _hold(legal == acts, "{} has legal moves: {}; it acts: {}; in {}.", seat.name, legal, acts, state)


def legal_is_in_the_alphabet(game: Game[S, M, V], state: S) -> None:
    """Legal moves and draws are moves of the alphabet."""
    inside = all(_alphabet(game, seat).issuperset(game.legal(state, seat)) for seat in Seat)
    inside &= _alphabet(game, None).issuperset(move for move, _ in game.chance(state))
    _hold(inside, "A move that is possible in {} is missing from the alphabet.", state)


def choices_at_once_are_hidden(game: Game[S, M, V], state: S) -> None:
    """When two seats act, neither sees the other's choice, and the order of play makes no difference."""
    if len(game.acting(state)) < 2:
        return
    for seat in Seat:
        halves = [game.play(state, move) for move in game.legal(state, seat.other)]
        hidden = len({game.view(half, seat) for half in halves}) == 1
        _hold(hidden, "{} sees what the other chose in {}.", seat.name, state)
        alone = all(game.acting(half) == (seat,) for half in halves)
        _hold(alone, "{} should act alone once the other has chosen in {}.", seat.name, state)
    for first, second in product(*(game.legal(state, seat) for seat in Seat)):
        one, other = game.play(game.play(state, first), second), game.play(game.play(state, second), first)
        _hold(one == other, "{} and {} do not commute in {}.", first, second, state)


def notation_round_trips(game: Game[S, M, V], state: S, rng: Random) -> None:
    """Legal moves differ in notation, and each is read back as the same move; a few are tried."""
    moves = [(seat, move, game.text(move)) for seat in Seat for move in game.legal(state, seat)]
    _hold(len({text for _, _, text in moves}) == len(moves), "Two legal moves share notation: {}.", moves)
    for seat, move, text in rng.sample(moves, min(FEW, len(moves))):
        _hold(game.parse(state, seat, text) == move, "{} is read back as another move.", text)


def legal_follows_views(game: Game[S, M, V], state: S, witness: Witness) -> None:
    """The legal moves of a seat depend only on its view."""
    for seat in Seat:
        witness.agree("legal moves", seat, game.view(state, seat), tuple(game.legal(state, seat)))


def refusals_are_sentences(game: Game[S, M, V], state: S, rng: Random) -> None:
    """An illegal move of the alphabet is refused with a sentence; one is tried."""
    seat = rng.choice(list(Seat))
    move = rng.choice(rng.choice(_kinds(game, seat)))
    if move in game.legal(state, seat):
        return
    reason = game.why_not(game.view(state, seat), seat, move)
    proper = reason.endswith(".") and "\n" not in reason and not reason[0].islower()
    _hold(proper, "{!r} is not a sentence that says why {} is illegal.", reason, move)
    try:
        taken = game.parse(state, seat, game.text(move))
    except IllegalMove as refused:
        _hold(str(refused) == reason, "{} is refused with: {} It should be: {}", move, refused, reason)
    else:
        _hold(False, "{} is illegal, yet it is read as {}.", move, taken)


def questions_lead_to_the_moves(game: Game[S, M, V], script: Script[S, M, V], state: S, rng: Random) -> None:
    """The proper answers lead to every legal move, and each sequence of answers to a single move."""
    for seat in game.acting(state):
        legal = game.legal(state, seat)
        questions = script.questions(game.view(state, seat), seat)
        reached = set(_answered(questions, legal))
        _hold(reached == set(legal), "The questions lead to {}, not to {}.", reached, legal)
        # Refusals look answers up among all moves, so every question must accept every move.
        for question, moves in product(questions, _kinds(game, seat)):
            words = question.answers(rng.choice(moves))
            _hold(all(isinstance(word, str) for word in words), "{} are not answers.", words)


def spots_are_on_the_scene(game: Game[S, M, V], script: Script[S, M, V], state: S) -> None:
    """The spot of every legal move is on the scene."""
    for seat in game.acting(state):
        view = game.view(state, seat)
        scene = script.scene(view)
        digits = {stock.digit for stock in scene.pool if stock.left}
        for move in game.legal(state, seat):
            spot = script.spot(view, move)
            if spot is None:
                continue
            cells = len(scene.rows[spot.row].cells) if spot.row is not None else 0
            there = spot.digit is None or spot.digit in digits
            there &= spot.cell is None or 0 <= spot.cell < cells
            _hold(there, "{} is made at {}, which is not on the scene.", move, spot)
            if spot.points is not None:
                _points_come_true(game, script, state, seat, move, spot.points)


def _points_come_true(
    game: Game[S, M, V], script: Script[S, M, V], state: S, seat: Seat, move: M, points: int
) -> None:
    """The first meter changes as the move's spot says, up to its maximum."""
    row = seat if points > 0 else seat.other
    before, after = (
        script.scene(game.view(each, seat)).rows[row].meters[0] for each in (state, game.play(state, move))
    )
    wanted = min(before.value + points, before.most)
    _hold(after.value == wanted, "{} leads to {} points, not to {}.", move, after.value, wanted)


def narration_follows_views(
    game: Game[S, M, V], script: Script[S, M, V], step: Step[S, M], witness: Witness
) -> None:
    """What a seat is told of a step depends only on its views before and after."""
    for seat in Seat:
        views = (game.view(step.before, seat), game.view(step.after, seat))
        witness.agree("narration", seat, views, intern(script.narrate(step, seat, NAMES)))
        witness.agree("result", seat, views, intern(script.round_result(step, NAMES)))
        witness.agree("brief", seat, views, intern(script.brief(step, seat, NAMES)))


def nothing_is_forgotten(game: Game[S, M, V], steps: Steps[S, M], witness: Witness) -> None:
    """A view determines the seat's view and move one step earlier, unless nothing is hidden now."""
    # By induction a view determines all earlier ones, back to where nothing was hidden. Two
    # simultaneous choices count as one step, because their order makes no difference.
    at_once = len(steps) > 1 and len(game.acting(steps[-2].before)) == 2
    steps = steps[-2:] if at_once else steps[-1:]
    for seat in Seat if not public(game.view, steps[-1].after) else ():
        saw, sees = game.view(steps[0].before, seat), game.view(steps[-1].after, seat)
        did = tuple(step.move for step in steps if step.seat is seat)
        if did or saw != sees:
            witness.agree("earlier views", seat, sees, (saw, did))


def a_record_replays(game: Game[S, M, V], steps: Steps[S, M]) -> None:
    """A record is read back as written, and replays to states with the same value and hash."""
    outcome = game.outcome(steps[-1].after if steps else game.start())
    record = Record("game", {}, NAMES, tuple(game.text(step.move) for step in steps), result_of(outcome))
    text = record.text()
    try:
        read = read_record(text)
        again = replay(game, read)
    except BadRecord as bad:
        raise LawBroken(f"This record is refused: {bad}\n{text}") from None
    _hold(read == record and read.text() == text, "This record is not read back as written:\n{}", text)
    same = again == steps and all(hash(a.after) == hash(b.after) for a, b in zip(again, steps, strict=True))
    _hold(same, "This record, played again, leads to other states:\n{}", text)


def a_seats_record_tells_what_it_saw(game: Game[S, M, V], steps: Steps[S, M], witness: Witness) -> None:
    """A seat's own record shows its moves and all public ones, and nothing that it could not see."""
    path = [(step.before, step.move) for step in steps]
    for seat in Seat:
        record = tuple(game.seen(path, seat))
        for has, step in zip(record, steps, strict=True):
            hidden = "?" in has and step.seat is not seat
            hidden = hidden and not all(public(game.view, at) for at in (step.before, step.after))
            _hold(hidden or has == game.text(step.move), "{} has {} for {}.", seat.name, has, step.move)
        for other in next_steps(game, steps[-1].before) if steps else ():
            alike = game.view(other.after, seat) == game.view(steps[-1].after, seat)
            if alike and other.seat is steps[-1].seat:
                same = tuple(game.seen([*path[:-1], (other.before, other.move)], seat)) == record
                _hold(same, "The record tells {} {}, which it cannot see.", seat.name, record[-1])
        if len(steps) <= SHORT:
            witness.agree("own record", seat, tuple(game.view(step.after, seat) for step in steps), record)


def a_seats_record_replays(game: Game[S, M, V], steps: Steps[S, M]) -> None:
    """A seat's own record, with moves that fit in place of what it hides, shows the seat what it saw."""
    for seat in Seat:
        record = tuple(game.seen([(step.before, step.move) for step in steps], seat))
        try:
            again = follow(game, filled(game, record, seat))
        except BadRecord as bad:
            raise LawBroken(f"The own record of {seat.name} is refused: {bad}\n{record}") from None
        same = all(
            game.view(a.after, seat) == game.view(b.after, seat) for a, b in zip(again, steps, strict=True)
        )
        _hold(same, "The own record of {}, replayed, shows it something else:\n{}", seat.name, record)


def a_tutorial_can_be_played(variant: Variant[S, M, V]) -> None:
    """Every lesson asks, in few words, for a legal choice, and its reply can be played."""
    lessons = variant.tutorial.lessons if variant.tutorial else ()
    _hold(variant.tutorial is None or 1 <= len(lessons) <= MOST_LESSONS, "{} lessons.", len(lessons))
    for lesson in lessons:
        try:
            legal = tutor.moves(variant, lesson)
            passing = [move for move in legal if tutor.judge(variant, lesson, move).good]
        except BadRecord as bad:
            raise LawBroken(f"A line of moves is illegal in the lesson {lesson.text!r}: {bad}") from None
        good = lesson.good.split() or [variant.game.text(move) for move in legal]
        asked = bool(legal) and sorted(map(variant.game.text, passing)) == sorted(good)
        _hold(asked, "{} asks for {}, which is not what can be chosen.", lesson.text, good)
        _hold(len(passing) == len(legal) or bool(lesson.otherwise), "{} has no second try.", lesson.text)
        _hold(not (lesson.shown and lesson.good) or len(good) == 1, "{} points at {}.", lesson.text, good)
        for text in filter(None, (lesson.text, lesson.well, lesson.otherwise)):
            proper = text[0].isupper() or text[0].isdigit()
            proper &= text[-1] in ".!?" and len(text) <= LONGEST and "\n" not in text
            _hold(proper, "{!r} is not a sentence or two of at most {} characters.", text, LONGEST)


def next_steps(game: Game[S, M, V], state: S) -> Iterator[Step[S, M]]:
    """Every step that can come next."""
    for move, _ in game.chance(state):
        yield Step(None, move, state, game.play(state, move))
    for seat in game.acting(state):
        for move in game.legal(state, seat):
            yield Step(seat, move, state, game.play(state, move))


def playout(game: Game[S, M, V], rng: Random) -> Steps[S, M]:
    """Play a random game, which must end within the game's bound."""
    bound = LONG if game.bound is None else game.bound
    steps: Steps[S, M] = []
    state = game.start()
    while game.outcome(state) is None:
        _hold(len(steps) < bound, "The game has not ended after {} moves.", bound)
        one_kind(game, state)
        seat = None
        if draws := game.chance(state):
            move = rng.choices([move for move, _ in draws], [weight for _, weight in draws])[0]
        else:
            seat = rng.choice(game.acting(state))
            move = rng.choice(game.legal(state, seat))
        steps.append(Step(seat, move, state, game.play(state, move)))
        state = steps[-1].after
    return steps


def check_state(
    game: Game[S, M, V], script: Script[S, M, V], state: S, witness: Witness, rng: Random
) -> None:
    """All laws of one state."""
    one_kind(game, state)
    scores_sum_to_zero(game, state)
    weights_are_positive(game, state)
    legal_iff_acting(game, state)
    legal_is_in_the_alphabet(game, state)
    choices_at_once_are_hidden(game, state)
    notation_round_trips(game, state, rng)
    legal_follows_views(game, state, witness)
    refusals_are_sentences(game, state, rng)
    questions_lead_to_the_moves(game, script, state, rng)
    spots_are_on_the_scene(game, script, state)


def check_tree(game: Game[S, M, V], script: Script[S, M, V], limit: int) -> int:
    """Check the laws on all states, or on as many as the limit allows; returns how many there were."""
    alphabets_are_distinct(game)
    witness, rng = Witness(), Random(0)
    found: dict[S, Steps[S, M]] = {game.start(): []}  # with the step that leads there
    queue = list(found)
    for state in queue:  # grows in the loop
        steps = list(next_steps(game, state))
        lies_open = all(public(game.view, at) for at in (state, *(step.after for step in steps)))
        here = Witness() if lies_open else witness  # saves memory: public states need no comparison
        check_state(game, script, state, here, rng)
        for step in steps:
            narration_follows_views(game, script, step, here)
            nothing_is_forgotten(game, [*found[state], step], witness)
            if step.after not in found and len(found) < limit:
                found[step.after] = [step]
                queue.append(step.after)
    return len(found)


def check_playout(
    game: Game[S, M, V], script: Script[S, M, V], rng: Random, witness: Witness, some: int = LONG
) -> Steps[S, M]:
    """Check the laws on a random game, on some of its states, and on three histories; returns its steps."""
    steps = playout(game, rng)
    check_state(game, script, steps[-1].after, witness, rng)
    for at in rng.sample(range(len(steps)), min(some, len(steps))):
        check_state(game, script, steps[at].before, witness, rng)
        narration_follows_views(game, script, steps[at], witness)
        nothing_is_forgotten(game, steps[max(at - 1, 0) : at + 1], witness)
    for length in (len(steps), rng.randrange(len(steps)), rng.randrange(SHORT)):
        a_record_replays(game, steps[:length])
        a_seats_record_tells_what_it_saw(game, steps[:length], witness)
        a_seats_record_replays(game, steps[:length])
    return steps


def _hold(kept: bool, broken: str, *about: object) -> None:
    if not kept:
        raise LawBroken(broken.format(*about))


@lru_cache(maxsize=16)
def _alphabet(game: Game[S, M, V], seat: Seat | None) -> frozenset[M]:
    return frozenset(game.moves(seat) if seat is not None else game.draws())


@lru_cache(maxsize=16)
def _kinds(game: Game[S, M, V], seat: Seat) -> list[list[M]]:
    moves = game.moves(seat)
    return [[move for move in moves if type(move) is kind] for kind in dict.fromkeys(map(type, moves))]


def _answered(questions: Sequence[Question[M]], moves: Sequence[M]) -> Iterator[M]:
    """The moves that the proper answers lead to."""
    if not questions:
        _hold(len(moves) == 1, "The same answers lead to all of {}.", moves)
        yield from moves
    for question in questions[:1]:
        _hold(all(map(question.answers, moves)), "A question has no answer that leads to one of {}.", moves)
        for word in choices(question, moves):
            left = fit(question, moves, word)
            _hold(left.choices == (word,), "The answer {!r} could mean {}.", word, left.choices)
            yield from _answered(questions[1:], left.moves)
