"""What the environments of every library share: action numbers, observations, names and regret."""
