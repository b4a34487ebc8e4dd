"""Tests by clients that share nothing with the server's own harness but the way to start a server."""
