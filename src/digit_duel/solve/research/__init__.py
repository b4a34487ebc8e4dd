"""Ground truth for any game: best responses, equilibria, regret and exploitability."""
