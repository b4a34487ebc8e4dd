"""Games between players of the same or neighbouring levels: computed exactly, or simulated."""
