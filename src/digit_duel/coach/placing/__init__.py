"""Explanations of moves in placing games."""
