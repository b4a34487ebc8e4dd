"""The screens of the app: Textual brings keys, mouse, timers and the terminal."""
