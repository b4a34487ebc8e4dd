"""Games for Gambit and Graphviz: literal files, and files read by a parser that knows none of our games."""

from __future__ import annotations

import re
import tracemalloc
from collections import defaultdict
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any

import pytest

from digit_duel import solve
from digit_duel.core.variant import AnyVariant
from digit_duel.games import variant
from digit_duel.solve import dot
from digit_duel.solve.research.exploration import questions

CARDS = variant("cards").customised(
    {"facing_full": "must_keep", "pool": "0-3", "hand_size": "2", "wins_needed": "1"}
)
FIGHT = variant("battle").customised(
    {"start_life": "2", "max_life": "3", "pool": "1-2x2", "sudden": "1", "standoff_limit": "2"}
)
PLACES = variant("reverse").customised({"places": "2", "pool": "1-4x2", "tie": "draw"})
ONE_PLACE = variant("classic").customised({"places": "1", "pool": "1-2"})

_TOKEN = re.compile(r'\s*(?:"((?:[^"\\]|\\.)*)"|([{},])|([^\s"{},]+))')

efg = partial(solve.efg, forced=True)  # every node; without is tested below


@dataclass
class Read:
    """A node of an extensive form as its file has it."""

    kind: str
    player: int = 0
    infoset: int = 0
    name: str = ""
    actions: list[str] = field(default_factory=list)
    chances: list[Fraction] = field(default_factory=list)
    outcome: int = 0
    payoffs: list[Fraction] = field(default_factory=list)
    children: list[Read] = field(default_factory=list)

    def all(self) -> list[Read]:
        return [self, *(node for child in self.children for node in child.all())]


class Reader:
    """Gambit's .efg, version 2, as its documentation describes it."""

    def __init__(self, text: str) -> None:
        self.tokens: list[tuple[str, str]] = []
        at = 0
        while text[at:].strip():
            found = _TOKEN.match(text, at)
            assert found, f"no token at {text[at : at + 30]!r}"
            quoted, mark, word = found.groups()
            self.tokens.append(
                ("text", quoted) if quoted is not None else ("mark", mark) if mark else ("word", word)
            )
            at = found.end()
        assert [self.take("word") for _ in range(3)] == ["EFG", "2", "R"]
        self.title = self.take("text")
        self.players = self.listed("text")
        self.comment = self.take("text")
        self.root = self.node()
        assert not self.tokens, "there is more after the last node"

    def take(self, kind: str) -> str:
        found, text = self.tokens.pop(0)
        assert found == kind, f"{kind} expected, not {text}"
        return text

    def listed(self, kind: str) -> list[str]:
        assert self.take("mark") == "{"
        found = []
        while self.tokens[0] != ("mark", "}"):
            found.append(self.take(kind))
            if self.tokens[0] == ("mark", ","):
                self.take("mark")
        self.take("mark")
        return found

    def node(self) -> Read:
        node = Read(self.take("word"))
        self.take("text")  # the node's own name
        if node.kind == "t":
            node.outcome = int(self.take("word"))
            node.name = self.take("text")
            node.payoffs = [Fraction(payoff) for payoff in self.listed("word")]
            return node
        assert node.kind in "cp"
        node.player = int(self.take("word")) if node.kind == "p" else 0
        node.infoset = int(self.take("word"))
        node.name = self.take("text")
        if node.kind == "p":
            node.actions = self.listed("text")
        else:
            assert self.take("mark") == "{"
            while self.tokens[0] != ("mark", "}"):
                node.actions.append(self.take("text"))
                node.chances.append(Fraction(self.take("word")))
            self.take("mark")
        assert self.take("word") == "0"  # no outcome before the end
        node.children = [self.node() for _ in node.actions]
        return node


def test_the_smallest_game_is_this_file() -> None:
    assert (
        efg(ONE_PLACE)
        == """\
EFG 2 R "classic places=1 pool=1-2" { "First" "Second" }
"Digits in a number: 1 (rulebook: 3); The shared digits: 1-2 (rulebook: 1-9)"

p "" 1 1 "" { "1a1" "2a1" } 0
p "" 2 1 "1a1" { "2b1" } 0
t "" 1 "higher number" { -1, 1 }
p "" 2 2 "2a1" { "1b1" } 0
t "" 2 "higher number" { 1, -1 }
"""
    )


def test_the_smallest_game_is_this_picture() -> None:
    assert (
        dot(ONE_PLACE)
        == """\
digraph {
  1 [label="a"];
  2 [label="b"];
  1 -> 2 [label="1a1"];
  3 [shape=box, label="b"];
  2 -> 3 [label="2b1"];
  4 [label="b"];
  1 -> 4 [label="2a1"];
  5 [shape=box, label="a"];
  4 -> 5 [label="1b1"];
}
"""
    )


@pytest.mark.parametrize("game", [CARDS, FIGHT, PLACES, ONE_PLACE], ids=lambda game: game.id)
def test_a_file_is_a_proper_extensive_form(game: AnyVariant) -> None:
    read = Reader(efg(game))
    assert read.title.split()[0] == game.id
    assert read.players == ["First", "Second"]
    sets: dict[tuple[int, int], tuple[str, list[str]]] = {}
    outcomes: dict[int, tuple[str, list[Fraction]]] = {}
    for node in read.root.all():
        if node.kind == "t":
            assert sum(node.payoffs) == 0
            assert outcomes.setdefault(node.outcome, (node.name, node.payoffs)) == (node.name, node.payoffs)
        elif node.kind == "c":
            assert sum(node.chances) == 1
            assert len(set(node.actions)) == len(node.actions) > 0
        else:
            assert node.player in (1, 2)
            key = (node.player, node.infoset)
            assert sets.setdefault(key, (node.name, node.actions)) == (node.name, node.actions)
    for player in (1, 2):  # numbered from one on, and no two with one name
        numbers = [infoset for owner, infoset in sets if owner == player]
        assert sorted(numbers) == list(range(1, len(numbers) + 1))
        assert len({sets[player, number][0] for number in numbers}) == len(numbers)


def test_where_nothing_is_hidden_every_information_set_is_one_node() -> None:
    seen = [(node.player, node.infoset) for node in Reader(efg(PLACES)).root.all() if node.kind == "p"]
    assert len(seen) == len(set(seen))


def test_where_hands_are_hidden_an_information_set_is_a_view() -> None:
    sets = {(node.player, node.infoset) for node in Reader(efg(CARDS)).root.all() if node.kind == "p"}
    assert len(sets) == len(list(questions(CARDS.game)))


@pytest.mark.parametrize(
    "ask",
    [
        lambda: solve.efg(variant("cards"), 20_000),
        lambda: solve.dot(variant("cards"), 20_000),
        lambda: list(solve.nodes(variant("cards").game, 20_000)),
    ],
)
def test_a_game_that_never_has_to_end_is_refused_before_it_fills_the_memory(ask: Any) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(solve.TooBig, match="more than 20,000 nodes"):
            ask()
        assert tracemalloc.get_traced_memory()[1] < 100 << 20
    finally:
        tracemalloc.stop()


def test_variants_and_games_are_not_confused() -> None:
    with pytest.raises(TypeError, match="takes a variant, not its game"):
        solve.efg(CARDS.game)  # type: ignore[arg-type]  # that is the mistake
    with pytest.raises(TypeError, match="takes a variant, not its game"):
        solve.dot(CARDS.game)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"pass variant\.game"):
        list(solve.nodes(CARDS))  # type: ignore[arg-type]


def backward(node: Read) -> Fraction:
    """The first player's payoff by backward induction, where nothing is hidden."""
    if node.kind == "t":
        return node.payoffs[0]
    values = [backward(child) for child in node.children]
    if node.kind == "c":
        return sum((c * value for c, value in zip(node.chances, values, strict=True)), Fraction(0))
    return max(values) if node.player == 1 else min(values)


@pytest.mark.parametrize("game", [PLACES, ONE_PLACE], ids=lambda game: game.id)
def test_backward_induction_on_the_file_finds_the_value(game: AnyVariant) -> None:
    assert backward(Reader(efg(game)).root) == solve.value_of(game.game)


def test_a_tree_has_as_many_nodes_as_there_are_sequences_of_moves() -> None:
    counted: defaultdict[int, int] = defaultdict(int)

    def walk(node: Read, ply: int) -> None:
        counted[ply] += 1
        for child in node.children:
            walk(child, ply + 1)

    walk(Reader(efg(PLACES)).root, 0)
    # Words of four digits, none more than twice: 1, 4, 16, 60, 204; places in order: 1, 2, 4, 4, 4.
    assert dict(counted) == {0: 1, 1: 8, 2: 64, 3: 240, 4: 816}


@pytest.mark.parametrize("game", [CARDS, FIGHT, PLACES], ids=lambda game: game.id)
def test_a_picture_has_the_nodes_and_the_moves_of_the_tree(game: AnyVariant) -> None:
    tree, lines = Reader(efg(game)).root.all(), dot(game).splitlines()
    assert (lines[0], lines[-1]) == ("digraph {", "}")
    shapes = [re.fullmatch(r"  (\d+) \[(?:shape=(\w+), )?label=\"(\w*)\"\];", line) for line in lines[1:-1]]
    drawn = [(found[2], found[3]) for found in shapes if found]
    assert len(drawn) == len(tree)
    wanted: list[Any] = [
        ("box", {1: "a", 0: "draw", -1: "b"}[int(node.payoffs[0])]) if node.kind == "t"
        else ("diamond", "") if node.kind == "c"
        else (None, "ab"[node.player - 1])
        for node in tree
    ]  # fmt: skip
    assert drawn == wanted
    edges = [line for line in lines if "->" in line]
    dashed = [line for line in edges if line.endswith("[style=dashed, dir=none, constraint=false];")]
    assert len(edges) - len(dashed) == len(tree) - 1
    sets = {(node.player, node.infoset) for node in tree if node.kind == "p"}
    assert len(dashed) == sum(node.kind == "p" for node in tree) - len(sets)


def test_what_is_too_big_for_a_tree_is_refused_before_it_is_made() -> None:
    with pytest.raises(solve.TooBig, match="it has more than 1,000 nodes"):
        efg(variant("classic"), limit=1000)
    endless = variant("battle").customised(
        {"start_life": "3", "max_life": "4", "pool": "1-2x2", "sudden": "1-2"}
    )
    with pytest.raises(solve.TooBig):
        dot(endless, limit=5000)
    assert len(Reader(efg(ONE_PLACE, limit=5)).root.all()) == 5
    with pytest.raises(solve.TooBig):
        efg(ONE_PLACE, limit=4)


@pytest.mark.parametrize("game", [CARDS, FIGHT, PLACES, ONE_PLACE], ids=lambda game: game.id)
def test_forced_moves_have_no_nodes_unless_asked_for(game: AnyVariant) -> None:
    whole, short = Reader(efg(game)).root.all(), Reader(solve.efg(game)).root.all()
    choices = [len(node.actions) for node in short if node.kind == "p"]
    assert min(choices) > 1
    # Nothing else is left out: every forced move takes away one node, and no end.
    forced = sum(len(node.actions) == 1 for node in whole if node.kind == "p")
    assert len(short) == len(whole) - forced
