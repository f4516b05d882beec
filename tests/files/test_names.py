"""A name is one id in every file that opens, and a vocabulary with a token twice is refused in every format."""

import json
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from bpe_core import FormatError, Settings, load, loads, train
from bpe_core.files.tiktoken_ranks import rank_lines
from tests.gguf_files import of_bert, of_bytes, of_sentencepiece, sentencepiece_model, written
from tests.texts import EXAMPLE_TEXTS

BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
SPACES = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always"}
PLAIN = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
PIECES = [
    "a",
    "##a",
    "a</w>",
    " a",
    "▁a",
    "Ġa",
    "é",
    "Ã©",
    "Ã",
    "©",
    " ",
    "▁",
    "Ġ",
    "A",
    "<0x41>",
    "<0x00>",
    "\ufffd",
    "<unk>",
]
MODELS = [
    ("BPE", {}, BYTE_LEVEL, BYTE_LEVEL),
    ("BPE", {"byte_fallback": True, "unk_token": "<unk>"}, SPACES, {"type": "ByteFallback"}),
    ("BPE", {"end_of_word_suffix": "</w>"}, None, None),
    ("BPE", {"continuing_subword_prefix": "##"}, None, None),
    ("WordPiece", {"unk_token": "<unk>", "continuing_subword_prefix": "##", "max_input_chars_per_word": 9}, None, None),
    ("WordPiece", {"unk_token": "<unk>", "continuing_subword_prefix": "@@", "max_input_chars_per_word": 9}, None, None),
    ("WordLevel", {"unk_token": "<unk>"}, SPACES, None),
    ("Unigram", {"unk_id": 0, "byte_fallback": True}, SPACES, None),
]
SMALL = train(EXAMPLE_TEXTS["short-story"], Settings("gpt2", vocab_size=400, special_tokens=("<s>",))).tokenizer()


def contents(kind, fields, pieces, added, pre_tokenizer, decoder):
    vocab = [[piece, -1.0] for piece in pieces] if kind == "Unigram" else {piece: i for i, piece in enumerate(pieces)}
    model = {"type": kind, "vocab": vocab, **({"merges": []} if kind == "BPE" else {}), **fields}
    rows = [
        {"id": len(vocab) + at, "content": name, "special": special, **PLAIN}
        for at, (name, special) in enumerate(added)
    ]
    parts = {"added_tokens": rows, "pre_tokenizer": pre_tokenizer, "decoder": decoder, "model": model}
    return json.dumps({"version": "1.0", "normalizer": None, "post_processor": None, **parts}).encode()


def check(tok, size):
    """Each of the ids has a name, and no two have the same."""
    names = [name for i in range(tok.vocab_size) if (name := tok.id_to_token(i)) is not None]
    assert [tok.token_to_id(name) for name in names] == [i for i in range(tok.vocab_size) if tok.id_to_token(i)]
    assert len({*names}) == len(names) == len(tok) == len(tok.get_vocab()) == size


@pytest.mark.parametrize("shape", MODELS, ids=lambda shape: f"{shape[0]} {[*shape[1]]}")
@given(
    pieces=st.lists(st.sampled_from(PIECES), unique=True),
    added=st.lists(
        st.tuples(st.sampled_from([*PIECES, "<s>"]), st.booleans()), max_size=3, unique_by=lambda row: row[0]
    ),
)
def test_each_id_of_a_tokenizer_json_has_a_name_of_its_own(shape, pieces, added):
    kind, fields, pre_tokenizer, decoder = shape
    pieces = ["<unk>", *(piece for piece in pieces if piece != "<unk>")]
    content = contents(kind, fields, pieces, added, pre_tokenizer, decoder)
    theirs = Tokenizer.from_str(content.decode())
    tok = loads({"tokenizer.json": content})
    check(tok, theirs.get_vocab_size())
    for name, i in tok.special_tokens.items():
        assert tok.token_to_id(name) == theirs.token_to_id(name) == i


@given(st.lists(st.sampled_from(["a", "b", "▁a", "<unk>", "ab"]), max_size=9), st.sampled_from(["ab", "a b", "ba zz"]))
def test_a_unigram_model_may_have_a_piece_twice_as_in_its_library(pieces, text):
    content = contents("Unigram", {"unk_id": 0}, ["<unk>", *pieces], [], None, None)
    theirs, tok = Tokenizer.from_str(content.decode()), loads({"tokenizer.json": content})
    assert tok.ids(text) == theirs.encode(text).ids
    assert tok.decode(tok.ids(text)) == theirs.decode(theirs.encode(text).ids, skip_special_tokens=False)
    check(tok, 1 + len(pieces))
    for i in range(1 + len(pieces)):
        piece = theirs.id_to_token(i)
        assert tok.token_bytes(i) == piece.encode()
        assert tok.token_to_id(piece) == theirs.token_to_id(piece)


OTHERS = {  # made when they are wanted
    **{key: partial(load, key) for key in ("gpt2", "qwen", "tekken", "bert")},
    "trained": lambda: SMALL,
    "SentencePiece": lambda: loads({"tokenizer.model": sentencepiece_model("bpe", "identity")}),
    "Unigram": lambda: loads({"tokenizer.model": sentencepiece_model("unigram", "nmt_nfkc")}),
    "GGUF of pieces": lambda: loads(
        {"model.gguf": of_sentencepiece(sentencepiece_model("bpe", "identity"), model="llama")}
    ),
    "GGUF of BERT": lambda: loads({"model.gguf": of_bert(load("bert"))}),
    "GGUF of bytes": lambda: loads({"model.gguf": of_bytes(SMALL, "gpt-2")}),
    "minbpe, abc in two ways": lambda: loads({"tokenizer.model": b"minbpe v1\n\n0\n97 98\n98 99\n256 99\n97 257\n"}),
}


@pytest.mark.parametrize("name", OTHERS)
def test_each_id_of_other_files_has_a_name_of_its_own(name):
    tok = OTHERS[name]()
    check(tok, len({i for i, token in enumerate(tok.tokens) if token} | {*tok.special_tokens.values()}))


VOCAB = b'{"a": 0, "[UNK]": 1, "a": 2, "aa": 3}'
WORDPIECE = b'"unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 9'
TWICE = {
    "tokenizer.json": {
        "tokenizer.json": b'{"version": "1.0", "model": {"type": "BPE", "merges": [], "vocab": %b}}' % VOCAB
    },
    "vocab.json + merges.txt": {"vocab.json": VOCAB, "merges.txt": b"#version: 0.2\na a\n"},
    "WordPiece": {"tokenizer.json": b'{"model": {"type": "WordPiece", %b, "vocab": %b}}' % (WORDPIECE, VOCAB)},
    ".tiktoken": {"a.tiktoken": rank_lines([*((bytes([byte]), byte) for byte in range(256)), (b"a", 256)])},
    "GGUF": {"model.gguf": written("gpt2", ["a", "b", "a"], pre="gpt-2", merges=["a b"])},
}


@pytest.mark.parametrize("name", TWICE)
def test_a_vocabulary_with_a_token_twice_is_refused_in_every_format(name):
    """SentencePiece's own library refuses such a file too."""
    with pytest.raises(FormatError, match=r"twice|a token of an earlier line"):
        loads(TWICE[name], "gpt2" if name == ".tiktoken" else None)


def test_two_ids_for_one_key_elsewhere_are_no_vocabulary():
    """Such as a setting that is given twice; the last one counts, as in every reader of JSON."""
    content = contents("WordLevel", {"unk_token": "a"}, ["a", "b"], [], None, None)
    config = b'{"tokenizer_class": "BertTokenizer", "tokenizer_class": "GPT2Tokenizer"}'
    assert loads({"tokenizer.json": content, "tokenizer_config.json": config}).ids("b") == [1]
