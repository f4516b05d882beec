"""Links: every value comes back from its link, and former names are still read."""

import pytest

from pages.parts.page.frame import PAGES
from pages.parts.state import values
from pages.parts.state.compare_state import SIDES
from pages.parts.state.links import FORMER, current_name, named
from pages.parts.state.train_state import Train
from tests.pages.driver import link, open_page, problems


@pytest.mark.parametrize("page", PAGES)
def test_every_default_can_be_written_and_read(page):
    for name, (_, row) in named(PAGES[page].state).items():
        if row.default is not None and row.default != -1:
            assert row.read(row.write(row.default)) == row.default, name


@pytest.mark.parametrize(
    ("page", "query", "names"),
    [
        ("train", {"pretokenizer": "custom", "view": "try"}, {"pattern", "special_tokens", "try"}),
        ("compare", {"left": "custom", "view": "vocabularies"}, {"left_pattern", "find"}),
        ("algorithms", {"view": "unigram"}, {"word"}),
        ("tokenizers", {"tokenizer": "my-dog"}, {"sought"}),
        ("tokens", {"view": "letters"}, {"word"}),
    ],
)
def test_what_can_be_typed_fits_into_the_link(page, query, names):
    boxes = open_page(PAGES[page].path, **query).text_input
    most = {box.key.removeprefix(f"{page}.").split()[0]: box.proto.max_chars for box in boxes}
    assert names <= most.keys()
    rows = {name: row for name, (_, row) in named(PAGES[page].state).items()}
    for name in most.keys() & rows.keys():
        assert rows[name].read("a" * most[name])
        assert most[name]


def test_a_former_name_never_hides_a_name_of_today():
    for row in PAGES.values():
        assert all(current_name(row.state, name) == name for name in named(row.state))


def test_a_former_name_is_of_the_value_and_the_side_that_it_names():
    sides = {side: [name for name in FORMER if name.partition("-")[0] == side] for side in SIDES}
    assert len(sides["left"]) == len(sides["right"]) > 5
    for side, names in sides.items():
        for name in names:
            rest = name.partition("-")[2] or "pretokenizer"
            assert FORMER[name] == f"{side}_{FORMER.get(rest, rest)}"


TRAIN = {
    "marker": ("word_marker", "none"),
    "ties": ("tie_rule", "greatest"),
    "vocabulary": ("vocab_size", "6"),
    "least": ("min_count", "2"),
    "specials": ("special_tokens", "<|end|>"),
    "text": ("text", "hug hug pug"),
    "step": ("step", "1"),
}
COMPARE = {
    "left": ("left_pretokenizer", "gpt2"),
    "right": ("right_pretokenizer", "whitespace"),
    "left-marker": ("left_word_marker", "end"),
    "right-alphabet": ("right_alphabet", "bytes"),
    "held-text": ("held_text", "a dog"),
    "held": ("held", "paste"),
    "vocabulary": ("vocab_size", "400"),
}


@pytest.mark.parametrize(("page", "names"), [("train", TRAIN), ("compare", COMPARE)])
def test_an_old_link_is_taken_over_and_written_in_the_names_of_today(page, names):
    test = open_page(f"pages/{page}.py", **{old: value for old, (_, value) in names.items()})
    assert not problems(test)
    assert link(test) == dict(names.values())


def test_of_more_chosen_pairs_than_a_link_may_have_the_first_are_used():
    _, row = named(Train)["forced"]
    pairs = dict.fromkeys(range(1, values.MOST_PAIRS + 2), (b"e", b"s"))
    assert row.read(row.write(dict(sorted(pairs.items())[:-1]))) == dict(sorted(pairs.items())[:-1])
    with pytest.raises(values.PartlyReadError, match="only its first 100 pairs are used") as error:
        row.read(row.write(pairs))
    assert error.value.value == dict(sorted(pairs.items())[:-1])
