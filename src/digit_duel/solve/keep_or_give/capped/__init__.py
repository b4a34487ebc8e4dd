"""Rounds with a limited number of discards (facing_full=cap:N), solved together with their hunts."""
