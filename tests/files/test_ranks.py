"""Vocabularies that are only ranks, also those that no training has made, against tiktoken and a textbook loop."""

from base64 import b64encode
from itertools import pairwise

import pytest
import tiktoken
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import PRETOKENIZERS, FormatError, Tokenizer, dumps, loads
from bpe_core.tokenizer.biography import derivation, leaves, trace, why_no_merge

BYTES = [bytes([i]) for i in range(256)]
WORDS = st.lists(st.text("ab", min_size=2, max_size=5), unique=True, max_size=12)
RANKED = WORDS.map(lambda words: [*words, "xyz"])  # a token that no two tokens before it make


def rank_lines(tokens):
    return b"".join(b"%s %d\n" % (b64encode(token), rank) for rank, token in enumerate(tokens))


@given(RANKED, st.text("ab", max_size=30))
def test_any_ranks_encode_as_in_tiktoken(words, text):
    tokens = [*BYTES, *(word.encode() for word in words)]
    tok = loads({"x": rank_lines(tokens)}, "none")
    ranks = {token: i for i, token in enumerate(tokens)}
    theirs = tiktoken.Encoding("x", pat_str=r"[\s\S]+", mergeable_ranks=ranks, special_tokens={})
    assert tok.ids(text) == theirs.encode(text)


@given(RANKED, st.text("ab", max_size=30))
def test_the_boundaries_of_any_ranks_give_their_ids(words, text):
    tok = loads({"x": rank_lines([*BYTES, *(word.encode() for word in words)])}, "none")
    table = tok.encode(text).walk.tokens(len(tok.merges))
    assert table.ids.tolist() == tok.ids(text)


def restricted(tokens, word, first):
    """The word after the first ranks, by tiktoken's rule: join the two neighbours whose joined bytes rank lowest."""
    ranks, parts = {token: i for i, token in enumerate(tokens[:first])}, [bytes([byte]) for byte in word]
    while found := [(ranks[a + b], at) for at, (a, b) in enumerate(pairwise(parts)) if a + b in ranks]:
        at = min(found)[1]
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
    return parts


@given(RANKED, st.text("ab", max_size=30))
def test_every_step_of_any_ranks_is_the_first_ranks_applied(words, text):
    tokens = [*BYTES, *(word.encode() for word in sorted(words, key=len))]  # so a half comes before its whole
    tok = loads({"x": rank_lines(tokens)}, "none")
    whole = text.encode() in tokens  # such a pretoken is looked up and not merged
    walk, trail = tok.encode(text).walk, trace(tok, text)
    for step, (_, _, new) in enumerate(tok.merges, 1):
        parts = [] if whole else restricted(tokens, text.encode(), new + 1)
        shown = walk.tokens(step)
        assert whole or [shown.token(i) for i in range(len(shown))] == parts
        assert whole or [*[row.tokens for row in trail if row.step <= step][-1]] == parts


@given(RANKED)
def test_every_tree_of_any_ranks_is_what_merging_its_bytes_does(words):
    """Also where a half is ranked after its whole: then the half counts from the step of the whole."""
    tokens = [*BYTES, *(word.encode() for word in words)]
    tok = loads({"x": rank_lines(tokens)}, "none")
    for i, token in enumerate(tokens[256:], 256):
        ends = restricted(tokens, token, len(tokens)) == [token]
        made = [(row.left, row.right) for row in trace(tok, token.decode())[1:]]
        tree = derivation(tok, i)
        assert bool(tree.halves) == (tok.origin(i) is not None) == ends
        if ends:
            assert made[-1] == tuple(half.token for half in tree.halves)
            assert b"".join(leaf.token for leaf in leaves(tree)) == token
            assert tok.origin(i)[2] == max(tok.inside(i)) == tok.step_of(*tok.origin(i)[:2])
        else:
            assert why_no_merge(tok, i) == "the vocabulary has it whole, and its own symbols do not merge into it"


def test_a_token_is_made_by_the_ranks_and_not_by_the_first_split():
    tok = loads({"x": rank_lines([*BYTES, b"ab", b"abc", b"bc", b"xyz"])}, "none")
    assert tok.merges == ((97, 98, 256), (256, 99, 257), (98, 99, 258))
    assert (tok.origin(257), tok.inside(257), tok.origin(259)) == ((256, 99, 2), (1, 2), None)
    assert tok.encode("abcd").merged_at.tolist()[1:3] == [1, 2]
    assert [row.step for row in trace(tok, "abcd")] == [0, 1, 2]
    assert tok.ids("xyz") == [259]
    assert tok.ids("xyza") == [*b"xyza"]


def test_a_half_that_is_ranked_after_its_whole_is_traced_first():
    tok = loads({"x": rank_lines([*BYTES, b"abc", b"bc"])}, "none")
    assert [row.tokens[-1] for row in trace(tok, "abc")] == [b"c", b"bc", b"abc"]


def test_the_empty_token_of_whisper_s_ranks_is_passed_over():
    tokens = [*BYTES, b"ab"]
    tok = loads({"x": rank_lines(tokens) + b"= 257\n"}, "none")
    ranks = {token: i for i, token in enumerate([*tokens, b""])}
    theirs = tiktoken.Encoding("x", pat_str=r"[\s\S]+", mergeable_ranks=ranks, special_tokens={})
    assert tok.ids("abba") == theirs.encode("abba") == [256, *b"ba"]
    assert tok.vocab_size == 257


def test_ranks_are_not_written_with_a_token_that_no_merge_makes():
    """Tiktoken finds it where it is a whole pretoken."""
    tok = Tokenizer((*(bytes([byte]) for byte in range(256)), b"abc"), (), PRETOKENIZERS["gpt2"])
    ranks = {token: i for i, token in enumerate(tok.tokens)}
    theirs = tiktoken.Encoding("a", pat_str=tok.pretokenizer.pattern, mergeable_ranks=ranks, special_tokens={})
    assert (theirs.encode("abc"), tok.ids("abc")) == ([256], [97, 98, 99])
    with pytest.raises(FormatError, match="joins by the rank of the result, which does not give this vocabulary's"):
        dumps(tok, ".tiktoken")
