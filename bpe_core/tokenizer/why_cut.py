"""Where a tokenizer cuts a text before it merges, with the alternative of its pattern that made each cut."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from bpe_core.by_name import GivenTokenizer, opened_beside
from bpe_core.corpus.text_files import OneText, whole_text
from bpe_core.text.pattern_parts import taken_apart
from bpe_core.text.pretokenizers import PRETOKENIZERS
from bpe_core.text.rules import Pretoken
from bpe_core.tokenizer.checks import Specials


def cuts(tokenizer: GivenTokenizer, text: OneText, specials: Specials = None) -> tuple[Pretoken, ...]:
    """Return the pretokens of a text, each with the name of its alternative in the pattern; `alternatives` says them.

    `tokenizer`: a tokenizer, or what `load` takes. Offsets are in the normalized text. A library that splits a text
    does not say why: its offsets are in the text as typed, and its pretokens have a name where our rules find the same
    pretoken there, and else "".

    >>> from bpe_core import load
    >>> [(pretoken.text, pretoken.rule) for pretoken in cuts(load("gpt2"), "I'm 42")]
    [('I', 'letters'), ("'m", 'contraction'), (' 42', 'digits')]
    """
    tokenizer, text = opened_beside(tokenizer, text, "cuts(tokenizer, text)"), whole_text(text)
    splitter = taken_apart(tokenizer.pretokenizer)
    if not tokenizer.needs_library:
        return replace(tokenizer, pretokenizer=splitter).encode(text, specials=specials).pretokens
    pretokens = tokenizer.encode(text, specials=specials).pretokens
    if splitter.seconds is None and splitter not in PRETOKENIZERS.values():
        return pretokens
    parts = Counter(each[1:3] for each in pretokens)  # a normalizer may make two pretokens from one typed character
    names = {found[1:3]: found.rule for found in splitter.pretokens(text) if parts[found[1:3]] == 1}
    return tuple(each if each.rule else each._replace(rule=names.get(each[1:3], "")) for each in pretokens)
