r"""How llama.cpp splits a text before the merges, by the name that a GGUF has as `tokenizer.ggml.pre`.

Each split is a row with its names, its patterns and what else llama.cpp takes from the name. The facts are those of
`src/llama-vocab.cpp` in https://github.com/ggml-org/llama.cpp, commit 00ad355e: `llm_tokenizer_bpe` has the patterns,
`llama_vocab::impl::load` the names. The first pattern cuts the text into its matches and what is between them; each
further pattern cuts those parts again, and does not see beyond a part. All parts are pretokens.

Where llama.cpp splits otherwise than the model's own tokenizer, it is llama.cpp that a row follows:

- a contraction of capitals is written out, as in `'[sS]`: `'ſ` is none, which `(?i:'s)` takes for one;
- in the splits of GPT-4o and of Mistral's Tekken, only `a` to `z` and `A` to `Z` have a case, and a mark such as an
  accent is no part of a word: `écoleÉcole` is one pretoken, where GPT-4o has two.

Not here are splits that patterns do not express, or that need another alphabet than the bytes, such as `gemma4`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from bpe_core.files.format import FormatError
from bpe_core.text.pretokenizers import PRETOKENIZERS

_CONTRACTION = r"(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])"
_WORD = r"[^\r\n\p{L}\p{N}]?\p{L}+"
_SIGNS = r" ?[^\s\p{L}\p{N}]+[\r\n]*"
_WHITE = r"\s*[\r\n]+|\s+(?!\S)|\s+"
_SMALL, _CAPITAL = r"(?:(?=\p{L})[^A-Z])", r"(?:(?=\p{L})[^a-z])"
_ASCII_SIGNS = r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~]"
_CHINESE = "[一-龥぀-ゟ゠-ヿ]+"

_GPT2 = PRETOKENIZERS["gpt2"].pattern
_LLAMA3 = rf"{_CONTRACTION}|{_WORD}|\p{{N}}{{1,3}}|{_SIGNS}|{_WHITE}"
_QWEN2 = rf"{_CONTRACTION}|{_WORD}|\p{{N}}|{_SIGNS}|{_WHITE}"
_BLOOM = r" ?[^(\s|.,!?…。，、।۔،)]+"


def _by_case(ending: str, digits: str) -> str:
    """Return the pattern of GPT-4o's kind. `ending`: a pattern for what may end a word."""
    lead = r"[^\r\n\p{L}\p{N}]?"
    words = rf"{lead}{_CAPITAL}*{_SMALL}+{ending}|{lead}{_CAPITAL}+{_SMALL}*{ending}"
    return rf"{words}|{digits}| ?[^\s\p{{L}}\p{{N}}]+[\r\n/]*|{_WHITE}"


class Split(NamedTuple):
    """A way to split.

    `names`: its names in files. `patterns`: see the module. `whole_words`: whether a pretoken that is a token becomes
    that token without merges. `add_bos`: whether BOS comes before a text if the file does not say so.
    """

    names: tuple[str, ...]
    patterns: tuple[str, ...]
    whole_words: bool = False
    add_bos: bool = False


_LLAMA3_NAMES = (
    "llama3",
    "llama-v3",
    "llama-bpe",
    "falcon3",
    "falcon-h1",
    "pixtral",
    "midm-2.0",
    "lfm2",
    "jina-v5-nano",
)
_GPT2_NAMES = (
    *("gpt-2", "phi-2", "jina-es", "jina-de", "gigachat", "jina-v2-es", "jina-v2-de", "a.x-4.0", "mellum"),
    *("modern-bert", "jina-v1-en", "jina-v2-code", "roberta-bpe", "mpt", "olmo", "jais", "exaone4", "trillion"),
    "granite-docling",
)
_QWEN2_NAMES = (
    *("qwen2", "deepseek-r1-qwen", "kormo", "f2llmv2", "megrez", "stablelm2", "hunyuan", "solar-open", "grok-2"),
)
_DIGITS_FIRST = ("starcoder", "refact", "command-r", "smollm", "codeshell", "exaone", "minerva-7b", "mellum2")

SPLITS = (
    Split(_GPT2_NAMES, (_GPT2,)),
    Split(_LLAMA3_NAMES, (_LLAMA3,), whole_words=True, add_bos=True),
    Split(("dbrx", "smaug-bpe", "glm4", "chatglm-bpe"), (_LLAMA3,)),
    Split(_QWEN2_NAMES, (_QWEN2,)),
    Split(
        ("qwen35",),
        (
            rf"{_CONTRACTION}|[^\r\n\p{{L}}\p{{N}}]?[\p{{L}}\p{{M}}]+|\p{{N}}"
            rf"| ?[^\s\p{{L}}\p{{M}}\p{{N}}]+[\r\n]*|{_WHITE}",
        ),
    ),
    Split(("ufakzeka",), (rf"{_WORD}|\p{{N}}|{_SIGNS}|{_WHITE}",)),
    Split(_DIGITS_FIRST, (r"\p{N}", _GPT2)),
    Split(
        ("default",),
        (r"[\p{P}\$\+<=>\^~\|]+", _GPT2, r"\p{N}+", "[0-9][0-9][0-9]"),
    ),
    Split(("falcon",), (r"[\p{P}\$\+<=>\^~\|`]+", _GPT2, "[0-9][0-9][0-9]")),
    Split(("gpt-4o", "llama4", "kanana2", "talkie", "minimax-m2"), (_by_case(f"{_CONTRACTION}?", r"\p{N}{1,3}"),)),
    Split(("tekken",), (_by_case("", r"\p{N}"),), whole_words=True, add_bos=True),
    Split(
        ("deepseek-v3", "hunyuan-dense", "joyai-llm", "hy_v4"),
        (
            r"\p{N}{1,3}",
            _CHINESE,
            rf"{_ASCII_SIGNS}[A-Za-z]+|[^\r\n\p{{L}}\p{{P}}\p{{S}}]?[\p{{L}}\p{{M}}]+"
            rf"| ?[\p{{P}}\p{{S}}]+[\r\n]*|{_WHITE}",
        ),
    ),
    Split(
        ("deepseek-coder",),
        (r"[\r\n]", r"\s?\p{L}+", r"\s?\p{P}+", "[一-龥ࠀ-一가-\ud7ff]+", r"\p{N}"),
    ),
    Split(("poro-chat", "bloom", "gpt3-finnish"), (_BLOOM,)),
    Split(("viking",), (_BLOOM, r"\p{N}")),
    Split(
        ("bailingmoe", "bailingmoe2", "llada-moe"),
        (
            rf"'(?:[sSdDmMtT]|[lL][lL]|[vV][eE]|[rR][eE])|{_WORD}|\p{{N}}|{_SIGNS}"
            r"|\s*[\r\n]|\s+(?!\S)|\s+",
        ),
    ),
    Split(("seed-coder",), (rf"{_CONTRACTION}|{_WORD}|\p{{N}}| ?[^\s\p{{L}}\p{{N}}\r\n]+|{_WHITE}",)),
    Split(("laguna",), (r"[^\n]+|[\n]+", _QWEN2)),
    Split(
        ("exaone-moe",),
        (
            rf"{_CONTRACTION}|[^\r\n\p{{L}}\p{{N}}]?(?:\p{{L}}\p{{M}}*(?: \p{{L}}\p{{M}}*)*)+|\p{{N}}"
            r"| ?[^\s\p{L}\p{N}]+[\r\n/]?|\s*[\r\n]|\s+(?!\S)|\s+",
        ),
    ),
    Split(("minicpm5",), (r"\p{N}{1,3}", _LLAMA3.replace("{1,3}", "+")), whole_words=True),
)
"""All ways to split that are read."""

NAMED: Mapping[str, Split] = {name: split for split in SPLITS for name in split.names}


def split_named(name: str) -> Split:
    """Return the split of a name; `FormatError` if there is none.

    >>> split_named("falcon3").whole_words
    True
    """
    if not name:
        raise FormatError(
            "the GGUF does not say how text is split: it has no tokenizer.ggml.pre, and llama.cpp warns that such a "
            "model answers worse; convert the model anew"
        )
    found = NAMED.get(name)
    if found is None:
        raise FormatError(f"the GGUF splits text in the way {name!r:.60} (tokenizer.ggml.pre), which is not known here")
    return found
