"""Hints, reviews and analysed positions, computed in a separate process."""
