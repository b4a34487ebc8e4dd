"""Parts of the OpenSpiel adapter."""
