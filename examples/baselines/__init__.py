"""Baselines of the benchmark: one short script for each method, in NumPy alone."""
