"""Train shows trainings that start from tokens, and the stages of trainings that cross words."""

from dataclasses import replace
from html import unescape

from bpe_core import Settings, train
from bpe_core.pictures.film import word_window
from bpe_core.pictures.film.film_side import RunSide
from bpe_core.pictures.shared.training_in_words import first_sentence
from bpe_core.record.side_by_side import SideBySide
from pages.parts.state.train_state import Train
from pages.parts.texts.corpora import Corpus, example
from pages.parts.train import appended_view, presets
from pages.parts.trainings import runs
from pages.parts.ui import sentences
from tests.pages.driver import command, film, go, html, link, open_page, problems, said, type_text
from tests.pages.session import key_of

SCENE = "to be, to be or not to be, not to be or to be\n"


def button(test, label: str):
    return next(each for each in test.button if each.label == label)


def test_one_press_grows_gpt2_on_the_text_and_the_next_pages_have_its_vocabulary():
    test = type_text(open_page("pages/train.py"), "The parrot’s parrots squawk, squawk")
    command(test, "train.preset", "GPT-2, grown")
    assert link(test)["vocab_size"] == "50357"
    assert "Before any new merge: every word is written in the tokens of GPT-2." in said(test)
    assert said(go(test, 1)).startswith("Step 1 joined [2809] + [19301] → [50257], seen 2 times: 2 in ·squawk.")
    assert not problems(test)
    test.switch_page("app.py").run()
    test.selectbox(key=key_of(test, "shared.tokenizer")).set_value("trained").run()
    assert "50,2" in unescape(html(test))
    assert '"start":"gpt2"' in link(test)["training"]


def test_what_the_text_needs_of_a_start_can_be_entered():
    test = open_page("pages/train.py", text="The parrot", start="gpt2", vocab_size="50258", alphabet="bytes")
    test = entered(test, 0, 7)
    assert (link(test)["stage"], link(test)["step"]) == ("start", "7")
    assert said(test).startswith("Merge 10,344 of GPT-2 joined ")
    assert said(test).endswith("These are the merges of GPT-2 that this text needs; from its tokens, training goes on.")
    assert not test.exception
    shared = open_page("pages/train.py", **link(test))
    assert said(shared) == said(test)
    test = open_page("pages/train.py", text="The parrot", stage="start")
    assert not test.exception
    assert film(test)["sides"][0]["timeline"] is None


def test_the_usual_way_of_adding_tokens_is_beside_growing():
    shown = {"corpus": "many-languages", "start": "gpt2", "vocab_size": "50657", "view": "appended"}
    test = open_page("pages/train.py", **shown)
    button(test, "Append instead").click().run()
    run = train(example("many-languages").text, Settings(vocab_size=50657, start="gpt2"))
    found = appended_view.appended(run)
    assert 0 < len(found.lost) < len(found.new)
    assert found.merges == run.steps
    assert found.tokens[0] > found.tokens[1] > found.tokens[2] == run.corpus_tokens[-1]
    for sentence in appended_view.sentences(found, run.steps, "the tokens of GPT-2"):
        assert sentence in unescape(html(test))
    nothing = found._replace(new=(), lost=())
    assert appended_view.sentences(nothing, 0, "the tokens of GPT-2")[1] == "So nothing is appended."


def test_special_tokens_have_no_row_in_the_vocabulary_and_are_said():
    test = open_page("pages/train.py", text="The parrot", start="gpt2", vocab_size="50258", view="vocabulary", step="0")
    shown = unescape(html(test))
    assert "of 50,256 tokens. Besides, 1 special token: <|endoftext|> (id 50256)." in shown


def test_leaving_the_start_leaves_its_size_too():
    test = open_page("pages/train.py", text="The parrot", start="gpt2", vocab_size="50357", alphabet="bytes")
    command(test, "train.preset", "GPT-2:")
    assert "vocab_size" not in link(test)
    test.selectbox(key=key_of(test, "train.start")).set_value("qwen").run()
    assert (link(test)["vocab_size"], link(test)["pretokenizer"], link(test)["normalizers"]) == (
        "151769",
        "qwen",
        "nfc",
    )


def test_what_a_start_prescribes_is_shown_and_not_to_be_changed():
    shown = {"start": "qwen", "vocab_size": "151769", "alphabet": "characters", "word_marker": "end"}
    test = open_page("pages/train.py", text="The parrot", **shown, pretokenizer="whitespace")
    boxes = {box.label: (box.value, box.disabled) for box in test.selectbox}
    assert boxes["Split by"] == ("Qwen", True)
    assert boxes["Normalizers"] == ("NFC", True)
    assert boxes["Alphabet"] == ("Bytes", True)
    assert boxes["Word marker"] == ("None", True)
    assert not boxes["Start from"][1]
    assert "text is split as there: Qwen." in unescape(html(test))
    assert "marks every word twice" not in html(test)
    sides = {f"left_{name}": value for name, value in shown.items() if name != "vocab_size"}
    assert "<strong>Qwen’s split, " in html(open_page("pages/compare.py", **sides, vocab_size="151769"))


def entered(test, stage: int, step: int):
    """Enter a block of the film's timeline, as a browser would."""
    return go(test, film(test)["step"], enter=[stage, step])


def test_both_stages_can_be_entered_and_a_chosen_pair_belongs_to_its_stage():
    test = type_text(open_page("pages/train.py"), SCENE)
    command(test, "train.preset", "SuperBPE")
    assert link(test)["then_across_words_from"] == "628"
    test.number_input(key=key_of(test, "train.vocab_size")).set_value(268).run()
    test.number_input(key=key_of(test, "train.then_across_words_from")).set_value(260).run()
    assert said(test).startswith("Before any merge")
    test = entered(test, 1, 4)
    assert "The walls between words have fallen" in said(test)
    whole = train(SCENE, Settings(vocab_size=268, then_across_words_from=260))
    assert (film(test)["sides"][0]["begin"], film(test)["sides"][0]["steps"], whole.steps) == (4, 8, 12)
    assert film(test)["sides"][0]["timeline"] == {
        "title": "across words",
        "before": [
            {
                "title": "Within words",
                "size": "4 merges",
                "first": 0,
                "last": 4,
                "stage": 0,
                "about": "Press to step through this stage.",
            }
        ],
        "after": [],
    }
    other = whole.tied(9)[1]
    test = go(test, 8, branch=[0, 9, whole.ids[other.left], whole.ids[other.right]])
    assert link(test)["forced"].startswith("9:")
    assert link(test)["step"] == "9"
    assert "stage" not in link(test)
    assert said(test).startswith("Step 9 joined ")
    test = entered(test, 0, 3)
    assert (link(test)["stage"], link(test)["step"]) == ("first", "3")
    assert film(test)["sides"][0]["steps"] == 4
    assert film(test)["sides"][0]["timeline"]["after"][0]["title"] == "Across words"
    there = "The vocabulary has the 260 tokens of the first stage. In the second stage, merges go on across words."
    assert said(go(test, 4)).endswith(there)
    assert there in html(test)
    assert "The walls" not in said(test)
    shared = open_page("pages/train.py", **link(test))
    assert (film(shared)["step"], film(shared)["sides"][0]["steps"]) == (4, 4)
    assert "The walls" in said(entered(shared, 1, 4))
    assert (link(shared)["step"], "stage" in link(shared)) == ("4", False)
    assert said(open_page("pages/train.py", **link(shared))) == said(shared)
    assert link(open_page("pages/train.py", **link(shared) | {"step": "3"}))["stage"] == "first"
    assert not shared.exception
    assert film(entered(shared, 10**9, 10**9))["step"] == whole.steps


def test_a_word_goes_to_the_steps_of_both_stages():
    shown = {"text": SCENE, "pretokenizer": "gpt2", "alphabet": "bytes", "word_marker": "none", "vocab_size": "268"}
    test = open_page("pages/train.py", **shown, then_across_words_from="260", step="6", view="try", **{"try": "to be"})
    assert said(test).startswith("Step 6 joined ")
    steps = [each.label for each in test.button if each.label.startswith("Step ")]
    assert steps == sorted(steps)
    test = button(test, steps[0]).click().run()
    assert said(test).startswith(f"{steps[0]} joined ")
    assert (link(test)["step"], link(test)["stage"]) == (steps[0].split()[1], "first")
    assert not test.exception


def test_the_sizes_of_a_second_stage_are_those_chosen_and_fit_a_start_that_is_chosen_later():
    superbpe = presets.with_preset(Train(), "superbpe")
    halfway = "GPT-2's split up to 628 tokens, halfway from 256 to the 1,000 asked for; then the walls fall"
    assert presets.about(superbpe).startswith(halfway)
    assert " up to 628 of the 900 tokens;" in presets.about(replace(superbpe, vocab_size=900))
    assert presets.preset_of(replace(superbpe, then_split_by="none")) == ""
    grown = presets.with_start(replace(superbpe, start="gpt2"))
    assert (grown.vocab_size, grown.then_across_words_from) == (50_357, 50_307)
    assert "splits by Lines alone: some texts have other tokens than with the start" in presets.about(grown)
    back = presets.with_start(replace(grown, start="none"))
    assert (back.vocab_size, back.then_across_words_from) == (1000, 628)


def test_across_words_a_start_keeps_its_ids_and_not_its_tokens_of_every_text():
    run = train("to be to be", Settings(start="gpt2", vocab_size=50_259, then_across_words_from=50_257))
    assert "some have other tokens than with the start, whose ids stay." in first_sentence(run)
    run = train("to be", Settings(vocab_size=259, then_across_words_from=257))
    assert "start" not in first_sentence(run, 1)


def test_a_second_stage_speaks_of_lines():
    text = "one dog\none dog more\none dog less\na dog so\na dog\n"
    run = train(text, Settings(vocab_size=262, then_across_words_from=258))
    assert word_window.words(run.stages[1]).note == "5 different lines."
    assert "5 different lines" in sentences.outcome(run)
    assert " more line" in str(RunSide(run, "").chunk(0)["frames"][1]["sentence"])
    both = SideBySide(*run.stages)
    assert both.unit == "line"


def test_what_no_second_stage_can_follow_is_said_with_the_titles_of_the_settings():
    test = open_page("pages/train.py", text=SCENE, then_across_words_from="30", vocab_size="40")
    assert problems(test)[0].startswith("“Then across words from size” needs a split that drops no text")


def test_a_start_and_a_second_stage_cost_more():
    text = Corpus("a text", SCENE)
    costs = [
        runs.cost_of(text, chosen)
        for chosen in (Settings(), Settings(then_across_words_from=300), Settings(start="gpt2", vocab_size=50_300))
    ]
    assert costs == sorted(set(costs))


def test_a_new_text_of_the_same_words_begins_at_the_first_step_in_the_film_too():
    test = type_text(open_page("pages/train.py", text="low low lower", step="2"), "low low lower ")
    assert "step" not in link(test)
    assert film(test)["step"] == 0
    assert film(test)["version"].partition(" ")[0] == "1", "the film adopts a step that comes with another version"
