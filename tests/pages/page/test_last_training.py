"""A link to a vocabulary from the Train page trains it again: in another browser, and after a reload."""

import pytest

from pages.parts.page.last_training import MISSING
from tests.pages.driver import left_out, link, open_page, problems, sent, type_text, visit

SEEN = ("steps", "text", "glyph", "symbols", "steps_here")


def shown(test) -> list:
    return [sent(test)[name] for name in SEEN]


def trained(text: str, then: str = "", **settings: str):
    """Return Tokens with a vocabulary that the Train page trained on `text`, and with the text `then`."""
    test = type_text(open_page("pages/train.py", **settings), text)
    test.switch_page("app.py").run()
    test.selectbox(key="shared.tokenizer").set_value("trained").run()
    return type_text(test, then).run() if then else test


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"pretokenizer": "gpt2", "word_marker": "none", "normalizers": "lowercase", "glyph": "Ġ", "forced": "2:62.61"},
    ],
)
def test_a_link_carries_what_was_trained(settings):
    here = trained("BA ba baba cab. Cab baba 日本", "ab abba", **settings)
    there = visit(link(here))
    assert shown(there) == shown(here)
    assert not problems(there)
    there.run()
    assert link(there) == link(here)


def test_a_link_without_its_training_says_so():
    test = visit({"tokenizer": "trained", "text": "ab"})
    assert problems(test) == [MISSING]
    assert problems(visit({"tokenizer": "trained", "training": "[1"})) == [MISSING]


def test_share_says_when_the_training_is_too_long():
    here = trained("a bc " * 2000, "ab z")
    assert "Does not come back exactly: 1 piece of the text is lost." in sent(here)["remarks"]
    assert "training" not in link(here)
    missing = "the text that the vocabulary was trained on"
    assert left_out(here.run()) == f"without {missing}, which is too long for a link: send it separately"


def test_a_long_text_of_ones_own_comes_back_with_its_vocabulary():
    text = "a bc abc " * 1000
    here = trained(text)
    there = visit(link(here))
    assert shown(there) != shown(here)
    type_text(there, text)  # as the tab does after a reload
    assert shown(there.run()) == shown(here)
    another = type_text(visit(link(here)), "ab abba")
    assert sent(another)["steps"] != sent(here)["steps"]
