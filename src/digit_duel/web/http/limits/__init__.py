"""Limits on clients: rates, sizes, connections and open games; and how refusals are counted."""
