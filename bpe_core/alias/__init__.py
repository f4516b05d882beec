"""The engine under the name of the project: `from mergescope import train` is `from bpe_core import train`.

`import mergescope.files` likewise gives the engine's own module `bpe_core.files`. The wheel has this folder as
`mergescope/` (see pyproject.toml).
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bpe_core import *  # noqa: F403
else:
    import sys
    from importlib import import_module
    from importlib.abc import Loader, MetaPathFinder
    from importlib.machinery import ModuleSpec

    import bpe_core

    __all__ = bpe_core.__all__
    __version__ = bpe_core.__version__

    def __getattr__(name: str) -> object:
        """Return what `bpe_core` has under this name."""
        return getattr(bpe_core, name)

    def __dir__() -> list[str]:
        """Return all names of `bpe_core`."""
        return dir(bpe_core)

    class _Modules(MetaPathFinder, Loader):
        """Finds the modules of the engine under this package's name."""

        def find_spec(self, name, path=None, target=None):
            return ModuleSpec(name, self) if name.startswith(f"{__name__}.") else None

        def exec_module(self, module):
            """Put the engine's own module in the place of a new, empty one, so that no module is loaded twice."""
            name = module.__name__
            sys.modules[name] = import_module(f"bpe_core{name.removeprefix(__name__)}")

    sys.meta_path.insert(0, _Modules())
