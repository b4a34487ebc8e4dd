"""Play on a server from this terminal."""
