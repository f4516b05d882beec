"""The four arrays of a text, at every vocabulary size, against the textbook's merging; and their views."""

from dataclasses import replace
from functools import cache
from time import process_time
from timeit import repeat

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import PRETOKENIZERS, Run, Settings, load, reference, train
from bpe_core.text.alphabet import encode_text, symbols_of
from bpe_core.text.normalizers import normalized
from bpe_core.text.special_tokens import segments
from bpe_core.tokenizer import text_pipeline
from bpe_core.tokenizer.walk import Walk
from bpe_core.training.lifetimes import NEVER
from tests.some import some
from tests.texts import EXAMPLE_TEXTS, NASTY, TEXTS

END = "<|end|>"
STORY = f"the newest low tower, lower than the 12 widest towers 🦜 {END}"
GRID = [
    Settings(pretokenizer, alphabet, marker, vocab_size=size, special_tokens=(END,), normalizers=normalizers)
    for pretokenizer in PRETOKENIZERS
    for alphabet, size in (("bytes", 300), ("characters", 80))
    for marker in ("none", "end", "start")
    for normalizers in ((), ("nfkc", "lowercase"))
]
ANY = TEXTS | st.sampled_from(NASTY) | st.lists(st.sampled_from(["the ", "tower", "é", END, " ", "LOW"])).map("".join)


@cache
def run_of(chosen: Settings) -> Run:
    return train(STORY, chosen)


def by_the_textbook(run: Run, text: str, step: int) -> tuple[list[bytes], list[tuple[int, int]]]:
    """(tokens, their spans in the bytes of the normalized text) after `step` merges, each merge applied in its turn."""
    chosen, tokens, spans, at = run.settings, [], [], 0
    for segment, _, name in segments(text, chosen.special_tokens):
        seen = segment if name else normalized(segment, chosen.normalizers)
        cuts = [(seen, 0)] if name else [cut[:2] for cut in chosen.splitter.split(seen)]
        for word, start in cuts:
            symbols = (encode_text(word),) if name else symbols_of(word, chosen.alphabet, chosen.word_marker)
            for merge in run.merges[:step]:
                symbols = reference.join(symbols, (merge.left, merge.right))
            first = at + len(encode_text(seen[:start]))
            for symbol in symbols:
                size = len(symbol if name else symbol.replace(b"\xff", b""))
                tokens.append(symbol)
                spans.append((first, first + size))
                first += size
        at += len(encode_text(seen))
    return tokens, spans


@given(ANY, st.sampled_from(GRID), st.integers(0, 60))
def test_the_arrays_are_the_textbook_s_tokens_at_every_step(text, chosen, step):
    run = run_of(chosen)
    step, tok = min(step, run.steps), run.tokenizer()
    smaller, encoding = run.tokenizer(step), tok.encode(text, specials=True)
    again = smaller.encode(text, specials=True)
    walk = encoding.walk
    table = walk.tokens(step)
    tokens, spans = by_the_textbook(run, text, step)
    assert [table.token(n) for n in range(len(table))] == tokens
    assert list(zip(table.starts.tolist(), table.ends.tolist(), strict=True)) == spans
    named = {tok.special_tokens[END]: smaller.special_tokens[END]}
    assert [named.get(i, i) for i in table.ids.tolist()] == smaller.ids(text, specials=True) == list(again.ids)
    assert again.walk.merged_at.tolist() == np.where(walk.merged_at > step, NEVER, walk.merged_at).tolist()
    assert table.made.tolist() == [max([0, *smaller.inside(i)]) for i in again.ids]
    assert encoding.merged_at.tolist() == walk.merged_at.tolist()


def same(one: Walk, other: Walk) -> None:
    for name in ("starts", "ends", "ids", "merged_at", "words"):
        assert getattr(one, name).tolist() == getattr(other, name).tolist()


@given(ANY, st.sampled_from(GRID), st.booleans())
def test_a_text_cut_in_arrays_is_walked_as_word_by_word(text, chosen, specials):
    text = f"{text} lower {END}{text}"
    expected = run_of(chosen).tokenizer().encode(text, specials=specials)
    fresh = run_of(chosen).tokenizer()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_pipeline, "SHORT", 0)
        for _ in ("at first sight", "remembered"):
            same(fresh.encode(text, specials=specials).walk, expected.walk)
    assert len(expected.words) == len(expected.pretokens) == len(expected.walk.words)
    assert tuple(i for word in expected.words for i in word) == expected.ids


def test_a_space_that_is_put_before_a_text_covers_none_of_it():
    trained = run_of(Settings("metaspace", vocab_size=300, special_tokens=(END,))).tokenizer()
    tok = replace(trained, prefix_space=True)
    for text in ("the lower", " the", "", f"é{END}a", "x " * 3000):
        encoding = tok.encode(text, specials=True)
        assert encoding.walk.tokens(len(tok.merges)).ids.tolist() == tok.ids(text, specials=True)
        before = "" if text.startswith(" ") or not text else " "
        assert b"".join(encoding.tokens).decode() == before + text.replace(END, f"{END} ")
    walk = tok.encode(f"a{END}b", specials=True).walk
    assert (walk.starts.tolist(), walk.ends.tolist()) == ([0, 0, 1, 8, 8], [0, 1, 8, 8, 9])
    assert tok.encode(f"a{END}b", specials=True).spans[-1][1] == 9


@pytest.mark.parametrize("longest", [False, True])
@pytest.mark.parametrize("chosen", some(["bert", "qwen", *GRID[::13]], 2))
def test_the_ids_are_the_same_with_and_without_the_walk(chosen, longest):
    tok = load(chosen) if isinstance(chosen, str) else run_of(chosen).tokenizer()
    for text in (*NASTY, EXAMPLE_TEXTS["many-languages"][:3000], f"a{END} lower{END}"):
        for specials in (True, False):
            alone, walked = (tok.encode(text, specials=specials, longest=longest) for _ in range(2))
            assert len(walked.tokens) == len(walked.spans)
            assert alone.ids == walked.ids
            assert "walk" not in alone.__dict__


def test_the_ids_of_a_short_text_need_no_walk():
    """They took ten times as long as `ids` while the walk was made for them."""
    tok, text = load("gpt2"), EXAMPLE_TEXTS["short-story"][:76]
    fastest = [
        min(repeat(get, number=100, repeat=20, timer=process_time))
        for get in (lambda: tok.ids(text), lambda: tok.encode(text).ids)
    ]
    assert fastest[1] < 4 * fastest[0]


def test_no_symbol_no_word():
    walk = run_of(GRID[0]).tokenizer().encode("").walk
    assert len(walk) == len(walk.tokens(0)) == 0
    with pytest.raises(ValueError, match="symbol 0 is not in this text of 0 symbols"):
        walk.word_at(0)
