"""The paths that modules had in version 1, which still work: `bpe_core.display.drawing` is `pictures.shared.drawing`.

The old path and the new path of a module find the same module, which is loaded once. Version 2 drops the old paths.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

FOLDER = "bpe_core.display"
PATHS = {
    f"{FOLDER}.{name}": f"bpe_core.pictures.{folder}.{name}"
    for folder, names in {
        "shared": "colours drawing layout style token_text",
        "paper": "html latex pictures svg terminal",
        "saved": "notebook",
    }.items()
    for name in names.split()
} | {
    "bpe_core.files.library_reach": "bpe_core.files.library_unreachable",
    "bpe_core.files.tokenizer_json": "bpe_core.files.tokenizer_json_write",
    "bpe_core.published.make_table": "bpe_core.files.make_table",
    "bpe_core.record.meetings": "bpe_core.record.pair_intervals",
    "bpe_core.record.recording": "bpe_core.record.run_training",
    "bpe_core.tokenizer.encoder": "bpe_core.tokenizer.word_encoder",
    "bpe_core.text.patterns": "bpe_core.text.custom_patterns",
}


class OldPaths(MetaPathFinder, Loader):
    """Finds modules under their old paths."""

    def find_spec(self, name: str, path: object = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Return the spec for the old path of a module, or for the folder `FOLDER`; None for any other name."""
        return ModuleSpec(name, self, is_package=name == FOLDER) if name in PATHS or name == FOLDER else None

    def exec_module(self, module: ModuleType) -> None:
        """Put the module at its new path in the place of the new, empty module."""
        name = module.__name__
        if name in PATHS:
            sys.modules[name] = import_module(PATHS[name])
