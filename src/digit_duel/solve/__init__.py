"""Exact solutions: what every position is worth, and why nobody can do better."""
