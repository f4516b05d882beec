"""The life of a token, against plain replays of the merges."""

from itertools import groupby, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import Settings, train
from bpe_core.published import PUBLISHED
from bpe_core.tokenizer.biography import PairAcross, containing, derivation, joins, leaves, pairs_across
from tests.texts import TEXTS

STORY = "the newest low tower, lower than the 12 widest towers; aaaa aa aaaaaa banana bandana 🦜"
TOKS = [
    train(STORY, Settings(pretokenizer, alphabet, marker, vocab_size=320)).tokenizer()
    for pretokenizer, alphabet, marker in (("gpt2", "bytes", "none"), ("none", "bytes", "none"))
] + [train(STORY, Settings("whitespace", "characters", "end", vocab_size=90)).tokenizer()]


def replay(tok, word: str, steps: int) -> list[list[list[int]]]:
    """The word after every step, as (id, first symbol) rows: every merge in turn, from left to right."""
    row = [[tok.vocabulary.base.ids.get(symbol, -1), i] for i, symbol in enumerate(tok.vocabulary.base.of(word))]
    rows = [row]
    for left, right, new in tok.merges[:steps]:
        row, i = [], 0
        while i < len(rows[-1]):
            here = rows[-1][i : i + 2]
            joined = [cell[0] for cell in here] == [left, right]
            row.append([new, here[0][1]] if joined else here[0])
            i += 2 if joined else 1
        rows.append(row)
    return rows


def standing(tok, word: str, place: int, step: int) -> list[PairAcross]:
    pairs = []
    for row in replay(tok, word, step):
        pairs.append(next((a[0], b[0]) for a, b in pairwise(row) if b[1] == place))
    steps = [(pair, [k for k, _ in group]) for pair, group in groupby(enumerate(pairs), key=lambda item: item[1])]
    learnt = {(left, right): k for k, (left, right, _) in enumerate(tok.merges, 1)}
    since = [ks[0] for _, ks in steps]
    return [
        PairAcross(*pair, first, until, learnt.get(pair))
        for (pair, _), first, until in zip(steps, since, [*since[1:], None], strict=True)
    ]


@given(TEXTS | st.text("abnds lowert", max_size=30), st.sampled_from(TOKS), st.data())
def test_pairs_across_every_boundary(text, tok, data):
    encoding = tok.encode(text)
    if not encoding.pretokens:
        return
    number = data.draw(st.integers(0, len(encoding.pretokens) - 1))
    word, first = encoding.pretokens[number].text, int(encoding.walk.words[number])
    step = data.draw(st.integers(0, len(tok.merges)))
    for _, place in replay(tok, word, step)[-1][1:]:
        found = pairs_across(encoding.walk, first + place, step)
        assert found == standing(tok, word, place, step)
        for pair in found:  # the reason: never learnt, later than what used it up, or later than this step
            assert pair.learnt is None or pair.learnt >= (pair.until or step + 1)


def test_no_boundary_no_answer():
    walk = TOKS[0].encode("the").walk
    for symbol, step in ((1, len(TOKS[0].merges)), (0, 0)):
        with pytest.raises(ValueError, match=f"no boundary inside a pretoken before symbol {symbol}"):
            pairs_across(walk, symbol, step)
    with pytest.raises(ValueError, match="symbol 9 is not in this text"):
        pairs_across(walk, 9, 0)


@pytest.mark.parametrize("tok", [*TOKS, PUBLISHED["gpt2"].load()], ids=repr)
def test_trees_are_the_merges(tok):
    merges = {(left, right): step for step, (left, right, _) in enumerate(tok.merges, 1)}
    for i in [*range(0, len(tok.tokens), 97), len(tok.tokens) - 1]:
        tree = derivation(tok, i)
        assert b"".join(leaf.token for leaf in leaves(tree)) == tok.tokens[i]
        nodes = [tree]
        while nodes:
            node = nodes.pop()
            assert node.token == tok.tokens[node.token_id]
            if node.halves:
                assert node.step == merges[tuple(half.token_id for half in node.halves)]
                assert all(half.step < node.step for half in node.halves)
            else:
                assert node.token_id in tok.vocabulary.base.ids.values()
            nodes += node.halves


def test_tokens_that_contain_it():
    tok = TOKS[0]
    for i in range(0, len(tok.tokens), 7):
        assert containing(tok, i) == [k for k, t in enumerate(tok.tokens) if t.find(tok.tokens[i]) >= 0 and k != i]
        assert all(i in (left, right) and tok.step_of(left, right) == step for left, right, step in joins(tok, i))


def test_special_token_has_no_tree():
    tok = PUBLISHED["gpt2"].load()
    assert derivation(tok, 50256) == (50256, b"<|endoftext|>", 0, ())
    with pytest.raises(ValueError, match="id 50257 is not in"):
        derivation(tok, 50257)
