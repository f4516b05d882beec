"""The Compare page: its figures are the engine's, and its sentences are true for any text."""

import json
import re
from itertools import chain

import pandas as pd
import pytest

from bpe_core import PRETOKENIZERS, Settings, load, train
from bpe_core.pictures.film.word_window import word_rows
from bpe_core.pictures.shared.token_text import token_text
from bpe_core.pictures.shared.training_in_words import side_titles
from bpe_core.record import side_by_side
from bpe_core.record.side_by_side import SideBySide
from bpe_core.text.words import MEANING
from bpe_core.tokenizer.cost_curve import cost_curve
from bpe_core.tokenizer.mixed_tokens import mixture
from pages.parts.compare import costs, side_sentences, side_tables, sides
from pages.parts.compare.compare_views import VIEWS
from pages.parts.compare.sides import ComparedRun
from pages.parts.texts.corpora import example, held_out
from pages.parts.ui import charts
from tests.pages.driver import command, film, go, html, link, open_page, plain, problems, type_text
from tests.texts import NASTY_PAGES
from tests.version_3.pages_seen import offered

PATH = "pages/compare.py"


def pair_of(text: str, *chosen: Settings, held: str = "a held-out text, with words.") -> tuple[sides.Sides, SideBySide]:
    runs = [train(text, each) for each in chosen]
    made = zip(side_titles(*chosen), runs, strict=True)
    pair = tuple(ComparedRun(title, run, cost_curve(held, run.tokenizer())) for title, run in made)
    return pair, SideBySide(*(side.stage for side in pair))


STORY = pair_of(
    example("short-story").text,
    Settings("whitespace", vocab_size=600),
    Settings("gpt2", vocab_size=600),
    held=held_out("short-story").text,
)


def closed(shown: str) -> str:
    """Return the words of some HTML without spaces."""
    return plain(shown).replace(" ", "")


def test_the_published_merges_and_splits_come_out():
    test = open_page(PATH, left="none")
    for step, (left, right) in enumerate([("·", "d"), ("·d", "o"), ("·do", "g"), ("·dog", ".")], 1):
        go(test, step, "compare")
        merge = train("my dog. your dog.", Settings("none", "characters", vocab_size=300)).merges[step - 1]
        assert (token_text(merge.left), token_text(merge.right)) == (left, right)
        assert link(test) == {"left_pretokenizer": "none", "step": str(step)}
    dingo = open_page(PATH, corpus="one-dinosaur", left="none", step="4")
    for page, expected in (
        (test, ["my", "·dog", ".", "·your", "·dog", "."]),
        (dingo, ["one", "·dog", ".", "·one", "·dinosaur", ".", "·one", "·dingo", "."]),
    ):
        pieces = re.findall(r'title="rule: (?:letters|other)">(.*?)<sub>', html(page))
        assert [closed(piece) for piece in pieces] == expected


def test_the_words_of_both_sides_stand_beside_each_other():
    _, both = pair_of("my dog. your dog.", Settings("whitespace", vocab_size=300), Settings("gpt2", vocab_size=300))
    differing, every = (word_rows(both, everything) for everything in (False, True))
    assert (differing.rows, differing.counts) == ([((1,), (1, 2))], [2])  # dog. beside ·dog and .
    assert differing.note == "1 row. Left out: 2 rows that both splits share but for spaces."
    assert (every.rows, every.counts) == ([((0,), (0,)), ((1,), (1, 2)), ((2,), (3,))], [1, 2, 1])


def test_of_many_rows_the_most_frequent_stand_first():
    text = "".join(f"word{number}! " * (number % 5 + 2) for number in range(150)).strip()
    _, both = pair_of(text, Settings("whitespace"), Settings("gpt2"))
    window = word_rows(both, everything=False)
    assert window.counts == sorted(window.counts, reverse=True)
    assert len(window.counts) == 120
    twice = "Some words have two rows: with a space before them, and without."
    assert window.note == f"The 120 most frequent of 151 rows. {twice}"


def test_no_word_that_is_the_same_on_both_sides_is_listed_as_different():
    _, both = STORY
    for segment in word_rows(both, everything=False).rows:
        assert len(set(both.words[segment])) == 2
    for rule, listed in (("greatest", [("my",), ("dog",)]), ("first-seen", [])):  # where only the tie rules differ
        _, both = pair_of("my dog", Settings("gpt2"), Settings("gpt2", tie_rule=rule))
        assert [both.words[segment].left for segment in word_rows(both, False).rows] == listed
    note = "No word differs: 2 words with the same tokens on both sides at every step."
    assert word_rows(both, False).note == note
    _, both = pair_of("low low lower", Settings("whitespace"), Settings("gpt2", "characters"))  # low and ·low
    assert word_rows(both, False).note.endswith(" with the same tokens on both sides at every step but for spaces.")


def test_every_view_opens_and_travels_in_the_link():
    for view in VIEWS:
        test = open_page(PATH, view=view, corpus="short-story", vocabulary="200", step="40")
        assert not test.exception
        assert not problems(test)
        expected = {"corpus": "short-story", "vocab_size": "200", "step": "40", "view": view}
        assert link(test) == {name: value for name, value in expected.items() if value != "merges"}


def test_whether_a_space_makes_another_token_is_offered_as_a_choice():
    test = open_page(PATH, view="vocabularies")
    (choice,) = (group for group in test.button_group if group.label == "Spaces")
    assert choice.options == ["Treat `dog` and `·dog` as the same token", "as two"]


def test_any_two_settings():
    query = {"left": "gpt2", "left-ties": "greatest", "right_alphabet": "bytes", "right-marker": "end"}
    test = open_page(PATH, **query)
    assert not test.exception
    titles = {
        "GPT-2’s split, characters, marker: none, ties: greatest",
        "GPT-2’s split, bytes, marker: end, ties: first seen",
    }
    assert titles == {side["title"] for side in film(test)["sides"]}
    assert link(test) == {
        "left_pretokenizer": "gpt2", "left_tie_rule": "greatest", "right_alphabet": "bytes", "right_word_marker": "end",
    }  # fmt: skip


def test_a_split_says_how_it_differs_from_trains_of_that_name_and_one_press_takes_trains_settings():
    test = open_page(PATH)
    menu = next(each for each in test.selectbox if each.label == "Left: split by")
    assert (menu.value, menu.options[:1]) == ("whitespace", ["Whitespace, no _"])
    test.button(key="compare.as on train").click().run()
    assert link(test) == {"left_word_marker": "end", "vocab_size": "1000"}
    menu = next(each for each in test.selectbox if each.label == "Left: split by")
    assert "Whitespace" in menu.options
    assert test.button(key="compare.as on train").label == "✓ As on Train"
    both = open_page(PATH, right="whitespace", right_word_marker="start")
    both.button(key="compare.as on train").click().run()
    expected = {"left_word_marker": "end", "right_pretokenizer": "whitespace", "right_word_marker": "start"}
    assert link(both) == {**expected, "vocab_size": "1000"}, "there is something to compare"
    other = open_page(PATH, left="bert")
    assert "compare.as on train" not in [each.key for each in other.button], "neither side has Train's split"


def test_what_a_link_asks_in_vain_is_said_once():
    test = open_page(PATH, left="zz", step="500", foo="1")
    assert len(problems(test)) == 3
    assert not test.exception
    go(test, 2, "compare")
    assert not problems(test)


def test_an_example_sets_the_whole_page():
    test = open_page(PATH, left="bert", step="3", held="paste", **{"held-text": "x"})
    command(test, "compare.example", "A short story")
    assert not test.exception
    both = {"left_alphabet": "bytes", "right_alphabet": "bytes"}
    assert link(test) == {"corpus": "short-story", **both, "vocab_size": "600", "view": "vocabularies"}
    command(test, "compare.example", "my dog. your dog.")
    assert link(test) == {}


def test_an_example_that_is_shown_already_goes_back_to_its_first_step():
    test = open_page(PATH, step="3")
    before = film(test)["version"]
    command(test, "compare.example", "my dog. your dog.")
    assert (link(test), film(test)["step"]) == ({}, 0)
    assert film(test)["version"] != before, "the film adopts a step that comes with another version"


@pytest.mark.parametrize("text", NASTY_PAGES)
def test_nasty_texts(text):
    test = open_page(PATH, view="vocabularies", left_alphabet="bytes", right_alphabet="bytes", held="itself")
    type_text(test, text)
    assert not test.exception
    assert not problems(test)


def test_texts_with_nothing_to_compare_are_said():
    shown = plain(html(open_page(PATH, corpus="paste", text="x")))
    assert "Both split this text in the same way; it is too short to learn from." in shown
    shown = plain(html(open_page(PATH, corpus="hug-pug-pun", left="whitespace", right="whitespace")))
    assert "Both split this text in the same way and learn the same merges." in shown
    shown = plain(html(open_page(PATH, corpus="hug-pug-pun", left="whitespace", right="gpt2-notebook")))
    assert "and learn the same merges" in shown


def test_a_side_that_splits_as_a_model_does_is_never_called_by_the_models_name():
    for key, splitter in PRETOKENIZERS.items():
        names = side_titles(Settings(key, "characters"), Settings("none"))
        assert not splitter.model or not re.search(f"{splitter.model}(?!’s split)", names[0]), key
    test = open_page(PATH, text="my dog. your dog.", held_text="Ben, I dig my dog.", view="held-out")
    shown = plain(html(test))
    assert "GPT-2’s split needs 30% more tokens and keeps every other character; Whitespace throws the spaces" in shown
    assert "Neither gives the text back: B e n , I i are not in the training text, whose characters are" in shown
    assert not re.search("GPT-2(?!’s split)", shown.replace("GPT-2 as it is and grown", ""))
    assert {side["title"] for side in film(test)["sides"]} == {"Whitespace", "GPT-2’s split"}


def test_the_lower_views_begin_at_the_last_step_and_say_their_step():
    for step, when in (("", "After all merges: step 8."), ("3", "After step 3 of 8."), ("8", "After all merges")):
        for view in ("merges", "vocabularies", "blocked", "held-out"):
            test = open_page(PATH, view=view, **({"step": step} if step else {}))
            assert when in plain(html(test)), (view, step)
            assert film(test)["step"] == int(step or 0), "the film begins where it began"
    assert open_page(PATH).dataframe[0].value["step"].tolist() == [*range(8, 0, -1)]
    assert "Whitespace after 7 merges" in plain(html(open_page(PATH, view="held-out")))
    test = open_page(PATH)
    go(test, 2, "compare")
    assert "After step 2 of 8." in plain(html(test))


def test_figures_that_say_word_say_what_a_word_is():
    """The held-out text "our dog. my good dog. your god." has 7 words: dog, my, dog and your are one token each."""
    shown = html(open_page(PATH, view="held-out"))
    figures = dict(re.findall(r'aria-describedby="about-GPT-2’s-split-([^"]*)".*?<dd>([^<]*)</dd>', shown))
    assert figures["tokens-per-word"] == f"{14 / 7:.2f}"  # of 20 tokens, 6 are spaces and full stops alone
    assert figures["of-words-in-one-token"] == f"{4 / 7:.0%}"
    assert shown.count(MEANING) == 4, "two figures on each side"
    ids = re.findall(r' id="([^"]*)"', shown)
    assert len(ids) == len(set(ids))


def test_split_alike_but_with_other_ties():
    shown = plain(html(open_page(PATH, **{"left": "gpt2", "left_tie_rule": "greatest"})))
    assert "Both split this text in the same way, but from step 1 on they learn different merges." in shown


def test_a_text_that_is_too_long_for_the_link_is_said_beside_it():
    test = type_text(open_page(PATH, view="export"), "low lower " * 1000)
    assert "This page as a link, without your text, which is too long for a link: send it separately:" in plain(
        html(test)
    )


def test_a_pattern_that_finds_nothing():
    shown = plain(html(open_page(PATH, **{"left": "custom", "left-pattern": "zzz"})))
    assert shown.count("GPT-2’s split keeps dog together; Custom throws it away.") == 1
    assert "Custom 0 tokens · 0.00 characters each · 31 characters thrown away" in shown
    assert "GPT-2’s split keeps every character; Custom throws everything away." in shown


def test_the_step_bar_runs_to_the_longer_side():
    test = open_page(PATH, corpus="short-story", right="none", vocabulary="2000")
    text = example("short-story").text
    runs = [train(text, Settings(key, "characters", vocab_size=2000)) for key in ("whitespace", "none")]
    assert runs[0].stop_reason == "no pairs left"
    assert runs[1].stop_reason == "target reached"
    assert [side["steps"] for side in film(test)["sides"]] == [run.steps for run in runs]


# --- figures ---


def test_the_figures_are_the_engines():
    pair, _ = STORY
    text, held = example("short-story").text, held_out("short-story").text
    for side in pair:
        cut = side.stage.settings.splitter.split(text)
        shown = {name: value for value, name, _ in sides.split_figures(side, len(text))}
        assert shown == {
            "pretokens": f"{len(cut):,}",
            "different": f"{len({piece.text for piece in cut}):,}",
            "average length": f"{sum(len(piece.text) for piece in cut) / len(cut):.2f}",
            "thrown away": f"{len(text) - sum(len(piece.text) for piece in cut):,}",
        }
        for step in (0, 100, side.stage.steps):
            tokens = len(side.stage.tokenizer(step).encode(held).ids)
            kept = sum(len(piece.text) for piece in side.stage.settings.splitter.split(held))
            shown = {name: value for value, name, _ in sides.cost_figures(side, step)}
            assert shown.pop("of words in one token").endswith("%")
            assert shown == {
                "tokens": f"{tokens:,}",
                "characters each": f"{kept / tokens:.2f}",
                "lost": f"{len(held) - kept:,}",
                "tokens per word": f"{side.stage.tokenizer(step).encode(held).scorecard().fertility:.2f}",
            }


def test_bars_sentence_and_curve_have_the_same_numbers():
    pair, _ = STORY
    text = held_out("short-story").text
    last = side_tables.growth(pair).groupby("side", sort=False).last()
    shown = plain(costs.bars(pair, held_out("short-story").name, text))
    numbers = last[["tokens", "characters each", "characters lost"]]
    for name, tokens, each, lost in numbers.itertuples(name=None):
        thrown = f" · {lost:,} white-space characters thrown away" if lost else ""
        assert f"{name} {tokens:,} tokens · {each:.2f} characters each{thrown}" in shown
    assert shown.count("thrown away") == sum(numbers["characters lost"] > 0)
    share = last.tokens["GPT-2’s split"] / last.tokens["Whitespace"] - 1
    assert plain(costs.sentence(pair, text)) == (
        f"GPT-2’s split needs {share:.0%} more tokens and keeps every character; "
        "Whitespace throws the white space away and cannot give the text back."
    )
    widths = [float(width) for width in re.findall(r"width: ([\d.]+)%", costs.bars(pair, "", text))]
    (left, lost, right), tokens = widths, last.tokens.tolist()
    assert left / right == pytest.approx(tokens[0] / tokens[1], rel=1e-3), "one scale"
    kept = last["characters each"].iloc[0] * tokens[0]
    assert lost / left == pytest.approx(last["characters lost"].iloc[0] / kept, rel=1e-3), "a character as wide"
    assert max(left + lost, right) == pytest.approx(100)


@pytest.mark.parametrize(
    ("left", "right", "held", "expected"),
    [
        (  # the default of the page: 15 and 20 tokens
            Settings("whitespace", "characters", vocab_size=300),
            Settings("gpt2", "characters", vocab_size=300),
            "our dog. my good dog. your god.",
            "GPT-2’s split needs 33% more tokens and keeps every character; "
            "Whitespace throws the spaces away and cannot give the text back.",
        ),
        (  # a side that does not know a character never wins by it
            Settings("gpt2", "bytes", vocab_size=300),
            Settings("gpt2", "characters", vocab_size=300),
            "my dog 🦜🦜🦜",
            "GPT-2’s split, bytes needs 150% more tokens and keeps every character; "
            "GPT-2’s split, characters does not know 🦜 and cannot give the text back." + costs.ALPHABET,
        ),
        (
            Settings("whitespace", "characters", "end", vocab_size=300),
            Settings("gpt2", "characters", vocab_size=300),
            "my dog.",
            "GPT-2’s split, marker: none needs 50% more tokens and keeps every character; "
            "Whitespace, marker: end throws the spaces away and puts one space between words instead.",
        ),
        (
            Settings("gpt2", "characters", vocab_size=300),
            Settings("gpt2", "characters", vocab_size=300, tie_rule="greatest"),
            "my dog.",
            "Both need 3 tokens and keep every character.",
        ),
        (
            Settings("gpt2", "characters", vocab_size=300),
            Settings("gpt2", "characters", vocab_size=300, normalizers=("lowercase",)),
            "My dog.",
            "GPT-2’s split, not normalized needs 33% more tokens, does not know M and cannot give the text back; "
            "GPT-2’s split, Lowercase changes the text before the split and cannot give the text back."
            + costs.ALPHABET,
        ),
    ],
)
def test_no_side_wins_by_what_it_loses(left, right, held, expected):
    pair, _ = pair_of("my dog. your dog.", left, right, held=held)
    assert plain(costs.sentence(pair, held)) == expected


def test_the_curves_are_the_tokens_of_the_held_out_text():
    pair, _ = STORY
    curve = side_tables.growth(pair, points=None)
    for side in pair:
        rows = curve[curve["side"] == side.title].set_index("step")
        for step in (0, 7, 200):
            tokens = len(side.stage.tokenizer(step).encode(held_out("short-story").text).ids)
            assert rows.loc[step, "tokens"] == tokens
            assert rows.loc[step, "vocabulary"] == 256 + step
    now = side_tables.growth_now(pair, 200)
    assert now["side"].tolist() == [side.title for side in pair]
    assert now["step"].tolist() == [200, 200]


def test_vocabularies_split_and_search():
    pair, _ = STORY
    one, other = (set(side.stage.tokens[256:356]) for side in pair)
    only_one, both, only_other = sides.vocabularies(pair, 100).values()
    assert (set(only_one), set(both), set(only_other)) == (one - other, one & other, other - one)
    found = sides.vocabularies(pair, 100, "dog")
    assert {token for tokens in found.values() for token in tokens} == {
        token for token in one | other if b"dog" in token
    }
    table = side_tables.vocabulary_table(pair, 100)
    assert len(table) == len(one | other)
    assert set(table["mixes"]) == {mixture(token) for token in one | other}


def test_the_word_marker_of_either_side_has_its_sign_in_the_list_of_both():
    marked = Settings("whitespace", "characters", word_marker="end", vocab_size=20)
    for settings in ((Settings(vocab_size=260), marked), (marked, Settings(vocab_size=260))):
        pair, both = pair_of("my dog. your dog.", *settings)
        assert "dog._" in side_tables.vocabulary_table(pair, both.steps)["token"].tolist()
        assert b"dog.\xff" in {*chain(*sides.vocabularies(pair, both.steps, "g._").values())}


def test_the_tokens_of_an_earlier_stage_and_of_a_start_count_for_their_side():
    text = "to be, to be, to be or not to be\n" * 3
    pair, both = pair_of(text, Settings(vocab_size=262), Settings(vocab_size=262, then_across_words_from=258))
    within, across = (side.stage.tokenizer().tokens[256:] for side in pair)
    only_within, shared, only_across = sides.vocabularies(pair, both.steps).values()
    assert (set(shared), set(only_across)) == (set(within) & set(across), set(across) - set(within))
    assert across[:2] == within[:2] == tuple(shared[:2])
    assert side_sentences.made(pair[1], both.steps, spaces=True) == (
        "GPT-2’s split, across words from 258 has made 6 tokens, 2 of them within words."
    )
    grown, both = pair_of(text, Settings(vocab_size=262), Settings(vocab_size=50_300, start="gpt2"))
    only_within, shared, only_grown = sides.vocabularies(grown, both.steps).values()
    known = set(load("gpt2").tokens)
    assert shared == [token for token in within if token in known] != []
    assert not known & {*only_within, *only_grown}


def test_merges_side_by_side():
    pair, _ = pair_of("my dog. your dog.", Settings("none", vocab_size=400), Settings("gpt2", vocab_size=400))
    window = side_tables.merges(pair, 12)
    assert window.total == 12
    last = window.rows.iloc[0]
    assert last["step"] == 12
    assert last["GPT-2’s split"] == ""
    assert pd.isna(last["GPT-2’s split: count"])
    merge = pair[0].stage.merges[3]
    fourth = window.rows[window.rows["step"] == 4].iloc[0]
    assert (fourth["No split"], fourth["No split: count"], fourth["No split: tied with"]) == (
        "·dog.",
        merge.count,
        merge.tied - 1,
    )
    assert side_tables.merges(pair, 12, "dog.").total == sum("dog." in token for token in window.rows["No split"])


def test_blocked_pairs_name_what_the_other_side_learnt():
    pair, both = pair_of("my dog. your dog.", Settings("none", vocab_size=400), Settings("gpt2", vocab_size=400))
    found = [side.stage.blocked_pairs(side.at(both.steps), 12) for side in pair]
    table = side_tables.blocked(pair[1], pair[0], both.steps, found[1])
    row = table[table["pair"] == "·dog  ."].iloc[0]
    assert (row["count"], row["role"]) == (2, "learnt")
    assert plain(side_sentences.blocked_sentence(pair[1], pair[0], both.steps, found[1])) == (
        "GPT-2’s split never joins · dog and . , though the two meet 2 times; no pair is left that it can join; "
        "No split learnt the token at step 4."
    )
    said = side_sentences.blocked_sentence(pair[0], pair[1], both.steps, found[0])
    assert "does not split this text: no pair is blocked." in said
    counts = {(left, right): count for left, right, count in pair[1].stage.blocked_pairs(3)}
    table = side_tables.blocked_table(pair, 3)
    assert table["count"].tolist() == sorted(counts.values(), reverse=True)
    assert set(table["side"]) == {"GPT-2’s split"}


@pytest.mark.parametrize(
    ("corpus", "which"),
    [("my-dog", "All pairs. Each is counted"), ("short-story", "The 12 most frequent pairs. ")],
)
def test_the_chart_of_blocked_pairs_says_whether_there_are_more(corpus, which):
    test = open_page(PATH, corpus=corpus, view="blocked")
    pair, both = pair_of(example(corpus).text, Settings("whitespace"), Settings("gpt2"))
    assert which in plain(html(test))
    assert (len(pair[1].stage.blocked_pairs(both.steps)) > 12) == which.startswith("The 12")


def test_differences_are_counted_in_the_whole_text_or_the_sentence_says_where(monkeypatch):
    text = "a dog. " * 300 + "the end. " * 20 + "it is here. "
    pair, both = pair_of(text, Settings("whitespace", vocab_size=300), Settings("gpt2", vocab_size=300))
    assert plain(side_sentences.splits(pair, both)) == (
        "Whitespace keeps dog. together; GPT-2’s split cuts it into dog . . In all, 3 words are split differently, "
        "321 times."
    )
    for module in (side_by_side, side_sentences):
        monkeypatch.setattr(module, "ALIGNED", 2200)
    beginning = plain(side_sentences.splits(pair, SideBySide(both.left, both.right)))
    assert beginning.endswith("In its first 2,200 characters, 2 words are split differently, 310 times."), (
        "the last may go on"
    )


def test_a_vocabulary_that_is_too_small_is_said_and_mended_by_one_click():
    test = open_page(PATH, vocabulary="3")
    assert "The vocabulary size 3 is below the 9 base symbols." in html(test)
    assert film(test), "the page shows what works"
    (mend,) = [button for button in test.button if button.label.startswith("Use ")]
    mend.click().run()
    assert "is below" not in html(test)
    assert not test.exception


def test_vocabularies_are_the_same_whatever_spaces_stand_around():
    pair, both = STORY
    only_left, shared, only_right = sides.vocabularies(pair, both.steps, spaces=False).values()
    assert b"the" in shared
    assert not any(token.strip() == b"the" for token in only_left + only_right)
    assert b"dog." in only_left
    for side, only in zip(pair, (only_left, only_right), strict=True):
        said = side_sentences.made(side, both.steps, spaces=False)
        number = len(only) + len(shared)
        all_differ = not said and number == len(side.made(both.steps))
        assert all_differ or f"{number:,} of them different but for their spaces" in said, "the lists add up"


def test_export_gives_the_whole_training_and_names_the_side():
    shown = offered("/compare?view=export")
    assert {"whitespace-tokenizer.json", "gpt-2-split-tokenizer.json", "merges-step-8.csv"} <= shown.keys()
    merges = json.loads(shown["gpt-2-split-tokenizer.json"])["model"]["merges"]
    assert len(merges) == 8
    test = open_page(PATH, view="export", step="3")
    test.checkbox(key="compare.as of 3").check().run()
    assert "Files with the first 3 of 8 merges." in html(test)


def test_labels_of_blocked_pairs_are_whole_where_there_is_room():
    text = "Teachers teach, learners learn. " * 3
    pair, both = pair_of(text, Settings("none", vocab_size=300), Settings("gpt2", vocab_size=400))
    table = side_tables.blocked(pair[1], pair[0], both.steps, pair[1].stage.blocked_pairs(pair[1].stage.steps, 12))
    assert "·learners  ·learn" in table["pair"].tolist()
    room = json.dumps(charts.pair_frequency(table, len(table)).spec)
    assert "min(160, width / 2)" in room, "17 letters and their margin"


def test_bpe_and_superbpe_of_the_same_size_differ_in_what_the_text_costs():
    test = command(open_page(PATH), "compare.example", "BPE and SuperBPE, same size")
    assert not problems(test)
    text, tried = example("short-story").text, held_out("short-story").text
    sizes = [
        len(train(text, chosen).tokenizer().ids(tried))
        for chosen in (Settings(vocab_size=600), Settings(vocab_size=600, then_across_words_from=428))
    ]
    shown = plain(html(test))
    assert [f"{size:,} tokens" in shown for size in sizes] == [True, True]
    assert "GPT-2’s split, within words" in shown
    assert "GPT-2’s split, across words from 428" in shown


def test_a_comparison_of_settings_keeps_your_own_text():
    own = "to be, to be or not to be"
    test = type_text(open_page(PATH), own)
    for name in sides.OF_SETTINGS:
        test = command(test, "compare.example", name)
        assert link(test)["text"] == own
        assert not problems(test)
        assert not test.exception
    assert "text" not in link(command(test, "compare.example", "A short story"))


def test_a_difference_names_first_the_side_that_keeps_words_together():
    across, within = Settings(vocab_size=300, then_across_words_from=258), Settings(vocab_size=300)
    for one, other in ((across, within), (within, across)):
        pair, both = pair_of("to be or not\nto see\n", one, other)
        said = plain(side_sentences.splits(pair, both)).replace(" · ", " ")
        names = "GPT-2’s split, across words from 258", "GPT-2’s split, within words"
        assert said.startswith("{} keeps to be or not together; {} cuts it into to be or not".format(*names))
        assert said.endswith("In all, 2 lines are split differently."), "each once"
    pair, both = pair_of("ab-c " * 3, Settings("custom", pattern="a|b-c"), Settings("custom", pattern="ab|-|c"))
    assert plain(side_sentences.splits(pair, both)).count(" makes ") == 2


def test_gpt2_as_it_is_stands_beside_gpt2_grown():
    test = command(open_page(PATH), "compare.example", "GPT-2 as it is and grown")
    assert not problems(test)
    shown = plain(html(test))
    tried = example("many-languages").text
    assert f"{load('gpt2').count(tried):,} tokens" in shown
    learns = (
        "Both split this text in the same way, but GPT-2, as it is learns no merge, and GPT-2’s split, grown from the"
    )
    assert f"{learns} tokens of GPT-2 learns 100." in shown
    assert [data["steps"] for data in film(test)["sides"]] == [0, 100]
    for view in VIEWS:
        assert not open_page(PATH, **link(test), view=view).exception


def test_every_view_shows_two_stages():
    shown = {"corpus": "short-story", "left": "gpt2", "left_alphabet": "bytes", "right_alphabet": "bytes"}
    for view in VIEWS:
        test = open_page(PATH, **shown, vocab_size="300", right_then_across_words_from="280", view=view)
        assert not test.exception, view
        assert not problems(test), view


def test_a_tab_has_a_name():
    assert "Dashed: thrown away. ⇥ is a tab." in html(open_page("pages/compare.py", text="a\tb"))
    assert "is a tab" not in html(open_page("pages/compare.py", text="a b"))
    spaces = {"left-normalizers": "bert", "right-normalizers": "bert"}
    assert "is a tab" not in html(open_page("pages/compare.py", text="a\tb", **spaces)), "a space to BERT"
