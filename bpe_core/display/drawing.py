"""The content of a picture, for any kind of file: rows of chips and words. A chip may be the root of a tree.

There are three drawings: a text's tokens, the tree of a token's merges, one step of a training. Not here: how they
become SVG, PNG, HTML or LaTeX (see `pictures`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from bpe_core.display.colours import shades
from bpe_core.display.in_words import counted
from bpe_core.display.token_text import MARKS, Part, beginning, glyph_in, shortened
from bpe_core.record.run import Record
from bpe_core.text.alphabet import encode_text
from bpe_core.tokenizer.biography import Node, pruned
from bpe_core.tokenizer.encoding import Encoding
from bpe_core.tokenizer.tokenizer import Tokenizer

MOST_TOKENS = 2000  # of a text in one picture
MOST_ROWS = 150  # of a text; a long row goes on in further lines
MOST_BYTES = 60  # of a token
MOST_WORDS = 12  # of a step
WORD_TOKENS = 200  # of a word


@dataclass(frozen=True)
class Chip:
    """One token. `below`: small text under it, such as its id; `new`: made in this step; `halves`: its two halves.

    `lost`: text that the vocabulary cannot write.
    """

    token: bytes
    shade: int = 0
    below: str = ""
    new: bool = False
    halves: tuple[Chip, ...] = ()
    lost: bool = False

    def written(self, glyph: str) -> list[Part]:
        """Return the parts of the token as text; only the beginning of a long token."""
        return beginning(self.token, glyph, MOST_BYTES)


Row = tuple[Chip | str, ...]


@dataclass(frozen=True)
class Drawing:
    """Rows of chips and words. `title`: what the picture is of; `glyph`: see `glyph_of`."""

    title: str
    rows: tuple[Row, ...]
    glyph: str = ""


def chips(tokens: Sequence[bytes], below: Sequence[str] = (), new: bytes | None = None) -> tuple[Chip, ...]:
    """Return chips of tokens side by side; `below`: the small text under each.

    >>> [(chip.shade, chip.below) for chip in chips([b"a", b"a"], ["97", "97"])]
    [(0, '97'), (1, '97')]
    """
    drawn = zip(tokens, shades(tokens), below or [""] * len(tokens), strict=True)
    return tuple(Chip(token, shade, under, token == new) for token, shade, under in drawn)


def text_drawing(
    text: str,
    tokens: Sequence[bytes],
    ids: Sequence[int],
    glyph: str = "",
    lost: Sequence[bool] = (),
    lost_name: str = "unknown",
    with_ids: bool = True,
) -> Drawing:
    """Draw the tokens of a text, and their ids below if `with_ids`; a row for each line of the text.

    A picture has up to `MOST_TOKENS` tokens and `MOST_ROWS` rows.

    `lost`, `lost_name`: as for `html.text_tokens`.

    >>> text_drawing("hug", [b"hu", b"g"], [256, 103]).title
    'hug: 2 tokens'
    """
    gone = (lost or [i < 0 for i in ids])[:MOST_TOKENS]
    below = [lost_name if is_lost else str(i) * with_ids for i, is_lost in zip(ids, gone, strict=False)]
    drawn = zip(chips(tokens[:MOST_TOKENS], below), gone, strict=True)
    row = tuple(replace(chip, lost=True) if is_lost else chip for chip, is_lost in drawn)
    rows: list[Row] = [*islice(_lines(row), MOST_ROWS)]
    if more := len(ids) - sum(map(len, rows)):
        rows.append((f"and {counted(more, 'more token')}",))
    begun = shortened(encode_text(" ".join(text[:200].split())), most=60).replace(MARKS[" "], " ")
    return Drawing(f"{begun}: {counted(len(ids), 'token')}", tuple(rows) or (("no tokens",),), glyph)


def encoding_drawing(encoding: Encoding, with_ids: bool = True) -> Drawing:
    """Draw the tokens of an encoding, as `text_drawing` does.

    >>> from bpe_core import load
    >>> encoding_drawing(load("gpt2").encode("Hello")).title
    'Hello: 1 token'
    """
    vocabulary = encoding.walk.vocabulary
    return text_drawing(
        encoding.text, encoding.drawn, encoding.ids, glyph_in(vocabulary), encoding.lost, vocabulary.lost_name, with_ids
    )


def _lines(row: tuple[Chip, ...]) -> Iterator[Row]:
    """Break a row after every token that has a newline in it."""
    start = 0
    for i, chip in enumerate(row, 1):
        if i == len(row) or b"\n" in chip.token:
            yield row[start:i]
            start = i


def token_drawing(tokenizer: Tokenizer, token_id: int, glyph: str = "") -> Drawing:
    """Draw the tree of merges that made a token, with their steps. Raises `ValueError` for an id that does not exist.

    >>> from bpe_core import Settings, train
    >>> tree = token_drawing(train("hug hug", Settings(vocab_size=258)).tokenizer(), 257)
    >>> tree.title, tree.rows[0][0].below, [half.token for half in tree.rows[0][0].halves]
    ('hug: id 257', 'step 2', [b'hu', b'g'])
    """
    root, whole = pruned(tokenizer, token_id)
    title = f"{shortened(root.token, glyph, 40)}: id {token_id}"
    rows: list[Row] = [(_tree(root),)]
    if not root.step:
        rows.append((f"No merge made it: {tokenizer.why_no_merge(token_id)}.",))
    elif not whole:
        rows.append(("Only the latest merges are drawn.",))
    return Drawing(title, tuple(rows), glyph)


def _tree(node: Node) -> Chip:
    below = f"step {node.step:,}" if node.step else ""
    return Chip(node.token, 0, below, halves=tuple(map(_tree, node.halves)))


def step_drawing(run: Record, step: int, glyph: str = "") -> Drawing:
    """Draw the merge of a step, and the most frequent words that it changed, after the step.

    Raises `ValueError` for a step that the run does not have.

    >>> from bpe_core import Settings, train
    >>> drawn = step_drawing(train("hug hug pug", Settings(vocab_size=258)), 1)
    >>> [item for item in drawn.rows[0] if isinstance(item, str)]
    ['Step 1 of 2 joined', '+', '→', 'seen 3 times']
    """
    run.check_step(step)
    if not step:
        return Drawing(
            "Step 0: before any merge", (("Before any merge: every word is split into single symbols.",),), glyph
        )
    left, right, made, seen = merge_chips(run, step)
    changed = sorted(run.words(step, run.changed(step).tolist()), key=lambda word: -word[1])
    rows = [_word(tokens, count, made.token) for tokens, count in changed[:MOST_WORDS]]
    if more := len(changed) - len(rows):
        rows.append((f"and {counted(more, 'more word')} that it changed",))
    head = (f"Step {step:,} of {run.steps:,} joined", left, "+", right, "→", made, f"seen {counted(seen, 'time')}")
    return Drawing(f"Step {step:,}: {shortened(made.token, glyph, 40)}", (head, *rows), glyph)


def _word(tokens: Sequence[bytes], count: int, new: bytes) -> Row:
    """Return a row for a word of the corpus; only the first tokens of a long word."""
    more = len(tokens) - WORD_TOKENS
    rest = (f"and {counted(more, 'more token')}",) if more > 0 else ()
    return (f"{count:,} ×", *chips(tokens[:WORD_TOKENS], new=new), *rest)


def merge_chips(run: Record, step: int) -> tuple[Chip, Chip, Chip, int]:
    """Return the left, the right and the new token of a step, and how often the pair was seen.

    >>> from bpe_core import Settings, train
    >>> left, right, made, seen = merge_chips(train("hug hug", Settings(vocab_size=257)), 1)
    >>> left.token, right.token, made.token, seen
    (b'h', b'u', b'hu', 2)
    """
    film = run.film
    left, right, count = int(film.left[step - 1]), int(film.right[step - 1]), int(film.counts[step - 1])
    made = Chip(run.tokens[run.base + step - 1], new=True)
    return Chip(run.tokens[left]), Chip(run.tokens[right]), made, count
