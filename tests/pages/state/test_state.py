"""A page's state survives overtaken runs and undrawn widgets. Tested on Train, with the messages that browsers send."""

from collections.abc import Callable, Coroutine, Iterator
from typing import Any
from urllib.parse import parse_qs

import pytest
from streamlit.proto.Common_pb2 import StringTriggerValue
from streamlit.testing.v1 import AppTest

from pages.parts.page.frame import PAGES
from pages.parts.state.links import written
from pages.parts.state.tokens_state import Tokens
from pages.parts.state.train_state import Train
from pages.parts.state.values import rows
from tests.campaign.server import Server, serve
from tests.campaign.visitor import Visitor, run
from tests.pages.driver import link, open_page
from tests.pages.session import choose_values

LONG = "low lower lowest newest widest " * 3000  # takes a moment to train on
Visit = Callable[[Visitor], Coroutine[Any, Any, None]]


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serve() as running:
        yield running


def after(server: Server, visit: Visit, page: str = "train", **query: str) -> Visitor:
    """Return a visitor who has opened a page, run `visit` there, and closed the tab."""

    async def live() -> Visitor:
        visitor = await Visitor.open(server.url, page, query)
        await visit(visitor)
        await visitor.close()
        return visitor

    return run(live())


def link_of(visitor: Visitor) -> dict[str, str]:
    return {name: value for name, (value,) in parse_qs(visitor.query).items()}


def test_what_an_overtaken_run_was_asked_for_is_done(server):
    async def clear_and_step(visitor: Visitor) -> None:
        visitor.waits = False
        await visitor.act("shared.clear", trigger_value=True)
        visitor.waits = True
        await visitor.film(3)
        await visitor.run()

    visitor = after(server, clear_and_step, text=LONG[:6000], vocab_size="300")
    assert visitor.shown["shared.editor"].data["text"] == ""
    assert "text" not in link_of(visitor)
    assert not visitor.complaints()


def test_a_page_that_is_left_in_mid_run_loses_nothing(server):
    async def type_and_leave(visitor: Visitor) -> None:
        visitor.waits = False
        await visitor.type(LONG)
        visitor.waits = True
        await visitor.turn_to("")

    assert after(server, type_and_leave).shown["shared.editor"].data["text"] == LONG


def test_a_second_click_while_the_first_is_answered_changes_nothing_more(server):
    async def click_twice(visitor: Visitor) -> None:
        visitor.waits = False
        await visitor.act("trace 2", trigger_value=True)
        visitor.waits = True
        await visitor.act("trace 2", trigger_value=True)
        await visitor.run()

    visitor = after(server, click_twice, view="try", step="9", **{"try": "newest"})
    step = int(link_of(visitor)["step"])
    assert 0 < step < 9
    assert visitor.shown["train.film"].data["step"] == step
    assert not visitor.complaints()


def test_an_address_that_the_browser_has_not_received_yet_is_replaced(server):
    async def there_and_back(visitor: Visitor) -> None:
        await visitor.film(3)
        assert visitor.query == "step=3"
        visitor.query = "&"  # as empty as the address before the step
        await visitor.film(0)

    assert after(server, there_and_back).query == ""


def without_its_widget() -> None:
    import streamlit as st

    from pages.parts.state import address_bar, state
    from pages.parts.state.compare_state import Compare
    from tests.pages.session import drop

    address_bar.open_page(Compare)
    state.put(Compare, find="es")
    address_bar.publish(Compare)
    drop("compare.find")
    address_bar.publish(Compare)
    st.text(state.read(Compare).find)


def test_a_value_that_streamlit_drops_is_published_as_it_was():
    (shown,) = AppTest.from_function(without_its_widget).run().text
    assert shown.value == "es"


def read_twice() -> None:
    """A script that reads a state twice, and a third time after another page has set a value that they share."""
    from dataclasses import replace

    import streamlit as st

    from pages.parts.state import state
    from pages.parts.state.compare_state import Compare
    from pages.parts.state.train_state import Train

    first, second = state.read(Train), state.read(Train)
    state.save(replace(state.read(Compare), text=f"{first.text}low "))
    st.text(f"{first is second}, {state.read(Train).text!r}")


def test_a_run_reads_a_state_once_and_sees_what_was_set_since():
    app = AppTest.from_function(read_twice).run()
    assert app.text[0].value == "True, 'low '"
    choose_values(app, {"shared.text": "what a browser sent between two runs "})
    assert app.run().text[0].value == "True, 'what a browser sent between two runs low '"


def test_a_value_whose_widget_is_not_drawn_stays():
    test = open_page("pages/train.py", view="pairs", find="es")
    test.segmented_control(key="views of Pairs of train.view").set_value("curves").run()
    assert "train.find" not in [line.key for line in test.text_input]
    assert link(test)["find"] == "es"
    test.segmented_control(key="views of Pairs of train.view").set_value("pairs").run()
    assert test.text_input(key="train.find").value == "es"


def overtaken() -> None:
    """A script that is overtaken by a newer run in another thread, as Streamlit runs them."""
    from dataclasses import replace

    import streamlit as st
    from streamlit.runtime.scriptrunner import get_script_run_ctx

    from pages.parts.state import state
    from pages.parts.state.train_state import Train

    now = state.read(Train)
    if not now.step:
        state.put(Train, step=3)  # as a callback of the newer run does
        get_script_run_ctx().script_requests.request_stop()
        state.save(replace(now, find="what this run knows is old"))
    st.text(f"{state.read(Train).find!r} {state.read(Train).step}")


def test_an_overtaken_run_ends_before_it_saves():
    app = AppTest.from_function(overtaken).run()
    assert not app.text
    assert app.run().text[0].value == "'' 3"


def test_a_forged_message_chooses_no_more_tokenizers_than_a_link_may():
    many = [f"hub:owner/model-{number}" for number in range(1000)]
    row = rows(Tokens)["against"]
    assert row.from_browser(many) == row.default
    assert row.from_browser(["gpt2", "qwen"]) == ("gpt2", "qwen")


@pytest.mark.parametrize("page", [row.state for row in PAGES.values()])
def test_every_default_is_its_own_form(page):
    """A widget's form of a default is read as the default, and no default is in a link."""
    for name, row in rows(page).items():
        assert row.from_browser(row.to_widget(row.default)) == row.default, name


def test_a_link_has_what_differs_from_the_defaults():
    assert written(Train()) == {}
    assert written(Train(step=3, tried="low", special_tokens=("<a>", "<b>"))) == {
        "special_tokens": "<a> <b>",
        "step": "3",
        "try": "low",
    }


@pytest.mark.parametrize(
    ("page", "menu", "title", "commands", "command", "value"),
    [
        ("compare", "compare.left_pretokenizer", "Lines", "compare.example", "The same, not split", "none"),
        ("train", "train.pretokenizer", "Lines", "train.preset", "GPT-2: its split, bytes, no marker", "gpt2"),
    ],
)
def test_a_late_message_does_not_undo_what_the_server_has_set(server, page, menu, title, commands, command, value):
    """The browser sends all widgets' values again with every event, those that the server has set meanwhile too."""

    async def press_before_the_answer(visitor: Visitor) -> None:
        await visitor.act(menu, string_value=title)
        assert link_of(visitor)[menu.partition(".")[2]] == "line"
        visitor.waits = False
        await visitor.act(commands, string_trigger_value=StringTriggerValue(data=command))
        visitor.waits = True
        await visitor.film(1)  # sent before the answer has come: the menu's value in it is the old one
        await visitor.run()

    visitor = after(server, press_before_the_answer, page)
    assert link_of(visitor)[menu.partition(".")[2]] == value
    shown = [each for key, each in visitor.shown.items() if key.startswith(menu)][-1]
    assert title not in getattr(shown.element, "raw_value", "")
    assert not visitor.complaints()
