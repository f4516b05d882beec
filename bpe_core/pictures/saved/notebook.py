"""Encodings, runs, merges, tokenizers and drawings in a notebook: HTML without a script, all text escaped."""

from __future__ import annotations

from markupsafe import Markup

from bpe_core.pictures.paper.html import chip, drawing_rows, joined, text_tokens
from bpe_core.pictures.shared.drawing import Drawing, merge_chips
from bpe_core.pictures.shared.style import alone
from bpe_core.pictures.shared.token_text import glyph_in, glyph_of
from bpe_core.record.record import Merge, Steps
from bpe_core.text.in_words import counted, lost_pieces
from bpe_core.tokenizer.encoding import Encoding
from bpe_core.tokenizer.tokenizer import Tokenizer

MOST_TOKENS = 1000
FIRST, LAST = 10, 5  # merges of a run: the first ten and the last five, or all if there are no more
SHOWN = 20  # tokens of a vocabulary
_NOTE = Markup('<p class="note">{}</p>')
_ROW = Markup('<tr><td class="number">{:,}</td><td>{} + {}</td><td>{}</td><td class="number">{}</td></tr>')
_GAP = Markup('<tr><td class="number">…</td><td></td><td></td><td></td></tr>')
_TABLE = Markup(
    '<table class="merges"><thead><tr><th class="number">step</th><th>joined</th><th>token</th>'
    '<th class="number">count</th></tr></thead><tbody>{}</tbody></table>'
)


def encoding_html(encoding: Encoding) -> str:
    """Draw the tokens of a text in colour. The tooltip of a token has its id.

    >>> from bpe_core import Settings, train
    >>> "id 256 · bytes 68 75" in train("hug hug", Settings(vocab_size=257)).tokenizer().encode("hug")._repr_html_()
    True
    """
    count = len(encoding.ids)
    vocabulary, lost = encoding.walk.vocabulary, encoding.lost[:MOST_TOKENS]
    tokens, ids = encoding.drawn[:MOST_TOKENS], encoding.ids[:MOST_TOKENS]
    drawn = text_tokens(tokens, ids, glyph_in(vocabulary), False, lost, vocabulary.lost_name)
    sizes = (counted(count, "token"), counted(len(encoding.text), "character"), lost_pieces(encoding.pieces_lost))
    sentence = ", ".join(filter(None, sizes))
    more = f"; the first {MOST_TOKENS:,} tokens are shown" if count > MOST_TOKENS else ""
    return alone(drawn + _NOTE.format(sentence + more + "."), "tokens of a text")


def merge_html(merge: Merge) -> str:
    """Draw a merge, and say how often its pair occurred.

    >>> Markup(merge_html(Merge(b"l", b"o", b"lo", 3, 1)).partition("</style>")[2]).striptags()
    'l + o → lo seen 3 times.'
    """
    tied = f"; {merge.tied:,} pairs tied" if merge.tied > 1 else ""
    # A merge does not know whether words have a marker, and no text has the marker's byte.
    glyph = glyph_of("end", merge[:3])
    left, right = chip(merge.left, glyph=glyph), chip(merge.right, glyph=glyph)
    made = chip(merge.token, glyph=glyph, mark="new")
    sentence = Markup('<p><span class="tokens">{} + {} → {}</span> seen {}{}.</p>')
    return alone(sentence.format(left, right, made, counted(merge.count, "time"), tied), "a merge")


def run_html(run: Steps) -> str:
    """Describe a run, and draw its first and last merges.

    >>> from bpe_core import Settings, train
    >>> "<p>1 merge on 1 different word:" in run_html(train("hug", Settings(vocab_size=257)))
    True
    """
    stage, _ = run.at(run.steps)
    settings = stage.settings
    sentence = (
        f"{counted(run.steps, 'merge')} on {counted(len(stage.pretokens), f'different {settings.splitter.unit}')}: "
        f"a vocabulary of {stage.vocab_size:,}. Ended because: {stage.stop_reason}."
    )
    how = f"pretokenizer {settings.pretokenizer}, alphabet {settings.alphabet}, tie rule {settings.tie_rule}"
    steps = range(1, run.steps + 1)
    first, between, last = steps[:FIRST], steps[FIRST:-LAST], steps[FIRST:][-LAST:]
    gap, glyph = [_GAP] if between else [], glyph_of(settings.word_marker, stage.tokens)
    rows = [*(_merge_row(run, step, glyph) for step in first), *gap, *(_merge_row(run, step, glyph) for step in last)]
    table = _TABLE.format(joined(rows)) if rows else Markup("")
    return alone(Markup("<p>{}</p>").format(sentence) + _NOTE.format(how) + table, "a training run")


def tokenizer_html(tokenizer: Tokenizer) -> str:
    """Describe a tokenizer, and draw its last tokens. The tooltip of a token has its id.

    >>> from bpe_core import Settings, train
    >>> "258 tokens, 2 merges" in tokenizer_html(train("hug", Settings(vocab_size=258)).tokenizer())
    True
    """
    glyph = glyph_in(tokenizer.vocabulary)
    ids = [i for i, token in enumerate(tokenizer.tokens) if token][-SHOWN:]
    drawn = text_tokens([tokenizer.tokens[i] for i in ids], ids, glyph, show_ids=False)
    size = f"{counted(len(tokenizer), 'token')}, {counted(len(tokenizer.merges), 'merge')}"
    return alone(Markup("<p>{}. The last tokens:</p>").format(size) + drawn, "a tokenizer")


def drawing_html(drawing: Drawing) -> str:
    """Return a drawing as HTML, in the colours of the notebook."""
    return alone(drawing_rows(drawing), drawing.title)


def _merge_row(run: Steps, step: int, glyph: str) -> Markup:
    left, right, made, count = merge_chips(run, step)
    return _ROW.format(step, *(chip(item.token, glyph=glyph) for item in (left, right, made)), f"{count:,}")
