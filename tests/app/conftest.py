"""A home folder in memory for every test."""

from tests.home_in_memory import saves_in_memory, tmp_path

__all__ = ["saves_in_memory", "tmp_path"]
