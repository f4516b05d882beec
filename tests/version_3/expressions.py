"""Expressions of Python with what they give: as it is, or, where that is files, by their hashes.

An expression may use whatever this module has: what it imports, and the functions below.
"""

# ruff: noqa: F401, F403

import pickle
import re
from dataclasses import replace
from functools import cache
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import bpe_core
from bpe_core import *
from bpe_core import Run, Settings, Tokenizer
from bpe_core.chat.model_input import model_input
from bpe_core.chat.rendering import render
from bpe_core.chat.templates import CHAT_TEMPLATES, Turn
from bpe_core.files.tokenizer_json_write import dumps_model
from bpe_core.models import all_models, unigram, wordpiece, words_and_characters
from bpe_core.pictures.paper.pictures import picture
from bpe_core.pictures.shared.drawing import Appearance, encoding_drawing, step_drawing, text_drawing, token_drawing
from bpe_core.published import PUBLISHED
from bpe_core.tokenizer.letters import count, letters
from bpe_core.tokenizer.prompt_end import prompt_end
from bpe_core.tokenizer.scorecard import scorecard
from bpe_core.tokenizer.trimming import append, unreached
from tests.version_3.pages_seen import limits, offered, right_answers
from tests.version_3.record import FOLDER, Answer

TEXT = (FOLDER / "text.txt").read_text(encoding="utf-8")
WORDS = "low " * 5 + "lower " * 2 + "newest " * 6 + "widest " * 3 + "longer"
LONG_NUMBER = re.compile(rb"-?\d+\.\d{9,}(?:e[+-]?\d+)?")  # the last digits are those of a processor


def trained(pretokenizer: str = "gpt2", alphabet: str = "bytes", **settings: Any) -> Run:
    """Train on the text of this folder: 80 merges at most, where nothing else is asked."""
    size = settings.pop("vocab_size", 336 if alphabet == "bytes" else 200)
    return bpe_core.train(TEXT, Settings(pretokenizer, alphabet, vocab_size=size, **settings))


def small(**settings: Any) -> Run:
    """Train on a few words: a run that can be read as a whole."""
    return bpe_core.train(WORDS, Settings(**{"pretokenizer": "whitespace", "alphabet": "characters"} | settings))


@cache
def published(name: str) -> Tokenizer:
    """Load a vocabulary that ships with the project, once."""
    return PUBLISHED[name].load()


def in_stages(**settings: Any) -> Run:
    """Train on a few words, and then across them."""
    return small(pretokenizer="gpt2", vocab_size=26, then_across_words_from=20, **settings)


def kept(run: Run) -> Run:
    """Return what is left of a run when it is saved in a file and loaded again."""
    with TemporaryDirectory() as folder:
        return Run.load(run.save(Path(folder) / "run.json"))


def files(format: str, *arguments: Any, **settings: Any) -> dict[str, bytes]:
    """Return the files of a tokenizer that was trained with these settings, as `trained` takes them."""
    return bpe_core.dumps(trained(*arguments, **settings).tokenizer(), format)


def again(value: Any) -> Any:
    """Return what is left of a value when it is pickled and read again."""
    return pickle.loads(pickle.dumps(value))


def evaluated(expression: str) -> Any:
    """Return what an expression gives."""
    return eval(expression, globals())


def answer(expression: str) -> Answer:
    """Return what an expression gives, or the type of the error that it raises."""
    try:
        given = evaluated(expression)
    except Exception as error:
        return [f"raises {type(error).__name__}"]
    return [repr(given.tolist() if isinstance(given, np.ndarray) else given)]


def hashes(expression: str) -> Answer:
    """Return the hash of each file that an expression gives, or the type of the error that it raises."""
    try:
        given = evaluated(expression)
    except Exception as error:
        return [f"raises {type(error).__name__}"]
    return [f"{name} {_hash(raw)}" for name, raw in given.items()] if isinstance(given, dict) else [_hash(given)]


def _hash(content: bytes) -> str:
    """Return the start of a file's SHA-256. Only the first nine digits of a long number count."""
    steady = LONG_NUMBER.sub(lambda number: b"%.9g" % float(number[0]), content)
    return sha256(steady).hexdigest()[:16]
