"""Saved games and records on disk."""
