"""Many games between two levels of the computer at once, on arrays."""
