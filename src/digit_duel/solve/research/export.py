"""Export of small games: extensive form for Gambit, and DOT for Graphviz."""

from __future__ import annotations

from collections.abc import Iterator

from digit_duel.core.decisions import Decisions, only_move
from digit_duel.core.game import Game, M, Outcome, S, Seat, V
from digit_duel.core.variant import AnyGame, AnyVariant
from digit_duel.solve.research.exploration import refuse_game
from digit_duel.solve.research.game_tree import MOST_NODES, Node, nodes


def efg(variant: AnyVariant, limit: int = MOST_NODES, forced: bool = False) -> str:
    """A game's tree as a Gambit file (.efg); raises TooBig.

    Moves are in notation, and an information set is named by the moves as far as the seat knows them. Forced
    moves have no nodes unless `forced` is set: some of Gambit's solvers fail on nodes with one action.
    """
    refuse_game(variant)
    game: AnyGame = variant.game if forced else Decisions(variant.game, (only_move,))
    settings = "".join(f" {name}={text}" for name, text in variant.settings.items())
    about = "; ".join(variant.changes) or variant.summary  # the summary is that of the rulebook
    players = " ".join(_quoted(seat.name.capitalize()) for seat in Seat)
    outcomes: dict[Outcome, int] = {}
    lines = [f"EFG 2 R {_quoted(variant.id + settings)} {{ {players} }}", _quoted(about), ""]
    lines += (_efg_line(game, node, outcomes) for node in nodes(game, limit))
    return "\n".join(lines) + "\n"


def dot(variant: AnyVariant, limit: int = MOST_NODES) -> str:
    """A game's tree for Graphviz (.dot); dashed lines join nodes of one information set. Raises TooBig."""
    refuse_game(variant)
    return "\n".join(_dot_lines(variant.game, limit)) + "\n"


def _efg_line(game: Game[S, M, V], node: Node[M, V], outcomes: dict[Outcome, int]) -> str:
    if node.outcome is not None:
        number = outcomes.setdefault(node.outcome, len(outcomes) + 1)
        scores = ", ".join(str(node.outcome.score(seat)) for seat in Seat)
        return f't "" {number} {_quoted(node.outcome.reason)} {{ {scores} }}'
    texts = [_quoted(game.text(move)) for move in node.moves]
    if node.seat is None:
        weighted = " ".join(f"{text} {chance}" for text, chance in zip(texts, node.chances, strict=True))
        return f'c "" {node.number} "" {{ {weighted} }} 0'
    return f'p "" {node.seat + 1} {node.knows} {_quoted(node.seen)} {{ {" ".join(texts)} }} 0'


def _dot_lines(game: Game[S, M, V], limit: int) -> Iterator[str]:
    yield "digraph {"
    alike: dict[tuple[Seat, int], int] = {}
    for node in nodes(game, limit):
        yield f"  {node.number} [{_look(node)}];"
        if node.move is not None:
            yield f"  {node.parent} -> {node.number} [label={_quoted(game.text(node.move))}];"
        if node.seat is not None:
            before = alike.get((node.seat, node.knows))
            alike[node.seat, node.knows] = node.number
            if before is not None:
                yield f"  {before} -> {node.number} [style=dashed, dir=none, constraint=false];"
    yield "}"


def _look(node: Node[M, V]) -> str:
    if node.outcome is not None:
        winner = node.outcome.winner
        return f"shape=box, label={_quoted('draw' if winner is None else winner.letter)}"
    return 'shape=diamond, label=""' if node.seat is None else f"label={_quoted(node.seat.letter)}"


def _quoted(text: str) -> str:
    """Quote a text, escaping the quotation marks in it."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
