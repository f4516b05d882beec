"""The end of a prompt, held to brute force: every token of the vocabulary is tried, tokens are compared one by one."""

from functools import cache
from itertools import takewhile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import Settings, Tokenizer, load, train
from bpe_core.pictures.prompt.prompt_data import prompt_data
from bpe_core.tokenizer.prompt_end import PromptEnd, prompt_end
from tests.texts import NASTY, TEXTS, example_text

STORY = example_text("short-story")[:2000] + " http://example.org don't 12345 "
TRAINED = {
    "bytes": Settings("gpt2", vocab_size=500),
    "end": Settings("whitespace", "characters", "end", vocab_size=200),
    "start": Settings("whitespace", "characters", "start", vocab_size=200),
    "normalized": Settings("gpt2", vocab_size=400, normalizers=("nfkc", "lowercase")),
    "uncut": Settings("none", vocab_size=500),
}
KEYS = ["gpt2", "bert", *TRAINED]
WORDS = st.lists(
    st.sampled_from(["http://", "don't", " the", "The newest ", "tower", "  ", "\n", "é", "e\u0301", "🦜", "12"])
)
ANY = TEXTS | st.sampled_from(NASTY) | WORDS.map("".join)


@cache
def tokenizer(key: str) -> Tokenizer:
    return train(STORY, TRAINED[key]).tokenizer() if key in TRAINED else load(key)


@cache
def drawn(key: str) -> dict[int, bytes]:
    tok = tokenizer(key)
    special = set(tok.special_tokens.values())
    known = [i for i, token in enumerate(tok.tokens) if token and i not in special]
    return {i: tok.vocabulary.drawn_bytes(i) for i in known}


def by_brute_force(key: str, start: bytes) -> list[int]:
    """Try every token."""
    return [i for i, token in drawn(key).items() if start and token.startswith(start) and token != start]


def check(key: str, text: str, end: int, specials: bool) -> PromptEnd:
    tok = tokenizer(key)
    found = prompt_end(tok, text, end, specials)
    whole, prompt = found.whole, found.prompt
    rows = [list(zip(side.ids, side.drawn, side.spans, strict=True)) for side in (whole, prompt)]
    same = list(takewhile(lambda pair: pair[0] == pair[1], zip(*rows, strict=False)))
    assert found.others.tolist() == by_brute_force(key, found.cut_off)
    if found.at is None:
        assert tok.normalizers
        assert found.same <= len(same)
        assert (found.across, found.cut_off) == (None, b"")
        return found
    assert found.same == len(same)
    assert found.differs == (len(same) < len(prompt))
    assert [n for n, (start, stop) in enumerate(whole.spans) if start < end < stop] == (
        [] if found.across is None else [found.across]
    )
    if found.across is not None:
        start, _ = whole.spans[found.across]
        assert found.differs
        assert whole.drawn[found.across].startswith(found.cut_off)
        if not tok.normalizers and not whole.lost[found.across]:
            written = found.cut_off.replace(b"\xff", b"").decode("utf-8", "ignore")
            assert whole.text[start:end].endswith(written)
    return found


@pytest.mark.parametrize("key", KEYS)
def test_every_end_of_a_text_by_brute_force(key: str):
    text = "See http://the newest  tower, don't 🦜 e\u0301 \ufb01n 1234"
    found = [check(key, text, end, specials=False) for end in range(len(text) + 1)]
    assert [each.differs for each in found].count(True) > 4
    assert not found[0].differs
    assert not found[-1].differs


@given(ANY, st.data(), st.sampled_from(KEYS))
def test_any_end_of_any_text_by_brute_force(text, data, key):
    check(key, text, data.draw(st.integers(0, len(text))), specials=True)


def test_a_space_at_the_end_is_a_token_of_its_own_and_most_tokens_begin_with_one():
    tok = load("gpt2")
    found = prompt_end(tok, "once upon a time there", 17)
    assert (found.prompt.tokens[-1], found.cut_off, found.same) == (b" ", b" ", 4)
    assert found.whole.tokens[found.across or 0] == b" there"
    assert len(found.others) == sum(token.startswith(b" ") for token in tok.tokens) - 1


def test_an_end_outside_of_the_text_is_refused():
    with pytest.raises(ValueError, match="from 0 to 3"):
        prompt_end(tokenizer("bytes"), "hug", 4)


def test_a_whole_text_that_ends_with_a_space_is_cut_off_from_the_next_word():
    tok = load("gpt2")
    found = prompt_end(tok, "The capital of France is ", 25)
    assert found.cut_off == b" "
    assert [tok.tokens[i] for i in found.others] == [token for token in tok.tokens if token[:1] == b" " != token]
    words = prompt_data(found, "", {"version": 1, "answered": 0, "chosen": 25, "cut": False, "given": ""})["sentence"]
    assert words[0] == "Your text ends with a space, which is the token "
    assert prompt_end(tok, "The capital of France is", 24).cut_off == b""
