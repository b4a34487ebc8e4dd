"""The limit on file descriptors, of which each connection takes one."""

from __future__ import annotations

import resource

_MOST_DESCRIPTORS = 1 << 20  # enough for any server; some systems allow far more


def raise_descriptor_limit() -> int:
    """Raise the soft limit of file descriptors to the hard one, and return it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MOST_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, _MOST_DESCRIPTORS)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    return soft


def descriptor_limit() -> int:
    """How many files and connections this process may have open."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return _MOST_DESCRIPTORS if soft == resource.RLIM_INFINITY else soft
