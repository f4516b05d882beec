"""What several threads must not import at the same time. Every page imports this first.

The first visitors of a server come at once, each in a thread of its own. Where one thread imports a package and
another one a module in it, Python may find a deadlock, and pandas half of itself. Here the second one waits.
"""

import altair  # noqa: F401
import pandas  # noqa: F401

import bpe_core.published  # noqa: F401
