"""Play at this terminal: the guided start, prompts, games and matches."""
