"""Placing games, strongly solved: exact margins of every state."""
