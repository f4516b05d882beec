"""Texts and files that a caller gives: what is a text, and what is none."""

from io import BytesIO

import pytest

from bpe_core import Settings, TextError, TextFile, train
from bpe_core.corpus import text_files
from bpe_core.corpus.counting import count_pretokens
from tests.texts import EXAMPLE_TEXTS


def test_a_run_on_a_file_keeps_no_text(tmp_path):
    path = tmp_path / "story.txt"
    path.write_bytes("\n".join(EXAMPLE_TEXTS.values()).encode())
    for texts in (TextFile(path), ["low", TextFile(path)], (text for text in ["low"])):
        assert train(texts, Settings(vocab_size=300)).texts is None
    with pytest.raises(ValueError, match="need the text"):
        train(TextFile(path), Settings(vocab_size=300)).blocked_pairs(0)


def test_a_sentence_longer_than_any_file_name_is_a_text():
    """204 characters with a full stop, and 360 bytes: more than a name may have, so the system refuses to look."""
    sentence = "Моя собака спит. " * 12
    assert (len(sentence), len(sentence.encode())) == (204, 360)
    assert train(sentence, Settings(vocab_size=258)).steps == 2


def test_a_byte_order_mark_is_text():
    counted = count_pretokens(TextFile("x", BytesIO(b"\xef\xbb\xbflow")), Settings("whitespace"))
    assert counted == {"\ufefflow": 1}


@pytest.mark.parametrize(("raw", "place"), [(b"abc\xff", 3), (b"\xc3", 0), (b"a" * 12 + b"\xe2\x80", 12)])
def test_a_file_that_is_no_text_says_where(monkeypatch, raw, place):
    monkeypatch.setattr(text_files, "BLOCK", 7)
    with pytest.raises(TextError, match=rf"notes.txt: this is not text in UTF-8 \(byte {place}\)"):
        count_pretokens(TextFile("notes.txt", BytesIO(raw)), Settings())
