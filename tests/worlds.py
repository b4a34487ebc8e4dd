"""Two worlds that one seat cannot tell apart, and all that rules and script tell that seat in each of them.

What a seat may know is worked out here from the moves alone, with the second implementation's help: nothing
of the program's own views is trusted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from copy import copy
from random import Random
from typing import Any

from tests.reference import cards

from digit_duel import games
from digit_duel.core.answers import one_line, refusal
from digit_duel.core.game import Refused, Seat
from digit_duel.core.script import Step
from digit_duel.core.session import AnySession, Session
from digit_duel.core.variant import AnyVariant

Tokens = list[str]
CARDS = games.variant("cards")
NAMES = ("Ann", "Ben")
LETTERS = "ab"
REFUSALS = 0.03  # how often something wrong is tried

# Typed by the observer before the true answer; none of them is one, in any of the games.
WRONG = ("zz", "12", "1234567", "0 0", "b?", "d7", "a000", "b999", "x9", "9a1", "deck", "\u0663", "k g")


class Leak(AssertionError):
    """A seat was shown different things in worlds that it may not tell apart."""


# What a seat may know of a game of cards.


def hidden(tokens: Sequence[str], seat: str, rules: cards.Rules) -> set[int]:
    """The moves whose digits the seat may not know (C1): cards that the other drew and did not part with."""
    seen = cards.trace(tokens, **rules)
    size = rules.get("hand_size", 3)
    held = {"a": 0, "b": 0}
    unknown: set[int] = set()
    laid_out: list[int] = []
    mover = ""
    for at, token in enumerate(tokens):
        if token[0] == "d":
            (mover,) = seen[at + 1].choices
            fate = tokens[at + 1] if at + 1 < len(tokens) else None
            kept = fate == "k" and held[mover] < size
            if mover != seat and (fate is None or kept):
                unknown.add(at)
        elif token in ("k", "g"):
            to = mover if token == "k" else "ab".replace(mover, "")
            held[to] = min(size, held[to] + 1)
        else:
            laid_out.append(at)
            if len(laid_out) == 2:  # the reveal
                laid_out, held = [], {"a": 0, "b": 0}
    return unknown | {at for at in laid_out if tokens[at][0] != seat}


def known(tokens: Sequence[str], seat: str, rules: cards.Rules) -> tuple[str, ...]:
    """The game as the seat may know it."""
    unknown = hidden(tokens, seat, rules)
    return tuple(f"{token[0]}?" if at in unknown else token for at, token in enumerate(tokens))


def random_tokens(rng: Random, length: int, rules: cards.Rules, giving: float = 0.4) -> Tokens:
    """A random game of about so many moves, cut where somebody has to choose, or over."""
    tokens: Tokens = []
    second_first = rng.random() < 0.2  # who lays out a number first; at one keyboard it is the first seat
    with_number = rng.random() < 0.2  # cut between two numbers, which chance alone seldom does
    while (seen := cards.trace(tokens, **rules)[-1]).legal():
        if seen.draws:
            digits = [digit for digit, copies in seen.draws.items() for _ in range(copies)]
            tokens.append(f"d{rng.choice(digits)}")
            continue
        between = bool(tokens) and tokens[-1][0] in LETTERS and len(seen.choices) == 1
        if len(tokens) >= length and between >= with_number:
            break
        seat = max(seen.choices) if second_first else min(seen.choices)
        choices = sorted(seen.choices[seat])
        if "g" in choices:
            choices = ["g"] if rng.random() < giving else ["k"]
        tokens.append(rng.choice(choices))
    return tokens


def dealt_anew(tokens: Tokens, seat: str, rules: cards.Rules, rng: Random) -> Tokens | None:
    """Another world that the seat cannot tell from this one; None if chance finds none."""
    secret = hidden(tokens, seat, rules)
    rounds = _rounds(tokens)
    current = rounds[-1]
    for _ in range(4):
        world = list(tokens)
        for plies in rounds:
            drawn = [at for at in plies if at in secret and tokens[at][0] == "d"]
            bag = [tokens[at] for at in drawn]
            if plies is current:  # nothing is revealed yet: any card of the deck could have been drawn
                bag += [f"d{digit}" for digit in cards.table(tokens, **rules).deck]
            for at, card in zip(drawn, rng.sample(bag, len(drawn)), strict=True):
                world[at] = card
        with suppress(ValueError):  # the deck ran out and was shuffled anew: not every order is possible
            for at in sorted(secret):
                if world[at][0] != "d":
                    hand = list(cards.table(world[:at], **rules).hands[LETTERS.index(world[at][0])])
                    rng.shuffle(hand)
                    world[at] = world[at][0] + "".join(hand)
            if world != tokens and known(world, seat, rules) == known(tokens, seat, rules):
                return world
    return None


def random_pairs(count: int, seed: str) -> Iterator[tuple[Seat, Tokens, Tokens]]:
    """So many random games of cards, each with another that one seat cannot tell from it."""
    rng = Random(seed)
    while count:
        tokens = random_tokens(rng, rng.randrange(2, 20), {})
        seat = rng.choice(tuple(Seat))
        if world := dealt_anew(tokens, LETTERS[seat], {}, rng):
            count -= 1
            yield seat, tokens, world


def _rounds(tokens: Tokens) -> list[list[int]]:
    """The moves of each round; the last one is the round being played."""
    rounds: list[list[int]] = [[]]
    for at, token in enumerate(tokens):
        rounds[-1].append(at)
        if token[0] in LETTERS and tokens[at - 1][0] in LETTERS:
            rounds.append([])
    return rounds


# What a seat is shown by rules and script.


def played(variant: AnyVariant, tokens: Sequence[str]) -> AnySession:
    """A session in which these moves have been made."""
    game = variant.game
    session = Session(variant, NAMES, lambda draws, ply: draws[0][0])
    session.steps = []
    for token in tokens:
        state = session.state
        if draws := game.chance(state):
            seat, move = None, next(move for move, _ in draws if game.text(move) == token)
        else:
            legal = [(seat, move) for seat in game.acting(state) for move in game.legal(state, seat)]
            seat, move = next(found for found in legal if game.text(found[1]) == token)
        session.steps.append(Step(seat, move, state, game.play(state, move)))
    return session


def until(session: AnySession, ply: int) -> AnySession:
    """The same session some moves earlier."""
    earlier = copy(session)
    earlier.steps = session.steps[:ply]
    return earlier


def told(session: AnySession, seat: Seat, rng: Random) -> list[str]:
    """All that rules and script tell a seat now, refusals included."""
    game, script = session.game, session.variant.voice
    state, view = session.state, session.view(seat)
    words = [repr(view), repr(script.scene(view)), repr(session.outcome), repr(session.acting)]
    words.append(session.record_for(seat).text())
    if session.steps:
        words.append(script.narrate(session.steps[-1], seat, NAMES))
        words.append(script.brief(session.steps[-1], seat, NAMES))
        words.append(script.round_result(session.steps[-1], NAMES))
    wrong = rng.sample(WRONG, 2) if rng.random() < REFUSALS else []  # these take most of the time
    legal = game.legal(state, seat)
    words.append(" ".join(game.text(move) for move in legal))
    if legal:
        words += [script.headline(view, seat, NAMES), script.turn(view, seat, NAMES)]
        for question in script.questions(view, seat):
            words += [question.prompt(move) + repr(question.answers(move)) for move in legal]
            words.append(repr(question.secret))
            words += [refusal(script, view, seat, question, legal, game.moves(seat), text) for text in wrong]
        words += [_refused(one_line, script, state, seat, text) for text in wrong]
    words += [_refused(game.parse, state, seat, text) for text in (*wrong, *("k", "g", "a972")[: len(wrong)])]
    words.append(_refused(until(session, len(session.steps)).take_back, seat))
    return words


def _refused(attempt: Callable[..., Any], *args: Any) -> str:
    try:
        return repr(attempt(*args))
    except Refused as refused:
        return f"{type(refused).__name__}: {refused}"
