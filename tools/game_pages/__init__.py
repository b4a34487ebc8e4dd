"""The figures on the pages of the games, made from the rules, the shipped tables and their proofs."""
