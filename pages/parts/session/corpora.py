"""The texts that the app can train on: the examples it ships, and what a person pastes or uploads."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from textwrap import shorten

FOLDER = Path(__file__).parents[1] / "examples"
UPLOAD_MEGABYTES = 50
UPLOAD_TYPES = ["txt", "md", "json", "csv"]

EXAMPLES = {
    "newest-widest": "low, lower, newest, widest",
    "hug-pug-pun": "hug, pug, pun, bun, hugs",
    "cats-eat": "cats, eating, running",
    "my-dog": "my dog. your dog.",
    "one-dinosaur": "one dog. one dinosaur.",
    "short-story": "A short story",
    "another-story": "Another short story",
    "python-code": "Python code",
    "many-languages": "Many languages and emoji",
    "numbers-dates": "Numbers, dates, contractions",
}

# What the vocabulary of an example is tried on: a text that it was not trained on, written with the same letters.
HELD_OUT = {
    "newest-widest": "lower newer lowest widest longer",
    "hug-pug-pun": "hug bug hugs pugs gun",
    "cats-eat": "eating cats jumping running food",
    "my-dog": "our dog. my good dog. your god.",
    "one-dinosaur": "one dragon. one dingo on a road. one gong.",
}

# What the Algorithms page begins with on an example: so many entries that WordPiece takes steps and Unigram's rounds
# cut words otherwise, where any do; a text with words that the models cut in different ways or cannot write; and a
# word to look at.
BEGINNINGS = {
    "newest-widest": (16, HELD_OUT["newest-widest"], "lowest"),
    "hug-pug-pun": (10, "hug bug mug hugs pugs gun", "hugs"),
    "cats-eat": (22, "cats eating jumping running foods jumper skiing", "eating"),
    "my-dog": (12, HELD_OUT["my-dog"], "good"),
    "one-dinosaur": (15, HELD_OUT["one-dinosaur"], "dragon"),
    "short-story": (190, "The keeper and the newest dog walked to the lighthouse. Then they waited.", "lighthouse"),
    "another-story": (170, "The ferryman rang the bell, and then another boat came over the water.", "ferryman"),
    "python-code": (240, "def total(items): return sum(item.count for item in items)", "return"),
    "many-languages": (610, "The cat drinks tea. Die Katze schläft. Кошка спит. 猫在喝茶。", "schläft"),
    "numbers-dates": (230, "On 7 May 2024 they'll sail 12.5 miles, won't they?", "they'll"),
}
BEGINNING, WORD = 60, 40  # characters: of a text of one's own; of a word to look at


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

    def __hash__(self) -> int:
        """Hash by content, without reading it again."""
        return hash(self.digest)


@lru_cache(maxsize=len(EXAMPLES))
def example(key: str) -> Corpus:
    """One of the shipped texts.

    >>> example("my-dog").text
    'my dog. your dog.'
    """
    return Corpus(EXAMPLES[key], (FOLDER / f"{key}.txt").read_bytes().decode("utf-8"))


def held_out(corpus: str) -> Corpus | None:
    """A text to try a vocabulary on that was trained on the example of this key; None where no other is like it.

    >>> held_out("my-dog").text
    'our dog. my good dog. your god.'
    """
    if corpus in HELD_OUT:
        return Corpus("a few more words", HELD_OUT[corpus])
    like = {"short-story": "another-story", "another-story": "short-story"}
    return example(like[corpus]) if corpus in like else None


def room(alphabet: int, words: int) -> int:
    """A vocabulary with room to learn in, for an alphabet of this size and so many different words.

    >>> room(16, 7), room(87, 430), room(500, 20_000)
    (19, 187, 600)
    """
    return alphabet + min(max(3, words // 4), 100)


def beginning(key: str, text: str) -> tuple[int, str, str]:
    """What the Algorithms page begins with on a corpus: the size of the vocabulary, a text to cut, and a word.

    >>> beginning("paste", "a rose is a rose")
    (9, 'a rose is a rose', 'rose')
    """
    if key in BEGINNINGS:
        return BEGINNINGS[key]
    words = set(text.split())
    starting, inside = {word[0] for word in words}, {char for word in words for char in word[1:]}
    first = shorten(text[: 2 * BEGINNING], BEGINNING, placeholder="") or text.strip()[:BEGINNING]
    return room(len(starting) + len(inside), len(words)), first, max(first.split(), key=len)[:WORD]


def pasted(text: str) -> Corpus:
    """A pasted text; `CorpusError` where there is nothing to train on."""
    if not text:
        raise CorpusError("The text is empty: type or paste something to train on.")
    if not text.strip():
        raise CorpusError("The text is only white space: add a few words to train on.")
    return Corpus("Your text", text)


def uploaded(name: str, raw: bytes) -> Corpus:
    """An uploaded file as a text; `CorpusError` for one that is empty, too large or not UTF-8."""
    if not raw:
        raise CorpusError(f"{name} is empty: choose a file with some text in it.")
    if len(raw) > UPLOAD_MEGABYTES * 2**20:
        raise CorpusError(f"{name} is larger than {UPLOAD_MEGABYTES} MB: choose a smaller file or a part of it.")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise CorpusError(
            f"{name} is not UTF-8 text (byte {raw[error.start]:02X} at position {error.start:,}): "
            "save it as UTF-8 and upload it again."
        ) from None
    if not text.strip():
        raise CorpusError(f"{name} is only white space: choose a file with some words in it.")
    return Corpus(name, text)
