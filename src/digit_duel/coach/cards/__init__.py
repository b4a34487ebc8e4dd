"""Reasons for cards."""
