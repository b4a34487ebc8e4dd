"""Journals: finished work on disk, line by line, so that an interrupted command can resume."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any


class BadJournal(ValueError):
    """A journal is damaged or belongs to a different run; the message says what to do."""


class Journal:
    """Named entries, one line each, synced to disk as they are added."""

    def __init__(self, path: Path, key: str) -> None:
        self.path, self.entries = path, dict[str, Any]()
        kept = self._read(key)
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("r+b" if path.exists() else "w+b")
        self._file.truncate(kept)  # drop a line that a crash cut short
        self._file.seek(kept)
        if not kept:
            self._write({"journal": key})

    def _read(self, key: str) -> int:
        """Read the entries; return how many bytes of the file are complete lines."""
        if not self.path.exists():
            return 0
        whole = 0
        for number, line in enumerate(self.path.read_bytes().splitlines(keepends=True)):
            if not line.endswith(b"\n"):
                break
            try:
                told = json.loads(line)
                if number:
                    self.entries[told["name"]] = told["entry"]
            except (ValueError, LookupError, TypeError):
                raise BadJournal(
                    f"{self.path} is damaged or not a journal; delete it or rename it."
                ) from None
            if number == 0 and told != {"journal": key}:
                raise BadJournal(
                    f"{self.path} belongs to a different run; delete it, or write the result somewhere else."
                )
            whole += len(line)
        return whole

    def add(self, name: str, entry: Any) -> None:
        """Add an entry and sync it to disk."""
        self.entries[name] = entry
        self._write({"name": name, "entry": entry})

    def _write(self, told: Mapping[str, object]) -> None:
        self._file.write(json.dumps(told).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Close the file, and keep it."""
        self._file.close()
