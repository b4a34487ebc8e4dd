"""Pictures of a game for environments."""
