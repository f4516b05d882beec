"""The engine in a browser's Python: Pyodide under node, without a network, finds what this machine's Python finds.

Part of `make test-published`. It is the engine of the site, from its zip: without `pyarrow`, and with
`regex_stand_in` in place of `regex`.
"""

import json
import zipfile
from io import BytesIO
from pathlib import Path

import pytest

from bpe_core.pictures.site.engine import engine_zip
from bpe_core.published import PUBLISHED
from tests.children import ran
from tests.published import engine_facts, pyodide_files
from tests.texts import NASTY, example_text
from tests.wheel import ROOT

SECONDS = 1500  # a machine that has other things to do takes ten times as long
SCRIPT = """
import json, sys
sys.path[:0] = ["/tab", "/tests"]
sys.dont_write_bytecode = True
from engine_facts import facts
given = json.load(open("/given/texts.json"))
json.dump(facts(**given), open("/given/found.json", "w"))
"""


@pytest.fixture(scope="module")
def distribution(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with Pyodide, and with node as `node`."""
    return pyodide_files.fetch(tmp_path_factory.mktemp("pyodide"), node=True)


def test_the_engine_finds_the_same_in_a_browser(distribution, tmp_path):
    # through JSON, which writes two halves of a character as the character
    long = "".join(map(chr, range(0x4E00, 0x9000)))  # other arrays than of a short text
    given = json.loads(json.dumps({"texts": [*NASTY, long], "story": example_text("short-story")}))
    tab = tmp_path / "tab"
    with zipfile.ZipFile(BytesIO(engine_zip())) as files:
        files.extractall(tab)
    for row in PUBLISHED.values():
        (tab / "bpe_core/published" / row.table.name).write_bytes(row.table.read_bytes())
    (tmp_path / "texts.json").write_text(json.dumps(given))
    (tmp_path / "script.py").write_text(SCRIPT)
    folders = {"given": tmp_path, "tab": tab, "tests": ROOT / "tests/published"}
    command = [distribution / "node", Path(__file__).with_name("pyodide.mjs"), distribution, tmp_path / "script.py"]
    ran([*command, *(f"{name}={folder}" for name, folder in folders.items())], SECONDS, check=True)
    assert json.loads((tmp_path / "found.json").read_text()) == engine_facts.facts(**given)
