"""Pyodide, the Python of the tab: the files of the version that is tested.

Each file has its SHA-256, which the page checks before it uses the file, wherever that comes from.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

VERSION = "0.27.7"
DISTRIBUTION = f"https://cdn.jsdelivr.net/pyodide/v{VERSION}/full/"  # where its makers put it


class PyodideFile(NamedTuple):
    """A file of the distribution. `size`: in bytes."""

    name: str
    size: int
    sha256: str


_NUMPY = PyodideFile(
    "numpy-2.0.2-cp312-cp312-pyodide_2024_0_wasm32.whl",
    3061133,
    "ebb61241d962b98b21597d7ce43b67668a6d5bab3acec4fbe958657320d7cd08",
)
SCRIPTS = (
    PyodideFile("pyodide.js", 14913, "b4cb23a53aba19c221659b9fb40a2f18281d685691dc06647fb0afd0681baf98"),
    PyodideFile("pyodide.asm.js", 1255688, "6b4c90de5b7172873f04f21884d0e9d2274e305fe32116558fe3e4fbe3618d51"),
)
"""The scripts, which the worker runs."""
FILES = (
    PyodideFile("pyodide.asm.wasm", 10105545, "a50dd1843f805a0b7c45b61037ee0d7b26dfe85efe0e18ef95a34ad24e401f5f"),
    PyodideFile("python_stdlib.zip", 2360737, "16611534726e5d8ac2bd8f926410b2dcb8d6f49aa24913463533b457a2115c16"),
    _NUMPY,
)
"""What the scripts ask for."""
LOCK = {
    "info": {
        "abi_version": "2024_0",
        "arch": "wasm32",
        "platform": "emscripten_3_1_58",
        "python": "3.12.7",
        "version": VERSION,
    },
    "packages": {
        "numpy": {
            "depends": [],
            "file_name": _NUMPY.name,
            "imports": ["numpy"],
            "install_dir": "site",
            "name": "numpy",
            "package_type": "package",
            "sha256": _NUMPY.sha256,
            "unvendored_tests": True,
            "version": "2.0.2",
        }
    },
}
"""Of the distribution's pyodide-lock.json, which lists all its packages, what the tab needs."""


class PyodideError(ValueError):
    """A folder that does not have the tested files of Pyodide. The message is one sentence."""


def read_files(folder: Path) -> dict[str, bytes]:
    """Return the contents of the files in a folder, by name; raise `PyodideError` if one is missing or another."""
    found = {}
    for file in (*SCRIPTS, *FILES):
        try:
            found[file.name] = (folder / file.name).read_bytes()
        except OSError as error:
            raise PyodideError(
                f"{folder} has no {file.name} ({error.strerror}): Pyodide {VERSION} is needed, from {DISTRIBUTION}"
            ) from None
        if sha256(found[file.name]).hexdigest() != file.sha256:
            raise PyodideError(f"{folder / file.name} is not the file of Pyodide {VERSION} that is tested")
    return found
