"""The wheel in environments with nothing else: the engine alone; then everything, where the app opens, all commands
run, the notebook executes.

`make test-published` runs it, as it fetches what the wheel asks for.
"""

import venv
from pathlib import Path

import pytest

from bpe_core.cli.grammar import COMMANDS
from bpe_core.pictures.paper.pictures import PICTURES
from pages.parts.page import frame
from tests.children import ran
from tests.server import serving
from tests.wheel import PIP, ROOT, built, said

STORY = ROOT / "pages/parts/examples/short-story.txt"
RUN = {
    "train": ["story.txt", "--vocab-size=600", "--out=tokenizer.json"],
    "count": ["story.txt"],
    "savings": ["gpt2", "story.txt", "--most=5"],
    "encode": ["tokenizer.json", "story.txt"],
    "chat": ["qwen", "turns.json"],
    "decode": ["tokenizer.json", "392", "479", "293", "286"],
    "show": ["tokenizer.json", "story.txt"],
    "steps": ["story.txt", "--vocab-size=300"],
    "compare": ["story.txt", "--pretokenizers", "gpt2", "gpt2", "--vocab-size=300"],
    "same": ["tokenizer.json", "tokenizer.json"],
    "convert": ["tokenizer.json", "--out=mine.tiktoken"],
    "trim": ["tokenizer.json", "story.txt", "--out=small.json"],
    "split": ["tokenizer.json", "story.txt", "--why"],
    "vocab": ["tokenizer.json", "--search=dog"],
    "film": ["story.txt", "--out=film.html"],
    "page": ["tokenizer.json", "story.txt", "--out=page.html"],
    "gallery": ["gallery"],
    "site": ["site"],
    "draw": ["tokens", "tokenizer.json", "story.txt", "--out=story.png"],
}
NOTEBOOK = """
import sys, nbformat
from nbclient import NotebookClient
from pathlib import Path
from bpe_core.cli.mergescope import app_folder
path = app_folder() / "pages/parts/examples/notebook.ipynb"
notebook = nbformat.read(path, 4)
stored = [cell.get("outputs") for cell in notebook.cells]
NotebookClient(notebook, resources={"metadata": {"path": str(path.parent)}}).execute()
for cell in notebook.cells:
    for output in cell.get("outputs", []):
        if "<iframe srcdoc=" in output.get("data", {}).get("text/html", ""):
            del output["data"]["text/html"]  # the stored notebook has no pages
assert [cell.get("outputs") for cell in notebook.cells] == stored
"""
PAGES = """
import os
from streamlit.testing.v1 import AppTest
from bpe_core.cli.mergescope import app_folder
os.chdir(app_folder())
pages = sorted(str(page.relative_to(app_folder())) for page in (app_folder() / "pages").glob("[a-z]*.py"))
for path in pages:
    opened = AppTest.from_file("app.py", default_timeout=60).switch_page(path).run()
    assert not opened.exception, path
    print(path)
"""


ENGINE = """
from bpe_core import Settings, load, train
tok = train("low low lower", Settings(vocab_size=258)).tokenizer()
tok.save("mine.tiktoken", ".tiktoken")
print(load("mine.tiktoken").ids("low"), load("gpt-4o").ids("Hello world"))
"""
ENGINE_MB = 110


def environment(folder: Path, extra: str, *others: str) -> Path:
    """The `bin` folder of a new environment with the wheel, what one of its extras brings, and other packages."""
    venv.create(folder / "venv", with_pip=False)
    python = folder / "venv/bin/python"
    ran([*PIP, f"--python={python}", "install", f"{built(folder)}{extra}", *others], check=True)
    return python.parent


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the app, and what runs a notebook."""
    pins = (ROOT / "tests/requirements.txt").read_text().splitlines()
    asked = [pin for pin in pins if pin.startswith(("nbclient=", "ipykernel="))]
    return environment(tmp_path_factory.mktemp("empty"), "[app]", *asked)


def test_the_engine_alone_is_small_and_works(tmp_path: Path):
    alone = environment(tmp_path, "")
    assert sum(path.stat().st_size for path in alone.parent.rglob("*") if path.is_file()) < ENGINE_MB << 20
    assert said([alone / "python", "-c", ENGINE], tmp_path) == "[257] [13225, 2375]\n"
    refused = ran([alone / "mergescope"], capture_output=True, text=True)
    install = 'in a checkout of Mergescope, pip install ".[app]"'
    assert refused.stderr.endswith(f"the app needs streamlit, which is not installed: {install}\n")


@pytest.mark.parametrize("extra", ["files", "png", "fast", "dask"])
def test_with_each_extra_alone_the_engine_does_the_same(extra: str, tmp_path: Path):
    with_it = environment(tmp_path, f"[{extra}]")
    assert said([with_it / "python", "-c", ENGINE], tmp_path) == "[257] [13225, 2375]\n"


def test_every_command_runs(programs: Path, tmp_path: Path):
    (tmp_path / "story.txt").write_bytes(STORY.read_bytes())
    (tmp_path / "turns.json").write_text('[["user", "Hi"]]')
    assert RUN.keys() == COMMANDS.keys()
    printed = {name: said([programs / "mergescope", name, *rest], tmp_path) for name, rest in RUN.items()}
    assert printed["decode"] == "The keeper's dog"
    assert len(printed["encode"].split()) == 2530
    for kind in PICTURES:
        said([programs / "mergescope", "draw", "token", "tokenizer.json", "479", f"--out=tree.{kind}"], tmp_path)
        said([programs / "mergescope", "draw", "step", "story.txt", f"--out=step.{kind}"], tmp_path)
    assert {path.suffix[1:] for path in tmp_path.glob("tree.*")} == PICTURES.keys()


def test_the_notebook_executes(programs: Path, tmp_path: Path):
    said([programs / "python", "-c", NOTEBOOK], tmp_path)


def test_every_page_opens(programs: Path, tmp_path: Path):
    opened = said([programs / "python", "-c", PAGES], tmp_path).splitlines()
    assert {row.path for row in frame.PAGES.values()} <= {"app.py", *opened}
    with serving([programs / "mergescope"], tmp_path) as url:
        assert url  # the app has answered there
