"""Views: what an observer may see of a game, the only form in which games leave the server."""
