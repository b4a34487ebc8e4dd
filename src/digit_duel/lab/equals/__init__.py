"""Games between players of one level, and between levels: computed exactly, or played."""
