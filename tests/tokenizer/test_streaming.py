"""Decoding while ids arrive: the same text as at once, in whole characters, and no id is decoded again and again."""

import json
from functools import cache
from io import BytesIO

import pytest
import sentencepiece
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import Settings, load, loads, train
from bpe_core.files.libraries import HuggingFace, SentencePiece
from bpe_core.files.tokenizer_classes import CLIP
from bpe_core.tokenizer.streaming import LONG
from bpe_core.tokenizer.vocabulary import Vocabulary
from tests.shapes import CORPUS, file_of
from tests.texts import EXAMPLE_TEXTS

SPACE = {"type": "Replace", "pattern": {"String": "▁"}, "content": " "}
BYTES = [SPACE, {"type": "ByteFallback"}, {"type": "Fuse"}]
STRIP = {"type": "Strip", "content": " ", "start": 1, "stop": 0}
DECODERS = {
    "llama2": {"type": "Sequence", "decoders": [*BYTES, STRIP]},
    "gemma": {"type": "Sequence", "decoders": BYTES},
    "metaspace always": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True},
    "gpt2 with end of word": CLIP.decoder,
    "word level": {"type": "CTC", "pad_token": "[UNK]", "word_delimiter_token": "the", "cleanup": True},
}
NAMES = ["gpt2", "bert", "start", "end", "start of bytes", *DECODERS, "llama3", "wordpiece", "unigram", "model"]


@cache
def tokenizer(name):
    if name in ("gpt2", "bert"):
        return load(name)
    if name in ("start", "end"):
        return train(CORPUS[:5000], Settings("whitespace", "characters", name, vocab_size=400)).tokenizer()
    if name == "start of bytes":
        return train(CORPUS, Settings("gpt2", "bytes", "start", vocab_size=400)).tokenizer()
    if name == "model":
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(CORPUS.splitlines()), model_writer=(written := BytesIO()), model_type="unigram",
            vocab_size=700, byte_fallback=True, minloglevel=2,
        )  # fmt: skip
        return loads({"m.model": written.getvalue()})
    whole = json.loads(file_of(name))
    return loads({"a": json.dumps({**whole, "decoder": DECODERS.get(name, whole["decoder"])}).encode()})


@cache
def kinds_of_ids(name):
    """All ids, and by themselves bytes that are no text and white space, so that streams have rows of each."""
    tok = tokenizer(name)
    tokens = {i: token for i in range(tok.n_vocab) if (token := tok.id_to_token(i)) is not None}
    odd = [i for i, token in tokens.items() if len(token) == 1 and token[0] > 127]
    return [ids for ids in ([*tokens], odd, [i for i, token in tokens.items() if not token.strip()]) if ids]


def once_more(tok, ids):
    """The pieces as their definition has them: all ids decoded again for each."""
    shown = ""
    unsure = ("\ufffd",)
    if tok.content.endswith(b"}") and "</w>" in json.dumps(json.loads(tok.content).get("decoder")):
        unsure = ("\ufffd", "<", "</", "</w")  # CLIP's decoder replaces </w>
    for end in range(1, len(ids) + 1):
        text = tok.decode(ids[:end])
        if text != shown and text.startswith(shown) and not text.endswith(unsure):
            yield text[len(shown) :]
            shown = text
    if rest := tok.decode(ids)[len(shown) :]:
        yield rest


@pytest.mark.parametrize("name", NAMES)
def test_the_pieces_of_any_ids_are_their_text(name):
    tok, kinds = tokenizer(name), kinds_of_ids(name)

    @given(st.lists(st.one_of(*map(st.sampled_from, kinds)), max_size=50), st.booleans())
    def compare(ids, skip):
        found = list(tok.decode_stream(iter(ids), skip_special_tokens=skip))
        assert "".join(found) == tok.decode(ids, skip_special_tokens=skip)
        assert all(found)
        expected = list(once_more(tok, ids))
        if not skip and "".join(expected) == tok.decode(ids):  # it may have shown what the next byte makes wrong
            assert found == expected

    compare()
    for text in ("low lower 🦜 don't", "नमस्ते 🦜🦜", "  a\n\n b"):
        ids = tok.ids(text)
        assert list(tok.decode_stream(ids)) == list(once_more(tok, ids))


@pytest.mark.parametrize("name", NAMES)
def test_the_work_grows_like_the_number_of_ids(name, monkeypatch):
    tok, decoded = tokenizer(name), 0

    def counted(method, size):
        def count(self, ids):
            nonlocal decoded
            decoded += size(ids)
            return method(self, ids)

        return count

    for kind in (HuggingFace, SentencePiece):
        monkeypatch.setattr(kind, "decode", counted(kind.decode, len))
    monkeypatch.setattr(Vocabulary, "token_bytes", counted(Vocabulary.token_bytes, lambda _: 1))
    tok.__dict__.pop("_windows", None)
    for ids in ([*tok.ids("".join(EXAMPLE_TEXTS.values()))], kinds_of_ids(name)[1 % len(kinds_of_ids(name))] * 40):
        decoded, ids = 0, ids[:2000]
        "".join(tok.decode_stream(ids))
        assert decoded < 2 * LONG * len(ids)


def test_a_file_s_text_is_shown_before_all_ids_are_there():
    tok = tokenizer("llama2")
    ids = iter(tok.ids("a 🦜!"))
    pieces = tok.decode_stream(ids)
    assert "a 🦜!".startswith(next(pieces))
    assert len(list(ids)) > 2
