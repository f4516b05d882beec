"""A film that follows the typing is sent what the page itself has once it hears of the text."""

import pytest

from pages.parts.server.limits import LIMITS
from tests.pages.driver import ask, asked, film, open_page, type_text
from tests.some import later

TEXT = "newest newest widest wider low lower lowest"
FIRST = {"find": "", "sort": "", "step": 0}
BYTES = {"pretokenizer": "gpt2", "alphabet": "bytes", "word_marker": "none", "vocab_size": "268"}
FOLLOWED = [
    ("train", {}),
    ("train", {"glyph": "Ġ", "step": "3", "tie_rule": "greatest"}),
    ("train", BYTES | {"then_across_words_from": "260"}),
    ("compare", {}),
    ("compare", {"all_words": "yes", "left_pretokenizer": "none", "held": "last-fifth"}),
]


@pytest.mark.parametrize(("page", "query"), FOLLOWED)
@pytest.mark.parametrize("text", [TEXT, "  ", later(TEXT * 40)])
def test_the_film_of_a_typed_text_is_the_pages(page, query, text):
    test = open_page(f"pages/{page}.py", **query)
    before = film(test)
    found = asked(before, "film", text=text, **FIRST)
    [chunk] = found["chunks"][:1]
    assert asked(before, "frames", text=text, chunks=[chunk[:2]])["chunks"] == [chunk]
    assert asked(before, "window", text=text, find="", sort="", step=0) == found["window"]
    word = {"chosen": [0, 0], "step": 0}
    details = asked(before, "focus", text=text, **word)
    after = film(type_text(test, text))
    sides = len(after["sides"])
    assert {**after["first"], "chunks": after["first"]["chunks"][:sides]} == found
    assert (after["step"], after["given"]) == (before["step"] if after["run"] == before["run"] else 0, text)
    assert asked(after, "focus", **word) == details


def test_an_empty_box_has_the_example_in_its_place():
    test = open_page("pages/train.py", text=TEXT)
    data = film(test)
    found = asked(data, "film", text=data["asks"]["example"], **FIRST)
    after = film(type_text(test, ""))["first"]
    assert found == {**after, "chunks": after["chunks"][:1]}


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ({"vocab_size": "20", "text": "low"}, "many other characters: äöüßéèàîôû"),
        ({"text": "low"}, "x" * LIMITS.typed_characters),
        ({"text": "low low", "forced": "1:6c.6f"}, "ab ab"),
    ],
)
def test_a_training_that_fails_or_takes_long_is_left_to_the_page(query, text):
    test = open_page("pages/train.py", **query)  # whose session has the thing
    answer = ask(film(test), "film", text=text, **FIRST)
    assert (answer.status_code, answer.text) == (204, "")


@pytest.mark.parametrize(
    "query", [{"pretokenizer": "custom", "pattern": "[a-z]+"}, {"start": "gpt2", "vocab_size": "50300"}]
)
def test_a_film_whose_training_needs_the_page_follows_no_typing(query):
    test = open_page("pages/train.py", text="low low lower", **query)
    data = film(test)
    assert "given" not in data
    assert "example" not in data["asks"]
    assert ask(data, "film", text="low", **FIRST).status_code == 204
