"""Finished games: their results, and how long data is kept."""
