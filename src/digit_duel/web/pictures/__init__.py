"""Pictures that the server draws itself: previews of links, and the icons of the app."""
