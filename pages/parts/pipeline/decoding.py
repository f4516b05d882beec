"""Decoding: the text that the ids give back, the characters that a part lost, and the verdict on both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate, islice, pairwise
from typing import NamedTuple

from markupsafe import Markup

from bpe_core import Encoding
from bpe_core.pictures.paper import html
from bpe_core.pictures.shared.token_text import shortened, token_text
from bpe_core.text.alphabet import encode_text
from bpe_core.text.in_words import counted, times
from bpe_core.tokenizer.encoding import CHANGED, DECODED, DROPPED, FALLEN, NOT_KNOWN, TOO_LONG
from pages.parts.pipeline.normalization import marked, named_rows
from pages.parts.ui import elements

NAMED, FEW = 12, 3  # the most characters or words in a sentence about a part, and in the verdict
VERDICT = 60  # the most characters of the decoded text in the verdict, which is one line
SPACED = "But not before . , ? and !, whatever the text had there."
ADDED_SPACES = "Nothing was lost; what comes back has spaces that were not typed."
# What happened on the way, in the order in which the verdict says it.
KINDS = LOST, REWRITTEN, ADDED = "Lost", "Changed", "Put in"
# Why a character was lost → what happened; a sentence about the part, with gaps for how many characters, and for which.
LOSSY = {
    CHANGED: (REWRITTEN, "Normalization (1) changed [{}]."),
    DROPPED: (LOST, "Pretokenization (2) threw away [{}]{}."),
    NOT_KNOWN: (LOST, "The model (3) does not know [{}]{}."),
    TOO_LONG: (LOST, "The model (3) takes no word of so many characters: [{}]{}."),
    FALLEN: (LOST, "The model (3) has no unknown token and drops [{}]{}."),
    DECODED: (REWRITTEN, "Decoding changed [{}]{}."),
}
_BACK = Markup("{} gives back {}{}")


class LossSentence(NamedTuple):
    """A sentence about what was lost or added, with a part in brackets; and what to say about that part, or "".

    `kind`, `short`: what happened and to what, in the few words of the verdict.
    """

    sentence: str
    meaning: str
    kind: str
    short: str


def verdict(encoding: Encoding, model: str) -> Markup:
    """Return what comes back of a text, and what was lost, changed or put in. `model`: the name of the model."""
    back = encoding.tokenizer.decode(encoding.ids)
    if _is_same(encoding, back):
        return elements.finding(f"✓ The text comes back unchanged from {model}.")
    found = [*losses(encoding)][::-1]  # what the model does not know before the spaces, which matter less
    kinds = {kind: [loss.short for loss in found if loss.kind == kind and loss.short] for kind in KINDS}
    said = " ".join(f"{kind}: {', '.join(shorts)}." for kind, shorts in kinds.items() if shorts)
    cut = " …" if len(back) > VERDICT else ""
    gives = _BACK.format(model[:1].upper() + model[1:], marked(back[:VERDICT]), cut)
    return elements.finding(gives) + elements.sentence(said)


def drawing(encoding: Encoding, name: str = "") -> Markup:
    """Return the decoded text. If it differs from the text that went in, add that text and sentences on the losses.

    `name`: the name of the text.
    """
    back = encoding.tokenizer.decode(encoding.ids)
    rows = [("Comes back", marked(back))]
    if _is_same(encoding, back):
        return named_rows(rows) + elements.note("Decodes back to exactly your text: no part lost anything.")
    rows.insert(0, ("Went in", marked(encoding.text)))
    return named_rows(rows) + html.joined(
        elements.explained(loss.sentence, loss.meaning, of=name) for loss in losses(encoding)
    )


def _is_same(encoding: Encoding, back: str) -> bool:
    return not encoding.losses and back == encoding.text


def losses(encoding: Encoding) -> Iterator[LossSentence]:
    """Yield a loss for each part that lost characters, and one for the spaces that decoding adds.

    Of what pretokenization threw away, all that was in the text is counted; decoding may put some spaces back.
    """
    tokenizer, model = encoding.tokenizer, encoding.tokenizer.model
    back = tokenizer.decode(encoding.ids)
    if not encoding.losses:
        rest = iter(back)
        if all(character in rest for character in encoding.text):  # in their order
            yield LossSentence(ADDED_SPACES, "", ADDED, "" if model.spaces_words else "spaces that were not typed")
        elif "".join(back.split()) != "".join(encoding.text.split()):  # such as lone surrogates
            yield LossSentence("Some characters come back as others.", "", REWRITTEN, "characters")
        else:
            yield LossSentence("Nothing was lost but where the spaces are.", "", REWRITTEN, "where the spaces are")
    for why, (kind, sentence) in LOSSY.items():
        lost = {at for start, end, reason in encoding.losses if reason == why for at in range(start, end)}
        if lost and why == NOT_KNOWN and model.lost_words:
            words = [token for token, is_lost in zip(encoding.tokens, encoding.lost, strict=True) if is_lost]
            number, which = _words(words)
            said = f"The model (3) loses [{number}]: {which}."
            yield LossSentence(said, model.lost_words, kind, _few([shortened(word, most=20) for word in words], "word"))
        elif lost:
            characters = [*(thrown_away(encoding) if why == DROPPED else (encoding.text[at] for at in sorted(lost)))]
            number, which = _characters(characters)
            meaning, named = (which, "") if why == CHANGED else ("", which and f": {which}")
            short = number if why in (CHANGED, TOO_LONG) else _few_characters(characters)
            yield LossSentence(sentence.format(number, named), meaning, kind, short)
    touching = any(one.end == other.start for one, other in pairwise(encoding.pretokens))
    if model.spaces_words and _has_more_spaces(back, encoding.text):
        yield LossSentence(
            "Decoding puts a space [before every word].", SPACED, ADDED, "spaces between words and signs"
        )
    elif touching and tokenizer.word_marker != "none" and not tokenizer.pipeline.pretokenizer.lossless:
        after = "a space after every pretoken"
        yield LossSentence(f"Decoding puts {after}, even where there was none.", "", ADDED, after)


def _has_more_spaces(back: str, text: str) -> bool:
    """Return whether a text that comes back has white space where the text that went in has none.

    If the texts have different numbers of other characters, places cannot be compared, and the words are counted.

    >>> _has_more_spaces("hi! a. b", "hi ! a.b"), _has_more_spaces("hi!", "hi !")
    (True, False)
    """
    ends, ends_before = ([*accumulate(map(len, each.split()))] for each in (back, text))
    if ends[-1:] == ends_before[-1:]:
        return not {*ends} <= {*ends_before}
    return len(ends) > len(ends_before)


def left_out(encoding: Encoding) -> Iterator[int]:
    """Yield the indexes of the normalized text's characters that are in no pretoken."""
    start = 0
    for pretoken in encoding.pretokens:
        yield from range(start, pretoken.start)
        start = pretoken.end
    yield from range(start, len(encoding.normalized.text))


def thrown_away(encoding: Encoding) -> Iterator[str]:
    """Yield the characters of the normalized text that are left out, but not what normalization only added.

    BERT's puts spaces around a Chinese character. Such a space comes from a character that is in a pretoken.
    """
    text, spans = encoding.normalized.text, encoding.normalized.spans
    kept = {span for pretoken in encoding.pretokens for span in spans[pretoken.start : pretoken.end]}
    yield from (text[at] for at in left_out(encoding) if spans[at] not in kept)


def _words(words: Sequence[bytes]) -> tuple[str, str]:
    """Return how many words there are, and which.

    >>> _words([b"weil", "🦜".encode()])
    ('2 words', 'weil, 🦜')
    """
    named = [shortened(word, most=20) for word in words[:NAMED]]
    return counted(len(words), "word"), f"{', '.join(named)}{', …' if len(words) > NAMED else ''}"


def _characters(characters: Sequence[str]) -> tuple[str, str]:
    """Return how many characters there are, and which, or "" for white space.

    >>> _characters(["É", " ", " ", "é", "é", "é"])
    ('6 characters', 'É, · (2 times), é (3 times)')
    """
    number = counted(len(characters), "character")
    if not "".join(characters).strip():
        return f"{number} of white space", ""
    names = [token_text(encode_text(char)) for char in characters]
    return number, f"{_counted(names, NAMED)}{', …' if len({*names}) > NAMED else ''}"


def _few_characters(characters: Sequence[str]) -> str:
    """Return characters in a few words.

    >>> _few_characters([" "] * 12), _few_characters([" ", "\\n"]), _few_characters("éée"), _few_characters("abcd")
    ('12 spaces', '2 characters of white space', 'é (2 times), e', '4 characters')
    """
    if {*characters} == {" "}:
        return counted(len(characters), "space")
    if not "".join(characters).strip():
        return f"{counted(len(characters), 'character')} of white space"
    return _few([token_text(encode_text(char)) for char in characters], "character")


def _few(names: Sequence[str], one: str) -> str:
    """Return which names there are, or how many if they are more than a few. `one`: the noun for a name."""
    return _counted(names, FEW) if len({*names}) <= FEW else counted(len(names), one)


def _counted(names: Sequence[str], most: int) -> str:
    """Return the first `most` different names, each with how often it comes unless it comes once."""
    counts = islice(Counter(names).items(), most)
    return ", ".join(f"{name} ({times(count)})" if count > 1 else name for name, count in counts)
