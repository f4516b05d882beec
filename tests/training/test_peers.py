"""The engine against other people's libraries: the same merges, the same ids, the same pretokens."""

import pytest
import tiktoken
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from bpe_core import PRETOKENIZERS, Settings, train
from bpe_core.text.alphabet import GPT2_BYTE_ORDER
from tests.texts import EXAMPLE_TEXTS, FEW_LETTERS, NASTY_UNICODE, TEXTS, TINY

# Hugging Face draws each byte as a letter: the printable ones as themselves, the rest from U+0100 on.
LETTERS = {byte: chr(byte) if rank < 188 else chr(256 + rank - 188) for rank, byte in enumerate(GPT2_BYTE_ORDER)}
BYTE_OF = {letter: byte for byte, letter in LETTERS.items()}


def letters(token: bytes) -> str:
    return "".join(LETTERS[byte] for byte in token)


def hugging_face(text: str, vocab_size: int) -> Tokenizer:
    """Their byte-level trainer, the whole text as one item."""
    tok = Tokenizer(models.BPE())
    tok.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=vocab_size, initial_alphabet=alphabet, min_frequency=0, show_progress=False
    )
    tok.train_from_iterator([text], trainer)
    return tok


def their_merges(tok: Tokenizer) -> list[str]:
    vocabulary = sorted(tok.get_vocab().items(), key=lambda item: item[1])
    return [token for token, _ in vocabulary[256:]]


@pytest.mark.parametrize("name", list(EXAMPLE_TEXTS))
def test_hugging_face_rule_equals_hugging_face(name):
    text = EXAMPLE_TEXTS[name]
    ours = train(text, Settings(tie_rule="hugging-face", vocab_size=2000))
    assert [letters(merge.token) for merge in ours.merges] == their_merges(hugging_face(text, 2000))


@given(TINY | FEW_LETTERS | st.text("ab ", min_size=50, max_size=300))
def test_hugging_face_rule_on_tiny_alphabets(text):
    ours = train(text, Settings(tie_rule="hugging-face", vocab_size=400))
    assert [letters(merge.token) for merge in ours.merges] == their_merges(hugging_face(text, 400))


@pytest.mark.parametrize("name", list(EXAMPLE_TEXTS))
def test_lowest_id_rule_equals_rustbpe(name):
    rustbpe = pytest.importorskip("rustbpe")
    peer = rustbpe.Tokenizer()
    peer.train_from_iterator(iter([EXAMPLE_TEXTS[name]]), 2000, pattern=PRETOKENIZERS["gpt2"].pattern)
    ours = train(EXAMPLE_TEXTS[name], Settings(tie_rule="lowest-id", vocab_size=2000))
    theirs = {bytes(token): rank for token, rank in peer.get_mergeable_ranks()}
    assert {token: i for i, token in enumerate(ours.tokens)} == theirs


@pytest.fixture(scope="module")
def ours():
    return train("".join(EXAMPLE_TEXTS.values()), Settings(tie_rule="hugging-face", vocab_size=3000))


@pytest.fixture(scope="module")
def in_tiktoken(ours):
    """Our merges in tiktoken, whose ranks number GPT-2's bytes first."""
    ranks = {bytes([byte]): rank for rank, byte in enumerate(GPT2_BYTE_ORDER)}
    ranks |= {merge.token: 256 + k for k, merge in enumerate(ours.merges)}
    return tiktoken.Encoding("ours", pat_str=PRETOKENIZERS["gpt2"].pattern, mergeable_ranks=ranks, special_tokens={})


@pytest.fixture(scope="module")
def in_hugging_face(ours):
    vocabulary = {LETTERS[byte]: rank for rank, byte in enumerate(GPT2_BYTE_ORDER)}
    vocabulary |= {letters(merge.token): 256 + k for k, merge in enumerate(ours.merges)}
    merges = [(letters(merge.left), letters(merge.right)) for merge in ours.merges]
    tok = Tokenizer(models.BPE(vocabulary, merges))
    tok.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    return tok


def check_same_tokens(ours, in_tiktoken, in_hugging_face, text):
    tokens = list(ours.tokenizer().encode(text).tokens)
    assert tokens == in_tiktoken.decode_tokens_bytes(in_tiktoken.encode(text, disallowed_special=()))
    assert tokens == [bytes(BYTE_OF[c] for c in token) for token in in_hugging_face.encode(text).tokens]


@pytest.mark.parametrize("text", [*EXAMPLE_TEXTS.values(), *NASTY_UNICODE])
def test_encoding_equals_tiktoken_and_hugging_face(ours, in_tiktoken, in_hugging_face, text):
    check_same_tokens(ours, in_tiktoken, in_hugging_face, text)


@given(text=TEXTS.filter(lambda text: all(not 0xD800 <= ord(char) < 0xE000 for char in text)))
def test_encoding_of_any_text_equals_tiktoken_and_hugging_face(ours, in_tiktoken, in_hugging_face, text):
    check_same_tokens(ours, in_tiktoken, in_hugging_face, text)


def test_encoding_of_random_bytes_as_text(ours, in_tiktoken, in_hugging_face):
    text = bytes(range(256)).decode("latin-1") * 3
    check_same_tokens(ours, in_tiktoken, in_hugging_face, text)
