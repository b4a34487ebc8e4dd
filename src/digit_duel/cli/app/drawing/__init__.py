"""Pictures of the app's state as text on a canvas, for any window; nothing here needs Textual."""
