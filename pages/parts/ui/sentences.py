"""Sentences that several pages show, as plain text or as escaped HTML."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from operator import itemgetter
from string import punctuation

import numpy as np
from markupsafe import Markup

from bpe_core import Run
from bpe_core.pictures.film.film_sentences import stopped
from bpe_core.pictures.tokens.text_remarks import line_ends
from bpe_core.settings import SETTINGS
from bpe_core.text.in_words import counted
from pages.parts.ui import elements

QUARTERED = 8  # from this many merges on, a sentence speaks of the first quarter of a training


def plain(text: str) -> str:
    """Return a text escaped for Markdown.

    >>> print(plain("a*b*"))
    a\\*b\\*
    """
    return "".join("\\" + char if char in punctuation else char for char in text).replace("\n", " ")


def problem(error: Exception) -> str:
    """Return an error of the engine as a sentence for the screen."""
    text = str(error)
    if getattr(error, "least", None):
        text = f"The vocabulary size{text.removeprefix('vocab_size')}. Choose a larger one"
    for name in ("then_across_words_from", "vocab_size", "tie_rule"):
        text = text.replace(name, f"“{SETTINGS[name].title}”")
    return f"{text[0].upper()}{text[1:]}."


def marker(where: str, glyph: str, chosen: str) -> str:
    """Return a sentence on the sign `glyph`, which marks where words start or end. `where`: a key of `WORD_MARKERS`.

    `chosen`: the sign that the visitor chose; if it is another one, tokens have it as text.

    >>> marker("end", "_", "_"), marker("none", "", "_")
    (' _ ends a word.', '')
    >>> marker("end", "Ġ", "_")
    ' Ġ ends a word: _ is a token itself.'
    """
    why = f": {chosen} is a token itself" if glyph != chosen else ""
    return "" if where == "none" else f" {glyph} {where}s a word{why}."


def outcome(run: Run, goes_on: bool = False) -> Markup:
    """Return a line about a training: its words, its merges, its ties, why it stopped.

    `goes_on`: whether another stage follows.
    """
    last = run.stages[-1]
    words = counted(len(run.pretokens), f"different {last.settings.splitter.unit}")
    asked, got = last.settings.vocab_size, run.vocab_size
    tied = int((run.ties > 1).sum())
    sizes: str | Markup = f"{words}, {_sizes(run)}"
    if tied:
        shown = elements.term(counted(tied, "tie"), " ".join(ties(run.ties > 1)), "the ties of the training")
        sizes = Markup("{}, {}").format(sizes, shown)
    why = stopped(last, goes_on)
    if goes_on:
        why += " After the last step, Next goes on there."
    elif run.stop_reason == "no pairs left" and run.steps:
        why = f"Nothing left to join: {got:,} of the {asked:,} tokens asked for."
    elif run.stop_reason == "no pairs left":
        why += f" The vocabulary has {got:,} of the {asked:,} tokens asked for."
    return elements.note(Markup("{}. {}").format(sizes, why))


def early_end(run: Run) -> str:
    """Return a sentence on a first stage that ended before the size at which merges begin to cross words; else "".

    >>> from bpe_core import Settings, train
    >>> early_end(train("to be to be", Settings(vocab_size=400, then_across_words_from=300)))
    'Within words, training ended at 260 tokens, after 4 merges: no pair was left.'
    >>> early_end(train("to be to be", Settings(vocab_size=259, then_across_words_from=257)))
    ''
    """
    first, *later = run.stages
    if not later or first.stop_reason == "target reached":
        return ""
    whys = {"no pairs left": "no pair was left", "below min_count": "no pair was seen often enough"}
    unit, why = first.settings.splitter.unit, whys.get(first.stop_reason, "the tokens had become too long")
    made = counted(first.steps, "merge" if first.start is None else "new merge")
    return f"Within {unit}s, training ended at {first.vocab_size:,} tokens, after {made}: {why}."


def _sizes(run: Run) -> str:
    """Return how many merges a run has, and how many tokens there were before these merges.

    >>> from bpe_core import Settings, train
    >>> _sizes(train("to be to be", Settings(vocab_size=259, then_across_words_from=257)))
    '1 merge within words made 257 tokens, then 2 across words'
    >>> _sizes(train("to be", Settings(vocab_size=257)))
    '256 base symbols, 1 merge'
    """
    first, *later = run.stages
    if later:
        unit = first.settings.splitter.unit
        made = counted(first.steps, "merge" if first.start is None else "new merge")
        return f"{made} within {unit}s made {first.vocab_size:,} tokens, then {later[0].steps:,} across {unit}s"
    if run.start is not None:
        return f"{counted(run.steps, 'new merge')}, {counted(run.base, 'token')} before them"
    return f"{counted(run.base, 'base symbol')}, {counted(run.steps, 'merge')}"


def ties(tied: np.ndarray) -> list[str]:
    """Return sentences on how many merges were ties, and how many of the ties came after the first quarter.

    `tied`: for each merge, whether it was a tie.

    >>> ties(np.array([False, True, *[True] * 6]))[0]
    '7 of 8 merges were ties, 6 of them after step 2.'
    >>> ties(np.array([False, True])), ties(np.array([False])), ties(np.array([], bool))
    (['1 of 2 merges was a tie.'], ['None was a tie.'], [])
    """
    if not len(tied) or not tied.any():
        return ["None was a tie."] if len(tied) else []
    number, first = int(tied.sum()), len(tied) // 4
    were = f"{number:,} of {counted(len(tied), 'merge')} {'was a tie' if number == 1 else 'were ties'}"
    if len(tied) < QUARTERED or number == 1:
        return [f"{were}."]
    early, later, others = int(tied[:first].sum()), int(tied[first:].sum()), len(tied) - first
    some = {0: "none", number: "all"}.get(later, f"{later:,}")
    grow = later * first > early * others
    where = f"{were}, {some} of them after step {first:,}."
    return [where, *(["Pairs grow rarer, and rare pairs are often equally frequent."] if grow else [])]


def window(shown: int, total: int, what: str) -> str:
    """Return a sentence on how many rows of a table are shown. `what`: the plural noun for a row.

    >>> window(200, 9744, "merges"), window(9, 9, "merges"), window(1, 1, "merges"), window(0, 0, "merges")
    ('Showing 200 of 9,744 merges.', '9 merges.', '1 merge.', 'No merges.')
    """
    if not total:
        return f"No {what}."
    return f"Showing {shown:,} of {total:,} {what}." if shown < total else f"{counted(total, what.removesuffix('s'))}."


def specials(special_tokens: Mapping[str, int]) -> str:
    """Return a sentence on a vocabulary's special tokens, which tables of its tokens leave out; "" if there are none.

    >>> specials({"<|endoftext|>": 50256})
    ' Besides, 1 special token: <|endoftext|> (id 50256).'
    >>> specials({"[CLS]": 300, "[PAD]": 301, "[SEP]": 302}), specials({})
    (' Besides, 3 special tokens: [CLS] (id 300) to [SEP] (id 302).', '')
    """
    if not special_tokens:
        return ""
    found = sorted(special_tokens.items(), key=itemgetter(1))
    ends = " to ".join(f"{name} (id {token_id})" for name, token_id in dict([found[0], found[-1]]).items())
    return f" Besides, {counted(len(found), 'special token')}: {ends}."


def about_text(text: str, most: int) -> list[str]:
    """Return remarks about a text. The page shows the first `most` characters of the text.

    >>> about_text("a" * 2000, 2000)
    []
    >>> about_text("a" * 2001, 2000)
    ['The text is long: these are its first 2,000 characters.']
    """
    long = f"The text is long: these are its first {most:,} characters." if len(text) > most else ""
    return [*filter(None, (long, line_ends(text)))]


PHASES = {
    "starting": "Starting",
    "counting": "Counting the words",
    "merging": "Merging",
    "wordpiece": "WordPiece: merging",
    "unigram": "Unigram: pruning",
    "indexing": "Working out the pair counts of every step",
}


def in_line(before: int, at_once: int) -> str:
    """Return a sentence for a training that waits. `before`: how many trainings are before it in the line.

    >>> in_line(0, 2), in_line(2, 1)
    ('The server trains 2 texts at a time: yours is next.', 'The server trains 1 text at a time: 2 wait before yours.')
    """
    return f"The server trains {counted(at_once, 'text')} at a time: {place(before)}."


def place(before: int) -> str:
    """Return a clause on the place in a line. `before`: how many are before it.

    >>> place(0), place(1)
    ('yours is next', '1 waits before yours')
    """
    return f"{counted(before, 'waits', 'wait')} before yours" if before else "yours is next"


def progress(phase: str, done: int, total: int, seconds: float | None = None) -> str:
    """Return a sentence on the progress of a training.

    `seconds`: how long the training has run; None if that is not known. From `seconds` the sentence estimates how long
    the rest of the merges will take.

    >>> progress("merging", 2500, 10000, 10.0)
    'Merging: 2,500 of 10,000. At this pace about 30 seconds more.'
    """
    sentence = PHASES[phase]
    if phase not in ("starting", "indexing"):
        sentence += f": {done:,} of {total:,}"
    if seconds is not None and phase == "merging" and done:
        sentence += f". At this pace about {counted(ceil(seconds * (total - done) / done), 'second')} more"
    return sentence + "."
