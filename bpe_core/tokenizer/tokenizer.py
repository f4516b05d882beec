"""A tokenizer: encodes text with a vocabulary and its merges, and decodes ids.

Merges apply in the order in which they were learnt. So the same merges make a token wherever the token is in a text.
That is why the ids of a text are enough to know at which step each boundary in the text fell (`Encoding.merged_at`).
The tokens of every smaller vocabulary follow from these steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property

from bpe_core import arguments, shortcuts
from bpe_core.corpus.text_files import OneText, whole_text
from bpe_core.text.alphabet import encode_text
from bpe_core.text.rules import Pretokenizer
from bpe_core.text.special_tokens import pattern_of
from bpe_core.tokenizer import streaming
from bpe_core.tokenizer.assumptions import SPLIT_IS_ASSUMED
from bpe_core.tokenizer.checks import Specials, each_whole_number, recognised, several, whole_numbers
from bpe_core.tokenizer.encoding import NOTHING, Around, Encoding, TwoTexts
from bpe_core.tokenizer.merging import IdMerge
from bpe_core.tokenizer.model_kinds import ModelKind
from bpe_core.tokenizer.read_only import ReadOnly
from bpe_core.tokenizer.text_pipeline import TextPipeline
from bpe_core.tokenizer.vocabulary import ADDED as ADDED
from bpe_core.tokenizer.vocabulary import BYTE as BYTE
from bpe_core.tokenizer.vocabulary import WITHIN as WITHIN
from bpe_core.tokenizer.vocabulary import Vocabulary
from bpe_core.tokenizer.word_encoder import WordEncoder

TO_ENCODE = "a text to encode"  # in an error
_TAKES_TOKENS = "token_to_id gives the id of a token"


def _read_each(given: list[OneText]) -> list[str]:
    """Return the texts of a batch; those of files are read."""
    return [whole_text(text, TO_ENCODE) for text in given]


@dataclass(frozen=True, repr=False)
class Tokenizer:
    """Encodes text with a vocabulary, and decodes ids.

    The name of a special token in a text is recognised only if the caller says so, since the text may be a stranger's:
    with `specials=True` the name is one token, with `specials=False` it is text like any other. If `specials` is not
    given, a text that has such a name raises `SpecialTokenError`. With a set, such as `specials={"<|im_start|>"}`, the
    names in it are tokens, and a text that has another one is refused.

    The name of an added token, such as Qwen's `<think>`, is always that token. Even with `skip_special_tokens`,
    decoding keeps added tokens, since in a model's answer they are for the reader. Hugging Face's library does the
    same.

    Ids are of the text alone. `add_special_tokens=True` adds the ids in `around` before and after the ids of the text.
    The ids in `around` are the special tokens that the tokenizer's file adds to a text for its model, such as `[CLS]`
    and `[SEP]`. Many files add nothing.

    What the project itself needs of a tokenizer is in its `vocabulary` and its `pipeline`.

    Threads can share a tokenizer. To encode many short texts, `ids_batch` is the fastest.

    `tokens`: bytes by id, empty where an id has no token. `merges`: (left id, right id, new id), the first learnt
    first. `special_tokens`: name → id. `normalizers`: keys of `NORMALIZERS`, applied to the text between special
    tokens.

    The other fields are for vocabularies from other programs:
    - `prefix_space`: whether a space is put before a text that does not begin with a space, and before such a text
      after a special token.
    - `whole_words`: whether a pretoken that is itself a token becomes that token, without merging.
    - `shared_ranks`: whether all merges that make the same token have one rank.
    - `symbols`: the base symbols, bytes → id; None if they are the tokens that no merge makes.
    - `byte_ids`: the ids of the 256 byte values, or empty. A character that is no base symbol is written with the ids
      of its bytes. A byte without an id has `UNKNOWN`; a character with such a byte is unknown.
    - `unknown_id`: the id of the token for text that the vocabulary cannot write, such as `[UNK]`; None if such text
      has the id `UNKNOWN`.
    - `kinds`: the kinds of some tokens, by id. The name of an `ADDED` token is always that token, and decoding keeps
      it. A `BYTE` token is a byte of a character that the vocabulary lacks. A `WITHIN` token does not start a word.
    - `around`: the ids that `add_special_tokens` adds before and after a text.
    - `around_two`: what a file has around and between two texts (see `TwoTexts`); empty if it says nothing of its own.
    - `model`: how tokens are found: "BPE" or another `ModelKind`.
    - `scores`: the score of each token of a Unigram model, by id.
    - `by_rank`: see `Vocabulary`.
    - `roles`: the name of the token for each role that the files know, such as "eos_token", for a chat template.
    - `assumptions`: a sentence for each thing that is assumed because the files do not say it, and for each thing that
      they say and that is not done.
    - `recognised`: the title of the published vocabulary whose merges the files have; "" if they say what they are.

    >>> from bpe_core import Settings, train
    >>> tok = train("hug hug pug", Settings(vocab_size=258)).tokenizer()
    >>> tok.encode("hugs").tokens
    (b'hug', b's')
    >>> tok.decode(tok.encode("a bug").ids)
    'a bug'
    >>> tok.token_bytes(257), tok.origin(257), tok.vocab_size
    (b'hug', (104, 256, 2), 258)
    >>> chat = tok.with_special_tokens("<|end|>")
    >>> chat.ids("hug<|end|>", specials=True), chat.decode([257, 258], skip_special_tokens=True)
    ([257, 258], 'hug')
    >>> chat.ids("hug<|end|>")
    Traceback (most recent call last):
        ...
    bpe_core.tokenizer.checks.SpecialTokenError: the text has the special token '<|end|>' at character 3; \
say specials=True to make it one token, or specials=False to read it as text
    """

    tokens: tuple[bytes, ...]
    merges: Sequence[IdMerge]
    pretokenizer: Pretokenizer
    alphabet: str = "bytes"
    word_marker: str = "none"
    special_tokens: Mapping[str, int] = field(default_factory=dict)
    normalizers: tuple[str, ...] = ()
    prefix_space: bool = False
    whole_words: bool = False
    shared_ranks: bool = False
    symbols: Mapping[bytes, int] | None = None
    byte_ids: tuple[int, ...] = ()
    unknown_id: int | None = None
    kinds: Mapping[int, str] = field(default_factory=dict)
    around: Around = NOTHING
    model: ModelKind = field(default=ModelKind.BPE, kw_only=True)
    scores: Mapping[int, float] = field(default_factory=dict, kw_only=True)
    around_two: TwoTexts = field(default=(), kw_only=True, compare=False)
    by_rank: bool = field(default=False, kw_only=True, compare=False)
    roles: Mapping[str, str] = field(default_factory=dict, kw_only=True, compare=False)
    assumptions: tuple[str, ...] = field(default=(), kw_only=True, compare=False)
    recognised: str = field(default="", kw_only=True, compare=False)

    # A `LibraryTokenizer` has other values for these three, and explains them. They are no fields, so that `replace`
    # does not copy `content`, the file that was opened.
    needs_library = False
    content = b""
    merges_alone = True

    def __post_init__(self) -> None:
        """Make the dictionaries read-only: all who load a published vocabulary share one tokenizer."""
        if not isinstance(self.pretokenizer, Pretokenizer):
            name = f"{self.pretokenizer!r:.40}"
            raise TypeError(f"a pretokenizer is a row of PRETOKENIZERS, such as PRETOKENIZERS['gpt2'], and no {name}")
        for part in fields(self):
            if type(value := getattr(self, part.name)) is dict:
                object.__setattr__(self, part.name, ReadOnly(value))

    def __repr__(self) -> str:
        """Return the number of tokens, and what is assumed about them; the tables are too long to print."""
        known = f", {self.recognised}" if self.recognised else ""
        return f"<Tokenizer of {len(self)} tokens{known}{': ' if self.assumptions else ''}{' '.join(self.assumptions)}>"

    @property
    def split_is_assumed(self) -> bool:
        """Whether the files do not say for certain how text is split, so that a caller may choose a split.

        >>> from bpe_core import loads
        >>> tok = loads({"vocab.json": b'{"h": 0, "u": 1, "hu": 2}', "merges.txt": b"h u\\n"})
        >>> tok.split_is_assumed, tok.assumptions
        (True, ('The files do not say how text is split: GPT-2’s split is assumed.',))
        """
        return any(SPLIT_IS_ASSUMED in sentence for sentence in self.assumptions)

    _repr_html_ = shortcuts.in_notebook

    def __len__(self) -> int:
        """Return how many tokens there are, special ones included."""
        return self.vocabulary.size

    def __hash__(self) -> int:
        """Return a number that equal tokenizers share. The tables are too long to be part of the hash."""
        return hash((type(self), len(self.tokens), len(self.merges), self.alphabet, self.normalizers))

    def encode(
        self, text: OneText, *, specials: Specials = None, longest: bool = False, add_special_tokens: bool = False
    ) -> Encoding:
        """Return the tokens of `text`; `specials` and `add_special_tokens` are explained at the class.

        With `longest` on, the text becomes the longest tokens that fit, from left to right, instead of being merged in
        the order learnt.

        `text`: a str, or the `Path` of a file. Nothing is computed before it is used. The ids of a short text take
        hardly longer than with `ids`; its tokens, spans and all else take about ten times as long, since they come with
        the step of every merge. In a loop that only needs ids, use `ids` or `ids_batch`.

        A lone surrogate is encoded as its three bytes. tiktoken encodes U+FFFD instead, and joins two surrogates that
        are the halves of a character; tokenizers raises a `TypeError`.
        """
        text = whole_text(text, TO_ENCODE)
        return Encoding(self, text, self._recognised(text, specials), longest, self._added(add_special_tokens))

    def ids(self, text: OneText, *, specials: Specials = None, add_special_tokens: bool = False) -> list[int]:
        """Return the ids of a text; faster than `encode`. A character that the vocabulary lacks has `UNKNOWN`, -1.

        >>> from bpe_core import Settings, train
        >>> train("hug hug pug", Settings(vocab_size=258)).tokenizer().ids("hug pug")
        [257, 32, 112, 256]
        >>> from bpe_core import load
        >>> load("bert").ids("hello", add_special_tokens=True)
        [101, 7592, 102]
        """
        text = text if isinstance(text, str) else whole_text(text, TO_ENCODE)
        ids = self.pipeline.ids(text, self._recognised(text, specials))
        return self.around.put(ids) if add_special_tokens else ids

    def count(self, text: OneText, *, specials: Specials = None) -> int:
        """Return how many tokens a text has.

        >>> from bpe_core import load
        >>> load("gpt-4o").count("How many tokens is this?")
        6
        """
        return len(self.ids(text, specials=specials))

    def encode_batch(
        self, texts: Iterable[OneText], *, specials: Specials = None, add_special_tokens: bool = False
    ) -> list[Encoding]:
        """Return the tokens of each of many texts. Ids are computed now, and everything else at first use.

        >>> from bpe_core import load
        >>> load("gpt2").encode_batch(["Hello", "world"])
        [Encoding(1 token: 'Hello'·15496), Encoding(1 token: 'world'·6894)]
        """
        given = _read_each(several(texts, "encode_batch", "encode"))
        encodings = [self.encode(text, specials=specials, add_special_tokens=add_special_tokens) for text in given]
        # `encode` has refused what `specials` does not allow; a bool says the rest
        batch = self.ids_batch(given, specials=bool(specials), add_special_tokens=add_special_tokens)
        for encoding, ids in zip(encodings, batch, strict=True):
            encoding.__dict__["ids"] = tuple(ids)
        return encodings

    def ids_batch(
        self, texts: Iterable[OneText], *, specials: Specials = None, add_special_tokens: bool = False
    ) -> list[list[int]]:
        """Return the ids of each of many texts.

        >>> from bpe_core import Settings, train
        >>> train("hug hug pug", Settings(vocab_size=258)).tokenizer().ids_batch(["hug", "", "pug"])
        [[257], [], [112, 256]]
        """
        batch = self._ids_of_each(_read_each(several(texts, "ids_batch", "ids")), specials)
        return [*map(self.around.put, batch)] if add_special_tokens else batch

    def _ids_of_each(self, texts: Sequence[str], specials: Specials) -> list[list[int]]:
        for text in () if isinstance(specials, bool) else texts:
            self._recognised(text, specials)
        return self.pipeline.ids_of_each(texts, bool(specials))

    def _added(self, add_special_tokens: bool) -> Around:
        return self.around if add_special_tokens else NOTHING

    def _recognised(self, text: str, specials: Specials) -> bool:
        """Return whether names of special tokens in `text` are tokens: see `checks.recognised`."""
        if isinstance(specials, bool):
            return specials
        if specials is None and not (self._finds_names and self._finds_names(text)):
            return False
        return recognised(text, self._special_names, specials, self.special_tokens)

    @cached_property
    def _finds_names(self) -> Callable[[str], object] | None:
        """Whether a text has one of `_special_names`, as a function; None if there are none."""
        return pattern_of(self._special_names).search if self._special_names else None

    @cached_property
    def _special_names(self) -> tuple[str, ...]:
        """The names of all special tokens but the added tokens: these names are tokens only if the caller says so."""
        return tuple(name for name, i in self.special_tokens.items() if i not in self.vocabulary.added)

    def decode(self, ids: Iterable[int], *, skip_special_tokens: bool = False) -> str:
        """Return the text of `ids`. If the text was normalized, this is the normalized text.

        Bytes that are no UTF-8 become U+FFFD, and an unknown character becomes `<unk>`. A lone surrogate is no UTF-8
        either: its three bytes become three U+FFFD, as in tiktoken. A word marker becomes a space if the pretokenizer
        drops white space, and nothing otherwise. Raises `ValueError` for an id that the vocabulary does not have.
        """
        return self.decode_bytes(ids, skip_special_tokens=skip_special_tokens).decode("utf-8", "replace")

    def decode_bytes(self, ids: Iterable[int], *, skip_special_tokens: bool = False) -> bytes:
        """Return the bytes of `ids`. They are not UTF-8 if the first or the last id is a part of a character.

        >>> from bpe_core import load
        >>> tok = load("gpt2")
        >>> tok.decode_bytes(tok.ids("🦜")[:1]), tok.decode(tok.ids("🦜"))
        (b'\\xf0\\x9f', '🦜')
        """
        numbers = self._numbers(ids, skip_special_tokens)
        try:
            return self.pipeline.bytes_of(self.vocabulary.joined(numbers))
        except LookupError:
            return self.pipeline.bytes_of(map(self.token_bytes, numbers))  # says which id has no token

    def decode_batch(self, batch: Iterable[Iterable[int]], *, skip_special_tokens: bool = False) -> list[str]:
        """Return the text of each of many lists of ids.

        >>> from bpe_core import load
        >>> load("gpt2").decode_batch([[15496], [995]])
        ['Hello', ' world']
        """
        return [
            self.decode(ids, skip_special_tokens=skip_special_tokens)
            for ids in several(batch, "decode_batch", "decode")
        ]

    def decode_stream(self, ids: Iterable[int], *, skip_special_tokens: bool = False) -> Iterator[str]:
        """Yield the text of `ids` while they arrive, in whole characters. All parts together are what `decode` returns.

        No part ends within a character. The work grows like the number of ids. Where a file writes characters as bytes,
        such as `<0xF0>`, these come with the next token that is no byte.

        >>> from bpe_core import load
        >>> tok = load("gpt2")
        >>> list(tok.decode_stream(iter(tok.ids("A 🦜!"))))
        ['A', ' 🦜', '!']
        """
        numbers = each_whole_number(ids, self.vocab_size - 1)
        if skip_special_tokens:
            skipped = self.vocabulary.skipped
            numbers = (i for i in numbers if i not in skipped)
        return streaming.pieces(self._texts(numbers))

    def _texts(self, ids: Iterator[int]) -> Iterator[str]:
        """Yield the text that each id makes certain; all together are what `decode` returns."""
        return streaming.texts_of_bytes(self.pipeline.bytes_of_each(map(self.token_bytes, ids)))

    def _numbers(self, ids: Iterable[int], skip_special_tokens: bool) -> list[int]:
        """Return the ids to decode; `TypeError` if an id is not a whole number."""
        numbers = whole_numbers(ids, self.vocab_size - 1)
        skipped = self.vocabulary.skipped if skip_special_tokens else ()
        return [i for i in numbers if i not in skipped] if skipped else numbers

    def get_vocab(self) -> dict[bytes, int]:
        """Return token → id for all tokens, special tokens included, named as by `id_to_token`.

        >>> from bpe_core import load
        >>> load("gpt2").get_vocab()[b" the"]
        262
        """
        return dict(sorted(self.vocabulary.ids_of_names.items(), key=lambda row: row[1]))

    def token_to_id(self, token: str | bytes) -> int | None:
        """Return the id of a token, or of a special token's name; None if there is none.

        `id_to_token` returns this name for the id. If only bytes are given and two tokens have them, the token that
        begins a word is found, or the token that is a whole character. The other one is found by its name, such as
        `##s` or `<0x41>`.

        >>> from bpe_core import load
        >>> tok = load("gpt2")
        >>> tok.token_to_id(" the"), tok.token_to_id("<|endoftext|>"), tok.token_to_id("xyzzy")
        (262, 50256, None)
        >>> load("bert").token_to_id("s"), load("bert").token_to_id("##s")
        (1055, 2015)
        """
        if not isinstance(token, (str, bytes)):
            raise TypeError(f"a token is a str or bytes, and this is {type(token).__name__}; id_to_token takes an id")
        raw = encode_text(token) if isinstance(token, str) else token
        found = self.vocabulary.ids_of_names.get(raw)
        return self.vocabulary.ids_of_bytes.get(raw) if found is None else found

    def id_to_token(self, token_id: int) -> bytes | None:
        """Return a token, whose id `token_to_id` gives back; None for an id without a token.

        It is the token's bytes, with `##` before a token that continues a word, `</w>` after one that ends a word in a
        file that says so, and `<0x41>` for a byte of a character that the vocabulary lacks. Of tokens that would have
        one name, all but one have their id behind it, such as `a<id 7>`: see `Vocabulary.name`. `token_bytes` has the
        bytes alone, and raises an error for an id without a token.

        >>> from bpe_core import load
        >>> load("gpt2").id_to_token(262), load("gpt2").id_to_token(60000), load("bert").id_to_token(2015)
        (b' the', None, b'##s')
        """
        try:
            return self.vocabulary.name(arguments.whole(token_id, "an id", _TAKES_TOKENS))
        except ValueError:
            return None

    def with_special_tokens(self, *names: str) -> Tokenizer:
        """Return a tokenizer with more special tokens, which get the next free ids.

        Raises `ValueError` for an empty name, and for the name of an ordinary token.

        >>> from bpe_core import load
        >>> load("gpt2").with_special_tokens("<|user|>").ids("<|user|>", specials=True)
        [50257]
        """
        for name in names:
            if not isinstance(name, str) or not name:
                raise ValueError(f"a special token is a text that is not empty, and this is {name!r:.60}")
            if name not in self.special_tokens and self.token_to_id(name) is not None:
                raise ValueError(f"{name!r:.60} is an ordinary token, with id {self.token_to_id(name)}")
        first = self.vocab_size
        new = [name for name in dict.fromkeys(names) if name not in self.special_tokens]
        return replace(self, special_tokens={**self.special_tokens, **{name: first + i for i, name in enumerate(new)}})

    save = shortcuts.save_tokenizer
    apply_chat_template = shortcuts.apply_chat_template
    apply_chat_template_batch = shortcuts.apply_chat_template_batch
    requests, tool_costs = shortcuts.tokenizer_requests, shortcuts.tokenizer_tool_costs
    cuts, ways = shortcuts.tokenizer_cuts, shortcuts.tokenizer_ways
    drift, arrivals = shortcuts.tokenizer_drift, shortcuts.tokenizer_arrivals
    savings, notations = shortcuts.tokenizer_savings, shortcuts.tokenizer_notations

    def encode_word(self, word: str) -> tuple[int, ...]:
        """Return the ids of one pretoken.

        >>> from bpe_core import Settings, train
        >>> train("hug hug pug", Settings(vocab_size=258)).tokenizer(1).encode_word("pug")
        (112, 256)
        """
        return self.pipeline.encoder.encode(arguments.text(word, "a pretoken"))

    @property
    def vocab_size(self) -> int:
        """One more than the largest id, special tokens included: a model has this number of rows for its tokens.

        This is what `vocab_size` means in `Settings` and `Run` too. Where ids have gaps, there are fewer tokens: `len`.

        >>> from bpe_core import load
        >>> load("gpt-4o").vocab_size, len(load("gpt-4o"))
        (200019, 200000)
        """
        return self.vocabulary.id_space

    @property
    def n_vocab(self) -> int:
        """Tiktoken's name of `vocab_size`."""
        return self.vocab_size

    def token_bytes(self, token_id: int) -> bytes:
        """Return the bytes of any token, even a special or unknown token; `ValueError` for an id without a token."""
        return self.vocabulary.token_bytes(arguments.whole(token_id, "an id", _TAKES_TOKENS))

    def origin(self, token_id: int) -> tuple[int, int, int] | None:
        """Return (left id, right id, step) of the merge that makes a token; None for a token that no merge makes.

        Raises `ValueError` for an id without a token.
        """
        self.token_bytes(token_id)
        made = self.vocabulary.made(token_id)
        return made.last if made else None

    def inside(self, token_id: int) -> tuple[int, ...]:
        """Return the steps at which the boundaries inside a token fell, from left to right.

        No boundary fell after the step that made the token. Raises `ValueError` for an id without a token.

        >>> from bpe_core import Settings, train
        >>> train("hug hug pug", Settings(vocab_size=258)).tokenizer().inside(257)
        (2, 1)
        """
        self.token_bytes(token_id)
        made = self.vocabulary.made(token_id)
        return made.inside if made else ()

    def step_of(self, left: int, right: int) -> int | None:
        """Return the step that joins two tokens; None if no merge joins them."""
        ids = (arguments.whole(token_id, "an id", _TAKES_TOKENS) for token_id in (left, right))
        return self.vocabulary.step_of(*ids)

    def plain(self) -> Tokenizer:
        """Return a tokenizer that has the same ids for every text and needs no library: itself.

        One that only a library can encode with raises `MergesError`, which says why.
        """
        return self

    def without_library(self) -> Tokenizer:
        """Return a tokenizer that has the same vocabulary and needs no library: itself."""
        return self

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The tokens and the merges, and what follows from them. Each of its fields is also one of the tokenizer's."""
        own = {part.name for part in fields(self)}
        return Vocabulary(**{part.name: getattr(self, part.name) for part in fields(Vocabulary) if part.name in own})

    @cached_property
    def pipeline(self) -> TextPipeline:
        """The way from a text to its tokens."""
        encoder = WordEncoder(self.vocabulary, self.whole_words)
        return TextPipeline(encoder, self.pretokenizer, self.normalizers, self.prefix_space)
