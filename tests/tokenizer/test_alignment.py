"""Tables of tokens and their alignment, against the slow and obvious way."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import Settings, train
from bpe_core.text.alphabet import encode_text
from bpe_core.tokenizer.alignment import align
from bpe_core.tokenizer.boundaries import BoundaryFinder
from bpe_core.tokenizer.token_table import token_table
from tests.texts import NASTY, TEXTS

STORY = "the newest low tower, lower than the 12 widest towers 🦜 नमस्ते"
SETTINGS = [
    Settings(*chosen, vocab_size=330, special_tokens=("<|endoftext|>",))
    for chosen in (
        ("gpt2", "bytes"), ("none", "bytes"), ("whitespace", "bytes", "end"), ("bert", "characters", "start"),
        ("cl100k", "characters"),
    )
]  # fmt: skip
RUNS = [train(STORY, chosen) for chosen in SETTINGS]
FINDERS = [BoundaryFinder(run.tokenizer()) for run in RUNS]
PAIRS = st.sampled_from(list(zip(RUNS, FINDERS, strict=True)))


def table_of(run, finder, text, step):
    return token_table(finder.tokenizer, finder.find(text), step)


@given(TEXTS | st.sampled_from(NASTY), PAIRS, st.integers(0, 74))
def test_the_table_is_the_encoding(text, pair, step):
    run, finder = pair
    step = min(step, run.steps)
    table, encoding = table_of(run, finder, text, step), run.tokenizer(step).encode(text)
    raw = encode_text(text)
    plain = [token.replace(b"\xff", b"") for token in encoding.tokens]
    assert [raw[a:b] for a, b in zip(table.starts, table.ends, strict=True)] == plain
    assert [finder.tokenizer.token_bytes(i) for i in table.ids.tolist() if i >= 0] == [
        token for token, i in zip(encoding.tokens, encoding.ids, strict=True) if i >= 0
    ]


@given(TEXTS | st.sampled_from(NASTY), PAIRS, PAIRS, st.integers(0, 74), st.integers(0, 74))
def test_blocks(text, one, other, step, other_step):
    left = table_of(*one, text, min(step, one[0].steps))
    right = table_of(*other, text, min(other_step, other[0].steps))
    size = len(encode_text(text))
    found = align(size, left, right)
    edges = found.edges.tolist()
    assert (edges[0], edges[-1]) == (0, size)
    cuts = [{*t.starts.tolist(), *t.ends.tolist()} for t in (left, right)]
    assert set(edges) == (cuts[0] & cuts[1]) | {0, size}
    for table, bounds in ((left, found.left.tolist()), (right, found.right.tolist())):
        assert bounds[-1] == (len(table) if size else 0)
    for k, (a, b) in enumerate(pairwise(edges)):
        inside = [{c for c in cut if a < c < b} for cut in cuts]
        spans = [
            [(s, e) for s, e in zip(t.starts.tolist(), t.ends.tolist(), strict=True) if a <= s and e <= b and s < e]
            for t in (left, right)
        ]
        if not found.differs[k]:
            assert not inside[0] | inside[1]
            assert spans[0] == spans[1]
        elif not any(s == e for t in (left, right) for s, e in zip(t.starts, t.ends, strict=True)):
            assert inside[0] | inside[1] or spans[0] != spans[1]


@pytest.mark.parametrize("text", NASTY)
def test_a_cut_agrees_with_itself(text):
    for run, finder in zip(RUNS, FINDERS, strict=True):
        table = table_of(run, finder, text, run.steps)
        assert run.settings.word_marker != "none" or not align(len(encode_text(text)), table, table).differs.any()
