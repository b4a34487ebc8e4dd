"""Endpoints and hooks for operators: health, readiness, metrics and stopping."""
