"""Train says that a text is one word under its split, and offers a split that cuts it."""

import pytest

from tests.pages.driver import html, link, open_page

JAPANESE = "日本語の文章を読む。東京は2020年に、とても暑かった。"
OFFERED = "Split as GPT-2 does"


def offers(at):
    return [button for button in at.button if button.label == OFFERED]


def test_a_text_without_spaces_is_one_word_and_another_split_is_one_press_away():
    at = open_page("pages/train.py", text=JAPANESE)
    assert "One word under this split." in html(at)
    at = offers(at)[0].click().run()
    assert not at.exception
    assert not offers(at)
    assert link(at)["pretokenizer"] == "gpt2"
    assert link(at)["word_marker"] == "none"


@pytest.mark.parametrize(
    ("text", "pretokenizer", "offered"),
    [
        ("日本語", "whitespace", False),  # no split cuts it
        ("low lower", "whitespace", False),
        ("日本語 日本語", "whitespace", False),  # two words
        (JAPANESE, "none", True),
        (JAPANESE, "gpt2", False),
    ],
)
def test_it_is_said_of_such_a_text_alone(text, pretokenizer, offered):
    at = open_page("pages/train.py", text=text, pretokenizer=pretokenizer)
    assert bool(offers(at)) == offered
