"""Two worlds that one seat cannot tell apart, and everything that seat is shown in each of them.

What a seat may know is worked out here from the moves alone, with the second implementation's help: nothing
of the program's own views is trusted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from copy import copy
from functools import lru_cache
from io import StringIO
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from tests.reference import cards

from digit_duel.bots import LEVELS
from digit_duel.cli.duel import Duel
from digit_duel.cli.prompt import Leave
from digit_duel.cli.terminal import Terminal
from digit_duel.core.answers import one_line, refusal
from digit_duel.core.game import Pair, Refused, Seat, put
from digit_duel.core.script import Step
from digit_duel.core.session import Session
from digit_duel.core.variant import AnyVariant
from digit_duel.games._cards import Cards

Tokens = list[str]
NAMES = ("Ann", "Ben")
LETTERS = "ab"
REFUSALS = 0.03  # how often something wrong is tried

# Typed by the observer before the true answer; none of them is one, in any of the games.
COMMANDS = ("board", "moves", "help", "hint", "why", "save", "undo", "resign|no")
WRONG = ("zz", "12", "1234567", "0 0", "b?", "d7", "a000", "b999", "x9", "9a1", "deck", "\u0663", "k g")


class Leak(AssertionError):
    """A seat was shown different things in worlds that it may not tell apart."""


# What a seat may know of a game of cards.


class NothingKept:
    """A game that is not saved anywhere."""

    def keep(self, session: Session) -> None: ...

    def save_now(self, session: Session) -> str:
        return "Saved."


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


def _rounds(tokens: Tokens) -> list[list[int]]:
    """The moves of each round; the last one is the round being played."""
    rounds: list[list[int]] = [[]]
    for at, token in enumerate(tokens):
        rounds[-1].append(at)
        if token[0] in LETTERS and tokens[at - 1][0] in LETTERS:
            rounds.append([])
    return rounds


# What a seat is shown by rules and script.


def played(variant: AnyVariant, tokens: Sequence[str]) -> Session:
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


def until(session: Session, ply: int) -> Session:
    """The same session some moves earlier."""
    earlier = copy(session)
    earlier.steps = session.steps[:ply]
    return earlier


def told(session: Session, seat: Seat, rng: Random) -> list[str]:
    """All that rules and script tell a seat now, refusals included."""
    game, script = session.game, session.variant.voice
    state, view = session.state, session.view(seat)
    words = [repr(view), repr(script.scene(view)), repr(session.outcome), repr(session.acting)]
    words.append(session.record_for(seat).text())
    if session.steps:
        words.append(script.narrate(session.steps[-1], seat, NAMES))
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
    words.append(_refused(until(session, len(session.steps)).undo, seat))
    return words


def _refused(attempt: Callable[..., Any], *args: Any) -> str:
    try:
        return repr(attempt(*args))
    except Refused as refused:
        return f"{type(refused).__name__}: {refused}"


# What a seat is shown by the terminal.


class Glass(StringIO):
    """A screen, or a pipe: knows what can be read on it now, and who has been able to read what."""

    def __init__(self, tty: bool) -> None:
        super().__init__()
        self.tty, self.echo = tty, True
        self.visible, self._main = "", ""
        self.reader: str | None = None  # None is both, over each other's shoulder
        self.seen: dict[str, list[str]] = {name: [] for name in NAMES}

    def isatty(self) -> bool:
        return self.tty

    def write(self, text: str) -> int:
        for part in re.split(r"(\x1b\[2J\x1b\[H|\x1b\[\?1049[hl]|--- For \w+'s eyes only ---\n)", text):
            if part == "\x1b[?1049h":
                self._main = self._clear()
            elif part == "\x1b[?1049l":
                self._clear()
                self.visible, self.reader = self._main, None
            elif part == "\x1b[2J\x1b[H":
                self._clear()
            elif part.startswith("--- For ") and not self.tty:
                self._clear()
                self.reader = part.split("'")[0].removeprefix("--- For ")
            else:
                self.visible += part
        return len(text)

    def read_now(self) -> None:
        """Whoever sits here reads what there is."""
        for name in NAMES if self.reader is None else (self.reader,):
            self.seen[name].append(self.visible)

    def _clear(self) -> str:
        self.read_now()
        cleared, self.visible = self.visible, ""
        return cleared


class Typist(StringIO):
    """Both people at one keyboard: they play the moves of a world, and the observer asks around before."""

    def __init__(self, glass: Glass, answers: Sequence[tuple[str, str]], observer: str, seed: str) -> None:
        super().__init__()
        self._glass, self._answers, self._observer, self._seed = glass, list(answers), observer, seed
        self._typing: list[str] | None = None  # what comes before the next answer
        self._moved = 0

    def isatty(self) -> bool:
        return self._glass.tty

    def readline(self, limit: int | None = -1, /) -> str:  # type: ignore[override]  # StringIO's own
        glass = self._glass
        if passed := re.search(r"Pass the keyboard to (\w+)\.\n\n.* can see the screen\. $", glass.visible):
            glass.reader = None
            glass.read_now()
            glass.reader = passed[1]
            line = ""
        else:
            glass.read_now()
            if glass.visible.endswith(("Press Enter to cover your hand. ", ", and press Enter. ")):
                line = ""
            else:
                found = self._next_line()
                if found is None:
                    return ""  # the end of this world
                line = found
        if glass.tty:
            glass.write(f"{line}\n" if glass.echo else "")  # as a terminal does
        return f"{line}\n"

    def _next_line(self) -> str | None:
        if self._typing is None:
            self._typing = self._probes()
        if self._typing:
            return self._typing.pop(0)
        if not self._answers:
            return None
        self._typing = None
        self._moved += 1
        return self._answers.pop(0)[1]

    def _probes(self) -> list[str]:
        """What the person at the keyboard types before the next answer: the observer, all sorts of things."""
        name, answer = self._answers[0] if self._answers else (self._observer, "")
        *slips, final = answer.split("|")  # slips of the hand stand before the answer, with bars between
        if slips:
            self._answers[0] = (name, final)
        if name != self._observer:
            return slips
        rng = Random(f"{self._seed}/{self._moved}")
        chosen = rng.sample(COMMANDS, rng.randrange(3) if self._answers else 4)
        chosen += rng.sample(WRONG, 2) if rng.random() < REFUSALS else []
        return [*(line for probe in chosen for line in probe.split("|")), *slips]


def in_order(tokens: Sequence[str]) -> bool:
    """Whether numbers are laid out as one keyboard asks for them, the first seat first."""
    return all(before[0] == "a" for before, token in pairwise(tokens) if token[0] == "b")


def answers_of(session: Session, tokens: Sequence[str], rng: Random) -> list[tuple[str, str]]:
    """Who types what, to make these moves; words are chosen at random, alike in all worlds."""
    found = []
    for step, token in zip(session.steps, tokens, strict=True):
        if step.seat is None:
            continue
        words = {"k": ("yes", "Y", "keep", "k"), "g": ("no", "N", "give", "g")}.get(token)
        if words is None:
            rng.random()
            typed = token[1:] if token[0] in LETTERS else token
        else:
            typed = rng.choice(words)
        found.append((NAMES[step.seat], typed))
    return found


def watched(
    variant: AnyVariant,
    tokens: Sequence[str],
    answers: Sequence[tuple[str, str]],
    observer: Seat,
    seed: str,
    tty: bool,
    computer: Computer | None = None,
) -> Glass:
    """The whole Duel at an in-memory terminal; what each person could read is in the glass."""
    glass = Glass(tty)
    typed = [(name, answer) for name, answer in answers if computer is None or name == NAMES[observer]]
    keyboard = Typist(glass, typed, NAMES[observer], seed)

    def deal(draws: Sequence[tuple[Any, int]], ply: int) -> Any:
        wanted = tokens[ply] if ply < len(tokens) else ""
        for move, _ in draws:
            if variant.game.text(move) == wanted:
                return move
        raise EOFError

    @contextmanager
    def typing_unseen(terminal: Terminal) -> Iterator[None]:
        glass.echo = False  # a terminal in memory has no line settings
        try:
            yield
        finally:
            glass.echo = True

    levels: Pair[str | None] = put((None, None), observer.other, "scripted" if computer else None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Terminal, "_typing_unseen", typing_unseen)
        if computer is not None:
            patch.setitem(LEVELS, "scripted", lambda variant, seat, rng: computer)
        terminal = Terminal(keyboard, glass)
        try:
            duel = Duel(Session(variant, NAMES, deal), terminal, levels, NothingKept())
            with suppress(EOFError, Leave):
                duel.run()
        finally:
            terminal.go_public()  # where both can see
    glass.read_now()
    return glass


class Computer:
    """An opponent that makes the moves of a world."""

    def __init__(self, session: Session, seat: Seat) -> None:
        self._moves = [step.move for step in session.steps if step.seat is seat]

    def choose(self, view: Any, legal: Sequence[Any]) -> Any:
        if not self._moves:
            raise EOFError
        return self._moves.pop(0)


# Comparing worlds.


def same(shown: Sequence[str], other: Sequence[str], where: str) -> None:
    """Raise Leak unless both lists are equal to the byte."""
    if shown == other:
        return
    for one, two in zip(shown, other, strict=False):
        if one != two:
            raise Leak(f"{where}:\n{one}\n--- but in a world that looks alike ---\n{two}")
    raise Leak(f"{where}: shown {len(shown)} times in one world, {len(other)} times in the other")


def compare_told(sessions: Sequence[Session], worlds: Sequence[Tokens], seat: Seat, seed: str) -> None:
    """Rules and script tell the seat the same in all worlds, at every step."""
    first, *others = sessions
    told_first: dict[int, list[str]] = {}
    for other, tokens in zip(others, worlds[1:], strict=True):
        start = next(at for at, pair in enumerate(zip(worlds[0], tokens, strict=True)) if pair[0] != pair[1])
        for ply in range(start, len(tokens) + 1):  # up to there the two worlds are one
            if ply not in told_first:
                told_first[ply] = told(until(first, ply), seat, Random(f"{seed}/{ply}"))
            news = told(until(other, ply), seat, Random(f"{seed}/{ply}"))
            same(told_first[ply], news, f"{worlds[0][:ply]} told to {NAMES[seat]}")


def compare_terminals(
    sessions: Sequence[Session], worlds: Sequence[Tokens], seat: Seat, seed: str, tty: bool, alone: bool
) -> None:
    """The terminal shows the seat the same in all worlds, whenever the seat can see it."""
    seen = []
    for session, world in zip(sessions, worlds, strict=True):
        answers = answers_of(session, world, Random(seed))
        computer = Computer(session, seat.other) if alone else None
        seen.append(watched(session.variant, world, answers, seat, seed, tty, computer).seen[NAMES[seat]])
    for other in seen[1:]:
        same(seen[0], other, f"{worlds[0]} shown to {NAMES[seat]} on {'a screen' if tty else 'a pipe'}")


def sweep(variant: AnyVariant, rules: cards.Rules, pairs: int, seed: str, longest: int = 18) -> int:
    """Compare so many random pairs of worlds in everything; the number of pairs compared."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Cards, "moves", lru_cache(Cards.moves))  # only because a thousand numbers take time
        return _sweep(variant, rules, pairs, seed, longest)


def _sweep(variant: AnyVariant, rules: cards.Rules, pairs: int, seed: str, longest: int) -> int:
    rng = Random(seed)
    done = tries = 0
    while done < pairs:
        tries += 1
        length = rng.randrange(2, longest)
        tokens = random_tokens(rng, length, rules, giving=rng.choice((0.1, 0.3, 0.5, 0.9)))
        seat = rng.choice(tuple(Seat))
        worlds = [tokens]
        for _ in range(6):
            world = dealt_anew(tokens, LETTERS[seat], rules, rng)
            worlds += [world] if world else []
        if len(worlds) == 1:
            continue
        sessions = [played(variant, world) for world in worlds]
        compare_told(sessions, worlds, seat, f"{seed}/{tries}")
        alone = tries % 5 == 0
        if alone or in_order(tokens):
            compare_terminals(sessions, worlds, seat, f"{seed}/{tries}", tries % 2 == 0, alone)
        done += len(worlds) - 1
    return done
