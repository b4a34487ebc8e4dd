"""What the app knows: games in progress, choices half made, settings. Nothing here draws or reads keys."""
