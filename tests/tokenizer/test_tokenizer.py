"""Encoding and decoding: against the textbook, against tiktoken and Hugging Face, and back again."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import PRETOKENIZERS, Settings, reference, train
from bpe_core.published import PUBLISHED
from bpe_core.text.alphabet import decode_bytes, encode_text, symbols_of
from bpe_core.tokenizer import word_encoder
from bpe_core.tokenizer.derivations import DerivationsByList
from bpe_core.tokenizer.merging import SHORT_WORD
from bpe_core.tokenizer.merging_arrays import MergeTable
from bpe_core.training.lifetimes import NEVER
from tests.children import ran
from tests.texts import EXAMPLES, NASTY, TEXTS

ROOT = Path(__file__).parents[2]
STORY = (EXAMPLES / "short-story.txt").read_text(encoding="utf-8")
MANY = (EXAMPLES / "many-languages.txt").read_text(encoding="utf-8")
LOSSLESS = [key for key, row in PRETOKENIZERS.items() if row.lossless]
TEXTS_AND_NASTY = TEXTS | st.sampled_from(NASTY)


@pytest.fixture(scope="module")
def run():
    return train(STORY + MANY, Settings(vocab_size=900))


def by_the_textbook(run, word: str, steps: int) -> tuple[bytes, ...]:
    symbols = symbols_of(word, run.settings.alphabet, run.settings.word_marker)
    for merge in run.merges[:steps]:
        symbols = reference.join(symbols, (merge.left, merge.right))
    return symbols


@given(word=TEXTS, step=st.integers(0, 600))
def test_encoding_is_the_merges_in_order(run, word, step):
    step = min(step, run.steps)
    tok = run.tokenizer(step)
    tokens = tuple(map(tok.token_bytes, tok.encode_word(word)))
    assert tokens == by_the_textbook(run, word, step)


@pytest.mark.parametrize("word", ["the lighthouse keeper's dog " * 12, "ab" * 200, "a" * 301, MANY[:600]])
def test_long_words_take_the_queue_and_agree(run, word):
    assert len(encode_text(word)) > SHORT_WORD
    tok = run.tokenizer()
    assert tuple(map(tok.token_bytes, tok.encode_word(word))) == by_the_textbook(run, word, run.steps)


def test_every_word_of_the_corpus_is_encoded_as_it_was_trained(run):
    for step in (0, 1, 50, 300, run.steps):
        tok = run.tokenizer(step)
        for word, (tokens, _) in zip(run.pretokens, run.words(step), strict=True):
            assert tuple(map(tok.token_bytes, tok.encode_word(word))) == tokens


@given(text=TEXTS_AND_NASTY, step=st.integers(0, 600))
def test_merged_at_holds_the_tokens_of_every_smaller_vocabulary(run, text, step):
    step = min(step, run.steps)
    encoding = run.tokenizer().encode(text)
    raw = b"".join(encoding.tokens)
    cuts = [i for i, at in enumerate(encoding.merged_at.tolist()) if at > step]
    assert len(encoding.merged_at) == len(raw)
    tokens = tuple(raw[a:b] for a, b in zip(cuts, [*cuts, len(raw)][1:], strict=True))
    assert tokens == run.tokenizer(step).encode(text).tokens
    assert all(at == NEVER or 1 <= at <= run.steps for at in encoding.merged_at.tolist())


def decoded(text: str) -> str:
    """A text as it comes back: half a character has three bytes, which are no UTF-8."""
    return "".join("\ufffd" * 3 if 0xD800 <= ord(char) < 0xE000 else char for char in text)


@given(TEXTS_AND_NASTY, st.sampled_from(LOSSLESS), st.sampled_from(["none", "end", "start"]))
def test_lossless_round_trip(text, pretokenizer, marker):
    tok = train("the cat sat on the mat", Settings(pretokenizer, word_marker=marker, vocab_size=270)).tokenizer()
    assert tok.decode(tok.encode(text).ids) == decoded(text)


@given(TEXTS_AND_NASTY, st.sampled_from(list(PRETOKENIZERS)), st.sampled_from(["bytes", "characters"]), st.booleans())
def test_spans_point_at_the_text(text, pretokenizer, alphabet, marked):
    settings = Settings(pretokenizer, alphabet, "end" if marked else "none", vocab_size=400)
    encoding = train(STORY[:500] + text, settings).tokenizer().encode(text)
    for token, (start, end) in zip(encoding.tokens, encoding.spans, strict=True):
        assert 0 <= start <= end <= len(text)
        assert token.replace(b"\xff", b"") in encode_text(text[start:end])
        if not token.startswith(b"\xff"):
            assert start < end
    covered = {place for start, end in encoding.spans for place in range(start, end)}
    if PRETOKENIZERS[pretokenizer].lossless:
        assert covered == set(range(len(text)))


def test_unknown_characters_are_kept_in_place():
    tok = train("hug pug", Settings("whitespace", "characters", vocab_size=10)).tokenizer()
    encoding = tok.encode("mug")
    assert encoding.ids[0] == -1
    assert encoding.spans[0] == (0, 1)
    assert encoding.tokens[0] == b"m"


def test_id_outside_the_vocabulary(run):
    with pytest.raises(ValueError, match="id 100000 is not in this vocabulary of 900 tokens"):
        run.tokenizer().decode([100_000])


def test_special_tokens_longest_first_or_as_text():
    special = ("<|end|>", "<|end|><|end|>")
    tok = train("a b", Settings(vocab_size=270, special_tokens=special)).tokenizer()
    text = "x<|end|><|end|>y"
    assert tok.encode(text, specials=True).tokens == (b"x", b"<|end|><|end|>", b"y")
    assert tok.encode(text, specials=False).ids == tuple(text.encode())
    assert tok.decode(tok.encode(text, specials=True).ids) == text


@given(TEXTS_AND_NASTY, st.sampled_from(list(PRETOKENIZERS)), st.booleans())
def test_the_fast_way_to_ids_equals_the_words(text, pretokenizer, specials):
    chosen = Settings(pretokenizer, vocab_size=400, special_tokens=("ab", "<|endoftext|>"))
    tok = train(STORY[:2000] + text, chosen).tokenizer()
    encoding = tok.encode(text, specials=specials)
    assert list(encoding.ids) == [i for word in encoding.words for i in word]
    assert len(encoding.words) == len(encoding.pretokens)


@given(TEXTS_AND_NASTY, st.sampled_from(list(PRETOKENIZERS)), st.sampled_from(["bytes", "characters"]))
def test_losses_are_what_is_not_in_the_tokens(text, pretokenizer, alphabet):
    tok = train("the cat sat. 12", Settings(pretokenizer, alphabet, vocab_size=300)).tokenizer()
    encoding = tok.encode(text)
    lost = {place for start, end, _ in encoding.losses for place in range(start, end)}
    kept = "".join(char for place, char in enumerate(text) if place not in lost)
    assert tok.decode(i for i in encoding.ids if i >= 0) == decoded(kept)


@given(TEXTS)
def test_longest_match(run, word):
    tok = run.tokenizer()
    tokens = [tok.token_bytes(i) for i in tok.pipeline.longest.encoder.encode(word)]
    raw = encode_text(word)
    assert b"".join(tokens) == raw
    vocabulary, start = set(tok.tokens), 0
    for token in tokens:
        assert not any(raw[start:end] in vocabulary for end in range(start + len(token) + 1, len(raw) + 1))
        start += len(token)


def test_longest_match_differs_from_merge_order():
    tok = train("ab ab bcd bcd bcd", Settings("whitespace", vocab_size=259)).tokenizer()
    assert tok.encode("abcd").tokens == (b"a", b"bcd")
    assert tok.encode("abcd", longest=True).tokens == (b"ab", b"c", b"d")


@pytest.mark.parametrize("text", ["a" * 100_000, STORY * 20])
def test_long_texts_without_a_cut_are_not_quadratic(text):
    """Counts the work instead of timing it: every lookup of a pair's rank."""

    class Counted(dict):
        lookups = 0

        def get(self, *arguments):
            Counted.lookups += 1
            return super().get(*arguments)

    tok = train(STORY, Settings("none", vocab_size=600)).tokenizer()
    tok.vocabulary.__dict__["ranks"] = Counted(tok.vocabulary.ranks)
    assert tok.decode(tok.encode_word(text)) == text
    assert Counted.lookups <= 3 * len(encode_text(text))


def test_a_token_of_equal_halves_is_looked_into_once(monkeypatch):
    """Counts the tokens that are looked into for a million times a: its halves are one token, and so are theirs."""
    looked, last = [], DerivationsByList._last
    monkeypatch.setattr(DerivationsByList, "_last", lambda self, token: looked.append(token) or last(self, token))
    made = DerivationsByList([(97 if new == 256 else new - 1,) * 2 + (new,) for new in range(256, 276)]).made(275)
    assert len(looked) < 100
    assert made.inside[: 1 << 6] == tuple((at & -at).bit_length() for at in range(1, 1 + (1 << 6)))
    assert len(made.inside) == (1 << 20) - 1
    assert made.inside[1 << 19 :] == made.inside[: (1 << 19) - 1]


def test_a_few_new_words_do_not_wait_for_the_table_of_all_merges(monkeypatch):
    tables = []
    monkeypatch.setattr(word_encoder, "MergeTable", lambda ranks: tables.append(ranks) or MergeTable(ranks))
    monkeypatch.setattr(word_encoder, "FEW_WORDS", 10)
    tok, other = (replace(PUBLISHED["gpt2"].load()) for _ in range(2))
    few, many = (" ".join(map(str, range(10_000, 10_000 + words))) for words in (1000, 5000))
    expected = [i for word in tok.pretokenizer.strings(many) for i in other.encode_word(word)]
    tok.ids(few)
    assert tables == []
    assert tok.ids(many) == expected
    assert tables == [tok.vocabulary.ranks]


def test_arrays_work_without_pandas():
    """It takes longer to import than a book to encode."""
    code = """
import sys
from bpe_core import Settings, train
words = " ".join(map(str, range(3000)))
tok = train(words, Settings("whitespace", vocab_size=300)).tokenizer()
assert tok.encode(words).words and "pandas" not in sys.modules
"""
    ran([sys.executable, "-c", code], cwd=ROOT, check=True)


@given(st.text(st.characters()), st.binary(max_size=4))
def test_bytes_that_are_no_text_are_replaced_and_the_rest_is_kept(text, junk):
    raw = encode_text(text)
    assert decode_bytes(raw) == text
    assert decode_bytes(raw + b"\xff" + raw) == f"{text}\ufffd{text}"
    assert decode_bytes(junk + b" " + raw).endswith(" " + text)


def test_many_bytes_that_are_no_text():
    assert decode_bytes(b"\x80" * 50_000) == "\ufffd" * 50_000
