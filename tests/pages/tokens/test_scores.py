"""The scorecard on the page: its figures, what each opens, and its files."""

import io
import re

import pandas as pd

from bpe_core.text.in_words import percent
from pages.parts.page.chosen_vocabulary import vocabulary_of
from pages.parts.tokens import scores
from pages.parts.tokens.languages import price, sentences
from pages.parts.vocabularies import page_vocabulary
from tests.pages.driver import html, link, visit
from tests.pages.learn.page_parts import read

GPT2 = page_vocabulary.published("gpt2")
TEXT = "the lighthouse & the <b>dog</b>s, baker's 🦜🦜"


def subjects(*vocabularies, typed="", text=TEXT):
    found = sentences(typed)
    return [scores.subject(each, text, False, found, price(each, found)) for each in vocabularies]


def test_each_figure_says_which_bar_is_good_or_that_neither_is():
    assert all(
        re.search(r"(longer|shorter) bar (is good|means .* neither|was proposed)", each.good) for each in scores.FIGURES
    )


def test_every_figure_opens_what_causes_it():
    table = read(scores.card(subjects(GPT2)))
    opened = {
        figure.title.split()[0]: [cause for cell in row.all("details") for cause in cell.all("li")]
        for figure, row in zip(scores.FIGURES, next(table.all("tbody")).all("tr"), strict=True)
    }
    assert b" lighthouse" not in [token for cause in opened["Whole"] for token in cause.tokens]
    assert {token for cause in opened["Parts"] for token in cause.tokens} >= {b"\xa6", b"\x9c"}
    assert opened["Fertility"][0].text.startswith("·baker's ")
    assert opened["Bytes"][0].text == "b 2 × 1 byte"
    uses = GPT2.tokenizer.ids(TEXT)
    assert opened["Rényi"][0].text == f"b {percent(2 / len(uses))} of the tokens"
    assert opened["Premium"][0].text.startswith("Hindi 72 tokens, 7.20 ×")
    assert "<b>dog" not in str(scores.card(subjects(GPT2)))


def test_a_tokenizer_that_loses_text_says_so_and_has_no_figure_of_what_it_lost():
    (bert,) = subjects(vocabulary_of("bert"))
    assert (bert.mean_premium, bert.gini) == (None, None)
    card = str(scores.card([bert]))
    assert "BERT (uncased): " in card
    assert card.count("loses a part of a sentence") == 2
    alone = scores.card(subjects(GPT2, typed="A tree."))
    assert "loses a part" not in alone
    assert alone.count("there is no other sentence") == 2
    empty = scores.card(subjects(GPT2, text=""))
    assert "the text is empty" in empty


def test_the_files_have_all_figures():
    both = subjects(GPT2, vocabulary_of("bert"), typed="A_1: low\nB: low low low")
    frame = pd.read_csv(io.StringIO(scores.scores_table(both).to_csv(index=False)))
    assert frame["figure"].tolist()[-2:] == ["Premium over A_1", "Gini over the languages"]
    assert frame["GPT-2"].tolist()[-2:] == [3.0, 0.25]
    lines = scores.tex(both).splitlines()
    assert lines[3] == " & GPT{-}2 & BERT (uncased) \\\\"
    assert lines[-4].startswith(r"Mean premium over A\_1 & 3.00 & ")
    assert all(line.count("&") == 2 for line in lines[5:-2])


def test_the_scorecard_has_a_link_its_own():
    at = visit(
        {"tokenizer": "gpt2", "view": "side-by-side", "compared": "scorecard", "text": "the dog", "against": "qwen"}
    )
    assert "they do not grade" in html(at)
    assert "Rényi efficiency" in html(at)
    assert link(at)["compared"] == "scorecard"
