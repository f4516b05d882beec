"""The settings that the app and its layout rest on."""

import shutil
import tomllib
from pathlib import Path

import pytest
from streamlit import config

from tests.children import ran

ROOT = Path(__file__).parents[1]
TOP_LEVEL = {
    ".ci",
    ".dockerignore",
    ".gitattributes",
    ".gitignore",
    ".streamlit",
    "CHANGELOG.md",
    "CITATION.cff",
    "CONTRIBUTING.md",
    "Dockerfile",
    "HOSTING.md",
    "LICENSE",
    "Makefile",
    "README.md",
    "app.py",
    "bpe_core",
    "hosting",
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
    assert settings["client.showErrorDetails"] == "none"
    assert settings["runner.magicEnabled"] is False


def flatten(table: dict, prefix: str = "") -> dict[str, object]:
    flat: dict[str, object] = {}
    for key, value in table.items():
        flat |= flatten(value, f"{prefix}{key}.") if isinstance(value, dict) else {prefix + key: value}
    return flat


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_top_level_holds_only_the_agreed_files() -> None:
    listing = ran(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True).stdout
    assert {path.split("/")[0] for path in listing.splitlines()} <= TOP_LEVEL
    assert {path.name for path in ROOT.iterdir()} >= TOP_LEVEL
