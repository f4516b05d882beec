"""The limits: all are there and in HOSTING.md, the environment can set them, and the defaults fit into 4 GB."""

import os
import re
import sys
import tomllib
from pathlib import Path

import pytest

from pages.parts.server.limits import SERVER_MB, LimitError, Limits, limits_in_markdown, read
from tests.children import ran
from tests.server import free_port
from tests.some import only

ROOT = Path(__file__).parents[3]


def test_the_page_about_hosting_has_every_limit():
    assert limits_in_markdown() in (ROOT / "HOSTING.md").read_text(encoding="utf-8")


def test_the_defaults_fit_into_4_gb():
    limits = Limits()
    trainings, files = limits.trainings * limits.training_mb, limits.file_processes * limits.file_process_mb
    assert SERVER_MB + limits.runs_mb + limits.all_uploads_mb + trainings + files <= 4096


def test_streamlit_lets_a_file_of_the_largest_size_through():
    settings = tomllib.loads((ROOT / ".streamlit/config.toml").read_text(encoding="utf-8"))
    assert settings["server"]["maxUploadSize"] == Limits().file_mb


@pytest.mark.parametrize("value", ["0", "-1", "2.5", "", "ten", "٣", "9" * 40])
def test_a_limit_that_is_no_whole_number_is_refused_by_its_name(value):
    with pytest.raises(LimitError, match=r"^MERGESCOPE_TRAININGS is .* a whole number from 1"):
        read({"MERGESCOPE_TRAININGS": value})


def test_what_is_off_by_default_can_be_said_to_be_off():
    assert read({"MERGESCOPE_PRIVATE_MODELS": "0"}) == Limits()
    assert read({"MERGESCOPE_PRIVATE_MODELS": "1"}).private_models == 1
    with pytest.raises(LimitError, match=r"it must be a whole number from 0"):
        read({"MERGESCOPE_PRIVATE_MODELS": "yes"})


COMMANDS = {
    "mergescope": ["-c", "from bpe_core.cli.mergescope import main; main()"],
    "streamlit run app.py": ["-m", "streamlit", "run", "app.py"],
}


@pytest.mark.parametrize("command", only(COMMANDS, "mergescope"))
def test_with_a_wrong_limit_the_app_ends_with_one_sentence(command):
    environment = {**os.environ, "MERGESCOPE_TRAININGS": "many"}
    line = [sys.executable, *COMMANDS[command], f"--server.port={free_port()}"]
    ended = ran(line, env=environment, cwd=ROOT, capture_output=True, text=True)
    said = "MERGESCOPE_TRAININGS is “many”: it must be a whole number from 1."
    assert (ended.returncode, ended.stderr.strip()) == (1, said)


def test_no_limit_is_elsewhere():
    """A number of bytes, seconds or trainings is a limit, which belongs in `limits`."""
    limits = re.compile(r"^(MOST|[A-Z_]*(?:BYTES|MEMORY|SECONDS|AT_ONCE)) = ", re.M)
    folders = ("server", "state", "texts", "vocabularies", "trainings", "page")
    modules = [path for name in folders for path in ROOT.glob(f"pages/parts/{name}/*.py")]
    modules.remove(ROOT / "pages/parts/page/text_box.py")  # what it waits for is no limit
    found = {(path.name, name) for path in modules for name in limits.findall(path.read_text(encoding="utf-8"))}
    assert found == {("limits.py", "MOST"), ("page_vocabulary.py", "RETRY_SECONDS")}


LIMITED = "import resource; resource.setrlimit(resource.RLIMIT_AS, (1500 << 20,) * 2); "
BAD_STARTS = {
    "-OO": (["-OO", "-c", ""], r"The app cannot run under python -OO, .*: use -O\."),
    "ulimit -v": (["-c", LIMITED], r"The app needs more addresses than ulimit -v leaves it, 1,500 MB: .*\."),
}


@pytest.mark.parametrize(("options", "said"), BAD_STARTS.values(), ids=BAD_STARTS)
def test_where_a_library_would_end_the_server_the_app_does_not_start(options, said):
    *before, code = options
    run = f"{code}from pages.parts.server import limits; limits.check()"
    ended = ran([sys.executable, *before, run], cwd=ROOT, capture_output=True, text=True)
    assert ended.returncode == 1
    assert re.fullmatch(said, ended.stderr.strip())
