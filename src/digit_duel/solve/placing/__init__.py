"""The solvers of placing games: strongly solved, with the exact margin of every state."""
