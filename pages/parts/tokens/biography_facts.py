"""The facts about one token: when it was learnt, from what, and which tokens contain it. The browser draws its tree."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bpe_core import Tokenizer
from bpe_core.files.library_reach import other_split
from bpe_core.files.library_tokenizer import BYTE, LibraryTokenizer
from bpe_core.files.wordpiece_tokens import shorter_and_longer
from bpe_core.tokenizer.biography import containing, joins
from pages.parts.film.kept import kept
from pages.parts.session.vocabularies import Vocabulary
from pages.parts.tokens.neighbours import neighbours
from pages.parts.tokens.text_token import TextToken
from pages.parts.tokens.words import Words, as_json
from pages.parts.views.sentences import counted, times

SHOWN = 12  # tokens in a list


def biography(token: TextToken) -> dict[str, Any]:
    """Return what the browser shows of a token of a text: its position, facts, and why it did not merge further."""
    start, end = token.span
    token_id = token.id_of(token.number)
    return {
        "at": start,
        "end": end,
        "step": token.step,
        "rows": [[term, as_json(words)] for term, words in facts(token.vocabulary, token_id)],
        "apart": [as_json(words) for words in neighbours(token)],
    }


def facts(vocabulary: Vocabulary, token_id: int) -> list[tuple[str, Words]]:
    """Return the facts about a token beyond its tree: of each, the term and the words."""
    if token_id < 0:
        return [("unknown", ["The alphabet does not have this character, so no token stands for it."])]
    tokenizer = vocabulary.tokenizer
    if tokenizer.model != "BPE":
        reasons = [] if token_id in tokenizer.special_tokens.values() else _choice(tokenizer, token_id)
        return [_birth(vocabulary, token_id), *reasons, ("within", _contained(tokenizer, token_id))]
    return [
        _birth(vocabulary, token_id),
        *_ties(vocabulary, token_id),
        ("within", _contained(tokenizer, token_id)),
        ("merges", _joined(tokenizer, token_id)),
    ]


def _choice(tokenizer: LibraryTokenizer, token_id: int) -> list[tuple[str, Words]]:
    """Return why a model without merges chooses a token: by its score, or as the longest match."""
    if tokenizer.model == "Unigram" and tokenizer.kinds.get(token_id) != BYTE:
        other = other_split(tokenizer, token_id)
        if other is None:
            return [("instead", ["no other tokens write this text"])]
        total, tokens = other
        better = "a higher score, so they are taken" if total > tokenizer.scores[token_id] else "a lower score"
        verdict = f"with {total:.2f} together, {better}".replace("-", "\N{MINUS SIGN}")
        return [("instead", [*_listed(tokens, False), verdict])]
    if tokenizer.model == "WordPiece":
        shorter, longer = shorter_and_longer(tokenizer, token_id)
        return [
            ("shorter", _tokens(tokenizer, shorter, "that it begins with; the longest match takes this one")),
            ("longer", _tokens(tokenizer, longer, "that begin with it; the longest match takes them where they fit")),
        ]
    return []


def _tokens(tokenizer: Tokenizer, ids: list[int], what: str = "") -> Words:
    """Return how many tokens there are, `what` they do, and the first of them."""
    if not ids:
        return ["none"]
    count = f"{counted(len(ids), 'token')} {what}".strip()
    return [f"{count}: ", *_listed([tokenizer.token_bytes(i) for i in ids[:SHOWN]], len(ids) > SHOWN)]


def _birth(vocabulary: Vocabulary, token_id: int) -> tuple[str, Words]:
    tok, run = vocabulary.tokenizer, vocabulary.run
    origin = tok.origin(token_id)
    if token_id in tok.special_tokens.values():
        return "made", ["by no merge"]
    if origin is None:
        return "no merge", [tok.why_no_merge(token_id)]
    left, right, step = origin
    seen = f", seen {times(run.merges[step - 1].count)}" if run else ""
    return "made of", [(tok.token_bytes(left), tok.token_bytes(right)), seen]


def _ties(vocabulary: Vocabulary, token_id: int) -> list[tuple[str, Words]]:
    """Return which pairs were as frequent when the token was learnt; a published vocabulary has no counts."""
    origin, run = vocabulary.tokenizer.origin(token_id), vocabulary.run
    if origin is None or token_id in vocabulary.tokenizer.special_tokens.values():
        return []
    if run is None:
        return [("seen", ["how often is not known: vocabularies are published without counts"])]
    step = origin[2]
    merge = run.merges[step - 1]
    if merge.tied == 1:
        return [("ties", ["none: no other pair was as frequent"])]
    pairs = run.pair_counts(step - 1, min(merge.tied, SHOWN))
    tied = [(pair.left, pair.right) for pair in pairs if (pair.left, pair.right) != (merge.left, merge.right)]
    others = counted(merge.tied - 1, "other pair")
    return [("ties", [f"as frequent as {others}: ", *_listed(tied, merge.tied > SHOWN)])]


def _contained(tokenizer: Tokenizer, token_id: int) -> Words:
    found = kept(tokenizer, ("containing", token_id), lambda: containing(tokenizer, token_id))  # asked for at every key
    if not found:
        return ["no other token contains its bytes"]
    return _tokens(tokenizer, found, "contains its bytes" if len(found) == 1 else "contain its bytes")


def _joined(tokenizer: Tokenizer, token_id: int) -> Words:
    found = kept(tokenizer, ("joins", token_id), lambda: joins(tokenizer, token_id))
    if not found:
        return ["no merge joins it with another token"]
    words: Words = [f"it is a half in {counted(len(found), 'merge')}: "]
    for left, right, step in found[: SHOWN // 2]:
        words += [(tokenizer.token_bytes(left), tokenizer.token_bytes(right)), f" at step {step:,}", ", "]
    return [*words[:-1], " …" if len(found) > SHOWN // 2 else ""]


def _listed(tokens: Iterable[bytes | tuple[bytes, bytes]], more: bool) -> Words:
    words: Words = []
    for token in tokens:
        words += [token, " "]
    return [*words, "…"] if more else words
