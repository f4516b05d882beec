"""What is said about a text beside its tokens: whether it was normalized, and whether it comes back."""

from __future__ import annotations

from bpe_core.pictures.shared.token_text import MARKS
from bpe_core.text.in_words import lost_pieces
from bpe_core.tokenizer.encoding import Encoding

DECODED = 20_000  # characters; a longer text is not decoded at every key press


def remarks(encoding: Encoding) -> str:
    """Return the remarks about a text in one line; "" if there is none."""
    text = encoding.text
    lossless = round_trip(encoding) if 0 < len(text) <= DECODED else ""
    tab = f"{MARKS[chr(9)]} is a tab." if "\t" in text else ""
    return " ".join(filter(None, (normalization(text, encoding.walk.text), lossless, tab, line_ends(text))))


def line_ends(text: str) -> str:
    """Return a remark on carriage returns in a text, such as the line ends of Windows; "" if there is none.

    >>> line_ends("one\\r\\ntwo")[:31], line_ends("one\\rtwo")[:30]
    ('This text has Windows line ends', 'This text has carriage returns')
    """
    if "\r" not in text:
        return ""
    kind = "Windows line ends (\\r\\n)" if "\r\n" in text else "carriage returns (\\r)"
    return f"This text has {kind}. The tokens count them until you edit the text."


def normalization(text: str, normalized: str) -> str:
    """Return a remark on normalization if the normalized text differs from the text; otherwise return ""."""
    if text == normalized:
        return ""
    return "The tokenizer normalizes the text first: the tokens, figures and offsets are of the normalized text."


def round_trip(encoding: Encoding) -> str:
    """Return a sentence on whether decoding gives the text back, and on what another version of a library may do."""
    remark = f" {encoding.library_remark}".rstrip()
    if pieces := lost_pieces(encoding.pieces_lost):
        return f"Does not come back exactly: {pieces}.{remark}"
    decoded = encoding.decoded
    back = "Decodes back to exactly your text." if decoded == encoding.text else f"Decoded: {decoded}"
    return f"{back}{remark}"
