"""The rivals of a token in a model without merges: the tokens that a text may have instead.

Unigram      other tokens that together spell the token's text: the higher sum of scores wins
WordPiece    tokens that begin the same word: the longest that fits wins
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice, product

from bpe_core.tokenizer.tokenizer import Tokenizer
from bpe_core.tokenizer.word_encoder import longest_matches

STARTS = 300  # the most tokens that are tried as the first token of a word
IN_TWO = 40  # the most first tokens, and the most second tokens, of words in two tokens before


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
