"""Reports on a study: in words, as text and JSON, and as an HTML page."""
