"""What travels in a link: every value comes back, and links keep the names that they once had."""

import pytest

from pages.parts.session.links import PARAMS, current_name
from tests.pages.driver import link, open_page, problems


@pytest.mark.parametrize("page", PARAMS)
def test_every_default_can_be_written_and_read(page):
    for name, param in PARAMS[page].items():
        if param.default is not None and param.default != -1:
            assert param.read(param.write(param.default)) == param.default, name


@pytest.mark.parametrize(
    ("page", "query", "names"),
    [
        ("train", {"pretokenizer": "custom", "view": "try"}, {"pattern", "special_tokens", "try"}),
        ("compare", {"left": "custom", "view": "vocabularies"}, {"left_pattern", "find"}),
        ("algorithms", {"view": "unigram"}, {"word"}),
        ("playground", {"tokenizer": "my-dog", "view": "vocabulary"}, {"sought"}),
    ],
)
def test_what_can_be_typed_fits_into_the_link(page, query, names):
    boxes = open_page(f"pages/{page}.py", **query).text_input
    most = {box.key.removeprefix(f"{page}.").split()[0]: box.proto.max_chars for box in boxes}
    assert names <= most.keys()
    for name in most.keys() & PARAMS[page].keys():
        assert PARAMS[page][name].read("a" * most[name])
        assert most[name]


def test_a_former_name_never_hides_a_name_of_today():
    for page, params in PARAMS.items():
        assert all(current_name(page, name) == name for name in params)


def test_an_old_link_of_train_is_taken_over_and_written_in_the_names_of_today():
    old = {"text": "hug hug pug", "marker": "none", "ties": "greatest", "vocabulary": "6", "least": "2", "step": "1"}
    old |= {"specials": "<|end|>"}
    test = open_page("pages/train.py", **old)
    assert not problems(test)
    assert link(test) == {
        "text": "hug hug pug",
        "word_marker": "none",
        "tie_rule": "greatest",
        "vocab_size": "6",
        "min_count": "2",
        "special_tokens": "<|end|>",
        "step": "1",
    }


def test_an_old_link_of_compare_too():
    old = {"left": "gpt2", "right": "whitespace", "left-marker": "end", "right-alphabet": "bytes", "held-text": "a dog"}
    test = open_page("pages/compare.py", held="paste", vocabulary="400", **old)
    assert not problems(test)
    assert link(test) == {
        "left_pretokenizer": "gpt2",
        "right_pretokenizer": "whitespace",
        "left_word_marker": "end",
        "right_alphabet": "bytes",
        "held": "paste",
        "held_text": "a dog",
        "vocab_size": "400",
    }
