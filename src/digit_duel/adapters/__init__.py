"""The games as environments for research libraries: Gymnasium, PettingZoo, OpenSpiel, pgx and arrays."""
