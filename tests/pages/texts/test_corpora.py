"""The texts to train on: the examples, and files that cannot be used."""

import pytest

from pages.parts.server.limits import LIMITS
from pages.parts.texts.corpora import Corpus, CorpusError, example, opened_text
from pages.parts.texts.examples import EXAMPLES, FOLDER


def test_every_file_is_an_example_and_the_other_way_round():
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(EXAMPLES)


@pytest.mark.parametrize("key", EXAMPLES)
def test_examples_are_real_texts(key):
    assert len(example(key).text.split()) >= 4


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b"", r"notes.txt is empty"),
        (b"\xff\xfea", r"notes.txt is not UTF-16 text \(byte 61 at position 2\): save it as UTF-8 and open it again"),
        (b"\x89PNG\r\n\x1a\n\0", r"notes.txt is not a text file"),
        ("low".encode("utf-16-be"), r"notes.txt is text in UTF-16 without a byte order mark: save it as UTF-8 and"),
        (b"abc\xe9", r"byte E9 at position 3"),
        (b" \n ", r"only white space"),
        (b"a" * ((LIMITS.file_mb << 20) + 1), r"larger than 50 MB"),
    ],
)
def test_files_that_cannot_be_used(raw, message):
    with pytest.raises(CorpusError, match=message):
        opened_text("notes.txt", raw)


def test_a_text_in_utf_16_is_opened():
    assert opened_text("notes.txt", "caf\u00e9\r\n".encode("utf-16")) == "caf\u00e9\r\n"


def test_equality_is_by_the_whole_text():
    text = "a" * 200
    assert Corpus("one", text) == Corpus("other", text)
    assert Corpus("one", text) != Corpus("one", text[:150] + "b" + text[151:])
    assert Corpus("one", text).digest != Corpus("one", text[:150] + "b" + text[151:]).digest
