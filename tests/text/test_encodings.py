"""Texts in every encoding that a byte order mark says, wherever a text is read, beside Python's own decoders."""

import bz2
import codecs
import gzip
import json
import lzma
import sys
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bpe_core import TextError, TextFile, load
from bpe_core.corpus import text_files
from bpe_core.counting.file_counts import counted
from bpe_core.counting.found_files import FoundFile, in_memory
from bpe_core.counting.other_notations import read
from bpe_core.text.encodings import ARCHIVE, BINARY, PDF, PICTURE, decoded, encoding_of, kind_of_data, lacks_mark
from tests.cli.driver import ok, run
from tests.some import some

MARKS = {
    "utf-16-le": codecs.BOM_UTF16_LE,
    "utf-16-be": codecs.BOM_UTF16_BE,
    "utf-32-le": codecs.BOM_UTF32_LE,
    "utf-32-be": codecs.BOM_UTF32_BE,
}
# The mark of UTF-32 is that of UTF-16 and a character of value 0.
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=40).filter(lambda text: not text.startswith("\0"))


def marked(text, codec):
    return MARKS[codec] + text.encode(codec)


class Slowly(BytesIO):
    """A pipe that gives a byte at a time at its beginning."""

    def read(self, size=-1):
        return super().read(1 if self.tell() < 6 else size)


@given(TEXTS, st.sampled_from([*MARKS]), st.integers(1, 9), st.integers(0, 200))
def test_a_marked_text_is_read_as_pythons_decoder_reads_it_or_refused_with_the_byte(text, codec, block, cut):
    content = marked(text, codec)
    name = codec[:6].upper()
    assert decoded(content) == content.decode(codec[:6]) == text
    assert encoding_of(content).name == name
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_files, "BLOCK", block)
        assert "".join(each for each, _ in TextFile("a", Slowly(content)).blocks()) == text
        left = content[: max(len(content) - cut, len(MARKS[codec]))]
        try:
            theirs = left.decode(codec[:6])
        except UnicodeDecodeError as error:
            why = rf"a: this is not text in {name} \(byte {error.start:,}\)"
            with pytest.raises(TextError, match=why):
                list(TextFile("a", BytesIO(left)).blocks())
            with pytest.raises(UnicodeDecodeError):
                decoded(left)
        else:
            assert "".join(each for each, _ in TextFile("a", BytesIO(left)).blocks()) == decoded(left) == theirs


@given(TEXTS, st.sampled_from([*MARKS]))
def test_a_marked_file_has_the_tokens_of_its_text_and_is_named_with_its_encoding(text, codec):
    files = {"a.txt": text, "a.jsonl": json.dumps({"text": text}), "a.json": json.dumps([{"text": text}])}
    found = counted(in_memory((name, marked(each, codec)) for name, each in files.items()), ["gpt2"], "text")
    count = load("gpt2").count(text, specials=False)
    sizes = {file.name: file.tokens[0] for file in found.files}
    assert (found.problems, sizes["a.txt"], sizes["a.jsonl"]) == ({}, count, count)
    assert found.read_as == dict.fromkeys(files, codec[:6].upper())
    (source,) = in_memory([("a.json", marked(files["a.json"], codec))])
    assert read(source) == ([{"text": text}], None)


@pytest.mark.parametrize("codec", some(MARKS))
def test_every_command_reads_a_marked_text(codec, tmp_path):
    text, turns = "The keeper slept.\r\n", json.dumps([["user", "Hi"]])
    for name, content in {"a.txt": text, "turns.json": turns, "ids": "[976, 6446]"}.items():
        (tmp_path / name).write_bytes(marked(content, codec))
        (tmp_path / f"plain {name}").write_bytes(content.encode())
    lines = (
        ["encode", "gpt2", "{a.txt}"],
        ["show", "gpt2", "{a.txt}"],
        ["split", "gpt2", "{a.txt}"],
        ["compare", "{a.txt}", "--tokenizers", "gpt2", "gpt-4o"],
        ["steps", "{a.txt}", "--vocab-size", "260"],
        ["chat", "qwen", "{turns.json}"],
    )
    for line in lines:
        name = next(word[1:-1] for word in line if word.startswith("{"))
        both = [run(*(str(tmp_path / (way + word[1:-1])) if word.startswith("{") else word for word in line))
                for way in ("", "plain ")]  # fmt: skip
        assert both[0].stdout == both[1].stdout != b"", line
    assert ok("decode", "gpt-4o", given=(tmp_path / "ids").read_bytes()) == load("gpt-4o").decode([976, 6446]).encode()
    assert ok("encode", "gpt2", given=marked(text, codec)) == ok("encode", "gpt2", given=text.encode())
    assert f"read as {codec[:6].upper()}: {tmp_path}/a.txt\n" in ok("count", tmp_path / "a.txt").decode()
    odd = run("encode", "gpt2", given=marked(text, codec)[:-1])
    assert (odd.returncode, odd.stderr.count(b"\n")) == (1, 1)
    assert f"this is not text in {codec[:6].upper()}".encode() in odd.stderr


DATA = {
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR": PICTURE,
    b"\xff\xd8\xff\xe0\0\x10JFIF\0": PICTURE,
    b"\x1f\x8b\x08\0\0\0\0\0": ARCHIVE,
    b"PK\x03\x04\x14\0": ARCHIVE,
    b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n\0\x01": PDF,
    Path(sys.executable).read_bytes()[:5000]: BINARY,
    "BMW fährt; %PDF-Größe".encode("latin-1"): "",
    "Grüße\r\n".encode("cp1252"): "",
    "こんにちは".encode("shift_jis"): "",
    "low lower".encode("utf-16-le"): "",
    "Привет, мир".encode("utf-16-be"): "",
}


@pytest.mark.parametrize("start", DATA)
def test_data_is_told_from_texts_that_cannot_be_read(start):
    assert kind_of_data(start) == DATA[start]


def test_texts_that_cannot_be_read_are_named_and_data_is_summed_up(tmp_path):
    for number, start in enumerate(DATA):
        (tmp_path / f"{number:02}").write_bytes(start)
    done = run("count", tmp_path)
    assert done.returncode == 1
    named = [line for line in done.stderr.decode().splitlines() if line.startswith(str(tmp_path))]
    assert [line.rpartition("/")[2] for line in named] == [
        "06: this is not text in UTF-8 (byte 5)",
        "07: this is not text in UTF-8 (byte 2)",
        "08: this is not text in UTF-8 (byte 0)",
        "09: this is text in UTF-16 without a byte order mark: save it as UTF-8",
        "10: this is text in UTF-16 without a byte order mark: save it as UTF-8",
    ]
    assert "left out: 2 pictures, 2 archives, 1 PDF, 1 binary file\n" in done.stdout.decode()
    (tmp_path / "11").write_bytes(b"\xe9t\xe9")
    assert b"\nand 1 more file; --json names all\n" in run("count", tmp_path).stderr
    assert len(json.loads(run("count", tmp_path, "--json").stdout)["problems"]) == 6
    for number in range(6, 12):
        (tmp_path / f"{number:02}").unlink()
    assert run("count", tmp_path).returncode == 0
    strict = run("count", tmp_path, "--strict")
    assert (strict.returncode, strict.stderr) == (1, b"bpe_core: 6 files left out as no text\n")
    assert lacks_mark(b"low") == ""


LETTERS = st.text(st.characters(categories=["Ll", "Lu", "Lo", "Nd", "Po"], max_codepoint=0x7FF), min_size=1, max_size=9)


def read_everywhere(content):
    """The text of a file, which is the same however it is read; or why it is none."""
    try:
        text = "".join(block for block, _ in TextFile("a.txt", BytesIO(content)).blocks())
    except TextError as error:
        with pytest.raises(UnicodeDecodeError):
            decoded(content)
        return str(error).removeprefix("a.txt: ")
    assert decoded(content) == text
    return text


@given(st.lists(LETTERS, min_size=2, max_size=30).map(" ".join), st.sampled_from([*MARKS]))
def test_a_text_that_lacks_its_mark_is_refused_wherever_a_text_is_read(text, codec):
    name, content = codec[:6].upper(), text.encode(codec)
    why = f"this is text in {name} without a byte order mark: save it as UTF-8"
    assert read_everywhere(content) == why
    for file in ("a.txt", "a.csv", "a.jsonl"):
        assert counted(in_memory([(file, content)]), ["gpt2"]).problems == {file: why}


@given(st.lists(st.text("ab é\n", max_size=4), min_size=2, max_size=30).map("\0".join))
@example("low\0")
@example("a\0")
@example("aa\0\0bb\0\0")
@example("ab\0" * 3000)
def test_a_text_with_characters_of_value_0_is_text_unless_they_are_at_every_other_place(text):
    content = text.encode()
    if len(content) % 2 == 0 and len(content) > 2 and any(
        4 * sum(byte < 32 for byte in content[at::2]) >= 3 * len(content[at::2]) for at in (0, 1)
    ):  # fmt: skip
        return
    assert read_everywhere(content) == text


def test_commands_and_trainings_name_a_text_that_lacks_its_mark(tmp_path):
    for number, text in enumerate(("The keeper slept.\n", "नमस्ते दुनिया, यह एक वाक्य है\n", "Привет, мир\n")):
        path = tmp_path / f"{number}.txt"
        path.write_bytes(text.encode("utf-16-le"))
        for line in (["encode", "gpt2"], ["show", "gpt2"], ["split", "gpt2"], ["count"], ["steps"]):
            done = run(*line, path)
            assert (done.returncode, done.stdout.count(b"|")) == (1, 0)
            why = f"{path}: this is text in UTF-16 without a byte order mark: save it as UTF-8\n"
            assert why in done.stderr.decode(), line


def test_a_pipe_that_gives_a_byte_at_a_time_is_counted_in_its_encoding():
    found = counted([FoundFile("a.txt", 0, lambda: Slowly(marked("low lower", "utf-16-le")))], ["gpt2"])
    assert (found.read_as, found.total()) == ({"a.txt": "UTF-16"}, load("gpt2").count("low lower"))


@pytest.mark.parametrize(
    ("ending", "compress"), [("gz", gzip.compress), ("bz2", bz2.compress), ("xz", lzma.compress)]
)  # fmt: skip
def test_a_compressed_file_is_called_so_by_every_command(ending, compress, tmp_path):
    path = tmp_path / f"story.txt.{ending}"
    path.write_bytes(compress(b"low lower lowest\n" * 40))
    sentence = f"{path}: it is an archive or a compressed file: unpack it first\n".encode()
    for words in (["count"], ["encode", "gpt2"], ["encode", "gpt2", "--count"], ["split", "gpt2"], ["steps"]):
        assert sentence in run(*words, path).stderr, words
