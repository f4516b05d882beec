"""What travels in a link: for every page its values, what they are at first, and how to read them, distrusting them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from bpe_core import ALPHABETS, NORMALIZERS, PRETOKENIZERS, TIE_RULES, WORD_MARKERS
from bpe_core.published import PUBLISHED
from bpe_core.tokenizer.post_processing import TEMPLATES
from pages.parts.session import branches
from pages.parts.session.corpora import BEGINNINGS, EXAMPLES, WORD
from pages.parts.views.tables import SORTS

LINK_CHARACTERS = 1500  # a longer text does not go into the link
TEXT_CHARACTERS = 1_000_000  # a longer text in the Playground is cut
CUSTOM, DEFAULT_PATTERN = "custom", r"\w+|[^\w\s]+"
LARGEST = 1_000_000  # vocabulary, step, count; as a step, the last one
PASTE, UPLOAD, TRAINED, OPENED = "paste", "upload", "trained", "file"
OWN = "own"  # the cut that a vocabulary was learnt with
FITTING, ITSELF = "fitting", "itself"  # texts that a vocabulary is tried on
SIDES = ("left", "right")
WINDOWS = ("4096", "8192", "32768", "128000", "200000", "1000000")  # context windows, in tokens
FIND_CHARACTERS = 100
MOST_ENTRIES, SENTENCE = 10_000, 1000  # on the Algorithms page: of a vocabulary; characters of the text to cut
VIEWS = {  # for every page that has some its views, the first one open at first
    "train": {
        "history": "Merge history",
        "pairs": "Pairs",
        "vocabulary": "Vocabulary",
        "curves": "Curves",
        "try": "Try a word",
        "check": "Check",
        "export": "Export",
        "algorithm": "The algorithm",
    },
    "compare": {
        "merges": "Merges",
        "vocabularies": "Vocabularies",
        "blocked": "Blocked pairs",
        "held-out": "Held-out text",
        "pretokenizers": "All pretokenizers",
        "export": "Export",
    },
    "algorithms": {
        "compare": "Side by side",
        "wordpiece": "WordPiece, step by step",
        "unigram": "Unigram, round by round",
        "encode": "Two ways to encode",
    },
}
LIVE = ("step", "try", "round", "word", "sentence", "view", "find", "words", "sort")  # values that ask for no other run


def _choice(options: Iterable[str]) -> Callable[[str], str]:
    options = list(options)

    def read(value: str) -> str:
        if value not in options:
            raise ValueError(f"it is not one of {', '.join(options)}")
        return value

    return read


def _number(least: int, most: int) -> Callable[[str], int]:
    def read(value: str) -> int:
        if not value.isascii() or not value.isdigit() or not least <= int(value[:12]) <= most:
            raise ValueError(f"it is not a whole number from {least:,} to {most:,}")
        return int(value)

    return read


def _text(most: int) -> Callable[[str], str]:
    def read(value: str) -> str:
        if len(value) > most:
            raise ValueError(f"it is longer than {most:,} characters")
        return value

    return read


def _price(value: str) -> str:
    """An amount of money; nothing where there is none."""
    if value and not re.fullmatch(r"\d{1,6}([.,]\d{0,6})?", value, re.ASCII):
        raise ValueError("it is not an amount such as 2.50")
    return value


def _spelt(signs: str, most: int) -> Callable[[str], str]:
    """A text of these signs only."""

    def read(value: str) -> str:
        if len(value) > most or set(value) - set(signs):
            raise ValueError("it cannot be read")
        return value

    return read


def _several(options: Iterable[str]) -> Callable[[str], list[str]]:
    """Some of the options, in any order, none twice."""
    one = _choice(options)

    def read(value: str) -> list[str]:
        chosen = [one(name) for name in value.split()]
        if len(set(chosen)) < len(chosen):
            raise ValueError("it has a name twice")
        return chosen

    return read


@dataclass(frozen=True)
class Param:
    """One value of a page: its name in the link, what it is at first, how to read it from a link and to write it.

    `fits`: for a value that goes with the corpus, what it is at first on each example.
    """

    default: Any
    read: Callable[[str], Any]
    write: Callable[[Any], str] = str
    fits: Mapping[str, Any] | None = None

    def first(self, corpus: str | None) -> Any:
        """What the value is at first on this corpus; None where that follows from its text."""
        return self.default if self.fits is None else self.fits.get(corpus)


CHAIN = Param([], _several(NORMALIZERS), " ".join)
SETTINGS = {
    "normalizers": CHAIN,
    "pretokenizer": Param("gpt2", _choice([*PRETOKENIZERS, CUSTOM])),
    "pattern": Param(DEFAULT_PATTERN, _text(300)),
    "alphabet": Param("bytes", _choice(ALPHABETS)),
    "marker": Param("none", _choice(WORD_MARKERS)),
    "glyph": Param("_", _choice("_Ġ▁")),
    "ties": Param("first-seen", _choice(TIE_RULES)),
    "vocabulary": Param(1000, _number(1, LARGEST)),
    "least": Param(1, _number(1, LARGEST)),
    "specials": Param("", _text(300)),
    "chosen": Param("", branches.read),
}


def of_side(side: str, name: str) -> str:
    """The name of a setting that each side of a comparison has for itself.

    >>> of_side("left", "pretokenizer"), of_side("left", "alphabet"), of_side("", "alphabet")
    ('left', 'left-alphabet', 'alphabet')
    """
    if not side:
        return name
    return side if name == "pretokenizer" else f"{side}-{name}"


def _sides(**first: tuple[str, str]) -> dict[str, Param]:
    """A setting for each side, with what each is at first."""
    return {
        of_side(side, name): replace(SETTINGS[name], default=value)
        for name, values in first.items()
        for side, value in zip(SIDES, values, strict=True)
    }


def _fitting(place: int, read: Callable[[str], Any]) -> Param:
    """A value of `BEGINNINGS`."""
    return Param(BEGINNINGS["cats-eat"][place], read, fits={key: row[place] for key, row in BEGINNINGS.items()})


def _view(page: str) -> Param:
    """Which of the page's views is open."""
    return Param(next(iter(VIEWS[page])), _choice(VIEWS[page]))


FIND = Param("", _text(FIND_CHARACTERS))
TEXT = Param("", _text(LINK_CHARACTERS))
STEP = Param(0, _number(0, LARGEST))
LESSONS = ("pairs", "ties", "unseen", "cuts", "bytes", "spaces", "numbers", "size", "unused", "rivals")
MIXED, MOST_SEED = "mixed", 9999  # questions of all lessons; the number that draws them
PARAMS: dict[str, dict[str, Param]] = {
    "learn": {
        "lesson": Param(LESSONS[0], _choice([*LESSONS, MIXED])),
        "text": TEXT,
        "seed": Param(1, _number(1, MOST_SEED)),
        "answers": Param("", _spelt("0123456789abcdef=s-.", LINK_CHARACTERS)),
        "done": Param([], _several([*LESSONS, MIXED]), " ".join),
    },
    "start": {"step": STEP},
    "playground": {
        "tokenizer": Param("gpt2", _choice([*PUBLISHED, TRAINED, OPENED, *EXAMPLES])),
        "against": Param("none", _choice(["none", *PUBLISHED, TRAINED, OPENED, *EXAMPLES])),
        "text": Param("The keeper's dog slept by the newest lighthouse. नमस्ते 🦜 1,234 times!", TEXT.read),
        "step": Param(LARGEST, _number(0, LARGEST)),
        "specials": Param("yes", _choice(["yes", "no"])),
        "ids": Param("yes", _choice(["yes", "list", "no"])),
        "marks": Param("yes", _choice(["yes", "no"])),
        "window": Param("128000", _choice(WINDOWS)),
        "price": Param("", _price),
        "token": Param(-1, _number(0, LARGEST)),
    },
    "train": {
        "corpus": Param("newest-widest", _choice([*EXAMPLES, PASTE, UPLOAD])),
        "text": TEXT,
        **SETTINGS,
        "pretokenizer": Param("whitespace", SETTINGS["pretokenizer"].read),
        "alphabet": Param("characters", SETTINGS["alphabet"].read),
        "marker": Param("end", SETTINGS["marker"].read),
        "step": STEP,
        "words": FIND,
        "sort": Param(None, _choice(SORTS)),
        "view": _view("train"),
        "find": FIND,
        "try": Param("", _text(100)),
    },
    "pipeline": {
        "text": Param("ThÍs is  áN ExaMPlé     sÉnteNCE. Isn't it? 🦜", TEXT.read),
        "second": TEXT,
        "normalizers": Param(["nfd", "strip-accents", "lowercase"], CHAIN.read, CHAIN.write),
        "pretokenizer": Param(OWN, _choice([OWN, *PRETOKENIZERS])),
        "model": Param("gpt2", _choice([*PUBLISHED, TRAINED, OPENED, *EXAMPLES])),
        "template": Param("endoftext", _choice(TEMPLATES)),
    },
    "compare": {
        "corpus": Param("my-dog", _choice([*EXAMPLES, PASTE, UPLOAD])),
        "text": TEXT,
        **_sides(
            pretokenizer=("whitespace", "gpt2"),
            pattern=(DEFAULT_PATTERN, DEFAULT_PATTERN),
            normalizers=([], []),
            alphabet=("characters", "characters"),
            marker=("none", "none"),
            ties=("first-seen", "first-seen"),
        ),
        "vocabulary": Param(300, SETTINGS["vocabulary"].read),
        "held": Param(FITTING, _choice([FITTING, ITSELF, *EXAMPLES, PASTE])),
        "held-text": TEXT,
        "step": Param(LARGEST, _number(0, LARGEST)),
        "view": _view("compare"),
        "find": FIND,
    },
    "algorithms": {
        "corpus": Param("cats-eat", _choice([*EXAMPLES, PASTE, UPLOAD])),
        "text": TEXT,
        "pretokenizer": Param("whitespace", SETTINGS["pretokenizer"].read),
        "pattern": SETTINGS["pattern"],
        "vocabulary": _fitting(0, _number(1, MOST_ENTRIES)),
        "view": _view("algorithms"),
        "sentence": _fitting(1, _text(SENTENCE)),
        "step": STEP,
        "round": Param(0, _number(0, 1000)),
        "word": _fitting(2, _text(WORD)),
    },
}
