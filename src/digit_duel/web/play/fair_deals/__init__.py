"""Deals that are sealed before the first card, and the proof that they were fair."""
