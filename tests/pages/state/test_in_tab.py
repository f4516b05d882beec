"""What was typed is in no address: the browser's tab has it, and a page that is opened by its address asks for it."""

from urllib.parse import urlencode

import pytest

from pages.parts.page.frame import PAGES
from pages.parts.state import address_bar, links, state
from pages.parts.state.links import IN_TAB, named
from pages.parts.state.values import changed
from tests.pages.driver import address, link, open_page, problems, typed, visit

WORD = "a word that only this visitor would type"
FORMS = (WORD, f'[["user","{WORD}"]]', f"1:{WORD.encode().hex()}.65")  # any text, turns, chosen pairs
BEGAN = 7000  # the session, in milliseconds
KNOWN_WORDS = {"script", "done"}  # names that the pages have made: of a script, and of lessons


@pytest.fixture(autouse=True)
def _began(monkeypatch):
    monkeypatch.setattr(state, "time", lambda: BEGAN / 1000)


def read(row, forms=FORMS):
    """The value of the first form that can be read; None if the value takes no text."""
    for form in forms:
        try:
            return row.read(form)
        except ValueError:
            continue
    return None


@pytest.mark.parametrize("page", [row.state for row in PAGES.values()])
def test_no_address_has_what_a_visitor_typed_and_the_link_has_all_of_it(page):
    typed = {field: read(row) for field, row in named(page).values() if field not in KNOWN_WORDS}
    typed = {field: value for field, value in typed.items() if value is not None}
    assert {field for field, row in named(page).values() if row.private} == typed.keys()
    others = {"step": 3, "corpus": "own", "chat_template": "own"}
    written = links.written(changed(page(), typed | {name: others[name] for name in others if hasattr(page, name)}))
    shown = links.address(page, written)
    names = {name for name, (field, _) in named(page).items() if field in typed}
    assert names <= written.keys()
    assert {*shown[IN_TAB].split()} == names
    assert not any("visitor" in value or WORD.encode().hex() in value for value in shown.values())
    assert {name: value for name, value in written.items() if name not in names} == {
        name: value for name, value in shown.items() if name != IN_TAB
    }


def answer(page, values, text="", asked=BEGAN):
    return {f"{page}.share": {"tab": {"asked": asked, "link": urlencode(values), "text": text}}}


KEPT = {"text": "hug hug pug", "find": "ug", "step": "1", "try": "pugs"}
ASKS = {"step": "2", "view": "pairs", IN_TAB: "text find"}


def test_what_the_tab_has_fills_in_what_the_address_leaves_to_it_and_nothing_else():
    test = visit(ASKS, answer("train", KEPT), "train")
    assert problems(test) == []
    assert link(test) == {"text": "hug hug pug", "find": "ug", "step": "2", "view": "pairs"}
    assert address(test) == ASKS


@pytest.mark.parametrize("query", [ASKS | {IN_TAB: "text"}, {"corpus": "own", "step": "2"}])
def test_a_text_that_is_newer_than_the_link_or_too_long_for_it_is_the_tabs(query):
    long = "hug hug pug " * 1000
    test = visit(query, answer("train", KEPT, long), "train")
    assert problems(test) == []
    assert typed(test) == long
    assert link(test)["step"] == "2"
    assert link(test)["corpus"] == "own"


@pytest.mark.parametrize("given", [{}, answer("train", KEPT, asked=BEGAN - 1), answer("train", {})])
def test_without_the_tabs_copy_the_page_says_what_it_lacks(given):
    test = visit(ASKS | {IN_TAB: "text find try other"}, given, "train")
    others = "“Find” and “text to try” stayed in the tab where they were set; Share makes a link that has them."
    assert problems(test) == [address_bar.TEXT_IN_TAB, others]
    assert link(test) == {"step": "2", "view": "pairs"}


@pytest.mark.parametrize(
    "sent",
    [
        "x",
        {"tab": 5},
        {"tab": {"asked": BEGAN, "link": 5, "text": ["x"]}},
        {"tab": {"asked": BEGAN, "link": "\ud800&=&text=%ff&step=x", "text": "\ud800"}},
    ],
)
def test_a_forged_answer_is_no_error(sent):
    assert not visit(ASKS, {"train.share": sent}, "train").exception


def test_a_page_asks_for_no_text_that_another_page_has_set():
    test = open_page("app.py", text="another page has set this")
    test.switch_page("pages/train.py")
    test.query_params[IN_TAB] = "text find"
    test.query_params["step"] = "2"
    test.run()
    assert typed(test) == "another page has set this"
    assert problems(test) == ["“Find” stayed in the tab where it was set; Share makes a link that has it."]
