"""The vocabularies that pages offer. A published vocabulary is loaded once for all sessions. Nothing is drawn here."""

from __future__ import annotations

import gc
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from threading import Lock
from time import monotonic
from weakref import WeakKeyDictionary

from bpe_core import NORMALIZERS, UNKNOWN, Run, Tokenizer
from bpe_core.chat.given_template import template_of
from bpe_core.chat.templates import ChatError, ChatTemplate
from bpe_core.files import FormatError, hub
from bpe_core.files.belonging import parted, read_beside
from bpe_core.files.gguf_header import NOT_WHOLE
from bpe_core.files.reading import gc_paused
from bpe_core.files.recognition import part_of
from bpe_core.files.safely import FileLimits, open_safely
from bpe_core.files.signs import is_like_json
from bpe_core.files.tiktoken_ranks import known_ranks
from bpe_core.files.vocab_merges import class_is_unknown
from bpe_core.pictures.rows.rows_data import TokenizerRow
from bpe_core.pictures.shared.token_text import glyph_in
from bpe_core.published import PUBLISHED, PublishedError
from bpe_core.text.in_words import counted
from pages.parts.server.limits import LIMITS

RETRY_SECONDS = 60  # seconds from a failure to load a vocabulary to the next attempt
FILE_LIMITS = FileLimits(LIMITS.file_processes, LIMITS.file_process_mb << 20, LIMITS.file_seconds)
SENT = LIMITS.model_mb << 20  # bytes of a GGUF that a browser sends at most: `cutModels` in page.js
BEYOND = (
    f"the tokenizer of this GGUF is not in its first {LIMITS.model_mb} MB, and the browser sends no more. Write it out "
    "with mergescope convert model.gguf --out tokenizer.json, and open that file"
)


@dataclass(frozen=True, eq=False)
class PageVocabulary:
    """A tokenizer with all its merges, a title, and a sentence about the tokenizer.

    `run`: for a vocabulary that was trained here, the training's run. `content`: for a vocabulary from files, a key of
    the contents of the files. `chat_template`: the chat template in the files, if there is one. `why_no_template`: why
    the template in the files cannot be used; "" if it can, or if there is none.
    """

    name: str
    title: str
    about: str
    tokenizer: Tokenizer
    glyph: str = ""
    run: Run | None = None
    content: Hashable = None
    chat_template: ChatTemplate | None = None
    why_no_template: str = ""

    @property
    def steps(self) -> int:
        """The number of the tokenizer's merges."""
        return len(self.tokenizer.merges)

    def row(self, text: str, specials: bool = True, name: str = "") -> TokenizerRow:
        """Return a text's tokens as a row of the picture of rows. `name`: the row's name; "" for the title.

        Raise `PatternError` if the pattern takes too long.
        """
        walk = self.tokenizer.encode(text, specials=specials).walk
        return TokenizerRow(name or self.title, walk.tokens(self.steps), self.glyph)

    @property
    def example_ids(self) -> str:
        """Ids of a short text as a list, for an empty box that takes ids."""
        ids = self.tokenizer.ids("Hello world")
        return str([token_id for token_id in ids if token_id != UNKNOWN] or [0])


_locks = {name: Lock() for name in PUBLISHED}  # a lock for each, so a slow fetch delays no other vocabulary
_trained_lock = Lock()
_published: dict[str, Tokenizer] = {}
_refused: dict[str, tuple[float, PublishedError]] = {}
_trained: WeakKeyDictionary[Run, Tokenizer] = WeakKeyDictionary()


def is_loaded(name: str) -> bool:
    """Return whether `published(name)` is quick: it returns or raises without loading anything."""
    return name in _published or _refusal(name) is not None


def _refusal(name: str) -> PublishedError | None:
    since, error = _refused.get(name, (0.0, None))
    return error if error is not None and monotonic() - since < RETRY_SECONDS else None


def published(name: str) -> PageVocabulary:
    """Return a published vocabulary.

    Raise `PublishedError` if the vocabulary cannot be loaded. For the next `RETRY_SECONDS`, every call raises the same
    error and does not try to load the vocabulary.
    """
    refusal = _refusal(name)
    if refusal:
        raise refusal
    with _locks[name]:
        if name not in _published:
            try:
                with gc_paused():
                    _published[name] = PUBLISHED[name].load()
                gc.freeze()  # the collector need not look at a million lists that stay: all visitors would wait for it
            except PublishedError as error:
                _refused[name] = (monotonic(), error)
                raise
    tok, row = _published[name], PUBLISHED[name]
    about = f"{_about(tok, f': {row.about},')} {row.remark}".strip()
    return PageVocabulary(name, row.title, about, tok, glyph_in(tok.vocabulary))


def _about(tokenizer: Tokenizer, origin: str) -> str:
    """Return a sentence about a vocabulary. `origin`: the words that follow the number of tokens in the sentence."""
    specials, title = counted(len(tokenizer.special_tokens), "special token"), tokenizer.pretokenizer.title
    merges, model = len(tokenizer.merges), tokenizer.model
    how = f"{merges:,} merges" if model.has_merges else f"{model} without merges"
    known = f"; recognised as {tokenizer.recognised}" if tokenizer.recognised else ""
    return f"{len(tokenizer):,} tokens{origin} {how}, {specials}; pretokenizer {title}{known}."


def opened(files: Mapping[str, bytes], cut: str | None) -> PageVocabulary:
    """Return the vocabulary in some files. Raise `FormatError` if the format of the files is not known here.

    `files`: name → content. Some of the files may be the model's chat templates. `cut`: the key of the pretokenizer to
    use if the files do not say how text is split.
    """
    own, _ = parted(files)
    title = " + ".join(Path(file).name[:40] for file in own)
    try:
        found = _in_files(f"file {title}", title, files, cut)
    except FormatError as error:
        if str(error) == NOT_WHOLE and any(len(content) == SENT for content in own.values()):
            raise FormatError(BEYOND) from None
        raise
    template, why_none = _chat_template(files)
    return replace(found, chat_template=template, why_no_template=why_none)


def content_of(files: Mapping[str, bytes], cut: str | None) -> Hashable:
    """Return a key of the contents of some files and of `cut`: see `opened`."""
    return cut, tuple((name, sha256(content).digest()) for name, content in files.items())


def _chat_template(files: Mapping[str, bytes]) -> tuple[ChatTemplate | None, str]:
    """Return the chat template in some files, and why theirs cannot be used; None and "" if they have none."""
    try:
        return template_of(files), ""
    except ChatError as error:
        return None, str(error)


def files_on_the_hub(name: str) -> dict[str, bytes]:
    """Return the files of a model on the Hugging Face Hub, by name; raise `HubError` if they cannot be fetched.

    `name`: the model's, as in `openai-community/gpt2`.
    """
    return hub.fetch(name, private=LIMITS.private_models == 1)


def of_model(name: str, files: Mapping[str, bytes], cut: str | None) -> PageVocabulary:
    """Return the vocabulary in the files of a model on the Hub; raise `FormatError` if they cannot be opened.

    `cut`: as for `opened`.
    """
    return _in_files(f"{hub.PREFIX}{name}", name, files, cut)


def _in_files(name: str, title: str, files: Mapping[str, bytes], cut: str | None = None) -> PageVocabulary:
    tok, content = open_safely(files, cut, FILE_LIMITS), content_of(files, cut)
    return PageVocabulary(name, title, _about(tok, f" from {title}:"), tok, glyph_in(tok.vocabulary), content=content)


def lacks_cut(files: Mapping[str, bytes]) -> bool:
    """Return whether files open only with a choice of how text is split.

    They have the ranks of an unpublished vocabulary alone, or a class that splits in a way that is not known here.
    """
    try:
        own, beside = parted(files)
        parts = [part_of(content) for content in own.values() if not is_like_json(content)]
        if parts == ["ranks"] and len(own) == 1:
            return all(known_ranks(content) is None for content in own.values())
        return "merges" in parts and class_is_unknown(read_beside(beside).tokenizer_class)
    except FormatError:  # opening them says what is wrong
        return False


def of_run(name: str, title: str, run: Run, text_name: str, glyph: str = "_") -> PageVocabulary:
    """Return the vocabulary after all merges of a run."""
    with _trained_lock:
        tok = _trained.get(run)
        if tok is None:
            tok = _trained[run] = run.tokenizer()
    about = f"{len(tok):,} tokens, trained on “{text_name}”: {run.steps:,} merges; "
    chain = "".join(f"{NORMALIZERS[key].title}, then " for key in tok.normalizers)
    glyph = glyph_in(tok.vocabulary, glyph)
    return PageVocabulary(name, title, f"{about}{chain}pretokenizer {tok.pretokenizer.title}.", tok, glyph, run)
