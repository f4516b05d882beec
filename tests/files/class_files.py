"""A small `vocab.json` and `merges.txt` for each class of transformers, and texts that the classes cut differently."""

import json

from bpe_core.files.tokenizer_classes import CLASSES
from bpe_core.text.alphabet import LETTER_OF

PAIRS = "h e|l l|he ll|hell o|' L|'L L|' l|'l l|1 2|12 3|. x|; Ċ|Ċ Ċ|Ġ a|Ġ h|Ġ Ġ|Ã ©|Ì ģ|a b|! !|Ġ !|H e|a Ċ"
ENDED = "h e|l o</w>|he l|hel lo</w>|a b</w>|1 2</w>|' l|'l l</w>|. x</w>"
OF_CHARACTERS = ("HerbertTokenizer", "OpenAIGPTTokenizer")
ADDED = {"<|im_start|>": True, "<note>": False}  # name → whether it is special
TEXTS = [
    "hello HELLO Hello",
    "I'LL i'll",
    "e.x;\n",
    "123 12 ab\n\nhello",
    "  two  spaces  ",
    "café cafe\u0301 ﬁ",
    "a<|im_start|>hello<note> ab",
    "नमस्ते!!! a!",
    "<|endoftext|><s>x</s> [MASK] <mask>",
]
NAMES = [name for row in CLASSES for name in row.names.split()]


def class_files(name: str) -> dict[str, bytes]:
    """The three files of a class, name → content."""
    ended = name in (*OF_CHARACTERS, "CLIPTokenizer")
    letters = [*map(chr, range(32, 127)), "é"] if name in OF_CHARACTERS else [*LETTER_OF.values()]
    base = [*letters, *(f"{letter}</w>" for letter in letters)] if ended else letters
    pairs = [pair.split(" ") for pair in (ENDED if ended else PAIRS).split("|")]
    tokens = [*base, *("".join(pair) for pair in pairs), "<unk>", "<|endoftext|>"]
    decoder = {str(len(tokens) + i): {"content": name, "special": so} for i, (name, so) in enumerate(ADDED.items())}
    config = {"tokenizer_class": name, "added_tokens_decoder": decoder}
    return {
        "vocab.json": json.dumps({token: i for i, token in enumerate(tokens)}).encode(),
        "merges.txt": "\n".join(["#version: 0.2", *map(" ".join, pairs), ""]).encode(),
        "tokenizer_config.json": json.dumps(config).encode(),
    }
