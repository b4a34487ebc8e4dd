"""Digit Duel in the browser and over the network: one log of events per game, and views built from it."""
