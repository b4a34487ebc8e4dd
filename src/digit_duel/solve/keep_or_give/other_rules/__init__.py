"""Rounds by other rules and from other cards, each with a bound or an exact value."""
