"""The example notebook, as it is and executed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

ROOT = Path(__file__).parents[3]
NOTEBOOK = ROOT / "pages/parts/examples/notebook.ipynb"


def stored() -> Any:
    """The notebook with the outputs that are kept in it."""
    return nbformat.read(NOTEBOOK, as_version=4)


def executed() -> Any:
    """The notebook with the outputs of now; what fails in it raises `CellExecutionError`."""
    notebook = stored()
    client = NotebookClient(
        notebook, timeout=120, record_timing=False, resources={"metadata": {"path": str(NOTEBOOK.parent)}}
    )
    client.execute(env={**os.environ, "PYTHONPATH": str(ROOT)})
    notebook.metadata.language_info = {"name": "python"}  # without the version of this machine's
    return notebook


def without_pages(notebook: Any) -> Any:
    """The notebook without its pages that play: they are large, and change with every web module."""
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if "<iframe srcdoc=" in output.get("data", {}).get("text/html", ""):
                del output["data"]["text/html"]
    return notebook


def outputs(notebook: Any, media_type: str = "text/html") -> list[str]:
    """What its cells show, in one media type."""
    shown = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    return [output["data"][media_type] for output in shown if media_type in output.get("data", {})]
