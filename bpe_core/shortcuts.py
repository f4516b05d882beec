"""Shortcuts: methods of the engine's values whose work is done by later chapters (the folders of `bpe_core`).

    run.save("mine.json")       record.run_file writes it
    tokenizer.save("mine.json") files writes it
    tokenizer.apply_chat_template(turns)    chat renders it
    tokenizer.savings(texts)    counting trains and counts
    run.page(), encoding.svg()  the pictures draw it
    _repr_html_                 what a notebook shows

A class takes a function from here as its method: `svg = shortcuts.run_svg`. So a value has a method for what can be
done with it, and its own chapter imports no later chapter. Each function imports its chapter when it is called. Only
these imports and those of `by_name` run against the order of the chapters (`tests/test_imports.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bpe_core.chat.conversation import Requests
    from bpe_core.chat.cost import ToolCosts
    from bpe_core.chat.given_template import GivenTemplate
    from bpe_core.chat.model_input import ModelInput
    from bpe_core.chat.templates import GivenTurn
    from bpe_core.corpus.counting import Progress
    from bpe_core.corpus.text_files import OneText, Texts
    from bpe_core.counting.found_files import Found
    from bpe_core.counting.other_notations import Notations
    from bpe_core.counting.own_tokens import Savings
    from bpe_core.files.library_tokenizer import LibraryTokenizer
    from bpe_core.pictures.saved.page_file import SavedPage
    from bpe_core.record.run import Run
    from bpe_core.text.rules import Pretoken
    from bpe_core.tokenizer.checks import Specials
    from bpe_core.tokenizer.drift import Drift
    from bpe_core.tokenizer.encoding import Encoding
    from bpe_core.tokenizer.stream import Arrival
    from bpe_core.tokenizer.tokenizer import Tokenizer


# --- a run ---


def save_run(run: Run, path: str | PathLike[str]) -> Path:
    """Write the run's settings and corpus to a file of JSON, and return the file's path."""
    from bpe_core.record import run_file

    return run_file.save_run(run, path)


def load_run(path: str | PathLike[str]) -> Run:
    """Return the run in a file that `save` wrote; `RunFileError` for any other file."""
    from bpe_core.record import run_file

    return run_file.load_run(path)


def run_page(
    run: Run, step: int = 0, title: str = "", beside: Run | None = None, progress: Progress | None = None
) -> SavedPage:
    """Return a saved page that needs no server and plays the training from `step` on. A notebook shows the page.

    `beside`: another training on the same text, which plays beside this one. `progress(phase, done, total)`: called
    again and again, as by `train`; a page of 8,000 merges takes about two seconds.
    """
    from bpe_core.pictures.saved import saved_page

    return saved_page.film(run, step, title, beside=beside, progress=progress)


def run_svg(run: Run, step: int) -> str:
    """Return a step as an SVG picture: the pair that was joined, the corpus, the pairs and the last merges."""
    from bpe_core.pictures.paper import pictures

    return pictures.step_picture(run, step, "svg")


def run_tex(run: Run, step: int) -> str:
    """Return a step as LaTeX."""
    from bpe_core.pictures.paper import pictures

    return pictures.step_picture(run, step, "tex")


def run_html(run: Run, step: int) -> str:
    """Return a step as the text of an HTML file."""
    from bpe_core.pictures.paper import pictures

    return pictures.step_picture(run, step, "html")


# --- the tokens of a text ---


def encoding_page(encoding: Encoding, tokenizer: str = "this tokenizer", title: str = "") -> SavedPage:
    """Return a saved page that needs no server; the text melts from bytes into tokens. A notebook shows the page.

    `tokenizer`: the name of the tokenizer on the page.
    """
    from bpe_core.pictures.saved import saved_page
    from bpe_core.tokenizer.encoding import NOTHING

    return saved_page.view(replace(encoding, around=NOTHING), tokenizer, title=title)


def encoding_svg(encoding: Encoding) -> str:
    """Return the tokens and their ids as an SVG picture."""
    from bpe_core.pictures.paper import pictures

    return pictures.text_picture(encoding, "svg")


def encoding_tex(encoding: Encoding) -> str:
    """Return the tokens and their ids as LaTeX."""
    from bpe_core.pictures.paper import pictures

    return pictures.text_picture(encoding, "tex")


def encoding_html(encoding: Encoding) -> str:
    """Return the tokens and their ids as the text of an HTML file."""
    from bpe_core.pictures.paper import pictures

    return pictures.text_picture(encoding, "html")


# --- a tokenizer ---


def save_tokenizer(tokenizer: Tokenizer, path: str | PathLike[str], format: str | None = None) -> list[Path]:
    """Write the tokenizer to `path`, whole or not at all, and return the paths of the files.

    The name's ending, such as `.json` or `.tiktoken`, chooses the format, or `format` does: a key of `FORMATS`.
    """
    from bpe_core import files

    return files.save(tokenizer, path, format)


def apply_chat_template(
    tokenizer: Tokenizer,
    turns: Iterable[GivenTurn],
    *,
    add_generation_prompt: bool = False,
    template: GivenTemplate | None = None,
    tools: Iterable[Mapping[str, Any]] | None = (),
    documents: Iterable[Any] | None = (),
    trusted: bool = False,
    **variables: Any,
) -> ModelInput:
    """Return what a model is given of the turns of a chat: its `ids`, its `text`, and whose each token is.

    A turn is (role, content) or a message as in OpenAI's API, also with tool calls. `tools`, `documents` and
    `variables`, such as `enable_thinking=False`, are explained at `bpe_core.chat.render`. With `add_generation_prompt`
    the text ends with what begins an answer. The name of a special token that is typed into a turn is that token, as in
    models' libraries: `typed` finds these.

    `template`: a key of `bpe_core.chat.templates.CHAT_TEMPLATES`, a template's own text in Jinja, the `Path` of a
    model's folder, its GGUF, `chat_template.jinja` or `tokenizer_config.json`, or "hub:owner/model". Of a model with
    several templates, the one for chats with tools or without is used: see `ChatTemplate.for_tools`. Without it, a
    vocabulary that ships with the project has the template of its row in `CHAT_TEMPLATES`, whose remark says how the
    models' own differ. Any other tokenizer has none. A template knows the special tokens that its own config names, and
    else those that the tokenizer's files or its vocabulary name: `Tokenizer.roles`. A template is a program: it runs in
    another process, which can open nothing; with `trusted` in this one, in the same sandbox, faster, but without limits
    of time and memory. Raises `ChatError`, whose message is a sentence.

    >>> from bpe_core import load
    >>> found = load("qwen").apply_chat_template([("user", "Hi")], add_generation_prompt=True)
    >>> found.ids
    (151644, 872, 198, 13048, 151645, 198, 151644, 77091, 198)
    >>> found.text
    '<|im_start|>user\\nHi<|im_end|>\\n<|im_start|>assistant\\n'
    >>> found.summary
    '9 tokens: yours 1, template 8'
    >>> load("gpt2").apply_chat_template([{"role": "user", "content": "Hi"}], template="{{ messages[0].content }}!").ids
    (17250, 0)
    """
    from bpe_core.chat import model_input

    return model_input.chat_input(
        tokenizer, turns, add_generation_prompt=add_generation_prompt, template=template, tools=tools,
        documents=documents, trusted=trusted, **variables,
    )  # fmt: skip


def apply_chat_template_batch(
    tokenizer: Tokenizer,
    chats: Iterable[Iterable[GivenTurn]],
    *,
    add_generation_prompt: bool = False,
    template: GivenTemplate | None = None,
    tools: Iterable[Mapping[str, Any]] | None = (),
    documents: Iterable[Any] | None = (),
    trusted: bool = False,
    **variables: Any,
) -> list[ModelInput]:
    """Return what a model is given of many chats, far faster than one by one.

    `chats`: the turns of each. The other arguments are those of `apply_chat_template`, for all chats. A `ChatError`
    names the chat.

    >>> from bpe_core import load
    >>> chats = [[("user", "Hi")], [("user", "Hello all")]]
    >>> [len(found.ids) for found in load("qwen").apply_chat_template_batch(chats)]
    [6, 7]
    """
    from bpe_core.chat import model_input

    return model_input.chat_inputs(
        tokenizer, chats, add_generation_prompt=add_generation_prompt, template=template, tools=tools,
        documents=documents, trusted=trusted, **variables,
    )  # fmt: skip


def tokenizer_tool_costs(
    tokenizer: Tokenizer,
    turns: Iterable[GivenTurn],
    tools: Iterable[Mapping[str, Any]],
    *,
    template: GivenTemplate | None = None,
    add_generation_prompt: bool = False,
    documents: Iterable[Any] | None = (),
    progress: Callable[[int, int], None] | None = None,
    trusted: bool = False,
    **variables: Any,
) -> ToolCosts:
    """Return what each tool of a chat costs, in tokens. Arguments and errors are as for `apply_chat_template`.

    `progress(done, total)` is called meanwhile if there are many tools.

    >>> from bpe_core import load
    >>> load("qwen").tool_costs([("user", "Hi")], [{"name": "clock"}, {"name": "map"}]).largest_first[0].name
    'clock'
    """
    from bpe_core.chat import cost

    return cost.tool_costs(
        tokenizer, template, turns, tools, add_generation_prompt=add_generation_prompt, documents=documents,
        variables=variables, progress=progress, trusted=trusted,
    )  # fmt: skip


def tokenizer_requests(
    tokenizer: Tokenizer,
    turns: Iterable[GivenTurn],
    template: GivenTemplate | None = None,
    *,
    tools: Iterable[Mapping[str, Any]] | None = (),
    documents: Iterable[Any] | None = (),
    answers: Mapping[int, Sequence[int]] = MappingProxyType({}),
    trusted: bool = False,
    **variables: Any,
) -> Requests:
    """Return the requests of a conversation, and what a server can keep of each: see `bpe_core.chat.requests`.

    The other arguments and errors are as for `apply_chat_template`.

    >>> from bpe_core import load
    >>> load("qwen").requests([("user", "Hi"), ("assistant", "Hello!"), ("user", "Bye")], template="chatml").summary
    'Of 32 tokens sent in 2 requests at most 12 can be kept: no request loses anything.'
    """
    from bpe_core.chat import conversation

    return conversation.requests(
        tokenizer, turns, template, tools=tools, documents=documents, variables=variables, answers=answers,
        trusted=trusted,
    )  # fmt: skip


def tokenizer_cuts(tokenizer: Tokenizer, text: OneText, specials: Specials = None) -> tuple[Pretoken, ...]:
    """Return the pretokens of a text, each with the name of the alternative of the pattern that cut it.

    A library that splits a text does not say why. Its pretokens have a name where our rules find the same pretoken, and
    else "". Offsets are in the normalized text.

    >>> from bpe_core import load
    >>> [(pretoken.text, pretoken.rule) for pretoken in load("gpt2").cuts("I'm 42")]
    [('I', 'letters'), ("'m", 'contraction'), (' 42', 'digits')]
    """
    from bpe_core.tokenizer import why_cut

    return why_cut.cuts(tokenizer, text, specials)


def tokenizer_savings(
    tokenizer: Tokenizer, texts: Texts, most: int = 1000, progress: Progress | None = None
) -> Savings:
    """Return what up to `most` new tokens would save.

    They are learnt from four fifths of `texts`, and tried on the rest. `texts`: a text, the `Path` of one, or several.
    Raises `MergesError` or `SettingsError` if no training can go on from the tokenizer.

    >>> from bpe_core import load
    >>> round(load("gpt2").savings(["the mergescope. " * 50] * 10, 20).share(5), 2)
    0.5
    """
    from bpe_core.counting import own_tokens

    return own_tokens.savings(texts, tokenizer, most, progress)


def tokenizer_notations(tokenizer: Tokenizer, file: Found | str | PathLike[str]) -> Notations:
    """Return the tokens of a file's data as JSON, YAML, CSV and TOON, and which keys are the dearest.

    `file`: the path of a `.json`, `.jsonl`, `.ndjson`, `.csv`, `.tsv`, `.tab`, `.yaml` or `.yml`. Raises
    `FoundFileError`, whose message is a sentence, and `OSError`.
    """
    from bpe_core.counting import other_notations

    return other_notations.notations(file, tokenizer)


def tokenizer_arrivals(tokenizer: Tokenizer, ids: Iterable[int]) -> Iterator[Arrival]:
    """Yield what can be shown after each of `ids`; what is `shown` after each, put together, is what `decode` returns.

    After the last id nothing waits: bytes that are no whole character are shown as U+FFFD.

    >>> from bpe_core import load
    >>> tok = load("gpt2")
    >>> [(arrival.shown, arrival.waiting) for arrival in tok.arrivals(tok.ids(" 🦜"))][-2:]
    [('', b' \\xf0\\x9f\\xa6'), (' 🦜', b'')]
    """
    from bpe_core.tokenizer import stream

    return stream.arrivals(tokenizer, ids)


def plain_tokenizer(tokenizer: LibraryTokenizer) -> Tokenizer:
    """Return a `Tokenizer` that encodes every text as `tokenizer` does; `MergesError` says what prevents that."""
    from bpe_core.files import conversion

    return conversion.as_ours(tokenizer)


def tokenizer_drift(tokenizer: Tokenizer, ids: Iterable[int]) -> Drift:
    """Return `ids` beside the ids that the same text gets, and the regions in which they differ.

    A model may write a text in other tokens than its tokenizer does. Names of special tokens in the text are these
    tokens. Raises `ValueError` for an id that the vocabulary does not have.

    >>> from bpe_core import load
    >>> found = load("qwen").drift([64, 53122, 316])
    >>> found.text, found.own, found.regions
    ('a Pantom', (64, 393, 30002), (Region(given=(1, 3), own=(1, 3), why='merge', step=29747, at=None),))
    """
    from bpe_core.tokenizer import drift

    return drift.drift(tokenizer, ids)


def tokenizer_ways(tokenizer: Tokenizer, text: OneText) -> int:
    """Return in how many ways the text can be written: the number of sequences of ordinary ids that decode to it.

    The split is ignored. Raises `MergesError` for a tokenizer without merges, such as BERT's, and `ValueError` for one
    with a word marker and for a text of more than 10,000 bytes.

    >>> from bpe_core import load
    >>> load("gpt2").ways("hello"), load("gpt2").ways("The keeper's dog")
    (16, 3072)
    """
    from bpe_core.tokenizer import ways

    return ways.ways(tokenizer, text)


# --- what a notebook shows ---


def in_notebook(found: object) -> str:
    """Return a value as HTML: see the table `notebook_tables.VIEWS`."""
    from bpe_core.pictures.saved import notebook_tables

    return notebook_tables.html_of(found)
