"""Tokens as HTML: coloured chips, the corpus as words x count. Values in, escaped HTML out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from html import escape
from itertools import pairwise

from bpe_core import Pretoken
from bpe_core.display.token_text import decode_whole, is_whole, parts, token_text
from bpe_core.text.alphabet import encode_text
from pages.parts.views.theme import hue, shades


def inner(token: bytes, glyph: str = "_") -> str:
    """What stands inside a chip."""
    return "".join(
        escape(text) if kind == "text" else f'<span class="{kind}">{escape(text)}</span>'
        for text, kind in parts(token, glyph)
    )


def chip(token: bytes, shade: int = 0, glyph: str = "_", title: str = "", mark: str = "", under: str = "") -> str:
    """One token. `mark`: "new" for a token made in this step; `under`: small text behind it, such as its id."""
    label = f' title="{escape(title)}"' if title else ""
    sub = f"<sub>{escape(under)}</sub>" if under else ""
    classes = " ".join(filter(None, ("token", f"t{hue(token)}", f"s{shade}", mark)))
    return f'<span class="{classes}"{label}>{inner(token, glyph)}{sub}</span>'


def line_break(token: bytes) -> str:
    """A real line break behind a token that has a newline in it."""
    return "<br>" if b"\n" in token else ""


def row(
    tokens: Sequence[bytes], glyph: str = "_", new: bytes | None = None, pair: tuple[bytes, bytes] | None = None
) -> str:
    """Tokens side by side; every `new` one is marked, and every occurrence of the pair."""
    found = {i + k for i, two in enumerate(pairwise(tokens)) if two == pair for k in (0, 1)}
    marks = ["new" if token == new else "soft" if i in found else "" for i, token in enumerate(tokens)]
    drawn = zip(tokens, shades(list(tokens)), marks, strict=True)
    return "".join(chip(token, shade, glyph, mark=mark) for token, shade, mark in drawn)


def text_tokens(tokens: Sequence[bytes], ids: Sequence[int], glyph: str = "_", show_ids: bool = True) -> str:
    """A text as its tokens, in reading order; pieces of one character are held together under it."""
    html: list[str] = []
    group: list[str] = []
    pending = b""
    for token, token_id, shade in zip(tokens, ids, shades(list(tokens)), strict=True):
        name = "unknown" if token_id < 0 else str(token_id)
        title = f"{token_text(token, glyph)} · id {name} · bytes {token.hex(' ').upper()}"
        mark = "plain" if token_id < 0 else ""
        shown = chip(token, shade, glyph, title, mark, name if show_ids or mark else "") + line_break(token)
        if not pending and is_whole(token):
            html.append(shown)
            continue
        group.append(shown)
        pending += token
        if is_whole(pending):
            html.append(_together(group, pending))
            group, pending = [], b""
    html += group
    return f'<div class="tokens">{"".join(html)}</div>'


def _together(group: list[str], raw: bytes) -> str:
    whole = escape(decode_whole(raw))
    return f'<span class="whole" title="pieces of {whole}">{"".join(group)}<span class="of">= {whole}</span></span>'


def words(
    rows: Iterable[tuple[Sequence[bytes], int]],
    changed: Sequence[bool],
    glyph: str = "_",
    new: bytes | None = None,
    pair: tuple[bytes, bytes] | None = None,
    name: str = "words of the corpus",
) -> str:
    """The corpus as count x word between closed ends; the words that the step changed are marked."""
    html = []
    for (tokens, count), moved in zip(rows, changed, strict=True):
        mark = " changed" if moved else ""
        label = ' title="changed by this step"' if moved else ""
        html.append(f'<span class="count{mark}"{label}>{count:,} ×</span>')
        html.append(
            f'<span class="word" title="no merge crosses the ends of a word">{row(tokens, glyph, new, pair)}</span>'
        )
    label = f'tabindex="0" role="region" aria-label="{escape(name)}"'
    return f'<div class="tokens words scroll" {label}>{"".join(html)}</div>'


def pretokens(text: str, cut: Sequence[Pretoken], name: str = "pretokens") -> str:
    """A text's cut: each pretoken as a chip with the rule that made it, and between them what the cut drops."""
    encoded = [encode_text(pretoken.text) for pretoken in cut]
    chips, done = [], 0
    for token, pretoken, shade in zip(encoded, cut, shades(encoded), strict=True):
        chips.append(_dropped(text[done : pretoken.start]))
        chips.append(chip(token, shade, title=f"rule: {pretoken.rule}", under=pretoken.rule) + line_break(token))
        done = pretoken.end
    chips.append(_dropped(text[done:]))
    label = f'tabindex="0" role="region" aria-label="{escape(name)}"'
    return f'<div class="tokens scroll cut" {label}>{"".join(chips)}</div>'


def _dropped(text: str) -> str:
    """A stretch of the text that no pretoken has."""
    if not text:
        return ""
    raw = encode_text(text)
    return f'<span class="token lost" title="lost: no pretoken has it">{inner(raw)}</span>{line_break(raw)}'


def figures(rows: Iterable[tuple[str, str, str]]) -> str:
    """Figures in a row: (value, what it is, what that means)."""
    cells = (
        f'<div><dt title="{escape(meaning)}">{escape(name)}</dt><dd>{escape(value)}</dd></div>'
        for value, name, meaning in rows
    )
    return f'<dl class="figures">{"".join(cells)}</dl>'


def heading(text: str) -> str:
    """The heading of a part of a page."""
    return f'<h2 class="part">{escape(text)}</h2>'


def note(text: str) -> str:
    """A quiet line."""
    return f'<p class="note">{escape(text)}</p>'


def problem(text: str) -> str:
    """One sentence about what cannot be done, which a screen reader says at once."""
    return f'<p class="problem" role="alert">{escape(text)}</p>'


def beginning(text: str, name: str) -> str:
    """The beginning of a text that is too long for a text area."""
    label = f'tabindex="0" role="region" aria-label="{escape(name)}"'
    return f'<div class="beginning scroll" {label}>{escape(text)} …</div>'


def title(text: str, curve: str = "") -> str:
    """The title of one of several things side by side; `curve`: "left" or "right", how it is drawn in a chart."""
    line = f'<span class="curve {curve}"></span>' if curve else ""
    return f'<p class="title">{line}{escape(text)}</p>'


def token_list(
    name: str,
    tokens: Sequence[bytes],
    glyph: str = "_",
    most: int = 300,
    kind: Callable[[bytes], str] = lambda token: "",
) -> str:
    """A headed list of tokens; those that are of a `kind` are marked."""
    chips = " ".join(
        chip(token, 0, glyph, title=kind(token), mark="soft" if kind(token) else "") for token in tokens[:most]
    )
    more = f"Showing the first {most:,}." if len(tokens) > most else "" if tokens else "None."
    label = f'tabindex="0" role="region" aria-label="{escape(name)}"'
    listed = f'<div class="tokens scroll" {label}>{chips}</div>' if tokens else ""
    return title(name) + listed + (note(more) if more else "")
