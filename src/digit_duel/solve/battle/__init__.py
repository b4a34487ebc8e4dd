"""The solver of battle: strongly solved, on arrays."""
