"""Pictures that the server draws: link previews and app icons."""
