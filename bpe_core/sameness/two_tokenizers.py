"""Whether two tokenizers are the same: what is known of their parts, and the shortest text found that shows it.

Tokenizers of unknown origin are compared in a process of its own. A file that is opened for a visitor has its library
in another process. The process that compares needs both libraries, so it gets the files and opens them again.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

from bpe_core import arguments, shortcuts
from bpe_core.by_name import GivenTokenizer
from bpe_core.chat.given_template import template_of_model
from bpe_core.files import FormatError, load, loads, opened
from bpe_core.files.reading import gc_paused
from bpe_core.files.safely import GivenFiles, files_of
from bpe_core.record.run import Run
from bpe_core.sameness.chkhsh import Chkhsh, chkhsh
from bpe_core.sameness.composition import Composition
from bpe_core.sameness.parts import PartState, TokenizerPart, compared
from bpe_core.sameness.search import Search, ids_or_none
from bpe_core.tokenizer.tokenizer import Tokenizer

SECONDS = 60.0


NAMED = 3  # characters of a text whose names are said


def written(text: str) -> str:
    r"""Return a text as JSON, with escapes for what joins the character before and for what draws nothing.

    In a short text these characters are named.

    >>> written("'d"), written("  "), written("a\u0301")
    ('"\'d"', '"  "', '"a\\u0301" (U+0301 Combining acute accent)')
    """
    shown = json.dumps(text, ensure_ascii=False)
    for char in unseen(text):
        escaped = json.dumps(char)[1:-1]
        shown = shown.replace(char, escaped if escaped != char else f"\\u{ord(char):04x}")
    names = ", ".join(map(character_name, unseen(text)))
    return f"{shown} ({names})" if names and len(text) <= NAMED else shown


def unseen(text: str) -> list[str]:
    """Return the different characters of a text that draw nothing, or that join the character before.

    >>> unseen("a b\u200b\u0301") == ["\u200b", "\u0301"]
    True
    """
    return [char for char in dict.fromkeys(text) if char != " " and unicodedata.category(char)[0] in "CMZ"]


def character_name(char: str) -> str:
    """Return the number and the name of a character.

    >>> character_name("é")
    'U+00E9 Latin small letter e with acute'
    """
    return f"U+{ord(char):04X} {unicodedata.name(char, '').capitalize()}".strip()


@dataclass(frozen=True)
class Sameness:
    """What is known about two tokenizers: see `same`.

    `parts`: their parts, each equal, different, or written otherwise. `text`: the shortest text found whose ids differ,
    or None. `specials`: whether names of special tokens in that text are read as tokens. `one_ids`, `other_ids`: the
    ids of that text; None if that side refuses the text. `texts`: how many texts were tried. `chkhsh`: llama.cpp's hash
    of both. `assumptions`: of both sides, what is assumed because their files do not say it.
    """

    parts: tuple[TokenizerPart, ...]
    text: str | None
    specials: bool
    one_ids: tuple[int, ...] | None
    other_ids: tuple[int, ...] | None
    texts: int
    chkhsh: tuple[Chkhsh, Chkhsh]
    assumptions: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())

    _repr_html_ = shortcuts.in_notebook

    def __repr__(self) -> str:
        """Return the verdict; the parts are too many to print."""
        return f"<Sameness: {self.summary}>"

    @property
    def differing(self) -> tuple[str, ...]:
        """The names of the parts that are not equal."""
        return tuple(part.name for part in self.parts if part.state is not PartState.EQUAL)

    @property
    def is_different(self) -> bool:
        """Whether a difference was found: a text with other ids, or a part that both sides write in one notation."""
        return self.text is not None or any(part.state is PartState.DIFFERENT for part in self.parts)

    @property
    def summary(self) -> str:
        """A sentence: the text, or how many texts showed no difference. It never says more than was searched."""
        if self.text is not None:
            how = "" if self.specials else ", with names of special tokens read as text"
            return f"They differ. The shortest text found is {written(self.text)}{how}."
        parts = [(state, [part.name for part in self.parts if part.state is state]) for state in PartState]
        known = [f"{state}: {', '.join(names)}" for state, names in parts[1:] if names]
        equal = "all parts that are compared are equal"
        return f"No difference found in {self.texts:,} texts; {'; '.join(known) or equal}."


def same(
    one: GivenTokenizer,
    other: GivenTokenizer,
    *,
    seconds: float = SECONDS,
    progress: Callable[[str, int, int], None] | None = None,
) -> Sameness:
    """Compare two tokenizers part by part, and search for the shortest text that gets other ids.

    `one`, `other`: tokenizers, runs, or what `load` opens by name or path. The texts are made from the differences of
    the parts, then of all kinds of characters, then at random, always the same ones: 200,000 at most, in at most
    `seconds`. A text that differs is made as short as possible. What is put around a text is compared as a part alone.
    Chat templates are compared if both come by name or path. `progress(phase, done, total)` is called meanwhile.

    >>> found = same("gpt2", "p50k_base")
    >>> found.text, found.one_ids, found.other_ids
    ('  ', (220, 220), (50257,))
    >>> [part.name for part in found.parts if part.state == "different"]
    ['vocabulary', 'merges']
    """
    if arguments.number(seconds, "seconds") < 0:
        raise ValueError(f"seconds is how long to search, 0 or more, and is {seconds}")
    arguments.function(progress, "progress")
    first, second = (Composition(opened(each), template_text(each)) for each in (one, other))
    return sameness(first, second, seconds, progress)


def sameness(
    one: Composition, other: Composition, seconds: float, progress: Callable[[str, int, int], None] | None = None
) -> Sameness:
    """Compare two tokenizers with their templates: see `same`."""
    sides, parts = (one, other), compared(one, other)
    search = Search(one, other, seconds, progress or (lambda phase, done, total: None))
    search.run(parts)
    text, specials = search.shortest or (None, search.specials)
    ids = [None if text is None else ids_or_none(side.tokenizer, [text], specials)[0] for side in sides]
    first, second = (None if found is None else tuple(found) for found in ids)
    parts = tuple(
        replace(part, text=search.found[part.name][0]) if part.name in search.found else part for part in parts
    )
    hashes = (chkhsh(one.tokenizer), chkhsh(other.tokenizer))
    assumed = (tuple(one.tokenizer.assumptions), tuple(other.tokenizer.assumptions))
    return Sameness(parts, text, specials, first, second, search.texts, hashes, assumed)


def template_text(given: GivenTokenizer) -> str:
    """Return the chat template of a model; "" if there is none, or if `given` is no name and no path."""
    if isinstance(given, (Tokenizer, Run)):
        return ""
    found = template_of_model(given)
    return "\n".join(found.named.values()) or found.source if found else ""


class Sent(NamedTuple):
    """A tokenizer that another process can have: its name, its files, or itself if it needs no library.

    `template`: its chat template; "" if there is none, or none is known.
    """

    tokenizer: str | GivenFiles | Tokenizer
    template: str = ""


def sent(tokenizer: Tokenizer, template: str = "") -> Sent:
    """Return a tokenizer as it can be sent.

    >>> from bpe_core import load
    >>> sent(load("gpt2")).tokenizer == load("gpt2")
    True
    """
    return Sent(files_of(tokenizer) or tokenizer, template)


def sameness_of(
    one: Sent, other: Sent, seconds: float, *, progress: Callable[[str, int, int], None] | None = None
) -> Sameness:
    """Compare two tokenizers: see `same`. Every error becomes a `FormatError`: a library's may not be picklable.

    >>> found = sameness_of(Sent("gpt2"), Sent("p50k_base"), 10.0)
    >>> found.text, found.one_ids
    ('  ', (220, 220))
    """
    try:
        with gc_paused():
            sides = _composition(one), _composition(other)
        return sameness(*sides, seconds, progress)
    except MemoryError:
        raise
    except Exception as error:
        raise FormatError(str(error) or type(error).__name__) from None


def _composition(given: Sent) -> Composition:
    match given.tokenizer:
        case str() as name:
            return Composition(load(name), given.template)
        case GivenFiles() as files:
            return Composition(loads(*files), given.template)
        case tokenizer:
            return Composition(tokenizer, given.template)
