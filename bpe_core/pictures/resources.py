"""Resources: what a picture asks of a thing that does not change, such as a tokenizer or a training.

What a picture shows of such a thing follows from the thing and a few parameters. So a picture can ask for it at any
time, in any order, without a page:

    of a vocabulary         tokens   text, specials              → the text as arrays, counts, remarks, a token's facts
                            token    text, specials, at, step    → the facts of one token of the text
                            prompt   text, specials, end, cut    → the text's tokens around the end of a prompt
    of several              rows     text, specials              → the text's tokens in each vocabulary
    of a film               film     find, sort, step            → what the film begins with: facts, words, frames
                            window   find, sort, step            → the words that match a search, in an order
                            frames   chunks                      → the frames of some steps: top pairs, ties, sentences
                            focus    chosen, step                → details about a pair or a word

A film that follows the typing also takes a `text` each time: then it is asked about a training on that text.

Parameters and data are JSON. Who answers does not matter: a server, or the same functions in the reader's browser.
Each function takes the thing, the parameters, and how a text is encoded (`Encode`). It raises `ParameterError` for
parameters that no picture sends. It raises an error whose message a reader can act on (`FormatError`, `PatternError`
or `SettingsError`) for a text that the tokenizer or the training does not take, and `LeftToPageError` for a text that a
film does not train on by itself. `answer` returns the data or, for such an error, its sentence.

The chapter `files` is imported within functions: a browser that only encodes and trains never waits for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from bpe_core.pictures.film.film_answer import (
    FIRST_CHUNKS,
    Film,
    LeftToPageError,
    first_data,
    focus_data,
    frames_data,
    window_data,
)
from bpe_core.pictures.prompt.prompt_data import end_data
from bpe_core.pictures.rows.rows_data import TokenizerRow, drawn, finding, rows_table
from bpe_core.pictures.shared.json_form import Json, compact
from bpe_core.pictures.shared.token_text import paired
from bpe_core.pictures.tokens.text_remarks import remarks
from bpe_core.pictures.tokens.token_facts import TextToken, biography, most_interesting
from bpe_core.pictures.tokens.tokens_data import text_arrays
from bpe_core.record.run import Run
from bpe_core.settings import SettingsError
from bpe_core.text.rules import PatternError
from bpe_core.tokenizer.encoding import Encoding
from bpe_core.tokenizer.prompt_end import PromptEnd, after_last_space, last_cut
from bpe_core.tokenizer.tokenizer import Tokenizer

Parameters = Mapping[str, Any]
MOST_SEARCHED = 100  # characters that words are searched for


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

    Parameters: those of `tokens`. The data: `rows`, each as of `drawn`, beside the first; `finding`, a sentence on who
    needs the fewest; `table`, the rows of `rows_table`; `problems`, a sentence for each vocabulary that refuses the
    text, and has no row.

    >>> from types import SimpleNamespace
    >>> from bpe_core import load
    >>> both = [SimpleNamespace(tokenizer=load(name), title=name, glyph="", run=None) for name in ("gpt2", "bert")]
    >>> [(row["name"], row["figures"]["tokens"]) for row in rows(both, {"text": "🦜", "specials": False})["rows"]]
    [('gpt2', 3), ('bert', 1)]
    """
    from bpe_core.files.format import RefusedTextError

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
        "finding": finding(made),
        "table": rows_table(made) if made else [],
        "problems": problems,
    }


def film(shown: Film, parameters: Parameters, _: Encode = encoded) -> Json:
    """Return what a film of a training begins with (see `first_data`).

    Parameters: `find` and `sort`, as for `window`; `step`, from which on the data has frames. The data of a typed text
    has fewer frames: another text may follow at once.

    >>> from bpe_core import Settings, train
    >>> from bpe_core.pictures.film.film_answer import ShownSide, ShownWords
    >>> from bpe_core.pictures.film.film_side import RunSide
    >>> side = RunSide(train("low low lower", Settings("whitespace", vocab_size=258)), "")
    >>> shown = Film([ShownSide(side, lambda *_: ShownWords([0, 1]))])
    >>> data = film(shown, {"find": "", "sort": "", "step": 0})
    >>> data["sides"][0]["steps"], data["facts"][0]["base"][108], [chunk[:2] for chunk in data["chunks"]]
    (2, '6c', [[0, 0]])
    """
    chunks = 1 if "text" in parameters else FIRST_CHUNKS
    typed, step = _typed(shown, parameters), _number(parameters, "step")
    return dict(first_data(typed, *_search(parameters), step, chunks))


def window(shown: Film, parameters: Parameters, _: Encode = encoded) -> Json:
    """Return the words of a film that match a search (see `window_data`).

    Parameters: `find`, what the words contain; `sort`, their order, "" for one that fits the corpus; `step`, the step
    whose changed words come first in the order "changed first".

    >>> from bpe_core import Settings, train
    >>> from bpe_core.pictures.film.film_answer import ShownSide, words_of
    >>> from bpe_core.pictures.film.film_side import RunSide
    >>> side = RunSide(train("low low lower", Settings("whitespace", vocab_size=258)), "")
    >>> data = window(Film([ShownSide(side, words_of(side))]), {"find": "er", "sort": "longest", "step": 0})
    >>> data["sort"], data["sides"][0]["rows"], data["sides"][0]["note"]
    ('longest', [[1]], '1 of 2 words matches.')
    """
    return window_data(_typed(shown, parameters), *_search(parameters), _number(parameters, "step"))


def frames(shown: Film, parameters: Parameters, _: Encode = encoded) -> Json:
    """Return `chunks`, frames of a film in chunks of a few steps (see `frames_data`).

    Parameters: `chunks`, for each chunk its side and its number, from 0. A chunk that does not exist is left out.

    >>> from bpe_core import Settings, train
    >>> from bpe_core.pictures.film.film_answer import ShownSide, ShownWords
    >>> from bpe_core.pictures.film.film_side import RunSide
    >>> side = RunSide(train("low low lower", Settings("whitespace", vocab_size=258)), "")
    >>> data = frames(Film([ShownSide(side, lambda *_: ShownWords())]), {"chunks": [[0, 0], [0, 7]]})
    >>> [(number, [frame["tokens"] for frame in chunk["frames"]]) for _, number, chunk in data["chunks"]]
    [(0, [11, 8, 5])]
    """
    chunks = parameters.get("chunks")
    if not isinstance(chunks, list):
        raise ParameterError("chunks has to be a list")
    return {"chunks": frames_data(_typed(shown, parameters), chunks)}


def focus(shown: Film, parameters: Parameters, _: Encode = encoded) -> Json:
    """Return `focus`, details about a pair or a word of a film (see `focus_data`).

    Parameters: `chosen`, the side and the two token ids of a pair, or the side and the index of a word; `step`, counted
    from the side's first step, of which a number beyond the last counts as the last.

    >>> from bpe_core import Settings, train
    >>> from bpe_core.pictures.film.film_answer import ShownSide, ShownWords
    >>> from bpe_core.pictures.film.film_side import RunSide
    >>> side = RunSide(train("low low lower", Settings("whitespace", vocab_size=258)), "")
    >>> shown = Film([ShownSide(side, lambda *_: ShownWords())])
    >>> focus(shown, {"chosen": [0, 108, 111], "step": 0})["focus"]["rows"]
    [0, 1]
    """
    chosen, step = parameters.get("chosen"), _number(parameters, "step")
    found = None
    if isinstance(chosen, list) and len(chosen) in (2, 3):
        found = focus_data(_typed(shown, parameters), chosen, step)
    if found is None:
        raise ParameterError("chosen has to be a pair or a word of the film")
    return {"focus": found}


Resource = Callable[[Any, Parameters, Encode], Json]
OF_ONE: Mapping[str, Resource] = {"tokens": tokens, "token": token, "prompt": prompt}
OF_SEVERAL: Mapping[str, Resource] = {"rows": rows}
OF_FILM: Mapping[str, Resource] = {"film": film, "window": window, "frames": frames, "focus": focus}


def resources_of(thing: object) -> Mapping[str, Resource]:
    """Return the resources of a vocabulary, of a sequence of vocabularies, or of a film, by name."""
    if isinstance(thing, Film):
        return OF_FILM
    return OF_SEVERAL if isinstance(thing, Sequence) else OF_ONE


class ResourceAnswer(NamedTuple):
    """What a picture is answered. `status` 200: `content` is the data as JSON; any other: a sentence why there is none.

    204: nothing, since the page itself answers. It is no error, so a browser's console has none. 400: a parameter is
    wrong. 422: the text or the settings are; the sentence is for the screen.
    """

    status: int
    content: str


def answer(resource: Resource, thing: object, parameters: Parameters, encode: Encode = encoded) -> ResourceAnswer:
    """Return the data of a resource, or why there is none. An error that no resource should raise goes through.

    >>> from types import SimpleNamespace
    >>> from bpe_core import load
    >>> bert = SimpleNamespace(tokenizer=load("bert"), title="BERT", glyph="", run=None)
    >>> answer(tokens, bert, {"text": "a", "specials": 1})
    ResourceAnswer(status=400, content='Specials has to be true or false.')
    """
    try:
        return ResourceAnswer(200, compact(resource(thing, parameters, encode)))
    except ParameterError as error:
        return ResourceAnswer(400, sentence(error))
    except LeftToPageError:
        return ResourceAnswer(204, "")
    except _errors_with_sentences() as error:
        return ResourceAnswer(422, sentence(error))


def _errors_with_sentences() -> tuple[type[ValueError], ...]:
    from bpe_core.files.format import FormatError

    return FormatError, PatternError, SettingsError


def sentence(error: Exception) -> str:
    """Return an error of the engine as a sentence.

    >>> sentence(ValueError("the pattern takes too long"))
    'The pattern takes too long.'
    """
    text = str(error)
    return f"{text[:1].upper()}{text[1:].removesuffix('.')}."


def _facts(vocabulary: AnyVocabulary, encoding: Encoding, at: int, step: int) -> Json:
    return biography(TextToken(vocabulary.tokenizer, encoding.walk, at, step, vocabulary.run))


def _typed(shown: Film, parameters: Parameters) -> Film:
    """Return the film that a request is about: if it has a `text`, the film of that text."""
    text = parameters.get("text")
    if not isinstance(text, str | None):
        raise ParameterError("text has to be a string")
    return shown.on(None if text is None else paired(text))


def _search(parameters: Parameters) -> tuple[str, str]:
    find, sort = parameters.get("find"), parameters.get("sort")
    if not isinstance(find, str) or not isinstance(sort, str):
        raise ParameterError("find and sort have to be strings")
    return find[:MOST_SEARCHED], sort


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
