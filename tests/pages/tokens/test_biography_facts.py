"""The biography of a token: what the view is told of it, and why it stands apart from its neighbours."""

import numpy as np
import pytest

from bpe_core import loads
from pages.parts.session import vocabularies
from pages.parts.session.links import LARGEST
from pages.parts.tokens.biography_facts import facts
from pages.parts.tokens.neighbours import neighbours, why_apart
from pages.parts.tokens.text_token import TextToken
from tests.pages.playground.driver import sent, typed, visit
from tests.shapes import SHAPES


def words(told: list) -> str:
    """Words with tokens among them as one line."""
    halves = (word.get("pair") or [word["token"]] if isinstance(word, dict) else [word] for word in told)
    return "".join(
        " ".join(bytes.fromhex(half).decode("latin-1") for half in shown) if isinstance(word, dict) else word
        for word, shown in zip(told, halves, strict=True)
    )


def biography(text: str, symbol: int, step: int = LARGEST, **query: str) -> dict[str, str]:
    """What the view is told of the token that holds a symbol: by term, and why it stands apart."""
    at = visit({"tokenizer": "gpt2", "text": text, "token": str(symbol), **query}, {"playground.step": step})
    told = sent(at)["facts"]
    return {term: words(value) for term, value in told["rows"]} | {"apart": " | ".join(map(words, told["apart"]))}


def test_biography_of_a_token():
    told = biography("the newest dog", 5)
    assert told["made of"] == " new est"
    assert "ties" not in told
    assert told["seen"] == "how often is not known: vocabularies are published without counts"
    assert "no merge crosses a split, and GPT-2 splits the text here (rules: letters, then letters)" in (told["apart"])


def test_biography_of_our_own_token_has_counts_and_ties():
    told = biography("newest", 3, step=1, tokenizer="trained")
    assert told["made of"].endswith("seen 9 times")
    assert told["ties"].startswith("as frequent as 2 other pairs: ")
    assert "have not merged yet: that is learnt at step" in told["apart"]


@pytest.mark.parametrize(("text", "chosen"), [("a lighthouse", (1, 12)), ("the debugged unlikely", (3, 9))])
def test_at_first_a_split_word_is_chosen_else_the_longest_and_none_in_an_empty_text(text, chosen):
    data = sent(visit({"text": text, "tokenizer": "gpt2"}))
    assert (data["facts"]["at"], data["facts"]["end"]) == chosen
    empty = sent(visit({"tokenizer": "trained"}, state=typed("   ")))
    assert (empty["at"], empty["facts"]) == (-1, None)
    gone = sent(visit({"text": "short", "token": "40", "tokenizer": "gpt2"}))
    assert (gone["at"], gone["facts"]["end"]) == (0, 5)


def test_why_two_tokens_did_not_merge():
    gpt2_vocabulary = vocabularies.published("gpt2")
    text = "unlighthouse<|endoftext|>"
    walk = gpt2_vocabulary.tokenizer.encode(text).walk
    firsts = [i for i, at in enumerate(walk.merged_at) if at > 50_000]
    reasons = [str(neighbours(TextToken(gpt2_vocabulary, walk, at, 50_000))) for at in firsts]
    assert all("did not merge" in reason for reason in reasons)
    assert "special and added tokens never merge" in reasons[-1]
    early = TextToken(gpt2_vocabulary, gpt2_vocabulary.tokenizer.encode("er").walk, 0, 0)
    assert "have not merged yet: that is learnt at step" in str(neighbours(early))


def test_only_merges_that_happen_here_are_promised():
    gpt2 = vocabularies.published("gpt2")
    walk = gpt2.tokenizer.encode("debugged unbelievably").walk
    said = set()
    for step in np.unique(walk.merged_at)[:-1].tolist():
        for number, right in enumerate(walk.tokens(step - 1).firsts.tolist()):
            if number:
                words = str(why_apart(TextToken(gpt2, walk, right, step - 1), number))
                promised = f"that is learnt at step {walk.merged_at[right]:,}," in words
                assert promised or "have not merged yet" not in words
                said |= {"will not merge" in words}
    assert said == {True, False}


@pytest.mark.parametrize("shape", ["roberta", "llama3", "metaspace always", "llama2", "whitespace and signs"])
def test_every_token_of_an_opened_vocabulary_has_a_biography(shape):
    tok = loads({"x": SHAPES[shape]().to_str().encode()})
    vocabulary = vocabularies.Vocabulary("file", "x", "", tok)
    for text in ("The keeper's dog é 🦜", "  a▁b ", "tale<s>tale"):
        walk = tok.encode(text).walk
        for step in (0, vocabulary.steps // 2, vocabulary.steps):
            ids = walk.tokens(step).ids.tolist()
            for at, token_id in zip(np.flatnonzero(walk.merged_at > step).tolist(), ids, strict=True):
                token = TextToken(vocabulary, walk, at, step)
                assert token.id_of(token.number) == token_id
                assert all(words for _, words in facts(vocabulary, token_id))
                assert neighbours(token) or len(ids) == 1
