"""The link of a page, which Share copies, and the page's address in the browser.

A link has the values that differ from their defaults and fit into a link, by their current names. The address is the
link without what a visitor typed: proxies and servers log addresses. What it leaves out is in the browser's tab.

    link       text=low+lower&step=3&find=es
    address    step=3&in_tab=text+find
"""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import quote_plus

from bpe_core.text.in_words import listed
from pages.parts.state.chat_values import OWN_TEMPLATE
from pages.parts.state.tokenizer_keys import in_file
from pages.parts.state.values import Value, getters, rows

# The most characters of all texts in a link together, percent-encoded.
# Browsers and proxies carry addresses of 8,000 characters.
LINK_LENGTH = 7000
SHORT = 60  # characters of a value that is no text
IN_TAB = "in_tab"  # the name in an address under which it names the values that only the browser's tab has
OWN = "own"  # the corpus "own" is your own text; the pretokenizer "own" is the vocabulary's own
# Links with former names of values are still read. Former name → current name.
FORMER = {
    "marker": "word_marker", "left-marker": "left_word_marker", "right-marker": "right_word_marker",
    "ties": "tie_rule", "left-ties": "left_tie_rule", "right-ties": "right_tie_rule",
    "vocabulary": "vocab_size", "left-vocabulary": "left_vocab_size", "right-vocabulary": "right_vocab_size",
    "least": "min_count", "left-least": "left_min_count", "right-least": "right_min_count",
    "specials": "special_tokens", "left-specials": "left_special_tokens", "right-specials": "right_special_tokens",
    "chosen": "forced", "left-chosen": "left_forced", "right-chosen": "right_forced",
    "left-pattern": "left_pattern", "right-pattern": "right_pattern",
    "left-normalizers": "left_normalizers", "right-normalizers": "right_normalizers",
    "left-alphabet": "left_alphabet", "right-alphabet": "right_alphabet",
    "left": "left_pretokenizer", "right": "right_pretokenizer",
    "held-text": "held_text",
}  # fmt: skip


def named(page: type[object]) -> dict[str, tuple[str, Value[object]]]:
    """Return a mapping: the name of a value in the page's link → the value's field name and row."""
    return {row.name or name: (name, row) for name, row in rows(page).items()}


def current_name(page: type[object], given: str) -> str:
    """Return the current name of a value. `given`: the value's name in a link of the page, current or former."""
    return given if given in named(page) else FORMER.get(given, given)


def written(now: object) -> dict[str, str]:
    """Return the link of a state: name → text, for each value that differs from its default and fits into the link."""
    found, values = rows(type(now)), _chosen(now)
    missing = too_long(values)
    corpus = getattr(now, "corpus", "")
    # A text in the link implies the corpus `OWN`, and a corpus in the link implies that there is no text.
    implied = corpus and ("corpus" if corpus == OWN and "text" not in missing else "text")
    left_out = {implied, *missing}
    return {
        found[name].name or name: found[name].write(value) for name, value in values.items() if name not in left_out
    }


def address(page: type[object], link: Mapping[str, str]) -> dict[str, str]:
    """Return the address of a page for its link: without the private values, but with their names.

    >>> from pages.parts.state.train_state import Train
    >>> address(Train, {"text": "low lower", "step": "3", "find": "es"})
    {'step': '3', 'in_tab': 'text find'}
    """
    private = [name for name, (_, row) in named(page).items() if row.private and name in link]
    shown = {name: value for name, value in link.items() if name not in private}
    return shown | ({IN_TAB: " ".join(private)} if private else {})


def _chosen(now: object) -> dict[str, object]:
    """Return the values of a state that differ from their defaults, by field name.

    A pasted template that is not chosen is left out.
    """
    value_of = getters(type(now))
    values = {name: (row, value_of[name](now)) for name, row in rows(type(now)).items()}
    if getattr(now, "chat_template", OWN_TEMPLATE) != OWN_TEMPLATE:
        values.pop("own_template")
    return {
        name: value
        for name, (row, value) in values.items()
        if value != (row.default if row.fits is None else row.fits.get(getattr(now, row.by)))
    }


def left_out(now: object) -> str:
    """Return the end of a sentence that names the values lacking in the link; "" if no value is lacking."""
    found, chosen = rows(type(now)), _chosen(now)
    titles = [found[name].title for name in too_long(chosen)]
    too_long_for_it = "which is too long for a link: send it" if len(titles) == 1 else "which are too long: send them"
    files = [f"the file of “{found[name].title}”" for name, value in chosen.items() if in_file(value)]
    long = f"without {listed(titles)}, {too_long_for_it} separately" if titles else ""
    each = "send it" if len(files) == 1 else "send them"
    none = f"without {listed(files)}, which no link can carry: {each} separately" if files else ""
    return ", and ".join(filter(None, (long, none)))


def too_long(values: Mapping[str, object]) -> list[str]:
    """Return the names of the values that do not fit into a link.

    All texts in a link together may have `LINK_LENGTH` characters. Earlier values take their room first. A value that
    is `SHORT`, such as the key of a setting, always fits.

    >>> too_long({"text": "a" * 4000, "held_text": "\u65e5" * 400, "second": "a"})
    ['held_text']
    >>> too_long({"text": "a" * LINK_LENGTH, "left_alphabet": "bytes"})
    []
    """
    left, names = LINK_LENGTH, []
    for name, value in values.items():
        length = link_length(str(value)) if isinstance(value, (str, Mapping)) else 0  # a mapping is about as long
        if length > max(left, SHORT):
            names.append(name)
        else:
            left -= length
    return names


def link_length(text: str) -> int:
    """Return how many characters a text takes in a link.

    If no link can carry the text, the number is larger than `LINK_LENGTH`.

    >>> link_length("a b"), link_length("\u65e5")
    (3, 9)
    """
    if len(text) > LINK_LENGTH or any(0xD800 <= ord(char) < 0xE000 for char in text):
        return LINK_LENGTH + 1
    return len(quote_plus(text))
