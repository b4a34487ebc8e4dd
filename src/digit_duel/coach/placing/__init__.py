"""Reasons for placing games."""
