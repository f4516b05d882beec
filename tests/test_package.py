"""The wheel: built, installed into an environment outside the checkout, and used there."""

import io
import json
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import streamlit
from packaging.requirements import Requirement

from bpe_core.pictures.saved.saved_page import ADDRESS
from pages.parts.learn.lessons import LESSONS
from tests.children import ran, started
from tests.server import free_port
from tests.wheel import PIP, ROOT, built, said


def brought(project: dict[str, Any], extra: str) -> Iterator[Requirement]:
    """What the package and one of its extras ask for, with the extras that this one is made of."""
    yield from map(Requirement, project["dependencies"])
    for wanted in map(Requirement, project["optional-dependencies"][extra]):
        if wanted.name == project["name"]:
            for inner in wanted.extras:
                yield from brought(project, inner)
        else:
            yield wanted


def test_the_pins_are_what_the_package_asks_for():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    asked = {wanted.name: wanted.specifier for wanted in brought(project, "app")}
    lines = [line for line in (ROOT / "requirements.txt").read_text().splitlines() if line and line[0] != "#"]
    pins = {name: version for name, _, version in (line.partition("==") for line in lines)}
    assert asked.keys() == pins.keys()
    assert all(pins[name] in versions for name, versions in asked.items())


def test_servers_install_the_same_versions():
    pins = (line for line in (ROOT / "requirements.txt").read_text().splitlines() if line and line[0] != "#")
    locked = re.findall(r"^(\S+==[^\s;]+)", (ROOT / "hosting/requirements.lock").read_text(), re.M)
    assert {pin.lower().replace("_", "-") for pin in pins} <= {pin.replace("_", "-") for pin in locked}


def version() -> str:
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]


def test_all_name_the_same_version_and_its_day():
    cited = dict(re.findall(r"^(version|date-released): (.+)$", (ROOT / "CITATION.cff").read_text(), re.M))
    newest = re.search(r"^## (\d.*)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)[1]
    assert cited["version"] == version()
    assert newest == f"{version()} ({cited['date-released']})"


def test_all_name_the_same_address_or_none():
    urls = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"].get("urls", {})
    cited = re.findall(r"^url: (.+)$", (ROOT / "CITATION.cff").read_text(), re.M)
    assert [*urls.values()] == cited == ([ADDRESS] if ADDRESS else [])


def build(source: Path, folder: Path, *targets: str) -> None:
    """Build the distributions of a source tree into a folder."""
    command = [sys.executable, "-m", "hatchling", "build", f"-d{folder}", *(f"-t{target}" for target in targets)]
    ran(command, cwd=source, check=True, stdout=subprocess.DEVNULL)


@pytest.fixture(scope="module")
def distributions(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, bytes]:
    """The source distribution, unpacked, and the wheel, both built from this checkout."""
    folder = tmp_path_factory.mktemp("distributions")
    build(ROOT, folder, "sdist", "wheel")
    ((packed,), (wheel,)) = folder.glob("*.tar.gz"), folder.glob("*.whl")
    ran(["tar", "-xzf", packed, "-C", folder], check=True)  # `tarfile` warns of what Python 3.11.2 does not have yet
    return folder / packed.name.removesuffix(".tar.gz"), wheel.read_bytes()


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="needs a checkout of the repository")
def test_the_source_distribution_is_the_checkout_without_the_pictures(distributions: tuple[Path, bytes]):
    unpacked, _ = distributions
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    paths = ran(listing, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    ours = {path: os.access(ROOT / path, os.X_OK) for path in paths if (ROOT / path).is_file()}
    pictures = {path for path in ours if path.startswith("tests/browser/screenshots/")}
    assert pictures
    files = (path for path in unpacked.rglob("*") if path.is_file())
    packed = {str(path.relative_to(unpacked)): os.access(path, os.X_OK) for path in files}
    assert packed.pop("PKG-INFO") is False
    assert packed == {path: ours[path] for path in ours.keys() - pictures}


def test_the_source_distribution_makes_the_same_wheel(distributions: tuple[Path, bytes], tmp_path: Path):
    unpacked, wheel = distributions
    build(unpacked, tmp_path, "wheel")
    (again,) = tmp_path.glob("*.whl")
    assert again.read_bytes() == wheel


def test_the_wheel_has_the_texts_of_the_lessons(distributions: tuple[Path, bytes]):
    texts = {path.relative_to(ROOT).as_posix() for path in ROOT.glob("pages/parts/learn/lessons/*.txt")}
    with zipfile.ZipFile(io.BytesIO(distributions[1])) as wheel:
        assert {f"bpe_core/app/{path}" for path in texts} <= set(wheel.namelist())
    assert {Path(path).stem for path in texts} == set(LESSONS)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `bin` folder of a new environment that has the wheel, and takes what it depends on from this one."""
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder / "venv", with_pip=False)
    (site,) = folder.glob("venv/lib/python*/site-packages")
    (site / "dependencies.pth").write_text(str(Path(streamlit.__file__).parents[1]))
    python = folder / "venv/bin/python"
    install = [*PIP, f"--python={python}", "install", "--no-deps", "--no-index", str(built(folder))]
    ran(install, check=True)
    return python.parent


def test_its_commands_run_outside_the_checkout(installed: Path, tmp_path: Path):
    (tmp_path / "story.txt").write_text("low low lower")
    said([installed / "mergescope", "train", "story.txt", "--vocab-size=258", "--out=tokenizer.json"], tmp_path)
    ids = said([installed / "mergescope", "encode", "tokenizer.json", "story.txt"], tmp_path).split()
    assert ids == ["257", "32", "257", "32", "257", "101", "114"]
    where = said([installed / "python", "-c", "import bpe_core; print(bpe_core.__file__)"], tmp_path)
    assert str(installed.parent) in where


def test_all_that_it_installs_is_under_its_own_name(installed: Path, tmp_path: Path):
    """`mergescope` is the name of another project's package: nothing is put there, the app neither."""
    (record,) = installed.parent.glob("lib/*/site-packages/mergescope_bpe-*/RECORD")
    roots = {line.partition("/")[0] for line in record.read_text().splitlines()}
    assert roots == {"..", "bpe_core", record.parent.name}  # the first has the command
    script = "from bpe_core.cli.mergescope import app_folder; print(app_folder())"
    (engine,) = installed.parent.glob("lib/*/site-packages/bpe_core")
    assert said([installed / "python", "-c", script], tmp_path).strip() == str(engine / "app")


def of_the_image(instruction: str) -> str:
    """The last words of an instruction in the Dockerfile."""
    lines = (ROOT / "Dockerfile").read_text().replace("\\\n", "").splitlines()
    (line,) = [line for line in lines if line.startswith(f"{instruction} ")]
    return line.removeprefix(f"{instruction} ")


def healthy(url: str) -> bool:
    """What the image's health check finds at this port."""
    python, *arguments = json.loads(of_the_image("HEALTHCHECK").partition(" CMD ")[2])
    assert python == "python"
    environment = {"STREAMLIT_SERVER_PORT": url.rpartition(":")[2]}
    return ran([sys.executable, *arguments], env=environment, stderr=subprocess.DEVNULL).returncode == 0


@pytest.mark.thorough
def test_the_app_listens_where_the_environment_of_the_image_says_and_ends_when_asked_to(
    installed: Path, tmp_path: Path
):
    port = free_port()
    environment = dict(pair.split("=") for pair in of_the_image("ENV").split()) | {"STREAMLIT_SERVER_PORT": str(port)}
    with started([installed / "mergescope"], cwd=tmp_path, env=environment, stdout=subprocess.DEVNULL) as app:
        while not healthy(f":{port}"):
            assert app.poll() is None
            time.sleep(0.1)
        app.terminate()
    assert app.returncode == 0
    assert not healthy(f":{port}")


def test_what_is_copied_into_the_image_makes_the_same_wheel(distributions: tuple[Path, bytes], tmp_path: Path):
    ignored = shutil.ignore_patterns("__pycache__")
    for line in re.findall("^COPY (.+)$", (ROOT / "Dockerfile").read_text(), re.M):
        *sources, target = line.split()
        for source in sources:
            if (ROOT / source).is_dir():
                assert target == source
                shutil.copytree(ROOT / source, tmp_path / source, ignore=ignored)
            else:
                shutil.copy(ROOT / source, tmp_path / target)
    build(tmp_path, tmp_path / "dist", "wheel")
    (wheel,) = tmp_path.glob("dist/*.whl")
    assert wheel.read_bytes() == distributions[1]


def test_the_image_does_not_start_with_a_limit_that_cannot_be_used(installed: Path, tmp_path: Path):
    (program,) = json.loads(of_the_image("ENTRYPOINT"))
    environment = {**os.environ, "MERGESCOPE_RUNS": "some"}
    done = ran([installed / program], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("MERGESCOPE_RUNS is “some”")


PAPERS = (
    "README.md",
    "tests/benchmarks/README.md",
    "bpe_core/README.md",
    "CONTRIBUTING.md",
    "HOSTING.md",
    "CHANGELOG.md",
)


@pytest.mark.parametrize("paper", PAPERS)
def test_what_the_papers_link_to_is_there(paper: str):
    at = ROOT / paper
    text = at.read_text(encoding="utf-8")
    found = re.findall(r"\]\(([^)\s]+)\)|(?:src|srcset)=\"([^\"]+)\"", text)
    links = [link.partition("#") for link in map("".join, found) if ":" not in link]
    assert [path for path, *_ in links if not (at.parent / path).exists()] == []
    lost = [(path, part) for path, _, part in links if part and part not in headings(at.parent / path if path else at)]
    assert lost == []


def headings(paper: Path) -> list[str]:
    """Return the anchors of a paper's headings."""
    found = re.findall(r"^#+ (.*)$", paper.read_text(encoding="utf-8"), re.M)
    return [re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in found]
