"""What travels in a link: for every page its values, the default of each, and how it is read and written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote_plus

from bpe_core import ALPHABETS, NORMALIZERS, PRETOKENIZERS, TIE_RULES, WORD_MARKERS
from bpe_core.tokenizer.post_processing import TEMPLATES
from pages.parts.film.word_window import SORTS
from pages.parts.session import branches
from pages.parts.session.corpora import WORD_CHARACTERS
from pages.parts.session.examples import EXAMPLES
from pages.parts.session.readers import choice, name, number, price, several, spelt, text
from pages.parts.session.tokenizer_keys import BESIDE, FAVOURITE, TOKENIZERS, tokenizer, tokenizers, without_files

LINK_LENGTH = 7000  # of a link's texts, percent-encoded; browsers and proxies carry addresses of 8,000 characters
LESSON_CHARACTERS = 1500  # of a text that a lesson asks about
CUSTOM, DEFAULT_PATTERN = "custom", r"\w+|[^\w\s]+"
LARGEST = 1_000_000  # vocabulary, step, count; as a step, the last one
OWN = "own"  # as a corpus, your own text; as a pretokenizer, the one that a vocabulary was learnt with
FITTING, ITSELF, PASTE = "fitting", "itself", "paste"  # texts that a vocabulary is tried on
SIDES = ("left", "right")
WINDOWS = ("4096", "8192", "32768", "128000", "200000", "1000000")  # context windows, in tokens
MOST_ENTRIES = 10_000  # of a vocabulary on the Algorithms page
SET = ("vocab_size", "sentence", "word")  # values that are set for a person as well, by another text or a button
LESSONS = ("pairs", "ties", "unseen", "cuts", "bytes", "spaces", "numbers", "size", "unused", "rivals")
MIXED, MOST_SEED = "mixed", 9999  # questions of all lessons; the number that draws them


@dataclass(frozen=True)
class Param:
    """One value of a page: its default, how it is read from a link, and how it is written.

    `most`: how many characters a text may have, in a link and so where it is typed. `fits`: for a value that goes with
    the corpus, its default on each example. `live`: it belongs to the part of the page that follows the step, and no
    training depends on it. `shared`: what is chosen or typed on one page holds on every other; None in the session
    until then.
    """

    default: Any
    read: Callable[[str], Any]
    write: Callable[[Any], str] = str
    most: int | None = None
    fits: Mapping[str, Any] | None = None
    live: bool = False
    shared: bool = False

    def first(self, corpus: str | None) -> Any:
        """The default on this corpus; None where it follows from the text."""
        return self.default if self.fits is None else self.fits.get(corpus)


def _text(most: int, default: str = "", **more: Any) -> Param:
    """A text of so many characters at most."""
    return Param(default, text(most), most=most, **more)


# The settings of a training, by their names in `Settings`. `forced` and `special_tokens` are kept as they are written.
SETTINGS = {
    "normalizers": Param([], several(choice(NORMALIZERS)), " ".join),
    "pretokenizer": Param("gpt2", choice([*PRETOKENIZERS, CUSTOM])),
    "pattern": _text(300, DEFAULT_PATTERN),
    "alphabet": Param("bytes", choice(ALPHABETS)),
    "word_marker": Param("none", choice(WORD_MARKERS)),
    "tie_rule": Param("first-seen", choice(TIE_RULES)),
    "vocab_size": Param(1000, number(1, LARGEST)),
    "min_count": Param(1, number(1, LARGEST)),
    "special_tokens": _text(300),
    "forced": Param("", branches.read),
}


def of_side(side: str, name: str) -> str:
    """The name of a setting that each side of a comparison has for itself.

    >>> of_side("left", "alphabet"), of_side("", "alphabet")
    ('left_alphabet', 'alphabet')
    """
    return f"{side}_{name}" if side else name


def too_long(values: Mapping[str, Any]) -> list[str]:
    """The values that a link cannot carry beside those before them, by name: its texts share `LINK_LENGTH`.

    >>> too_long({"text": "a" * 4000, "held_text": "\u65e5" * 400, "second": "a"})
    ['held_text']
    """
    left, names = LINK_LENGTH, []
    for key, value in values.items():
        length = link_length(value) if isinstance(value, str) else 0
        if length > left:
            names.append(key)
        else:
            left -= length
    return names


def link_length(text: str) -> int:
    """How many characters of a link a text takes; more than there are for one that no link can carry.

    >>> link_length("a b"), link_length("\u65e5")
    (3, 9)
    """
    if len(text) > LINK_LENGTH or any(0xD800 <= ord(char) < 0xE000 for char in text):
        return LINK_LENGTH + 1
    return len(quote_plus(text))


def in_link(text: str) -> bool:
    """Whether a text can travel in a link."""
    return link_length(text) <= LINK_LENGTH


def _setting(name: str, default: Any) -> Param:
    """A setting with another default."""
    return replace(SETTINGS[name], default=default)


def _sides(**first: tuple[Any, Any]) -> dict[str, Param]:
    """A setting for each side, with the default of each."""
    return {
        of_side(side, name): _setting(name, value)
        for name, values in first.items()
        for side, value in zip(SIDES, values, strict=True)
    }


def _corpus(default: str) -> Param:
    """The example that a page shows until another text is chosen."""
    known = choice([*EXAMPLES, OWN])
    return Param(default, lambda value: OWN if value in ("paste", "upload") else known(value), shared=True)


def _fitting(place: int, param: Param) -> Param:
    """A value of an example's `algorithms`."""
    fits = {key: row.algorithms[place] for key, row in EXAMPLES.items() if row.algorithms}
    return replace(param, default=fits["cats-eat"], fits=fits)


def _live(default: Any, read: Callable[[str], Any]) -> Param:
    return Param(default, read, live=True)


FIND = _text(100, live=True)
TEXT = _text(LINK_LENGTH)
YOUR_TEXT = replace(TEXT, shared=True)
STEP = _live(0, number(0, LARGEST))
TRAINING = _live("", text(LINK_LENGTH))  # see `training_link`
YES_OR_NO = choice(["yes", "no"])
# What the view of a text's tokens keeps; no `token` is chosen at first.
TOKEN_VIEW = {
    "step": _live(LARGEST, number(0, LARGEST)),
    "ids": _live("yes", choice(["yes", "list", "no"])),
    "marks": _live("yes", YES_OR_NO),
    "window": _live("128000", choice(WINDOWS)),
    "price": _live("", price),
    "token": _live(-1, number(0, LARGEST)),
}

# What the view of a whole vocabulary keeps. `sought`: what is searched for; `script`: "" for all.
EXPLORER = {
    "sought": FIND,
    "among": _live("text", name),
    "kind": _live("all", name),
    "script": _text(40, live=True),
    "order": _live("id", name),
}

PARAMS: dict[str, dict[str, Param]] = {
    "learn": {
        "lesson": Param(LESSONS[0], choice([*LESSONS, MIXED])),
        "text": _text(LESSON_CHARACTERS),
        "seed": Param(1, number(1, MOST_SEED)),
        "answers": Param("", spelt("0123456789abcdef=s-.", LESSON_CHARACTERS)),
        "done": Param([], several(choice([*LESSONS, MIXED])), " ".join),
    },
    "start": {"corpus": _corpus("bytes-into-words"), "text": YOUR_TEXT, **TOKEN_VIEW},
    "playground": {
        "corpus": _corpus("keepers-dog"),
        "text": YOUR_TEXT,
        "tokenizer": Param(FAVOURITE, tokenizer),
        "against": Param(BESIDE, tokenizers, without_files),
        "training": TRAINING,
        "specials": Param("yes", YES_OR_NO),
        "view": _live("tokens", name),
        **TOKEN_VIEW,
        **EXPLORER,
    },
    "train": {
        "corpus": _corpus("newest-widest"),
        "text": YOUR_TEXT,
        **SETTINGS,
        "pretokenizer": _setting("pretokenizer", "whitespace"),
        "alphabet": _setting("alphabet", "characters"),
        "word_marker": _setting("word_marker", "end"),
        "glyph": Param("_", choice("_Ġ▁")),
        "step": STEP,
        "words": FIND,
        "sort": _live(None, choice(SORTS)),
        "view": _live("vocabulary", name),
        "find": FIND,
        "try": _text(100, live=True),
    },
    "pipeline": {
        "corpus": _corpus("accents"),
        "text": YOUR_TEXT,
        "second": TEXT,
        "normalizers": _setting("normalizers", ["nfd", "strip-accents", "lowercase"]),
        "pretokenizer": Param(OWN, choice([OWN, *PRETOKENIZERS])),
        "model": Param("gpt2", choice(TOKENIZERS)),
        "training": TRAINING,
        "template": Param("none", choice(TEMPLATES)),
    },
    "compare": {
        "corpus": _corpus("my-dog"),
        "text": YOUR_TEXT,
        **_sides(
            pretokenizer=("whitespace", "gpt2"),
            pattern=(DEFAULT_PATTERN, DEFAULT_PATTERN),
            normalizers=([], []),
            alphabet=("characters", "characters"),
            word_marker=("none", "none"),
            tie_rule=("first-seen", "first-seen"),
        ),
        "vocab_size": _setting("vocab_size", 300),
        "held": Param(FITTING, choice([FITTING, ITSELF, *EXAMPLES, PASTE])),
        "held_text": TEXT,
        "step": STEP,
        "all_words": _live("no", YES_OR_NO),
        "spaces": _live("no", YES_OR_NO),
        "view": _live("merges", name),
        "find": FIND,
    },
    "algorithms": {
        "corpus": _corpus("cats-eat"),
        "text": YOUR_TEXT,
        "pretokenizer": _setting("pretokenizer", "whitespace"),
        "pattern": SETTINGS["pattern"],
        "vocab_size": _fitting(0, Param(1, number(1, MOST_ENTRIES))),
        "view": _live("compare", name),
        "sentence": _fitting(1, _text(1000, live=True)),
        "step": STEP,
        "round": _live(0, number(0, 1000)),
        "word": _fitting(2, _text(WORD_CHARACTERS, live=True)),
    },
}
