"""What the pages say in words about a run: each a sentence of escaped HTML or plain text, every figure from the run."""

from __future__ import annotations

from html import escape

from bpe_core import Run
from pages.parts.corpora import Corpus
from pages.parts.tables import WINDOW
from pages.parts.token_chips import chip
from pages.parts.token_text import token_text


def problem(error: Exception) -> str:
    """An engine's error as a sentence for the screen."""
    text = str(error)
    for plain, shown in (("vocab_size", "The vocabulary size"), ("min_count", "The least count")):
        text = text.replace(plain, shown)
    return f"{text[0].upper()}{text[1:]}." + (" Choose a larger one." if "below the" in text else "")


def times(count: int) -> str:
    """A count of occurrences.

    >>> times(1), times(1200)
    ('once', '1,200 times')
    """
    return "once" if count == 1 else f"{count:,} times"


def step(run: Run, step: int, glyph: str) -> str:
    """What this step did, why this pair, and what comes next."""
    if not run.steps:
        return f'<p class="sentence">{stopped(run)}</p>'
    if step == 0:
        following = _pair(run, 0, glyph)
        return f'<p class="sentence">Before any merge: every word is cut into single symbols. Next: {following}.</p>'
    merge = run.merges[step - 1]
    words = f"Step {step:,} joined {chip(merge.left, 0, glyph)} and {chip(merge.right, 0, glyph)} to "
    words += f"{chip(merge.token, 0, glyph, mark='new')}, seen {times(merge.count)}. "
    if merge.tied > 1:
        others = "1 other pair was" if merge.tied == 2 else f"{merge.tied - 1:,} other pairs were"
        words += f"{others} as frequent; the rule “{run.settings.tie_rule.replace('-', ' ')}” chose this one. "
    words += f"Next: {_pair(run, step, glyph)}." if step < run.steps else stopped(run)
    return f'<p class="sentence">{words}</p>'


def _pair(run: Run, step: int, glyph: str) -> str:
    merge = run.merges[step]
    return f"{chip(merge.left, 0, glyph)} {chip(merge.right, 0, glyph)}, seen {times(merge.count)}"


def stopped(run: Run) -> str:
    """Why training ended here."""
    asked, got = run.settings.vocab_size, run.base + run.steps + len(run.settings.special_tokens)
    return {
        "target reached": f"The vocabulary has the {got:,} tokens asked for.",
        "no pairs left": f"No pair is left to join: the vocabulary has {got:,} of the {asked:,} tokens asked for.",
        "below min_count": f"No pair is as frequent as {run.settings.min_count:,} any more: the vocabulary has "
        f"{got:,} of the {asked:,} tokens asked for.",
    }[run.stop_reason]


def outcome(run: Run, text: Corpus) -> str:
    """What was trained, in one line."""
    tied = int((run.ties > 1).sum())
    merges = "1 merge" if run.steps == 1 else f"{run.steps:,} merges"
    said = f"{escape(text.name)}: {len(run.pretokens):,} different words, {run.base:,} base symbols, {merges}. "
    if run.steps:
        said += f"{tied:,} of {merges} {'was a tie' if tied == 1 else 'were ties'}. "
    return f'<p class="note">{said}{escape(stopped(run))}</p>'


def corpus_window(run: Run, step: int, window: int = WINDOW) -> str:
    """How much of the corpus is on the screen."""
    words, changed = len(run.pretokens), len(run.changed(step))
    shown = (
        f"Showing {window:,} of {words:,} words; every figure counts all." if words > window else f"{words:,} words."
    )
    tokens = f" {int(run.corpus_tokens[step]):,} tokens in the corpus."
    return shown + tokens + (f" This step changed {changed:,}." if step else "")


def pair_window(run: Run, step: int) -> str:
    """How many pairs there are."""
    pairs = run.history.occurring(step)
    return "No pair is left." if not pairs else f"{pairs:,} different pairs; the most frequent are shown."


def history_window(run: Run, step: int) -> str:
    """How much of the history is on the screen."""
    if not step:
        return "No merge yet: step forward to make the first."
    return f"Showing the latest {WINDOW:,} of {step:,} merges." if step > WINDOW else ""


def label(token: bytes, glyph: str) -> str:
    """A token within a sentence of plain text."""
    return f"“{token_text(token, glyph)}”"


FIGURES = {
    "tokens": "How many tokens the text becomes",
    "characters": "Unicode code points; an emoji may have several",
    "bytes": "The length of the text in UTF-8",
    "bytes per token": "Bytes divided by tokens: higher is shorter",
    "tokens per word": "Tokens divided by words between white space",
}


def beside_text(text: str, in_link: bool, most: int) -> list[str]:
    """What has to be said about a text itself.

    >>> beside_text("a" * 2000, False, 9999)
    ['The text is too long to travel in the link: copy it along.']
    """
    said = []
    if len(text) >= most:
        said.append(f"The text is cut: these are its first {most:,} characters.")
    if not in_link:
        why = "has half a character in it, which cannot" if len(text) <= 1500 else "is too long to"
        said.append(f"The text {why} travel in the link: copy it along.")
    if "\r" in text:
        said.append(
            "The editor shows every line end as ⏎; the tokens are those of the text as it came, until you edit it."
        )
    return said


def lost(text: str, kept: list[str]) -> str:
    """What a cut drops."""
    dropped = len(text) - sum(map(len, kept))
    if not dropped:
        return "Nothing is lost: the pretokens joined are the text."
    return f"{dropped:,} of {len(text):,} characters are lost" + (
        ": the white space." if len(text.split()) and "".join(text.split()) == "".join(kept) else "."
    )
