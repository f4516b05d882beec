"""The life of a token: its derivation, the merges that use it, and why it did not join its neighbour.

`trace` returns the merges that turn a whole word into tokens. In a model without merges a token has rivals instead, the
tokens that a text may have in its place:

    Unigram      other tokens that together spell the token's text: the higher sum of scores wins
    WordPiece    tokens that begin the same word: the longest that fits wins
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice, product
from typing import NamedTuple

import numpy as np

from bpe_core.reference import encode
from bpe_core.tokenizer.tokenizer import Tokenizer
from bpe_core.tokenizer.vocabulary import Vocabulary
from bpe_core.tokenizer.walk import Walk
from bpe_core.tokenizer.word_encoder import longest_matches

LEAVES = 36  # a derivation with more base symbols than this is not drawn whole; as in pictures/tokens/tree.js
DEEPEST = 200  # deeper levels of a derivation are not followed; a published vocabulary has about 20 levels


class Node(NamedTuple):
    """A token in a derivation: the step that made it (0 for a base symbol), and its two halves if it has any."""

    token_id: int
    token: bytes
    step: int
    halves: tuple[Node, ...]


def derivation(tokenizer: Tokenizer, token_id: int, deepest: int = DEEPEST) -> Node:
    """Return the tree of merges that made a token.

    The tree ends at the base symbols, or at a depth of `deepest` merges. Raises `ValueError` for an id that does not
    exist.

    >>> from bpe_core import Settings, train
    >>> tree = derivation(train("hug hug pug", Settings(vocab_size=258)).tokenizer(), 257)
    >>> tree.token, tree.step, [(half.token, half.step) for half in tree.halves]
    (b'hug', 2, [(b'h', 0), (b'ug', 1)])
    """
    token = tokenizer.token_bytes(token_id)
    made = tokenizer.origin(token_id)
    if made is None:
        return Node(token_id, token, 0, ())
    left, right, step = made
    halves = (derivation(tokenizer, half, deepest - 1) for half in (left, right)) if deepest else ()
    return Node(token_id, token, step, tuple(halves))


def pruned(tokenizer: Tokenizer, token_id: int) -> tuple[Node, bool]:
    """Return the top levels of a token's derivation (at most `LEAVES` leaves), and whether this tree is complete.

    >>> from bpe_core import Settings, train
    >>> pruned(train("hug hug pug", Settings(vocab_size=258)).tokenizer(), 257)[1]
    True
    """
    size = len(tokenizer.token_bytes(token_id))
    deepest, root = 0, derivation(tokenizer, token_id, 0)
    while deepest < size:
        deeper = derivation(tokenizer, token_id, deepest + 1)
        if len(list(leaves(deeper))) > LEAVES:
            return root, False
        if deeper == root:
            return root, True
        deepest, root = deepest + 1, deeper
    return root, True


def leaves(node: Node) -> Iterator[Node]:
    """Yield the base symbols of a tree, from left to right.

    >>> from bpe_core import Settings, train
    >>> tree = derivation(train("hug hug pug", Settings(vocab_size=258)).tokenizer(), 257)
    >>> [leaf.token for leaf in leaves(tree)]
    [b'h', b'u', b'g']
    """
    if not node.halves:
        yield node
    for half in node.halves:
        yield from leaves(half)


def containing(tokenizer: Tokenizer, token_id: int) -> list[int]:
    """Return the other tokens whose bytes contain the bytes of this token, in the order of their ids.

    >>> from bpe_core import Settings, train
    >>> containing(train("hug hug pug", Settings(vocab_size=258)).tokenizer(), ord("g"))
    [256, 257]
    """
    ids: list[int] = tokenizer.vocabulary.token_column.containing(tokenizer.token_bytes(token_id)).tolist()
    return [other for other in ids if other != token_id]


def joins(tokenizer: Tokenizer, token_id: int) -> list[tuple[int, int, int]]:
    """Return the merges that use a token as a half: (left id, right id, step), in the order of steps.

    >>> from bpe_core import Settings, train
    >>> joins(train("hug hug pug", Settings(vocab_size=258)).tokenizer(), 256)  # ug, of u + g
    [(104, 256, 2)]
    """
    halves = tokenizer.vocabulary.halves
    used = np.flatnonzero((halves == token_id).any(axis=1))
    return [(left, right, at + 1) for at, (left, right) in zip(used.tolist(), halves[used].tolist(), strict=True)]


class PairAcross(NamedTuple):
    """The two tokens on either side of a boundary from step `since` on, as a pair of ids.

    `until`: the step whose merge used up a half of the pair; None for the last pair. `learnt`: the step that joins the
    pair elsewhere, or None.
    """

    left: int
    right: int
    since: int
    until: int | None
    learnt: int | None


def pairs_across(walk: Walk, symbol: int, step: int) -> list[PairAcross]:
    """Return the pairs of tokens on either side of the boundary before a symbol, in order, up to `step`.

    No merge joined such a pair at this boundary. Either no merge of the pair was learnt, or another merge used up a
    half of the pair first (or at the same step, where occurrences overlap). Raises `ValueError` if a pretoken
    begins with the symbol, or if there is no boundary at `step`.

    >>> from bpe_core import Settings, train
    >>> tok = train("ab ab bc", Settings("whitespace", vocab_size=258)).tokenizer()  # a + b, then b + c
    >>> first, last = pairs_across(tok.encode("abc").walk, 2, 2)
    >>> first
    PairAcross(left=98, right=99, since=0, until=1, learnt=2)
    >>> last
    PairAcross(left=256, right=99, since=1, until=None, learnt=None)
    """
    start, end = walk.word_at(symbol)
    boundary, merged_at = symbol - start, walk.merged_at[start:end].tolist()
    if not boundary or merged_at[boundary] <= step:
        raise ValueError(f"there is no boundary inside a pretoken before symbol {symbol} after step {step}")
    symbols, vocabulary = walk.ids[start:end].tolist(), walk.vocabulary
    changes = sorted(set(_changes_around(merged_at, boundary, step)))
    found = []
    for since, until in zip([0, *changes], [*changes, None], strict=True):
        left, right = _neighbours(vocabulary, symbols, merged_at, boundary, since)
        found.append(PairAcross(left, right, since, until, vocabulary.step_of(left, right)))
    return found


def _changes_around(merged_at: list[int], boundary: int, step: int) -> Iterator[int]:
    """Yield the steps up to `step` at which the token on either side of a boundary grew."""
    start, end = _span(merged_at, boundary - 1, step)[0], _span(merged_at, boundary, step)[1]
    for sides in (range(boundary - 1, start, -1), range(boundary + 1, end)):
        latest = 0
        for i in sides:  # an outer boundary matters only when all inner ones have fallen
            latest = max(latest, merged_at[i])
            yield latest


def _span(merged_at: list[int], symbol: int, step: int) -> tuple[int, int]:
    """Return (first, end) of the token that a symbol is in after `step` merges."""
    start, end = symbol, symbol + 1
    while merged_at[start] <= step:
        start -= 1
    while end < len(merged_at) and merged_at[end] <= step:
        end += 1
    return start, end


def _neighbours(
    vocabulary: Vocabulary, symbols: list[int], merged_at: list[int], boundary: int, step: int
) -> tuple[int, int]:
    ids = []
    for symbol in (boundary - 1, boundary):
        start, end = _span(merged_at, symbol, step)
        made = max(merged_at[start + 1 : end], default=0)
        ids.append(int(vocabulary.made_ids[made - 1]) if made else symbols[start])
    return ids[0], ids[1]


class Applied(NamedTuple):
    """One merge in a word: its `step` in training (0: before any merge), its pair, and the word's tokens after it."""

    step: int
    left: bytes
    right: bytes
    tokens: tuple[bytes, ...]


def trace(tokenizer: Tokenizer, word: str) -> list[Applied]:
    """Return the merges that turn one pretoken into tokens, in the order in which they apply.

    The textbook algorithm makes them (`reference.encode`). A merge at several neighbouring times counts once.

    >>> from bpe_core import Settings, train
    >>> tok = train("hug hug pug", Settings("whitespace", vocab_size=258)).tokenizer()
    >>> [(step, tokens) for step, _, _, tokens in trace(tok, "hugs")]
    [(0, (b'h', b'u', b'g', b's')), (1, (b'h', b'ug', b's')), (2, (b'hug', b's'))]
    """
    symbols = tokenizer.vocabulary.base.of(word)
    applied = [Applied(0, b"", b"", symbols)]
    for rank, at, tokens in encode(symbols, _ranks_inside(tokenizer, b"".join(symbols))):
        left, right = applied[-1].tokens[at : at + 2]
        if applied[-1].step == rank + 1:  # the same merge at the next occurrence
            applied.pop()
        applied.append(Applied(rank + 1, left, right, tokens))
    return applied


def _ranks_inside(tokenizer: Tokenizer, word: bytes) -> dict[tuple[bytes, bytes], tuple[int, bytes]]:
    """Return the ranks of the merges that make a token whose bytes are in the word. No other merge can apply."""
    known, ranks = tokenizer.tokens, tokenizer.vocabulary.ranks.items()
    return {
        (known[left], known[right]): (rank, known[new]) for (left, right), (rank, new) in ranks if known[new] in word
    }


def why_no_merge(tokenizer: Tokenizer, token_id: int) -> str:
    """Return the end of a sentence that says why no merge made a token, or how the model finds it instead.

    >>> from bpe_core import Settings, train
    >>> why_no_merge(train("hug", Settings(vocab_size=256)).tokenizer(), 104)
    'it is in the base alphabet'
    """
    if token_id in tokenizer.vocabulary.special_names:
        return "it is a special token"
    if tokenizer.vocabulary.is_symbol(token_id) and not tokenizer.model.takes_longest:
        return "it is in the base alphabet"
    score = f"{tokenizer.scores.get(token_id, 0.0):.2f}".replace("-", "\N{MINUS SIGN}")
    return tokenizer.model.why_whole.format(score=score)


STARTS = 300  # the most tokens that are tried as the first token of a word
IN_TWO = 40  # words in two tokens before: the most first tokens, and the most second tokens


def words_with(tokenizer: Tokenizer, token_id: int, most: int = 3) -> list[str]:
    """Return up to `most` words for a token that does not begin words: longest match finds it at the word's end.

    With the tokens a, ab, ##b and ##c, a word for ##b is abb. It is not ab, which is itself a token.

    >>> from bpe_core import PRETOKENIZERS, loads
    >>> from bpe_core.files.tokenizer_json_write import dumps_model
    >>> from bpe_core.models.wordpiece import WordPiece
    >>> model = WordPiece((b"a", b"ab", b"\\xffb", b"\\xffc"), PRETOKENIZERS["whitespace"])
    >>> words_with(loads(dumps_model(model)), 2, most=1)
    ['abb']
    """
    text = tokenizer.tokens[token_id].decode()
    return list(islice((head + text for head in _heads(tokenizer) if _ends_in(tokenizer, head, text)), most))


def _heads(tokenizer: Tokenizer) -> Iterator[str]:
    starts, within, _ = tokenizer.vocabulary.word_tokens
    pairs = product(islice(starts, IN_TWO), islice(within, IN_TWO))
    return chain(islice(starts, STARTS), (start + end for start, end in pairs))


def _ends_in(tokenizer: Tokenizer, head: str, text: str) -> bool:
    """Return whether longest match finds the token `text` at the end of the word `head` + `text`."""
    starts, within, longest = tokenizer.vocabulary.word_tokens
    word = head + text
    matches = longest_matches(len(word), longest, lambda at, end: (within if at else starts).get(word[at:end]))
    return any((at, end) == (len(head), len(word)) for at, end, token in matches if token is not None)


def shorter_and_longer(tokenizer: Tokenizer, token_id: int) -> tuple[list[int], list[int]]:
    """Return (the tokens with which this token begins, the tokens that begin with it): its rivals in longest match.

    A token that begins a word only competes with tokens that begin a word. Longest match tries the longer tokens first,
    then this token, then the shorter ones.

    >>> from bpe_core import PRETOKENIZERS, loads
    >>> from bpe_core.files.tokenizer_json_write import dumps_model
    >>> from bpe_core.models.wordpiece import WordPiece
    >>> model = WordPiece((b"a", b"ab", b"abc", b"\\xffb"), PRETOKENIZERS["whitespace"])
    >>> shorter_and_longer(loads(dumps_model(model)), 1)
    ([0], [2])
    """
    text = tokenizer.tokens[token_id].decode()
    starts, within, _ = tokenizer.vocabulary.word_tokens
    alike = within if token_id in tokenizer.vocabulary.within else starts
    shorter = [i for other, i in alike.items() if text.startswith(other) and other != text]
    return shorter, [i for other, i in alike.items() if other.startswith(text) and other != text]


def other_split(tokenizer: Tokenizer, token_id: int) -> tuple[float, list[bytes]] | None:
    """Return the best way to write a Unigram token's text with two or more other tokens: (sum of scores, tokens).

    None if there is no such way. `best[k]` is the best way to write the first `k` characters:

        text   t   h   e           tokens: t −5, h −6, th −7, e −4, the −9
        best   0  −5  −7 −11       the −9 stays, since th + e has −11

    >>> from bpe_core import PRETOKENIZERS, loads
    >>> from bpe_core.files.tokenizer_json_write import dumps_model
    >>> from bpe_core.models.unigram import Unigram
    >>> tokens, scores = (b"t", b"h", b"e", b"th", b"the"), (-5.0, -6.0, -4.0, -7.0, -9.0)
    >>> other_split(loads(dumps_model(Unigram(tokens, scores, PRETOKENIZERS["whitespace"]))), 4)
    (-11.0, [b'th', b'e'])
    """
    ids, scores = tokenizer.vocabulary.ordinary, tokenizer.scores
    text = tokenizer.tokens[token_id].decode()
    best: list[tuple[float, list[bytes]] | None] = [(0.0, [])]
    for end in range(1, len(text) + 1):
        ways = []
        for start in range(end):
            token = text[start:end].encode()
            if (so_far := best[start]) and token in ids and end - start < len(text):
                ways.append((so_far[0] + scores[ids[token]], [*so_far[1], token]))
        best.append(max(ways, default=None))
    return best[-1]
