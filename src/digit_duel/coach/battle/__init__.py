"""Explanations of moves in battle."""
