"""The engine under the name of the project: `from mergescope import train` is `from bpe_core import train`.

The wheel has this folder as `mergescope/` (see pyproject.toml).
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bpe_core import *  # noqa: F403
else:
    import bpe_core

    __all__ = bpe_core.__all__
    __version__ = bpe_core.__version__

    def __getattr__(name: str) -> object:
        """Return a name of the engine."""
        return getattr(bpe_core, name)

    def __dir__() -> list[str]:
        """Return all names of the engine."""
        return dir(bpe_core)
