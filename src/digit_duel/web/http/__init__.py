"""HTTP and WebSocket endpoints, sessions, limits and pages."""
