"""Commands in a terminal, and those that are stopped: by Ctrl-C, or by who reads them."""

import re
import signal
import socket
import subprocess
import sys
from time import sleep

import pytest

from tests.children import ran, started
from tests.cli.driver import CONTROL, PLAIN, ROOT, STORY, command, in_terminal
from tests.server import answers, free_port
from tests.some import some
from tests.texts import EXAMPLE_TEXTS

STOPS_AT_COUNTING = """
import os, runpy, signal, sys
class Stop:
    def find_spec(self, name, *_):
        if name == "bpe_core.corpus.counting":
            os.kill(os.getpid(), signal.SIGINT)
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.meta_path.insert(0, Stop())
"""
PROGRAMS = {
    "bpe_core": 'runpy.run_module("bpe_core", run_name="__main__", alter_sys=True)',
    "mergescope": "from bpe_core.cli.mergescope import main; main()",
}


@pytest.mark.parametrize("program", PROGRAMS)
def test_ctrl_c_while_the_modules_are_imported_prints_nothing(program):
    script = [sys.executable, "-c", STOPS_AT_COUNTING + PROGRAMS[program], "encode", "no.json"]
    done = ran(script, capture_output=True, env={**PLAIN, "PYTHONPATH": str(ROOT)})
    assert (done.returncode, done.stderr) == (-signal.SIGINT, b"")


def test_a_broken_pipe_ends_quietly(tokenizer, tmp_path):
    (tmp_path / "long").write_text("words " * 50_000)  # several times what a pipe holds
    with started(
        command("encode", tokenizer, tmp_path / "long"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**PLAIN, "PYTHONPATH": str(ROOT)},
    ) as process:
        process.stdout.read(10)
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 141


def test_a_terminal_shows_colours_and_a_bar_that_goes_away(tokenizer, tmp_path):
    (tmp_path / "long").write_text(EXAMPLE_TEXTS["short-story"] * 500)
    code, shown = in_terminal("train", tmp_path / "long", "--vocab-size", 600, "--out", tmp_path / "out.json")
    assert code == 0
    assert re.search("counting  [━╸╺]+ +[0-9,]+ of [0-9,]+ bytes", CONTROL.sub("", shown))
    assert CONTROL.split(shown)[-1] == f"{tmp_path / 'out.json'}: 600 tokens, 344 merges, target reached\r\n"
    assert "\x1b[38;5;16;48;5;" in in_terminal("show", tokenizer, STORY)[1]
    code, shown = in_terminal("decode", tokenizer, 72, 105)
    assert (code, shown) == (0, "Hi\r\n")


@pytest.mark.parametrize("workers", some([3, 1]))
def test_ctrl_c_in_a_terminal(tmp_path, workers):
    (tmp_path / "long").write_text(EXAMPLE_TEXTS["short-story"] * 10_000)
    out = tmp_path / "out.json"
    code, shown = in_terminal(
        "train", tmp_path / "long", "--vocab-size", 900, "--workers", workers, "--out", out, ctrl_c_at=b"counting"
    )
    assert code == 130
    assert CONTROL.split(shown)[-1] == "stopped\r\n"
    assert [path.name for path in tmp_path.iterdir()] == ["long"]


def test_ctrl_c_leaves_no_file(tmp_path):
    """While it waits for its input, so that no clock decides whether training was over."""
    (tmp_path / "out.json").write_text("old")
    script = "import runpy, signal; signal.signal(signal.SIGINT, signal.default_int_handler)"  # some shells ignore it
    script += "; runpy.run_module('bpe_core', run_name='__main__', alter_sys=True)"
    with started(
        [
            sys.executable,
            "-c",
            script,
            "train",
            "-",
            "--vocab-size",
            "300",
            "--out",
            str(tmp_path / "out.json"),
            "--force",
        ],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**PLAIN, "PYTHONPATH": str(ROOT)},
    ) as process:
        process.stdin.write(b"x" * 1_000_000)  # more than a pipe holds: it is being read once this returns
        process.stdin.flush()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate()
        assert process.returncode == 130, errors
    assert errors == b"stopped\n"
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"out.json": "old"}


@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.thorough)])
def test_the_app_ends_without_an_error(number):
    port = free_port()
    command = [sys.executable, "-c", "from bpe_core.cli.mergescope import main; main()", f"--server.port={port}"]
    with started(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        while not answers(port):
            assert process.poll() is None
            sleep(0.1)
        process.send_signal(number)
        said, _ = process.communicate()
    assert (process.returncode, said.split()[-1]) == (0, "Stopped.")


def test_a_taken_port_is_named_with_the_way_to_another():
    with socket.create_server(("localhost", 0)) as other:
        port = other.getsockname()[1]
        command = [sys.executable, "-c", PROGRAMS["mergescope"], f"--server.port={port}"]
        done = ran(command, cwd=ROOT, capture_output=True)
    assert done.returncode == 1
    assert f"Port {port} is taken. To use another one: mergescope serve --port 8600".encode() in done.stderr
