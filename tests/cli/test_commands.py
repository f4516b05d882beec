"""The command line: in this process, and where that matters in one of its own, as people run it."""

import csv
import io
import os
import pty
import re
import signal
import subprocess
import sys
import unicodedata
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from unittest import mock

import pytest
import tokenizers
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from bpe_core import Settings, load, train
from bpe_core.cli.main import main
from bpe_core.display import terminal
from bpe_core.text.alphabet import encode_text
from tests.hub import hub, places
from tests.texts import EXAMPLE_TEXTS, EXAMPLES, NASTY

ROOT = Path(__file__).parents[2]
CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")  # what moves the cursor or changes the colour
STORY = str(EXAMPLES / "short-story.txt")
CHANGES_OUTPUT = ("NO_COLOR", "FORCE_COLOR", "PYTHONUNBUFFERED")
PLAIN = {name: value for name, value in os.environ.items() if name not in CHANGES_OUTPUT}


def command(*arguments):
    return [sys.executable, "-m", "bpe_core", *map(str, arguments)]


def run(*arguments, given=b"", env=None, encoding="utf-8"):
    """Run in this process, with streams and an environment of its own."""
    stdin, stdout, stderr = (io.TextIOWrapper(io.BytesIO(raw), encoding, newline="") for raw in (given, b"", b""))
    streams = mock.patch.multiple(sys, stdin=stdin, stdout=stdout, stderr=stderr)
    with streams, mock.patch.dict(os.environ, {**PLAIN, **(env or {})}, clear=True):
        code = ended(*arguments)
        stdout.flush()
        stderr.flush()
    return subprocess.CompletedProcess(arguments, code, stdout.buffer.getvalue(), stderr.buffer.getvalue())


def ended(*arguments):
    """The exit code of a command that runs in this process."""
    try:
        return main([*map(str, arguments)])
    except SystemExit as error:
        return error.code or 0


def ok(*arguments, **options):
    done = run(*arguments, **options)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory):
    path = tmp_path_factory.mktemp("trained") / "tokenizer.json"
    line = command("train", STORY, "--vocab-size", 600, "--special-tokens", "<|end|>", "--out", path)
    subprocess.run(line, check=True, env={**PLAIN, "PYTHONPATH": str(ROOT)})
    return path


def test_train_writes_what_training_gives(tokenizer):
    ours = train(EXAMPLE_TEXTS["short-story"], Settings(vocab_size=600, special_tokens=("<|end|>",))).tokenizer()
    assert load(tokenizer).merges == ours.merges
    assert tokenizers.Tokenizer.from_file(str(tokenizer)).encode("a tale<|end|>").ids == ours.ids("a tale<|end|>")


def test_a_model_on_the_hub_is_named_where_a_file_would_be(tmp_path):
    with hub() as address:
        there = places(address, tmp_path)
        assert ok("encode", "hub:owner/whole", given=b"hug", env=there) == b"257\n"
        failed = run("encode", "hub:owner/gated", given=b"hug", env=there)
    assert failed.returncode == 1
    assert failed.stderr.startswith(b"bpe_core: owner/gated is gated: ")


def test_several_files_standard_input_and_workers_give_the_same(tmp_path):
    whole = Path(STORY).read_bytes()
    (tmp_path / "a").write_bytes(whole[:1000])
    (tmp_path / "b").write_bytes(whole[1000:])
    files = [tmp_path / "a", "-"]
    out = [tmp_path / f"{i}.json" for i in range(3)]
    ok("train", *files, "--vocab-size", 500, "--out", out[0], given=whole[1000:])
    ok("train", tmp_path / "a", tmp_path / "b", "--vocab-size", 500, "--out", out[1], "--workers", 2)
    ok("train", tmp_path / "a", tmp_path / "b", "--vocab-size", 500, "--out", out[2])
    assert out[0].read_bytes() == out[1].read_bytes() == out[2].read_bytes()


def test_train_on_normalized_text(tmp_path):
    (tmp_path / "text").write_text("HÚG hug Pug", encoding="utf-8")
    options = ["--vocab-size", 300, "--normalizers", "bert", "--normalizers", "nfc", "--out", tmp_path / "x.json"]
    ok("train", tmp_path / "text", *options)
    ids = ok("encode", tmp_path / "x.json", given="hÜG".encode())
    assert ok("decode", tmp_path / "x.json", given=ids) == b"hug"


@pytest.mark.parametrize("name", ["x.tiktoken", "x.model", "x-vocab.json", "x.json"])
def test_the_name_chooses_the_format(tmp_path, name):
    done = run("train", STORY, "--vocab-size", 300, "--out", tmp_path / name)
    assert done.returncode == 0
    assert b": 300 tokens, 44 merges, target reached\n" in done.stderr
    assert len(load(tmp_path / name).merges) == 44


def test_decode_undoes_encode_exactly(tokenizer, tmp_path):
    texts = [text.encode("utf-8", "ignore") for text in (*NASTY, *EXAMPLE_TEXTS.values())]
    files = [tmp_path / str(i) for i in range(len(texts))]
    for file, raw in zip(files, texts, strict=True):
        file.write_bytes(raw)
    lines = ok("encode", tokenizer, *files).decode().split("\n")[:-1]
    opened = load(tokenizer)
    assert lines == [" ".join(map(str, opened.ids(raw.decode()))) for raw in texts]
    assert ok("decode", tokenizer, given="\n".join(lines).encode()) == b"".join(texts)
    assert ok("encode", tokenizer, given=texts[-1]).decode().rstrip("\n") == lines[-1]
    assert ok("decode", tokenizer, *lines[-1].split()) == texts[-1]


def test_show_colours_only_where_it_may(tokenizer):
    text = b"The|end\x1b[2J\n"
    plain = ok("show", tokenizer, given=text)
    assert plain.decode() == "The|\\||e|nd|\\x1b|[|2|J|\\n\n"  # neither an escape nor a bar of the text's own
    assert b"\x1b" not in ok("show", tokenizer, given=text, env={"NO_COLOR": "1", "FORCE_COLOR": "1"})
    in_colour = ok("show", tokenizer, given=text, env={"FORCE_COLOR": "1"})
    assert in_colour.startswith(b"\x1b[38;5;16;48;5;159mThe\x1b[0m\x1b[38;5;16;48;5;")
    assert b"\x1b[2J" not in in_colour


def luminance(colour):
    """Of one of the 256 colours' cube, by WCAG's definition."""
    levels = [(0, 95, 135, 175, 215, 255)[(colour - 16) // place % 6] / 255 for place in (36, 6, 1)]
    linear = [level / 12.92 if level <= 0.04045 else ((level + 0.055) / 1.055) ** 2.4 for level in levels]
    return sum(part * share for part, share in zip(linear, (0.2126, 0.7152, 0.0722), strict=True))


def test_letters_stand_out_from_every_background():
    colours = [colour for pair in terminal.HUES for colour in pair]
    assert min((luminance(colour) + 0.05) / (luminance(terminal.BLACK) + 0.05) for colour in colours) > 9
    assert len(set(colours)) == len(colours)


@given(st.lists(st.binary(max_size=3), max_size=30))
def test_neighbours_never_share_a_colour(tokens):
    colours = list(terminal.backgrounds(tokens))
    assert all(one != other for one, other in pairwise(colours))


@given(st.lists(st.binary(max_size=4) | st.text(max_size=4).map(encode_text), max_size=6))
def test_what_is_shown_can_be_read_back(tokens):
    """So nothing reads like something else, and nothing moves the cursor."""
    for token in tokens:
        shown = terminal.readable(token)
        assert not any(unicodedata.category(char)[0] == "C" for char in shown)
        raw = shown.removeprefix("◌") if not token.startswith("◌".encode()) else shown
        assert read_back(raw) == token


def read_back(shown):
    """The bytes behind `\\x..` where they are no character, and the characters behind the other escapes."""
    raw = b""
    for part in re.findall(r"\\\\|\\x..|\\u....|\\U.{8}|\\[nrt]|[^\\]", shown):
        if part == "\\\\":
            raw += b"\\"
        elif part.startswith("\\x") and int(part[2:], 16) >= 0x80:
            raw += bytes.fromhex(part[2:])
        else:
            raw += encode_text(part.encode().decode("unicode_escape") if part.startswith("\\") else part)
    return raw


def test_columns_line_up_whatever_stands_in_them():
    rows = [["日本語", 1], ["e\u0301", 1000], ["plain", 20]]
    lines = terminal.table(["token", "count"], rows, {1}).splitlines()
    assert {cell_len(line) for line in lines} == {len("日本語") * 2 + 2 + len("count")}
    assert lines[2].endswith("1,000")


def test_steps_as_a_table_and_as_csv():
    merges = train(EXAMPLE_TEXTS["short-story"], Settings(vocab_size=270)).merges
    rows = list(csv.DictReader(io.StringIO(ok("steps", STORY, "--vocab-size", 270, "--csv").decode())))
    assert [(row["left"], int(row["count"]), int(row["tied"])) for row in rows] == [
        (merge.left.decode(), merge.count, merge.tied) for merge in merges
    ]
    lines = ok("steps", STORY, "--vocab-size", 270).decode().splitlines()
    assert lines[0].split() == ["step", "left", "right", "token", "count", "tied"]
    assert len(lines) == 15


@pytest.mark.parametrize(
    ("kind", "begins"), [("svg", b"<svg"), ("png", b"\x89PNG"), ("html", b"<!doc"), ("tex", b"% ")]
)
def test_draw(tokenizer, tmp_path, kind, begins):
    out = tmp_path / f"picture.{kind}"
    for arguments, title in (
        (["tokens", tokenizer, STORY], b": The Keeper, the Dog, and the Light"),
        (["token", tokenizer, 286], b": \xc2\xb7dog: id 286\n"),
        (["token", tokenizer, 255], b": FF: id 255\n"),
        (["step", STORY, "--step", 3], b": Step 3: \xc2\xb7the\n"),
    ):
        done = run("draw", *arguments, "--out", out)
        assert done.returncode == 0
        assert title in done.stderr
        assert out.read_bytes().startswith(begins)
        out.unlink()


def test_compare():
    lines = ok("compare", STORY, "--pretokenizers", "whitespace", "gpt2", "--vocab-size", 400).decode().splitlines()
    assert lines[0].split() == ["whitespace", "gpt2"]
    assert next(line for line in lines if line.startswith("merges")).split() == ["merges", "144", "144"]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ([], 2, "required: COMMAND"),
        (["train", STORY], 2, "required: --vocab-size, --out"),
        (["train", STORY, "--vocab-size", "many", "--out", "x"], 2, "'many' is not a whole number"),
        (["train", "missing.txt", "--vocab-size", "300", "--out", "x"], 1, "missing.txt: No such file or directory"),
        (["train", STORY, "--vocab-size", "100", "--out", "x"], 1, "vocab_size 100 is below the 256 base symbols"),
        (["train", STORY, "--vocab-size", "300", "--out", "no/x"], 1, "no: there is no such folder"),
        (
            ["train", "missing.txt", "--vocab-size", "300", "--out", "x.tiktoken", "--pretokenizer", "whitespace"],
            1,
            "tiktoken keeps every character",
        ),
        (["encode", STORY], 1, "this file is not a tokenizer"),
        (["encode", sys.executable], 1, "python"),
        (["compare", sys.executable], 1, "this is not text in UTF-8"),
        (["train", STORY, "--vocab-size", "300", "--out", ""], 2, "a name is needed"),
        (["train", STORY, "--vocab-size", "300", "--out", "-"], 2, "a name is needed"),
        (["train", STORY, "--vocab-size", "300", "--out", "new/"], 1, "new: there is no such folder"),
        (["train", STORY, "--vocab-size", "300", "--out", "merges.txt"], 1, "merges.txt has to end in vocab.json"),
        (["train", STORY, "--vocab-size", "300", "--out", STORY], 1, "is one of the texts, and would be overwritten"),
        (["train", STORY, "--vocab-size", "300", "--out", "/proc/x"], 1, "/proc/x: "),
        (["train", STORY, "--vocab-size", "300", "--out", "x", "--workers", "100000"], 2, "up to 64 can count"),
        (["train", STORY, "--vocab-size", "300", "--out", "x", "--pattern", ""], 1, "the pattern is empty"),
        (["train", STORY, "--vocab-size", "300", "--out", "x", "--pattern", "("], 1, "does not compile"),
        (
            ["train", STORY, "--vocab-size", "300", "--out", "x", "--special-tokens", ""],
            1,
            "special_tokens must be different",
        ),
        (["train", STORY, "--vocab-size", "300", "--out", "x", "--dask", "nowhere"], 1, "no Dask cluster at nowhere"),
        (["train", STORY, STORY, "no.txt", "--vocab-size", "300", "--out", "x"], 1, "no.txt: No such file"),
        (["train", STORY, "--vocab-size", "300", "--out", "x", "--tie-rule", "mine"], 2, "invalid choice: 'mine'"),
        (["train", ".", "--vocab-size", "300", "--out", "x"], 1, ".: Is a directory"),
        (["draw", "step", STORY, "--out", "x.gif"], 2, "'x.gif' has to end in .svg, .png, .html or .tex"),
        (["draw", "step", STORY, "--step", "99", "--out", "x.svg"], 1, "this run: it has steps 0 to 44"),
    ],
)
def test_errors_are_one_line_and_leave_nothing(tmp_path, monkeypatch, capsys, arguments, code, message):
    monkeypatch.chdir(tmp_path)
    assert ended(*arguments) == code
    errors = capsys.readouterr().err
    assert message in errors
    assert errors.count("\n") == 1 or code == 2
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("ids", [["x"], ["99999"], ["-2"], ["--", "--5"], ["²"], ["9" * 5000]])
def test_ids_that_are_none(tokenizer, capsys, ids):
    assert ended("decode", tokenizer, *ids) == 1
    errors = capsys.readouterr().err
    assert ids[-1][:40] in errors
    assert errors.count("\n") == 1


@pytest.mark.parametrize("name", [[], ["train"], ["encode"], ["decode"], ["show"], ["steps"], ["compare"], ["draw"]])
def test_help_has_examples(name):
    assert b"examples:\n  " in ok(*name, "--help", encoding="ascii")  # as where LC_ALL is C


def test_a_pair_is_written_to_a_folder(tmp_path):
    ok("train", STORY, "--vocab-size", 300, "--format", "vocab.json + merges.txt", "--out", f"{tmp_path}/")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["merges.txt", "vocab.json"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")
def test_a_full_disk_is_one_line(tokenizer):
    for line in (["decode", tokenizer, 72], ["--help"]):
        with open("/dev/full", "wb") as full:
            done = subprocess.run(
                command(*line), stdout=full, stderr=subprocess.PIPE, env={**PLAIN, "PYTHONPATH": str(ROOT)}
            )
        assert (done.returncode, done.stderr) == (1, b"bpe_core: No space left on device\n")


@pytest.mark.parametrize("command", ["encode", "decode"])
def test_a_closed_output_is_an_error(tokenizer, command):
    script = f"'{sys.executable}' -m bpe_core {command} '{tokenizer}' >&-"
    environment = {**PLAIN, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(["bash", "-c", script], input=b"72", stderr=subprocess.PIPE, env=environment)
    assert done.returncode == 1
    assert done.stderr.splitlines()[0] == b"bpe_core: standard output is closed, so there is nowhere to write to"


STOPS_AT_COUNTING = """
import os, signal, sys
class Stop:
    def find_spec(self, name, *_):
        if name == "bpe_core.corpus.counting":
            os.kill(os.getpid(), signal.SIGINT)
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.meta_path.insert(0, Stop())
sys.argv = ["-m"]
import bpe_core
"""


def test_ctrl_c_while_the_package_is_imported_prints_nothing():
    environment = {**PLAIN, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", STOPS_AT_COUNTING], capture_output=True, env=environment)
    assert (done.returncode, done.stderr) == (-signal.SIGINT, b"")


def test_a_broken_pipe_ends_quietly(tokenizer, tmp_path):
    (tmp_path / "long").write_text("words " * 50_000)  # several times what a pipe holds
    with subprocess.Popen(
        command("encode", tokenizer, tmp_path / "long"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**PLAIN, "PYTHONPATH": str(ROOT)},
    ) as process:
        process.stdout.read(10)
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=300) == 141


def in_terminal(*arguments, ctrl_c_at=None):
    """Run in a terminal of its own, and press Ctrl-C there when something is shown: (exit code, what was shown)."""
    ours, theirs = pty.openpty()
    environment = {**PLAIN, "PYTHONPATH": str(ROOT), "TERM": "xterm-256color"}
    script = "import fcntl, os, signal, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); "
    script += "signal.signal(signal.SIGINT, signal.SIG_DFL); "  # what starts the tests may ignore it
    script += "os.execv(sys.executable, sys.argv[1:])"
    with subprocess.Popen(
        [sys.executable, "-c", script, *command(*arguments)],
        stdin=theirs, stdout=theirs, stderr=theirs, env=environment, start_new_session=True,
    ) as process:  # fmt: skip
        os.close(theirs)
        shown = b""
        with suppress(OSError):  # a terminal that nobody uses any more
            while more := os.read(ours, 4096):
                shown += more
                if ctrl_c_at and ctrl_c_at in shown:
                    os.write(ours, b"\x03")
                    ctrl_c_at = None
    os.close(ours)
    return process.returncode, shown.decode()


def test_a_terminal_shows_colours_and_a_bar_that_goes_away(tokenizer, tmp_path):
    (tmp_path / "long").write_text(EXAMPLE_TEXTS["short-story"] * 2000)
    code, shown = in_terminal("train", tmp_path / "long", "--vocab-size", 600, "--out", tmp_path / "out.json")
    assert code == 0
    assert re.search("counting  [━╸╺]+ +[0-9]+/[0-9]+", CONTROL.sub("", shown))
    assert CONTROL.split(shown)[-1] == f"{tmp_path / 'out.json'}: 600 tokens, 344 merges, target reached\r\n"
    assert "\x1b[38;5;16;48;5;" in in_terminal("show", tokenizer, STORY)[1]
    code, shown = in_terminal("decode", tokenizer, 72, 105)
    assert (code, shown) == (0, "Hi\r\n")


@pytest.mark.parametrize("workers", [1, 3])
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
    with subprocess.Popen(
        [sys.executable, "-c", script, "train", "-", "--vocab-size", "300", "--out", str(tmp_path / "out.json")],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**PLAIN, "PYTHONPATH": str(ROOT)},
    ) as process:
        process.stdin.write(b"x" * 1_000_000)  # more than a pipe holds: it is being read once this returns
        process.stdin.flush()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=300)
        assert process.returncode == 130, errors
    assert errors == b"stopped\n"
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"out.json": "old"}


def test_the_readme_shows_what_the_commands_print(tmp_path):
    (tmp_path / "story.txt").write_bytes(Path(STORY).read_bytes())
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    session = readme.partition("```console\n$ ")[2].partition("```")[0].split("\n$ ")
    for part in session:
        line, _, printed = part.partition("\n")
        script = line.replace("python -m", f"'{sys.executable}' -m")
        environment = {**PLAIN, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, env=environment)
        assert (done.stdout.rstrip("\n") + "\n" + done.stderr).strip("\n") == printed.strip("\n"), line
    commands = {line.partition("-m bpe_core ")[2].split()[0] for line in session}
    assert commands == {"train", "encode", "decode", "show", "steps", "compare", "draw"}
