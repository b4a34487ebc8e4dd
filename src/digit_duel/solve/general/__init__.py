"""Solvers for any game in which nothing is hidden for longer than one choice."""
