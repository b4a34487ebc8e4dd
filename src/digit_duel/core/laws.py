"""The laws that every game keeps, as functions that raise LawBroken: run them on a game of your own."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from random import Random
from typing import Any, TypeAlias

from digit_duel.core.answers import choices, fit
from digit_duel.core.game import IllegalMove, Seat
from digit_duel.core.record import BadRecord, Record, Steps, read_record, replay, result_of
from digit_duel.core.script import Question, Step
from digit_duel.core.session import public
from digit_duel.core.variant import AnyGame, AnyScript

NAMES = ("Ann", "Ben")
PATIENCE = 100_000  # the moves after which a game without a bound should have ended
SHORT = 8  # histories of so few moves meet again in random play, so they are kept and compared

AnyStep: TypeAlias = Step[Any, Any]
Pick: TypeAlias = Callable[[Random, Sequence[Any]], Any]


class LawBroken(AssertionError):
    """A sentence that says which law a game breaks, and where."""


class Witness:
    """What was seen earlier, in this history or another, so that any two can be compared."""

    def __init__(self) -> None:
        self._seen: dict[tuple[str, Seat], dict[Hashable, Hashable]] = defaultdict(dict)

    def agree(self, law: str, seat: Seat, known: Hashable, value: Hashable) -> None:
        """A seat that knows the same finds the same value as before."""
        earlier = self._seen[law, seat].setdefault(known, value)
        _hold(earlier == value, "{}: what {} knows, {}, went with {} before, now with {}.",
              law, seat.name, known, earlier, value)  # fmt: skip


def alphabets_are_distinct(game: AnyGame) -> None:
    """Every move has a text of its own: one word of lower-case ASCII that a record can hold."""
    for moves in (game.draws(), *(game.moves(seat) for seat in Seat)):
        texts = [game.text(move) for move in moves]
        _hold(
            len(set(texts)) == len(set(moves)) == len(moves), "Moves of one alphabet look alike: {}.", texts
        )
        for text in texts:
            proper = text.isascii() and text == text.lower() and text.split() == [text] and "?" not in text
            _hold(proper, "{!r} is no word of lower-case ASCII without a question mark.", text)


def one_kind(game: AnyGame, state: Any) -> None:
    """A state is over, or nature moves, or seats act: exactly one of the three."""
    kinds = (game.outcome(state) is not None, bool(game.chance(state)), bool(game.acting(state)))
    _hold(sum(kinds) == 1, "Over, nature's turn, a seat's turn: {} in {}.", kinds, state)


def scores_sum_to_zero(game: AnyGame, state: Any) -> None:
    """What one seat wins the other loses."""
    if outcome := game.outcome(state):
        _hold(sum(outcome.score(seat) for seat in Seat) == 0, "{} does not sum to zero.", outcome)


def weights_are_positive(game: AnyGame, state: Any) -> None:
    """Nature's moves are distinct and have positive whole weights."""
    draws = game.chance(state)
    _hold(len({move for move, _ in draws}) == len(draws), "A draw stands twice in {}.", draws)
    for _, weight in draws:
        _hold(type(weight) is int and weight > 0, "{!r} is no positive whole weight.", weight)


def legal_iff_acting(game: AnyGame, state: Any) -> None:
    """A seat has legal moves if, and only if, it may move."""
    for seat in Seat:
        legal, acts = bool(game.legal(state, seat)), seat in game.acting(state)
        _hold(legal == acts, "{} has legal moves: {}, it acts: {}.", seat.name, legal, acts)


def legal_is_in_the_alphabet(game: AnyGame, state: Any) -> None:
    """Legal moves and draws are moves of the alphabet."""
    for who, moves in [(seat, game.legal(state, seat)) for seat in Seat]:
        _hold(
            _alphabet(game, who).issuperset(moves), "{} of {} are not all in the alphabet.", moves, who.name
        )
    draws = [move for move, _ in game.chance(state)]
    _hold(_alphabet(game, None).issuperset(draws), "{} are not all in nature's alphabet.", draws)


def notation_round_trips(game: AnyGame, state: Any) -> None:
    """The texts of the legal moves are distinct, and each is read back as its move."""
    moves = [(seat, move) for seat in Seat for move in game.legal(state, seat)]
    texts = [game.text(move) for _, move in moves]
    _hold(len(set(texts)) == len(texts), "Two legal moves have one text: {}.", texts)
    for (seat, move), text in zip(moves, texts, strict=True):
        _hold(game.parse(state, seat, text) == move, "{} is read back as another move.", text)


def choices_at_once_are_hidden(game: AnyGame, state: Any) -> None:
    """When two seats act, neither sees the other's choice, and the order of play means nothing."""
    if len(game.acting(state)) < 2:
        return
    for seat in Seat:
        halves = [game.play(state, move) for move in game.legal(state, seat.other)]
        same = len({game.view(half, seat) for half in halves}) == 1
        _hold(same, "{} sees what the other chose in {}.", seat.name, state)
        alone = all(game.acting(half) == (seat,) for half in halves)
        _hold(alone, "{} should act alone once the other has chosen in {}.", seat.name, state)
    for first, second in product(*(game.legal(state, seat) for seat in Seat)):
        one, other = game.play(game.play(state, first), second), game.play(game.play(state, second), first)
        _hold(one == other, "{} and {} do not commute in {}.", first, second, state)


def legal_is_a_function_of_the_view(game: AnyGame, state: Any, witness: Witness) -> None:
    """What a seat may do depends on nothing that it does not know."""
    for seat in Seat:
        texts = tuple(game.text(move) for move in game.legal(state, seat))
        witness.agree("legal moves", seat, game.view(state, seat), texts)


def refusals_are_sentences(game: AnyGame, state: Any, rng: Random) -> None:
    """An illegal move of the alphabet is refused with a sentence; one of each kind is tried."""
    for seat in Seat:
        view, legal = game.view(state, seat), game.legal(state, seat)
        for move in _one_of_each_kind(game, seat, rng):
            if move in legal:
                continue
            text, reason = game.text(move), game.why_not(view, seat, move)
            proper = reason.endswith(".") and "\n" not in reason and not reason[0].islower()
            _hold(proper, "{!r} is no sentence that says why {} is illegal.", reason, text)
            try:
                taken = game.parse(state, seat, text)
            except IllegalMove as refused:
                _hold(str(refused) == reason, "{} is refused with {}, not with {}", text, refused, reason)
            else:
                _hold(False, "{} is illegal, yet it is read as {}.", text, taken)


def questions_lead_to_the_moves(game: AnyGame, script: AnyScript, state: Any, rng: Random) -> None:
    """The proper answers lead to every legal move, each in its own way, and to nothing else."""
    for seat in game.acting(state):
        legal = game.legal(state, seat)
        questions = script.questions(game.view(state, seat), seat)
        reached = list(_answered(questions, legal))
        same = len(reached) == len(legal) and set(reached) == set(legal)
        _hold(same, "The questions lead to {}, not to {}.", reached, legal)
        # A refusal looks an answer up in the whole alphabet, so every question must take every move.
        for question, move in product(questions, _one_of_each_kind(game, seat, rng)):
            words = question.answers(move)
            _hold(all(isinstance(word, str) for word in words), "{} are no answers.", words)


def narration_is_a_function_of_the_views(
    game: AnyGame, script: AnyScript, step: AnyStep, witness: Witness
) -> None:
    """What a seat is told of a step depends on nothing but what it saw before and sees after."""
    for seat in Seat:
        views = (game.view(step.before, seat), game.view(step.after, seat))
        witness.agree("narration", seat, views, script.narrate(step, seat, NAMES))


def nothing_is_forgotten(game: AnyGame, steps: Steps, witness: Witness) -> None:
    """A view tells what the seat saw before the step and did in it, unless all lies open now."""
    # Step by step this makes a view tell all earlier ones, back to where all lay open. The two
    # choices of seats that act at once are one step here, for their order means nothing.
    before, after = steps[0].before, steps[-1].after
    if public(game.view, after):
        return
    for seat in Seat:
        saw, sees = game.view(before, seat), game.view(after, seat)
        did = tuple(step.move for step in steps if step.seat is seat)
        if did or saw != sees:
            witness.agree("earlier views", seat, sees, (saw, did))


def states_compare_by_value(game: AnyGame, steps: Steps) -> None:
    """Playing the same moves again gives equal states with equal hashes."""
    state = game.start()
    for step in steps:
        state = game.play(state, step.move)
        same = state == step.after and hash(state) == hash(step.after)
        _hold(same, "The same moves led to {} and then to {}.", step.after, state)


def a_record_replays(game: AnyGame, steps: Steps) -> None:
    """A record is read back exactly as it was written, and its moves lead to the same states."""
    outcome = game.outcome(steps[-1].after if steps else game.start())
    record = Record("game", {}, NAMES, tuple(game.text(step.move) for step in steps), result_of(outcome))
    text = record.text()
    try:
        read = read_record(text)
        same = read == record and read.text() == text and replay(game, read) == steps
    except BadRecord as bad:
        raise LawBroken(f"This record is refused: {bad}\n{text}") from None
    _hold(same, "This record is not read back as it was written, or leads elsewhere:\n{}", text)


def a_seats_record_tells_what_it_saw(game: AnyGame, steps: Steps, witness: Witness) -> None:
    """A seat's own record has all that it did and all that lay open, and nothing that it could not see."""
    for seat in Seat:
        record = _seen(game, steps, seat)
        for has, step in zip(record, steps, strict=True):
            lay_open = public(game.view, step.before) and public(game.view, step.after)
            hidden = "?" in has and not (lay_open or step.seat is seat)
            _hold(hidden or has == game.text(step.move), "{} has {} for {}.", seat.name, has, step.move)
        for other in next_steps(game, steps[-1].before) if steps else ():
            alike = game.view(other.after, seat) == game.view(steps[-1].after, seat)
            if alike and other.seat is steps[-1].seat:
                same = _seen(game, [*steps[:-1], other], seat) == record
                _hold(same, "The record tells {} {}, which it cannot see.", seat.name, record[-1])
        if len(steps) <= SHORT:
            witness.agree("own record", seat, tuple(game.view(step.after, seat) for step in steps), record)


def playout(game: AnyGame, rng: Random, pick: Pick = Random.choice) -> Steps:
    """A game at random, which must end within the game's own bound."""
    bound = PATIENCE if game.bound is None else game.bound
    steps: Steps = []
    state = game.start()
    while game.outcome(state) is None:
        _hold(len(steps) < bound, "The game has not ended after {} moves.", bound)
        one_kind(game, state)
        seat = None
        if draws := game.chance(state):
            move = rng.choices([move for move, _ in draws], [weight for _, weight in draws])[0]
        else:
            seat = rng.choice(game.acting(state))
            move = pick(rng, game.legal(state, seat))
        steps.append(Step(seat, move, state, game.play(state, move)))
        state = steps[-1].after
    return steps


def next_steps(game: AnyGame, state: Any) -> Iterator[AnyStep]:
    """Every step that can come next."""
    for move, _ in game.chance(state):
        yield Step(None, move, state, game.play(state, move))
    for seat in game.acting(state):
        for move in game.legal(state, seat):
            yield Step(seat, move, state, game.play(state, move))


def check_state(game: AnyGame, script: AnyScript, state: Any, witness: Witness, rng: Random) -> None:
    """All laws of one state."""
    for law in (one_kind, scores_sum_to_zero, weights_are_positive, legal_iff_acting,
                legal_is_in_the_alphabet, notation_round_trips, choices_at_once_are_hidden):  # fmt: skip
        law(game, state)
    legal_is_a_function_of_the_view(game, state, witness)
    refusals_are_sentences(game, state, rng)
    questions_lead_to_the_moves(game, script, state, rng)


def check_step(game: AnyGame, script: AnyScript, steps: Steps, witness: Witness) -> None:
    """All laws of one step, the last of these."""
    narration_is_a_function_of_the_views(game, script, steps[-1], witness)
    at_once = len(steps) > 1 and len(game.acting(steps[-2].before)) == 2
    nothing_is_forgotten(game, steps[-2:] if at_once else steps[-1:], witness)


def check_history(game: AnyGame, steps: Steps, witness: Witness) -> None:
    """All laws of one history."""
    states_compare_by_value(game, steps)
    a_record_replays(game, steps)
    a_seats_record_tells_what_it_saw(game, steps, witness)


def check_tree(game: AnyGame, script: AnyScript, limit: int) -> int:
    """The laws of states and steps on all states, or as many as the limit allows; how many there were."""
    alphabets_are_distinct(game)
    witness, rng = Witness(), Random(0)
    found: dict[Any, Steps] = {game.start(): []}  # with a step that leads there
    queue = deque(found)
    while queue:
        state = queue.popleft()
        check_state(game, script, state, witness, rng)
        for step in next_steps(game, state):
            check_step(game, script, [*found[state], step], witness)
            if step.after not in found and len(found) < limit:
                found[step.after] = [step]
                queue.append(step.after)
    return len(found)


def check_playout(
    game: AnyGame,
    script: AnyScript,
    rng: Random,
    witness: Witness,
    some: int = PATIENCE,
    pick: Pick = Random.choice,
) -> Steps:
    """The laws on a random game, some of its states and three of its histories; the game itself."""
    steps = playout(game, rng, pick)
    check_state(game, script, steps[-1].after, witness, rng)
    for at in rng.sample(range(len(steps)), min(some, len(steps))):
        check_state(game, script, steps[at].before, witness, rng)
        check_step(game, script, steps[max(at - 1, 0) : at + 1], witness)
    for length in (len(steps), rng.randrange(len(steps)), rng.randrange(SHORT)):
        check_history(game, steps[:length], witness)
    return steps


def _hold(kept: bool, broken: str, *about: object) -> None:
    if not kept:
        raise LawBroken(broken.format(*about))


@lru_cache(maxsize=16)
def _alphabet(game: AnyGame, seat: Seat | None) -> frozenset[Any]:
    return frozenset(game.draws() if seat is None else game.moves(seat))


@lru_cache(maxsize=16)
def _kinds(game: AnyGame, seat: Seat) -> list[list[Any]]:
    moves = game.moves(seat)
    return [[move for move in moves if type(move) is kind] for kind in dict.fromkeys(map(type, moves))]


def _one_of_each_kind(game: AnyGame, seat: Seat, rng: Random) -> list[Any]:
    return [rng.choice(moves) for moves in _kinds(game, seat)]


def _answered(questions: Sequence[Question[Any]], moves: Sequence[Any]) -> Iterator[Any]:
    """The moves that the proper answers lead to."""
    if not questions:
        _hold(len(moves) == 1, "The same answers lead to all of {}.", moves)
        yield moves[0]
        return
    for word in choices(questions[0], moves):
        left = fit(questions[0], moves, word)
        _hold(left.choices == (word,), "The answer {!r} could mean {}.", word, left.choices)
        yield from _answered(questions[1:], left.moves)


def _seen(game: AnyGame, steps: Steps, seat: Seat) -> tuple[str, ...]:
    return tuple(game.seen([(step.before, step.move) for step in steps], seat))
