"""Texts to train on, and what is wrong with files that cannot be used. Not here: which a page shows (`your_text`)."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256

from pages.parts.session.budget import BUDGET
from pages.parts.session.examples import EXAMPLES, FOLDER

YOUR_TEXT = "Your text"  # the name of what is typed
FIRST_CHARACTERS, WORD_CHARACTERS = 60, 40  # of a text of one's own: its beginning; a word to look at


BINARY = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"%PDF-", b"PK\3\4", b"\x1f\x8b")  # pictures, PDF, zip, gzip
UTF16 = (b"\xff\xfe", b"\xfe\xff")  # a text, though in another encoding


class CorpusError(ValueError):
    """A text that cannot be used; the message says what to do about it."""


@dataclass(frozen=True)
class Corpus:
    """A text with its name; equal when the texts are equal, whatever their names."""

    name: str = field(compare=False)
    text: str = field(repr=False)

    def __post_init__(self) -> None:
        """Take the digest of the whole text, once."""
        object.__setattr__(self, "digest", sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest())

    @property
    def title(self) -> str:
        """The name within a sentence, which it may end like: “my dog. your dog.”."""
        return self.name if self.name == YOUR_TEXT else f"“{self.name}”"

    def __hash__(self) -> int:
        """Hash by content, without reading it again."""
        return hash(self.digest)


@lru_cache(maxsize=len(EXAMPLES))
def example(key: str) -> Corpus:
    """One of the shipped texts.

    >>> example("my-dog").text
    'my dog. your dog.'
    """
    return Corpus(EXAMPLES[key].title, (FOLDER / f"{key}.txt").read_bytes().decode("utf-8"))


def held_out(key: str) -> Corpus | None:
    """A text to try a vocabulary on that was trained on the example of this key; None where no other is like it.

    >>> held_out("my-dog").text
    'our dog. my good dog. your god.'
    """
    row = EXAMPLES.get(key)
    if row and row.held_out:
        return Corpus("a few more words", row.held_out)
    return example(row.like) if row and row.like else None


def roomy_size(symbols: int, words: int) -> int:
    """A vocabulary size that leaves something to learn, from the numbers of base symbols and of different words.

    >>> roomy_size(16, 7), roomy_size(87, 430), roomy_size(500, 20_000)
    (19, 187, 600)
    """
    return symbols + min(max(3, words // 4), 100)


def algorithms_start(key: str, text: str) -> tuple[int, str, str]:
    """What the Algorithms page begins with on a text: the size of the vocabulary, a text to encode, and a word.

    >>> algorithms_start("own", "a rose is a rose")
    (9, 'a rose is a rose', 'rose')
    """
    if key in EXAMPLES and EXAMPLES[key].algorithms:
        return EXAMPLES[key].algorithms
    words = set(text.split())
    starting, inside = {word[0] for word in words}, {char for word in words for char in word[1:]}
    first = _beginning(next(filter(str.strip, text.splitlines()), "").rstrip())
    word = max(first.split() or [""], key=len)[:WORD_CHARACTERS]
    return roomy_size(len(starting) + len(inside), len(words)), first, word


def _beginning(line: str) -> str:
    """The first words of a line as they stand there: other white space would make other pretokens.

    >>> _beginning("one  two " * 7)
    'one  two one  two one  two one  two one  two one  two one'
    """
    whole = line[: FIRST_CHARACTERS + 1].rpartition(" ")[0] if len(line) > FIRST_CHARACTERS else line
    return whole.rstrip() or line[:FIRST_CHARACTERS]


def is_binary(content: bytes) -> bool:
    """Whether a file holds no text in any encoding, by its first bytes.

    >>> is_binary(b"\\x89PNG"), is_binary("caf\\xe9".encode("latin-1"))
    (True, False)
    """
    return content.startswith(BINARY) or (b"\0" in content[:1024] and not content.startswith(UTF16))


def opened_text(name: str, content: bytes) -> str:
    """The text in a file; `CorpusError` for one that is empty, too large or not UTF-8."""
    if not content:
        raise CorpusError(f"{name} is empty: choose a file with some text in it.")
    if len(content) > BUDGET.file_mb << 20:
        raise CorpusError(f"{name} is larger than {BUDGET.file_mb} MB: choose a smaller file or a part of it.")
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        if is_binary(content):
            raise CorpusError(f"{name} is not a text file: choose one with text in it.") from None
        raise CorpusError(
            f"{name} is not UTF-8 text (byte {content[error.start]:02X} at position {error.start:,}): "
            "save it as UTF-8 and open it again."
        ) from None
    if not text.strip():
        raise CorpusError(f"{name} is only white space: choose a file with some words in it.")
    return text
