"""The server: Digit Duel in the browser and over the network, as event logs and the views built from them."""
