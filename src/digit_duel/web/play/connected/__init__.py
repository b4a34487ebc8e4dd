"""Who is connected to a game, here and at other servers."""
