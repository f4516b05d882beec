"""The page Tokens: what it sends to its view of tokens, what a link keeps, and what it says."""

import re
from dataclasses import replace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from bpe_core.pictures.shared.token_text import paired
from bpe_core.pictures.tokens.tokens_data import TOKENS
from bpe_core.text.normalizers import normalized
from pages.parts.page import chosen_vocabulary
from pages.parts.state.tokenizer_keys import FAVOURITE, OPENED
from pages.parts.state.tokens_state import WINDOWS
from pages.parts.state.values import LARGEST
from pages.parts.texts.corpora import example
from pages.parts.tokens.views import VIEWS
from pages.parts.tokens.why_view import CARDS
from pages.parts.vocabularies import page_vocabulary
from tests.pages.driver import html, in_editor, in_link, link, problems, sent, visit
from tests.pages.session import EDITOR, choose_values, key_of, send, typed_before, value
from tests.some import some
from tests.texts import NASTY

EXAMPLE = example("bytes-into-words").text  # what the page shows while nothing is typed


@pytest.fixture(autouse=True)
def forget(monkeypatch):
    """No vocabulary from another test but the one that the page opens with, which takes 100 MB each time."""
    page_vocabulary.published(FAVOURITE)
    monkeypatch.setattr(page_vocabulary, "_published", dict(page_vocabulary._published))
    monkeypatch.setattr(page_vocabulary, "_refused", {})


def test_first_visit():
    data = sent(visit())
    assert data["title"].startswith("GPT-4o")
    assert data["steps"] == data["step"] == 199_742
    assert data["counts"]["characters"] == len(data["text"])
    assert data["options"] == {
        "ids": "yes",
        "marks": True,
        "window": "128000",
        "price": "",
        "letters": False,
        "letter": "r",
    }


@pytest.mark.parametrize("text", some(NASTY))
def test_typed_text(text):
    at = visit(state=typed_before(text))
    assert (in_editor(at)["answered"], sent(at)["text"]) == (7, paired(text) or EXAMPLE)
    text = paired(text)
    assert link(at).get("text", "") == (text if in_link(text) else "")


def test_a_link_restores_everything():
    query = {"text": "low lower", "tokenizer": "my-dog", "step": "3", "ids": "list", "marks": "no", "specials": "no"}
    query |= {"window": "8192", "price": "2.5", "token": "4", "letters": "yes", "letter": "ж"}
    at = visit(query)
    data = sent(at)
    assert (data["text"], data["step"], data["title"]) == ("low lower", 3, "“my dog. your dog.”")
    assert data["options"] == {
        "ids": "list",
        "marks": False,
        "window": "8192",
        "price": "2.5",
        "letters": True,
        "letter": "ж",
    }
    assert link(at) == query


def test_a_link_with_nonsense_is_said_and_left_out():
    at = visit({"tokenizer": "gpt9", "step": "-1", "ids": "<b>", "text": "ok", "letter": "ab"})
    assert sent(at)["title"].startswith("GPT-4o")
    assert len(problems(at)) == 4


def test_a_long_text_does_not_travel():
    at = visit(state=typed_before("a" * 7001))
    assert "text" not in at.query_params


def choose(at: AppTest, number: int, version: str, /, **choice: Any) -> None:
    """Send a request as the view of tokens would."""
    send(at, "tokens.shown", {"number": number, "version": version, "choice": choice})
    at.run()


def test_the_slider_comes_back_and_follows_the_vocabulary():
    at = visit({"tokenizer": "gpt2"})
    choose(at, 1, sent(at)["version"], step=120)
    assert link(at)["step"] == "120"
    choose(at, 2, sent(at)["version"], step=50_000)
    assert "step" not in at.query_params
    assert value(at, "tokens.step") == LARGEST


def test_a_new_text_is_shown_with_all_its_merges():
    at = visit({"tokenizer": "gpt2", "text": "the newest", "step": "120"})
    assert sent(at)["step"] == 120
    send(at, EDITOR, typed_before("the newest dog", 8)[EDITOR]["request"])
    choose(at, 1, sent(at)["version"], step=3)  # of the text before
    assert (sent(at)["text"], sent(at)["step"]) == ("the newest dog", 50_000)
    assert "step" not in at.query_params
    choose(at, 2, sent(at)["version"], step=3)
    assert link(at)["step"] == "3"


def test_options_count_for_any_text_and_each_request_once():
    at = visit({"tokenizer": "gpt2", "text": "the newest"})
    choose(at, 1, "of another text", at=1, options={"ids": "no", "window": "7", "text": "other"})
    assert link(at) == {"tokenizer": "gpt2", "text": "the newest", "ids": "no"}
    choose_values(at, {"tokens.ids": "list"})
    at.run()
    assert sent(at)["options"]["ids"] == "list"
    assert sent(at)["answered"] == 1


def test_special_tokens_by_choice():
    text = {"text": "a<|endoftext|>b"}
    assert sent(visit(text))["fallen"] != sent(visit({**text, "specials": "no"}))["fallen"]


def test_a_text_of_white_space_is_a_text():
    at = visit(state=typed_before("   "))
    assert sent(at)["counts"]["characters"] == 3


def test_the_box_leads_to_the_menu_for_other_tokenizers():
    at = visit({"tokenizer": "gpt2"})
    at.selectbox(key="shared.tokenizer").set_value(OPENED).run()
    assert not at.exception
    assert at.selectbox(key=key_of(at, "shared.tokenizer")).value == "gpt2"
    assert value(at, "tokens.opening")


def test_the_trained_vocabulary_has_all_its_merges():
    at = visit({"tokenizer": "trained"}, {"train.step": 4})
    assert (sent(at)["step"], sent(at)["steps"]) == (18, 18)


@pytest.mark.parametrize(("key", "shown"), [("cl100k_base", "gpt2"), ("gpt2", "newest-widest")])
def test_the_box_names_what_is_shown_where_a_vocabulary_cannot_be_had(monkeypatch, key, shown):
    monkeypatch.setattr(page_vocabulary, "_published", {})
    monkeypatch.setitem(page_vocabulary.PUBLISHED, key, replace(page_vocabulary.PUBLISHED[key], name="none"))
    at = visit({"tokenizer": key, "text": "kept"})
    title = chosen_vocabulary.vocabulary_of(shown).title
    assert "The table none.merges cannot be read" in html(at)
    assert f"Showing {title} instead." in html(at)
    assert (sent(at)["title"], sent(at)["text"]) == (title, "kept")
    assert at.selectbox(key=key_of(at, "shared.tokenizer")).value == shown


NORMALIZED = {"train.normalizers": ["bert"], "train.corpus": "my-dog"}


@pytest.mark.parametrize("text", some(["My DÓG.", *NASTY]))
def test_a_tokenizer_that_normalizes_shows_the_text_that_it_sees(text):
    at = visit({"tokenizer": "trained"}, NORMALIZED | typed_before(text))
    data, seen = sent(at), normalized(paired(text) or EXAMPLE, ("bert",))
    assert (paired(in_editor(at)["text"]), data["text"]) == (paired(text), seen)
    assert data["counts"]["characters"] == len(seen)
    assert ("The tokenizer normalizes the text first" in data["remarks"]) == (seen != (paired(text) or EXAMPLE))


def test_a_link_may_name_a_model_instead_of_its_tokenizer():
    at = visit({"tokenizer": "gpt-4", "against": "none"})
    assert not problems(at)
    assert link(at)["tokenizer"] == "cl100k_base"


def test_each_view_that_says_why_has_a_card_and_each_window_an_entry():
    why = {key for key, view in VIEWS.items() if view.tab == "Why" and key != "why"}
    assert CARDS.keys() - {"tokens"} == why
    (menu,) = re.findall(r'<select id="window".*?</select>', TOKENS.html)
    assert tuple(re.findall(r'value="(\d+)"', menu)) == WINDOWS
