"""Deals that are sealed before the game starts, and the proof that they were fair."""
