"""What a study means: in words, as text and JSON, and as a page."""
