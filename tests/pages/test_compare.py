"""The Compare page: its figures are the engine's, its sentences are true of whatever text is shown."""

import re
from html import unescape

import pandas as pd
import pytest

from bpe_core import PRETOKENIZERS, Settings, train
from bpe_core.record.mixed_tokens import mixture
from bpe_core.record.side_by_side import SideBySide
from bpe_core.text.patterns import custom
from bpe_core.tokenizer.cost_curve import cost_curve
from pages.parts.compare import side_sentences, sides
from pages.parts.compare.compare_views import VIEWS
from pages.parts.compare.sides import Side
from pages.parts.session.corpora import example, held_out
from pages.parts.views.sentences import percent
from tests.pages.driver import html, link, open_page, type_text
from tests.texts import NASTY_UNICODE

PATH = "pages/compare.py"


def plain(shown: str) -> str:
    """HTML as the words that a reader sees."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", shown)).split())


def pair_of(text: str, *chosen: Settings, held: str = "a held-out text, with words.") -> tuple[sides.Sides, SideBySide]:
    runs = [train(text, each) for each in chosen]
    made = zip(sides.titles(*chosen), runs, strict=True)
    return tuple(Side(title, run, cost_curve(held, run.tokenizer())) for title, run in made), SideBySide(*runs)


STORY = pair_of(
    example("short-story").text,
    Settings("whitespace", vocab_size=600),
    Settings("gpt2", vocab_size=600),
    held=held_out("short-story").text,
)


def closed(shown: str) -> str:
    """HTML as what a reader sees, without any space."""
    return plain(shown).replace(" ", "")


def test_the_published_merges_and_cuts_come_out():
    test = open_page(PATH, left="none", step="0")
    for step, (left, right) in enumerate([("·", "d"), ("·d", "o"), ("·do", "g"), ("·dog", ".")], 1):
        test.button(key="compare.Right").click().run()
        assert f"Step{step}joined{left}and{right}to{left}{right},seen2times" in closed(html(test))
    dingo = open_page(PATH, corpus="one-dinosaur", left="none", step="4")
    assert "Step4joinedone·anddtoone·d,seen3times" in closed(html(dingo))
    for page, expected in (
        (test, ["my", "·dog", ".", "·your", "·dog", "."]),
        (dingo, ["one", "·dog", ".", "·one", "·dinosaur", ".", "·one", "·dingo", "."]),
    ):
        pieces = re.findall(r'title="rule: (?:letters|other)">(.*?)<sub>', html(page))
        assert [closed(piece) for piece in pieces] == expected


def test_every_view_opens_and_travels_in_the_link():
    for view in VIEWS:
        test = open_page(PATH, view=view, corpus="short-story", vocabulary="200", step="40")
        assert not test.exception
        assert not test.error
        expected = {"corpus": "short-story", "vocab_size": "200", "step": "40", "view": view}
        assert link(test) == {name: value for name, value in expected.items() if value != "merges"}


def test_any_two_settings():
    query = {"left": "gpt2", "left-ties": "greatest", "right_alphabet": "bytes", "right-marker": "end"}
    test = open_page(PATH, **query)
    assert not test.exception
    assert {"GPT-2, characters, marker: none, ties: greatest", "GPT-2, bytes, marker: end, ties: first seen"} <= {
        element.value.removeprefix("##### ") for element in test.markdown
    }
    query.pop("left-ties")
    assert link(open_page(PATH, **query)) == query


def test_what_a_link_asks_in_vain_is_said_once():
    test = open_page(PATH, left="zz", step="500", foo="1")
    assert len(test.info) == 3
    assert not test.exception
    test.button(key="compare.Left").click().run()
    assert not test.info


def test_an_example_sets_the_whole_page():
    test = open_page(PATH, left="bert", step="3", held="paste", **{"held-text": "x"})
    test.button(key="compare.example A short story").click().run()
    assert not test.exception
    assert link(test) == {name: str(value) for name, value in sides.EXAMPLES["A short story"].items()}
    test.button(key="compare.example my dog. your dog.").click().run()
    assert link(test) == {}


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("text", NASTY_UNICODE)
def test_nasty_texts_in_every_view(text, view):
    test = open_page(PATH, view=view, left_alphabet="bytes", right_alphabet="bytes", held="itself")
    type_text(test, text)
    assert not test.exception
    assert not test.error


def test_texts_with_nothing_to_compare_are_said():
    shown = plain(html(open_page(PATH, corpus="paste", text="x")))
    assert "The text is too short: neither side has a pair to join." in shown
    shown = plain(html(open_page(PATH, corpus="hug-pug-pun", left="whitespace", right="whitespace")))
    assert "Both cut this text alike and learn the same merges" in shown
    assert "No word differs from the other side’s at this step." in shown


def test_without_a_held_out_text_the_corpus_itself_is_tried():
    for query in ({"held": "paste"}, {"held": "itself"}, {"corpus": "paste", "text": "low lower. low"}):
        test = open_page(PATH, **query)
        assert not test.error
        assert "for this very text" in plain(html(test))
        assert "This is the corpus itself." in test.selectbox(key="compare.held").help


def test_alike_in_the_cut_but_not_in_the_alphabet():
    shown = plain(html(open_page(PATH, **{"left": "gpt2", "left_alphabet": "bytes"})))
    assert "Both cut this text alike and learn the same merges; for the held-out text (a few more words) both" in shown
    assert "no difference to see" not in shown


def test_a_text_that_is_too_long_for_the_link_is_said_beside_it():
    test = type_text(open_page(PATH, view="export"), "low lower " * 300)
    assert "Too long for a link: text. Send it separately." in plain(html(test))


def test_a_pattern_that_finds_nothing():
    shown = plain(html(open_page(PATH, **{"left": "custom", "left-pattern": "zzz"})))
    assert "Custom needs 0 tokens and GPT-2 20 (Custom drops 31 characters of it)" in shown


def test_different_ends_are_named_and_the_bar_runs_to_the_longer():
    test = open_page(PATH, corpus="short-story", right="none", vocabulary="2000")
    shown = plain(html(test))
    left, right = (
        train(example("short-story").text, Settings(cut, "characters", vocab_size=2000))
        for cut in ("whitespace", "none")
    )
    assert left.stop_reason == "no pairs left"
    assert right.stop_reason == "target reached"
    assert f"It ended after step {left.steps:,}." in shown
    assert f"Step {right.steps:,} joined" in shown


# --- figures ---


def test_the_figures_are_the_engines():
    pair, _ = STORY
    text, held = example("short-story").text, held_out("short-story").text
    for side in pair:
        cut = side.run.settings.splitter.split(text)
        shown = {name: value for value, name, _ in sides.cut_figures(side, len(text))}
        assert shown == {
            "pretokens": f"{len(cut):,}",
            "different": f"{len({piece.text for piece in cut}):,}",
            "characters each": f"{sum(len(piece.text) for piece in cut) / len(cut):.2f}",
            "characters lost": f"{len(text) - sum(len(piece.text) for piece in cut):,}",
        }
        for step in (0, 100, side.run.steps):
            encoding = side.run.tokenizer(step).encode(held)
            tokens, size = len(encoding.ids), sum(map(len, encoding.tokens))
            shown = {name: value for value, name, _ in sides.held_figures(side, step)}
            assert shown.pop("words whole").endswith("%")
            assert shown == {
                "tokens": f"{tokens:,}",
                "bytes per token": f"{size / tokens:.2f}",
                "tokens per word": f"{tokens / len(held.split()):.2f}",
            }


def test_the_curves_are_the_tokens_of_the_held_out_text():
    pair, _ = STORY
    curve = sides.growth(pair, points=None)
    for place, side in zip(("left", "right"), pair, strict=True):
        rows = curve[curve["place"] == place].set_index("step")
        for step in (0, 7, 200):
            tokens = len(side.run.tokenizer(step).encode(held_out("short-story").text).ids)
            assert rows.loc[step, "tokens"] == tokens
            assert rows.loc[step, "vocabulary"] == 256 + step
    now = sides.growth_now(pair, 200)
    assert now["place"].tolist() == ["left", "right"]
    assert now["step"].tolist() == [200, 200]


def test_vocabularies_split_and_search():
    pair, _ = STORY
    one, other = (set(side.run.tokens[256:356]) for side in pair)
    only_one, both, only_other = sides.vocabularies(pair, 100).values()
    assert (set(only_one), set(both), set(only_other)) == (one - other, one & other, other - one)
    found = sides.vocabularies(pair, 100, "dog")
    assert {token for tokens in found.values() for token in tokens} == {
        token for token in one | other if b"dog" in token
    }
    table = sides.vocabulary_table(pair, 100)
    assert len(table) == len(one | other)
    assert set(table["mixes"]) == {mixture(token) for token in one | other}


def test_merges_side_by_side():
    pair, _ = pair_of("my dog. your dog.", Settings("none", vocab_size=400), Settings("gpt2", vocab_size=400))
    window = sides.merges(pair, 12)
    assert window.total == 12
    last = window.rows.iloc[0]
    assert last["step"] == 12
    assert last["GPT-2"] == ""
    assert pd.isna(last["GPT-2: count"])
    merge = pair[0].run.merges[3]
    fourth = window.rows[window.rows["step"] == 4].iloc[0]
    assert (fourth["No cut"], fourth["No cut: count"], fourth["No cut: tied with"]) == (
        "·dog.",
        merge.count,
        merge.tied - 1,
    )
    assert sides.merges(pair, 12, "dog.").total == sum("dog." in token for token in window.rows["No cut"])


def test_blocked_pairs_name_what_the_other_side_learnt():
    pair, both = pair_of("my dog. your dog.", Settings("none", vocab_size=400), Settings("gpt2", vocab_size=400))
    found = [side.run.blocked_pairs(side.at(both.steps), 12) for side in pair]
    table = sides.blocked(pair[1], pair[0], both.steps, found[1])
    row = table[table["pair"] == "·dog  ."].iloc[0]
    assert (row["count"], row["role"]) == (2, "learnt")
    assert plain(side_sentences.blocked_sentence(pair[1], pair[0], both.steps, found[1])) == (
        "GPT-2 keeps · dog . apart, which stand together 2 times; no other pair is left; "
        "No cut learnt the token at step 4."
    )
    said = side_sentences.blocked_sentence(pair[0], pair[1], both.steps, found[0])
    assert "does not cut this text: no pair is blocked." in said
    counts = {(left, right): count for left, right, count in pair[1].run.blocked_pairs(3)}
    table = sides.blocked_table(pair, 3)
    assert table["count"].tolist() == sorted(counts.values(), reverse=True)
    assert set(table["side"]) == {"GPT-2"}


def test_the_conclusion_word_by_word():
    pair, both = STORY
    assert plain(side_sentences.conclusion(pair, both, "the held-out text (Another short story)")) == (
        "32 of the 344 merges of Whitespace made tokens such as dog. harbour, round, that mix letters, digits, signs "
        "or words (contractions aside), none of GPT-2 did; for the held-out text (Another short story) Whitespace "
        "needs 687 tokens and GPT-2 780, 14% more (Whitespace drops 363 characters of it)."
    )


@pytest.mark.parametrize(
    ("text", "chosen"),
    [
        (example("short-story").text, [Settings("whitespace", vocab_size=600), Settings("gpt2", vocab_size=600)]),
        (example("short-story").text, [Settings("gpt2", vocab_size=600), Settings("none", vocab_size=400)]),
        ("a b c a b c", [Settings("whitespace", vocab_size=600), Settings("gpt2", vocab_size=600)]),
        ("dog. dog.", [Settings("gpt2", "characters", vocab_size=60), Settings("gpt2", vocab_size=600)]),
    ],
)
def test_the_conclusion_is_true(text, chosen):
    held = "the dog. A new held-out text, é"
    pair, both = pair_of(text, *chosen, held=held)
    said = plain(side_sentences.conclusion(pair, both, "mine"))
    tokens = [len(side.run.tokenizer().encode(held).ids) for side in pair]
    if tokens[0] == tokens[1]:
        assert f"for mine both need {tokens[0]} tokens" in said
    else:
        more = "more" if tokens[1] > tokens[0] else "fewer"
        share = f"{percent(abs(tokens[1] - tokens[0]) / tokens[0])} {more}"
        assert f"for mine {pair[0].title} needs {tokens[0]} tokens and {pair[1].title} {tokens[1]}, {share}" in said
    for side in pair:
        lost = len(held) - sum(len(cut.text) for cut in side.run.settings.splitter.split(held))
        assert (f"{side.title} drops {lost} characters of it" in said) == bool(lost)
        unknown = sum(i < 0 for i in side.run.tokenizer().encode(held).ids)
        assert (f"{side.title} does not know {unknown} character" in said) == bool(unknown)
    mixed = [sum(bool(sides.unwanted(merge.token)) for merge in side.run.merges) for side in pair]
    if any(mixed):
        k = 0 if mixed[0] >= mixed[1] else 1
        assert f"{mixed[k]} of the {pair[k].run.steps} merges of {pair[k].title} made" in said
        few = f"{mixed[1 - k]} of the {pair[1 - k].run.steps}" if mixed[1 - k] else "none"
        assert f"{few} of {pair[1 - k].title} did" in said
    elif "alike" not in said:
        assert "Neither learnt a token that mixes" in said


def test_the_overview_counts_every_pretokenizer():
    text = "It's 2 o'clock,\nno? "
    chosen = {"left": PRETOKENIZERS["gpt2"], "right": custom("[a-z]")}
    table = sides.overview(text, chosen).set_index("pretokenizer")
    assert table["shown"].to_dict() == dict.fromkeys(table.index, "") | {"GPT-2": "left", "Custom": "right"}
    assert table.loc["Whitespace", "pretokens"] == 4
    assert table.loc["Whitespace", "lost"] == "4 characters"
    assert table.loc["GPT-2", "lost"] == "nothing"
    assert table.loc["No cut", "different"] == 1
    assert (table["milliseconds"] >= 0).all()


def test_a_vocabulary_that_is_too_small_for_either_side_is_mended_for_both():
    test = open_page(PATH, vocabulary="3")
    assert [error.value for error in test.error] == [
        "The vocabulary size 3 is below the 9 base symbols. Choose a larger one."
    ]
    (mend,) = [button for button in test.button if button.label.startswith("Use ")]
    mend.click().run()
    assert not test.error
    assert not test.exception


def test_the_space_before_a_word_makes_no_difference():
    both = STORY[1]
    shown = [{tokens for tokens, _ in words.rows} for words in sides.differing_words(both, both.steps)]
    assert (b"dog.",) in shown[0]
    assert not any((b"the",) in words or (b" the",) in words for words in shown)
