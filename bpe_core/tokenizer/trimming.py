"""A vocabulary made smaller or larger by hand: trimmed to a text, or extended by another vocabulary's tokens.

Trimming drops the tokens that a text does not use, but never a part of a used token. So both halves of each remaining
merge remain:

    text        hugs hugs           with the merges u + g, h + ug, h + u
    tokens      hug s               used
    parts       h u g ug            of the used tokens; in addition every byte stays, so that any text can be written
    dropped     hu

Every merge that joins a pair in the text makes a used token or a part of a used token. So the text has the same tokens
as before, under new ids. Other texts may have more tokens than before.

Appending is the usual way to add tokens: another vocabulary is trained alone, and its new tokens are put at the end.
But the older merges come first. If they use up the parts of a new token, no text can reach the new token.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from bpe_core import arguments, by_name
from bpe_core.by_name import GivenTokenizer
from bpe_core.corpus.text_files import Texts, corpus, whole_texts
from bpe_core.text.alphabet import decode_bytes
from bpe_core.tokenizer.base_symbols import UNKNOWN
from bpe_core.tokenizer.encoding import Around
from bpe_core.tokenizer.tokenizer import Tokenizer
from bpe_core.tokenizer.unreachable import MERGED, reach


@dataclass(frozen=True)
class Trimmed:
    """A trimmed tokenizer. `ids`: old id → new id of each remaining token; old ids and new ids both ascend.

    The old ids choose the rows of an embedding matrix: `matrix[list(trimmed.ids)]`.
    """

    tokenizer: Tokenizer
    ids: Mapping[int, int]

    def __repr__(self) -> str:
        """Return how many tokens remain; the ids are too many to print."""
        return f"<Trimmed to {len(self.tokenizer):,} tokens>"


def trim(tokenizer: GivenTokenizer, texts: Texts) -> Trimmed:
    """Keep the tokens that `texts` use with their parts, the base symbols, and the special tokens.

    `tokenizer`: a tokenizer, or what `load` takes. `texts`: a text, the `Path` of one, or several. If a file is not
    converted to our own tokenizer, since it lacks some of the 256 bytes for example, the file itself gets fewer tokens.
    Raises `MergesError` if it has no merges, and `ValueError` if a text would have other tokens.

    >>> from bpe_core import load
    >>> gpt2 = load("gpt2")
    >>> small = trim(gpt2, "The parrot")
    >>> len(small.tokenizer), small.ids[50256], small.tokenizer.decode(small.tokenizer.ids("The parrot"))
    (264, 263, 'The parrot')
    >>> [small.ids[i] for i in gpt2.ids("The parrot")] == small.tokenizer.ids("The parrot")
    True
    """
    given = by_name.opened_beside(tokenizer, texts, "trim(tokenizer, texts)")
    ours = _converted(given)
    used: set[int] = set()
    seen: list[tuple[str, list[int]]] = []
    for text in whole_texts(corpus(texts)):
        used.update(found := ours.ids(text, specials=True))
        seen += [(text, found)] if ours.needs_library else []
    always = {*ours.vocabulary.base.ids.values(), *ours.special_tokens.values(), *ours.byte_ids, ours.unknown_id}
    kept = sorted(i for i in _with_parts(ours, used) | always if i is not None and i != UNKNOWN)
    ids = {old: new for new, old in enumerate(kept)}
    if ours.needs_library:
        small = by_name.trimmed_file(ours, ids)
        if any(small.ids(text, specials=True) != [ids[i] for i in found] for text, found in seen):
            raise ValueError("with fewer tokens a text would have others: the file's own library joins them elsewhere")
        return Trimmed(small, ids)
    trimmed = replace(
        ours,
        tokens=tuple(ours.tokens[old] if old < len(ours.tokens) else b"" for old in kept),
        merges=tuple((ids[a], ids[b], ids[new]) for a, b, new in ours.merges if ids.keys() >= {a, b, new}),
        special_tokens={name: ids[old] for name, old in ours.special_tokens.items()},
        symbols=None if ours.symbols is None else {symbol: ids[old] for symbol, old in ours.symbols.items()},
        byte_ids=tuple(ids.get(old, old) for old in ours.byte_ids),
        unknown_id=None if ours.unknown_id is None else ids[ours.unknown_id],
        kinds={ids[old]: kind for old, kind in ours.kinds.items() if old in ids},
        around=Around(*(tuple(ids[old] for old in part) for part in ours.around)),
        around_two=tuple((ids.get(old, old), kind) for old, kind in ours.around_two),  # below 0 stand the texts
    )
    return Trimmed(trimmed, ids)


def _converted(tokenizer: Tokenizer) -> Tokenizer:
    """Return our own tokenizer with the same ids, or the file's if it has merges and is not converted."""
    try:
        return by_name.with_merges(tokenizer)
    except ValueError:
        if tokenizer.model.has_merges and tokenizer.content.startswith(b"{"):
            return tokenizer
        raise


def _with_parts(tokenizer: Tokenizer, used: set[int]) -> set[int]:
    """Return the ids of used tokens, and the ids of all tokens that merges join to make the used tokens."""
    found: set[int] = set()
    rest = [token_id for token_id in used if token_id >= 0]
    while rest:
        token_id = rest.pop()
        if token_id not in found:
            found.add(token_id)
            made = tokenizer.origin(token_id)
            rest += made[:2] if made else ()
    return found


def append(tokenizer: GivenTokenizer, apart: GivenTokenizer) -> Tokenizer:
    """Append the tokens of another vocabulary that `tokenizer` lacks, and the merges that make them.

    This is the usual way to add tokens. Training with `start=tokenizer` is better: after appending, there may be tokens
    that no text can reach. `apart`: the other vocabulary, trained alone; if it was split in another way, more tokens
    are out of reach. Raises `MergesError` if one of the two has no merges, and `ValueError` if the two have different
    word markers, or if `tokenizer` lacks a character of a token.

    >>> from bpe_core import Settings, train
    >>> base = train("hi hi", Settings(vocab_size=257)).tokenizer()
    >>> len(append(base, train("sh sh shi", Settings(vocab_size=259)).tokenizer()))
    260
    """
    tokenizer, apart = (by_name.with_merges(by_name.opened(each)) for each in (tokenizer, apart))
    if tokenizer.word_marker != apart.word_marker:
        markers = f"{tokenizer.word_marker} here, {apart.word_marker} there"
        raise ValueError(f"tokens with another word marker ({markers}) are out of reach of every text")
    tokens = list(tokenizer.vocabulary.tokens_by_id)
    id_of = {token: i for i, token in enumerate(tokens) if token}
    merges = list(tokenizer.merges)
    for left, right, new in apart.merges:
        if apart.tokens[new] not in id_of:
            halves = apart.tokens[left], apart.tokens[right]
            if lacking := [half for half in halves if half not in id_of]:
                raise ValueError(f"the vocabulary has no token {decode_bytes(lacking[0])!r} to make the others of")
            id_of[apart.tokens[new]] = len(tokens)
            tokens.append(apart.tokens[new])
            merges.append((id_of[halves[0]], id_of[halves[1]], id_of[apart.tokens[new]]))
    return replace(tokenizer, tokens=tuple(tokens), merges=tuple(merges))


def unreached(tokenizer: GivenTokenizer, first: int) -> list[int]:
    """Return the tokens that no text reaches, as ids from `first` on: their own bytes merge into other tokens.

    >>> from bpe_core import Settings, train
    >>> base = train("hi hi", Settings(vocab_size=257)).tokenizer()  # h + i
    >>> both = append(base, train("sh sh shi", Settings(vocab_size=259)).tokenizer())  # s + h, ␣ + sh, ␣sh + i
    >>> both.tokens[257:], [both.tokens[i] for i in unreached(both, 257)]  # `shi` becomes s, hi
    ((b'sh', b' sh', b' shi'), [b' shi'])
    """
    verdicts = reach(by_name.opened(tokenizer))
    arguments.whole(first, "an id")
    return [i for i in range(first, len(verdicts)) if verdicts[i] == MERGED]
