"""Digit Duel in the tools of researchers: the games as environments of other libraries."""
