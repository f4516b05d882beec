"""Each public function is called with each wrong kind of value in each of its places: a sentence of ours, or an answer.

A sentence is raised by our own code, in one line, and says what is wrong; Python's own errors from inside are none.
"""

import inspect
import traceback
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import bpe_core
from bpe_core import Settings, chat, train

HOME = Path(bpe_core.__file__).parent
RUN = train("low low low lower newest newest", Settings(vocab_size=262))
TOK = RUN.tokenizer()
TALK = [("user", "Hi"), ("assistant", "Ho"), ("user", "Bye")]
TEMPLATE = "{% for message in messages %}{{ message.content }}{% endfor %}"
WRONG: dict[str, Any] = {
    "none": None,
    "true": True,
    "whole": 5,
    "negative": -1,
    "float": 1.5,
    "nan": float("nan"),
    "str": "zzz",
    "empty": "",
    "bytes": b"zzz",
    "list": [],
    "list of none": [None],
    "list of lists": [[1.5]],
    "dict": {"a": None},
    "object": object(),
    "path": Path("no-such-file"),
    "folder": Path("."),
    "function": print,
}
USUAL: dict[str, Any] = {
    "tokenizer": TOK, "one": TOK, "other": TOK, "apart": TOK, "path": "made.json", "text": "low", "texts":
    ["low", "lower"], "settings": Settings(vocab_size=262), "counts": {"low": 2}, "ids": [104, 101], "batch":
    [[104, 101]], "keys": ["nfc"], "files": {}, "paths": [], "tokenizers": [TOK], "file": "data.json",
    "found_file": "data.json", "drawing": None, "kind": "svg", "encoding": None, "pretokenizer":
    TOK.pretokenizer, "template": TEMPLATE, "turns": TALK, "chats": [TALK], "tools": [{"name": "clock"}],
    "token_id": 104, "left": 104, "right": 101, "token": "l", "word": "low", "step": 2, "run": RUN, "names":
    "<|end|>", "top": 3, "most": 3, "seconds": 0.01, "format": "json", "rows": None, "row": 0, "start": 0,
    "end": 1,
}  # fmt: skip
# These take names of their own: what is given as `**variables` of a template, and what is made by other functions.
LEFT_OUT = {"variables", "workers", "dask", "limits"}
WAITED_FOR = {("seconds", "whole"), ("seconds", "float")}  # not wrong, and so long is searched


def functions() -> dict[str, Callable[..., Any]]:
    found = {
        f"{module.__name__}.{name}": value
        for module in (bpe_core, chat)
        for name in module.__all__
        if inspect.isfunction(value := getattr(module, name))
    }
    for owner in (TOK, RUN, TOK.encode("low lower")):
        for name in dir(type(owner)):
            value = getattr(owner, name, None) if name[0] != "_" else None
            if inspect.ismethod(value):
                found[f"{type(owner).__name__}.{name}"] = value
    return found


FUNCTIONS = functions()


@cache
def places(name: str) -> tuple[str, ...]:
    return tuple(inspect.signature(FUNCTIONS[name]).parameters)


def arguments_of(function: Callable[..., Any], place: str, wrong: Any) -> tuple[list[Any], dict[str, Any]]:
    by_position: list[Any] = []
    by_name: dict[str, Any] = {}
    for parameter in inspect.signature(function).parameters.values():
        if parameter.name == place:
            value = wrong
        elif parameter.name == "drawing":
            value = bpe_core.encoding_drawing(TOK.encode("low"))
        elif parameter.name == "encoding":
            value = TOK.encode("low")
        elif parameter.default is parameter.empty and parameter.name in USUAL:
            value = USUAL[parameter.name]
        elif parameter.name == "seconds":
            value = 0.01
        else:
            continue
        if parameter.kind is parameter.KEYWORD_ONLY:
            by_name[parameter.name] = value
        elif parameter.kind is not parameter.VAR_KEYWORD:
            by_position.append(value)
            if parameter.kind is parameter.POSITIONAL_OR_KEYWORD and parameter.default is not parameter.empty:
                by_position.pop()
                by_name[parameter.name] = value
    return by_position, by_name


def complaint(name: str, place: str, wrong: Any) -> str:
    """What is wrong with the answer to a wrong value; "" if nothing is."""
    by_position, by_name = arguments_of(FUNCTIONS[name], place, wrong)
    try:
        answer = FUNCTIONS[name](*by_position, **by_name)
        if inspect.isgenerator(answer) or (hasattr(answer, "__next__") and hasattr(answer, "__iter__")):
            list(answer)
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        said = str(error)
        if HOME not in Path(last.filename).parents or not last.line or "raise" not in last.line:
            return f"{type(error).__name__} from {Path(last.filename).name}:{last.lineno}: {said[:80]}"
        if not isinstance(error, (TypeError, ValueError, OSError)) or "\n" in said or len(said) < 10:
            return f"{type(error).__name__}: {said[:80]}"
    return ""


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_wrong_value_is_answered_with_a_sentence(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data.json").write_text('[{"a": 1}, {"a": 2}]')
    found = {
        f"{place}={what}": why
        for place in places(name)
        if place not in LEFT_OUT
        for what, wrong in WRONG.items()
        if (place, what) not in WAITED_FOR and (why := complaint(name, place, wrong))
    }
    assert found == {}
