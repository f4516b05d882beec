"""A token of a text at a step: its symbols, its id, its bytes, and why it did not merge with its neighbours."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np

from bpe_core.pictures.shared.json_form import Sentence, SentencePart
from bpe_core.pictures.shared.token_text import is_whole
from bpe_core.record.run import Run
from bpe_core.tokenizer.biography import PairAcross, pairs_across
from bpe_core.tokenizer.tokenizer import Tokenizer
from bpe_core.tokenizer.walk import TokenTable, Walk
from bpe_core.training.lifetimes import NEVER


@dataclass(frozen=True, eq=False)
class TextToken:
    """The token that a text has after `step` merges at the base symbol of index `at`.

    `run`: the training of the tokenizer, where it is known.

    >>> from bpe_core import Settings, train
    >>> tok = train("hug hug", Settings(vocab_size=258)).tokenizer()
    >>> token = TextToken(tok, tok.encode("a hug").walk, at=4, step=1)
    >>> token.number, token.span, token.bytes_of(token.number), token.bytes_of(token.number - 1)
    (3, (4, 5), b'g', b'hu')
    """

    tokenizer: Tokenizer
    walk: Walk
    at: int
    step: int
    run: Run | None = None

    @cached_property
    def table(self) -> TokenTable:
        """The tokens of the text after `step` merges."""
        return self.walk.tokens(self.step)

    @property
    def number(self) -> int:
        """The index of the token among the tokens of the text."""
        return int(np.searchsorted(self.table.firsts, self.at, "right")) - 1

    @property
    def span(self) -> tuple[int, int]:
        """The index of the token's first symbol, and the index after the token's last symbol."""
        number = self.number
        last = number + 1 == len(self.table)
        return self.first_symbol(number), len(self.walk) if last else self.first_symbol(number + 1)

    def first_symbol(self, number: int) -> int:
        """Return the index of the first symbol of token `number`."""
        return int(self.table.firsts[number])

    def id_of(self, number: int) -> int | None:
        """Return the id of token `number`, or None if the text has no such token."""
        return int(self.table.ids[number]) if 0 <= number < len(self.table) else None

    def bytes_of(self, number: int) -> bytes:
        """Return the bytes of token `number`, as they are drawn."""
        return self.table.drawn(number)


def most_interesting(walk: Walk, step: int, within: int = 400) -> int:
    """Return the index of the first symbol of the token that a page opens with; -1 for an empty text.

    The candidates are the tokens that begin within the first `within` symbols. The first choice is
    the word with the most letters, and of that word the longest token whose bytes are whole characters.
    """
    table = walk.tokens(step)
    last = int(np.searchsorted(table.firsts, within))
    if not last:
        return -1
    letters: dict[int, int] = {}  # word number → how many letters the word has
    tokens = table.tokens(last)
    words = np.searchsorted(walk.words, table.firsts[:last], "right").tolist()
    for word, token in zip(words, tokens, strict=True):
        letters[word] = letters.get(word, 0) + sum(map(str.isalpha, token.decode("utf-8", "ignore")))

    def interest(number: int) -> tuple[bool, int, int, bool, int]:
        token, word = tokens[number], words[number]
        return not table.lost[number], letters[word], -word, is_whole(token), len(token)

    return int(table.firsts[max(range(last), key=interest)])


def neighbours(token: TextToken) -> list[Sentence]:
    """Return why a token did not merge with the tokens on its left and on its right."""
    rights = [right for right in (token.number, token.number + 1) if right and token.id_of(right) is not None]
    reasons = [why_apart(token, right) for right in rights]
    if len(reasons) == 2 and reasons[0][1:] == reasons[1][1:]:  # the same reason on both sides is told once
        return [[reasons[0][0], " and ", *reasons[1]]]
    return reasons


def why_apart(token: TextToken, right: int) -> Sentence:
    """Return why token number `right` of the text did not merge with the token before it."""
    pair = (token.bytes_of(right - 1), token.bytes_of(right))
    symbol = token.first_symbol(right)
    if not token.tokenizer.model.has_merges:
        return [pair, f" stand apart: a {token.tokenizer.model} model merges nothing."]
    if symbol == token.walk.word_at(symbol).first:
        return [pair, f": {_between_pretokens(token, symbol)}"]
    return [pair, " ", *_within_pretoken(token, symbol, pairs_across(token.walk, symbol, token.step))]


def _between_pretokens(token: TextToken, symbol: int) -> str:
    tok = token.tokenizer
    walk, words = token.walk, [token.walk.word_at(symbol - 1), token.walk.word_at(symbol)]
    if any(end - first == 1 and not tok.vocabulary.is_symbol(int(walk.ids[first])) for first, end in words):
        return "special and added tokens never merge."
    splitter = tok.pretokenizer
    firsts = np.array([word.first for word in words])
    starts, _ = walk.characters(walk.starts[firsts], walk.ends[firsts])
    rules = [splitter.rule_at(walk.text, start) for start in starts.tolist()]
    between = f", between “{rules[0]}” and “{rules[1]}”" if all(rules) and rules[0] != rules[1] else ""
    dropped = "; it throws the white space away" if walk.starts[symbol] > walk.ends[symbol - 1] else ""
    return f"no merge crosses a cut of {splitter.title}{between}{dropped}."


def _not_yet(token: TextToken, symbol: int, learnt: int) -> Iterator[SentencePart]:
    """Yield a sentence: step `learnt` will merge the tokens around `symbol`, or an earlier merge takes one of them."""
    falls = np.append(token.walk.merged_at, NEVER)
    halves = [replace(token, at=at) for at in (symbol - 1, symbol)]
    outer = falls[[halves[0].span[0], halves[1].span[1]]]  # lifetimes of the boundaries around the two tokens
    if falls[symbol] == learnt or outer.min() == NEVER:
        yield f"have not merged yet: that is learnt at step {learnt:,}, and this is step {token.step:,}."
        return
    part = halves[int(outer.argmin())]
    grown = replace(part, step=int(outer.min()))
    yield f"will not merge here: step {learnt:,} joins them, but before that, step {grown.step:,} joins "
    yield from (part.bytes_of(part.number), " into ", grown.bytes_of(grown.number), ".")


def _within_pretoken(token: TextToken, symbol: int, pairs: list[PairAcross]) -> Iterator[SentencePart]:
    tok, last = token.tokenizer, pairs[-1]

    def names(left: int, right: int) -> SentencePart:
        return tok.token_bytes(left), tok.token_bytes(right)

    if last.learnt:
        yield from _not_yet(token, symbol, last.learnt)
        return
    used = [(pair, after) for pair, after in pairwise(pairs) if pair.learnt]
    yield "did not merge: the vocabulary has no merge of these two."
    for pair, after in used:
        grown, part = (after.left, pair.left) if after.left != pair.left else (after.right, pair.right)
        joined = (tok.token_bytes(part), " into ", tok.token_bytes(grown), ".")
        yield from (" The pair here was once ", names(pair.left, pair.right), ". ")
        if pair.until == pair.learnt:
            yield from (f"Step {pair.learnt:,} joins that pair, but here it had already joined ", *joined)
        else:
            yield from (f"Step {pair.learnt:,} joins it, but before that, step {pair.until:,} had joined ", *joined)
    if not used and len(pairs) > 1:
        first = names(pairs[0].left, pairs[0].right)
        count = len(pairs) - 1
        yield (
            " Nor of the pair that stood here earlier, "
            if count == 1
            else f" Nor of the {count:,} pairs that stood here earlier, the first of them "
        )
        yield from (first, ".")
