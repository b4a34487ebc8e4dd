"""The terminal as a device: text in and out, scenes in sentences, charts."""
