"""The small elements of a page as HTML: a note, a heading, figures, a sentence about what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from markupsafe import Markup

from bpe_core.display import html

_FIGURE = Markup('<div><dt title="{meaning}">{name}</dt><dd>{value}</dd></div>')


def figures(rows: Iterable[tuple[str, str, str]]) -> Markup:
    """Figures in a row: (value, what it is, what that means)."""
    cells = (_FIGURE.format(value=value, name=name, meaning=meaning) for value, name, meaning in rows)
    return Markup('<dl class="figures">{}</dl>').format(html.joined(cells))


def heading(text: str) -> Markup:
    """The heading of a part of a page."""
    return Markup('<h2 class="part">{}</h2>').format(text)


def note(text: str) -> Markup:
    """A quiet line."""
    return Markup('<p class="note">{}</p>').format(text)


def sentence(text: str) -> Markup:
    """What a page says of a step or a comparison, above what it shows."""
    return Markup('<p class="sentence">{}</p>').format(text)


def problem(text: str) -> Markup:
    """One sentence about what cannot be done, which a screen reader says at once."""
    return Markup('<p class="problem" role="alert">{}</p>').format(text)


def beginning(text: str, name: str) -> Markup:
    """The beginning of a text that is too long for a text area."""
    return html.scroll_region(Markup("{} …").format(text), name, "beginning")


def title(text: str) -> Markup:
    """The title of one of several things side by side."""
    return Markup('<p class="title">{}</p>').format(text)


def token_list(
    name: str,
    tokens: Sequence[bytes],
    glyph: str = "_",
    most: int = 300,
    kind: Callable[[bytes], str] = lambda token: "",
) -> Markup:
    """A headed list of tokens; those that are of a `kind` are marked."""
    more = f"Showing the first {most:,}." if len(tokens) > most else "" if tokens else "None."
    listed = html.token_list(name, tokens[:most], glyph, kind) if tokens else Markup("")
    return title(name) + listed + (note(more) if more else Markup(""))
