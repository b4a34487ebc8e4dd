"""Games that are over: their results, and for how long things are kept."""
