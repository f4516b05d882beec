"""Tables and charts show the values that the engine recorded."""

import re
from dataclasses import replace

import vl_convert
from markupsafe import Markup

from bpe_core import Settings, train
from bpe_core.pictures.shared.colours import INK
from bpe_core.pictures.shared.style import PAPER
from pages.parts.texts.corpora import example
from pages.parts.ui import charts, sentences, tables

RUN = train(example("newest-widest").text, Settings("whitespace", "characters", "end", vocab_size=21))
STORY = train(example("short-story").text, Settings(vocab_size=600))


def test_pair_counts_mark_the_next_merge_and_its_ties():
    rows = tables.pair_counts(RUN, 0, "_")
    assert rows[["pair", "count", "role"]].head(4).values.tolist() == [
        ["e  s", 9, "next"],
        ["s  t", 9, "tied"],
        ["t  _", 9, "tied"],
        ["l  o", 8, "other"],
    ]


def test_charts_keep_their_specification():
    for draw in (
        lambda step: charts.pair_frequency(tables.pair_counts(RUN, step, "_")),
        lambda step: charts.curve(tables.curves(RUN), "bytes per token", step),
    ):
        assert draw(0).spec == draw(5).spec
        assert "datasets" not in draw(0).spec
        assert not draw(0).data.equals(draw(5).data)


def test_merge_history_is_the_run():
    rows = tables.merge_history(RUN, 9, "_")
    assert rows["step"].tolist() == list(range(1, 10))
    assert rows["token"].tolist() == ["es", "est", "est_", "lo", "low", "ne", "new", "newest_", "low_"]
    assert len(tables.merge_history(STORY, 300, "_")) == 300
    chosen = train(example("newest-widest").text, replace(RUN.settings, forced={1: (b"s", b"t")}))
    assert tables.merge_history(chosen, 2, "_")["chosen by"].tolist() == ["hand", "rule"]


def test_the_outcome_of_a_run_explains_its_ties_where_they_are_named():
    outcome = sentences.outcome(train("low low lower newest", Settings("whitespace", vocab_size=300)))
    described, name, defined, meaning = (
        re.findall(r'(?:describedby|id)="([^"]+)">([^<]+)<', outcome)[0]
        + re.findall(r' id="([^"]+)">([^<]+)<', outcome)[0]
    )
    assert (described, name) == (defined, "7 ties")
    assert meaning.startswith("7 of 9 merges were ties, 6 of them after step 2.")
    assert Markup(outcome).striptags().endswith("Nothing left to join: 265 of the 300 tokens asked for.")


def test_a_chart_in_a_file_has_its_rows_and_no_colour_of_the_page():
    drawn = charts.pair_frequency(tables.pair_counts(RUN, 0, "_"))
    for mode in ("light", "dark"):
        svg = vl_convert.vegalite_to_svg(charts.standalone(drawn, mode))
        assert "9  ← next" in svg.replace("\xa0", " ")
        assert INK[mode] in svg
        assert PAPER[mode] in svg
        assert "currentColor" not in svg


def test_the_word_marker_is_no_byte():
    marked = train("low low", Settings("whitespace", "characters", "end"))
    assert "6C 6F 77 marker" in set(tables.vocabulary(marked, marked.steps, "_").rows["bytes"])
