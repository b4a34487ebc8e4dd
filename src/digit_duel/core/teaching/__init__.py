"""Tutorials as data, and the tutor who sets up their positions and judges choices."""
