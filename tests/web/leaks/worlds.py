"""Stories told in several worlds: the same to one observer, different in all that the observer may not know.

Cards are dealt anew by the terminal tests' own world-making, which trusts nothing of the program's views.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from tests.reference import cards
from tests.worlds import LETTERS, dealt_anew, random_tokens

from digit_duel import games
from digit_duel.core.game import Seat
from digit_duel.games._battle import Battle
from digit_duel.web.field_types import Opponent

NO_SEAT = "-"  # the sight of somebody who does not play: no card that only one seat has seen
MOST_WORLDS = 12  # of one story
Tokens = tuple[str, ...]

# A table's settings, as the program and as the second implementation name them.
TABLES: tuple[tuple[dict[str, str], cards.Rules], ...] = (
    ({}, {}),
    ({"facing_full": "must_keep"}, {"facing_full": "must_keep"}),
    ({"full_turn": "alternate"}, {"full_turn": "alternate"}),
    (
        {"deck": "persistent", "pool": "0-4x2", "next_starter": "loser"},
        {"deck": "persistent", "pool": (0, 0, 1, 1, 2, 2, 3, 3, 4, 4), "starter": "loser"},
    ),
    (
        {"hand_size": "2", "pool": "0-2x2", "wins_needed": "1"},
        {"hand_size": 2, "pool": (0, 0, 1, 1, 2, 2), "wins_needed": 1},
    ),
)
FIGHTS: tuple[dict[str, str], ...] = (
    {"pool": "1-1x2"},
    {"pool": "1-2x2", "start_life": "6"},
    {"pool": "2-2x2", "start_life": "20"},
    {"pool": "1-1x2", "sudden": "1-9", "standoff_limit": "3"},
)
OPEN_GAMES = ("classic", "reverse", "sabotage")


@dataclass(frozen=True, slots=True)
class Story:
    """One game in worlds that an observer cannot tell apart."""

    seed: str  # of everything that is the same in all worlds
    variant: str
    settings: Mapping[str, str]
    sight: Seat | None  # the observer's seat; None is somebody who looks on
    worlds: tuple[Tokens, ...]  # the moves in each world, draws included
    opponent: Opponent = "friend"
    owner: Seat = Seat.FIRST
    live: int = 2  # how many moves are made while the observer looks on
    hints: bool = False
    thorough: bool = False  # whether to ask what follows from no game, too
    reload: bool = False  # whether the game is read from its log once more
    fault: bool = False  # whether something goes wrong in the server


def story(seed: str, *, thorough: bool | None = None, kind: str = "", most: int = MOST_WORLDS) -> Story:
    """A random story: mostly of cards, some of sudden death, a few of games where only seeds are secret."""
    rng = Random(seed)
    opponent: Opponent = rng.choice(("friend", "friend", "friend", "computer", "same_device"))
    owner = rng.choice(tuple(Seat))
    sight = rng.choice((Seat.FIRST, Seat.SECOND, None))
    if opponent == "same_device":
        sight = None  # who holds both seats may know everything
    elif opponent == "computer" and sight is not None:
        sight = owner
    computer = owner.other if opponent == "computer" else None
    kind = kind or rng.choices(("cards", "battle", "open"), (70, 23, 7))[0]
    tell = {"cards": _cards, "battle": _sudden_death, "open": _open_game}[kind]
    variant, settings, worlds = tell(rng, sight, computer, most)
    thorough = rng.random() < 0.02 if thorough is None else thorough
    return Story(
        seed, variant, settings, sight, worlds, opponent, owner,
        live=rng.choice((1, 1, 2, 3)),
        hints=rng.random() < 0.5,
        thorough=thorough,
        reload=rng.random() < 0.3,
        fault=rng.random() < (0.5 if thorough else 0.03),
    )  # fmt: skip


Told = tuple[str, Mapping[str, str], tuple[Tokens, ...]]


def _cards(rng: Random, sight: Seat | None, computer: Seat | None, most: int) -> Told:
    """Cards, with everything dealt anew that the observer has not seen."""
    letter = NO_SEAT if sight is None else LETTERS[sight]
    while True:
        settings, rules = rng.choice(TABLES) if rng.random() < 0.5 else TABLES[0]
        giving = rng.choice((0.1, 0.3, 0.5, 0.9))
        tokens = random_tokens(rng, rng.randrange(1, 24), rules, giving)
        if computer is not None:
            tokens = _computer_first(tokens, computer, rng, rules)
        if not cards.legal(tokens, **rules):
            continue  # it is over: nothing is a secret any more
        found = {tuple(tokens): None}
        for _ in range(2 * most):
            if len(found) < most and (world := dealt_anew(tokens, letter, rules, rng)):
                found[tuple(world)] = None
        if len(found) > 1:
            return "cards", settings, tuple(found)


def _computer_first(tokens: list[str], computer: Seat, rng: Random, rules: cards.Rules) -> list[str]:
    """The same game with the computer's number laid out before the person's, as the server has it."""
    mine, theirs = LETTERS[computer], LETTERS[computer.other]
    tokens = list(tokens)
    for at in range(1, len(tokens)):
        if tokens[at][0] == mine and tokens[at - 1][0] == theirs:
            tokens[at - 1 : at + 1] = tokens[at], tokens[at - 1]
    if len(tokens) > 1 and tokens[-1][0] == theirs and tokens[-2][0] != mine:
        tokens.pop()
    choices = cards.choices(tokens, **rules)
    return [*tokens, rng.choice(sorted(choices[mine]))] if len(choices) == 2 else tokens


def _sudden_death(rng: Random, sight: Seat | None, computer: Seat | None, most: int) -> Told:
    """Battle, with one digit sealed that the observer has not chosen."""
    while True:
        settings = rng.choice(FIGHTS)
        game = games.variant("battle").customised(settings).game_as(Battle)
        state = game.start()
        tokens: list[str] = []
        reveals = rng.choice((0, 0, 1, 2, 4))
        while not game.outcome(state):
            both = game.sudden_death(state)
            first = rng.choice(tuple(Seat)) if sight is None else sight.other
            first = first if computer is None else computer
            if both and not reveals:
                options = [game.text(move) for move in game.legal(state, first)]
                rng.shuffle(options)
                return "battle", settings, tuple((*tokens, option) for option in options[:most])
            for seat in (first, first.other) if both else (state.to_move,):
                move = rng.choice(game.legal(state, seat))
                tokens.append(game.text(move))
                state = game.play(state, move)
            reveals -= both


def _open_game(rng: Random, sight: Seat | None, computer: Seat | None, most: int) -> Told:
    """A game in which nothing is hidden but seeds, keys, and who people are."""
    variant = games.variant(rng.choice(OPEN_GAMES))
    state, tokens = variant.game.start(), []
    for _ in range(rng.randrange(variant.game.bound or 6)):
        move = rng.choice(variant.game.legal(state, variant.game.acting(state)[0]))
        tokens.append(variant.game.text(move))
        state = variant.game.play(state, move)
    return variant.id, {}, (tuple(tokens),) * min(3, most)
