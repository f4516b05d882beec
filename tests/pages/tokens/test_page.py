"""The Playground's page: what it sends to its view of tokens, what a link keeps, and what it says."""

from dataclasses import replace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from bpe_core.pictures.shared.token_text import paired
from bpe_core.text.normalizers import normalized
from pages.parts.page import chosen_vocabulary
from pages.parts.page.your_text import FIRST_VERSION
from pages.parts.state.tokenizer_keys import FAVOURITE, OPENED
from pages.parts.state.values import LARGEST
from pages.parts.texts.corpora import example
from pages.parts.vocabularies import page_vocabulary
from tests.pages.driver import in_link, problems
from tests.pages.session import EDITOR, choose_values, key_of, send, value
from tests.pages.tokens.driver import in_editor, link_of, said, sent, typed, visit
from tests.some import some
from tests.texts import NASTY

EXAMPLE = example("keepers-dog").text  # what the page shows while nothing is typed


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
    at = visit(state=typed(text))
    assert (in_editor(at)["answered"], sent(at)["text"]) == (7, paired(text) or EXAMPLE)
    text = paired(text)
    assert link_of(at).get("text", "") == (text if in_link(text) else "")


def test_a_link_restores_everything():
    link = {"text": "low lower", "tokenizer": "my-dog", "step": "3", "ids": "list", "marks": "no", "specials": "no"}
    link |= {"window": "8192", "price": "2.5", "token": "4", "letters": "yes", "letter": "ж"}
    at = visit(link)
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
    assert link_of(at) == link


def test_a_link_with_nonsense_is_said_and_left_out():
    at = visit({"tokenizer": "gpt9", "step": "-1", "ids": "<b>", "text": "ok", "letter": "ab"})
    assert sent(at)["title"].startswith("GPT-4o")
    assert len(problems(at)) == 4


def test_a_long_text_does_not_travel():
    at = visit(state=typed("a" * 7001))
    assert "text" not in at.query_params


def choose(at: AppTest, number: int, version: str, /, **choice: Any) -> None:
    """Send a request as the view of tokens would."""
    send(at, "playground.shown", {"number": number, "version": version, "choice": choice})
    at.run()


def test_the_slider_comes_back_and_follows_the_vocabulary():
    at = visit({"tokenizer": "gpt2"})
    choose(at, 1, sent(at)["version"], step=120)
    assert link_of(at)["step"] == "120"
    choose(at, 2, sent(at)["version"], step=50_000)
    assert "step" not in at.query_params
    assert value(at, "playground.step") == LARGEST


def test_a_new_text_is_shown_with_all_its_merges():
    at = visit({"tokenizer": "gpt2", "text": "the newest", "step": "120"})
    assert sent(at)["step"] == 120
    send(at, EDITOR, typed("the newest dog", 8)[EDITOR]["request"])
    choose(at, 1, sent(at)["version"], step=3)  # of the text before
    assert (sent(at)["text"], sent(at)["step"]) == ("the newest dog", 50_000)
    assert "step" not in at.query_params
    choose(at, 2, sent(at)["version"], step=3)
    assert link_of(at)["step"] == "3"


def test_options_count_for_any_text_and_each_request_once():
    at = visit({"tokenizer": "gpt2", "text": "the newest"})
    choose(at, 1, "of another text", at=1, options={"ids": "no", "window": "7", "text": "other"})
    assert link_of(at) == {"tokenizer": "gpt2", "text": "the newest", "ids": "no"}
    choose_values(at, {"playground.ids": "list"})
    at.run()
    assert sent(at)["options"]["ids"] == "list"
    assert sent(at)["answered"] == 1


def test_special_tokens_by_choice():
    text = {"text": "a<|endoftext|>b"}
    assert sent(visit(text))["fallen"] != sent(visit({**text, "specials": "no"}))["fallen"]


def test_a_text_of_white_space_is_a_text():
    at = visit(state=typed("   "))
    assert sent(at)["counts"]["characters"] == 3


def test_the_box_leads_to_the_menu_for_other_tokenizers():
    at = visit({"tokenizer": "gpt2"})
    at.selectbox(key="playground.tokenizer").set_value(OPENED).run()
    assert not at.exception
    assert at.selectbox(key=key_of(at, "playground.tokenizer")).value == "gpt2"
    assert value(at, "playground.opening")


def test_the_trained_vocabulary_has_all_its_merges():
    at = visit({"tokenizer": "trained"}, {"train.step": 4})
    assert (sent(at)["step"], sent(at)["steps"]) == (18, 18)


@pytest.mark.parametrize(("key", "shown"), [("cl100k_base", "gpt2"), ("gpt2", "newest-widest")])
def test_the_box_names_what_is_shown_where_a_vocabulary_cannot_be_had(monkeypatch, key, shown):
    monkeypatch.setattr(page_vocabulary, "_published", {})
    monkeypatch.setitem(page_vocabulary.PUBLISHED, key, replace(page_vocabulary.PUBLISHED[key], name="none"))
    at = visit({"tokenizer": key, "text": "kept"})
    title = chosen_vocabulary.vocabulary_of(shown).title
    assert "The table none.merges cannot be read" in said(at)
    assert f"Showing {title} instead." in said(at)
    assert (sent(at)["title"], sent(at)["text"]) == (title, "kept")
    assert at.selectbox(key=key_of(at, "playground.tokenizer")).value == shown


@pytest.mark.parametrize(
    ("pasted", "expected"),
    [("[15496, 995]", "Hello world"), ("15496 995 50256", "Hello world<|endoftext|>"), ("", None)],
)
def test_ids_to_text(pasted, expected):
    at = visit({"tokenizer": "gpt2"}, {"playground.pasted": pasted})
    if expected:
        at.button(key="playground.put").click().run()
        assert sent(at)["text"] == expected
        assert in_editor(at)["version"] == FIRST_VERSION + 2


@pytest.mark.parametrize(
    ("pasted", "message"),
    [
        ("12 x", "'x' is not an id"),
        ("50257", "Id 50,257 is not in this vocabulary: its ids end at 50,256."),
        ("-1", "Id -1 is not in this vocabulary"),
    ],
)
def test_ids_that_are_none(pasted, message):
    assert message in problems(visit({"tokenizer": "gpt2"}, {"playground.pasted": pasted}))[0]


NORMALIZED = {"train.normalizers": ["bert"], "train.corpus": "my-dog"}


@pytest.mark.parametrize("text", some(["My DÓG.", *NASTY]))
def test_a_tokenizer_that_normalizes_shows_the_text_that_it_sees(text):
    at = visit({"tokenizer": "trained"}, NORMALIZED | typed(text))
    data, seen = sent(at), normalized(paired(text) or EXAMPLE, ("bert",))
    assert (paired(in_editor(at)["text"]), data["text"]) == (paired(text), seen)
    assert data["counts"]["characters"] == len(seen)
    assert ("The tokenizer normalizes the text first" in said(at)) == (seen != (paired(text) or EXAMPLE))
