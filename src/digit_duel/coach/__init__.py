"""The coach: hints, reasons and reviews, of which every word is checked before it is said."""
