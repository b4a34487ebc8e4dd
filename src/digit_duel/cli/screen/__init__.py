"""The terminal as a device: text in and out, pictures of a table, symbols."""
