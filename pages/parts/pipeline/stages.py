"""The way of a text from characters to ids and back, stage by stage: as HTML, tables and sentences. Values in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby, islice, pairwise

import pandas as pd
from markupsafe import Markup

from bpe_core import NORMALIZERS, PRETOKENIZERS, UNKNOWN, Encoding, Normalized, Pretokenizer, Tokenizer, normalize
from bpe_core.display import html
from bpe_core.display.colours import shades
from bpe_core.display.html import inner, line_break
from bpe_core.display.token_text import token_text
from bpe_core.files.library_tokenizer import LibraryTokenizer
from bpe_core.text.alphabet import encode_text
from bpe_core.text.normalizers import joined
from bpe_core.tokenizer.encoding import DROPPED, NORMALIZED, NOT_KNOWN
from bpe_core.tokenizer.post_processing import FIRST, SECOND, Row, Template
from pages.parts.session.links import OWN
from pages.parts.session.tokenizer_keys import TRAINED
from pages.parts.session.vocabularies import Vocabulary
from pages.parts.views import elements, sentences

MOST_CHARACTERS = 10_000  # of a text; this page looks closely
SHOWN = 400  # characters, pretokens or tokens of a text on the screen; every figure counts all
NAMED = 12  # characters in a sentence
MARKS = "Underlined: made by this normalizer. Struck through: removed by the next."
STAGES = ("Normalization", "Pretokenization", "Model", "Post-processing", "Ids", "Decoding")
_HEADING = Markup('<h2 class="stage"><b>{}</b> {}</h2>')
_LOST_IN = {NORMALIZED: 1, DROPPED: 2, NOT_KNOWN: 3}


def heading(number: int) -> Markup:
    """The heading of a stage."""
    return _HEADING.format(number, STAGES[number - 1])


def with_parts(vocabulary: Vocabulary, normalizers: Sequence[str], pretokenizer: str) -> Tokenizer:
    """The vocabulary's tokenizer with other normalizers and another pretokenizer.

    A file's own library does all of it in one go; with other parts its merges are applied by ours.
    """
    tokenizer = vocabulary.tokenizer
    if isinstance(tokenizer, LibraryTokenizer):
        if pretokenizer == OWN and not normalizers:
            return tokenizer
        tokenizer = tokenizer.without_library()
    splitter = tokenizer.pretokenizer if pretokenizer == OWN else PRETOKENIZERS[pretokenizer]
    prefix = pretokenizer == "metaspace" or tokenizer.prefix_space  # as ALBERT's does
    return replace(tokenizer, normalizers=tuple(normalizers), pretokenizer=splitter, prefix_space=prefix)


def pretokenizers(vocabulary: Vocabulary) -> dict[str, str]:
    """The pretokenizers to choose from, with their titles."""
    own = f"The model's own: {vocabulary.tokenizer.pretokenizer.title}"
    return {OWN: own, **{key: row.title for key, row in PRETOKENIZERS.items()}}


# --- normalization ---


def steps(encoding: Encoding) -> list[tuple[str, Normalized]]:
    """Each normalizer's title and what it does to the text that the one before it left."""
    parts = [(part.typed, part.special is None) for part in encoding.segments]
    made = []
    for key in encoding.tokenizer.normalizers:
        done = [normalize(piece, (key,) if plain else ()) for piece, plain in parts]
        made.append((NORMALIZERS[key].title, joined(done)))
        parts = [(piece.text, plain) for piece, (_, plain) in zip(done, parts, strict=True)]
    return made


_ROW = Markup("<dt>{}</dt><dd>{}</dd>")
_FACTS = Markup('<dl class="facts">{}</dl>')
_AS_BEFORE = Markup('<span class="note">changes nothing here</span>')


def normalization(encoding: Encoding) -> Markup:
    """The text before and after each normalizer: what it made is underlined, what the next removes struck through."""
    made = steps(encoding)
    titles, texts = ["Text", *(title for title, _ in made)], [encoding.text, *(step.text for _, step in made)]
    new = [[False] * len(encoding.text), *(_made(step) for _, step in made)]
    gone = [*(_removed(step) for _, step in made), [False] * len(texts[-1])]
    drawn = []
    for title, text, before, is_new, is_gone in zip(titles, texts, [None, *texts], new, gone, strict=False):
        shown = _AS_BEFORE if text == before and not any(is_gone) else _marked(text, is_new, is_gone)
        drawn.append(_ROW.format(title, shown))
    return _FACTS.format(html.joined(drawn))


def _made(step: Normalized) -> list[bool]:
    """For each character of the result, whether it was not there before."""
    flags: list[bool] = []
    for before, after in step.pieces:
        at = after.find(before) if before else -1
        flags += [before != after and not at <= k < at + len(before) for k in range(len(after))]
    return flags


def _removed(step: Normalized) -> list[bool]:
    """For each character of the text before, whether nothing of it is left."""
    return [not after for before, after in step.pieces for _ in before]


def _marked(text: str, new: Sequence[bool], gone: Sequence[bool]) -> Markup:
    """A text with marks: each marked character stands by itself, an accent on a dotted circle."""
    drawn = []
    for (is_new, is_gone), run in groupby(zip(text[:SHOWN], new, gone, strict=False), lambda row: row[1:]):
        characters = "".join(char for char, _, _ in run)
        shown = _written(characters if is_new or is_gone else characters.splitlines(keepends=True))
        shown = _GONE.format(shown) if is_gone else shown
        drawn.append(_NEW.format(shown) if is_new else shown)
    return _line(html.joined(drawn), len(text))


_NEW, _GONE = Markup("<ins>{}</ins>"), Markup("<del>{}</del>")
_LOST = Markup('<del title="lost in {}">{}</del><sup>{}</sup>')
_LINE = Markup('<span class="line">{}{}</span>')
_MORE = Markup(' <span class="note">… the first {:,} of {:,} characters</span>')


def _written(parts: Iterable[str]) -> Markup:
    return html.joined(inner(encode_text(part)) + line_break(encode_text(part)) for part in parts)


def _line(drawn: Markup, size: int) -> Markup:
    return _LINE.format(drawn, _MORE.format(SHOWN, size) if size > SHOWN else "")


# --- pretokenization, model, post-processing, ids ---


def pretokens(encoding: Encoding, name: str) -> Markup:
    """The pretokens as chips, each with the rule that made it."""
    more = sentences.window(SHOWN, len(encoding.pretokens), "pretokens") if len(encoding.pretokens) > SHOWN else ""
    shown = encoding.pretokens[:SHOWN]
    text = encoding.normalized.text
    text = text if len(shown) == len(encoding.pretokens) else text[: shown[-1].end]
    return html.pretokens(text, shown, f"pretokens of {name}") + (elements.note(more) if more else Markup(""))


def tokens(encoding: Encoding, name: str, glyph: str) -> Markup:
    """The tokens that the model makes of the pretokens, and how many."""
    shown = html.text_tokens(encoding.tokens[:SHOWN], encoding.ids[:SHOWN], glyph, show_ids=False)
    whole = sum(len(ids) == 1 for ids in encoding.words)
    made, split = sentences.counted(len(encoding.ids), "token"), sentences.counted(len(encoding.words), "pretoken")
    said = f"{made} for {split}; {whole:,} of the pretokens {'is' if whole == 1 else 'are'} one token each."
    unknown = sum(i == UNKNOWN for i in encoding.ids)
    if unknown:
        new = sentences.counted(unknown, "character is", "characters are")
        said += f" {new} not in the alphabet and {'has' if unknown == 1 else 'have'} no id: see the frames."
    window = f" The first {SHOWN:,} are shown." if len(encoding.ids) > SHOWN else ""
    return html.scroll_region(shown, f"tokens of {name}", "") + elements.note(said + window)


def pretoken_table(encoding: Encoding) -> pd.DataFrame:
    """The pretokens with their offsets in the text as it was typed."""
    rows = [
        (token_text(encode_text(text)), *encoding.place(start, end), rule)
        for text, start, end, rule in encoding.pretokens
    ]
    return pd.DataFrame(rows, columns=["pretoken", "start", "end", "rule"])


def processed(rows: Sequence[Row], glyph: str) -> Markup:
    """The tokens after post-processing; what the template added is framed, and a type is named where it is not 0."""
    first = rows[:SHOWN]
    chips = [
        html.chip(
            row.token,
            shade,
            glyph,
            mark="new" if not row.source else "plain" if row.token_id == UNKNOWN else "",
            under=f"type {row.type_id}" if row.type_id else "unknown" if row.source and row.token_id == UNKNOWN else "",
        )
        for row, shade in zip(first, shades([row.token for row in first]), strict=True)
    ]
    for at in _borders(first)[::-1]:
        chips.insert(at, _BORDER)
    more = f" The first {SHOWN:,} of {len(rows):,} are shown." if len(rows) > SHOWN else ""
    return html.scroll_region(html.joined(chips), "tokens with special tokens") + (
        elements.note(more) if more else Markup("")
    )


_BORDER = Markup('<span class="note"> Text B: </span>')


def _borders(rows: Sequence[Row]) -> list[int]:
    """Where the second text follows the first with nothing between them."""
    return [at for at, (one, other) in enumerate(pairwise(rows), 1) if (one.source, other.source) == (FIRST, SECOND)]


def separated(rows: Sequence[Row]) -> str:
    """What to do about a pair of texts that run together; empty for one text, or where something stands between."""
    if not _borders(rows):
        return ""
    return "The model sees no border between the two texts: choose a template with separators, such as [CLS] and [SEP]."


def id_table(rows: Sequence[Row], glyph: str) -> pd.DataFrame:
    """One row an id: the token, and where it stands in the text as typed; of a pair also which text, and its type."""
    table = [
        (
            token_text(row.token, glyph),
            None if row.token_id == UNKNOWN else row.token_id,
            row.type_id,
            row.source,
            *((row.start, row.end) if row.source else (None, None)),
        )
        for row in rows
    ]
    frame = pd.DataFrame(table, columns=["token", "id", "type", "text", "start", "end"])
    frame = frame.astype(dict.fromkeys(("id", "type", "start", "end"), "Int64"))
    return frame if SECOND in set(frame["text"]) else frame.drop(columns=["type", "text"])


def without_id(table: pd.DataFrame) -> str:
    """How many rows of the table have no id; empty where all have one."""
    without = int(table["id"].isna().sum())
    return f"{without:,} of them {'has' if without == 1 else 'have'} no id." if without else ""


# --- decoding ---


def lost(encoding: Encoding) -> Markup:
    """The text as it was typed; what cannot come back is struck through, with the number of the stage that lost it."""
    stage = [0] * len(encoding.text)
    for start, end, why in encoding.losses:
        stage[start:end] = [_LOST_IN[why]] * (end - start)
    drawn = []
    for at, run in groupby(zip(encoding.text[:SHOWN], stage, strict=False), lambda row: row[1]):
        characters = "".join(char for char, _ in run)
        shown = _written(characters if at else characters.splitlines(keepends=True))
        drawn.append(_LOST.format(STAGES[at - 1].lower(), shown, at) if at else shown)
    return _line(html.joined(drawn), len(encoding.text))


def decoding(encoding: Encoding) -> Markup:
    """The text that comes back, the text as typed with what does not, and sentences that name the stage."""
    ids = encoding.ids
    back = encoding.tokenizer.decode(ids)
    drawn = _ROW.format("Comes back", _line(_written(back[:SHOWN].splitlines(keepends=True)), len(back)))
    if not encoding.losses and back == encoding.text:
        return _FACTS.format(drawn) + elements.note("Decodes back to exactly your text: no stage lost anything.")
    drawn += _ROW.format("Was typed", lost(encoding))
    return _FACTS.format(drawn) + html.joined(map(elements.note, losses(encoding)))


_LOSSES = {
    NORMALIZED: "Normalization (1) changed {}.",
    DROPPED: "Pretokenization (2) threw away {}.",
    NOT_KNOWN: "The model (3) does not know {}.",
}


def losses(encoding: Encoding) -> Iterator[str]:
    """What cannot come back, a sentence for each stage that lost something, and what was added."""
    if not encoding.losses:
        yield "Nothing was lost; what comes back has spaces that were not typed."
    for why, sentence in _LOSSES.items():
        places = {at for start, end, reason in encoding.losses if reason == why for at in range(start, end)}
        if places:
            yield sentence.format(_characters([encoding.text[at] for at in sorted(places)]))
    tokenizer = encoding.tokenizer
    touching = sum(one.end == other.start for one, other in pairwise(encoding.pretokens))
    if touching and tokenizer.word_marker != "none" and not tokenizer.pretokenizer.lossless:
        yield "Decoding puts a space after every pretoken, even where there was none."


def _characters(characters: Sequence[str]) -> str:
    """How many characters, and which.

    >>> _characters(["É", " ", " ", "é", "é", "é"])
    '6 characters: É, · (2 times), é (3 times)'
    """
    if not "".join(characters).strip():
        return f"{sentences.counted(len(characters), 'character')} of white space"
    counts = Counter(characters)
    named = [
        token_text(encode_text(char)) + (f" ({sentences.times(count)})" if count > 1 else "")
        for char, count in islice(counts.items(), NAMED)
    ]
    more = ", …" if len(counts) > NAMED else ""
    return f"{sentences.counted(len(characters), 'character')}: {', '.join(named)}{more}"


# --- what does not fit ---


def mismatches(vocabulary: Vocabulary, tokenizer: Tokenizer) -> Iterator[str]:
    """Why these normalizers and this pretokenizer do not suit the vocabulary, a sentence each."""
    own = vocabulary.tokenizer
    if own.normalizers != tokenizer.normalizers and own.normalizers:
        chain = ", then ".join(NORMALIZERS[key].title for key in own.normalizers)
        yield f"This vocabulary was learnt on text normalized by {chain}: other text may need more tokens."
    if own.pretokenizer != tokenizer.pretokenizer:
        said = f"This vocabulary was learnt on text split by “{own.pretokenizer.title}”; "
        yield said + _consequence(own.pretokenizer, tokenizer)


def _consequence(own: Pretokenizer, tokenizer: Tokenizer) -> str:
    chosen = tokenizer.pretokenizer
    if own.lossless and not chosen.lossless:
        return f"“{chosen.title}” throws away the spaces that many of its tokens begin with: they are never used here."
    return f"split by “{chosen.title}”, the text may need more tokens."


def missing(template: Template, vocabulary: Vocabulary) -> str:
    """Which special tokens of the template the vocabulary does not have, and what to do."""
    names = [name for name in template.special_tokens if name not in vocabulary.tokenizer.special_tokens]
    if not names:
        return ""
    them = "it" if len(names) == 1 else "them"
    said = f"This vocabulary has no {' and no '.join(names)}, so there is no id for {them}."
    return said + (f" Add {them} on the Train page, under “Special tokens”." if vocabulary.name == TRAINED else "")
