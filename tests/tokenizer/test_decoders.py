"""Decoding by every decoder of a library: the stream joined is the text, and the bytes of ids are bytes."""

from contextlib import suppress
from functools import cache
from io import BytesIO

import pytest
import sentencepiece
import tiktoken
import tokenizers
from hypothesis import assume, given
from hypothesis import strategies as st
from sentencepiece.sentencepiece_model_pb2 import ModelProto
from tokenizers import Regex, decoders, models

from bpe_core import PRETOKENIZERS, Settings, dumps, loads, train
from bpe_core.files.opening import read
from bpe_core.text.alphabet import LETTER_OF
from tests.shapes import CORPUS

BYTES = [f"<0x{byte:02X}>" for byte in range(256)]
NAMES = [
    "a",
    "b",
    "▁",
    "▁a",
    "ab",
    "##a",
    "##b",
    "a</w>",
    "b</w>",
    "</w>",
    ".",
    " .",
    "n't",
    "[PAD]",
    "|",
    "\u010d",
    "é",
    "Ġ",
    "x y",
]
NAMES += ["do", "not", " do", " not", "'", " ", "\ufffd", "<s>", LETTER_OF[0xC3], LETTER_OF[0xA9], LETTER_OF[0xF0]]
PARTS = {
    "bytes as letters": decoders.ByteLevel,
    "WordPiece": decoders.WordPiece,
    "WordPiece as it is": lambda: decoders.WordPiece(cleanup=False),
    "Metaspace": decoders.Metaspace,
    "BPEDecoder": decoders.BPEDecoder,
    "CTC": decoders.CTC,
    "Fuse": decoders.Fuse,
    "Strip": lambda: decoders.Strip(" ", 1, 0),
    "Strip letters": lambda: decoders.Strip("a", 2, 0),
    "Replace": lambda: decoders.Replace("▁", " "),
    "Replace two": lambda: decoders.Replace("ab", "c"),
    "Replace a pattern": lambda: decoders.Replace(Regex("a+"), "-"),
    "ByteFallback": decoders.ByteFallback,
}
PUBLISHED = [
    [],
    *([name] for name in PARTS),
    ["Replace", "ByteFallback", "Fuse"],
    ["Replace", "ByteFallback", "Fuse", "Strip"],
]


@cache
def opened(names, byte_fallback=True):
    rows = {name: i for i, name in enumerate([*NAMES, *BYTES])}
    theirs = tokenizers.Tokenizer(models.BPE(rows, [], byte_fallback=byte_fallback))
    theirs.add_tokens(["<s>", "\u010d"])
    if names:
        parts = [PARTS[name]() for name in names]
        theirs.decoder = decoders.Sequence(parts) if len(parts) > 1 else parts[0]
    return theirs, read({"tokenizer.json": theirs.to_str().encode()})


def decoded(theirs, ids):
    """What the library decodes; None where it panics, as its WordPiece decoder does without ids."""
    try:
        return theirs.decode(ids, skip_special_tokens=False)
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        return None


IDS = st.lists(st.integers(0, len(NAMES) - 1) | st.integers(len(NAMES) + 0x60, len(NAMES) + 255), max_size=24)
SEQUENCES = st.sampled_from(PUBLISHED) | st.lists(st.sampled_from([*PARTS]), max_size=4)


@given(SEQUENCES.map(tuple), st.booleans(), IDS)
def test_the_stream_joined_is_the_text(names, byte_fallback, ids):
    theirs, tok = opened(names, byte_fallback)
    text = decoded(theirs, ids) if ids else ""
    assume(text is not None)
    assert "".join(tok.decode_stream(iter(ids))) == tok.decode(ids) == text


@given(IDS)
def test_a_stream_of_bytes_waits_no_longer_than_the_library_s(ids):
    theirs, tok = opened(("bytes as letters",))
    stream, shown = decoders.DecodeStream(skip_special_tokens=False), []
    arrived = iter(ids)
    ours = tok.decode_stream(arrived)
    for number, i in enumerate(ids):
        if part := stream.step(theirs, i):
            shown.append((number, part))
    if "".join(part for _, part in shown) == theirs.decode(ids, skip_special_tokens=False):
        seen, left = [], len(ids)
        for part in ours:
            left = arrived.__length_hint__()
            seen.append((len(ids) - left - 1, part))
        assert seen == shown


@pytest.mark.parametrize("kind", ["unigram", "bpe"])
def test_a_model_that_changes_a_text_after_decoding(kind):
    """Marian's models have a denormalizer."""
    rules = BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(["^a b", "a b ^b c", "cab ^c abc"] * 20), model_writer=rules, model_type=kind,
        vocab_size=14, hard_vocab_limit=False, minloglevel=2, normalization_rule_name="nmt_nfkc_cf",
    )  # fmt: skip
    model = ModelProto.FromString(rules.getvalue())
    model.denormalizer_spec.CopyFrom(model.normalizer_spec)  # it makes capital letters small
    model.denormalizer_spec.add_dummy_prefix = False
    for number, row in enumerate(model.pieces):
        if row.piece == "c":
            model.pieces[number].piece = "E\u0301C"
    content = model.SerializeToString()
    theirs, tok = sentencepiece.SentencePieceProcessor(), loads({"m.model": content})
    theirs.LoadFromSerializedProto(content)

    @given(st.lists(st.integers(0, len(model.pieces) - 1), max_size=12))
    def compare(ids):
        assert "".join(tok.decode_stream(iter(ids))) == tok.decode(ids) == theirs.decode(ids)

    compare()


@cache
def trained():
    run = train(CORPUS[:20_000], Settings("gpt2", vocab_size=500))
    ours = run.tokenizer()
    ranks = {token: i for i, token in enumerate(ours.tokens)}
    theirs = tiktoken.Encoding(
        "trained", pat_str=PRETOKENIZERS["gpt2"].pattern, mergeable_ranks=ranks, special_tokens={}
    )
    return theirs, read(dumps(ours))


@given(st.lists(st.integers(0, 499), max_size=12), st.lists(st.integers(0, 499), max_size=12))
def test_bytes_are_tiktoken_s(one, other):
    theirs, tok = trained()
    assert tok.needs_library
    assert tok.decode_bytes(one) == theirs.decode_bytes(one)
    assert tok.decode_bytes(one + other) == tok.decode_bytes(one) + tok.decode_bytes(other)


@given(IDS, IDS)
def test_bytes_of_bytes_that_are_no_text(one, other):
    """Each token is decoded by itself, so the bytes of two lists are those of both."""
    _, tok = opened(("Replace", "ByteFallback", "Fuse"))
    own = b"".join(bytes([i - len(NAMES)]) if i >= len(NAMES) else NAMES[i].replace("▁", " ").encode() for i in one)
    assert tok.decode_bytes(one) == own
    assert tok.decode_bytes(one + other) == own + tok.decode_bytes(other)


@given(SEQUENCES.map(tuple), IDS)
def test_bytes_are_those_of_the_text_or_refused(names, ids):
    theirs, tok = opened(names)
    text = decoded(theirs, ids) if ids else ""
    assume(text is not None)
    with suppress(ValueError):
        raw = tok.decode_bytes(ids)
        assert "\ufffd" in text or raw == text.encode()


def test_bytes_that_are_not_known_are_refused():
    """No byte of the vocabulary is left that could stand in for the bytes that are no text."""
    names = [" a", *BYTES[0x80:]]
    theirs = tokenizers.Tokenizer(models.BPE({name: i for i, name in enumerate(names)}, [], byte_fallback=True))
    theirs.decoder = decoders.Sequence([decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)])
    tok = read({"tokenizer.json": theirs.to_str().encode()})
    assert tok.decode_bytes([0]) == b"a"
    with pytest.raises(ValueError, match="use decode"):
        tok.decode_bytes([0, names.index("<0xF0>")])
