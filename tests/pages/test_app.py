"""Every page in Streamlit's own test driver: good input, bad input, links with nonsense in them."""

import gzip
import re
import sys
import warnings
from dataclasses import replace
from urllib.parse import urlencode

import MiniBpeRust
import pytest
from streamlit.testing.v1 import AppTest
from tokenizers import Tokenizer

from bpe_core import load, reference, train
from bpe_core.files.conversion import opens_alone
from pages.parts.page.frame import PAGES
from pages.parts.state import address_bar
from pages.parts.state.compare_state import SIDES, Compare
from pages.parts.state.train_state import Train
from pages.parts.train import presets
from pages.parts.train.carried import carried, nearest
from pages.parts.train.train_views import VIEWS
from tests.pages.driver import APP, film, go, html, link, open_page, problems, said, sent, type_text, typed
from tests.pages.session import key_of
from tests.some import some
from tests.texts import NASTY_PAGES
from tests.version_3.pages_seen import offered


def test_no_problem_is_drawn_as_markdown():
    """A problem may quote a text, which Markdown would change: `elements.problem` draws it as it is."""
    sources = {path: path.read_text(encoding="utf-8") for path in [APP, *APP.parent.glob("pages/**/*.py")]}
    assert not {path for path, source in sources.items() if re.search(r"st\.(error|warning|markdown|write)\(", source)}


@pytest.mark.parametrize("path", [row.path for row in PAGES.values()])
def test_every_page_opens(path):
    test = open_page(path)
    assert not test.exception
    assert not problems(test)
    written = [element.value for kind in ("markdown", "text", "code", "json") for element in test.get(kind)]
    assert not [value for value in written if re.search(r"\w+\(\w+=", str(value))], "raw Python on the page"


def test_train_steps_forward_and_back_and_the_link_follows():
    test = open_page("pages/train.py")
    assert "Before any merge" in said(test)
    go(test, 1)
    assert "Step 1 joined" in said(test)
    assert link(test) == {"step": "1"}
    go(test, 18)
    assert "Done after 18 merges: nothing left to join." in said(test)
    assert link(test) == {"step": "18"}
    go(test, 0)
    assert link(test) == {}


def test_a_link_restores_the_page():
    test = open_page("pages/train.py", corpus="paste", text="hug hug pug", vocabulary="6", marker="none", step="2")
    assert "Step 2 joined" in said(test)
    assert typed(test) == "hug hug pug"
    assert test.selectbox(key="train.word_marker").value == "none"
    assert link(test) == {"text": "hug hug pug", "vocab_size": "6", "word_marker": "none", "step": "2"}


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_of_train_opens_from_a_link(view):
    query = {"view": view, "step": "3"}
    test = open_page("pages/train.py", **query)
    assert not test.exception
    assert link(test) == {name: value for name, value in query.items() if value != "vocabulary"}


def test_what_was_searched_travels_in_the_link():
    query = {"view": "pairs", "find": "st", "words": "WID", "sort": "longest"}
    test = open_page("pages/train.py", **query)
    assert test.dataframe[0].value["pair"].tolist() == ["s  t"]
    window = film(test)["first"]["window"]
    assert window["sides"][0]["note"] == "1 of 5 words matches. _ ends a word."
    assert window["sort"] == "longest"
    assert link(test) == query
    query = {"step": "7", "view": "vocabularies", "find": "dog."}
    test = open_page("pages/compare.py", **query)
    assert "Only Whitespace: 1" in html(test)
    assert link(test) == query


@pytest.mark.parametrize(
    ("query", "remark"),
    [
        ({"sort": "__class__"}, "The link's “Sort the words” (sort=) was left out: there is no such choice."),
        ({"view": "pages"}, "The link's “View” (view=) was left out: there is no such choice."),
        ({"find": "a" * 101}, "The link's “Find” (find=) was left out: it is longer than 100 characters"),
        ({"step": "x"}, "The link's “step” (step=) was left out: it is not a whole number from 0 to 1,000,000."),
        ({"step": "-1"}, "The link's “step” (step=) was left out"),
        ({"step": "9" * 5000}, "The link's “step” (step=) was left out"),
        ({"step": "٣"}, "The link's “step” (step=) was left out"),
        ({"pretokenizer": "os.system"}, "The link's “Split by” (pretokenizer=) was left out: there is no such choice."),
        ({"corpus": "../../etc/passwd"}, "The link's “example” (corpus=) was left out"),
        ({"<script>": "1"}, "is not known here and was left out"),
        ({"text": "a" * 8000}, "it is longer than 7,000 characters"),
        ({"step": "500"}, "There is no step 500: the last one is 18."),
    ],
)
def test_nonsense_in_a_link_is_said_and_the_page_works(query, remark):
    test = open_page("pages/train.py", **query)
    assert not test.exception
    assert any(remark in said for said in problems(test))
    go(test, 3)
    assert not problems(test), "the remark goes with the first change"


@pytest.mark.parametrize("corpus", ["own", "upload"])
def test_a_link_without_its_text_asks_for_it_and_keeps_the_rest(corpus):
    test = open_page("pages/train.py", corpus=corpus, step="7")
    assert problems(test) == [address_bar.TEXT_TOO_LONG]
    assert "Step 7 joined" in said(test)
    assert link(test) == {"step": "7"}
    beyond = open_page("pages/train.py", corpus=corpus, step="409")
    assert problems(beyond) == [address_bar.TEXT_TOO_LONG], "the step was one of a text that is not here"


@pytest.mark.parametrize("path", ["pages/train.py", "pages/compare.py", "pages/algorithms.py"])
@pytest.mark.parametrize("text", some(["", " ", "\n\t"], 2))
def test_an_empty_box_shows_the_page_with_its_example(path, text):
    test = open_page(path)
    before = html(test)
    type_text(test, text)
    assert not test.exception
    assert not problems(test)
    assert typed(test) == text
    assert "The page shows “" in html(test)
    if path == "pages/train.py":
        assert re.findall('<div class="tokens.*', before) == re.findall('<div class="tokens.*', html(test))


def test_your_text_is_the_text_of_every_page():
    test = open_page("pages/train.py")
    go(test, 18)
    type_text(test, "hug hug pug")
    assert "2 different words, " in html(test)
    assert link(test) == {"text": "hug hug pug"}, "a new text begins at step 0"
    for path in ("pages/compare.py", "app.py", "pages/pipeline.py", "pages/train.py"):
        test.switch_page(path).run()
        assert typed(test) == "hug hug pug"
        assert link(test)["text"] == "hug hug pug"


# A browser sends no lone surrogates.
@pytest.mark.parametrize("text", NASTY_PAGES)
@pytest.mark.parametrize("path", some(["pages/train.py", "pages/compare.py", "pages/algorithms.py"]))
def test_nasty_text_trains(path, text):
    test = type_text(open_page(path), text)
    assert not test.exception
    assert not problems(test)
    if test.button and not test.button[-1].disabled:
        test.button[-1].click().run()
        assert not test.exception


def test_vocabulary_below_the_alphabet_and_above_what_is_possible():
    test = open_page("pages/train.py", vocabulary="5")
    assert "The vocabulary size 5 is below the 12 base symbols. Choose a larger one." in html(test)
    assert "Before any merge" in said(test), "the page shows what it can"
    test.number_input(key=key_of(test, "train.vocab_size")).set_value(5000).run()
    assert "is below the" not in html(test)
    assert "Nothing left to join: 30 of the " in html(test)


@pytest.mark.parametrize("pattern", ["(", r"(\w)\1|[", "*"])
def test_a_bad_pattern_leaves_what_was_last_right_on_the_screen(pattern):
    test = open_page("pages/train.py", text="hug hug pug")
    test.selectbox(key="train.pretokenizer").set_value("custom").run()
    shown = html(test)
    test.text_input(key="train.pattern").set_value(pattern).run()
    assert not test.exception
    assert html(test).count('class="problem"') == 1
    assert "The pattern does not compile" in html(test)
    assert re.findall("Your text: [^<]*", html(test)) == re.findall("Your text: [^<]*", shown)


def test_check_is_red_where_the_textbook_says_otherwise(monkeypatch):
    test = open_page("pages/train.py", view="check", step="2")
    right = reference.count_pairs
    monkeypatch.setattr(reference, "count_pairs", lambda words: {pair: n + 1 for pair, n in right(words).items()})
    next(button for button in test.button if button.label == "Check step 2").click().run()
    assert sum(": NO." in alert.value for alert in [*test.error, *test.success, *test.warning]) == 2


def test_one_character():
    test = open_page("pages/train.py", corpus="paste", text="x", marker="none")
    assert "There is no merge: no word has two symbols to join." in html(test)
    assert not test.exception


def test_tokens_follows_the_train_page():
    test = AppTest.from_file(str(APP), default_timeout=300)
    test.run()
    test.switch_page("pages/train.py").run()
    go(test, 18)
    test.switch_page("app.py").run()
    test.selectbox(key="shared.tokenizer").set_value("trained").run()
    assert "18 merges" in html(test)
    test.switch_page("pages/train.py").run()
    assert "Step 18 joined" in said(test)


def test_train_on_normalized_text():
    test = open_page("pages/train.py", corpus="paste", text="Hug HÚG hug", normalizers="nfd strip-accents lowercase")
    assert test.multiselect(key="train.normalizers").value == ["nfd", "strip-accents", "lowercase"]
    assert "1 different word," in html(test)
    test.multiselect(key="train.normalizers").set_value(["lowercase"]).run()
    assert "2 different words" in html(test)
    assert link(test)["normalizers"] == "lowercase"
    test.multiselect(key="train.normalizers").set_value([]).run()
    assert "3 different words" in html(test)
    assert "normalizers" not in link(test)


@pytest.mark.parametrize("value", ["nfx", "nfc nfc", "[]"])
def test_normalizers_in_a_link_are_checked(value):
    test = open_page("pages/train.py", normalizers=value)
    assert any("The link's “Normalizers” (normalizers=) was left out" in said for said in problems(test))
    assert not test.exception


def test_compare_one_side_on_normalized_text():
    query = {
        "corpus": "paste",
        "text": "Hug hug HÚG",
        "left": "gpt2",
        "left_normalizers": "nfd strip-accents lowercase",
    }
    test = open_page("pages/compare.py", **query)
    assert not test.exception
    assert 'aria-label="pretokens, GPT-2’s split, NFD + Strip accents + Lowercase"' in html(test)
    assert 'aria-label="pretokens, GPT-2’s split, not normalized"' in html(test)
    assert link(test)["left_normalizers"] == query["left_normalizers"]
    assert test.multiselect(key="compare.right_normalizers").value == []


def files_of(test):
    """Return the names of the files that the page offers."""
    return [button.proto.label for button in test.get("download_button")]


def test_export_gives_the_whole_training_unless_a_step_is_asked_for():
    test = open_page("pages/train.py", corpus="newest-widest", word_marker="none", view="export", step="2")
    steps = film(test)["sides"][0]["steps"]
    assert f"Files of the whole training: {steps} merges." in html(test)
    assert "tokenizer.json" in files_of(test)
    test.checkbox(key="train.as of 2").check().run()
    assert f"Files with the first 2 of {steps} merges." in html(test)


def test_at_step_0_export_has_the_pairs_that_the_page_shows():
    files = offered("/train?view=export&text=low low lower newest")
    rows = files["pairs-step-0.csv"].decode().splitlines()
    run = train("low low lower newest", Train().checked())
    assert len(rows) - 1 == len(run.pair_counts(0)) == 11
    assert f"merges-step-{run.steps}.csv" in files
    test = open_page("pages/train.py", view="export")
    assert not test.checkbox(key="train.as of 0").disabled


def test_the_films_are_saved_as_pages_named_by_what_is_in_them_with_charts_and_without():
    text = "low <b>low</b> lower newest"
    for page, name, settings in (
        ("train", "your-text-{size}-tokens.html", [Train()]),
        ("compare", "your-text-whitespace-gpt-2-split.html", SIDES),
    ):
        files = offered(f"/{page}?{urlencode({'view': 'export', 'text': text, 'step': '2'})}", pages=True)
        runs = [
            train(text, chosen.checked() if page == "train" else Compare().chosen(chosen).checked())
            for chosen in settings
        ]
        name = name.format(size=runs[0].vocab_size)
        assert files[name].decode() == runs[0].page(2, beside=runs[1] if len(runs) > 1 else None).html
        assert len(gzip.compress(files[name])) < 100_000
        assert 300_000 < len(gzip.compress(files[f"{name} of the other side"])) < 550_000


def test_export_says_what_reads_a_file_and_which_token_the_file_has_besides(tmp_path, monkeypatch):
    test = open_page("pages/train.py", view="export", text="low low lower", word_marker="none", vocab_size="7")
    (content,) = [raw for name, raw in offered(f"/train?{urlencode(link(test))}").items() if name == "tokenizer.json"]
    assert Tokenizer.from_str(content.decode()).get_vocab_size() == 8
    assert "for tokenizers, transformers; 8 tokens with &lt;unk&gt;, for unknown characters" in html(test)
    alone = "Mergescope opens this tokenizer.json with the library tokenizers, which its extra “files” installs."
    assert alone in html(test)
    test = open_page("pages/train.py", view="export", pretokenizer="gpt2", alphabet="bytes", word_marker="none")
    assert "&lt;unk&gt;" not in html(test)
    assert alone not in html(test)
    assert "minbpe.model" in files_of(test)
    for name, raw in offered(f"/train?{urlencode(link(test))}").items():
        (tmp_path / name).write_bytes(raw)
    ours, *others = [code.value for code in test.code if "mine" in code.value]
    names = re.findall(r"'(.+?)'", ours)
    assert ours.startswith("from bpe_core import load\n\nmine = load('tokenizer.json')  # or ")
    assert len({load(tmp_path / name).encode("low lower").ids for name in names}) == 1 < len(names)
    assert any("mine.load('minbpe.model')" in each for each in others)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "minbpe", MiniBpeRust)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # of open(…)
        for pasted in (ours, *others):
            exec(pasted, mine := {})
            assert mine["mine"].encode("low lower")


def retrain(test):
    labels = [button.label for button in test.button if button.label.startswith("Retrain")]
    assert labels == ["Retrain with GPT-2's split, bytes and no word marker"]
    next(button for button in test.button if button.label == labels[0]).click().run()


def test_retraining_for_a_file_ends_at_its_last_step_and_says_which_choices_fit():
    test = open_page("pages/train.py", corpus="newest-widest", view="export", step="4", forced="1:73.74,3:73.74")
    assert "does not occur there" in problems(test)[0]
    assert link(test)["forced"] == "1:73.74"
    assert "No tokenizer file can hold this word marker." in html(test)
    assert "tokenizer.json" not in files_of(test)
    retrain(test)
    steps = film(test)["sides"][0]["steps"]
    assert (link(test)["step"], link(test)["forced"]) == (str(steps), "1:73.74")
    assert {"tokenizer.json", "vocab.json", "tokenizer.tiktoken", "minbpe.model"} <= {*files_of(test)}


@pytest.mark.parametrize("key", ["gpt2", "sentencepiece", "paper", "selene"])
def test_what_is_retrained_for_a_file_opens_where_no_library_is_and_keeps_spaces(key):
    settings = presets.with_preset(Train(vocab_size=20), key).checked()
    change = nearest(settings)
    assert bool(change) != bool(carried(settings))
    after = train("low lower", replace(settings, vocab_size=400, **change)).tokenizer() if change else None
    assert after is None or (opens_alone(after) and after.decode(after.ids("low lower")) == "low lower")


def test_until_a_word_is_typed_the_merges_of_one_of_the_texts_are_shown():
    test = open_page("pages/train.py", view="try", step="9")
    assert "An example: “newest”, a word of the text." in html(test)
    assert "Step 8" in [button.label for button in test.button]


def test_a_word_with_a_character_that_was_not_learnt_says_so():
    unknown = "<sub>unknown</sub>"
    assert html(open_page("pages/train.py", view="try", **{"try": "low"})).count(unknown) == 0
    assert html(open_page("pages/train.py", view="try", step="0", **{"try": "zlow"})).count(unknown) == 1


def test_retraining_for_a_file_can_be_undone():
    test = open_page("pages/train.py", corpus="newest-widest", view="export", step="4")
    before = link(test)
    retrain(test)
    assert "This is another vocabulary, trained with" in html(test)
    assert link(test)["pretokenizer"] == "gpt2"
    next(button for button in test.button if button.label == "Back to the settings before").click().run()
    assert link(test) == before
    assert "This is another vocabulary" not in html(test)


def test_a_choice_that_fits_no_more_after_retraining_is_said():
    test = open_page("pages/train.py", corpus="newest-widest", view="export", step="9", forced="1:74.ff")
    assert link(test)["forced"] == "1:74.ff"
    retrain(test)
    assert "forced" not in link(test)
    assert "The run goes on without your choices." in problems(test)[0]


def test_a_question_of_the_start_page_opens_the_view_that_answers_it_with_your_text():
    test = type_text(open_page(), "once upon a time there")
    next(button for button in test.button if "a space at the end" in button.label).click().run()
    assert not test.exception
    assert link(test) == {"view": "prompt", "text": "once upon a time there"}
    assert "The end cuts" in sent(test)["sentence"][0], "the view ends the prompt inside a token by itself"
