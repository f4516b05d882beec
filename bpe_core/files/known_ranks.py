"""What published rank files do not contain: how text is split, and the special tokens. A file is known by its sum.

A rank file has a line for each token: its bytes in base64, and its rank. The rest is in the publisher's source code, so
this table repeats it. The ranks themselves are in the chapter `published`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count

_END = "<|endoftext|>"


@dataclass(frozen=True)
class KnownRanks:
    """A published rank file: the SHA-256 of its content, and what it does not contain.

    `pretokenizer`: a key of `PRETOKENIZERS`. `normalizers`: keys of `NORMALIZERS`. OpenAI's sums and special tokens are
    from tiktoken's `openai_public.py`.
    """

    sha256: str
    pretokenizer: str
    special_tokens: Mapping[str, int]
    normalizers: tuple[str, ...] = ()


def _numbered(first: int, names: str) -> dict[str, int]:
    return dict(zip(names.split(), count(first), strict=False))


_LLAMA3 = _numbered(
    128000,
    "<|begin_of_text|> <|end_of_text|> <|reserved_special_token_0|> <|reserved_special_token_1|> "
    "<|finetune_right_pad_id|> <|step_id|> <|start_header_id|> <|end_header_id|> <|eom_id|> <|eot_id|> "
    "<|python_tag|> <|image|>",
)
_TEKKEN = _numbered(
    0,
    "<unk> <s> </s> [INST] [/INST] [AVAILABLE_TOOLS] [/AVAILABLE_TOOLS] [TOOL_RESULTS] [/TOOL_RESULTS] [TOOL_CALLS] "
    "[IMG] <pad> [IMG_BREAK] [IMG_END] [PREFIX] [MIDDLE] [SUFFIX] [SYSTEM_PROMPT] [/SYSTEM_PROMPT] [TOOL_CONTENT]",
)
_QWEN = _numbered(
    151643,
    "<|endoftext|> <|im_start|> <|im_end|> <|object_ref_start|> <|object_ref_end|> <|box_start|> <|box_end|> "
    "<|quad_start|> <|quad_end|> <|vision_start|> <|vision_end|> <|vision_pad|> <|image_pad|> <|video_pad|> "
    "<tool_call> </tool_call> <|fim_prefix|> <|fim_middle|> <|fim_suffix|> <|fim_pad|> <|repo_name|> <|file_sep|> "
    "<tool_response> </tool_response> <think> </think>",
)

KNOWN_RANKS: dict[str, KnownRanks] = {
    "o200k_base": KnownRanks(
        "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
        "o200k",
        {_END: 199999, "<|endofprompt|>": 200018},
    ),
    "cl100k_base": KnownRanks(
        "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
        "cl100k",
        _numbered(100257, "<|endoftext|> <|fim_prefix|> <|fim_middle|> <|fim_suffix|>") | {"<|endofprompt|>": 100276},
    ),
    "p50k_base": KnownRanks("94b5ca7dff4d00767bc256fdd1b27e5b17361d7b8a5f968547f9f23eb70d2069", "gpt2", {_END: 50256}),
    "gpt2": KnownRanks("306cd27f03c1a714eca7108e03d66b7dc042abe8c258b44c199a7ed9838dd930", "gpt2", {_END: 50256}),
    "qwen": KnownRanks("b2b1b8dfb5cc5f024bafc373121c6aba3f66f9a5a0269e243470a1de16a33186", "qwen", _QWEN, ("nfc",)),
    # Tekken's ranks are published as JSON; this is the sum of the same ranks as lines. An id is the rank plus 1,000.
    "tekken": KnownRanks(
        "64a081edb3cbb8639a4eea9a7135ab9a0467c50676c672b217ba655f4d50e127",
        "tekken",
        _TEKKEN | {f"<SPECIAL_{i}>": i for i in range(len(_TEKKEN), 1000)},
    ),
    "llama3": KnownRanks(
        "82e9d31979e92ab929cd544440f129d9ecd797b69e327f80f17e1c50d5551b55",
        "llama3",
        _LLAMA3 | {f"<|reserved_special_token_{i}|>": 128010 + i for i in range(2, 246)},
    ),
}


def known_by_sum(sha256: str) -> KnownRanks | None:
    """Return the published rank file with this sum, or None.

    >>> known_by_sum("94b5ca7dff4d00767bc256fdd1b27e5b17361d7b8a5f968547f9f23eb70d2069").pretokenizer
    'gpt2'
    """
    return next((row for row in KNOWN_RANKS.values() if row.sha256 == sha256), None)
