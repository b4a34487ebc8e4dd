"""Games on the server: events, commands, the lobby, fair deals and the computer player."""
