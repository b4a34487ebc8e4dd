"""Reads back the record of one seat: every ? becomes a move that fits all that the seat saw."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from digit_duel.core.game import Game, M, Refused, S, Seat, V
from digit_duel.core.record import UNFINISHED, BadRecord, Record, Steps, next_move, replay, where
from digit_duel.core.variant import Variant

_MOST_TRIES = 10_000  # moves that are tried for the ? of one record; a record of a real game needs few


def seat_of(variant: Variant[S, M, V], record: Record) -> Seat | None:
    """The seat whose record this is, if it shows less than a whole record would; otherwise None."""
    seen = record.headers.get("Seen", "").upper()
    part = _hides(record.moves) or (record.result == UNFINISHED and variant.hides_hands)
    return Seat[seen] if part and seen in Seat.__members__ else None


def replay_seen(variant: Variant[S, M, V], record: Record) -> Steps[S, M]:
    """The steps of a record, whole or of one seat; raises BadRecord.

    Of a seat's record only the views of this seat are true: they are the same whatever a ? stands for.
    """
    seat = seat_of(variant, record)
    if seat is not None:
        record = replace(record, moves=filled(variant.game, record.moves, seat, record.places))
    return replay(variant.game, record)


def filled(
    game: Game[S, M, V], moves: Sequence[str], seat: Seat, places: Sequence[tuple[int, int]] = ()
) -> tuple[str, ...]:
    """Moves as a seat saw them, with one that fits in place of every ?; raises BadRecord if none does."""
    if not _hides(moves):
        return tuple(moves)
    texts: list[str] = []
    states = [game.start()]
    path: list[tuple[S, M]] = []
    untried: list[tuple[int, list[str]]] = []  # for each ? so far, where it is and what else it may be
    furthest, problem, tries = 0, "", 0

    def play(text: str) -> None:
        _, move = next_move(game, states[-1], text)
        path.append((states[-1], move))
        states.append(game.play(states[-1], move))
        texts.append(text)

    while (at := len(texts)) < len(moves):
        if "?" in moves[at]:
            untried.append((at, _candidates(game, states[-1], moves[at:], seat)))
            refused = f"no move fits '{moves[at]}'."
        else:
            try:
                play(moves[at])
            except Refused as why:
                refused = str(why)
            else:
                continue
        if at >= furthest:
            furthest, problem = at, refused
        while untried and not untried[-1][1]:
            untried.pop()
        tries += 1
        if not untried or tries > _MOST_TRIES:
            raise BadRecord(f"{where(places, furthest)}: {problem}")
        back, others = untried[-1]
        del texts[back:], path[back:], states[back + 1 :]
        play(others.pop(0))
    if tuple(game.seen(path, seat)) != tuple(moves):
        raise BadRecord(
            f"{where(places, 0)}: these are not the moves as the {seat.name.lower()} seat saw them."
        )
    return tuple(texts)


def _hides(moves: Sequence[str]) -> bool:
    return any("?" in text for text in moves)


def _candidates(game: Game[S, M, V], state: S, moves: Sequence[str], seat: Seat) -> list[str]:
    """What the first of some moves may be, in notation; a ? stands for one character."""
    hidden, *later = moves
    possible = [move for move, _ in game.chance(state)]
    possible += [
        move for mover in game.acting(state) if mover is not seat for move in game.legal(state, mover)
    ]
    texts = [game.text(move) for move in possible if game.may_be(state, move, later)]
    fitting = re.compile(re.escape(hidden).replace(r"\?", "."))
    return [text for text in texts if fitting.fullmatch(text)]
