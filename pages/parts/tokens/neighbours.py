"""Why a token of a text did not merge with the tokens on its left and on its right, in sentences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np

from bpe_core.tokenizer.biography import PairAcross, pairs_across
from bpe_core.training.lifetimes import NEVER
from pages.parts.tokens.place import Place
from pages.parts.tokens.said import Word, Words


def neighbours(place: Place) -> list[Words]:
    """Why the token did not merge with the tokens on its left and on its right."""
    number = place.number
    return [why_apart(place, right) for right in (number, number + 1) if right and place.token_id(right) is not None]


def why_apart(place: Place, right: int) -> Words:
    """Why the token number `right` did not merge with the one before it."""
    pair = (place.token(right - 1), place.token(right))
    symbol = place.first_symbol(right)
    if symbol == place.walk.word_at(symbol).first:
        return [pair, f" {_between_pretokens(place, symbol)}"]
    return [pair, " ", *_within_pretoken(place, symbol, pairs_across(place.walk, symbol, place.step))]


def _between_pretokens(place: Place, symbol: int) -> str:
    tok = place.vocabulary.tokenizer
    if tok.model != "BPE":
        return f"stand apart: a {tok.model} model merges nothing."
    walk, words = place.walk, [place.walk.word_at(symbol - 1), place.walk.word_at(symbol)]
    if any(end - first == 1 and not tok.vocabulary.is_symbol(int(walk.ids[first])) for first, end in words):
        return "did not merge: special and added tokens never merge."
    splitter = tok.pretokenizer
    firsts = np.array([word.first for word in words])
    starts, _ = walk.characters(walk.starts[firsts], walk.ends[firsts])
    rules = [splitter.rule_at(walk.text, start) for start in starts.tolist()]
    said = f"did not merge: no merge crosses a split, and {splitter.title} splits the text here"
    if all(rules):
        said += f" (rules: {rules[0]}, then {rules[1]})"
    dropped = walk.starts[symbol] > walk.ends[symbol - 1]
    return said + (", and throws the white space away." if dropped else ".")


def _not_yet(place: Place, symbol: int, learnt: int) -> Iterator[Word]:
    """Of two tokens that have a merge, at an earlier step: when they merge, or which merge takes one of them first."""
    falls = np.append(place.walk.merged_at, NEVER)
    halves = [replace(place, at=at) for at in (symbol - 1, symbol)]
    outer = falls[[halves[0].span[0], halves[1].span[1]]]  # on their other sides
    if falls[symbol] == learnt or outer.min() == NEVER:
        yield f"have not merged yet: that is learnt at step {learnt:,}, and this is step {place.step:,}."
        return
    part = halves[int(outer.argmin())]
    grown = replace(part, step=int(outer.min()))
    yield f"will not merge here: step {learnt:,} joins them, but before that, step {grown.step:,} joins "
    yield from (part.token(part.number), " into ", grown.token(grown.number), ".")


def _within_pretoken(place: Place, symbol: int, pairs: list[PairAcross]) -> Iterator[Word]:
    tok, last = place.vocabulary.tokenizer, pairs[-1]

    def names(left: int, right: int) -> Word:
        return tok.token_bytes(left), tok.token_bytes(right)

    if last.learnt:
        yield from _not_yet(place, symbol, last.learnt)
        return
    used = [(pair, after) for pair, after in pairwise(pairs) if pair.learnt]
    yield "did not merge: the vocabulary has no merge of these two."
    for pair, after in used:
        grown, part = (after.left, pair.left) if after.left != pair.left else (after.right, pair.right)
        joined = (tok.token_bytes(part), " into ", tok.token_bytes(grown), ".")
        yield from (f" Step {pair.learnt:,} joins ", names(pair.left, pair.right))
        if pair.until == pair.learnt:
            yield from (", but here it had already joined ", *joined)
        else:
            yield from (f", but before that, step {pair.until:,} had joined ", *joined)
    if not used and len(pairs) > 1:
        first = names(pairs[0].left, pairs[0].right)
        count = len(pairs) - 1
        yield (
            " Nor of the pair that stood here earlier, "
            if count == 1
            else f" Nor of the {count:,} pairs that stood here earlier, the first of them "
        )
        yield from (first, ".")
