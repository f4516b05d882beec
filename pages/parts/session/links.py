"""The values in a page's link: the default of each, and how it is read and written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote_plus

from bpe_core import PRETOKENIZERS, Settings
from bpe_core.kinds import Kind, PairsAtSteps, Several, Text, Tokens, WholeNumber, choice
from bpe_core.live.word_window import SORTS
from bpe_core.settings import SETTINGS as ROWS
from bpe_core.tokenizer.post_processing import TEMPLATES
from pages.parts.session.corpora import WORD_CHARACTERS
from pages.parts.session.examples import EXAMPLES
from pages.parts.session.readers import listed, name, price, spelt
from pages.parts.session.tokenizer_keys import BESIDE, FAVOURITE, TOKENIZERS, tokenizer, tokenizers, without_files

LINK_LENGTH = 7000  # of a link's texts, percent-encoded; browsers and proxies carry addresses of 8,000 characters
LESSON_CHARACTERS = 1500  # of a text that a lesson asks about
DEFAULT_PATTERN = r"\w+|[^\w\s]+"
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
        """Return the default on this corpus; None where it follows from the text."""
        return self.default if self.fits is None else self.fits.get(corpus)


WRITTEN = (Tokens, PairsAtSteps)  # kinds of values that a page has as they are written


def _param(kind: Kind, default: Any, **more: Any) -> Param:
    """Return the row of a value of this kind, as a page has it (see `in_page`)."""
    most = kind.most if isinstance(kind, (Text, Tokens)) else None
    if isinstance(kind, WRITTEN):
        return Param(kind.write(default), lambda text: kind.write(kind.read(text)), most=most, **more)
    if isinstance(kind, Several):
        return Param(list(default), listed(kind.read), kind.write, **more)
    return Param(default, kind.read, kind.write, most=most, **more)


def _text(most: int, **more: Any) -> Param:
    return _param(Text(most), "", **more)


def _number(default: int, least: int, most: int, **more: Any) -> Param:
    return _param(WholeNumber(least, most), default, **more)


def _choice(default: str | None, keys: Iterable[str], **more: Any) -> Param:
    return _param(choice(*keys), default, **more)


def in_page(name: str, value: Any) -> Any:
    """Return the value of a setting as a page has it: as its widget gives it, so a list of keys, or a line.

    >>> in_page("special_tokens", ("<a>", "<b>")), in_page("normalizers", ("nfc",)), in_page("vocab_size", 300)
    ('<a> <b>', ['nfc'], 300)
    """
    row = ROWS[name]
    if isinstance(row.kind, WRITTEN):
        return row.write(value)
    return list(value) if isinstance(row.kind, Several) else value


def in_settings(name: str, value: Any) -> Any:
    """Return the value of a setting that a page has, for `Settings`.

    >>> in_settings("special_tokens", "<a> <b>"), in_settings("forced", "2:65.73")
    (('<a>', '<b>'), {2: (b'e', b's')})
    """
    row = ROWS[name]
    return row.read(value) if isinstance(row.kind, WRITTEN) else value


# The largest value of a setting in a link, by its kind: a number, the characters of a text, how many pairs.
LARGEST_OF: dict[type, int] = {WholeNumber: LARGEST, Text: 300, Tokens: 300, PairsAtSteps: 100}


def _limited(kind: Kind) -> Kind:
    """Return the kind of a setting with a limit; its own limit stays."""
    most = LARGEST_OF.get(type(kind))
    return replace(kind, most=most) if most and kind.most is None else kind


# The settings of a training, by their names in `Settings`.
SETTINGS = {name: _param(_limited(row.kind), getattr(Settings(), name)) for name, row in ROWS.items()}
SETTINGS["pattern"] = replace(SETTINGS["pattern"], default=DEFAULT_PATTERN)


def of_side(side: str, name: str) -> str:
    """Return the name that a setting has on one side of a comparison.

    >>> of_side("left", "alphabet"), of_side("", "alphabet")
    ('left_alphabet', 'alphabet')
    """
    return f"{side}_{name}" if side else name


def too_long(values: Mapping[str, Any]) -> list[str]:
    """Return the names of the values that do not fit into a link. All its texts together have `LINK_LENGTH`.

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
    """Return how many characters of a link a text takes; more than a link has if no link can carry the text.

    >>> link_length("a b"), link_length("\u65e5")
    (3, 9)
    """
    if len(text) > LINK_LENGTH or any(0xD800 <= ord(char) < 0xE000 for char in text):
        return LINK_LENGTH + 1
    return len(quote_plus(text))


def in_link(text: str) -> bool:
    """Return whether a text fits into a link."""
    return link_length(text) <= LINK_LENGTH


def _setting(name: str, default: Any) -> Param:
    """Return the row of a setting with another default."""
    return replace(SETTINGS[name], default=default)


def _sides(**first: tuple[Any, Any]) -> dict[str, Param]:
    """Return the rows of some settings for both sides; each value has the defaults of the two sides."""
    return {
        of_side(side, name): _setting(name, value)
        for name, values in first.items()
        for side, value in zip(SIDES, values, strict=True)
    }


def _corpus(default: str) -> Param:
    """Return the row of the text of a page. `default`: the example that it begins with."""
    known = choice(*EXAMPLES, OWN)
    return Param(default, lambda value: OWN if value in ("paste", "upload") else known.read(value), shared=True)


def _fitting(place: int, param: Param) -> Param:
    """Return the row of a value whose defaults are in the `algorithms` of the examples."""
    fits = {key: row.algorithms[place] for key, row in EXAMPLES.items() if row.algorithms}
    return replace(param, default=fits["cats-eat"], fits=fits)


FIND = _text(100, live=True)
TEXT = _text(LINK_LENGTH)
YOUR_TEXT = replace(TEXT, shared=True)
STEP = _number(0, 0, LARGEST, live=True)
TRAINING = _text(LINK_LENGTH, live=True)  # see `training_link`
YES_OR_NO = ("yes", "no")
# What the view of a text's tokens keeps; no `token` is chosen at first.
TOKEN_VIEW = {
    "step": _number(LARGEST, 0, LARGEST, live=True),
    "ids": _choice("yes", ["yes", "list", "no"], live=True),
    "marks": _choice("yes", YES_OR_NO, live=True),
    "window": _choice("128000", WINDOWS, live=True),
    "price": Param("", price, live=True),
    "token": _number(-1, 0, LARGEST, live=True),
}

# What the view of a whole vocabulary keeps. `sought`: what is searched for; `script`: "" for all.
EXPLORER = {
    "sought": FIND,
    "among": Param("text", name, live=True),
    "kind": Param("all", name, live=True),
    "script": _text(40, live=True),
    "order": Param("id", name, live=True),
}

PARAMS: dict[str, dict[str, Param]] = {
    "learn": {
        "lesson": _choice(LESSONS[0], [*LESSONS, MIXED]),
        "text": _text(LESSON_CHARACTERS),
        "seed": _number(1, 1, MOST_SEED),
        "answers": Param("", spelt("0123456789abcdef=s-.", LESSON_CHARACTERS)),
        "done": _param(Several(choice(*LESSONS, MIXED)), ()),
    },
    "start": {"corpus": _corpus("bytes-into-words"), "text": YOUR_TEXT, **TOKEN_VIEW},
    "playground": {
        "corpus": _corpus("keepers-dog"),
        "text": YOUR_TEXT,
        "tokenizer": Param(FAVOURITE, tokenizer),
        "against": Param(BESIDE, tokenizers, without_files),
        "training": TRAINING,
        "specials": _choice("yes", YES_OR_NO),
        "view": Param("tokens", name, live=True),
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
        "glyph": _choice("_", "_Ġ▁"),
        "step": STEP,
        "words": FIND,
        "sort": _choice(None, SORTS, live=True),
        "view": Param("vocabulary", name, live=True),
        "find": FIND,
        "try": _text(100, live=True),
    },
    "pipeline": {
        "corpus": _corpus("accents"),
        "text": YOUR_TEXT,
        "second": TEXT,
        "normalizers": _setting("normalizers", ["nfd", "strip-accents", "lowercase"]),
        "pretokenizer": _choice(OWN, [OWN, *PRETOKENIZERS]),
        "model": _choice("gpt2", TOKENIZERS),
        "training": TRAINING,
        "template": _choice("none", TEMPLATES),
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
        "held": _choice(FITTING, [FITTING, ITSELF, *EXAMPLES, PASTE]),
        "held_text": TEXT,
        "step": STEP,
        "all_words": _choice("no", YES_OR_NO, live=True),
        "spaces": _choice("no", YES_OR_NO, live=True),
        "view": Param("merges", name, live=True),
        "find": FIND,
    },
    "algorithms": {
        "corpus": _corpus("cats-eat"),
        "text": YOUR_TEXT,
        "pretokenizer": _setting("pretokenizer", "whitespace"),
        "pattern": SETTINGS["pattern"],
        "vocab_size": _fitting(0, _number(1, 1, MOST_ENTRIES)),
        "view": Param("compare", name, live=True),
        "sentence": _fitting(1, _text(1000, live=True)),
        "step": STEP,
        "round": _number(0, 0, 1000, live=True),
        "word": _fitting(2, _text(WORD_CHARACTERS, live=True)),
    },
}
