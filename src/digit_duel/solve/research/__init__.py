"""Ground truth for any game: best responses, equilibria, regret, and what a policy gives away."""
