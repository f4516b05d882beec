"""Holes in a sentence: something that was to be filled in is not there."""

import re
from collections.abc import Iterable, Iterator

from streamlit.testing.v1 import AppTest

_MISSING = re.compile(
    r"\s\s|^\s|\s$|\s[.,;:!?)](?=\s|$)"  # a space too many
    r"|\(\s|\(\)|“\s*”|\{\w*\}"  # nothing in brackets, or a name that was not replaced
    r"|\b(?:as in|such as|the|an|and|or)[.,;:)](?=\s|$)"  # nothing after a word that something has to follow
    r"|[,;][.,;:]|(?<!\.)\.\.(?!\.)|(?<!al)\.[;:]",  # nothing between two signs
    re.I,
)


def holes(sentences: Iterable[str]) -> list[str]:
    """Return the sentences that have a hole.

    >>> holes(["The first pair. As in .", "The pair () of 3", "It takes 3, ; it ends", "All of the, pairs", "  two"])
    ['The first pair. As in .', 'The pair () of 3', 'It takes 3, ; it ends', 'All of the, pairs', '  two']
    >>> holes(["Another: open a tokenizer …", "Sennrich et al., 2016", "a .gguf or .model file", "to be, or"])
    []
    """
    return [sentence for sentence in sentences if _MISSING.search(sentence)]


def lines(test: AppTest) -> Iterator[str]:
    """Yield the labels of a page's controls, what a menu offers, and the help."""
    for element in (*test.main, *test.sidebar):
        proto = getattr(element, "proto", None)
        for name in ("label", "help", "placeholder"):
            if written := getattr(proto, name, ""):
                yield str(written)
        yield from (str(getattr(each, "content", each)) for each in getattr(proto, "options", ()))
