"""What a visitor sees of a page that an address opens, without its wording, by Streamlit's own test driver.

This is the only file of the folder that may follow the inside of the app: it knows what the components are sent.
"""

import re
from base64 import b64decode
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any
from unittest import mock
from urllib.parse import parse_qsl

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.testing.v1 import AppTest

from pages.parts.server.addresses import moved
from pages.parts.server.limits import limits_in_markdown
from tests.pages.driver import components, html, link, open_page, problems
from tests.version_3.record import Answer

CONTROLS = ("selectbox", "multiselect", "text_input", "text_area", "number_input", "button_group", "checkbox", "toggle")
WORDED = {"note", "role", "rule", "script", "bytes", "model", "pretokenizer", "language"}  # columns of a table in words
WORDED |= {"in a text", "of the tokens of"}
# The options of a view of tokens, each as the markup has it. A view without figures hides the last two.
OPTIONS = {"ids": "yes", "marks": True, "window": 0, "price": 0}


def answer(address: str) -> Answer:
    """Return what an address shows and the page without a query does not. Without a query, return everything."""
    page, _, query = address.partition("?")
    now = _seen(page, _opened(address))
    plain = dict(_plain(page)) if query else {}
    chosen = Counter(now.pop("chosen")) - Counter(plain.pop("chosen", ()))
    now["chosen"] = ", ".join(sorted(chosen.elements()))
    return [f"{name}: {shown}" for name, shown in now.items() if shown and shown != plain.get(name, "")]


@cache
def _plain(page: str) -> tuple[tuple[str, Any], ...]:
    return tuple(_seen(page, _opened(page)).items())


def _opened(address: str) -> AppTest:
    """Open an address as a browser does: where it has moved, the browser is sent to its new one."""
    path, _, query = address.removeprefix("/").partition("?")
    new = moved(path, query)
    page, _, query = (f"{path}?{query}" if new is None else new).partition("?")
    values = dict(parse_qsl(query, keep_blank_values=True, strict_parsing=bool(query)))
    test = open_page(f"pages/{page}.py" if page else "app.py", **values)
    assert not test.exception, test.exception
    return test


def _seen(page: str, test: AppTest) -> dict[str, Any]:
    """Return what can be seen, by name; "chosen" is a list, the values of the page's controls."""
    address = "&".join(f"{name}={value}" for name, value in sorted(link(test).items()))
    seen = {"address": address.replace("\n", "⏎")}
    seen["remarks"] = _count(problems(test))
    texts = [data["text"] for data in components(test) if "placeholder" in data]
    seen["text"] = " | ".join(map(_short, filter(None, texts)))
    for data in components(test):
        for kind, read in COMPONENTS.items():
            if kind in data:
                seen |= read(data)
    if page == "/learn":
        seen |= _lesson(test)
    for number, table in enumerate(test.dataframe, 1):
        seen[f"table {number}"] = _table(table.value)
    seen["charts"] = _count(test.get("vega_lite_chart"))
    seen["files"] = _count(test.get("download_button"))
    seen["link to copy"] = " ".join(code.value for code in test.code if re.fullmatch(r"\S*\?\S*", code.value))
    seen["tokens drawn"] = _count(re.findall(r'class="token\b', html(test)))
    shown = re.sub(r'<details class="note">.*?</details>', "", html(test), flags=re.DOTALL)  # sentences
    seen["figures"] = " ".join(re.findall(r"<dd>([^<]*)</dd>", shown))
    controls = [(kind, control) for kind in CONTROLS for control in test.get(kind)]
    # The views of a tab have a control of their own, which has the open view: the row of tabs has the tab's first.
    tabs = {control.key.rpartition(" of ")[2] for _, control in controls if str(control.key).startswith("views of ")}
    values = [_chosen(kind, control.value) for kind, control in controls if control.key not in tabs]
    return seen | {"chosen": [str(value) for value in values if value not in ("", None)]}


def _chosen(kind: str, value: Any) -> Any:
    """Return the value of a control. Menus of two had "yes" and "no" as their values, and have true and false now."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) and kind != "checkbox" else value


def _count(things: Sequence[Any]) -> str:
    return str(len(things) or "")


def _short(text: str) -> str:
    line = text.replace("\n", "⏎")
    return line if len(line) <= 60 else f"{line[:60]}… ({len(line):,} characters)"


def _lesson(test: AppTest) -> dict[str, str]:
    """Return how many answers each question on the screen offers, and how many lessons are ticked."""
    questions = test.get("button_group")
    done = [name for name in test.selectbox[0].options if name.startswith("✓")]
    return {"questions": " ".join(str(len(one.options)) for one in questions), "done": _count(done)}


def _table(rows: pd.DataFrame) -> str:
    """Return how many rows there are, and the first one's numbers and tokens."""
    if rows.empty:
        return "0 rows"
    first = [cell for name, cell in rows.iloc[0].items() if name not in WORDED]
    shown = " ".join(f"{cell:.6g}" if isinstance(cell, float) else str(cell) for cell in first)
    return f"{len(rows)} rows, first {shown}"


def _film(data: dict[str, Any]) -> dict[str, str]:
    """Return the step of a training that can be played, and how many words it shows."""
    sides, window = data["sides"], data["first"]["window"]
    seen = {"step": f"{data['step']} of {' and '.join(str(side['steps']) for side in sides)}"}
    seen["words"] = " ".join(number for words in window["sides"] for number in re.findall(r"[\d,]+", words["note"]))
    return seen | {"looked for": data["find"], "sorted": window["sort"]}


def _tokens(data: dict[str, Any]) -> dict[str, str]:
    """Return how many tokens a text has at the step, the chosen one, and how they are shown."""
    steps, fallen = _numbers(data["steps_here"]), _numbers(data["fallen"])
    stands = np.append(steps, data["steps"] + 1)[fallen] > data["step"]
    seen = {"step": f"{data['step']} of {data['steps']}", "tokens": str(int(stands.sum()))}
    seen["chosen token"] = str(data["at"]) if data["at"] >= 0 else ""
    return seen | {name: str(data["options"].get(name, usual)) for name, usual in OPTIONS.items()}


def _numbers(packed: dict[str, Any]) -> np.ndarray:
    return np.frombuffer(b64decode(packed["base64"]), f"<u{packed['bits'] // 8}").astype(np.int64)


def _rows(data: dict[str, Any]) -> dict[str, str]:
    """Return how many tokens a text has under each of several tokenizers."""
    return {"tokens": " ".join(str(row["figures"]["tokens"]) for row in data["rows"])}


def _prompt(data: dict[str, Any]) -> dict[str, str]:
    """Return where a prompt ends, how many tokens it has, and how many the whole text has."""
    tokens = " ".join(str(row["count"]) for row in data["rows"])
    return {"prompt": f"{data['end']} of {data['length']}", "tokens": tokens}


def _life(data: dict[str, Any]) -> dict[str, str]:
    """Return the id of the token whose biography is shown."""
    return {"chosen token": data["id"]}


COMPONENTS: dict[str, Callable[[dict[str, Any]], dict[str, str]]] = {
    "sides": _film,
    "symbols": _tokens,
    "table": _rows,
    "listed": _prompt,
    "born": _life,
}


def offered(address: str, pages: bool = False) -> dict[str, bytes]:
    """Return the files that a page offers for download, by name, without the pictures in pixels.

    `pages`: also the pages that play, which change with every web module.
    """
    found: dict[str, bytes] = {}
    button = st.download_button

    def spy(label: str, data: Any, file_name: str, *arguments: Any, **looks: Any) -> bool:
        if not file_name.endswith(".png") and (pages or label not in ("Save as a page", "with charts")):
            made = data() if callable(data) else data
            name = file_name if file_name not in found else f"{file_name} of the other side"
            found[name] = made.encode() if isinstance(made, str) else made
        return button(label, data, file_name, *arguments, **looks)

    with mock.patch.object(st, "download_button", spy):
        _opened(address)
    return found


def right_answers(address: str) -> list[str]:
    """Return the right answers in the key of a lesson's worksheet; for an answer in words, only that there is one."""
    (page,) = offered(address).values()
    found = re.findall(r"✓ <b>(.*?)</b>", page.decode())
    return ["…" if re.fullmatch("[a-z ,]+", answer) else answer for answer in found]


def limits() -> list[tuple[str, str]]:
    """Return the names of the limits in the environment, with their defaults."""
    return re.findall(r"`(MERGESCOPE_\w+)` \| ([\d,]+)", limits_in_markdown())
