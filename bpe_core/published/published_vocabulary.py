"""A published vocabulary, and how its table becomes a tokenizer. `rows` has all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import count, islice
from pathlib import Path
from threading import RLock
from typing import NamedTuple
from weakref import WeakValueDictionary

from bpe_core.models.wordpiece_tokenizer import CONTINUING, WordPieceTokenizer
from bpe_core.published.merge_table import read_merges, read_tokens
from bpe_core.text.pretokenizers import PRETOKENIZERS
from bpe_core.tokenizer.model_kinds import ModelKind
from bpe_core.tokenizer.post_processing import TEMPLATES
from bpe_core.tokenizer.read_only import ReadOnly
from bpe_core.tokenizer.tokenizer import ADDED, WITHIN, Tokenizer

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
      vocabulary (see `published.named`).
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

        >>> from bpe_core.published import PUBLISHED
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

        >>> from bpe_core.published import PUBLISHED
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

        >>> from bpe_core.published import PUBLISHED
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


def name_of(tokenizer: Tokenizer) -> str | None:
    """Return the key in `PUBLISHED` of a tokenizer that was loaded by its name and is in use; None for any other.

    >>> from bpe_core.published import PUBLISHED
    >>> name_of(PUBLISHED["gpt2"].load())
    'gpt2'
    """
    return next((name for name, kept in [*_in_use.items()] if kept == tokenizer), None)
