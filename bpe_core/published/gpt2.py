"""GPT-2's vocabulary, from the table of merges in this folder (see NOTICE for its licence).

All 50,257 ids follow from the merges: the 256 bytes in GPT-2's order, one id a merge, `<|endoftext|>` last.
"""

from __future__ import annotations

import gzip
import zlib
from hashlib import sha256
from pathlib import Path

from bpe_core.published.errors import PublishedError
from bpe_core.text.gpt2_bytes import GPT2_BYTE_ORDER, LETTERS
from bpe_core.text.pretokenizers import PRETOKENIZERS
from bpe_core.tokenizer.tokenizer import Tokenizer

TABLE = Path(__file__).parent / "gpt2-merges.txt.gz"
DIGEST = "1ce1664773c50f3e0cc8842619a93edc4624525b728b188a9e0be33b7726adc5"
END_OF_TEXT = "<|endoftext|>"
# The file draws each byte as a letter: the printable ones as themselves, the other 68 from U+0100 on.


def load_gpt2(table: Path = TABLE) -> Tokenizer:
    """GPT-2's tokenizer. Raises `PublishedError` for a table that is not, byte for byte, the one OpenAI published.

    >>> tok = load_gpt2()
    >>> tok.encode("Hello world<|endoftext|>").ids
    (15496, 995, 50256)
    """
    merges, tokens = [], [bytes([byte]) for byte in GPT2_BYTE_ORDER]
    ids = {letter: i for i, letter in enumerate(LETTERS)}
    for line in _lines(table):
        left, right = line.split(" ")
        new = len(tokens)
        merges.append((ids[left], ids[right], new))
        ids[left + right] = new
        tokens.append(tokens[ids[left]] + tokens[ids[right]])
    return Tokenizer(tuple(tokens), tuple(merges), PRETOKENIZERS["gpt2"], special_tokens={END_OF_TEXT: len(tokens)})


def _lines(table: Path) -> list[str]:
    advice = "put the file back as it was published"
    try:
        raw = gzip.decompress(table.read_bytes())
    except (OSError, EOFError, zlib.error) as error:
        raise PublishedError(f"The table of GPT-2's merges cannot be read ({error}); {advice}.") from None
    if sha256(raw).hexdigest() != DIGEST:
        raise PublishedError(f"The table of GPT-2's merges is not the one that OpenAI published; {advice}.")
    return raw.decode("utf-8").splitlines()[1:]  # ['Ġ t', 'Ġ a', 'h e', …]
