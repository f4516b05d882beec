"""The limit of open files of the server, which is raised to what the system allows.

A visitor's open tab takes four open files: its connection, and the event loop that Streamlit makes for the session.
Streamlit keeps the last 128 sessions whose tab was closed, so that a reload finds its session; each takes three. On
many systems a process may have 1,024 open files, its soft limit, until it raises this limit itself to its hard limit.
"""

from __future__ import annotations

from contextlib import suppress

MACOS_MOST = 10_240  # the hard limit of macOS is infinite, but it refuses a higher soft limit than this


def raise_limit() -> None:
    """Raise this process's soft limit of open files to its hard limit, where the system has one.

    The processes that it starts later inherit the limit. They do not inherit its open files.
    """
    with suppress(ImportError):  # Windows has neither the module nor the limit
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        for most in (hard, max(soft, MACOS_MOST)):
            with suppress(ValueError, OSError):
                resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
                break
