"""Cards from one seat's view: what it knows, which solved round applies, and the odds of its choices."""
