"""What a vocabulary loses of a text that is counted: the pieces of the text that it cannot write."""

from __future__ import annotations

from bpe_core.tokenizer.base_symbols import UNKNOWN
from bpe_core.tokenizer.tokenizer import Tokenizer


def pieces_lost(text: str, tokenizer: Tokenizer, specials: bool | None = None) -> int:
    """Return how many pieces of a text are lost, as `Encoding.pieces_lost` has it.

    `specials` and errors: as for `Tokenizer.ids`. It takes about as long as `ids` where nothing is lost, and no time
    where the vocabulary can write every text.

    >>> from bpe_core import load
    >>> pieces_lost("a 🦜", load("bert")), pieces_lost("a 🦜", load("gpt2"))
    (1, 0)
    """
    if not tokenizer.vocabulary.loses_text:
        return 0
    drops = tokenizer.needs_library and (tokenizer.unknown_id is None or bool(tokenizer.byte_ids))
    if not drops and {UNKNOWN, tokenizer.unknown_id}.isdisjoint(tokenizer.ids(text, specials=specials)):
        return 0
    return tokenizer.encode(text, specials=specials).pieces_lost
