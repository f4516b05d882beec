r"""How llama.cpp splits a text before the merges, by the name that a GGUF has as `tokenizer.ggml.pre`.

Each split is a row with its names, its patterns and what else llama.cpp takes from the name. The facts are those of
https://github.com/ggml-org/llama.cpp, as llama-cpp-python 0.3.36 has it: in `src/llama-vocab.cpp`, `llm_tokenizer_bpe`
has the patterns and `llama_vocab::impl::load` the names; `src/unicode.cpp` has what takes a pattern's place. The first
pattern cuts the text into its matches and what is between them; each further pattern cuts those parts again, and does
not see beyond a part. All parts are pretokens.

Where llama.cpp splits otherwise than the model's own tokenizer, it is llama.cpp that a row follows:

- a contraction of capitals is written out, as in `'[sS]`: `'ſ` is none, which `(?i:'s)` takes for one;
- in the splits of GPT-4o and of Mistral's Tekken, only `a` to `z` and `A` to `Z` have a case, and a mark such as an
  accent is no part of a word: `écoleÉcole` is one pretoken, where GPT-4o has two;
- in the splits of Youtu, Tiny Aya and Kimi K2 no letter has a case: `oneTwo` is one pretoken, where theirs are two.

`whitespace` is not here: it normalizes the text in a way of its own. Three names come from changes that are proposed or
discussed in llama.cpp: `sophia` splits nothing (pull request 29211); `domyn-small` splits as `minerva-7b`, with `▁` for
a space (23343); `lfm2.5` is the pattern of LFM2.5's own file (23826), whose published GGUFs say `lfm2`, and llama.cpp
splits them so. Kimi K3 has the vocabulary and the split of Kimi K2.
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
_LEAD, _SIGNS_OR_SLASHES = r"[^\r\n\p{L}\p{N}]?", r" ?[^\s\p{L}\p{N}]+[\r\n/]*"
_ASCII_SIGNS = r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~]"
_CHINESE = "[一-龥぀-ゟ゠-ヿ]+"
_CASED = (  # the letters that have a case, as DeepSeek lists them
    "A-Za-z\u00b5\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u01ba\u01bc-\u01bf\u01c4-\u0293\u0295-\u02af"
    "\u0370-\u0373\u0376\u0377\u037b-\u037d\u037f\u0386\u0388-\u038a\u038c\u038e-\u03a1\u03a3-\u03f5"
    "\u03f7-\u0481\u048a-\u052f\u0531-\u0556\u10a0-\u10c5\u13a0-\u13f5\u13f8-\u13fd\u1c90-\u1cba"
    "\u1cbd-\u1cbf\u1d00-\u1d2b\u1d6b-\u1d77\u1d79-\u1d9a\u1e00-\u1f15\u1f18-\u1f1d\u1f20-\u1f45"
    "\u1f48-\u1f4d\u1f50-\u1f57\u1f59\u1f5b\u1f5d\u1f5f-\u1f7d\u1f80-\u1fb4\u1fb6-\u1fbc\u1fbe"
    "\u1fc2-\u1fc4\u1fc6-\u1fcc\u1fd0-\u1fd3\u1fd6-\u1fdb\u1fe0-\u1fec\u1ff2-\u1ff4\u1ff6-\u1ffc\u2102"
    "\u2107\u210a-\u2113\u2115\u2119-\u211d\u2124\u2126\u2128\u212a-\u212d\u212f-\u2134\u2139"
    "\u213c-\u213f\u2145-\u2149\u214e\u2183\u2184\u2c00-\u2c7b\u2c7e-\u2ce4\u2ceb-\u2cee\u2cf2\u2cf3"
    "\ua640-\ua66d\ua680-\ua69b\ua722-\ua76f\ua771-\ua787\ua78b-\ua78e\uab70-\uabbf\ufb00-\ufb06"
    "\ufb13-\ufb17\uff21-\uff3a\uff41-\uff5a\U00010400-\U0001044f\U000104b0-\U000104d3"
    "\U000104d8-\U000104fb\U00010c80-\U00010cb2\U00010cc0-\U00010cf2\U000118a0-\U000118df"
    "\U0001e900-\U0001e943"
)
_ASIAN = (
    "\u4e00-\u9fff\u3400-\u4dbf\u8c48-\ufaff\u3040-\u309f\u30a0-\u30ff\uff65-\uff9f\u2f00-\u2fdf"
    "\u0e40-\u0e7f\u0e80-\u0eff\u1780-\u17ff\u1000-\u109f\uaa60-\uaa7f\ua9e0-\ua9ff\uac00-\ud7af"
    "\u1100-\u11ff"
)
_HAN = (
    "\u4e00-\u9fff\u3400-\u4dbf\U00020000-\U0002a6df\U0002a700-\U0002b73f\U0002b740-\U0002b81f"
    "\U0002b820-\U0002ebef\uf900-\ufaff\U0002f800-\U0002fa1f"
)
# Numbers in threes, counted from the right; the first three of a number stay with the text before them.
_THREES = (
    r"\P{N}*\p{N}+",
    r"\A\P{N}*(?:\p{N}{1,2}(?=(?:\p{N}{3})*(?!\p{N}))|\p{N}{3})",
    r"\A\P{N}+\p{N}*|\p{N}{3}",
)

_GPT2 = PRETOKENIZERS["gpt2"].pattern
_LLAMA3 = rf"{_CONTRACTION}|{_WORD}|\p{{N}}{{1,3}}|{_SIGNS}|{_WHITE}"
_QWEN2 = rf"{_CONTRACTION}|{_WORD}|\p{{N}}|{_SIGNS}|{_WHITE}"
_DEEPSEEK = rf"{_ASCII_SIGNS}[A-Za-z]+|[^\r\n\p{{L}}\p{{P}}\p{{S}}]?[\p{{L}}\p{{M}}]+| ?[\p{{P}}\p{{S}}]+"
_BLOOM = r" ?[^(\s|.,!?…。，、।۔،)]+"


def _by_case(ending: str, digits: str, letters: str = r"\p{L}") -> str:
    """Return the pattern of GPT-4o's kind. `ending`, `letters`: patterns for the end and the letters of a word."""
    small, capital = rf"(?:(?=[{letters}])[^A-Z])", rf"(?:(?=[{letters}])[^a-z])"
    words = rf"{_LEAD}{capital}*{small}+{ending}|{_LEAD}{capital}+{small}*{ending}"
    return rf"{words}|{digits}|{_SIGNS_OR_SLASHES}|{_WHITE}"


def _without_case(digits: str) -> str:
    """Return a pattern of GPT-4o's kind in which no letter has a case, and a mark is a part of a word."""
    return rf"{_LEAD}[\p{{L}}\p{{M}}]+{_CONTRACTION}?|{digits}|{_SIGNS_OR_SLASHES}|{_WHITE}"


class Split(NamedTuple):
    """A way to split.

    `names`: its names in files. `patterns`: see the module. `whole_words`: whether a pretoken that is a token becomes
    that token without merges. `add_bos`: whether BOS comes before a text if the file does not say so. `characters`:
    whether tokens are made of characters, with `▁` for a space, and not of bytes.
    """

    names: tuple[str, ...]
    patterns: tuple[str, ...]
    whole_words: bool = False
    add_bos: bool = False
    characters: bool = False


_RUNS = (512, 256, 128, 64, 32, 16, 8, 4, "1,2", 1)  # of white space, in Jais 2
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
    Split(("dbrx", "smaug-bpe", "chatglm-bpe"), (_LLAMA3,)),
    Split(("glm4", "glm5"), (_LLAMA3,), whole_words=True),
    Split(("jais-2",), (_LLAMA3.replace(r"\s+(?!\S)|\s+", "|".join([*(rf"\s{{{n}}}(?!\S)" for n in _RUNS), r"\s"])),)),
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
            rf"{_DEEPSEEK}[\r\n]*|{_WHITE}",
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
    Split(
        ("deepseek-llm",),
        (
            r"[\r\n]",
            rf"\s?[{_CASED}]+",
            r"\s?[!-/:-~！-／：-～‘-‟、。]+",
            r"\s+(?![\s\S])",
            "[一-龥ࠀ-一가-\ud7ff]+",
            r"\p{N}+",
        ),
    ),
    Split(("spark2_5",), (r"\p{N}{1,3}", _CHINESE, rf"{_DEEPSEEK}|[\r\n]|\s+(?!\S)|\s+", r"\p{N}")),
    Split(("afmoe",), (*_THREES, f"[{_ASIAN}]+", rf"{_DEEPSEEK}[\r\n]*|{_WHITE}")),
    Split(("tiny_aya", "cohere2moe"), (*_THREES, _without_case(r"\p{N}{1,3}"))),
    Split(
        ("youtu",),
        ("[가-힣ㄱ-ㆎ]+|[！…“”‘’—：；，、-〿︰-﹏]+|[ㄅ-ㄯ]+|[一-龥぀-ゟ゠-ヿ]+", _without_case(r"\p{N}")),
        whole_words=True,
    ),
    Split(
        ("granite-embed-multi-97m",), (_by_case(f"{_CONTRACTION}?", r"\p{N}{1,3}", r"\p{L}\p{M}"),), whole_words=True
    ),
    Split(
        ("kimi-k2", "kimi-k3"),
        (rf"[{_HAN}]+|{_LEAD}(?:(?![{_HAN}])\p{{L}})+{_CONTRACTION}?|\p{{N}}{{1,3}}|{_SIGNS}|{_WHITE}",),
    ),
    Split(
        ("lfm2.5",),
        (_LLAMA3.replace(r"\s*[\r\n]+|\s+(?!\S)|\s+", r"\s*[\r\n]|\s+(?!\S)|\s"),),
        whole_words=True,
        add_bos=True,
    ),
    Split(("sophia",), (r"[\s\S]+",)),
    Split(("domyn-small",), (r"\p{N}", _GPT2), characters=True),
    Split(("superbpe",), (r"\p{N}+", r"(?=(?:[0-9]{3})+(?![0-9]))")),
    Split(
        ("chameleon",),
        (
            "<sentinel:[0-9]+>",
            "IMGIMG[A-I]{1,4}Z",
            r"[\t\n]|    |  ",
            r"\p{N}",
            r"[\p{P}!-/:-@\[-`{-~]",
            _GPT2,
        ),
        add_bos=True,
    ),
    Split(("gemma4", "granite-embed-multi-311m"), (r"[^\n]+|\n+",), add_bos=True, characters=True),
    Split(("sarvam-moe",), (r"[^\n]+|\n+",), characters=True),
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
            "model answers worse; convert the model anew, or choose a pretokenizer"
        )
    found = NAMED.get(name)
    if found is None:
        raise FormatError(f"the GGUF splits text in the way {name!r:.60} (tokenizer.ggml.pre), which is not known here")
    return found
