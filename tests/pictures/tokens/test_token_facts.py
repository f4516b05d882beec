"""The facts about a token of a text, and why it did not merge with its neighbours."""

import re

import numpy as np
import pytest

from bpe_core import PRETOKENIZERS, Tokenizer, loads
from bpe_core.pictures.tokens.token_facts import TextToken, facts, neighbours, why_apart
from bpe_core.published import PUBLISHED
from tests.shapes import file_of

GPT2 = PUBLISHED["gpt2"].load()


def test_why_two_tokens_did_not_merge():
    text = "unlighthouse<|endoftext|>"
    walk = GPT2.encode(text, specials=True).walk
    firsts = [i for i, at in enumerate(walk.merged_at) if at > 50_000]
    reasons = [str(neighbours(TextToken(GPT2, walk, at, 50_000))) for at in firsts]
    assert all(re.search("did not merge|no merge crosses|never merge", reason) for reason in reasons)
    assert "special and added tokens never merge" in reasons[-1]
    early = TextToken(GPT2, GPT2.encode("er").walk, 0, 0)
    assert "have not merged yet: that is learnt at step" in str(neighbours(early))


def test_only_merges_that_happen_here_are_promised():
    walk = GPT2.encode("debugged unbelievably").walk
    said = set()
    for step in np.unique(walk.merged_at)[:-1].tolist():
        for number, right in enumerate(walk.tokens(step - 1).firsts.tolist()):
            if number:
                words = str(why_apart(TextToken(GPT2, walk, right, step - 1), number))
                promised = f"that is learnt at step {walk.merged_at[right]:,}," in words
                assert promised or "have not merged yet" not in words
                said |= {"will not merge" in words}
    assert said == {True, False}


@pytest.mark.parametrize("shape", ["roberta", "llama3", "metaspace always", "llama2", "whitespace and signs"])
def test_every_token_of_an_opened_vocabulary_has_a_biography(shape):
    tok = loads({"x": file_of(shape)})
    for text in ("The keeper's dog é 🦜", "  a▁b ", "tale<s>tale"):
        walk = tok.encode(text, specials=True).walk
        for step in (0, len(tok.merges) // 2, len(tok.merges)):
            ids = walk.tokens(step).ids.tolist()
            for at, token_id in zip(np.flatnonzero(walk.merged_at > step).tolist(), ids, strict=True):
                token = TextToken(tok, walk, at, step)
                assert token.id_of(token.number) == token_id
                assert all(words for _, words in facts(tok, token_id))
                assert neighbours(token) or len(ids) == 1


def test_a_special_token_is_one_that_was_added_and_a_letter_one_of_the_alphabet():
    made = "by no merge: it was added to the vocabulary, not learnt from text"
    assert facts(GPT2, 50_256)[0] == ("made", [made])
    assert facts(GPT2, 0)[0] == ("no merge", ["it is in the base alphabet"])  # a letter is made by no merge either


def test_a_half_that_is_listed_after_the_token_is_told_of():
    tok = Tokenizer((b"a", b"b", b"c", b"ab", b"abc"), ((3, 2, 4), (0, 1, 3)), PRETOKENIZERS["none"], "characters")
    assert dict(facts(tok, 4))["but"] == [b"ab", " is only listed at step 2: here both count from 1 on"]
    assert "but" not in dict(facts(tok, 3))
