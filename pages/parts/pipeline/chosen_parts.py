"""A vocabulary with chosen normalizers and a chosen pretokenizer: encodings of texts, and why a choice may not fit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import pandas as pd

from bpe_core import NORMALIZERS, PRETOKENIZERS, Encoding, FormatError, PatternError, Pretokenizer, Tokenizer
from bpe_core.published import PUBLISHED
from bpe_core.tokenizer.post_processing import Template
from pages.parts.page import chosen_vocabulary
from pages.parts.pipeline.part_tokens import pretoken_table
from pages.parts.state.links import OWN
from pages.parts.state.pipeline_state import Pipeline
from pages.parts.state.tokenizer_keys import TRAINED
from pages.parts.ui import sentences
from pages.parts.vocabularies.page_vocabulary import PageVocabulary


class Encodings(NamedTuple):
    """The encodings of the texts, by the text's name: "A" and, if there is a second text, "B".

    `tokenizer`: the vocabulary's tokenizer with the chosen normalizers and pretokenizer. `pretokens`: for each text
    the table of its pretokens.
    """

    vocabulary: PageVocabulary
    tokenizer: Tokenizer
    encodings: Mapping[str, Encoding]
    pretokens: Mapping[str, pd.DataFrame]

    @property
    def name(self) -> str:
        """The vocabulary's short name; if not all parts are its own, the name says so."""
        is_own = self.tokenizer is self.vocabulary.tokenizer
        return short_name(self.vocabulary) + ("" if is_own else ", with the parts chosen below,")


def short_name(vocabulary: PageVocabulary) -> str:
    """Return a vocabulary's title without what it has in parentheses, unless nothing else is left of it."""
    return vocabulary.title.split(" (")[0] or vocabulary.title


def own_parts(vocabulary: PageVocabulary) -> dict[str, object]:
    """Return a vocabulary's own normalizers, pretokenizer and template, as values of the page.

    For an opened file that a library tokenizes, no normalizer means that the library normalizes.
    """
    row = PUBLISHED.get(vocabulary.name)
    template = row.template if row else "none"
    return {"normalizers": vocabulary.tokenizer.normalizers, "pretokenizer": OWN, "template": template}


def pretokenizers(vocabulary: PageVocabulary) -> dict[str, str]:
    """Return the titles of the pretokenizers to choose from, by key."""
    own = f"The model's own: {vocabulary.tokenizer.pretokenizer.title}"
    return {OWN: own, **{key: row.title for key, row in PRETOKENIZERS.items()}}


def with_parts(vocabulary: PageVocabulary, normalizers: Sequence[str], pretokenizer: str) -> Tokenizer:
    """Return the vocabulary's tokenizer with other normalizers and another pretokenizer.

    A library that tokenizes for an opened file cannot take other parts, so our tokenizer encodes instead.
    """
    if pretokenizer == OWN and tuple(normalizers) == vocabulary.tokenizer.normalizers:
        return vocabulary.tokenizer
    tokenizer = vocabulary.tokenizer.without_library()
    splitter = tokenizer.pretokenizer if pretokenizer == OWN else PRETOKENIZERS[pretokenizer]
    prefix = pretokenizer == "metaspace" or tokenizer.prefix_space  # as in ALBERT's tokenizer
    return replace(tokenizer, normalizers=tuple(normalizers), pretokenizer=splitter, prefix_space=prefix)


def encoded(now: Pipeline, vocabulary: PageVocabulary, texts: Mapping[str, str]) -> tuple[Encodings, str]:
    """Encode the texts with the chosen normalizers and pretokenizer. Return the encodings and "".

    If the vocabulary cannot encode the texts with these parts, encode them with another vocabulary and its own
    pretokenizer. Return these encodings, and in place of "" a sentence that says why.
    """
    try:
        return _encoded(vocabulary, now.normalizers, now.pretokenizer, texts), ""
    except (FormatError, PatternError) as error:
        other = chosen_vocabulary.stand_in()
        why = f"{sentences.problem(error)} Until then the page shows {other.title}."
        return _encoded(other, now.normalizers, OWN, texts), why


def _encoded(
    vocabulary: PageVocabulary, normalizers: Sequence[str], pretokenizer: str, texts: Mapping[str, str]
) -> Encodings:
    """Encode the texts. Raise `FormatError`, or `PatternError` if the pattern takes too long on a text."""
    tokenizer = with_parts(vocabulary, normalizers, pretokenizer)
    encodings = {name: tokenizer.encode(text, specials=True) for name, text in texts.items()}
    pretokens = {name: pretoken_table(encoding) for name, encoding in encodings.items()}
    return Encodings(vocabulary, tokenizer, encodings, pretokens)


def mismatches(vocabulary: PageVocabulary, tokenizer: Tokenizer) -> Iterator[str]:
    """Yield sentences about why a tokenizer's normalizers and pretokenizer do not suit the vocabulary."""
    own = vocabulary.tokenizer
    if own.normalizers != tokenizer.normalizers and own.normalizers:
        chain = ", then ".join(NORMALIZERS[key].title for key in own.normalizers)
        lost = " or be lost" if own.model.lost_words else ""
        yield f"This vocabulary was learnt on text normalized by {chain}: other text may need more tokens{lost}."
    if own.pretokenizer != tokenizer.pretokenizer:
        learnt = f"This vocabulary was learnt on text split by “{own.pretokenizer.title}”; "
        yield learnt + _consequence(own.pretokenizer, tokenizer.pretokenizer)


def _consequence(own: Pretokenizer, chosen: Pretokenizer) -> str:
    if own.lossless and not chosen.lossless:
        return f"“{chosen.title}” throws away the spaces that many of its tokens begin with: they are never used here."
    return f"split by “{chosen.title}”, the text may need more tokens."


def missing(template: Template, vocabulary: PageVocabulary) -> str:
    """Return which of the template's special tokens the vocabulary lacks, and what to do; "" if no token is missing."""
    names = [name for name in template.special_tokens if name not in vocabulary.tokenizer.special_tokens]
    if not names:
        return ""
    them = "it" if len(names) == 1 else "them"
    sentence = f"This vocabulary has no {' and no '.join(names)}, so there is no id for {them}."
    return sentence + (f" Add {them} on the Train page, under “Special tokens”." if vocabulary.name == TRAINED else "")
