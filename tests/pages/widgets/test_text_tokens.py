"""The biography of a token: what the view is told of it."""

import pytest

from pages.parts.session.values import LARGEST
from tests.pages.playground.driver import sent, typed, visit


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
