"""Rendering of games for environments."""
