"""Computer opponents for cards: counting cards, hunting, and solved rounds, all from one seat's view."""
