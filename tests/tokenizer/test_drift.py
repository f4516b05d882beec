"""Drift: regions held to every way to write a short text, reasons to the textbook loop, lists from public threads."""

from itertools import accumulate, groupby, pairwise
from random import Random

import numpy as np
import pytest
import tiktoken
import tokenizers
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import Settings, Tokenizer, load, train
from bpe_core.files import dumps
from bpe_core.files.opening import read
from bpe_core.reference import encode
from bpe_core.tokenizer.drift import BYTES, MERGE, MODEL, SPECIAL, SPLIT, Region, lacking
from tests.texts import CORPUS
from tests.tokenizer.driver import SHORT, all_ways, small


def ends(tok: Tokenizer, ids: tuple[int, ...]) -> list[int]:
    return [*accumulate(len(tok.token_bytes(i)) for i in ids)]


def textbook_reason(tok: Tokenizer, text: str, kept: set[int], inner: range) -> tuple[str, int | None]:
    """The reason of a region, by the textbook loop: does the split, or else the first merge, go against `kept`?

    `kept`: where the given ids end. `inner`: the offsets strictly within the region.
    """
    at, joined = 0, {}
    for word in tok.pretokenizer.strings(text):
        if at in inner and at not in kept:
            return SPLIT, None
        symbols = [bytes([byte]) for byte in word.encode()]
        begins = [at, *(at + end for end in accumulate(map(len, symbols)))][:-1]
        ranks = {(tok.tokens[a], tok.tokens[b]): (rank, tok.tokens[new]) for rank, (a, b, new) in enumerate(tok.merges)}
        for rank, index, _ in encode(symbols, ranks):
            joined.setdefault(begins.pop(index + 1), rank + 1)
        at += len(word.encode())
    steps = [joined[offset] for offset in inner if offset in kept and offset in joined]
    return (MERGE, min(steps)) if steps else (MODEL, None)


@given(SHORT, st.sampled_from(["gpt2", "none"]), st.data())
def test_the_regions_of_any_way_to_write_a_text(text, split, data):
    tok = small(split)
    ids = data.draw(st.sampled_from(all_ways(tok, text.encode())))
    found = tok.drift(ids)
    own = tuple(tok.ids(text))
    assert (found.text, found.own) == (text, own)
    here, there = ends(tok, ids), ends(tok, own)
    cuts = [0, *sorted({*here} & {*there})]
    differing = []
    for start, end in pairwise(cuts):
        spans = [tuple(np.searchsorted([0, *side], [start, end]).tolist()) for side in (here, there)]
        if ids[slice(*spans[0])] != own[slice(*spans[1])]:
            why = textbook_reason(tok, text, {*here}, range(start + 1, end))
            differing.append((*spans, *why))
    assert [(r.given, r.own, r.why, r.step) for r in found.regions] == differing


# From TRL #5224, rllm PR #272, prime-rl PR #1863 and mlc-llm #3179; Llama 3 has the ids of cl100k.
THREADS = [
    ("gpt2", ["he", "llo"], ["hello"], (MERGE, "hell")),
    ("qwen", [53122, 316], [393, 30002], (MERGE, "antom")),
    ("qwen", [198, 198], [271], (MERGE, "\n\n")),
    ("cl100k_base", [74225, 8510], [39, 72918], (MERGE, "anzi")),
    ("cl100k_base", [510, 3283, 84], [18305, 17156], (SPLIT, "hu")),
]


def theirs(library):
    """tiktoken or tokenizers with GPT-2's vocabulary: how it decodes, and how it encodes."""
    tok = load("gpt2")
    if library == "tokenizers":
        opened = tokenizers.Tokenizer.from_str(dumps(tok)["tokenizer.json"].decode())
        return opened.decode, lambda text: opened.encode(text).ids
    ranks = {token: i for i, token in enumerate(tok.tokens) if token}
    opened = tiktoken.Encoding("gpt2", pat_str=tok.pretokenizer.pattern, mergeable_ranks=ranks, special_tokens={})
    return opened.decode, opened.encode


@pytest.mark.parametrize("library", ["tiktoken", "tokenizers"])
def test_the_regions_are_those_of_other_libraries(library):
    """Regions found by comparing what they decode and encode, boundary by boundary."""
    tok, chance, differing = load("gpt2"), Random(3), 0
    decode, encode_again = theirs(library)
    plain = [i for i, token in enumerate(tok.tokens) if token and token.isascii() and i < 50256]
    for _ in range(300):
        ids = chance.choices(plain[:3000] if chance.random() < 0.7 else plain, k=chance.randint(1, 30))
        own = encode_again(decode(ids))
        here, there = ends(tok, ids), ends(tok, own)
        expected = []
        for start, end in pairwise([0, *sorted({*here} & {*there})]):
            spans = [([0, *side].index(start), [0, *side].index(end)) for side in (here, there)]
            if ids[slice(*spans[0])] != own[slice(*spans[1])]:
                expected.append(tuple(spans))
        found = tok.drift(ids)
        assert [(region.given, region.own) for region in found.regions] == expected
        assert list(found.own) == list(own)
        differing += len(expected)
    assert differing > 100


@pytest.mark.parametrize(("name", "ids", "own", "reason"), THREADS)
def test_the_lists_of_public_threads(name, ids, own, reason):
    tok = load(name)
    ids, own = ([tok.token_to_id(i) if isinstance(i, str) else i for i in each] for each in (ids, own))
    before, after = tok.ids("It is"), tok.ids("2")
    found = tok.drift([*before, *ids, *after])
    (region,) = found.regions
    assert found.own == (*before, *own, *after)
    named = tok.tokens[found.own[region.at] if region.at else tok.merges[region.step - 1][2]]
    assert (region.why, named.decode()) == reason
    assert found.given[slice(*region.given)] == tuple(ids)
    assert found.own[slice(*region.own)] == tuple(own)


@pytest.mark.parametrize("name", ["gpt2", "bert"])
def test_what_a_tokenizer_writes_does_not_drift(name):
    tok = load(name)
    ids = tok.ids(tok.decode(tok.ids(CORPUS)), specials=True)  # BERT writes [UNK] for some
    assert tok.drift(ids).regions == ()
    assert tok.drift([]).regions == ()
    special = next(iter(tok.special_tokens.values()))
    assert tok.drift([special, *tok.ids("a"), special]).regions == ()


def test_the_reasons_besides_merges():
    tok = load("gpt2")
    name = tok.ids("<|endoftext|>", specials=False)
    assert tok.drift([64, *name]).regions == (Region((1, 8), (1, 2), SPECIAL, at=1),)
    bird, dog = tok.ids("🦜"), tok.ids(" dog")
    # half a character is one U+FFFD, wherever it is; what comes after it is compared again
    assert tok.drift([*dog, *bird[:2], *dog]).regions == (Region((1, 3), (1, 2), BYTES),)
    assert tok.drift([*bird[1:], *bird[:1]]).regions == (Region((0, 3), (0, 1), BYTES),)  # one token is three U+FFFD
    bert = load("bert")
    assert bert.drift([*bert.ids("un"), *bert.ids("able")]).regions == ()  # decoding puts a space between words
    ending = next(i for i in bert.vocabulary.within if bert.tokens[i] == b"s")
    assert bert.drift([*bert.ids("hug"), ending]).regions == (Region((0, 2), (0, 1), MODEL),)
    with pytest.raises(ValueError, match="60000"):
        tok.drift([60000])
    assert lacking(tok, [64, -5, 60000]) == [-5, 60000]


def test_a_text_that_the_tokenizer_changes_is_one_region_between_what_both_have():
    tok = train("hug pug", Settings("gpt2", vocab_size=258, normalizers=("lowercase",))).tokenizer()
    assert tok.drift([*b"hAg"]).regions == (Region((1, 2), (1, 2), BYTES),)
    spaced = train("hug pug", Settings("whitespace", "characters", "end", vocab_size=8)).tokenizer()
    whole = spaced.ids("pug hug")
    assert spaced.drift(whole).regions == ()
    symbols = [spaced.tokens.index(bytes([byte])) for byte in b"pug\xff"]  # encoding has p ug_
    (region,) = spaced.drift([*symbols, *spaced.ids("hug")]).regions
    assert (region.given, region.own, region.why, region.step) == ((1, 4), (1, 2), MERGE, 1)


def test_an_opened_file_has_the_same_regions():
    tok = small("gpt2")
    opened = read({"tokenizer.json": dumps(tok)["tokenizer.json"]})
    assert opened.needs_library
    for ids in all_ways(tok, b"ab 'ab.")[::7]:
        assert opened.drift(ids).regions == tok.drift(ids).regions


def test_two_ids_with_the_same_bytes():
    tok = train("ab ab", Settings("none", vocab_size=257)).tokenizer()
    twice = Tokenizer((*tok.tokens, b"ab"), tok.merges, tok.pretokenizer, symbols=tok.vocabulary.base.ids)
    assert twice.drift([257, 256]).regions == (Region((0, 1), (0, 1), MODEL),)
    assert [len([*group]) for _, group in groupby(twice.drift([257, 257]).regions, lambda region: region.why)] == [2]
