"""Games, scripts, records, sessions and laws; imports only the standard library."""
