"""Pages run by Streamlit's own test driver, without a browser: opened, and read as HTML and as a link."""

import json
import re
from contextlib import AbstractContextManager
from html import unescape
from pathlib import Path
from typing import Any
from unittest import mock

from streamlit.components.v2.component_manager import BidiComponentManager
from streamlit.testing.v1 import AppTest

from bpe_core.live.film_data import CHUNK

APP = Path(__file__).parents[2] / "app.py"


def without_search() -> AbstractContextManager[Any]:
    """Within it Streamlit's driver does not look through all installed packages for components.

    That takes longer than a page, and the app's own components need no search.
    """
    return mock.patch.object(BidiComponentManager, "discover_and_register_components")


def open_page(path: str = "app.py", **query: str) -> AppTest:
    test = AppTest.from_file(str(APP), default_timeout=300)
    if path != "app.py":
        test.switch_page(path)
    for name, value in query.items():
        test.query_params[name] = value
    return test.run()


def type_text(test: AppTest, text: str, box: str = "shared.editor") -> AppTest:
    """Type into a box, at first the one with your text, as its browser component would."""
    version, _ = test.session_state[f"{box} typed"]
    test.session_state[box] = {"request": {"number": 1, "version": version, "choice": {"text": text}}}
    return test.run()


def choose(test: AppTest, example: str) -> AppTest:
    """Choose one of the examples."""
    test.session_state["shared.corpus"] = example
    test.session_state["shared.text"] = None
    return test.run()


def typed(test: AppTest) -> str:
    """What stands in the box with your text."""
    return test.session_state["shared.editor typed"][1]


def key_of(test: AppTest, name: str) -> str:
    """The key of a value now: another one each time that something else than its widget has set it."""
    number = "generations" in test.session_state and test.session_state["generations"].get(name)
    return f"{name} {number}" if number else name


def html(test: AppTest) -> str:
    """What the page draws as HTML, without the one script that is the app's own."""
    return "\n".join(element.proto.body for element in test.get("html") if "<script>" not in element.proto.body)


def problems(test: AppTest) -> list[str]:
    """What the page says that it cannot do, and what a link asked in vain."""
    return [unescape(said) for said in re.findall('class="problem"[^>]*>([^<]*)<', html(test))]


def link(test: AppTest) -> dict[str, str]:
    return dict(test.query_params)


def left_out(test: AppTest) -> str:
    """What Share says that the link cannot carry."""
    shown = [json.loads(element.proto.json) for element in test.get("bidi_component")]
    return next(data["left_out"] for data in shown if "left_out" in data)


def film(test: AppTest) -> dict[str, Any]:
    """What the page's film is sent."""
    shown = [json.loads(element.proto.json) for element in test.get("bidi_component")]
    return next(data for data in shown if "stages" in data)


def said(test: AppTest) -> str:
    """The sentence of the film's step and what comes next, with the ids of tokens in brackets."""
    data = film(test)
    _, number, chunk = data["chunks"][0]
    frame = chunk["frames"][data["step"] - CHUNK * number]
    return "".join(
        piece if isinstance(piece, str) else piece["word"] if "word" in piece else str([piece["token"]])
        for piece in [*frame["sentence"], *frame["tie"], " ", *frame["ahead"]]
    )


def go(test: AppTest, step: int, page: str = "train", name: str = "film", **chosen: Any) -> AppTest:
    """What a browser sends once the film has settled at a step."""
    data = film(test)
    request = {"version": data["version"], "choice": {"step": step} | chosen, "missing": [[0, step // CHUNK]]}
    test.session_state[f"{page}.{name}"] = {"request": request}
    return test.run()
