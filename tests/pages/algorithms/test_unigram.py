"""Unigram's rounds: what is pruned, and the ways to segment a word."""

import re

import pytest

from bpe_core import Settings
from bpe_core.models.all_models import train_models
from bpe_core.pictures.film import unigram_side
from pages.parts.algorithms import unigram_rounds
from pages.parts.texts.corpora import example
from tests.pages.algorithms.driver import plain


def test_ways_to_segment_show_what_is_unknown():
    model = train_models("aaaa", Settings("whitespace", "characters", vocab_size=22)).unigram.model()
    shown = unigram_rounds.ways(model, "eating")
    assert plain(shown).endswith("e[UNK]at[UNK]i[UNK]n[UNK]g[UNK]")
    assert shown.count('"token unknown"') == 5
    assert unigram_rounds.ways_sentence(model, "eating").endswith(
        "5 characters are not in the vocabulary: each is unknown by itself."
    )


def test_a_round_of_unigram():
    models = train_models(example("cats-eat").text, Settings("whitespace", "characters", vocab_size=22))
    run = models.unigram
    assert "Round 4 pruned 2 of 24 tokens" in unigram_side.round_sentence(run, 4)
    assert "1 word is segmented in another way. The vocabulary has the 22" in unigram_side.round_sentence(run, 4)
    assert unigram_rounds.pruned(run, 4).rows.values.tolist() == [
        ["eating", 3.54, 3, "eat  ing"],
        ["runn", 0, 0, "r  u  n  n"],
    ]
    assert unigram_rounds.pruned(run, 0).total == 0
    assert unigram_rounds.free(run, 4) == "Loss 0 (1 of 2 tokens): no word used it."
    assert not unigram_rounds.free(run, 0)
    assert plain(unigram_rounds.words(run, 4)).startswith("3 ×eating before: eating10 ×eat")
    assert unigram_rounds.vocabulary(run, 4).rows["probability"].sum() == pytest.approx(1)
    assert unigram_rounds.figures(run)["vocabulary"].tolist() == [60, 45, 33, 24, 22]
    assert unigram_rounds.ways_sentence(run.model(0), "eating").startswith("The best 8 of 32 ways; together ")
    assert unigram_rounds.ways_sentence(run.model(4), "xat") == (
        "There is one way to segment this word. 1 character is not in the vocabulary: each is unknown by itself."
    )
    wanted = train_models("ab", Settings("whitespace", "characters", vocab_size=30)).unigram
    assert "only 2 tokens to offer, of the 30 asked for" in unigram_side.round_sentence(wanted, 0)


def test_the_shares_of_the_ways_are_as_exact_as_each_other():
    model = train_models(example("cats-eat").text, Settings("whitespace", "characters", vocab_size=22)).unigram.model(0)
    shares = re.findall(r"(\d+(?:\.\d+)?)%<", unigram_rounds.ways(model, "eat"))
    assert len({len(share.partition(".")[2]) for share in shares}) == 1
    assert sum(map(float, shares)) == pytest.approx(100, abs=0.2)
    assert {share for share in shares if float(share) < 10}, "with a place after the point"
