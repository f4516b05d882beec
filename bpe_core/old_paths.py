"""The paths that modules had in version 1, which still work: `bpe_core.display.drawing` is `pictures.shared.drawing`.

A module is found under its old path and under its new one, and is loaded once. Version 2 drops the old paths.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

# Old folder → folder in `bpe_core.pictures` → the names of modules.
_MOVED = {
    "display": {
        "shared": "colours drawing in_words layout settings_text style token_text",
        "paper": "fonts html latex pictures svg terminal",
        "saved": "notebook",
    },
    "live": {
        "shared": "cache request script view wire",
        "film": "film_data film_sentences film_view start_film timeline unigram_film word_window wordpiece_film",
        "tokens": "text_data text_token token_facts",
        "prompt": "prompt_data",
        "saved": "gallery page",
    },
}
FOLDERS = {f"bpe_core.{old}" for old in _MOVED}
PATHS = {
    f"bpe_core.{old}.{name}": f"bpe_core.pictures.{folder}.{name}"
    for old, folders in _MOVED.items()
    for folder, names in folders.items()
    for name in names.split()
} | {"bpe_core.saved_page": "bpe_core.pictures.saved.saved_page"}


class OldPaths(MetaPathFinder, Loader):
    """A finder and loader of modules under their old paths."""

    def find_spec(self, name: str, path: object = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Return the spec of a module that has moved, or of a folder that is gone; None for any other."""
        return ModuleSpec(name, self, is_package=name in FOLDERS) if name in PATHS or name in FOLDERS else None

    def exec_module(self, module: ModuleType) -> None:
        """Replace the empty module by the module at its new path."""
        name = module.__name__
        if name in PATHS:
            sys.modules[name] = import_module(PATHS[name])
