"""Trimmed vocabularies give the text the same tokens; appended ones have tokens that no text reaches."""

import base64
import json

import pytest
import tiktoken
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer as HuggingFace

from bpe_core import FORMATS, FormatError, Settings, dumps, load, loads, train
from bpe_core.tokenizer.trimming import append, trim, unreached
from bpe_core.tokenizer.unreachable import MERGED, reach
from tests.texts import CORPUS, EXAMPLE_TEXTS, WRITABLE


@given(WRITABLE, WRITABLE, WRITABLE, st.sampled_from(["gpt2", "none"]))
def test_a_trimmed_vocabulary_gives_the_text_the_same_tokens(first, text, other, split):
    tokenizer = train(first + text, Settings(split, vocab_size=400, special_tokens=("<|>",))).tokenizer()
    small = trim(tokenizer, text)
    assert small.tokenizer.ids(text, specials=True) == [small.ids[i] for i in tokenizer.ids(text, specials=True)]
    assert small.tokenizer.decode(small.tokenizer.ids(other, specials=True)) == tokenizer.decode(
        tokenizer.ids(other, specials=True)
    )
    parts = {half for i in range(len(small.tokenizer.tokens)) for half in (small.tokenizer.origin(i) or ())[:2]}
    unused = set(range(256, len(small.tokenizer.tokens))) - set(small.tokenizer.ids(text, specials=True)) - parts
    assert unused <= set(small.tokenizer.special_tokens.values())


@pytest.mark.parametrize("name", ["gpt2", "tekken", "qwen"])
def test_a_trimmed_published_vocabulary(name):
    tokenizer = load(name)
    small = trim(tokenizer, [CORPUS, "a second text"])
    assert small.tokenizer.ids(CORPUS) == [small.ids[i] for i in tokenizer.ids(CORPUS)]
    assert [small.tokenizer.token_bytes(new) for new in small.ids.values()] == [*map(tokenizer.token_bytes, small.ids)]
    theirs = HuggingFace.from_str(dumps(small.tokenizer)["tokenizer.json"].decode())
    for text in EXAMPLE_TEXTS.values():
        assert theirs.encode(text, add_special_tokens=False).ids == small.tokenizer.ids(text)


def test_what_has_no_merges_is_not_trimmed():
    with pytest.raises(ValueError, match="has no merges"):
        trim(load("bert"), "hug")


def test_growing_leaves_no_token_that_no_text_reaches_and_appending_does():
    base, text = load("gpt2"), EXAMPLE_TEXTS["many-languages"]
    grown = train(text, Settings(vocab_size=50457), start=base).tokenizer()
    both = append(base, train(text, Settings(vocab_size=556)).tokenizer())
    assert set(reach(grown)[50257:]) <= set(reach(base))
    lost = unreached(both, 50257)
    assert 0 < len(lost) < len(both.tokens) - 50257
    assert not set(lost) & set(both.ids(text))
    assert MERGED not in reach(grown)


def files_with_the_same_ids(tokenizer):
    """The formats that hold a tokenizer; each gives it back with the same ids."""
    written = []
    for name in FORMATS:
        try:
            files = dumps(tokenizer, name)
        except FormatError:
            continue
        again = loads(files)
        for text in [*EXAMPLE_TEXTS.values(), "'stuff can't \n\n x\n"]:
            assert again.ids(text) == tokenizer.ids(text), name
        written.append(name)
    return written


@pytest.mark.thorough
def test_every_format_that_holds_a_grown_tokenizer_gives_it_back():
    grown = train(CORPUS, Settings(vocab_size=50300), start=load("gpt2")).tokenizer()
    assert files_with_the_same_ids(grown) == ["tokenizer.json", "vocab.json + merges.txt", ".tiktoken"]
    across = train(CORPUS, Settings(vocab_size=400, then_across_words_from=320)).tokenizer()
    assert files_with_the_same_ids(across) == ["tokenizer.json", ".tiktoken", "minbpe"]


def test_tiktoken_itself_reads_a_vocabulary_that_crosses_words():
    ours = train(CORPUS, Settings(vocab_size=400, then_across_words_from=320)).tokenizer()
    lines, more = dumps(ours, ".tiktoken").values()
    ranks = {base64.b64decode(token): int(rank) for token, rank in map(bytes.split, lines.splitlines())}
    theirs = tiktoken.Encoding("ours", mergeable_ranks=ranks, **json.loads(more))
    for text in [*EXAMPLE_TEXTS.values(), "'stuff can't \n\n x\n"]:
        assert theirs.encode_ordinary(text) == ours.ids(text)
