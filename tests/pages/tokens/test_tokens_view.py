"""The view of a text's tokens: the biography of the chosen token, and which token is chosen at first."""

import pytest

from pages.parts.state.values import LARGEST
from tests.pages.driver import sent, visit
from tests.pages.session import typed_before


def words(sentence: list) -> str:
    """Return a sentence with tokens in it as one line."""
    halves = (word.get("pair") or [word["token"]] if isinstance(word, dict) else [word] for word in sentence)
    return "".join(
        " ".join(bytes.fromhex(half).decode("latin-1") for half in shown) if isinstance(word, dict) else word
        for word, shown in zip(sentence, halves, strict=True)
    )


def biography(text: str, symbol: int, step: int = LARGEST, **query: str) -> dict[str, str]:
    """Return the facts about the token that contains a symbol, by term; under "apart", why it did not merge further."""
    at = visit({"tokenizer": "gpt2", "text": text, "token": str(symbol), **query}, {"tokens.step": step})
    facts = sent(at)["facts"]
    return {term: words(value) for term, value in facts["rows"]} | {"apart": " | ".join(map(words, facts["apart"]))}


def test_biography_of_a_token():
    facts = biography("the newest dog", 5)
    assert facts["made of"] == " new est"
    assert "ties" not in facts
    assert "count" not in facts, "no file of a tokenizer has counts"
    reason = "GPT-2 splits the text here, before any merge"
    assert facts["apart"] == f"the  newest and  newest  dog: {reason}."  # the same on both sides: once
    digits = biography("in 2026", 4, tokenizer="o200k_base")["apart"]
    assert digits.endswith(
        "GPT-4o (o200k) splits the text here, before any merge: a piece of “digits” is up to three digits."
    )
    assert biography("the newest!", 5)["apart"].endswith(f"{reason}, between “letters” and “other”.")


def test_biography_of_our_own_token_has_counts_and_ties():
    facts = biography("newest", 3, step=1, tokenizer="trained")
    assert facts["made of"].endswith("seen 9 times")
    assert facts["ties"].startswith("as frequent as 2 other pairs: ")
    assert "have not merged yet: that is learnt at step" in facts["apart"]


@pytest.mark.parametrize(("text", "chosen"), [("a lighthouse", (1, 12)), ("the debugged unlikely", (3, 9))])
def test_at_first_a_split_word_is_chosen_else_the_longest_and_none_in_an_empty_text(text, chosen):
    data = sent(visit({"text": text, "tokenizer": "gpt2"}))
    assert (data["facts"]["at"], data["facts"]["end"]) == chosen
    empty = sent(visit({"tokenizer": "trained"}, state=typed_before("   ")))
    assert (empty["at"], empty["facts"]) == (-1, None)
    gone = sent(visit({"text": "short", "token": "40", "tokenizer": "gpt2"}))
    assert (gone["at"], gone["facts"]["end"]) == (0, 5)
