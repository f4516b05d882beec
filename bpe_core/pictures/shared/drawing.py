"""The content of a picture, for any kind of file: rows of chips (drawn tokens), words and bars.

A chip may be the root of a tree. Tokens that are parts of the same character form a `Whole`, together with that
character. Rows may be in columns, side by side. There are three drawings: a text's tokens, the tree of a token's
merges, one step of a training. The folder `paper` turns a drawing into SVG, PNG, HTML or LaTeX.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice

from bpe_core import arguments, shortcuts
from bpe_core.pictures.shared.colours import shades
from bpe_core.pictures.shared.token_text import MARKS, Part, beginning, glyph_in, groups, shortened
from bpe_core.pictures.shared.training_in_words import chosen_in_words, first_sentence, settings_in_words
from bpe_core.record.frames import Frame, frames
from bpe_core.record.record import Record, Steps
from bpe_core.record.run import Run, Stage
from bpe_core.text.alphabet import encode_text
from bpe_core.text.in_words import counted
from bpe_core.tokenizer.biography import Node, pruned, why_no_merge
from bpe_core.tokenizer.encoding import Encoding
from bpe_core.tokenizer.tokenizer import Tokenizer

MOST_TOKENS = 2000  # of a text in one picture
MOST_ROWS = 150  # of a text in one picture; a long row takes several lines
MOST_BYTES = 60  # of a token in a chip
MOST_WORDS = 12  # in the picture of a step; the limits for pairs and for merges are the same
WORD_TOKENS = 60  # drawn tokens of a word


@dataclass(frozen=True)
class Chip:
    """One token of a drawing.

    `below`: small text under the token, such as its id. `new`: whether the drawn step made the token. `halves`: in a
    tree, the two tokens that were merged into this token. `lost`: whether the chip is text that the vocabulary cannot
    write.
    """

    token: bytes
    shade: int = 0
    below: str = ""
    new: bool = False
    halves: tuple[Chip, ...] = ()
    lost: bool = False

    def written(self, glyph: str) -> list[Part]:
        """Return the token as parts of text. A long token gives only its beginning."""
        return beginning(self.token, glyph, MOST_BYTES)


@dataclass(frozen=True)
class Whole:
    """Tokens that only together are whole characters. `text`: the characters."""

    chips: tuple[Chip, ...]
    text: str


@dataclass(frozen=True)
class Heading:
    """Words in bold type."""

    text: str


@dataclass(frozen=True)
class Bar:
    """A bar of a chart.

    `share`: the bar's length divided by the longest bar's. `new`: whether the bar has the colour of a new token.
    """

    share: float
    new: bool = False


Item = Chip | Whole | Heading | Bar | str
Row = tuple[Item, ...]


@dataclass(frozen=True)
class Columns:
    """Columns of rows, side by side where there is room."""

    columns: tuple[tuple[Row, ...], ...]


@dataclass(frozen=True)
class Drawing:
    """Rows of chips, words and bars. `title`: what the picture shows. `glyph`: the text drawn for the word marker."""

    title: str
    rows: tuple[Row | Columns, ...]
    glyph: str = ""

    @property
    def every_row(self) -> Iterator[Row]:
        """All rows, including the rows inside columns."""
        for row in self.rows:
            if isinstance(row, Columns):
                yield from chain.from_iterable(row.columns)
            else:
                yield row

    _repr_html_ = shortcuts.in_notebook


@dataclass(frozen=True)
class Appearance:
    """How a drawing looks as a file. `Picture.options` names the fields that each kind of file uses.

    `width`: how long a line may be, in pixels. `scale`: how many pixels of a PNG are as long as one pixel of `width`.
    `fragment`: whether LaTeX comes without a preamble.
    """

    width: int = 900
    dark: bool = False
    transparent: bool = False
    scale: int = 2
    fragment: bool = False


def chips(tokens: Sequence[bytes], below: Sequence[str] = (), new: bytes | None = None) -> tuple[Chip, ...]:
    """Return tokens side by side as chips (drawn tokens); `below`: the small text under each chip.

    >>> [(chip.shade, chip.below) for chip in chips([b"a", b"a"], ["97", "97"])]
    [(0, '97'), (1, '97')]
    """
    drawn = zip(tokens, shades(tokens), below or [""] * len(tokens), strict=True)
    return tuple(Chip(token, shade, under, token == new) for token, shade, under in drawn)


def with_wholes(row: Sequence[Chip], glyph: str = "") -> Iterator[Chip | Whole]:
    """Yield the chips of a row. Chips that are parts of the same character come together, as one `Whole`.

    >>> [item.text for item in with_wholes(chips([b"\\xc3", b"\\xa9"])) if isinstance(item, Whole)]
    ['é']
    """
    for start, end in groups([chip.token for chip in row]):
        if end == start + 1:
            yield row[start]
        else:
            raw = b"".join(chip.token for chip in row[start:end])
            yield Whole(tuple(row[start:end]), shortened(raw, glyph, MOST_BYTES))


def text_drawing(
    text: str,
    tokens: Sequence[bytes],
    ids: Sequence[int],
    glyph: str = "",
    lost: Sequence[bool] = (),
    lost_name: str = "unknown",
    with_ids: bool = True,
    heading: str = "",
) -> Drawing:
    """Draw the tokens of a text, with a row for each line of the text.

    A picture has up to `MOST_TOKENS` tokens and `MOST_ROWS` rows. `with_ids`: whether each token has its id below it.
    `heading`: words above the rows. `lost`, `lost_name`: as for `html.text_tokens`.

    >>> text_drawing("hug", [b"hu", b"g"], [256, 103]).title
    'hug: 2 tokens'
    """
    gone = (lost or [i < 0 for i in ids])[:MOST_TOKENS]
    below = [lost_name if is_lost else str(i) * with_ids for i, is_lost in zip(ids, gone, strict=False)]
    drawn = zip(chips(tokens[:MOST_TOKENS], below), gone, strict=True)
    row = [replace(chip, lost=True) if is_lost else chip for chip, is_lost in drawn]
    rows: list[Row] = [*islice(_lines(with_wholes(row, glyph)), MOST_ROWS)]
    if more := len(ids) - sum(len(chips_of(item)) for row in rows for item in row):
        rows.append((f"and {counted(more, 'more token')}",))
    rows = rows or [("no tokens",)]
    if heading:
        rows.insert(0, (heading,))
    begun = shortened(encode_text(" ".join(text[:200].split())), most=60).replace(MARKS[" "], " ")
    title = f"{begun and begun + ': '}{counted(len(ids), 'token')}"
    return Drawing(title, tuple(rows), glyph)


def encoding_drawing(encoding: Encoding, with_ids: bool = True, heading: str = "") -> Drawing:
    """Draw the tokens of an encoding, as `text_drawing` does.

    >>> from bpe_core import load
    >>> encoding_drawing(load("gpt2").encode("Hello")).title
    'Hello: 1 token'
    """
    arguments.of_kind(encoding, Encoding, "an encoding is what tok.encode(text) returns")
    words, tokens, ids = encoding.walk.vocabulary, encoding.drawn, encoding.ids
    lost, name = encoding.lost, words.lost_name
    return text_drawing(encoding.text, tokens, ids, glyph_in(words), lost, name, bool(with_ids), heading)


def chips_of(item: Item) -> tuple[Chip, ...]:
    """Return the chips of an item of a row, without the halves of a tree.

    >>> len(chips_of(Whole(chips([b"\\xc3", b"\\xa9"]), "é"))), chips_of("seen twice")
    (2, ())
    """
    return item.chips if isinstance(item, Whole) else (item,) if isinstance(item, Chip) else ()


def _lines(items: Iterable[Chip | Whole]) -> Iterator[tuple[Chip | Whole, ...]]:
    """Break a row after every token that has a newline in it."""
    row: list[Chip | Whole] = []
    for item in items:
        row.append(item)
        if any(b"\n" in chip.token for chip in chips_of(item)):
            yield tuple(row)
            row = []
    if row:
        yield tuple(row)


def token_drawing(tokenizer: Tokenizer, token_id: int, glyph: str = "") -> Drawing:
    """Draw the tree of merges that made a token, and the step of each merge.

    Raises `ValueError` for an id that does not exist.

    >>> from bpe_core import Settings, train
    >>> tree = token_drawing(train("hug hug", Settings(vocab_size=258)).tokenizer(), 257)
    >>> tree.title, tree.rows[0][0].below, [half.token for half in tree.rows[0][0].halves]
    ('hug: id 257', 'step 2', [b'hu', b'g'])
    """
    root, whole = pruned(tokenizer, token_id)
    title = f"{shortened(root.token, glyph, 40)}: id {token_id}"
    rows: list[Row] = [(_tree(root),)]
    if not root.step:
        rows.append((f"No merge made it: {why_no_merge(tokenizer, token_id)}.",))
    elif not whole:
        rows.append(("Only the latest merges are drawn.",))
    return Drawing(title, tuple(rows), glyph)


def _tree(node: Node) -> Chip:
    below = f"step {node.step:,}" if node.step else ""
    return Chip(node.token, 0, below, halves=tuple(map(_tree, node.halves)))


def step_drawing(run: Run, step: int, glyph: str = "", corpus: str = "") -> Drawing:
    """Draw a step of a training: what it joined, the corpus, the most frequent pairs and the last merges.

    `corpus`: the name of the text, for the title. Raises `ValueError` for a step that the run does not have.

    >>> from bpe_core import Settings, train
    >>> drawn = step_drawing(train("hug hug pug", Settings(vocab_size=258)), 1)
    >>> [item for item in drawn.rows[2] if isinstance(item, str)]
    ['joined', '+', '→', 'seen 3 times']
    """
    stage, own = run.at(step)
    (frame,) = frames(stage, own, own)
    token = run.merges[step - 1].token if step else None
    on = f" on {corpus}" if corpus else ""
    heading = Heading(f"Step {step:,} of {counted(run.steps, 'merge')}{on}")
    columns = Columns((_corpus(stage, own, token, glyph), _pairs(stage, frame), _history(run, step)))
    chosen = chosen_in_words(run.settings, glyph)
    about: list[Row] = [(settings_in_words(stage.settings),), *([(chosen,)] if chosen else [])]
    rows: tuple[Row | Columns, ...] = ((heading,), *about, _joined(run, step), columns)
    before = "before any merge" if run.start is None else "before any new merge"
    title = f"Step {step:,}{on}: {before if token is None else shortened(token, glyph, 40)}"
    return Drawing(title, rows, glyph)


def _joined(run: Run, step: int) -> Row:
    """Return what a step joined, as a row."""
    if not step:
        return (first_sentence(run, run.stages.index(run.at(0)[0])),)
    left, right, made, seen = merge_chips(run, step)
    tied = int(run.ties[step - 1]) - 1 if step not in run.settings.forced else 0
    ties = (f"tied with {counted(tied, 'other pair')}",) if tied else ()
    return ("joined", left, "+", right, "→", made, f"seen {counted(seen, 'time')}", *ties)


def _corpus(stage: Stage, step: int, new: bytes | None, glyph: str) -> tuple[Row, ...]:
    """Return a column of words after a step: first the words that the step changed, then the most frequent others.

    `new`: the token that the step made; None at step 0 of a training.
    """
    changed = set(stage.changed(step).tolist()) if step else set()
    order = sorted(range(len(stage.pretokens)), key=lambda row: (row not in changed, -stage.pretoken_counts[row]))
    words = stage.words(step, order[:MOST_WORDS])
    more = len(order) - len(words)
    return (
        (Heading("Corpus"), counted(int(stage.corpus_tokens[step]), "token")),
        *(_word(tokens, count, new, glyph) for tokens, count in words),
        *([(f"and {counted(more, f'more {stage.settings.splitter.unit}')}",)] if more else []),
    )


def _pairs(record: Record, frame: Frame) -> tuple[Row, ...]:
    """Return the most frequent pairs after a step as a column of bars."""
    most = max((pair.count for pair in frame.pairs), default=1)
    rows: list[Row] = []
    for left, right, count, role in frame.pairs[:MOST_WORDS]:
        bar = Bar(count / most, role == "next")
        marks = (role,) if role != "other" else ()
        rows.append((bar, f"{count:,} ×", Chip(record.tokens[left]), Chip(record.tokens[right]), *marks))
    more = frame.different_pairs - len(rows)
    ending = [(f"and {counted(more, 'more pair')}",)] if more else [] if rows else [("No pair is left.",)]
    return ((Heading("Pair counts"),), *rows, *ending)


def _history(run: Run, step: int) -> tuple[Row, ...]:
    """Return the last merges up to a step as a column, the latest merge first."""
    rows: list[Row] = [] if step else [("None made yet.",)]
    for number in range(step, max(step - MOST_WORDS, 0), -1):
        left, right, made, seen = merge_chips(run, number)
        rows.append((f"{number:,}", f"{seen:,} ×", left, right, "→", replace(made, new=number == step)))
    return ((Heading("Merge history"),), *rows)


def _word(tokens: Sequence[bytes], count: int, new: bytes | None, glyph: str) -> Row:
    """Return a row for a word of the corpus. The row of a long word has only the first tokens."""
    more = len(tokens) - WORD_TOKENS
    rest = (f"and {counted(more, 'more token')}",) if more > 0 else ()
    return (f"{count:,} ×", *with_wholes(chips(tokens[:WORD_TOKENS], new=new), glyph), *rest)


def merge_chips(run: Steps, step: int) -> tuple[Chip, Chip, Chip, int]:
    """Return the left, right and new token of a step's merge as chips, and how often its pair was seen.

    >>> from bpe_core import Settings, train
    >>> left, right, made, seen = merge_chips(train("hug hug", Settings(vocab_size=257)), 1)
    >>> left.token, right.token, made.token, seen
    (b'h', b'u', b'hu', 2)
    """
    stage, before = run.at(step - 1)
    tokens, lifetimes = stage.tokens, stage.lifetimes
    left, right, count = (int(column[before]) for column in (lifetimes.left, lifetimes.right, lifetimes.counts))
    return Chip(tokens[left]), Chip(tokens[right]), Chip(tokens[stage.base + before], new=True), count
