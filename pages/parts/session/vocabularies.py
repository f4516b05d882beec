"""The vocabularies that the Playground offers, loaded once and shared by all sessions; no screen here."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from time import monotonic
from weakref import WeakKeyDictionary

from bpe_core import NORMALIZERS, Run, Tokenizer
from bpe_core.files.opening import kind_of_file
from bpe_core.files.safely import open_safely
from bpe_core.published import PUBLISHED, PublishedError
from pages.parts.views.sentences import counted

RETRY_SECONDS = 60  # until a vocabulary that could not be had is asked for again


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """A tokenizer as the page shows it, with all its merges. `run`: its training, where it is ours.

    `content`: what tells the files that it was opened from, where it was.
    """

    name: str
    title: str
    about: str
    tokenizer: Tokenizer
    glyph: str = "_"
    run: Run | None = None
    content: Hashable = None

    @property
    def shown_glyph(self) -> str:
        """How the byte 0xFF is drawn: as the word marker, or as the byte it is where words carry none."""
        return self.glyph if self.tokenizer.word_marker != "none" else "FF"

    @property
    def steps(self) -> int:
        """How many merges it has."""
        return len(self.tokenizer.merges)


_locks = {name: Lock() for name in PUBLISHED}  # one each: a slow fetch holds up nobody else
_trained_lock = Lock()
_published: dict[str, Tokenizer] = {}
_refused: dict[str, tuple[float, PublishedError]] = {}
_trained: WeakKeyDictionary[Run, Tokenizer] = WeakKeyDictionary()


def is_loaded(name: str) -> bool:
    """Whether `published(name)` answers at once."""
    return name in _published or _refusal(name) is not None


def _refusal(name: str) -> PublishedError | None:
    since, error = _refused.get(name, (0.0, None))
    return error if error is not None and monotonic() - since < RETRY_SECONDS else None


def published(name: str) -> Vocabulary:
    """A published vocabulary; raises `PublishedError`, the same one again for a while where it cannot be had."""
    refusal = _refusal(name)
    if refusal:
        raise refusal
    with _locks[name]:
        if name not in _published:
            try:
                _published[name] = PUBLISHED[name].load()
            except PublishedError as error:
                _refused[name] = (monotonic(), error)
                raise
    tok, row = _published[name], PUBLISHED[name]
    merges = len(tok.merges)
    specials = counted(len(tok.special_tokens), "special token")
    about = f"{tok.vocab_size:,} tokens: {row.about}, {merges:,} merges, {specials}; pretokenizer "
    about += f"{tok.pretokenizer.title}."
    return Vocabulary(name, row.title, about, tok)


def opened(files: Mapping[str, bytes], cut: str | None, content: Hashable = None) -> Vocabulary:
    """The vocabulary in some files; raises `FormatError` where they hold none that is known here.

    `cut`: the pretokenizer, for files that do not say how text is split. `content` tells these files from others.
    """
    tok = open_safely(files, cut)
    merges = len(tok.merges)
    title = " + ".join(Path(file).name[:40] for file in files)
    specials = counted(len(tok.special_tokens), "special token")
    about = f"{tok.vocab_size:,} tokens from {title}: {merges:,} merges, {specials}; pretokenizer "
    return Vocabulary(f"file {title}", title, f"{about}{tok.pretokenizer.title}.", tok, content=content)


def lacks_cut(files: Mapping[str, bytes]) -> bool:
    """Whether the files may leave open how text is split: ranks alone do."""
    return [kind_of_file(content) for content in files.values()] == ["ranks"]


def trained(name: str, title: str, run: Run, text_name: str, glyph: str = "_") -> Vocabulary:
    """The vocabulary of a run of ours, with all its merges."""
    with _trained_lock:
        tok = _trained.get(run)
        if tok is None:
            tok = _trained[run] = run.tokenizer()
    about = f"{tok.vocab_size:,} tokens, trained on “{text_name}”: {run.steps:,} merges; "
    chain = "".join(f"{NORMALIZERS[key].title}, then " for key in run.settings.normalizers)
    return Vocabulary(name, title, f"{about}{chain}pretokenizer {run.settings.splitter.title}.", tok, glyph, run)
