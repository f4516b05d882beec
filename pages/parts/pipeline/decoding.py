"""Decoding: the text that the ids give back, and the characters that a part lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from typing import NamedTuple

from markupsafe import Markup

from bpe_core import Encoding
from bpe_core.pictures.paper import html
from bpe_core.pictures.shared.token_text import shortened, token_text
from bpe_core.text.alphabet import encode_text
from bpe_core.text.in_words import counted, times
from bpe_core.tokenizer.encoding import CHANGED, DECODED, DROPPED, FALLEN, NOT_KNOWN, TOO_LONG
from pages.parts.pipeline.pipeline_parts import marked, named_rows
from pages.parts.ui import elements

NAMED = 12  # the most characters or words in a sentence
SPACED = "But not before . , ? and !, whatever the text had there."
ADDED_SPACES = "Nothing was lost; what comes back has spaces that were not typed."
# Why a character was lost → a sentence about the part that lost it, with gaps for how many characters, and for which.
LOSSY = {
    CHANGED: "Normalization (1) changed [{}].",
    DROPPED: "Pretokenization (2) threw away [{}]{}.",
    NOT_KNOWN: "The model (3) does not know [{}]{}.",
    TOO_LONG: "The model (3) takes no word of so many characters: [{}]{}.",
    FALLEN: "The model (3) has no unknown token and drops [{}]{}.",
    DECODED: "Decoding changed [{}]{}.",
}


class LossSentence(NamedTuple):
    """A sentence about what was lost or added, with a part in brackets; and what to say about that part, or ""."""

    sentence: str
    meaning: str = ""


def drawing(encoding: Encoding, name: str = "") -> Markup:
    """Return the decoded text. If it differs from the text that went in, add that text and sentences on the losses.

    `name`: the name of the text.
    """
    back = encoding.tokenizer.decode(encoding.ids)
    rows = [("Comes back", marked(back))]
    if not encoding.losses and back == encoding.text:
        return named_rows(rows) + elements.note("Decodes back to exactly your text: no part lost anything.")
    rows.insert(0, ("Went in", marked(encoding.text)))
    return named_rows(rows) + html.joined(elements.explained(*loss, of=name) for loss in losses(encoding))


def losses(encoding: Encoding) -> Iterator[LossSentence]:
    """Yield a loss for each part that lost characters, and one for the spaces that decoding adds.

    Of what pretokenization threw away, all that was in the text is counted; decoding may put some spaces back.
    """
    tokenizer, model = encoding.tokenizer, encoding.tokenizer.model
    if not encoding.losses:
        rest = iter(tokenizer.decode(encoding.ids))
        has_all = all(character in rest for character in encoding.text)  # in their order
        yield LossSentence(ADDED_SPACES if has_all else "Nothing was lost but where the spaces are.")
    for why, sentence in LOSSY.items():
        lost = {at for start, end, reason in encoding.losses if reason == why for at in range(start, end)}
        if lost and why == NOT_KNOWN and model.lost_words:
            words = [token for token, is_lost in zip(encoding.tokens, encoding.lost, strict=True) if is_lost]
            yield LossSentence("The model (3) loses [{}]: {}.".format(*_words(words)), model.lost_words)
        elif lost:
            lost_characters = thrown_away(encoding) if why == DROPPED else (encoding.text[at] for at in sorted(lost))
            number, which = _characters([*lost_characters])
            yield LossSentence(sentence.format(number, which and f": {which}"), which if why == CHANGED else "")
    touching = any(one.end == other.start for one, other in pairwise(encoding.pretokens))
    if model.spaces_words:
        yield LossSentence("Decoding puts a space [before every word].", SPACED)
    elif touching and tokenizer.word_marker != "none" and not tokenizer.pipeline.pretokenizer.lossless:
        yield LossSentence("Decoding puts a space after every pretoken, even where there was none.")


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
    counts = Counter(characters)
    named = [
        token_text(encode_text(char)) + (f" ({times(count)})" if count > 1 else "")
        for char, count in islice(counts.items(), NAMED)
    ]
    return number, f"{', '.join(named)}{', …' if len(counts) > NAMED else ''}"
