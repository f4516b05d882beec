"""Tokens that no text can produce, held to all short texts there are."""

import random
from itertools import product

import pytest

from bpe_core import PRETOKENIZERS, Settings, Tokenizer, train
from bpe_core.published import PUBLISHED
from bpe_core.text.normalizers import normalized
from bpe_core.tokenizer.unreachable import (
    EMPTY,
    MERGED,
    NORMALIZED,
    NOT_UTF8,
    PART,
    REACHABLE,
    SPECIAL,
    SPLIT,
    alone,
    left_whole,
    left_whole_each,
    occurs_in_utf8,
    reach,
)


def random_vocabulary(seed: int) -> Tokenizer:
    """Tokens of up to four letters, and their merges in any order, as no training would learn them."""
    rng = random.Random(seed)
    tokens, merges = [b"a", b"b"], []
    while len(tokens) < 9:
        left, right = rng.randrange(len(tokens)), rng.randrange(len(tokens))
        token = tokens[left] + tokens[right]
        if len(token) <= 4 and token not in tokens:
            merges.append((left, right, len(tokens)))
            tokens.append(token)
    return Tokenizer(tuple(tokens), tuple(rng.sample(merges, len(merges))), PRETOKENIZERS["none"], "characters")


@pytest.mark.parametrize("seed", range(20))
def test_a_token_is_reachable_where_some_text_has_it(seed: int):
    tok = random_vocabulary(seed)
    seen = {i for size in range(1, 9) for letters in product("ab", repeat=size) for i in tok.ids("".join(letters))}
    verdicts = reach(tok)
    assert {i for i, verdict in enumerate(verdicts) if verdict == REACHABLE} == seen
    assert all((alone(tok, i) == [i]) == (verdict == REACHABLE) for i, verdict in enumerate(verdicts))
    assert {verdict for verdict in verdicts if verdict != REACHABLE} <= {MERGED}


def test_a_token_that_ends_in_a_contraction_can_occur():
    tok = PUBLISHED["o200k_base"].load()
    assert tok.tokens[3413] == b" I'"
    assert 3413 in tok.ids("so I'M here")
    verdicts = reach(tok)
    assert verdicts[3413] == REACHABLE
    assert SPLIT not in verdicts


def test_some_of_the_random_vocabularies_have_unreachable_tokens():
    assert sum(reach(random_vocabulary(seed)).count(MERGED) for seed in range(20)) > 10


def test_every_reason():
    def tokenizer(pretokenizer: str, **more) -> Tokenizer:
        tokens = (*(bytes([byte]) for byte in range(256)), b"a1", b"", b"AB", b"<s>")
        merges = ((97, 49, 256), (65, 66, 258))
        return Tokenizer(tokens, merges, PRETOKENIZERS[pretokenizer], special_tokens={"<s>": 259}, **more)

    verdicts = reach(tokenizer("gpt2", normalizers=("lowercase",)))
    assert [verdicts[i] for i in (97, 256, 257, 258, 259)] == [REACHABLE, SPLIT, EMPTY, NORMALIZED, SPECIAL]
    assert (verdicts[0xC3], verdicts[0xC0], verdicts[0xF5]) == (PART, NOT_UTF8, NOT_UTF8)
    assert reach(tokenizer("none"))[256] == REACHABLE


def test_a_token_that_only_its_neighbours_keep_together_is_reachable():
    splitter = PRETOKENIZERS["o200k"]
    assert splitter.strings("\n  ") == ["\n", "  "]
    tokens = (*(bytes([byte]) for byte in range(256)), b"  ", b"\n  ")
    tok = Tokenizer(tokens, ((32, 32, 256), (10, 256, 257)), splitter)
    assert 257 in tok.ids("\n  \n")
    assert reach(tok)[257] == REACHABLE


def test_a_trained_vocabulary_has_none_but_bytes_that_are_no_text():
    tok = train("the cat sat on the mat, the cats 🦜 और नमस्ते", Settings("gpt2", vocab_size=330)).tokenizer()
    assert {verdict for i, verdict in enumerate(reach(tok)) if i >= 256} <= {REACHABLE, PART}


def test_gpt2_and_the_progress():
    told: list[float] = []
    verdicts = reach(PUBLISHED["gpt2"].load(), told.append)
    assert sum(verdict == NOT_UTF8 for verdict in verdicts) == 13
    assert {MERGED, SPLIT} & set(verdicts) == set()
    assert told == sorted(told)
    assert (told[0], told[-1]) == (0.0, 1.0)


def one_by_one(tok: Tokenizer) -> list[str]:
    """Each token by itself, by the plain definition of the verdicts."""
    special, verdicts = set(tok.special_tokens.values()), []
    for i, token in enumerate(tok.tokens):
        made = alone(tok, i) == [i]
        try:
            text = token.decode()
        except UnicodeDecodeError:
            verdicts.append(NOT_UTF8 if not occurs_in_utf8(token) else PART if made else MERGED)
            continue
        if i in special or not token:
            verdicts.append(SPECIAL if i in special else EMPTY)
        elif normalized(text, tok.normalizers) != text:
            verdicts.append(NORMALIZED)
        else:
            verdicts.append(MERGED if not made else REACHABLE if left_whole(tok.pretokenizer, text) else SPLIT)
    return verdicts


@pytest.mark.parametrize(
    "name",
    ["gpt2", *(pytest.param(row.name, marks=pytest.mark.thorough) for row in PUBLISHED.values() if row.name != "gpt2")],
)
def test_all_tokens_together_have_the_verdicts_that_each_has_by_itself(name: str):
    tok = PUBLISHED[name].load()
    if tok.model.has_merges:
        assert reach(tok) == one_by_one(tok)


def test_of_each_split_all_texts_together_are_left_whole_as_each_is_by_itself():
    texts = [
        "",
        " a",
        "a b",
        "12345",
        "'s",
        "don't",
        "\n  ",
        " \n",
        "  ",
        "é1",
        "中文",
        "🦜!",
        "A\u0301b",
        ".\n",
        "_a_",
    ]
    for splitter in PRETOKENIZERS.values():
        assert left_whole_each(splitter, texts) == [left_whole(splitter, text) for text in texts]


@pytest.mark.parametrize("text", ["é", "中文", "🦜a", "aé"])
def test_every_part_of_a_text_can_stand_in_utf8(text: str):
    raw = text.encode()
    assert all(occurs_in_utf8(raw[i:j]) for i in range(len(raw)) for j in range(i + 1, len(raw) + 1))
