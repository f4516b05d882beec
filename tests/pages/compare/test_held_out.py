"""What both sides are trained on, and judged by: the same in the head, the views, the film and the files."""

import io
import re
import unicodedata
from urllib.parse import quote_plus

import pandas as pd

from bpe_core import Settings, train
from pages.parts.compare.costs import WHOLE
from pages.parts.compare.held_out import PASTED, cut
from pages.parts.state.compare_state import Compare
from pages.parts.state.values import rows
from pages.parts.texts.corpora import example
from tests.pages.driver import film, html, link, open_page, plain, problems
from tests.version_3.pages_seen import offered

PATH = "pages/compare.py"
OWN = (example("another-story").text * 2)[:3000]  # characters


def choices(test) -> list[str]:
    """Return the held-out texts that the page offers."""
    return next(menu for menu in test.selectbox if menu.label == rows(Compare)["held_out"].title).options


def cost_on_page(test) -> list[int]:
    """Return the tokens of the bars."""
    return [int(size.replace(",", "")) for size in re.findall(r"([\d,]+) tokens? ·", plain(html(test)))]


def test_the_last_fifth_of_ones_own_text_is_held_back_and_judged():
    test = open_page(PATH, text=OWN, view="held-out")
    shown, at = plain(html(test)), cut(OWN)
    assert (at, OWN[at].isspace(), OWN[at - 1].isspace()) == (2397, True, False), "between two words, near 2,400"
    runs = [train(OWN[:at], Settings(key, "characters", vocab_size=300)) for key in ("whitespace", "gpt2")]
    sizes = [len(run.tokenizer().ids(OWN[at:])) for run in runs]
    assert cost_on_page(test) == sizes
    assert "Both sides were trained on the first 2,397 characters of your text." in shown
    assert "The rest, a held-out text, costs after all merges:" in shown.replace(" ,", ",")
    assert "The last fifth of your text, 603 characters, is held back. " in shown
    assert [f"{size:,}" for size in sizes] == re.findall(r">tokens</span>.*?<dd>([^<]*)</dd>", html(test)), "the view"
    assert str(int(runs[0].pretoken_counts.sum())) in re.findall("<dd>([^<]*)</dd>", html(test)), "the corpus"
    assert [side["steps"] for side in film(test)["sides"]] == [run.steps for run in runs]
    assert choices(test)[:2] == ["The last fifth of your text", "Your text itself"]
    curves = offered(f"/compare?view=export&text={quote_plus(OWN)}")
    last = pd.read_csv(io.BytesIO(curves["held-out-curves-step-257.csv"])).groupby("side", sort=False).last()
    assert last.tokens.tolist() == sizes
    assert link(test) == {"text": OWN, "view": "held-out"}, "it is the default"


def test_a_held_out_text_that_was_chosen_is_judged_and_the_whole_text_is_trained_on():
    runs = [train(OWN, Settings(key, "characters", vocab_size=300)) for key in ("whitespace", "gpt2")]
    for query, tried in (
        ({"held": "itself"}, OWN),
        ({"held": "paste"}, OWN),
        ({"held_text": "The bell rang."}, "The bell rang."),  # as links of version 1 have it
        ({"held": "paste", "held_text": "The bell rang."}, "The bell rang."),
        ({"held": "one-dinosaur"}, example("one-dinosaur").text),
    ):
        test = open_page(PATH, text=OWN, view="held-out", **query)
        assert cost_on_page(test) == [len(run.tokenizer().ids(tried)) for run in runs], query
        assert len(set(choices(test))) == len(choices(test))
    test = open_page(PATH, text=OWN, view="held-out", held="last-fifth", held_text="The bell rang.")
    assert cost_on_page(test) == cost_on_page(open_page(PATH, text=OWN)), "what was pasted can be left again"


def test_where_the_last_fifth_begins():
    for text in ("a " * 600, "ab\n\n" * 300, "क\u0301" * 600, " " * 2000 + "a", "a" + " " * 2000):
        at = cut(text)
        assert 0 <= at <= len(text) * 4 // 5
        assert not unicodedata.combining((text + "a")[at])
    long = "日本語のとても長い文" * 90
    for text in (long + "£12.50, bus " + long[:200], "a " * 600 + "b" * 240, "Lunch £12.50, bus £2.80; " * 50):
        at = cut(text)
        assert text[at].isspace(), "no word is cut, and no price"
        assert not text[at - 1].isspace()
        assert abs(at - len(text) * 4 / 5) < 200
    for text in ("a" + " " * 2000, "x" * 999):  # nothing to judge; too short
        assert "Both sides were trained on this text." in plain(html(open_page(PATH, text=text)))


def test_that_each_pretoken_is_one_token_is_said_instead_of_a_verdict():
    text = "The baker's bread isn't old; the baker's bread is warm."
    said = (
        "Every pretoken is one token on both sides: the bars show how each side splits the text, not how well it "
        "learns."
    )
    fates = "GPT-2’s split keeps every character; Whitespace throws the spaces away and cannot give the text back."
    shown = plain(html(open_page(PATH, text=text)))
    assert cost_on_page(open_page(PATH, text=text)) == [10, 15]
    assert f"{WHOLE} {fates}".replace("[", "").replace("]", "") == f"{said} {fates}"
    assert "Every pretoken is one token on both sides" in shown
    assert fates in shown
    assert "more tokens" not in shown
    shown = plain(html(open_page(PATH, text=text, vocab_size="20")))
    assert "Every pretoken" not in shown
    assert "more tokens" in shown
    assert "Every pretoken" not in plain(html(open_page(PATH))), "judged by another text"


def test_without_a_held_out_text_the_corpus_itself_is_tried():
    for query in ({"held": "paste"}, {"held": "itself"}, {"corpus": "paste", "text": "low lower. low"}):
        test = open_page(PATH, view="held-out", **query)
        assert not problems(test)
        assert "Both sides were trained on this text. After all merges it costs:" in plain(html(test))


def test_a_text_of_ones_own_is_tried_on_another_that_is_pasted_beside_it():
    own = {"corpus": "paste", "text": "low lower. low", "view": "held-out"}
    test = open_page(PATH, **own)
    assert PASTED in choices(test)
    assert len(set(choices(test))) == len(choices(test))
    shown = plain(html(open_page(PATH, **own, held_text="a slow owl")))
    assert "“a slow owl” costs:" in shown
