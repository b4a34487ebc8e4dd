"""The full-screen terminal app: state without a terminal, drawing without Textual, screens with it."""
