"""The solver of any game without hidden hands: state by state, using a file of values if there is one."""

from __future__ import annotations

from contextlib import suppress

from digit_duel.core.game import M, S
from digit_duel.solve.effort import Effort, Progress
from digit_duel.solve.errors import DamagedTable
from digit_duel.solve.general.file_oracle import FileOracle
from digit_duel.solve.general.tablebase import Tablebase
from digit_duel.solve.general.value_file import ValueFile
from digit_duel.solve.report import Report, open_report
from digit_duel.solve.solver import OpenSolver
from digit_duel.solve.storage import cache, cache_path, title


class GeneralSolver(OpenSolver[S, M]):
    """Solves games without hidden information, simultaneous choices excepted."""

    def find_oracle(self, effort: Effort, progress: Progress | None) -> FileOracle[S, M]:
        path = cache_path(self.game, ".ddvf")
        with suppress(OSError, DamagedTable):  # missing or damaged: make a new one
            return FileOracle(self.game, ValueFile.decode(path.read_bytes(), title(self.game)))
        solved = Tablebase(self.game, progress=progress, most=effort.states)
        values = ValueFile.of(title(self.game), ((state, solved.value(state)) for state in solved))
        cache(path, values.encode)
        return FileOracle(self.game, values)

    def report(self, progress: Progress) -> Report:
        solved = Tablebase(self.game, progress=progress)
        return open_report(self.game, solved, solved.states)
