"""Pictures drawn with the standard library alone."""
