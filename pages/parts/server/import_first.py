"""Imports that must not be made by two threads at the same time. The server makes them when it starts.

Each visitor has a thread, and the first visitors of a server come at once. If one thread imports a package while
another imports a module of that package, Python may report a deadlock, or pandas may find itself half imported.
"""

import altair  # noqa: F401
import pandas  # noqa: F401

import bpe_core.counting
import bpe_core.files.hub  # imports the formats
import bpe_core.record.stages  # noqa: F401  # imports what a training needs
import pages.parts.server.inside_streamlit  # noqa: F401
