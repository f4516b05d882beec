"""A tokenizer: a vocabulary and its merges, applied to text and undone again.

Merges apply in the order in which they were learnt. So a token is always made by the same merges, wherever it
stands. That is why the ids of a text are enough to know at which step each of its boundaries fell
(`Encoding.merged_at`), and with that the tokens of every smaller vocabulary.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import ClassVar

from bpe_core.text.alphabet import MARKER, decode_bytes, without_surrogates
from bpe_core.tokenizer.encoder import Encoder
from bpe_core.tokenizer.encoding import Encoding
from bpe_core.tokenizer.walking import ids_of


@dataclass(frozen=True, eq=False, repr=False)
class Tokenizer(Encoder):
    """Encodes text with a vocabulary, and decodes ids. Its fields are those of `TokensAndMerges`.

    >>> from bpe_core import Settings, train
    >>> tok = train("hug hug pug", Settings(vocab_size=258)).tokenizer()
    >>> tok.encode("hugs").tokens
    (b'hug', b's')
    >>> tok.decode(tok.encode("a bug").ids)
    'a bug'
    """

    model: ClassVar[str] = "BPE"  # how it finds tokens; others come from files

    def why_no_merge(self, token_id: int) -> str:
        """The end of a sentence that says why no merge made this token.

        >>> from bpe_core import Settings, train
        >>> train("hug", Settings(vocab_size=256)).tokenizer().why_no_merge(104)
        'it is in the base alphabet'
        """
        return "it is a special token" if token_id in self._names else "it is in the base alphabet"

    def __repr__(self) -> str:
        """Its size; the tables are too long to print."""
        return f"<Tokenizer of {self.vocab_size} tokens>"

    def save(self, path: str | PathLike[str], format: str = "tokenizer.json") -> list[Path]:
        """Write the tokenizer to `path`, whole or not at all, and return the paths (see `files.save`)."""
        from bpe_core import files

        return files.save(self, path, format)

    def ids(self, text: str, specials: bool = True) -> list[int]:
        """The ids of `encode`, and nothing else; the fastest way.

        >>> from bpe_core import Settings, train
        >>> train("hug hug pug", Settings(vocab_size=258)).tokenizer().ids("hug pug")
        [257, 32, 112, 256]
        """
        return ids_of(self, text, specials)

    def encode(self, text: str, specials: bool = True, longest: bool = False) -> Encoding:
        """The tokens of `text`.

        With `specials` off, the names of special tokens are text like any other. With `longest` on, the longest token
        that fits is taken, again and again, instead of merging in the order learnt.
        """
        return Encoding(self, text, specials, longest)

    def decode(self, ids: Iterable[int]) -> str:
        """The text of `ids`, as it was normalized; bytes that are no UTF-8 become U+FFFD, an unknown character `<unk>`.

        A lone surrogate is no UTF-8 either: its three bytes become three U+FFFD, as in tiktoken.

        A word marker becomes a space where the pretokenizer dropped the white space, and nothing where it kept it.
        Raises `ValueError` for an id that the vocabulary does not have.
        """
        return without_surrogates(self.text_of(map(self.token_bytes, ids)), "\ufffd" * 3)

    def text_of(self, tokens: Iterable[bytes]) -> str:
        """The text of tokens given as bytes; an unknown character that `Encoding.tokens` kept is still there.

        >>> from bpe_core import Settings, train
        >>> tok = train("hug pug", Settings("whitespace", "characters", "end", vocab_size=7)).tokenizer()
        >>> tok.text_of(tok.encode("big hug").tokens), tok.decode(tok.encode("big hug").ids)
        ('big hug', '<unk><unk>g hug')
        """
        raw = b"".join(tokens)
        if self.word_marker == "none":
            return decode_bytes(raw)
        text = decode_bytes(raw.replace(MARKER, b"" if self.pretokenizer.lossless else b" "))
        if self.pretokenizer.lossless:
            return text
        return text.removesuffix(" ") if self.word_marker == "end" else text.removeprefix(" ")
