"""The texts to train on: examples, and texts in files. `your_text` chooses the text of a page."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from hashlib import sha256

from bpe_core.corpus.sources import marked_sources
from bpe_core.text.encodings import HEAD, decoded, kind_of_data, lacks_mark
from pages.parts.server.limits import LIMITS
from pages.parts.texts.examples import EXAMPLES, FOLDER

YOUR_TEXT = "Your text"  # the name of a typed text
# The most characters of the sentence, and the most of the word, with which the Algorithms page begins.
FIRST_CHARACTERS, WORD_CHARACTERS = 60, 40


class CorpusError(ValueError):
    """An error: a text cannot be used. The message says what the visitor can do instead."""


@dataclass(frozen=True)
class Corpus:
    """A text with its name. Two corpora with the same text are equal, even if their names differ."""

    name: str = field(compare=False)
    text: str = field(repr=False)
    digest: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Compute the digest of the text, once."""
        object.__setattr__(self, "digest", sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest())

    @cached_property
    def sources(self) -> dict[str, str] | None:
        """The sources of the text, if lines in it mark them: see `marked_sources`."""
        return marked_sources(self.text)

    @property
    def parts(self) -> str | dict[str, str]:
        """What is trained on: the sources, or the text if it has none."""
        return self.sources or self.text

    @property
    def plain(self) -> str:
        """The text without the lines that mark sources."""
        return "".join(self.sources.values()) if self.sources else self.text

    @property
    def title(self) -> str:
        """The name for use in a sentence: in quotation marks, unless it is "Your text"."""
        return self.name if self.name == YOUR_TEXT else f"“{self.name}”"

    def __hash__(self) -> int:
        """Return the hash of the digest, so that the whole text need not be read again."""
        return hash(self.digest)


@lru_cache(maxsize=len(EXAMPLES))
def example(key: str) -> Corpus:
    """Return the example text with a key.

    >>> example("my-dog").text
    'my dog. your dog.'
    """
    return Corpus(EXAMPLES[key].title, (FOLDER / f"{key}.txt").read_bytes().decode("utf-8"))


def held_out(key: str) -> Corpus | None:
    """Return a text for testing a vocabulary that was trained on an example; None if the example has no such text.

    >>> held_out("my-dog").text
    'our dog. my good dog. your god.'
    """
    row = EXAMPLES.get(key)
    if row and row.held_out:
        return Corpus("a few more words", row.held_out)
    return example(row.like) if row and row.like else None


def roomy_size(symbols: int, words: int) -> int:
    """Return a vocabulary size that leaves room for some merges beyond a text's base symbols.

    `symbols`, `words`: how many base symbols and how many different words the text has.

    >>> roomy_size(16, 7), roomy_size(87, 430), roomy_size(500, 20_000)
    (19, 187, 600)
    """
    return symbols + min(max(3, words // 4), 100)


def algorithms_start(key: str, text: str) -> tuple[int, str, str]:
    """Return three values with which the Algorithms page begins on a text: a vocabulary size, a sentence and a word.

    >>> algorithms_start("own", "a rose is a rose")
    (9, 'a rose is a rose', 'rose')
    """
    if key in EXAMPLES and (known := EXAMPLES[key].algorithms):
        return known
    words = set(text.split())
    starting, inside = {word[0] for word in words}, {char for word in words for char in word[1:]}
    first = _beginning(next(filter(str.strip, text.splitlines()), "").rstrip())
    word = max(first.split() or [""], key=len)[:WORD_CHARACTERS]
    return roomy_size(len(starting) + len(inside), len(words)), first, word


def _beginning(line: str) -> str:
    """Return the first words of a line. The white space between them stays: other spaces would make other pretokens.

    >>> _beginning("one  two " * 7)
    'one  two one  two one  two one  two one  two one  two one'
    """
    whole = line[: FIRST_CHARACTERS + 1].rpartition(" ")[0] if len(line) > FIRST_CHARACTERS else line
    return whole.rstrip() or line[:FIRST_CHARACTERS]


def opened_text(name: str, content: bytes) -> str:
    """Return the text in a file; raise `CorpusError` if the file is empty, too large or no text."""
    if not content:
        raise CorpusError(f"{name} is empty: choose a file with some text in it.")
    if len(content) > LIMITS.file_mb << 20:
        raise CorpusError(f"{name} is larger than {LIMITS.file_mb} MB: choose a smaller file or a part of it.")
    try:
        text = decoded(content)
    except UnicodeDecodeError as error:
        if kind_of_data(content[:HEAD]):
            raise CorpusError(f"{name} is not a text file: choose one with text in it.") from None
        if encoding := lacks_mark(content):
            why = f"is text in {encoding} without a byte order mark"
            raise CorpusError(f"{name} {why}: save it as UTF-8 and open it again.") from None
        raise CorpusError(
            f"{name} is not {error.encoding} text (byte {content[error.start]:02X} at position {error.start:,}): "
            "save it as UTF-8 and open it again."
        ) from None
    if not text.strip():
        raise CorpusError(f"{name} is only white space: choose a file with some words in it.")
    return text
