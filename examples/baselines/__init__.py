"""Baselines of the benchmark: one short script for each method, using only NumPy."""
