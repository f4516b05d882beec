"""The settings that the app and its layout rest on."""

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from streamlit import config

ROOT = Path(__file__).parents[1]
TOP_LEVEL = {
    ".ci",
    ".gitattributes",
    ".gitignore",
    ".streamlit",
    "LICENSE",
    "Makefile",
    "README.md",
    "app.py",
    "bpe_core",
    "pages",
    "pyproject.toml",
    "requirements.txt",
    "tests",
}


def test_streamlit_reads_every_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    options = config.get_config_options(force_reparse=True)
    with open(ROOT / ".streamlit/config.toml", "rb") as file:
        settings = flatten(tomllib.load(file))
    assert {key: options[key].value for key in settings} == settings
    assert settings["runner.postScriptGC"] is False  # a hidden option: a later Streamlit may drop it silently
    assert settings["server.address"] == "localhost"
    assert settings["browser.gatherUsageStats"] is False
    assert settings["client.showSidebarNavigation"] is False


def flatten(table: dict, prefix: str = "") -> dict[str, object]:
    flat: dict[str, object] = {}
    for key, value in table.items():
        flat |= flatten(value, f"{prefix}{key}.") if isinstance(value, dict) else {prefix + key: value}
    return flat


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_top_level_holds_only_the_agreed_files() -> None:
    listing = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True).stdout
    assert {path.split("/")[0] for path in listing.splitlines()} <= TOP_LEVEL
    assert {path.name for path in ROOT.iterdir()} >= TOP_LEVEL


@pytest.mark.parametrize(
    ("path", "source", "rules"),
    [
        ("bpe_core/x.py", "import streamlit", {"TID251"}),
        ("bpe_core/x.py", "def f():\n    from streamlit import cache_data", {"TID251"}),
        ("bpe_core/x.py", "import altair", {"TID253"}),
        ("bpe_core/x.py", "from . import y", {"TID252"}),
        ("pages/parts/tables.py", "import streamlit", {"TID251"}),
        ("pages/parts/tables.py", "import altair", {"TID253"}),
        ("pages/parts/tables.py", "import pages.parts.theme", set()),
        ("pages/parts/charts.py", "import altair", set()),
        ("pages/parts/charts.py", "import streamlit", {"TID251"}),
        ("pages/parts/state.py", "import streamlit", set()),
        ("pages/parts/state.py", "from pages import train", {"TID253"}),
        ("pages/parts/state.py", "from pages.train import x", {"TID253"}),
        ("pages/parts/token_view/__init__.py", "import streamlit", set()),
        ("pages/parts/run_store.py", "import streamlit", {"TID251"}),
        ("pages/parts/live_view.py", "import streamlit", {"TID251"}),
        ("pages/train.py", "import streamlit", set()),
        ("pages/algorithms.py", "import streamlit", set()),
        ("pages/parts/algorithm_views.py", "import streamlit", set()),
        ("pages/parts/rivals.py", "import streamlit", {"TID251"}),
        ("pages/parts/state.py", "from pages.algorithms import x", {"TID253"}),
        ("pages/train.py", "import altair", {"TID253"}),
        ("pages/train.py", "import pages.compare", {"TID253"}),
        ("pages/train.py", "from pages.pipeline import x", {"TID253"}),
        ("pages/pipeline.py", "import streamlit", set()),
        ("pages/parts/pipeline.py", "import streamlit", {"TID251"}),
        ("app.py", "import streamlit", set()),
    ],
)
def test_imports_run_one_way(path: str, source: str, rules: set[str]) -> None:
    command = ["ruff", "check", "--select=TID", "--output-format=concise", f"--stdin-filename={path}", "-"]
    found = subprocess.run(
        [sys.executable, "-m", *command], input=source, cwd=ROOT, capture_output=True, text=True
    ).stdout
    assert {rule for rule in ("TID251", "TID252", "TID253") if rule in found} == rules


def test_one_file_touches_the_session_and_the_url() -> None:
    sources = {path: path.read_text() for path in [ROOT / "app.py", *ROOT.glob("pages/**/*.py")]}
    touching = {path.name for path, text in sources.items() if "session_state" in text or "query_params" in text}
    assert touching == {"state.py"}


def test_engine_stands_alone() -> None:
    script = """
import importlib, pkgutil, sys, bpe_core
for module in pkgutil.walk_packages(bpe_core.__path__, "bpe_core."):
    importlib.import_module(module.name)
print({name.split(".")[0] for name in sys.modules} & {"streamlit", "altair", "pandas", "pages"})
"""
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
