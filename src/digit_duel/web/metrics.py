"""The metrics of this process, for Prometheus; no label names a game, a person or an address."""

from __future__ import annotations

from prometheus_client import Counter, Histogram

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)

REQUESTS = Counter(
    "digit_duel_requests", "Requests answered, by route and status", ["method", "route", "status"]
)
REQUEST_SECONDS = Histogram(
    "digit_duel_request_seconds", "Time until a request was answered", ["method", "route"], buckets=_SECONDS
)
REFUSALS = Counter("digit_duel_refusals", "Requests and connections refused, by reason", ["reason"])
LIMITS_REACHED = Counter("digit_duel_limits_reached", "Refusals because of a limit, by limit", ["limit"])

COMMIT_SECONDS = Histogram("digit_duel_commit_seconds", "Duration of a write transaction", buckets=_SECONDS)
BATCH_SIZE = Histogram(
    "digit_duel_batch_size",
    "Write requests that share a transaction",
    buckets=(1, 2, 4, 8, 16, 32, 64, 128, 256, 512),
)
STORE_ERRORS = Counter("digit_duel_store_errors", "Failed operations of the database, by reason", ["reason"])
DAMAGED_GAMES = Counter("digit_duel_damaged_games", "Requests for a game whose log is damaged")

UNFORESEEN_ERRORS = Counter("digit_duel_unforeseen_errors", "Exceptions that nothing handled")
LOST_LOG_LINES = Counter("digit_duel_lost_log_lines", "Log lines that could not be written")
