"""The pairs that the visitor chose on Train in place of the tie rule: which they are, and what follows from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import streamlit as st
from markupsafe import Markup

from bpe_core import Run
from bpe_core.pictures.paper import html
from bpe_core.pictures.shared.token_text import shortened
from bpe_core.text.in_words import counted
from pages.parts.state.train_state import Train
from pages.parts.texts.corpora import Corpus
from pages.parts.trainings import runs
from pages.parts.ui import controls, elements

MOST_STEPS = 8  # that a sentence names
NAMED = 3  # merges that the sentence names on each side
LONG = 16  # bytes; of a longer token the sentence has the beginning
Pair = tuple[bytes, bytes]
_PAIR = Markup('<span class="pair">{}</span>')


class OtherMerges(NamedTuple):
    """The merges in which two trainings differ, from step `first` on, whatever the order of the merges.

    `here`: the pairs that only the one joins, each as often as it joins it more. `there`: those that only the other
    joins. `reordered`: whether the order of the merges differs.
    """

    first: int
    here: tuple[Pair, ...]
    there: tuple[Pair, ...]
    reordered: bool = True


def difference(run: Run, by_rule: Run) -> OtherMerges:
    """Return how the merges of a training with chosen pairs differ from those by the rule, from the first choice on.

    >>> from bpe_core import Settings, train
    >>> chosen = Settings("whitespace", vocab_size=258, forced={1: (b"o", b"w")})
    >>> difference(train("low low", chosen), train("low low", replace(chosen, forced={})))
    OtherMerges(first=1, here=((b'o', b'w'), (b'l', b'ow')), there=((b'l', b'o'), (b'lo', b'w')), reordered=True)
    """
    first = min(run.settings.forced)
    later = [[(merge.left, merge.right) for merge in each.merges[first - 1 :]] for each in (run, by_rule)]
    here, there = map(Counter, later)
    return OtherMerges(first, tuple((here - there).elements()), tuple((there - here).elements()), later[0] != later[1])


def in_words(found: OtherMerges, glyph: str) -> Markup:
    """Return a sentence on how the merges differ, as HTML.

    >>> str(in_words(OtherMerges(3, ((b"s", b"t"),), ((b"e", b"s"),)), "_").striptags())
    "From step 3 on 1 merge differs: s + t; the rule's 1 is e + s."
    >>> str(in_words(OtherMerges(3, (), ()), "_"))
    'From step 3 on the merges are the same, in another order.'
    >>> str(in_words(OtherMerges(3, (), (), reordered=False), "_"))
    'From step 3 on the merges are those of the rule.'
    """
    begin = f"From step {found.first:,} on"
    here, there = (_named(pairs, glyph) for pairs in (found.here, found.there))
    if not found.here and not found.there:
        which = "the same, in another order" if found.reordered else "those of the rule"
        return Markup("{} the merges are {}.").format(begin, which)
    if not found.here:
        return Markup("{} the rule makes {} more: {}.").format(begin, counted(len(found.there), "merge"), there)
    differ = counted(len(found.here), "merge differs", "merges differ")
    more = Markup("; the rule's {} {}").format(counted(len(found.there), "is", "are"), there) if found.there else ""
    return Markup("{} {}: {}{}.").format(begin, differ, here, more)


def _named(pairs: Sequence[Pair], glyph: str) -> Markup:
    named = [_PAIR.format(" + ".join(shortened(half, glyph, LONG) for half in pair)) for pair in pairs[:NAMED]]
    rest = f" and {len(pairs) - NAMED:,} more" if len(pairs) > NAMED else ""
    return Markup(", ").join(named) + rest


def steps(run: Run, last: int) -> str:
    """Return the steps, up to the step `last`, at which the visitor chose the pair; of many, the first.

    >>> from bpe_core import Settings, train
    >>> steps(train("low", Settings(vocab_size=258, forced={2: (b"l", b"ow"), 1: (b"o", b"w")})), 2)
    'steps 1, 2'
    """
    forced = sorted(step for step in run.settings.forced if step <= last)
    rest = f" and {len(forced) - MOST_STEPS:,} more" if len(forced) > MOST_STEPS else ""
    return f"step{'s' * (len(forced) > 1)} {', '.join(f'{at:,}' for at in forced[:MOST_STEPS])}{rest}"


def draw(text: Corpus, run: Run, glyph: str) -> None:
    """Draw at which steps the visitor chose the pair, a button that undoes this, and which merges differ since.

    If the training by the rule is not at hand and takes long, leave out which merges differ.
    """
    if not run.settings.forced:
        return
    by_rule = runs.at_hand(text, replace(run.settings, forced={}))
    note = f"You chose the pair at {steps(run, run.steps)}."
    differ = Markup(" ") + in_words(difference(run, by_rule), glyph) if by_rule else ""
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="train-choices"):
        st.html(elements.note(html.joined([note, differ])), width="content")
        controls.button("Back to the rule's choice", Train, lambda now: replace(now, forced={}))


def in_files(run: Run, last: int) -> str:
    """Return a sentence on files that cannot say that the visitor chose pairs; "" if the visitor chose none.

    `last`: the last step of the training that is in the files.
    """
    if not any(step <= last for step in run.settings.forced):
        return ""
    return f"The tokenizer and its merges have the pair that you chose at {steps(run, last)}."
