"""Computers for cards: counting, hunting, and the solved rounds, all from one seat's view."""
