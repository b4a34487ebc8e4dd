"""Many games between two levels at once, on arrays."""
