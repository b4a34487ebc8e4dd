"""Reasons for battle."""
