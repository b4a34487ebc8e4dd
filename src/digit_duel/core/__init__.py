"""What a game is, how it speaks, and how it is written down. Standard library only."""
