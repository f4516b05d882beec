"""Processes and their memory.

A child process is asked and answers, limited in time and memory. A pool has children that stay. Free memory of a
process goes back to the system.
"""

import ctypes
from contextlib import suppress


def give_memory_back() -> None:
    """Give free memory back to the system, where glibc manages it.

    Small objects remain between large ones that were freed. Instead of using the gaps, glibc asks for new memory more
    and more often: 270 MB more to count the words of a file of 1 GB.
    """
    with suppress(OSError, AttributeError, TypeError):  # other systems
        ctypes.CDLL(None).malloc_trim(0)
