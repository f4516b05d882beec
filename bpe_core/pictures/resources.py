"""Resources: what a picture asks of a thing that does not change, such as a tokenizer.

What a picture shows of a tokenizer follows from the tokenizer and a few parameters. So a picture can ask for it at any
time, in any order, without a page:

    of a vocabulary         tokens   text, specials              → the text as arrays, counts, remarks, a token's facts
                            token    text, specials, at, step    → the facts of one token of the text
                            prompt   text, specials, end, cut    → the text's tokens around the end of a prompt
    of several              rows     text, specials              → the text's tokens in each vocabulary

Parameters and data are JSON. Who answers does not matter: a server, or the same functions in the reader's browser.
Each function takes the thing, the parameters, and how a text is encoded (`Encode`). It raises `ParameterError` for
parameters that no picture sends. It raises `FormatError` or `PatternError`, whose message a reader can act on, for a
text that the tokenizer does not take.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from bpe_core.files.format import RefusedTextError
from bpe_core.pictures.prompt.prompt_data import end_data
from bpe_core.pictures.rows.rows_data import TokenizerRow, drawn, rows_table
from bpe_core.pictures.shared.json_form import Json
from bpe_core.pictures.shared.token_text import paired
from bpe_core.pictures.tokens.text_remarks import remarks
from bpe_core.pictures.tokens.token_facts import TextToken, biography, most_interesting
from bpe_core.pictures.tokens.tokens_data import text_arrays
from bpe_core.record.run import Run
from bpe_core.tokenizer.encoding import Encoding
from bpe_core.tokenizer.prompt_end import PromptEnd, after_last_space, last_cut
from bpe_core.tokenizer.tokenizer import Tokenizer

Parameters = Mapping[str, Any]


class ParameterError(ValueError):
    """A parameter is missing, or of another type than the resource takes."""


class AnyVocabulary(Protocol):
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


# Return the encoding of a text, given the vocabulary, the text, and `specials`. It may be one from before.
Encode = Callable[[AnyVocabulary, str, bool], Encoding]


def encoded(vocabulary: AnyVocabulary, text: str, specials: bool) -> Encoding:
    """Encode a text. `specials`: whether the name of a special token becomes that token."""
    return vocabulary.tokenizer.encode(text, specials=specials)


def tokens(vocabulary: AnyVocabulary, parameters: Parameters, encode: Encode = encoded) -> Json:
    """Return a text in a vocabulary's tokens.

    Parameters: `text`, a string; `specials`, whether the name of a special token becomes that token. The data: the
    arrays of `text_arrays`; `at` and `facts`, the first symbol and the biography of the token that a page opens with,
    -1 and None for an empty text; `remarks`, sentences about the text.

    >>> from types import SimpleNamespace
    >>> from bpe_core import load
    >>> gpt2 = SimpleNamespace(tokenizer=load("gpt2"), title="GPT-2", glyph="", run=None)
    >>> data = tokens(gpt2, {"text": "low lower", "specials": False})
    >>> data["counts"]["words"], data["at"], data["remarks"]
    (2, 3, 'Decodes back to exactly your text.')
    """
    encoding = encode(vocabulary, *_text(parameters))
    at = most_interesting(encoding.walk, len(vocabulary.tokenizer.merges))
    return {
        **text_arrays(encoding.walk),
        "at": at,
        "facts": _facts(vocabulary, encoding, at, len(vocabulary.tokenizer.merges)) if at >= 0 else None,
        "remarks": remarks(encoding),
    }


def token(vocabulary: AnyVocabulary, parameters: Parameters, encode: Encode = encoded) -> Json:
    """Return the biography of a token of a text as `facts` (see `biography`).

    Parameters: those of `tokens`; `at`, the index of a symbol of the token; `step`, how many merges apply, of which a
    number beyond the last counts as the last.

    >>> from types import SimpleNamespace
    >>> from bpe_core import load
    >>> gpt2 = SimpleNamespace(tokenizer=load("gpt2"), title="GPT-2", glyph="", run=None)
    >>> facts = token(gpt2, {"text": "low lower", "specials": False, "at": 4, "step": 60_000})["facts"]
    >>> facts["at"], facts["end"], facts["step"]
    (3, 9, 50000)
    """
    encoding = encode(vocabulary, *_text(parameters))
    at, step = _number(parameters, "at"), _number(parameters, "step")
    if at >= len(encoding.walk):
        raise ParameterError("the text has no such symbol")
    return {"facts": _facts(vocabulary, encoding, at, min(step, len(vocabulary.tokenizer.merges)))}


def prompt(vocabulary: AnyVocabulary, parameters: Parameters, encode: Encode = encoded) -> Json:
    """Return the tokens around the end of a prompt and of the whole text there (see `end_data`).

    Parameters: those of `tokens`; `end`, how many characters of the text the prompt has, -1 for the end of the text's
    last space; `cut`, whether -1 stands for an end that cuts a token (see `last_cut`), which has the encoding of up to
    21 prompts.

    >>> from types import SimpleNamespace
    >>> from bpe_core import load
    >>> gpt2 = SimpleNamespace(tokenizer=load("gpt2"), title="GPT-2", glyph="", run=None)
    >>> data = prompt(gpt2, {"text": "http://a", "specials": False, "end": -1, "cut": True})
    >>> data["end"], [[bytes.fromhex(token) for token, *_ in row["tokens"]] for row in data["rows"]]
    (5, [[b'http', b':'], [b'http', b'://', b'a']])
    """
    text, specials = _text(parameters)
    end, cut = _number(parameters, "end", least=-1), _flag(parameters, "cut")
    whole = encode(vocabulary, text, specials)
    if end < 0:
        end = last_cut(whole, vocabulary.tokenizer, specials) if cut else after_last_space(text)
    return end_data(PromptEnd(whole, encoded(vocabulary, text[:end], specials)))


def rows(vocabularies: Sequence[AnyVocabulary], parameters: Parameters, encode: Encode = encoded) -> Json:
    """Return a text's tokens in each vocabulary.

    Parameters: those of `tokens`. The data: `rows`, each as of `drawn`, beside the first; `table`, the rows of
    `rows_table`; `problems`, a sentence for each vocabulary that refuses the text, and has no row.

    >>> from types import SimpleNamespace
    >>> from bpe_core import load
    >>> both = [SimpleNamespace(tokenizer=load(name), title=name, glyph="", run=None) for name in ("gpt2", "bert")]
    >>> [(row["name"], row["figures"]["tokens"]) for row in rows(both, {"text": "🦜", "specials": False})["rows"]]
    [('gpt2', 3), ('bert', 1)]
    """
    text, specials = _text(parameters)
    made: list[TokenizerRow] = []
    problems: list[str] = []
    for vocabulary in vocabularies:
        try:
            walk = encode(vocabulary, text, specials).walk
        except RefusedTextError as error:
            problems.append(f"{vocabulary.title}: {error}")
        else:
            made.append(TokenizerRow(vocabulary.title, walk.tokens(len(vocabulary.tokenizer.merges)), vocabulary.glyph))
    return {
        "rows": [drawn(row, made[0]) for row in made],
        "table": rows_table(made) if made else [],
        "problems": problems,
    }


Resource = Callable[[Any, Parameters, Encode], Json]
OF_ONE: Mapping[str, Resource] = {"tokens": tokens, "token": token, "prompt": prompt}
OF_SEVERAL: Mapping[str, Resource] = {"rows": rows}


def resources_of(thing: object) -> Mapping[str, Resource]:
    """Return the resources of a vocabulary, or of a sequence of vocabularies, by name."""
    return OF_SEVERAL if isinstance(thing, Sequence) else OF_ONE


def _facts(vocabulary: AnyVocabulary, encoding: Encoding, at: int, step: int) -> Json:
    return biography(TextToken(vocabulary.tokenizer, encoding.walk, at, step, vocabulary.run))


def _text(parameters: Parameters) -> tuple[str, bool]:
    text = parameters.get("text")
    if not isinstance(text, str):
        raise ParameterError("text has to be a string")
    return paired(text), _flag(parameters, "specials")


def _flag(parameters: Parameters, name: str) -> bool:
    flag = parameters.get(name)
    if not isinstance(flag, bool):
        raise ParameterError(f"{name} has to be true or false")
    return flag


def _number(parameters: Parameters, name: str, least: int = 0) -> int:
    number = parameters.get(name)
    if type(number) is not int or number < least:
        raise ParameterError(f"{name} has to be a whole number from {least}")
    return number
