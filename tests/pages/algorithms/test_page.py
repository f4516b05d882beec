"""The Algorithms page: its views over good and bad input, its links and its examples."""

import pytest

from bpe_core import Settings
from bpe_core.models.all_models import train_models
from pages.parts.algorithms.algorithm_views import VIEWS
from pages.parts.state import address_bar
from pages.parts.texts.corpora import example
from pages.parts.texts.examples import EXAMPLES
from tests.pages.algorithms.driver import PAGE, PROBLEM
from tests.pages.driver import choose, film, go, html, link, open_page, problems, said, type_text
from tests.pages.session import has_value, key_of, value
from tests.some import some
from tests.texts import NASTY_PAGES, NASTY_UNICODE


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("text", some(NASTY_PAGES, 4))
def test_every_view_of_nasty_text(view, text):
    test = type_text(open_page(PAGE, view=view, vocab_size="1000"), text)
    assert not test.exception
    assert not problems(test)
    if view == "unigram":
        last = film(test)["sides"][0]["steps"]
        go(test, last, "algorithms", "film of rounds")
        assert not test.exception
        assert value(test, "algorithms.round") == last
    if view == "wordpiece":
        last = film(test)["sides"][0]["steps"]
        go(test, last, "algorithms")
        assert not test.exception
        assert value(test, "algorithms.step") == last


def test_a_text_with_half_a_character_begins_the_line_with_what_streamlit_can_send():
    test = type_text(open_page(PAGE, view="compare"), "low\ud800 lower")
    assert not test.exception
    assert test.text_input(key=key_of(test, "algorithms.sentence")).value == "low\ufffd lower"


def test_a_page_that_tokenizes_only_the_beginning_of_its_text_says_so_above_the_tokens():
    said = "Below are the tokens of only the first {} of the text."
    test = type_text(open_page(PAGE, view="compare"), "low lower lowest")
    assert "Below are" not in html(test)
    test = type_text(test, "low lower " * 40)
    assert said.format("12 words") in html(test)
    test.text_input(key=key_of(test, "algorithms.sentence")).set_value("low").run()
    assert said.format("word") in html(test)
    test.text_input(key=key_of(test, "algorithms.sentence")).set_value("lo").run()
    assert "Below are" not in html(test), "a part of a word is no beginning"
    test.text_input(key=key_of(test, "algorithms.sentence")).set_value("lowest").run()
    assert "Below are" not in html(test)


@pytest.mark.parametrize("view", some(["compare", "unigram", "encode"]))
def test_nasty_text_to_tokenize(view):
    test = open_page(PAGE, view=view)
    field = "algorithms.word" if view == "unigram" else "algorithms.sentence"
    for text in NASTY_UNICODE:
        test.text_input(key=key_of(test, field)).set_value(text[:40]).run()
        assert not test.exception, text
        assert not problems(test), text


def test_steps_and_rounds_have_their_own_places():
    test = go(open_page(PAGE, view="wordpiece"), 6, "algorithms")
    assert link(test) == {"view": "wordpiece", "step": "6"}
    test = open_page(PAGE, view="unigram", step="6", round="2")
    assert film(test)["step"] == 2
    go(test, 3, "algorithms", "film of rounds")
    assert said(test).startswith("Round 3 pruned 9 of 33 tokens")
    assert link(test) == {"view": "unigram", "step": "6", "round": "3"}


@pytest.mark.parametrize(
    ("query", "remark"),
    [
        ({"view": "secrets"}, "The link's “View” (view=) was left out: there is no such choice."),
        ({"view": "wordpiece", "step": "99"}, "There is no step 99: the last one is 6."),
        ({"view": "unigram", "round": "99"}, "There is no round 99: the last one is 4."),
        ({"view": "unigram", "round": "9", "vocabulary": "90"}, "There is no round 9: this run has no rounds."),
        ({"round": "-1"}, "The link's “round” (round=) was left out"),
        ({"vocabulary": "999999"}, "it is not a whole number from 1 to 10,000"),
        ({"word": "a" * 41}, "it is longer than 40 characters"),
        ({"corpus": "upload"}, address_bar.TEXT_TOO_LONG),
    ],
)
def test_nonsense_in_a_link_is_said(query, remark):
    test = open_page(PAGE, **query)
    assert not test.exception
    assert any(remark in said for said in problems(test))


@pytest.mark.parametrize(
    ("query", "error"),
    [
        ({"vocabulary": "15"}, "The vocabulary size 15 is below the 16 base symbols. Choose a larger one."),
        ({"pretokenizer": "custom", "pattern": "("}, "The pattern does not compile: missing ) at position 1."),
    ],
)
def test_errors_are_one_sentence(query, error):
    test = open_page(PAGE, **query)
    assert not test.exception
    assert html(test).count(f'<p class="problem" role="alert">{error} Until then') == 1
    assert has_value(test, "algorithms.sentence"), "the page shows what it can"


def test_a_larger_vocabulary_is_offered_where_there_is_one():
    test = open_page(PAGE, corpus="short-story", vocabulary="22")
    [offer] = [button for button in test.button if button.label.startswith("Use")]
    assert offer.label == "Use 187 tokens"
    offer.click().run()
    assert PROBLEM not in html(test)
    assert link(test) == {"corpus": "short-story", "vocab_size": "187"}
    test = type_text(open_page(PAGE), " ".join(map(chr, range(0x4E00, 0x4E00 + 10_001))))
    assert "The vocabulary size 10000 is below the 10001 base symbols. Choose a larger one." in html(test)
    assert not [button for button in test.button if button.label.startswith("Use")]


@pytest.mark.parametrize("corpus", some(key for key, row in EXAMPLES.items() if row.algorithms))
def test_every_example_begins_where_there_is_something_to_see(corpus):
    test = choose(open_page(PAGE), corpus)
    assert PROBLEM not in html(test)
    size, sentence, word = EXAMPLES[corpus].algorithms
    assert test.number_input[0].value == size
    assert test.text_input(key=key_of(test, "algorithms.sentence")).value == sentence
    assert value(test, "algorithms.word") == word
    assert link(test) == ({} if corpus == "cats-eat" else {"corpus": corpus})
    models = train_models(example(corpus).plain, Settings("whitespace", "characters", vocab_size=size))
    assert 3 <= models.wordpiece.steps < 200
    run = models.unigram
    moved = sum(len(run.changed(number)) for number in range(run.steps + 1))
    assert run.steps or corpus == "eight-languages"  # each of its sentences is there once: nothing to prune
    no_size_cuts_otherwise = ("my-dog", "one-dinosaur", "eight-languages")
    assert moved or corpus in no_size_cuts_otherwise


def test_a_links_own_values_win_over_what_goes_with_the_corpus():
    asked = {"corpus": "hug-pug-pun", "vocab_size": "22", "sentence": "bug mug"}
    test = open_page(PAGE, **asked)
    assert link(test) == asked
    choose(test, "newest-widest")
    assert link(test) == {"corpus": "newest-widest"}


def test_a_pasted_text_brings_its_size_and_its_beginning():
    test = open_page(PAGE)
    type_text(test, "Der Fischer wirft sein Netz.\nDer Fisch schwimmt fort.")
    assert PROBLEM not in html(test)
    assert test.text_input(key=key_of(test, "algorithms.sentence")).value == "Der Fischer wirft sein Netz."
    size = test.number_input[0].value
    test.text_input(key=key_of(test, "algorithms.sentence")).set_value("mine").run()
    type_text(test, "Der Fischer wirft sein Netz. Und die Frau? Sie liest.")
    assert PROBLEM not in html(test)
    assert test.text_input(key=key_of(test, "algorithms.sentence")).value == "mine"
    assert test.number_input[0].value > size


OWN_TEXTS = {
    "English": "the owl and the pussycat went to sea in a beautiful pea green boat, they took some honey",
    "lines": "Der Fischer wirft sein Netz.\n\n\tDer Fisch schwimmt fort.",
    "code": "def total(items):\n    return sum(item.count for item in items)\n",
    "Chinese": "我喝茶。猫在喝茶。",
    "one word": "one",
}


@pytest.mark.parametrize("pretokenizer", some(["whitespace", "gpt2", "none"]))
@pytest.mark.parametrize("name", OWN_TEXTS)
def test_of_a_text_of_ones_own_nothing_is_unknown(name, pretokenizer):
    shown = html(type_text(open_page(PAGE, pretokenizer=pretokenizer), OWN_TEXTS[name]))
    assert PROBLEM not in shown
    rows = shown.split('<div class="name">')[1:]
    assert len(rows) == 5
    for row in rows[:3]:  # BPE, WordPiece, Unigram
        assert "[UNK]" not in row
        assert 'class="token' in row


def test_no_charts_of_nothing():
    assert len(open_page(PAGE, view="unigram").get("vega_lite_chart")) == 3
    assert not open_page(PAGE, view="unigram", vocabulary="90").get("vega_lite_chart")
    assert film(open_page(PAGE, view="wordpiece", vocabulary="90", step="1000000"))["step"] > 0


def test_a_text_that_is_too_large_is_said_and_kept():
    text = "word " * 200_001
    test = type_text(open_page(PAGE), text)
    assert not test.exception
    assert html(test).count(
        "The text has 1,000,005 characters; these models are for learning and take at most 1,000,000: "
        "choose a smaller one."
    ) == 1  # fmt: skip
    assert f">{text[:1000]} …<" in html(test)


@pytest.mark.parametrize("view", VIEWS)
def test_a_pattern_that_matches_nothing(view):
    test = open_page(PAGE, view=view, pretokenizer="custom", pattern="zzz")
    assert not test.exception
    assert not problems(test)


@pytest.mark.parametrize("view", ["wordpiece", "unigram"])
def test_a_model_can_be_taken_along_as_a_file(view):
    test = open_page(PAGE, view=view)
    assert "tokenizer.json" in [button.proto.label for button in test.get("download_button")]
    test = open_page(PAGE, view=view, pretokenizer="custom", pattern=r"\w+")
    assert not test.exception
    assert "tokenizer.json" not in [button.proto.label for button in test.get("download_button")]
    assert "Why no tokenizer.json: " in html(test)
