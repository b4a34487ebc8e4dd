"""A pytest plugin: slow tests, and what they start, stay out of coverage, for tracing triples their time."""

from __future__ import annotations

import os
from collections.abc import Generator

import coverage
import pytest

_STARTS_TRACING = "COVERAGE_PROCESS_START"  # in every Python that finds it in its environment


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Pause while a slow test runs."""
    tracer = coverage.Coverage.current()
    if tracer is None or item.get_closest_marker("slow") is None:
        return (yield)
    config = os.environ.pop(_STARTS_TRACING, None)
    tracer.stop()
    try:
        return (yield)
    finally:
        tracer.start()
        if config is not None:
            os.environ[_STARTS_TRACING] = config
