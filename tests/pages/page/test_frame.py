"""Share: the link is the page's address, and a sentence names the texts that it cannot carry."""

import pytest

from pages.parts.page.frame import PAGES
from pages.parts.state.links import LINK_LENGTH
from pages.parts.state.page_states import WithText
from tests.pages.driver import left_out, link, open_page, type_text
from tests.pages.session import choose_values
from tests.some import only


@pytest.mark.parametrize(
    "path", only([row.path for row in PAGES.values() if issubclass(row.state, WithText)], "app.py", "pages/train.py")
)
def test_a_text_that_is_too_long_for_a_link_is_said_on_every_page(path):
    test = type_text(open_page(path), "a " * 3000)
    assert left_out(test) == ""
    assert "text" in link(test)
    type_text(test, "a " * 3000 + "\u3042" * 200)  # nine characters of a link each
    assert left_out(test) == "without your text, which is too long for a link: send it separately"
    assert "text" not in link(test)
    assert link(test)["corpus"] == "own"


def test_all_that_is_left_out_is_named():
    long = "a" * (LINK_LENGTH + 1)
    test = type_text(open_page("pages/compare.py", held="paste"), long)
    choose_values(test, {"compare.held_text": long})
    test.run()
    assert left_out(test) == "without your text and your held-out text, which are too long: send them separately"
