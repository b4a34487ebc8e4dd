"""The coach: hints, explanations and reviews; every claim is checked before it is shown."""
