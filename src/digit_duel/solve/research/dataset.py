"""Solutions of the size ladder as a dataset: Parquet files, and a Croissant description beside them."""

from __future__ import annotations

import hashlib
import json
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Sequence, Set
from datetime import date
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from digit_duel import __version__
from digit_duel.core.files import write_whole
from digit_duel.core.journal import Journal
from digit_duel.solve.families import views_differ
from digit_duel.solve.research.croissant import About, Column, TableFile, croissant
from digit_duel.solve.research.size_ladder import Rung, ladder
from digit_duel.solve.research.solutions import MOST_DECISIONS, RungDecision, RungSolution, rung_solution

if TYPE_CHECKING:
    import pyarrow as pa

DESCRIPTION, JOURNAL = "croissant.json", "export.journal"
RUNGS, DECISIONS = "rungs", "decisions"  # the summary, and a table for each game: GAME_decisions

RUNG_COLUMNS = (
    Column("rung", "sc:Text", "the game's id and a number, from small to large"),
    Column("game", "sc:Text", "the game's id"),
    Column("options", "sc:Text", "what is set otherwise than in the rulebook, name=value"),
    Column("size", "sc:Integer", "states; where hands are hidden, information sets before a hand is full"),
    Column("hidden", "sc:Boolean", "whether hands are hidden"),
    Column("value", "sc:Float", "the first seat's score under best play, from -1 to 1"),
    Column("value_low", "sc:Text", "the lower bound of that score, as a fraction"),
    Column("value_high", "sc:Text", "the upper bound of that score, as a fraction; equal where it is exact"),
    Column("replayed_fresh", "sc:Boolean", "whether a tied round is taken to be replayed from a fresh deck"),
    Column("openings", "sc:Text", "the winning first moves", many=True),
    Column("decisions", "sc:Integer", "rows of this rung in the table of its game"),
    Column("complete", "sc:Boolean", "whether these are all decisions, not only those of the first plies"),
    Column("nash_conv", "sc:Float", "proven NashConv of the policy; where rounds are repeated, of one round"),
)
DECISION_COLUMNS = (
    Column("rung", "sc:Text", "the rung of the size ladder"),
    Column("ply", "sc:Integer", "moves made before; two choices made at once count as one, draws do not"),
    Column("seat", "sc:Integer", "who decides: 0 is the first seat, 1 the second"),
    Column("view", "sc:Text", "what the seat knows, written as in a policy file"),
    Column("moves", "sc:Text", "the legal moves in notation", many=True),
    Column("play", "sc:Float", "how likely each move is in an optimal policy", many=True),
    Column("regret", "sc:Float", "the score that each move gives away; null if hands are hidden", many=True),
    Column("value", "sc:Float", "the seat's score under best play; null if hands are hidden"),
)

Row = dict[str, Any]  # values by the columns' names
Told = Callable[[Row], None]  # called with the row of every rung that is done


class PyarrowMissing(Exception):
    """Parquet files cannot be written, because pyarrow is not installed."""

    def __init__(self) -> None:
        super().__init__("Parquet files need pyarrow. Install it with: pip install 'digit-duel[lab]'")


class UsedFolder(ValueError):
    """Files of an earlier export would be left in the folder; the message names them."""


def export_solutions(
    folder: Path,
    rungs: Iterable[Rung],
    limit: int = MOST_DECISIONS,
    url: str = "",
    told: Told = lambda row: None,
) -> list[Path]:
    """Write the solutions of some rungs into a folder, and return the paths of the files.

    The files are `rungs.parquet`, a `GAME_decisions.parquet` for each game, and `croissant.json`, in which
    `url` is where the dataset is published. Finished rungs are kept in a journal until all are done, so an
    interrupted export continues where it stopped. Raises PyarrowMissing, UsedFolder, Unsolved, BadJournal or
    OSError.
    """
    _pyarrow()
    rungs = tuple(rungs)
    _refuse_stale(folder, {rung.game for rung in rungs})
    journal = Journal(folder / JOURNAL, f"{limit} decisions, version {__version__}")
    summary: list[Row] = []
    tables: dict[str, list[pa.Table]] = {}
    try:
        for rung in rungs:
            if rung.name not in journal.entries:
                journal.add(rung.name, _entry(rung_solution(rung, limit)))
            entry = journal.entries[rung.name]
            summary.append(entry["row"])
            tables.setdefault(rung.game, []).append(_read_table(b64decode(entry["decisions"])))
            told(entry["row"])
    finally:
        journal.close()
    described = [
        _written(folder, RUNGS, "every rung with its value", RUNG_COLUMNS, [_table(RUNG_COLUMNS, summary)]),
        *(
            _written(folder, f"{game}_{DECISIONS}", f"optimal decisions in {game}", DECISION_COLUMNS, parts)
            for game, parts in tables.items()
        ),
    ]
    text = json.dumps(croissant(_about(url), described), indent=2, ensure_ascii=False) + "\n"
    write_whole(folder / DESCRIPTION, text.encode(), shared=True)
    journal.path.unlink()
    return [folder / f"{table.name}.parquet" for table in described] + [folder / DESCRIPTION]


def _refuse_stale(folder: Path, games: Set[str]) -> None:
    """Raise UsedFolder if tables of other games are left from an earlier export."""
    others = sorted({rung.game for rung in ladder()} - games)
    stale = [name for game in others if (folder / (name := f"{game}_{DECISIONS}.parquet")).exists()]
    if stale:
        raise UsedFolder(
            f"{folder} has files of an earlier export that would no longer belong to the dataset: "
            f"{', '.join(stale)}. Delete them, or choose another folder."
        )


def _about(url: str) -> About:
    return About(
        name="digit-duel-solutions",
        description=(
            "Exact solutions of Digit Duel, five small two-player games with perfect information, chance, "
            "hidden hands and simultaneous choices, in many sizes: values, optimal policies and regrets."
        ),
        version=__version__,
        published=date.today().isoformat(),
        license="https://spdx.org/licenses/MIT.html",
        url=url or f"urn:digit-duel:solutions:{__version__}",
        creator="The Digit Duel developers",
        cite_as=f"The Digit Duel developers. Digit Duel: five two-player digit games with exact solutions. "
        f"Version {__version__}.",
    )


def _entry(solution: RungSolution) -> Row:
    """The journal entry of a rung: its row, and the rows of its decisions as Parquet."""
    rows = [_decision_row(solution.rung.name, decision) for decision in solution.decisions]
    decisions = _parquet(_table(DECISION_COLUMNS, rows))
    return {"row": _rung_row(solution), "decisions": b64encode(decisions).decode()}


def _rung_row(solution: RungSolution) -> Row:
    rung = solution.rung
    return {
        "rung": rung.name,
        "game": rung.game,
        "options": " ".join(f"{name}={text}" for name, text in rung.settings.items()),
        "size": rung.size,
        "hidden": views_differ(rung.variant.game),
        "value": float(rung.value),
        "value_low": str(rung.low),
        "value_high": str(rung.high),
        "replayed_fresh": not rung.by_the_letter,
        "openings": list(rung.openings),
        "decisions": len(solution.decisions),
        "complete": solution.complete,
        "nash_conv": float(solution.nash_conv),
    }


def _decision_row(rung: str, decision: RungDecision) -> Row:
    return {
        "rung": rung,
        "ply": decision.ply,
        "seat": int(decision.seat),
        "view": repr(decision.view),
        "moves": list(decision.moves),
        "play": [float(chance) for chance in decision.play],
        "regret": None if decision.regret is None else [float(lost) for lost in decision.regret],
        "value": None if decision.value is None else float(decision.value),
    }


def _table(columns: Sequence[Column], rows: Sequence[Row]) -> pa.Table:
    pa = _pyarrow()
    kinds = {
        "sc:Text": pa.string(),
        "sc:Integer": pa.int64(),
        "sc:Float": pa.float64(),
        "sc:Boolean": pa.bool_(),
    }
    types = [pa.list_(kinds[column.kind]) if column.many else kinds[column.kind] for column in columns]
    arrays = [
        pa.array([row[column.name] for row in rows], kind)
        for column, kind in zip(columns, types, strict=True)
    ]
    return pa.Table.from_arrays(arrays, [column.name for column in columns])


def _written(
    folder: Path, name: str, meaning: str, columns: Sequence[Column], parts: Sequence[pa.Table]
) -> TableFile:
    content = _parquet(_pyarrow().concat_tables(parts))
    write_whole(folder / f"{name}.parquet", content, shared=True)
    return TableFile(name, meaning, columns, hashlib.sha256(content).hexdigest(), len(content))


def _parquet(table: pa.Table) -> bytes:
    from pyarrow import parquet

    data = BytesIO()
    parquet.write_table(table, data, compression="zstd")
    return data.getvalue()


def _read_table(content: bytes) -> pa.Table:
    from pyarrow import parquet

    return parquet.read_table(BytesIO(content))


def _pyarrow() -> pa:
    try:
        import pyarrow
    except ImportError as missing:
        raise PyarrowMissing from missing
    return pyarrow
