"""What one observer may see of a game; the only form in which a game leaves the server."""
