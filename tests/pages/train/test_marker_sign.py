"""A typed `_` and the mark of a word are drawn with two signs: on Train, on Compare, and in the trained vocabulary."""

import pytest

from tests.pages.driver import components, film, open_page

TEXT = "low_ low _x"


def signs(at) -> list[str]:
    return [facts["glyph"] for facts in film(at)["first"]["facts"]]


@pytest.mark.parametrize(
    ("text", "chosen", "drawn", "why"),
    [
        (TEXT, "_", "Ġ", ": _ is a token itself"),
        (TEXT, "Ġ", "Ġ", ""),
        ("low_ Ġ", "_", "▁", ": _ is a token itself"),
        ("low ▁", "▁", "_", ": ▁ is a token itself"),
        ("low lower", "_", "_", ""),
    ],
)
def test_the_film_its_views_and_its_legend_have_one_sign(text, chosen, drawn, why):
    at = open_page("pages/train.py", text=text, glyph=chosen, vocab_size="30", step="1")
    assert signs(at) == [drawn]
    tokens = at.dataframe[0].value.set_index("bytes")["token"]
    assert tokens["marker"] == drawn
    assert list(tokens).count(drawn) == 1, "no other token is drawn alike"
    assert film(at)["first"]["window"]["sides"][0]["note"].endswith(f" {drawn} ends a word{why}.")


def test_both_sides_of_a_comparison_and_the_trained_vocabulary_have_it_too():
    compared = open_page("pages/compare.py", text=TEXT, left_pretokenizer="whitespace", right_pretokenizer="whitespace",
                         left_word_marker="end", right_word_marker="start")  # fmt: skip
    assert signs(compared) == ["Ġ", "Ġ"]
    trained = open_page("app.py", text="low_ low", tokenizer="trained", training=f'{{"text":"{TEXT}"}}')
    assert {data["glyph"] for data in components(trained) if "glyph" in data} == {"Ġ"}
