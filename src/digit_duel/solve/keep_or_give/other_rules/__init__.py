"""Rounds with other rules or other cards, each with bounds or an exact value."""
