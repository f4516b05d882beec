"""Resources: what a picture asks of a thing that does not change, such as a tokenizer.

What a picture shows of a tokenizer follows from the tokenizer and a few parameters. So a picture can ask for it at any
time, in any order, without a page:

    tokens   text, specials              → the text as arrays, its counts, remarks, the facts of one token
    token    text, specials, at, step    → the facts of the token that has the symbol `at` after `step` merges
    rows     text, specials              → the text's tokens in each of several vocabularies

Parameters and data are JSON. Who answers does not matter: a server, or the same functions in the reader's browser.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from bpe_core.pictures.rows.rows_data import TokenizerRow, drawn, rows_table
from bpe_core.pictures.shared.json_form import Json
from bpe_core.pictures.tokens.text_remarks import remarks
from bpe_core.pictures.tokens.token_facts import TextToken, biography, most_interesting
from bpe_core.pictures.tokens.tokens_data import text_arrays
from bpe_core.record.run import Run
from bpe_core.tokenizer.encoding import Encoding
from bpe_core.tokenizer.tokenizer import Tokenizer


class ParameterError(ValueError):
    """A parameter is missing, or of another type than the resource takes."""


class ShownVocabulary(Protocol):
    """A tokenizer as pictures show it."""

    @property
    def tokenizer(self) -> Tokenizer:
        """The tokenizer itself."""

    @property
    def title(self) -> str:
        """Its name."""

    @property
    def glyph(self) -> str:
        """The text drawn for the word marker."""

    @property
    def run(self) -> Run | None:
        """The training of the tokenizer, where it is known."""


def tokens(vocabulary: ShownVocabulary, parameters: Mapping[str, Any]) -> Json:
    """Return a text in a vocabulary's tokens.

    Parameters: `text`, a string; `specials`, whether the name of a special token becomes that token. The data: the
    arrays of `text_arrays`; `at` and `facts`, the first symbol and the biography of the token that a page opens with;
    `remarks`, sentences about the text. Raise `ParameterError` for other parameters, and what `Tokenizer.encode`
    raises.
    """
    encoding = _encoding(vocabulary, parameters)
    steps = len(vocabulary.tokenizer.merges)
    at = most_interesting(encoding.walk, steps)
    found = TextToken(vocabulary.tokenizer, encoding.walk, at, steps, vocabulary.run) if at >= 0 else None
    return {
        **text_arrays(encoding.walk),
        "at": at,
        "facts": biography(found) if found else None,
        "remarks": remarks(encoding),
    }


def token(vocabulary: ShownVocabulary, parameters: Mapping[str, Any]) -> Json:
    """Return the biography of a token of a text (see `biography`).

    Parameters: those of `tokens`; `at`, the index of a symbol of the token; `step`, the number of merges. Raise
    `ParameterError` for other parameters, and what `Tokenizer.encode` raises.
    """
    at, step = _number(parameters, "at"), _number(parameters, "step")
    walk = _encoding(vocabulary, parameters).walk
    if at >= len(walk):
        raise ParameterError("the text has no such symbol")
    step = min(step, len(vocabulary.tokenizer.merges))
    return {"facts": biography(TextToken(vocabulary.tokenizer, walk, at, step, vocabulary.run))}


def rows(vocabularies: Sequence[ShownVocabulary], parameters: Mapping[str, Any]) -> Json:
    """Return a text's tokens in each vocabulary, and the rows of a table of all. Parameters: those of `tokens`."""
    made = []
    for vocabulary in vocabularies:
        walk = _encoding(vocabulary, parameters).walk
        made.append(TokenizerRow(vocabulary.title, walk.tokens(len(vocabulary.tokenizer.merges)), vocabulary.glyph))
    return {"rows": [drawn(row, made[0]) for row in made], "table": rows_table(made)}


RESOURCES: Mapping[str, Callable[[Any, Mapping[str, Any]], Json]] = {"tokens": tokens, "token": token, "rows": rows}


def _encoding(vocabulary: ShownVocabulary, parameters: Mapping[str, Any]) -> Encoding:
    text, specials = parameters.get("text"), parameters.get("specials")
    if not isinstance(text, str) or not isinstance(specials, bool):
        raise ParameterError("a text and specials are needed")
    return vocabulary.tokenizer.encode(text, specials=specials)


def _number(parameters: Mapping[str, Any], name: str) -> int:
    number = parameters.get(name)
    if type(number) is not int or number < 0:
        raise ParameterError(f"{name} has to be a whole number from 0")
    return number
