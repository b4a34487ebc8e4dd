"""Solvers for any game without hidden information, simultaneous choices excepted."""
