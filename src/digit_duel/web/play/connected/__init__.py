"""Who is connected to a game, on this server and on others."""
