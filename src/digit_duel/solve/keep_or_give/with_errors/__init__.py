"""The round solved with errors forced on both players, for choices that perfect play never meets."""
