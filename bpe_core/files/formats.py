"""The formats that tokenizers are kept in: one table for opening, writing, the command line and the Hub."""

from __future__ import annotations

from bpe_core.files.format import Format
from bpe_core.files.minbpe import MINBPE
from bpe_core.files.sentencepiece_model import SENTENCEPIECE
from bpe_core.files.tekken import TEKKEN
from bpe_core.files.tiktoken_ranks import TIKTOKEN
from bpe_core.files.tokenizer_json import TOKENIZER_JSON
from bpe_core.files.vocab_merges import NAME, VOCAB_MERGES

READABLE: dict[str, Format] = {
    "tokenizer.json": TOKENIZER_JSON,
    NAME: VOCAB_MERGES,
    "SentencePiece .model": SENTENCEPIECE,
    ".tiktoken": TIKTOKEN,
    "tekken.json": TEKKEN,
    "minbpe": MINBPE,
}
FORMATS: dict[str, Format] = {name: form for name, form in READABLE.items() if form.write}  # those that are written too


def format_of(name: str) -> str:
    """The format to write that the name of a file stands for; `tokenizer.json` where it says nothing.

    >>> format_of("mine.tiktoken"), format_of("mine.txt")
    ('.tiktoken', 'tokenizer.json')
    """
    return next((key for key, form in FORMATS.items() if name.endswith(form.ends)), "tokenizer.json")
