"""Cards, asked from one seat: what it knows, which solved round answers, and the odds of its choices."""
