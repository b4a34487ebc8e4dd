"""What a client may cost: rates, sizes, connections and open games, and how refusals are counted."""
