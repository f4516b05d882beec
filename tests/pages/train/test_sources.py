"""Several sources on Train: lines in the text mark them; what each source got, and the training without a source."""

import numpy as np
import pytest

from bpe_core import Settings, train
from bpe_core.corpus.sources import MOST_MARKED, marked, marked_sources
from bpe_core.models.all_models import train_models
from bpe_core.record.enough_text import amounts
from pages.parts.texts.corpora import Corpus, example
from pages.parts.train.amounts_view import sentence
from pages.parts.train.sources_view import beside, rates, spans, told
from tests.pages.driver import html, link, open_page, plain, problems, said, type_text, typed

AS_GPT2 = {"pretokenizer": "gpt2", "alphabet": "bytes", "marker": "none", "vocabulary": "500"}


def tables(test) -> list[dict]:
    return [frame.value.to_dict("list") for frame in test.dataframe]


def test_the_film_and_the_view_say_which_source_wanted_a_pair():
    test = open_page("pages/train.py", corpus="three-sources", view="sources", step="1", **AS_GPT2)
    run = train(example("three-sources").parts, Settings("gpt2", vocab_size=500))
    assert not test.exception
    assert "Sources: 100% Hindi." in said(test)
    (shown,) = tables(test)
    sources = run.sources(1)
    assert shown["source"] == ["English", "Hindi", "Python"]
    assert shown["tokens it made"] == [0, 1, 0]
    assert shown["bytes per token"] == [round(source.bytes_per_token, 2) for source in sources]
    assert " is served worst " in plain(html(test))


def test_a_source_is_taken_out_and_the_link_keeps_it():
    test = open_page("pages/train.py", corpus="three-sources", view="sources", **AS_GPT2, **{"without": "2"})
    parts = example("three-sources").parts
    rest = {name: part for name, part in parts.items() if name != "Hindi"}
    run, again = (train(texts, Settings("gpt2", vocab_size=500)) for texts in (parts, rest))
    gone = {merge.token for merge in run.merges} - {merge.token for merge in again.merges}
    assert f"Without Hindi, {len(gone)} tokens go and {len(gone)} come" in plain(html(test))
    assert link(test)["without"] == "2"
    _, shown = tables(test)
    assert shown["source"] == ["English", "Hindi (taken out)", "Python"]
    assert shown["bytes per token without Hindi"][1] == 1
    frame = beside(run, again, "Hindi", parts["Hindi"])
    assert shown["bytes per token without Hindi"] == frame["bytes per token without Hindi"].tolist()


def test_who_is_served_worst_is_right_at_every_step():
    """Against the sources of each step, one by one; with ties, with many changes, and on two stages."""
    texts = {"en": "low lower lowest newest", "de": "wo wo niedrig wann wenn", "fi": "tee teetä talo talossa"}
    one = train(texts, Settings("whitespace", "characters", vocab_size=60))
    two = train(example("three-sources").parts, Settings("gpt2", vocab_size=600, then_across_words_from=500))
    for run in (one, two):
        for characters in (False, True):
            found = spans(rates(run, characters))
            assert [span.first for span in found] == [0, *(span.last + 1 for span in found[:-1])]
            assert found[-1].last == run.steps
            for span in found:
                for step in range(span.first, span.last + 1):
                    values = [
                        each.characters_per_token if characters else each.bytes_per_token for each in run.sources(step)
                    ]
                    assert span.worst == tuple(n for n, value in enumerate(values) if value == min(values)), step


def rows(*worst: str) -> np.ndarray:
    """Return the rates of the sources a, b and c at some steps; the named sources are served worst."""
    return np.array([[1.0 if name in each else 2.0 for name in "abc"] for each in worst])


@pytest.mark.parametrize(
    ("worst", "step", "said"),
    [
        (["a"] * 3, 1, "a is served worst at every step. At step 1, a has 1.00."),
        (["a", *["b"] * 3, "a"], 0, "b is served worst from step 1 to 3, a otherwise. At step 0, a has 1.00."),
        (["a", *["b"] * 3, "a"], 3, "b is served worst from step 1 to 3, a otherwise. At step 3, b has 1.00."),
        (["a", "a", "b", "b"], 2, "a is served worst from step 0 to 1, b from step 2 on. At step 2, b has 1.00."),
        (
            ["abc", "ac", "a", "a"], 0,
            "no source is served worst at step 0, a and c at step 1, a from step 2 on. At step 0, all have 1.00.",
        ),
        (
            ["ab", "c", "ab", "c"], 2,
            "a and b are served worst at step 0 and at step 2, c otherwise. At step 2, a and b have 1.00.",
        ),
        (
            ["a", "b", "a", "b", "c"], 4,
            "c is served worst at step 4: c has 1.00. Which one it is changes 4 times from step 0 to 4.",
        ),
    ],
)  # fmt: skip
def test_the_sentence_tells_the_whole_run(worst, step, said):
    assert told(rows(*worst), ["a", "b", "c"], step) == said


@pytest.mark.parametrize("step", [0, 1, 244])
def test_the_view_tells_of_the_whole_run_and_labels_both_tables(step):
    test = open_page("pages/train.py", corpus="three-sources", view="sources", step=str(step), **AS_GPT2, without="2")
    run = train(example("three-sources").parts, Settings("gpt2", vocab_size=500))
    shown = plain(html(test))
    assert (
        "By bytes per token, no source is served worst at step 0, English and Python at step 1, English from step 2 on."
    ) in shown
    assert f"At step {step}: " in f"{shown} "
    assert f"After all merges: {run.steps} with all sources, " in shown


def test_a_text_becomes_a_source_and_gets_another():
    test = open_page("pages/train.py", corpus="my-dog", view="sources")
    press(test, "Add a source")
    assert typed(test) == "=== source: Source 1 ===\nmy dog. your dog.\n=== source: Source 2 ===\n\n"
    assert "There is only one source with text" in plain(html(test))
    type_text(test, "=== source: a ===\nlow low\n=== source: b ===\nlos")
    assert [name for table in tables(test) for name in table["source"]] == ["a", "b"]
    assert problems(test) == []


def press(test, label: str) -> None:
    next(button for button in test.button if button.label == label).click().run()


@pytest.mark.parametrize(
    "text",
    [
        "=== source: empty ===\n=== source: <b>*x*</b> ===\ntea tea",
        "".join(f"=== source: <script>{n}</script> ===\ntea {n} tea\n" for n in range(1000)),
        "before\n=== source: \u202e ===\n\u202eabc",
        "=== source: only ===\n",
    ],
    ids=["a source without text, and markup", "1,000 sources", "text before, and marks", "no text at all"],
)
def test_hostile_sources(text):
    test = open_page("pages/train.py", view="sources", step="1")
    type_text(test, text)
    assert not test.exception
    assert "<script>" not in html(test)
    assert "<b>*" not in html(test)


def test_of_many_sources_the_last_are_one():
    text = marked({str(n): f"tea{n} " for n in range(1000)})
    found = marked_sources(text)
    assert len(found) == MOST_MARKED
    assert list(found)[-1] == "989 others"
    assert "".join(found.values()) == "".join(f"tea{n} \n" for n in range(1000))
    assert Corpus("", "no such line").parts == "no such line"


def test_sources_whose_names_are_alike_stay_apart():
    """Names are cut to 40 characters; a name may have the sign that ends its line, or be the name of the last ones."""
    long = "transcript of the interview with the mayor, part "
    given = {f"{long}1": "one", f"{long}2": "two", "a === b": "three", "2 others": "four"}
    given |= {str(number): "more" for number in range(9)}
    assert len(given) == MOST_MARKED + 1
    found = marked_sources(marked(given))
    assert [*found.values()] == [*(f"{text}\n" for text in [*given.values()][:11]), "more\nmore\n"]
    assert [*found][:3] == [
        "transcript of the interview with the m 1",
        "transcript of the interview with the m 2",
        "a === b",
    ]
    assert [[*found][3], [*found][-1]] == ["2 others 1", "2 others 2"]
    assert marked_sources(marked(found)).keys() == found.keys()


def test_what_remains_is_in_a_view_of_its_own():
    test = open_page("pages/train.py", corpus="short-story", view="remains", step="300", **AS_GPT2)
    run = train(example("short-story").text, Settings("gpt2", vocab_size=500))
    (shown,) = tables(test)
    assert len(shown["token"]) == 200
    residues = run.residues(step=run.steps)
    assert f"{len(residues)} of 244 merged tokens" in plain(html(test))
    assert shown["now"][0] == min(each.left for each in run.remains())
    assert "A token is a residue when later merges have used up more than nine tenths " in plain(html(test))


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"step": "0"}, "Nothing yet: go on some steps."),
        ({"vocabulary": "256"}, "Nothing: this training has no merge."),
        ({"step": "3", "find": "zzz"}, "No token has this in it."),
    ],
)
def test_where_nothing_remains_a_sentence_stands_for_the_table(query, said):
    test = open_page("pages/train.py", corpus="short-story", view="remains", **AS_GPT2 | query)
    assert said in plain(html(test))
    assert not tables(test)
    assert "the least left" not in plain(html(test))


def test_the_trainings_on_parts_are_those_of_the_engine():
    test = open_page("pages/train.py", corpus="short-story", view="curves", **AS_GPT2)
    assert "Trains on an eighth" in plain(html(test))
    press(test, "Train on parts of the text")
    found = amounts(example("short-story").text, Settings("gpt2", vocab_size=500))
    assert sentence(found.parts) in plain(html(test))
    (shown,) = tables(test)
    assert shown["characters"] == [amount.characters for amount in found.parts]
    assert not test.exception
    type_text(test, "too short")
    assert "It takes a text of" in plain(html(test))


def test_several_files_are_sources():
    test = open_page("pages/train.py", view="sources", step="1")
    box = test.file_uploader(key="shared.file 0")
    files = [("en.txt", b"low low lower", "text/plain"), ("<b>hi</b>.txt", "चाय चाय".encode(), "text/plain")]
    long = "the first forty characters are the same: "
    files += [("en.txt", b"tea", "text/plain"), *((f"{long}{name}.txt", name, "text/plain") for name in (b"a", b"b"))]
    box.set_value(files).run()
    assert marked_sources(typed(test)) == {
        "en.txt 1": "low low lower\n",
        "<b>hi</b>.txt": "चाय चाय\n",
        "en.txt 2": "tea\n",
        "the first forty characters are the sam 1": "a\n",
        "the first forty characters are the sam 2": "b\n",
    }
    assert "<b>hi" not in html(test)
    bad = [("en.txt", b"low", "text/plain"), ("x.png", b"\x89PNG\r\n\x1a\n\xff", "image/png")]
    test.file_uploader(key="shared.file 1").set_value(bad).run()
    assert any("x.png is not a text file" in each for each in problems(test))
    assert "en.txt 2" in typed(test)


def test_all_trainings_leave_the_lines_of_sources_out():
    text = marked({"en": "low low lower", "de": "los"})
    test = type_text(open_page("pages/algorithms.py", view="compare"), text)
    assert not test.exception
    assert Corpus("", text).plain == "low low lower\nlos\n"
    models = train_models(Corpus("", text).plain, Settings("whitespace", "characters", vocab_size=9))
    assert not any(b"=" in token for token in models.bpe.tokens)
