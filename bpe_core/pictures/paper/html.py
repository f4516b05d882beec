"""Tokens as HTML: coloured chips in rows, the words of a corpus, pretokens, drawings. All text is escaped.

The style sheet of the CSS classes is in `style`. Not here: how a token is written (`token_text`), and its colour
(`colours`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from markupsafe import Markup, escape

from bpe_core.pictures.shared.colours import hue, shades
from bpe_core.pictures.shared.direction import directed, kind_of
from bpe_core.pictures.shared.drawing import Bar, Chip, Columns, Drawing, Heading, Row, Whole
from bpe_core.pictures.shared.json_form import Sentence
from bpe_core.pictures.shared.style import alone
from bpe_core.pictures.shared.token_text import groups, parts, token_text
from bpe_core.text.alphabet import encode_text
from bpe_core.text.rules import Pretoken

_CHIP = Markup('<span class="{}"{}>{}{}</span>')
_REGION = Markup('<div class="{}" tabindex="0" role="region" aria-label="{}">{}</div>')
_COUNT = Markup('<span class="count{}"{}>{} ×</span>')
_WORD = Markup('<span class="word" title="no merge crosses the ends of a word">{}</span>')
_WHOLE = Markup('<span class="whole" title="parts of {0}">{1}<span class="of">= {0}</span></span>')
_PAGE = Markup(
    '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark">\n'
    "<title>{0}</title></head>\n<body>\n{1}\n</body></html>\n"
)
_NODE = Markup('<li>{}<span class="step">{}</span>{}</li>')
_COLUMNS = Markup('<div style="display: flex; flex-wrap: wrap; gap: 0.6rem 2rem">{}</div>')
_COLUMN = Markup('<div style="flex: 1 1 16rem; min-width: 0">{}</div>')
_BAR = Markup(
    '<span style="display: inline-block; width: 4.5rem"><span style="display: inline-block; height: 0.7em; '
    'width: {:.1%}; background: var(--{})"></span></span>'
)
CACHED = 20_000  # chips
LONG = 64  # bytes; the chip of a longer token is not cached
UNKNOWN_MARK = "unknown"  # of text that the vocabulary cannot write: struck through, without a colour


def joined(elements: Iterable[Markup | str]) -> Markup:
    """Join elements; a plain text is escaped.

    >>> joined([Markup("<br>"), "<"])
    Markup('<br>&lt;')
    """
    return Markup("").join(elements)


def inner(token: bytes, glyph: str = "") -> Markup:
    """Return the content of a chip, the coloured box of a token.

    >>> inner(b" <b>")
    Markup('<span class="mark">·</span>&lt;b&gt;')
    """
    return joined(
        text if kind == "text" else Markup('<span class="{}">{}</span>').format(kind, text)
        for text, kind in parts(token, glyph)
    )


def chip(token: bytes, shade: int = 0, glyph: str = "", title: str = "", mark: str = "", under: str = "") -> Markup:
    """Draw a token. `mark`: "new" for the token that a step made, "unknown" for text that the vocabulary cannot write.

    `under`: small text after the token, such as its id.

    >>> chip(b"low", mark="new"), chip(b"low", mark="unknown", under="[UNK]").striptags()
    (Markup('<span class="token t5 s0 new">low</span>'), 'low[UNK]')
    """
    make = _chip if len(token) > LONG else _cached
    return make(token, shade, glyph, title, mark, under)


def _chip(token: bytes, shade: int, glyph: str, title: str, mark: str, under: str) -> Markup:
    label = Markup(' title="{}"').format(title) if title else Markup("")
    label += Markup(' dir="rtl"') if kind_of(token) == "rtl" else ""
    sub = Markup("<sub>{}</sub>").format(under) if under else ""
    if mark == UNKNOWN_MARK:
        return _CHIP.format(f"token {mark}", label, Markup("<del>{}</del>").format(inner(token, glyph)), sub)
    classes = " ".join(filter(None, ("token", f"t{hue(token)}", f"s{shade}", mark)))
    return _CHIP.format(classes, label, inner(token, glyph), sub)


_cached = lru_cache(CACHED)(_chip)
_STOP = re.compile(r"[.,;:!?)]+")  # what never begins a line


def sentence(parts: Sentence, glyph: str = "") -> Markup:
    """Draw a sentence with its tokens as chips.

    >>> sentence(["made from ", (b"a", b"b"), "."]).striptags()
    'made from ab.'
    """
    drawn: list[Markup] = []
    for part in parts:
        if not isinstance(part, str):
            drawn += [chip(token, glyph=glyph) for token in (part if isinstance(part, tuple) else (part,))]
        elif drawn and (stop := _STOP.match(part)):
            drawn += [held(drawn.pop(), stop[0]), escape(part[stop.end() :])]
        else:
            drawn.append(escape(part))
    return Markup('<p class="sentence">{}</p>').format(joined(drawn))


def held(token: Markup, stop: str) -> Markup:
    """Return a token and the stop after it, which stays in the token's line.

    >>> held(Markup("<i>low</i>"), ".")
    Markup('<span class="held"><i>low</i>.</span>')
    """
    return Markup('<span class="held">{}{}</span>').format(token, stop)


def line_break(token: bytes) -> Markup:
    """Return a line break if the token has a newline in it.

    >>> line_break(b"\\n")
    Markup('<br>')
    """
    return Markup("<br>" if b"\n" in token else "")


def row(
    tokens: Sequence[bytes],
    glyph: str = "",
    new: bytes | None = None,
    pair: tuple[bytes, bytes] | None = None,
    known: Container[bytes] | None = None,
) -> Markup:
    """Draw tokens side by side. Mark the `new` token, all occurrences of the pair, and tokens that are not in `known`.

    >>> row([b"l", b"ow"], new=b"ow")
    Markup('<span class="token t10 s0">l</span><span class="token t8 s0 new">ow</span>')
    """
    found = {i + k for i, two in enumerate(pairwise(tokens)) if two == pair for k in (0, 1)}
    marks = ["new" if token == new else "soft" if i in found else "" for i, token in enumerate(tokens)]
    unknown = [known is not None and token not in known for token in tokens]
    drawn = zip(tokens, shades(tokens), marks, unknown, strict=True)
    chips = [
        chip(token, shade, glyph, mark=UNKNOWN_MARK if no_token else mark, under="unknown" if no_token else "")
        for token, shade, mark, no_token in drawn
    ]
    return joined(directed(chips, tokens))


def scroll_region(content: Markup, name: str, classes: str = "tokens") -> Markup:
    """Return a region in which long content scrolls by mouse or keyboard. `name`: the label for screen readers.

    >>> scroll_region(Markup("<i>a</i>"), "words")
    Markup('<div class="scroll tokens" tabindex="0" role="region" aria-label="words"><i>a</i></div>')
    """
    return _REGION.format(f"scroll {classes}", name, content)


def text_tokens(
    tokens: Sequence[bytes],
    ids: Sequence[int],
    glyph: str = "",
    show_ids: bool = True,
    lost: Sequence[bool] = (),
    lost_name: str = "unknown",
    marks: Sequence[tuple[str, str]] = (),
) -> Markup:
    """Draw the tokens of a text. Tokens that are parts of one character are a group; the character follows the group.

    `lost`: for each token, whether the vocabulary cannot write its text. By default a token with an id below 0 is lost.
    `lost_name`: the small text after a lost token. `marks`: for each token, a CSS class and a text for its tooltip.

    >>> text_tokens([b"low"], [300]).striptags(), text_tokens([b"low"], [0], lost=[True], lost_name="[UNK]").striptags()
    ('low300', 'low[UNK]')
    """
    drawn: list[Markup] = []
    gone = lost or [token_id < 0 for token_id in ids]
    marked = marks or [("", "")] * len(ids)
    for token, token_id, shade, is_lost, (style, more) in zip(tokens, ids, shades(tokens), gone, marked, strict=True):
        name = lost_name if is_lost else str(token_id)
        facts = (token_text(token, glyph), f"id {name}", f"bytes {token.hex(' ').upper()}", more)
        title = " · ".join(filter(None, facts))
        mark = UNKNOWN_MARK if is_lost else style
        drawn.append(chip(token, shade, glyph, title, mark, name if show_ids or is_lost else "") + line_break(token))
    spans = [*groups(tokens)]
    html = [
        _WHOLE.format(token_text(b"".join(tokens[start:end]), glyph), joined(drawn[start:end]))
        if end > start + 1
        else drawn[start]
        for start, end in spans
    ]
    wholes = [b"".join(tokens[start:end]) for start, end in spans]
    return Markup('<div class="tokens">{}</div>').format(joined(directed(html, wholes)))


def words(
    rows: Iterable[tuple[Sequence[bytes], int]],
    changed: Sequence[bool],
    glyph: str = "",
    new: bytes | None = None,
    pair: tuple[bytes, bytes] | None = None,
    name: str = "words of the corpus",
) -> Markup:
    """Draw words of a corpus with their counts. `changed`: for each word, whether to mark it as changed by a step.

    >>> words([([b"l", b"ow"], 1200)], changed=[False]).striptags()
    '1,200 ×low'
    """
    html = []
    for (tokens, count), moved in zip(rows, changed, strict=True):
        mark = " changed" if moved else ""
        html.append(_COUNT.format(mark, Markup(' title="changed by this step"') if moved else "", f"{count:,}"))
        html.append(_WORD.format(row(tokens, glyph, new, pair)))
    return scroll_region(joined(html), name, "tokens words")


def pretokens(text: str, found: Sequence[Pretoken], name: str = "pretokens") -> Markup:
    """Draw a text's pretokens, the rule that made each pretoken, and the thrown-away text between pretokens.

    >>> pretokens("a b", [Pretoken("a", 0, 1, "word"), Pretoken("b", 2, 3, "word")]).striptags()
    'aword·bword'
    """
    encoded = [encode_text(pretoken.text) for pretoken in found]
    chips: list[Markup] = []
    of_chips: list[bytes] = []  # the token of each chip
    done = 0
    for token, pretoken, shade in zip(encoded, found, shades(encoded), strict=True):
        chips.append(_thrown_away(text[done : pretoken.start]))
        of_chips += [b"", token]
        chips.append(chip(token, shade, title=f"rule: {pretoken.rule}", under=pretoken.rule) + line_break(token))
        done = pretoken.end
    chips.append(_thrown_away(text[done:]))
    return scroll_region(joined(directed(chips, [*of_chips, b""])), name, "tokens split")


def _thrown_away(text: str) -> Markup:
    if not text:
        return Markup("")
    raw = encode_text(text)
    return Markup('<span class="token lost" title="lost: no pretoken has it">{}</span>').format(inner(raw)) + (
        line_break(raw)
    )


def token_list(
    name: str, tokens: Sequence[bytes], glyph: str = "", kind: Callable[[bytes], str] = lambda token: ""
) -> Markup:
    """Draw tokens with spaces between them; `kind` returns the tooltip of a marked token, "" for an unmarked token.

    >>> token_list("tokens", [b"low", b"er"]).striptags()
    'low er'
    """
    chips = (chip(token, 0, glyph, title=kind(token), mark="soft" if kind(token) else "") for token in tokens)
    return scroll_region(Markup(" ").join(chips), name)


def html_page(drawing: Drawing) -> str:
    """Return a drawing as an HTML page without a script. The reader's system decides between light and dark colours.

    >>> from bpe_core.pictures.shared.drawing import chips
    >>> html_page(Drawing("one", (chips([b"<b>"]),))).splitlines()[2]
    '<title>one</title></head>'
    """
    return str(_PAGE.format(drawing.title, alone(drawing_rows(drawing), drawing.title)))


def drawing_rows(drawing: Drawing) -> Markup:
    """Return the rows of a drawing as HTML.

    >>> drawing_rows(Drawing("none", (("no tokens",),)))
    Markup('<div class="tokens"> no tokens </div>')
    """
    return _rows(drawing.rows, drawing.glyph)


def _rows(rows: Iterable[Row | Columns], glyph: str) -> Markup:
    return joined(
        _COLUMNS.format(joined(_COLUMN.format(_rows(column, glyph)) for column in row.columns))
        if isinstance(row, Columns)
        else Markup('<div class="tokens">{}</div>').format(joined(_items(row, glyph)))
        for row in rows
    )


def _items(row: Row, glyph: str) -> Iterator[Markup]:
    for item in row:
        if isinstance(item, str):
            yield Markup(" {} ").format(item)
        elif isinstance(item, Heading):
            yield Markup("<strong>{}</strong>").format(item.text)
        elif isinstance(item, Bar):
            yield _BAR.format(item.share, "accent" if item.new else "hair")
        elif isinstance(item, Whole):
            yield _WHOLE.format(item.text, joined(_items(item.chips, glyph)))
        elif item.halves:
            yield Markup('<div class="grove"><ul class="tree">{}</ul></div>').format(_node(item, glyph))
        else:
            yield _drawn(item, glyph, item.below)


def _drawn(item: Chip, glyph: str, under: str = "") -> Markup:
    mark = UNKNOWN_MARK if item.lost else "new" if item.new else ""
    return chip(item.token, item.shade, glyph, mark=mark, under=under)


def _node(item: Chip, glyph: str) -> Markup:
    halves = joined(_node(half, glyph) for half in item.halves)
    return _NODE.format(_drawn(item, glyph), item.below, Markup("<ul>{}</ul>").format(halves) if halves else "")
