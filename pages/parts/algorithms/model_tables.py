"""Several models on one text, as HTML and tables: the text in each model's tokens, figures, the shared tokens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import islice

import pandas as pd
from markupsafe import Markup

from bpe_core import Tokenizer
from bpe_core.models.all_models import MODELS, LongestMatch, Model, Models, result, texts_of
from bpe_core.models.wordpiece import LONGEST_WORD, WordPiece, WordPieceRun
from bpe_core.models.wordpiece_tokenizer import CONTINUING
from bpe_core.pictures.paper.html import UNKNOWN_MARK, chip, joined, scroll_region
from bpe_core.pictures.shared.colours import shades
from bpe_core.pictures.shared.token_text import shortened, token_text
from bpe_core.text.alphabet import MARKER, encode_text
from bpe_core.text.in_words import counted, times
from bpe_core.tokenizer.base_symbols import UNKNOWN
from pages.parts.ui import elements

GLYPH = CONTINUING  # WordPiece's mark of a token that continues a word
DIFFERENCES = 60  # words on the screen
TITLES = {key: title for key, (title, _, _) in MODELS.items()}


def pieces(model: Model, word: str, ids: Sequence[int] | None = None) -> list[tuple[bytes, bool]]:
    """Return (token, known) for each token of a word. `known`: whether the vocabulary has the token.

    An unknown token is given as the bytes of the text that it stands for. `ids`: the ids of a segmentation; None for
    the model's own segmentation.
    """
    ids = model.encode_word(word) if ids is None else ids
    if tuple(ids) == (UNKNOWN,):
        return [(encode_text(word), False)]
    parts, at = [], 0
    for i in ids:
        token = encode_text(word[at]) if i == UNKNOWN else model.tokens[i]
        parts.append((token, i != UNKNOWN))
        at += len(token.removeprefix(MARKER).decode("utf-8", "surrogatepass"))
    return parts


def unknown(model: Model, word: str) -> tuple[str, str]:
    """Return the label of the chip of an unknown token, and why the token is unknown."""
    if not isinstance(model, WordPiece):
        return "[UNK]", "not in the vocabulary"
    if len(word) > model.longest_word:
        return "[UNK]", f"longer than {model.longest_word:,} characters: WordPiece gives up"
    fits = b"".join(model.tokens[i].removeprefix(MARKER) for i in model.matches(word))
    if not fits:
        return "[UNK]", "no token fits its beginning, so the whole word is unknown"
    far = token_text(fits, GLYPH)
    return f"[UNK] after {far}", f"fits as far as: {far}; no token fits what follows, so the whole word is unknown"


def segmented(model: Model, word: str, ids: Sequence[int] | None = None) -> Markup:
    """Return a word as chips. The chip of an unknown token is struck through, and the chip's title says why."""
    parts = pieces(model, word, ids)
    under, why = ("", "") if all(known for _, known in parts) else unknown(model, word)
    chips = [
        chip(token, shade, GLYPH) if known else chip(token, 0, GLYPH, why, UNKNOWN_MARK, under)
        for (token, known), shade in zip(parts, shades([token for token, _ in parts]), strict=True)
    ]
    return Markup('<span class="word">{}</span>').format(joined(chips))


TOTAL = "tokens in this text; what is lost counts as one token, however long it is"
_NAME = Markup('<div class="name"><strong>{}</strong><span class="note">{}</span></div>')
_TOTAL = Markup('<div class="total" title="{}"><strong>{}</strong></div>')
_TOKENS = Markup('<div class="tokens{}">{}</div>')
_WITH_LOST = Markup('{}, <span class="warns" title="{}">{}</span>')
NAMED, MOST_BYTES = 3, 24  # lost words that are named, and bytes of each
_DIFFERS = Markup(' differs" title="segmented in two ways')


def sentence(models: Models, text: str) -> Markup:
    """Return the text as each model segments it, in rows."""
    words = words_of(models, text)
    sample, rows = Counter(words), []
    for key, model in models.by_name.items():
        made, (title, about, _) = result(model, sample), MODELS[key]
        total = counted(made.tokens, "token")
        if made.unknown:  # in the figure itself: few tokens that lose words must not read better than more tokens
            total = _WITH_LOST.format(total, *lost(model, sample))
        rows.append(_NAME.format(title, about))
        rows.append(_TOTAL.format(TOTAL, total))
        rows.append(_TOKENS.format("", Markup(" ").join(segmented(model, word) for word in words)))
    return Markup('<div class="rivals">{}</div>').format(joined(rows))


def lost(model: Model, counts: Mapping[str, int]) -> tuple[str, str]:
    """Return the words of a text that a model cannot write, or not whole, by name; and the same in short.

    >>> from bpe_core import Settings
    >>> from bpe_core.models.all_models import train_models
    >>> models = train_models("low low lower", Settings("whitespace", "characters", vocab_size=7))
    >>> lost(models.word, {"slow": 2, "low": 1}), lost(models.character, {"slow": 1})
    (('the word slow', 'loses 2 words'), ('characters of slow', 'loses characters'))
    """
    found = {word: model.encode_word(word) for word in counts}
    words = [word for word, ids in found.items() if UNKNOWN in ids]
    whole = all(found[word] == (UNKNOWN,) for word in words)
    named = ", ".join(shortened(encode_text(word.strip()), most=MOST_BYTES) for word in words[:NAMED])
    more = f" and {len(words) - NAMED:,} more" if len(words) > NAMED else ""
    number = counted(sum(counts[word] for word in words), "word")
    what = ("the word" if len(words) == 1 else "the words") if whole else "characters of"
    return f"{what} {named}{more}", f"loses {number if whole else 'characters'}"


# A note on what the chips have, and what its part in brackets means.
SIGNS = "[## continues a word].", "[UNK] is what a model cannot write. No _ marks the end of a word here."
SCORE = "The count of a pair, divided by the counts of its two halves."


def about_wordpiece(models: Models, text: str) -> Markup:
    """Return why WordPiece's tokens of a text look as they do, and the first merges of WordPiece and BPE.

    If WordPiece needs more tokens than BPE, the numbers of tokens are named: of the words that both models can write.
    """
    rivals = models.by_name["wordpiece"], models.by_name["bpe"]
    sample = Counter(words_of(models, text))
    known = {word: n for word, n in sample.items() if all(UNKNOWN not in each.encode_word(word) for each in rivals)}
    its, usual = (result(each, known).tokens for each in rivals)
    what = "Of this text" if len(known) == len(sample) else "Of the words that both can write"
    more = f"{what} WordPiece makes {its:,} tokens, BPE {usual:,}. " if its > usual else ""
    said = f"{more}WordPiece’s [score] favours rare symbols"
    runs = models.wordpiece, models.bpe
    if all(run.steps for run in runs) and models.wordpiece.merges[0].count < models.bpe.merges[0].count:
        first, usual_first = (
            f"{token_text(run.merges[0].left, GLYPH)} + {token_text(run.merges[0].right, GLYPH)}, "
            f"seen {times(run.merges[0].count)}"
            for run in runs
        )
        tied = int(models.wordpiece.ties[0])
        tie = f"; here {tied:,} pairs have the best score, and the first in the text is joined" if tied > 1 else ""
        said += f"{tie}: {first} in your text; BPE {usual_first}"
    return elements.explained(f"{said}.", SCORE)


def words_of(models: Models, text: str) -> list[str]:
    """Return the pretokens of a text, which are the same for all models."""
    return models.bpe.settings.splitter.strings(text)


def results(models: Models, text: str) -> pd.DataFrame:
    """Return a row of figures for each model: how it encodes the corpus and the text."""
    sample, rows = Counter(words_of(models, text)), []
    for key, model in models.by_name.items():
        own, other = models.results[key], result(model, sample)
        rows.append(
            (
                TITLES[key],
                len(model.tokens),
                own.unknown,
                own.tokens_per_word,
                other.unknown,
                other.tokens_per_word,
            )
        )
    return pd.DataFrame(rows, columns=["model", *FIGURES])


FIGURES = {
    "vocabulary": "Tokens of the vocabulary, without the unknown token.",
    "Your text: unknown words": "Words of your text with a character that the vocabulary cannot write. "
    f"WordPiece gives up on words longer than {LONGEST_WORD} characters, too.",
    "Your text: tokens per known word": "Tokens divided by words. Unknown words are left out; empty if all are.",
    "To tokenize: unknown words": "The same of the text to tokenize.",
    "To tokenize: tokens per known word": "The same of the text to tokenize.",
}
READ_TOGETHER = (
    "[Tokens per known word] can look too good.",
    "Unknown words are left out: so a model that fails on many words may seem to need few tokens.",
)
OVERLAP = "The share of the row's tokens that the column's model has too."


def overlap(models: Models) -> pd.DataFrame:
    """Return a row and a column for each model: what percentage of the row's tokens the column's model has."""
    texts = {TITLES[key]: texts_of(model) for key, model in models.by_name.items()}
    shares = [
        [title, *(round(100 * len(own & other) / max(len(own), 1)) for other in texts.values())]
        for title, own in texts.items()
    ]
    return pd.DataFrame(shares, columns=["of the tokens of", *texts])


def vocabulary_table(models: Models) -> pd.DataFrame:
    """Return all vocabularies, one row for each token of each model."""
    rows = [
        (TITLES[key], i, token_text(token, GLYPH)) for key, model in models.by_name.items()
        for i, token in enumerate(model.tokens)
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=["model", "id", "token"])


def wordpiece_history(run: WordPieceRun) -> pd.DataFrame:
    """Return a row for each merge, for a file: the merge's score, and the counts that give the score."""
    columns = ["step", "left", "right", "token", "count", "count of left", "count of right", "score", "tied with"]
    rows = []
    for step, merge in enumerate(run.merges, 1):
        pair = run.chosen(step)
        halves = (token_text(half, GLYPH) for half in merge[:3])
        rows.append((step, *halves, *pair[2:], float(pair.score), merge.tied - 1))
    return pd.DataFrame(rows, columns=columns)


# --- one vocabulary, two ways to encode ---


def two_ways(tokenizer: Tokenizer, words: Iterable[str]) -> list[str]:
    """Return the words that merge order and longest match segment differently."""
    one, other = tokenizer.pipeline.encoder, tokenizer.pipeline.longest.encoder
    return [word for word in words if one.encode(word) != other.encode(word)]


def both_ways(tokenizer: Tokenizer, words: Iterable[str], marked: Collection[str], name: str) -> Markup:
    """Return a row for each word: segmented in merge order, and by longest match. `marked`: the words to mark."""
    longest, rows = LongestMatch(tokenizer), []
    for word in islice(words, DIFFERENCES):
        rows.append(_TOKENS.format(_DIFFERS if word in marked else "", segmented(tokenizer, word)))
        rows.append(_TOKENS.format("", segmented(longest, word)))
    heads = Markup('<strong class="note">In merge order</strong><strong class="note">By longest match</strong>')
    return scroll_region(heads + joined(rows), name, "ways")


WAYS = (
    "They can only differ where [the end of one token is the start of another].",
    "In merge order, BPE's own way, the earlier merge wins. By longest match, WordPiece's way, it is the token further "
    "left.",
)


def ways_sentence(models: Models, tokenizer: Tokenizer, words: int, differing: int) -> str:
    """Return how many words the two ways segment differently, and how many tokens each way makes of the corpus."""
    if not differing:
        every = "the only word" if words == 1 else f"all {words:,} different words"
        return f"Both ways segment {every} of the corpus and the text alike."
    merged, longest = models.results["bpe"].tokens, result(LongestMatch(tokenizer), models.counts).tokens
    return (
        f"The two ways differ in {differing:,} of {counted(words, 'different word')} of the corpus and the text. "
        f"The corpus needs {counted(merged, 'token')} in merge order and {longest:,} by longest match."
    )


def ways_table(tokenizer: Tokenizer, words: Iterable[str]) -> pd.DataFrame:
    """Return a row for each word, segmented in both ways, for a file."""
    rows = [
        [token_text(encode_text(word))]
        + [
            " ".join(token_text(token) for token, _ in pieces(way, word))
            for way in (tokenizer, LongestMatch(tokenizer))
        ]
        for word in words
    ]
    return pd.DataFrame(rows, columns=["word", "in merge order", "by longest match"])
