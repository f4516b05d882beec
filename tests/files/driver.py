"""Tokenizers that the formats can carry, trained on one text."""

from functools import cache

from bpe_core import FORMATS, PRETOKENIZERS, Settings, train
from bpe_core.files import READABLE
from tests.texts import EXAMPLE_TEXTS

CORPUS = "".join(text[:3000] for text in EXAMPLE_TEXTS.values())
SPECIAL = ("<|end|>", "<|end|><|end|>", "<|endoftext|>")
APART = SPECIAL[::2]  # none begins with another
READ_AND_WRITTEN = [name for name in FORMATS if name in READABLE]
LOSSLESS = [key for key, row in PRETOKENIZERS.items() if row.lossless]
CARRIED = [
    *(("tokenizer.json", key, alphabet, SPECIAL) for key in PRETOKENIZERS for alphabet in ("bytes", "characters")),
    ("tokenizer.json", "gpt2", "bytes", ()),
    ("vocab.json + merges.txt", "gpt2", "bytes", ()),
    *((".tiktoken", key, "bytes", APART) for key in LOSSLESS),
    (".tiktoken", "gpt2", "bytes", ()),
    *(("minbpe", key, "bytes", SPECIAL) for key in PRETOKENIZERS),
    ("minbpe", "gpt2", "bytes", ()),
]


@cache
def carried_run(key, alphabet, special):
    return train(CORPUS, Settings(key, alphabet, vocab_size=900, special_tokens=special))
