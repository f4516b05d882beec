"""The end of a prompt: the tokens of a text's beginning, beside the tokens of the whole text.

A model that continues a text is given only the tokens of its beginning, the prompt. If a token of the whole text lies
across the end of the prompt, the tokens differ:

    whole       |http|://|example|     the token "://" lies across the end
    prompt      |http|:|
    cut off          :                 the part of "://" that the prompt has

In the texts that the model was trained on, "://" was one token, so the model has hardly ever seen "//" after the token
":". If the prompt is the whole text and ends with a space, that space is cut off from the next word, although nobody
knows that word.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bpe_core.text.alphabet import MARKER
from bpe_core.text.arrays import Ids
from bpe_core.tokenizer.checks import Specials
from bpe_core.tokenizer.encoding import Encoding
from bpe_core.tokenizer.tokenizer import Tokenizer
from bpe_core.tokenizer.walk import TokenTable

TRIED = 20  # tokens at the end of a text, inside which `last_cut` looks for an end that cuts a token


@dataclass(frozen=True, eq=False, repr=False)
class PromptEnd:
    """A text and its beginning, the prompt, as one tokenizer encodes them; made by `prompt_end`."""

    whole: Encoding
    prompt: Encoding

    def __repr__(self) -> str:
        """Return how many tokens the prompt has, and how many it shares with the whole text."""
        return f"<PromptEnd: {self.same:,} of the prompt's {len(self.prompt):,} tokens are the whole text's>"

    @cached_property
    def tables(self) -> tuple[TokenTable, TokenTable]:
        """The tokens of the whole text and of the prompt."""
        walks = (self.whole.walk, self.prompt.walk)
        whole, prompt = (walk.tokens(len(walk.vocabulary.merges)) for walk in walks)
        return whole, prompt

    @cached_property
    def at(self) -> int | None:
        """The offset of the prompt's end, in the bytes of the normalized whole text.

        None if the end of the prompt is normalized in another way when more text follows, such as an e before its
        accent.
        """
        raw = self.prompt.walk.raw
        return len(raw) if self.whole.walk.raw.startswith(raw) else None

    @cached_property
    def same(self) -> int:
        """How many tokens the prompt and the whole text have in common, from the beginning on."""
        whole, prompt = self.tables
        shared, most = self._shared_bytes, min(len(whole), len(prompt))
        one, other = (np.stack((side.ids, side.starts, side.ends))[:, :most] for side in (whole, prompt))
        alike = (one == other).all(axis=0) & (one[2] <= shared)
        return int(alike.argmin()) if not alike.all() else most

    @property
    def _shared_bytes(self) -> int:
        if self.at is not None:
            return self.at
        sides = (self.whole.walk.raw, self.prompt.walk.raw)
        most = min(map(len, sides))
        one, other = (np.frombuffer(raw, np.uint8)[:most] for raw in sides)
        return int((one == other).argmin()) if not np.array_equal(one, other) else most

    @property
    def differs(self) -> bool:
        """Whether the prompt has a token that the whole text does not have at its position."""
        return self.same < len(self.tables[1])

    @cached_property
    def across(self) -> int | None:
        """The index of the whole text's token that lies across the end of the prompt; None if there is none."""
        whole, _ = self.tables
        if self.at is None:
            return None
        number = int(np.searchsorted(whole.ends, self.at, "right"))
        return number if number < len(whole) and whole.starts[number] < self.at else None

    @cached_property
    def cut_off(self) -> bytes:
        """The prompt's part of the token that lies across the prompt's end: bytes as they are drawn.

        b"" if no token lies across the end, or if the vocabulary cannot write the text there. If the prompt is the
        whole text and its last token is a space, that space is cut off.
        """
        whole, _ = self.tables
        if self.whole.text == self.prompt.text:
            last = whole.drawn(len(whole) - 1) if len(whole) else b""
            return last if last == b" " else b""
        if self.across is None or self.at is None or whole.lost[self.across]:
            return b""
        token = whole.drawn(self.across)
        closes = whole.walk.vocabulary.word_marker == "end" and token.endswith(MARKER)
        return token[: len(token) - closes - (int(whole.ends[self.across]) - self.at)]

    @cached_property
    def others(self) -> Ids:
        """All tokens that begin with `cut_off` and are longer, as ascending ids.

        Special tokens are left out.
        """
        vocabulary = self.whole.walk.vocabulary
        return vocabulary.longer(self.cut_off) if self.cut_off else np.zeros(0, np.int32)


def prompt_end(tokenizer: Tokenizer, text: str, end: int, specials: Specials = None) -> PromptEnd:
    """Return a text and its first `end` characters as a tokenizer encodes them.

    Raises `ValueError` if `end` is not from 0 to the length of the text. The first use of `PromptEnd.others` with a
    vocabulary sorts all tokens of the vocabulary; later uses only search in the sorted tokens.

    >>> from bpe_core import load
    >>> tok = load("gpt2")
    >>> found = prompt_end(tok, "http://example", 5)
    >>> found.prompt.tokens, found.whole.tokens, found.cut_off
    ((b'http', b':'), (b'http', b'://', b'example'), b':')
    >>> len(found.others), [tok.tokens[i] for i in found.others[:3]]
    (15, [b'://', b'::', b':\\\\'])
    """
    if not 0 <= end <= len(text):
        raise ValueError(f"end is from 0 to {len(text)}, the length of the text; not {end}")
    return PromptEnd(tokenizer.encode(text, specials=specials), tokenizer.encode(text[:end], specials=specials))


def after_last_space(text: str) -> int:
    """Return the end of a text's last space, or of a text without spaces.

    >>> after_last_space("once upon a time"), after_last_space("once upon "), after_last_space("once")
    (12, 10, 4)
    """
    return text.rfind(" ") + 1 or len(text)


def last_cut(whole: Encoding, tokenizer: Tokenizer, specials: Specials = False) -> int:
    """Return where a prompt's end cuts a token: after the last space, or else inside one of the last `TRIED` tokens.

    If no such end cuts a token, return the first of these places.

    >>> from bpe_core import load
    >>> tok = load("gpt2")
    >>> [last_cut(tok.encode(text), tok) for text in ("once upon a time", "unlighthouse", "a b ")]
    [12, 4, 4]
    """
    text, walk = whole.text, whole.walk
    table = walk.tokens(len(walk.vocabulary.merges))
    starts, ends = walk.characters(table.starts[-TRIED:], table.ends[-TRIED:])
    inside: list[int] = [
        start + 1 for start, end in zip(starts.tolist(), ends.tolist(), strict=True) if end - start > 1
    ]
    if text.endswith(" "):  # the space is the cut: whoever typed it asks what it does
        return len(text)
    for end in [after_last_space(text), *reversed(inside)]:
        found = PromptEnd(whole, tokenizer.encode(text[:end], specials=specials))
        if found.differs and found.cut_off:
            return end
    return after_last_space(text)
