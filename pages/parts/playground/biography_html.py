"""A token's biography as HTML: its tree, its facts, and why it did not join its neighbours. Values in, HTML out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from html import escape
from itertools import pairwise

import numpy as np

from bpe_core.text.alphabet import encode_text
from bpe_core.tokenizer.biography import Node, Standing, containing, derivation, joins, leaves, pairs_across
from bpe_core.tokenizer.boundaries import Boundaries
from bpe_core.tokenizer.token_table import token_table
from pages.parts.session.vocabularies import Vocabulary
from pages.parts.views.sentences import times
from pages.parts.views.token_chips import chip, row

MOST_LEAVES = 40  # of a tree that is drawn whole
SHOWN = 16  # chips in a list


@dataclass(frozen=True, eq=False)
class Place:
    """A token within a text: symbol `at`, after `step` merges. Use `find`."""

    text: str
    vocabulary: Vocabulary
    boundaries: Boundaries
    at: int
    step: int

    @cached_property
    def _firsts(self) -> np.ndarray:
        """The first symbol of every token."""
        return np.flatnonzero(self.boundaries.merged_at > self.step)

    @cached_property
    def _table(self) -> tuple[list[int], list[int], list[int]]:
        table = token_table(self.vocabulary.tokenizer, self.boundaries, self.step)
        return table.ids.tolist(), table.starts.tolist(), table.ends.tolist()

    @property
    def number(self) -> int:
        """Which token of the text it is."""
        return int(np.searchsorted(self._firsts, self.at))

    def first_symbol(self, number: int) -> int:
        """Where a token begins."""
        return int(self._firsts[number])

    def token_id(self, number: int) -> int | None:
        """The id of a token of the text; None outside it."""
        ids = self._table[0]
        return ids[number] if 0 <= number < len(ids) else None

    def token(self, number: int) -> bytes:
        """The bytes of a token of the text; an unknown character's own."""
        ids, starts, ends = self._table
        if ids[number] < 0:
            return encode_text(self.text)[starts[number] : ends[number]]
        return self.vocabulary.tokenizer.token_bytes(ids[number])


def find(text: str, vocabulary: Vocabulary, boundaries: Boundaries, clicked: Mapping[str, int]) -> Place | None:
    """The token that was clicked, if it still stands where it stood."""
    at, step = clicked["at"], min(clicked["step"], vocabulary.steps)
    if not 0 <= at < len(boundaries.merged_at) or boundaries.merged_at[at] <= step:
        return None
    place = Place(text, vocabulary, boundaries, at, step)
    return place if place.token_id(place.number) == clicked["id"] else None


# --- the tree ---


def tree(vocabulary: Vocabulary, token_id: int) -> str:
    """The tree of merges that made a token, down to the base symbols."""
    root = derivation(vocabulary.tokenizer, token_id)
    depth = _depth(root)
    while depth > 1 and len(list(leaves(_pruned(root, depth)))) > MOST_LEAVES:
        depth -= 1
    shown = _pruned(root, depth)
    whole = "" if depth == _depth(root) else '<p class="note">Only the latest merges are drawn.</p>'
    drawn = f'<ul class="tree">{_branch(shown, vocabulary)}</ul>'
    return f'<div class="tokens grove" tabindex="0" role="region" aria-label="derivation">{drawn}</div>{whole}'


def _depth(node: Node) -> int:
    return 1 + max(map(_depth, node.halves), default=0)


def _pruned(node: Node, depth: int) -> Node:
    halves = tuple(_pruned(half, depth - 1) for half in node.halves) if depth > 1 else ()
    return node._replace(halves=halves)


def _branch(node: Node, vocabulary: Vocabulary) -> str:
    below = "".join(_branch(half, vocabulary) for half in node.halves)
    label = f"step {node.step:,}" if node.step else ""
    shown = chip(node.token, 0, vocabulary.shown_glyph, title=f"id {node.token_id}")
    return f'<li>{shown}<span class="step">{label}</span>{f"<ul>{below}</ul>" if below else ""}</li>'


def merge_rows(vocabulary: Vocabulary, token_id: int) -> list[tuple[int, bytes, bytes, bytes, int]]:
    """The merges of a tree as rows: step, left, right, token, id; the first learnt first."""
    rows, nodes = {}, [derivation(vocabulary.tokenizer, token_id)]
    while nodes:
        node = nodes.pop()
        if node.halves:
            rows[node.step] = (node.step, *(half.token for half in node.halves), node.token, node.token_id)
        nodes += node.halves
    return [rows[step] for step in sorted(rows)]


# --- the facts ---


def facts(vocabulary: Vocabulary, token_id: int) -> str:
    """What is known of a token, as a list of terms."""
    token = vocabulary.tokenizer.token_bytes(token_id)
    rows = [
        ("id", str(token_id)),
        ("bytes", escape(token.hex(" ").upper())),
        ("made", _birth(vocabulary, token_id)),
        ("contained in", _contained(vocabulary, token_id)),
        ("joined by", _joined(vocabulary, token_id)),
    ]
    return f'<dl class="facts">{"".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in rows)}</dl>'


def _birth(vocabulary: Vocabulary, token_id: int) -> str:
    tok, run, glyph = vocabulary.tokenizer, vocabulary.run, vocabulary.shown_glyph
    origin = tok.origin(token_id)
    if token_id in tok.special_tokens.values():
        return "by no merge: it is a special token"
    if origin is None:
        return "by no merge: it is in the base alphabet"
    left, right, step = origin
    halves = f"{chip(tok.token_bytes(left), 0, glyph)} {chip(tok.token_bytes(right), 0, glyph)}"
    said = f"at step {step:,} of {vocabulary.steps:,}, from {halves}"
    if run is None:
        return f"{said}; with which count was never published"
    merge = run.merges[step - 1]
    said += f", seen {times(merge.count)}"
    if merge.tied == 1:
        return f"{said}; no other pair was as frequent"
    pairs = run.pair_counts(step - 1, min(merge.tied, SHOWN))
    tied = [pair for pair in pairs if (pair.left, pair.right) != (merge.left, merge.right)]
    others = " ".join(f'<span class="pair">{row([a, b], glyph)}</span>' for a, b, _ in tied)
    more = " …" if merge.tied > SHOWN else ""
    return f"{said}. Tied with {merge.tied - 1:,}: {others}{more}"


def _contained(vocabulary: Vocabulary, token_id: int) -> str:
    found = containing(vocabulary.tokenizer, token_id)
    if not found:
        return "no other token"
    chips = " ".join(chip(vocabulary.tokenizer.token_bytes(i), 0, vocabulary.shown_glyph) for i in found[:SHOWN])
    return f"{_tokens(len(found))}: {chips}{' …' if len(found) > SHOWN else ''}"


def _tokens(count: int) -> str:
    return "1 token" if count == 1 else f"{count:,} tokens"


def _joined(vocabulary: Vocabulary, token_id: int) -> str:
    found = joins(vocabulary.tokenizer, token_id)
    if not found:
        return "no merge: nothing was made from it"
    tok, glyph = vocabulary.tokenizer, vocabulary.shown_glyph
    shown = ", ".join(
        f"{step:,}: {row([tok.token_bytes(left), tok.token_bytes(right)], glyph)}"
        for left, right, step in found[: SHOWN // 2]
    )
    count = "1 merge" if len(found) == 1 else f"{len(found):,} merges"
    return f"{count}; at step {shown}{' …' if len(found) > SHOWN // 2 else ''}"


# --- the neighbours ---


def neighbours(place: Place) -> str:
    """Why the token did not join the tokens on its left and on its right."""
    number = place.number
    reasons = [why_apart(place, right) for right in (number, number + 1) if right and place.token_id(right) is not None]
    return "".join(f'<p class="sentence">{reason}</p>' for reason in reasons)


def why_apart(place: Place, right: int) -> str:
    """Why the token number `right` did not join the one before it."""
    glyph = place.vocabulary.shown_glyph
    pair = row([place.token(right - 1), place.token(right)], glyph)
    symbol = place.first_symbol(right)
    word = place.boundaries.word_at(symbol)
    if symbol == word.first:
        return f"{pair} {_between_words(place, symbol)}"
    pairs = pairs_across(place.vocabulary.tokenizer, word.text, symbol - word.first, place.step)
    return f"{pair} {' '.join(_within_word(place, pairs))}"


def _between_words(place: Place, symbol: int) -> str:
    before, behind = place.boundaries.word_at(symbol - 1), place.boundaries.word_at(symbol)
    if before.special or behind.special:
        return "did not merge: a special token joins nothing."
    cutter = place.vocabulary.tokenizer.pretokenizer
    rules = [cutter.rule_at(place.text, word.start) for word in (before, behind)]
    said = f"did not merge: a pretoken boundary stands between them. {escape(cutter.title)} cuts here"
    if all(rules):
        said += f" (rules: {escape(rules[0])}, then {escape(rules[1])})"
    dropped = behind.start - before.start - len(before.text)
    return said + (", and drops the white space between." if dropped else ", and no merge crosses a cut.")


def _within_word(place: Place, pairs: list[Standing]) -> Iterator[str]:
    tok, glyph, last = place.vocabulary.tokenizer, place.vocabulary.shown_glyph, pairs[-1]

    def names(*ids: int) -> str:
        return row([tok.token_bytes(i) for i in ids], glyph)

    if last.learnt:
        yield f"have not merged yet: that is learnt at step {last.learnt:,}, and this is step {place.step:,}."
        return
    used = [(pair, after) for pair, after in pairwise(pairs) if pair.learnt]
    yield "did not merge: no such merge was learnt."
    for pair, after in used:
        yield f"Before, {names(pair.left, pair.right)} stood here, a merge learnt at step {pair.learnt:,}, but "
        if pair.until == pair.learnt:
            yield f"that step joined an overlapping pair first, into {names(after.left, after.right)}."
        else:
            side = after.left if after.left != pair.left else after.right
            part = pair.left if after.left != pair.left else pair.right
            yield f"step {pair.until:,} had used up {names(part)} in {names(side)}."
    if not used and len(pairs) > 1:
        count = len(pairs) - 1
        earlier = "the pair" if count == 1 else f"any of the {count:,} pairs"
        yield f"Nor was one of {earlier} that stood here before: {names(pairs[0].left, pairs[0].right)}" + (
            " first." if count > 1 else "."
        )
