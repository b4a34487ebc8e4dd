"""Games being played on the server: events, commands, the lobby, fair deals, the computer."""
