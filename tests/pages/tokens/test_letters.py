"""The letters of a word under the tokenizers that ship, and their view."""

import pytest

from bpe_core.published import PUBLISHED
from bpe_core.tokenizer.letters import letters
from pages.parts.state.tokens_state import Tokens
from pages.parts.tokens.letters_view import with_its_letter, with_new_word
from pages.parts.tokens.word_letters import PLACES, cells, drawing, letters_table, sheet, summary
from pages.parts.vocabularies import page_vocabulary
from tests.pages.driver import html, link, sent, visit
from tests.pages.session import key_of

# The splits of "strawberry" at the start of a text, after a space and in quotes, and the r's of their tokens.
STRAWBERRY = {
    "gpt2": (["st|raw|berry", "·strawberry", '"|st|raw|berry|"'], ["0|1|2", "3", "0|0|1|2|0"]),
    "bert": (["strawberry", "strawberry", '"|strawberry|"'], ["3", "3", "0|3|0"]),
}


@pytest.mark.parametrize("key", STRAWBERRY)
def test_strawberry_has_three_rs_wherever_it_is_split(key):
    found = sheet(cells([page_vocabulary.published(key)], "strawberry"), "r")
    assert (found["split"].tolist(), found["count"].tolist()) == STRAWBERRY[key]
    assert [sum(map(int, each.split("|"))) for each in found["count"]] == [3, 3, 3]


def test_tokens_that_share_a_letter_are_counted_together():
    rows = cells([page_vocabulary.published("gpt2")], "<b>🦜é")
    assert sheet(rows, "🦜")["count"][0].count("1") == 1
    assert "<b>" not in letters_table(rows, "🦜").replace('<b title="tokens">', "")
    assert "no token has it whole" in summary(rows, "<b>🦜é", "🦜")
    below = [getattr(item, "below", "") for item in drawing(rows, "<b>🦜é", "🦜").rows[2]]
    assert [number for number in below if number] == ["1"] * len(PLACES)


def test_a_word_that_is_never_split_is_called_whole_and_a_letter_that_it_lacks_is_said():
    rows = cells([page_vocabulary.published("gpt2"), page_vocabulary.published("bert")], "the")
    whole = "“the” has “r” 0 times. With 2 tokenizers one token has the whole word, in all 6 cases."
    assert summary(rows, "the", "r") == whole
    bert = [page_vocabulary.published("bert")]
    assert "one token has the whole word" in summary(cells(bert, "Café"), "Café", ""), "as cafe"
    assert "no token has it whole" in summary(cells(bert, "🦜"), "🦜", ""), "its one token is for what it does not know"
    assert set(sheet(cells(bert, "🦜"), "🦜")["count"]) == {"0", "0|0|0"}


def test_the_view_has_a_link_its_own_and_every_tokenizer(monkeypatch):
    monkeypatch.setattr("pages.parts.tokens.letters_view.PUBLISHED", dict.fromkeys(["gpt2", "bert"]))
    at = visit({"view": "letters", "tokenizer": "gpt2"})
    assert "“strawberry” has “r” 3 times. 2 tokenizers split it in 2 ways; in 4 of 6 cases one token" in html(at)
    assert "At the start of a text a model with GPT-2 is given only the ids 301, 1831, 8396." in html(at)
    assert all(place in html(at) for place in PLACES)
    assert all(f'scope="row">{PUBLISHED[key].title}<' in html(at) for key in ("gpt2", "bert"))
    at.text_input(key="tokens.word").set_value("Mississippi").run()
    assert "“Mississippi” has “i” 4 times." in html(at), "it has no r: the letter follows the word"
    at.selectbox(key=key_of(at, "tokens.letter")).set_value("s").run()
    assert "“Mississippi” has “s” 4 times." in html(at)
    assert link(at) == {"view": "letters", "tokenizer": "gpt2", "word": "Mississippi", "letter": "s"}
    at.button(key="tokens.own letters").click().run()
    assert link(at) == {"tokenizer": "gpt2", "word": "Mississippi", "letter": "s", "letters": "yes"}
    assert sent(at)["options"]["letters"] is True


@pytest.mark.parametrize("word", ["日本語", "Ärger", "किताब", "🦜", " b", " ", ""])
@pytest.mark.parametrize("letter", ["r", "é", "日", ""])
def test_the_letter_follows_the_word(word, letter):
    before = Tokens(word=word, letter=letter)
    after = with_its_letter(with_new_word(before))
    shown = word or "strawberry"
    if not letter or letter.lower() in shown.lower():
        assert after == before
    else:
        assert after.letter in letters(shown)
        assert after.letter.strip() or not shown.strip()


@pytest.mark.parametrize(
    ("query", "letter"),
    [
        ({"word": "日本語"}, "日"),
        ({"word": "banana"}, "a"),
        ({"word": "Erdbeere"}, "r"),
        ({"word": "banana", "letter": "x"}, "x"),
        ({}, "r"),
    ],
)
def test_a_link_that_names_a_word_alone_counts_a_letter_of_it(query, letter):
    at = visit({"view": "letters", **query})
    assert not at.exception
    (menu,) = [box for box in at.selectbox if box.label == "Count the letter"]
    assert menu.value == letter
