"""Several models on one text, as HTML and tables: the same sentence under each, the figures, the shared tokens."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from itertools import islice

import pandas as pd

from bpe_core import Tokenizer
from bpe_core.alphabet import MARKER, encode_text
from bpe_core.encoding import UNKNOWN
from bpe_core.models import MODELS, LongestMatch, Model, Models, result, texts_of
from pages.parts.theme import shades
from pages.parts.token_chips import chip
from pages.parts.token_text import token_text

GLYPH = "##"  # WordPiece's mark of a token that continues a word
DIFFERENCES = 60  # words on the screen; every figure counts all
TITLES = {key: title for key, (title, _, _) in MODELS.items()}


def pieces(model: Model, word: str) -> list[tuple[bytes, bool]]:
    """A word's tokens, each with whether the vocabulary has it; what is unknown stands as it is in the word."""
    ids = model.encode_word(word)
    if ids == (UNKNOWN,):
        return [(encode_text(word), False)]
    cut, at = [], 0
    for i in ids:
        token = encode_text(word[at]) if i == UNKNOWN else model.tokens[i]
        cut.append((token, i != UNKNOWN))
        at += len(token.removeprefix(MARKER).decode("utf-8", "surrogatepass"))
    return cut


def cut(model: Model, word: str) -> str:
    """A word as chips; an unknown one without colour."""
    parts = pieces(model, word)
    drawn = zip(parts, shades([token for token, _ in parts]), strict=True)
    chips = [
        chip(token, shade, GLYPH) if known else chip(token, 0, GLYPH, "not in the vocabulary", "plain", "[UNK]")
        for (token, known), shade in drawn
    ]
    return f'<span class="word">{"".join(chips)}</span>'


def sentence(models: Models, text: str) -> str:
    """The text under each model, one below the other."""
    words = words_of(models, text)
    rows = []
    for key, model in models.by_name.items():
        tokens = sum(len(model.encode_word(word)) for word in words)
        title, about, _ = MODELS[key]
        rows.append(
            f'<div class="name"><strong>{escape(title)}</strong><span class="note">{escape(about)}</span></div>'
            f'<div class="total" title="tokens in this text"><strong>{tokens:,}</strong> tokens</div>'
            f'<div class="tokens">{" ".join(cut(model, word) for word in words)}</div>'
        )
    return f'<div class="rivals">{"".join(rows)}</div>'


def words_of(models: Models, text: str) -> list[str]:
    """The text's pretokens, as all models cut it."""
    return models.bpe.settings.splitter.pieces(text)


def results(models: Models, text: str) -> pd.DataFrame:
    """What each model makes of its own corpus, and of the text."""
    sample: dict[str, int] = {}
    for word in words_of(models, text):
        sample[word] = sample.get(word, 0) + 1
    rows = []
    for key, model in models.by_name.items():
        own, other = models.results[key], result(model, sample)
        rows.append(
            (
                TITLES[key],
                len(model.tokens),
                own.tokens / max(own.words, 1),
                own.unknown,
                other.tokens / max(other.words, 1),
                other.unknown,
            )
        )
    return pd.DataFrame(rows, columns=["model", *FIGURES])


FIGURES = {
    "vocabulary": "Entries of the vocabulary; an unknown token is none of them",
    "tokens per word": "In the corpus: tokens divided by words, as the pretokenizer cuts them",
    "unknown words": "Words of the corpus that have something in them that the vocabulary cannot write",
    "in the text: tokens per word": "The same in the text above, which no model was trained on",
    "in the text: unknown words": "Words of the text above that have something unknown in them",
}


OVERLAP = (
    "Which share of the tokens in a row the model of a column has too. Tokens are compared by their text, WordPiece's "
    "without its mark."
)


def overlap(models: Models) -> pd.DataFrame:
    """Which share of a row's vocabulary a column's vocabulary has too."""
    texts = {TITLES[key]: texts_of(model) for key, model in models.by_name.items()}
    shares = [
        [title, *(len(own & other) / max(len(own), 1) for other in texts.values())] for title, own in texts.items()
    ]
    return pd.DataFrame(shares, columns=["of the tokens of", *texts])


def vocabulary_table(models: Models) -> pd.DataFrame:
    """All vocabularies: one row a token and model."""
    rows = [
        (TITLES[key], i, token_text(token, GLYPH)) for key, model in models.by_name.items()
        for i, token in enumerate(model.tokens)
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=["model", "id", "token"])


# --- one vocabulary, two ways to encode ---


def two_ways(tokenizer: Tokenizer, words: Iterable[str]) -> list[str]:
    """The words that merge order and longest match cut otherwise."""
    return [word for word in words if tokenizer.encode_word(word) != tokenizer.longest_match(word)]


def both_ways(tokenizer: Tokenizer, words: Iterable[str]) -> str:
    """Each word in merge order, and beside it by longest match."""
    longest = LongestMatch(tokenizer)
    shown = islice(words, DIFFERENCES)
    rows = [f'<div class="tokens">{cut(model, word)}</div>' for word in shown for model in (tokenizer, longest)]
    heads = '<strong class="note">In merge order</strong><strong class="note">By longest match</strong>'
    return f'<div class="ways scroll" tabindex="0" role="region" aria-label="both ways">{heads}{"".join(rows)}</div>'


WAYS = (
    "They can only differ where the end of one token is the start of another: in merge order the one learnt first has "
    "its way, by longest match the one further left. BPE's own way is merge order."
)


def ways_said(models: Models, tokenizer: Tokenizer, words: int, differing: int) -> str:
    """How often the two ways differ, and what each needs for the corpus."""
    if not differing:
        return f"Both ways cut all {words:,} different words of the corpus and the text alike."
    merged, longest = models.results["bpe"].tokens, result(LongestMatch(tokenizer), models.counts).tokens
    return (
        f"The two ways differ in {differing:,} of {words:,} different words of the corpus and the text. "
        f"The corpus needs {merged:,} tokens in merge order and {longest:,} by longest match."
    )


def ways_table(tokenizer: Tokenizer, words: Iterable[str]) -> pd.DataFrame:
    """The same as a table."""
    rows = [
        [token_text(encode_text(word))]
        + [
            " ".join(token_text(token) for token, _ in pieces(way, word))
            for way in (tokenizer, LongestMatch(tokenizer))
        ]
        for word in words
    ]
    return pd.DataFrame(rows, columns=["word", "in merge order", "by longest match"])
