"""What operators ask the server: health, readiness and metrics."""
