"""How longest match comes to the tokens of a WordPiece vocabulary that was opened."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice, product

from bpe_core.files.library_tokenizer import WITHIN, LibraryTokenizer
from bpe_core.tokenizer.longest_match import longest_matches

STARTS = 300  # tokens that words are tried to begin with
IN_TWO = 40  # of them, each with as many tokens after it


def words_with(tokenizer: LibraryTokenizer, token_id: int, most: int = 3) -> list[str]:
    """Some words in which longest match comes to a token that does not begin a word; none where none is found.

    With the tokens a, ab, ##b, ##c the word for ##b is not ab, which is one token: it is abb.

    >>> from bpe_core import PRETOKENIZERS, loads
    >>> from bpe_core.files.wordpiece_and_unigram import dumps_model
    >>> from bpe_core.models.wordpiece import WordPiece
    >>> model = WordPiece((b"a", b"ab", b"\\xffb", b"\\xffc"), PRETOKENIZERS["whitespace"])
    >>> words_with(loads(dumps_model(model)), 2, most=1)
    ['abb']
    """
    text = tokenizer.tokens[token_id].decode()
    return list(islice((head + text for head in _heads(tokenizer) if _ends_in(tokenizer, head, text)), most))


def _heads(tokenizer: LibraryTokenizer) -> Iterator[str]:
    starts, within, _ = tokenizer.word_tokens
    pairs = product(islice(starts, IN_TWO), islice(within, IN_TWO))
    return chain(islice(starts, STARTS), (start + end for start, end in pairs))


def _ends_in(tokenizer: LibraryTokenizer, head: str, text: str) -> bool:
    """Whether longest match leaves `text` whole at the end of a word that begins with `head`."""
    starts, within, longest = tokenizer.word_tokens
    word = head + text
    matches = longest_matches(len(word), longest, lambda at, end: (within if at else starts).get(word[at:end]))
    return any((at, end) == (len(head), len(word)) for at, end, token in matches if token is not None)


def shorter_and_longer(tokenizer: LibraryTokenizer, token_id: int) -> tuple[list[int], list[int]]:
    """(the tokens that this one begins with, those that begin with it), among those that also begin a word, or do not.

    Longest match tries the longer ones first, then this token, then the shorter ones.

    >>> from bpe_core import PRETOKENIZERS, loads
    >>> from bpe_core.files.wordpiece_and_unigram import dumps_model
    >>> from bpe_core.models.wordpiece import WordPiece
    >>> model = WordPiece((b"a", b"ab", b"abc", b"\\xffb"), PRETOKENIZERS["whitespace"])
    >>> shorter_and_longer(loads(dumps_model(model)), 1)
    ([0], [2])
    """
    text = tokenizer.tokens[token_id].decode()
    starts, within, _ = tokenizer.word_tokens
    alike = within if tokenizer.kinds.get(token_id) == WITHIN else starts
    shorter = [i for other, i in alike.items() if text.startswith(other) and other != text]
    return shorter, [i for other, i in alike.items() if other.startswith(text) and other != text]
