"""The small elements of a page as HTML: a note, a heading, figures, a sentence about a problem."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from markupsafe import Markup

from bpe_core.pictures.paper import html
from bpe_core.text.alphabet import without_surrogates

_FIGURE = Markup("<div><dt>{}</dt><dd>{}</dd></div>")
_TERM = Markup(
    '<span class="term" tabindex="0" aria-describedby="{id}">{name}</span>'
    '<span class="definition" role="tooltip" id="{id}">{meaning}</span>'
)


def figures(rows: Iterable[tuple[str, str, str]], of: str = "") -> Markup:
    """Return numbers side by side, as HTML. What a number means shows while the pointer or the focus is on its name.

    `rows`: for each number its text, its name, and what the name means. `of`: what the numbers are about, if the page
    has numbers with these names about something else too.
    """
    cells = (_FIGURE.format(term(name, meaning, f"{of} {name}"), value) for value, name, meaning in rows)
    return Markup('<dl class="figures">{}</dl>').format(html.joined(cells))


def term(name: str, meaning: str, of: str) -> Markup:
    """Return a word whose meaning shows while the pointer or the focus is on the word.

    `meaning`: it is shown with a full stop. `of`: what the word is about, which no other word on the page is about.
    """
    return _TERM.format(name=name, meaning=f"{meaning.removesuffix('.')}.", id="-".join(f"about {of}".split()))


def heading(text: str) -> Markup:
    """Return the heading of a section of a page."""
    return Markup('<h2 class="part">{}</h2>').format(text)


def note(text: str) -> Markup:
    """Return a line of text in a quiet colour."""
    return Markup('<p class="note">{}</p>').format(text)


def explained(sentence: str, meaning: str, of: str = "") -> Markup:
    """Return a note whose part in brackets is explained: `meaning` shows while the pointer or the focus is on the part.

    `meaning`: "" for a note without an explanation. `of`: what the note is about, if the page has several that begin
    alike.

    >>> print(explained("2 words, [1 lost].", ""))
    <p class="note">2 words, 1 lost.</p>
    """
    before, _, rest = sentence.partition("[")
    shown, _, after = rest.partition("]")
    part = term(shown, meaning, f"{of} {shown}") if meaning else shown
    return note(Markup("{}{}{}").format(before, part, after))


def more(title: str, text: str) -> Markup:
    """Return a line that opens to show a text, in a quiet colour."""
    return Markup('<details class="note"><summary>{}</summary><p>{}</p></details>').format(title, text)


def question(text: str) -> Markup:
    """Return the question that a view answers, as the view's heading."""
    return Markup('<h2 class="question">{}</h2>').format(text)


def box_title(text: str) -> Markup:
    """Return the title of a text box. Screen readers read the box's own label instead."""
    return Markup('<p class="box-title" aria-hidden="true">{}</p>').format(text)


def sentence(text: str) -> Markup:
    """Return the sentence that a page shows above its figures. The sentence is about a step or a comparison."""
    return Markup('<p class="sentence">{}</p>').format(text)


def finding(text: str) -> Markup:
    """Return the sentence that answers the question of a view. It is large: what is below it is the proof."""
    return Markup('<p class="sentence finding">{}</p>').format(text)


def problem(text: str) -> Markup:
    """Return a sentence about a problem. A screen reader reads the sentence out at once."""
    return Markup('<p class="problem" role="alert">{}</p>').format(text)


def beginning(text: str, name: str) -> Markup:
    """Return a box that scrolls. It has the beginning of a text that is too long for a text area."""
    return html.scroll_region(Markup("{} …").format(without_surrogates(text, "\ufffd")), name, "beginning")


def title(text: str) -> Markup:
    """Return the title of a column."""
    return Markup('<p class="title">{}</p>').format(text)


def token_list(
    name: str,
    tokens: Sequence[bytes],
    glyph: str = "_",
    most: int = 300,
    kind: Callable[[bytes], str] = lambda token: "",
) -> Markup:
    """Return a title and a list of the first `most` tokens.

    `name`: the title. `kind`: a function that returns the CSS class of a token; "" for none.
    """
    more = f"Showing the first {most:,}." if len(tokens) > most else "" if tokens else "None."
    listed = html.token_list(name, tokens[:most], glyph, kind) if tokens else Markup("")
    return title(name) + listed + (note(more) if more else Markup(""))
