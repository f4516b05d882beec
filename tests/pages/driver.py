"""Pages without a browser, in Streamlit's own test driver: open them, type, and read their HTML and link."""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from typing import Any
from unittest import mock
from urllib.parse import parse_qsl, urlencode

from starlette.applications import Starlette
from starlette.testclient import TestClient
from streamlit.components.v2.component_manager import BidiComponentManager
from streamlit.proto.Common_pb2 import StringTriggerValue
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.testing.v1 import AppTest, local_script_runner

from bpe_core.pictures.film.film_side import CHUNK
from pages.parts.page import frame as page_frame
from pages.parts.server import resource_route
from pages.parts.server.addresses import moved
from pages.parts.state.links import LINK_LENGTH, link_length
from tests.holes import holes, lines
from tests.pages.session import EDITOR, choose_example, choose_values, send, text_in

APP = Path(__file__).parents[2] / "app.py"


@contextmanager
def quick_driver() -> Iterator[None]:
    """Let Streamlit's driver do less beside each run of a page.

    It does not search all installed packages for components: the search takes longer than a page, and the app's own
    components do not need it. It waits for the end of a run, and does not look for it a thousand times a second. A page
    does not wait for what a browser's tab has of it: there is no browser.
    """
    without_search = mock.patch.object(BidiComponentManager, "discover_and_register_components")
    quick_end = mock.patch.object(local_script_runner, "require_widgets_deltas", _await_the_end)
    with without_search, quick_end, mock.patch.object(page_frame, "PATIENCE", 0.0):
        yield


def _await_the_end(runner: local_script_runner.LocalScriptRunner, timeout: float) -> None:
    runner.join()  # a page that does not end is ended with its test: see pyproject.toml


def visit(query: Mapping[str, str] | None = None, state: Mapping[str, Any] | None = None, page: str = "") -> AppTest:
    """Open a page by a link. `state`: the visitor's session. `page`: the page's address; "" for Tokens."""
    test = AppTest.from_file(str(APP), default_timeout=300)
    if page:
        test.switch_page(f"pages/{page}.py")
    for name, value in (query or {}).items():
        test.query_params[name] = value
    choose_values(test, state or {})
    test.run()
    assert not test.exception
    return test


def visit_former(query: Mapping[str, str] | None = None, state: Mapping[str, Any] | None = None) -> AppTest:
    """Open a link of version 2's Playground, where the server sends a browser."""
    page, _, found = (moved("playground", urlencode(query or {})) or "").partition("?")
    return visit(dict(parse_qsl(found, keep_blank_values=True)), state, page)


def open_page(path: str = "app.py", **query: str) -> AppTest:
    """Open a page by its file. Nothing on it may have a hole."""
    test = visit(query, page="" if path == "app.py" else Path(path).stem)
    found = holes(lines(test))
    assert not found, found
    return test


def type_text(test: AppTest, text: str, box: str = EDITOR) -> AppTest:
    """Type a text into a box, as its component in a browser would."""
    version, _ = text_in(test, box)
    send(test, box, {"number": 1, "version": version, "choice": {"text": text}})
    return test.run()


def choose(test: AppTest, example: str) -> AppTest:
    """Choose an example."""
    choose_example(test, example)
    return test.run()


def command(test: AppTest, menu: str, chosen: str) -> AppTest:
    """Choose in a menu of commands. `menu`: the key of its widget. `chosen`: what the line begins with."""
    shown = next(each.proto for each in test.get("menu_button") if f"-{menu}" in each.proto.id)
    line = next(line for line in shown.options if line.removeprefix("✓ ").startswith(chosen))
    states = test._tree.get_widget_states()  # AppTest knows no menus
    states.widgets.append(WidgetState(id=shown.id, string_trigger_value=StringTriggerValue(data=line)))
    return test._run(states)


def typed(test: AppTest) -> str:
    """Return the text in the box with your text."""
    return text_in(test)[1]


def html(test: AppTest) -> str:
    """Return the HTML that the page draws, without the app's script."""
    return "\n".join(body for body in _bodies(test) if "<script>" not in body)


def _bodies(test: AppTest) -> list[str]:
    return [element.proto.body for element in test.get("html")]


def plain(shown: str) -> str:
    """Return the words of some HTML, as a reader sees them."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", shown)).split())


def problems(test: AppTest) -> list[str]:
    """Return the page's sentences about problems, and its remarks."""
    return [unescape(problem) for problem in re.findall('class="problem"[^>]*>([^<]*)<', html(test))]


def link(test: AppTest) -> dict[str, str]:
    """Return the link that Share copies."""
    return dict(parse_qsl(published(test)["link"], keep_blank_values=True))


def address(test: AppTest) -> dict[str, str]:
    """Return the query of the page's address, which has nothing that was typed."""
    return dict(test.query_params)


def published(test: AppTest) -> dict[str, str]:
    """Return what the page says of its link: the link itself, and what it lacks. The newest of several links counts."""
    links = [dict(re.findall(r'data-([a-z-]+)="([^"]*)"', body)) for body in _bodies(test) if "data-link=" in body]
    return {name: unescape(said) for name, said in max(links, key=lambda link: int(link["at"])).items()}


def in_link(text: str) -> bool:
    """Return whether a text fits into a link."""
    return link_length(text) <= LINK_LENGTH


def sent_to(component: Any) -> dict[str, Any]:
    """Return the data that a component was sent; for a live view, what the view itself gets."""
    data: dict[str, Any] = json.loads(component.json)
    if "script" not in data:
        return data
    assert data.keys() == {"script", "data"}, "Streamlit would look at each value for a dataframe"
    return data["data"]


def components(test: AppTest) -> list[dict[str, Any]]:
    """Return the data of all components of the page."""
    return [sent_to(element.proto) for element in test.get("bidi_component")]


def sent(test: AppTest) -> dict[str, Any]:
    """Return the data of the last component on the page: the tokens, the rows, or the life of a token."""
    return components(test)[-1]


def in_editor(test: AppTest) -> dict[str, Any]:
    """Return the data of the box with your text."""
    return components(test)[1]


def left_out(test: AppTest) -> str:
    """Return Share's sentence about the values that the link cannot carry."""
    return published(test)["left-out"]


def film(test: AppTest) -> dict[str, Any]:
    """Return the data of the page's film."""
    return next(data for data in components(test) if "sides" in data)


def frame(test: AppTest, step: int | None = None) -> dict[str, Any]:
    """Return what the film asks for at a step of its first side. `step`: None for the film's own step."""
    data = film(test)
    number = (data["step"] if step is None else step) - data["sides"][0]["begin"]
    [[_, _, chunk]] = asked(data, "frames", chunks=[[0, number // CHUNK]])["chunks"]
    found: dict[str, Any] = chunk["frames"][number % CHUNK]
    return found


def ask(data: dict[str, Any], name: str, **parameters: Any) -> Any:
    """Ask the app's route for a resource, as the picture does that was sent this data."""
    with TestClient(Starlette(routes=[resource_route.route()]), "http://here") as client:
        headers = {resource_route.HEADER: data["asks"]["handle"]}
        return client.post(f"{data['asks']['address']}{name}", json=parameters, headers=headers)


def asked(data: dict[str, Any], name: str, **parameters: Any) -> Any:
    """Return a resource, as the picture gets it that was sent this data."""
    answer = ask(data, name, **parameters)
    assert answer.status_code == 200, answer.text
    return answer.json()


def said(test: AppTest) -> str:
    """Return the sentences about the film's step and about the next one, with the ids of tokens in brackets."""
    shown = frame(test)
    return "".join(
        piece if isinstance(piece, str) else piece["word"] if "word" in piece else str([piece["token"]])
        for piece in [*shown["sentence"], *shown["tie"], " ", *shown["ahead"]]
    )


def go(test: AppTest, step: int, page: str = "train", name: str = "film", **chosen: Any) -> AppTest:
    """Move the film to a step, as a browser would, and rerun the page."""
    send(test, f"{page}.{name}", {"version": film(test)["version"], "choice": {"step": step} | chosen})
    return test.run()
