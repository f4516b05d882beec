"""Unigram's training at a round: the pruned tokens and their losses, the changed words, the ways to segment a word."""

from __future__ import annotations

from math import log

import numpy as np
import pandas as pd
from markupsafe import Markup

from bpe_core.models.unigram import Unigram, UnigramRun
from bpe_core.pictures.paper.html import joined, row, scroll_region
from bpe_core.pictures.shared.token_text import token_text
from bpe_core.text.in_words import counted, percent, percents
from bpe_core.tokenizer.base_symbols import UNKNOWN
from pages.parts.algorithms.model_tables import segmented
from pages.parts.ui.tables import WINDOW, Window

BITS = log(2)  # nats in a bit
WORDS = 60  # words on the screen
WAYS = 8  # segmentations on the screen
VANISHING = 1e-9  # the least share of a way to segment a word: a smaller share may be 0 as a float
_COUNT = Markup('<span class="count{}">{}</span>')
_CHANGED = Markup(' changed" title="segmented in another way than before')
_WORD = Markup('<span><span class="word">{}</span>{}</span>')
_BEFORE = Markup(' <span class="note">before:</span> <span class="word">{}</span>')
CURVES = ("vocabulary", "tokens in the corpus", "bits per character")


def pruned(run: UnigramRun, number: int, rows: int | None = WINDOW) -> Window:
    """Return the tokens that a round pruned, the greatest loss first.

    A token's loss is in bits, for the whole corpus. The column `written instead` has the token's best segmentation into
    other tokens.
    """
    if not number:
        return Window(pd.DataFrame(columns=["token", "loss in bits", "uses", "written instead"]), 0)
    model, uses = run.model(number - 1), run.rounds[number - 1].uses
    part, table = run.rounds[number], []
    for i, loss in list(zip(part.pruned.tolist(), part.losses.tolist(), strict=True))[::-1][:rows]:
        instead = _instead(model, run.seed[i])
        table.append((token_text(run.seed[i]), round(loss / BITS, 3), int(uses[i]), instead))
    columns = ["token", "loss in bits", "uses", "written instead"]
    return Window(pd.DataFrame(table, columns=columns), len(part.pruned))


def free(run: UnigramRun, number: int) -> str:
    """Return how many of the tokens that a round pruned had no loss, since no word used them.

    Return "" if a word used every pruned token.
    """
    if not number:
        return ""
    gone = run.rounds[number].pruned
    unused = int((run.rounds[number - 1].uses[gone] == 0).sum())
    return f"Loss 0 ({unused:,} of {counted(len(gone), 'token')}): no word used it." if unused else ""


def _instead(model: Unigram, token: bytes) -> str:
    """Return the best segmentation of a token into other tokens."""
    ways = model.best(token.decode("utf-8", "surrogatepass"), 2)
    parts = next(way.ids for way in ways if len(way.ids) > 1)
    return "  ".join(token_text(model.tokens[i]) for i in parts)


def vocabulary(run: UnigramRun, number: int, rows: int | None = WINDOW) -> Window:
    """Return the tokens of a round, the most probable first."""
    alive, part = run.alive(number), run.rounds[number]
    order = alive[np.argsort(-part.logs[alive], kind="stable")]
    table = [(token_text(run.seed[i]), float(np.exp(part.logs[i])), int(part.uses[i])) for i in order[:rows].tolist()]
    return Window(pd.DataFrame(table, columns=["token", "probability", "uses"]), len(alive))


def words(run: UnigramRun, number: int) -> Markup:
    """Return the words of the corpus as a round segments them.

    The words that the round segments in a new way come first, each with the tokens that it had before.
    """
    changed = run.changed(number)
    others = np.setdiff1d(np.arange(len(run.pretokens)), changed)
    frequent = np.concatenate(
        [rows[np.argsort(-run.pretoken_counts[rows], kind="stable")] for rows in (changed, others)]
    )
    shown = frequent[:WORDS].tolist()
    before = run.words(max(number - 1, 0), shown)
    html = []
    for (tokens, count), (old, _), moved in zip(run.words(number, shown), before, np.isin(shown, changed), strict=True):
        html.append(_COUNT.format(_CHANGED if moved else "", f"{count:,} ×"))
        html.append(_WORD.format(row(tokens), _BEFORE.format(row(old)) if moved else ""))
    return scroll_region(joined(html), "words of the corpus", "tokens words")


def words_window(run: UnigramRun, number: int) -> str:
    """Return how many words of the corpus are on the screen, and how many tokens the corpus has."""
    total = len(run.pretokens)
    shown = (
        f"Showing {WORDS:,} of {total:,} words, those that this round changed first."
        if total > WORDS
        else f"{counted(total, 'word')}."
    )
    return f"{shown} {counted(int(run.rounds[number].uses.sum()), 'token')} in the corpus."


def figures(run: UnigramRun) -> pd.DataFrame:
    """Return a row of figures for each round. The column `bits per character`: what the corpus costs with the model."""
    characters = sum(len(word) * n for word, n in zip(run.pretokens, run.pretoken_counts.tolist(), strict=True))
    rows = [
        (
            k,
            len(run.alive(k)),
            len(part.pruned),
            int(part.uses.sum()),
            -part.likelihoods[-1] / BITS / max(characters, 1),
        )
        for k, part in enumerate(run.rounds)
    ]
    return pd.DataFrame(rows, columns=["step", "vocabulary", "pruned", *CURVES[1:]])


def ways(model: Unigram, word: str) -> Markup:
    """Return the best ways to segment a word, each with its share of the word's probability."""
    best = model.best(word, WAYS)
    shares = percents([max(share, VANISHING) for _, share in best])
    html = [
        _COUNT.format("", share) + segmented(model, word, ids) for (ids, _), share in zip(best, shares, strict=True)
    ]
    return scroll_region(joined(html), f"ways to segment {word}", "tokens words")


def ways_sentence(model: Unigram, word: str) -> str:
    """Return how many ways there are to segment a word, and how probable the ways on the screen are together."""
    total, shown = model.segmentations(word), model.best(word, WAYS)
    if total == 1:
        sentence = "There is one way to segment this word."
    elif total <= WAYS:
        sentence = f"These are all {total:,} ways to segment it."
    else:
        sentence = f"The best {WAYS} of {total:,} ways; together {percent(sum(way.probability for way in shown))}."
    unknown = shown[0].ids.count(UNKNOWN)
    if not unknown:
        return sentence
    characters = counted(unknown, "character is", "characters are")
    return f"{sentence} {characters} not in the vocabulary: each is unknown by itself."
