"""Explanations of moves in cards."""
