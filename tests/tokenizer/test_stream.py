"""A stream, token by token: what is shown, what waits, what a decoder prints that does not wait."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import Settings, load, train
from bpe_core.tokenizer.stream import arrivals

TEXTS = ["안녕하세요, 세계", "नमस्ते दुनिया", "👨‍👩‍👧‍👦 🦜!", "plain", "", "né"]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("name", ["gpt2", "cl100k_base"])
def test_a_character_is_shown_with_its_last_byte(name, text):
    tok = load(name)
    ids = tok.ids(text)
    found = [*arrivals(tok, ids)]
    assert [arrival.id for arrival in found] == ids
    raw = b""
    for arrival in found:
        raw += tok.token_bytes(arrival.id)
        try:
            raw.decode()
        except UnicodeDecodeError:
            assert (arrival.shown, arrival.waiting) == ("", raw)
        else:
            assert (arrival.shown.encode(), arrival.waiting) == (raw, b"")
            raw = b""
        assert arrival.alone == tok.decode([arrival.id])
    assert raw == b""


@given(st.lists(st.integers(0, 255), max_size=8), st.sampled_from(["none", "end"]))
def test_any_bytes_are_shown_at_the_end(ids, marker):
    tok = train("hug", Settings("whitespace", word_marker=marker, vocab_size=258)).tokenizer()
    found = [*arrivals(tok, ids)]
    assert "".join(arrival.shown for arrival in found) == tok.decode(ids)
    assert [arrival.id for arrival in found] == ids


def test_bytes_and_the_text_after_them_may_come_with_one_id(tmp_path):
    sentencepiece = pytest.importorskip("sentencepiece")
    (tmp_path / "text.txt").write_text("the keeper of the light sees the sea\n" * 20)
    sentencepiece.SentencePieceTrainer.train(
        input=tmp_path / "text.txt", model_prefix=tmp_path / "bytes", vocab_size=290, model_type="bpe",
        byte_fallback=True, hard_vocab_limit=False, minloglevel=2,
    )  # fmt: skip
    tok = load(tmp_path / "bytes.model")
    for text in ("é a", "🦜 the é", "é"):
        ids = tok.ids(text)
        found = [*arrivals(tok, ids)]
        assert [arrival.id for arrival in found] == ids
        assert "".join(arrival.shown for arrival in found) == tok.decode(ids)
