"""Tie rules: which of the pairs that share the highest count is merged.

A rule is one of two kinds. A rule by *site* takes the pair that is seen first when the corpus is read. A rule by *name*
takes the pair that comes first when pairs are sorted by their tokens. Most merges on real text are ties, so the rule
shapes the vocabulary. Every implementation has a rule, and few document it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from bpe_core.text.alphabet import GPT2_BYTE_ORDER

_GPT2_RANK = {byte: rank for rank, byte in enumerate(GPT2_BYTE_ORDER)}


@dataclass(frozen=True)
class TieRule:
    """One way to break ties.

    `picks`: which pair the rule chooses. `same_as`: the implementations with this rule, or "".

    A rule by name has a `name_key`: `name_key(alphabet, token id, token bytes)` returns the sorting key of one half of
    a pair, the smallest key first. A rule by site has no `name_key`. `moves_words`: whether a changed word moves to the
    corpus's end.

    `from_tokens`: what the rule compares in a training that starts from the tokens of a tokenizer. In such a training,
    all rules but "corpus-order" go on as if the tokenizer had been trained in the same run.
    """

    picks: str
    same_as: str
    name_key: Callable[[str, int, bytes], object] | None = None
    moves_words: bool = False
    from_tokens: str = ""

    @staticmethod
    def site_key(turns: Any, sites: Any, size: int) -> Any:
        """Return the key by which a rule by site compares pairs: a number that grows in the order of reading.

        `turns`: the turns of the words in that order, one for each of `sites`. `size`: the symbols of the corpus. Until
        a word has moved, turns and sites grow together, and a site may stand for its key.

        >>> TIE_RULES["corpus-order"].site_key(2, 5, 100) < TIE_RULES["corpus-order"].site_key(3, 1, 100)
        True
        """
        return turns * size + sites

    @property
    def goes_on(self) -> bool:
        """Whether a training that starts from tokens can follow the rule. It cannot follow a rule that moves words."""
        return not self.moves_words

    @property
    def by_site(self) -> bool:
        """Whether the rule compares where pairs occur, and not their tokens."""
        return self.name_key is None


def _descending(token: bytes) -> str:
    """Return a key that sorts tokens in the opposite order. The key's last letter puts a token before its prefixes.

    >>> sorted([b"a", b"ab", b"b"], key=_descending)
    [b'b', b'ab', b'a']
    """
    return "".join(chr(255 - byte) for byte in token) + "\u0100"


def _gpt2_rank(alphabet: str, token_id: int, token: bytes) -> int:
    """Return a key that sorts single bytes first, in GPT-2's order, and then the other tokens by their ids.

    >>> [_gpt2_rank("bytes", 33, b"!"), _gpt2_rank("bytes", 0, b"!"), _gpt2_rank("bytes", 256, b"ug")]
    [0, 0, 512]
    """
    return _GPT2_RANK[token[0]] if alphabet == "bytes" and len(token) == 1 else 256 + token_id


TieRuleKey = Literal["first-seen", "corpus-order", "greatest", "lowest-id", "hugging-face"]
TIE_RULES: dict[str, TieRule] = {
    "first-seen": TieRule(
        "the pair seen first, reading the text from the start",
        "minbpe, tiktoken's educational module",
        from_tokens="where the two tokens are first seen together in the text",
    ),
    "corpus-order": TieRule(
        "the pair seen first in a list of words whose changed words move to its end",
        "the SELENE notebook",
        moves_words=True,
        from_tokens="nothing: a tokenizer does not say which words its merges moved",
    ),
    "greatest": TieRule(
        "the pair whose tokens sort last, byte by byte",
        "the CS336 assignment",
        name_key=lambda _alphabet, _id, token: _descending(token),
        from_tokens="the bytes of the two tokens",
    ),
    "lowest-id": TieRule(
        "the pair with the lowest ids: the oldest left token, then the oldest right one",
        "rustbpe",
        name_key=lambda _alphabet, token_id, _token: token_id,
        from_tokens="the ids of the two tokens, as the start has them",
    ),
    "hugging-face": TieRule(
        "the pair with the lowest ids, bytes numbered in GPT-2's order",
        "Hugging Face tokenizers' byte-level trainer",
        name_key=_gpt2_rank,
        from_tokens="the ids of the two tokens, as the start has them; single bytes come first, in GPT-2's order",
    ),
}
"""How a merge is chosen among pairs of equal count: the values of `Settings.tie_rule`, and who else does it so."""
