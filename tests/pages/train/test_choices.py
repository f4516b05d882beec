"""Pairs that the visitor chose on Train in place of the tie rule: dropped where they are no choice, and said."""

import re
from html import unescape

import pytest
from streamlit.testing.v1 import AppTest

from bpe_core import train
from pages.parts.state.train_state import Train
from pages.parts.texts.corpora import example
from pages.parts.train import presets
from tests.pages.driver import command, go, html, link, open_page, problems, said, type_text
from tests.pages.session import key_of


def press(test: AppTest, label: str) -> None:
    """Press a button of a page."""
    next(button for button in test.button if button.label == label).click().run()


def test_a_choice_that_does_not_fit_any_more_is_dropped_and_said():
    test = open_page("pages/train.py", corpus="hug-pug-pun", forced="1:73.74", step="1")
    assert problems(test)[0].startswith("The pair s + t, chosen for step 1, does not occur there.")
    assert "Step 1 joined [6] + [1] → [8], seen 20 times" in said(test)


def test_a_choice_that_is_no_tie_under_other_settings_is_dropped_and_said():
    test = open_page("pages/train.py", corpus="cats-eat")
    assert (
        "✓ Sennrich et al., 2016: words, characters, a mark at a word's end" in test.get("menu_button")[1].proto.options
    )
    run = train(example("cats-eat").text, presets.with_preset(Train(), "paper").checked())
    assert (b"n", b"g") in {pair[:2] for pair in run.tied(4)} - {run.merges[3][:2]}
    go(test, 4, branch=[0, 4, run.ids[b"n"], run.ids[b"g"]])
    assert (link(test)["forced"], problems(test)) == ("4:6e.67", [])
    assert "Step 4 joined" in said(test)
    assert "This pair was chosen by hand." in said(test)
    command(test, "train.preset", "SentencePiece")
    remark = "The pair n + g, chosen for step 4, is not tied for the highest count there. The run goes on without your"
    assert problems(test) == [f"{remark} choices."]
    assert "forced" not in link(test)
    assert "You chose" not in html(test) + said(test)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda test: type_text(test, "eat cats"), "does not occur there"),
        (lambda test: set_number(test, "min_count", 7), "is seen less often than 7 times there"),
        (lambda test: set_number(test, "vocab_size", 19), "comes after the last step, 2"),
        (lambda test: command(test, "train.preset", "GPT-2, grown"), "comes after the last step, 0"),
        (lambda test: command(test, "train.preset", "SuperBPE"), "is not tied for the highest count there"),
    ],
    ids=["text", "setting", "size", "GPT-2, grown", "SuperBPE"],
)
def test_a_choice_that_fits_no_more_is_dropped_in_every_way(change, why):
    chosen = {"corpus": "cats-eat", "forced": "4:6e.67"}
    test = open_page("pages/train.py", **chosen)
    assert "You chose the pair at step 4." in html(test), "on step 0 too"
    change(test)
    assert problems(test) == [f"The pair n + g, chosen for step 4, {why}. The run goes on without your choices."]
    assert "forced" not in link(test)
    assert "You chose" not in html(test)


def set_number(test: AppTest, name: str, value: int) -> None:
    """Set a number among the settings of a training."""
    test.number_input(key=key_of(test, f"train.{name}")).set_value(value).run()


def test_a_choice_that_is_undone_while_nothing_can_be_trained_stays_undone():
    test = open_page("pages/train.py", corpus="cats-eat", forced="4:6e.67", alphabet="bytes", view="export")
    set_number(test, "vocab_size", 20)
    assert "You chose the pair at step 4." in html(test)
    press(test, "Back to the rule's choice")
    assert "You chose" not in html(test)
    type_text(test, "eat cats")
    assert "below the 256 base symbols" in problems(test)[0]


def test_after_a_choice_the_page_says_which_merges_differ_and_what_is_in_the_files():
    test = open_page("pages/train.py", corpus="cats-eat", forced="4:6e.67", view="export", step="2")
    # eating 3, running 2 and jumping 1: i + n, n + g and g + _ occur 6 times; either way ing and ing_ follow
    assert "From step 4 on 2 merges differ: n + g, i + ng; the rule's 2 are i + n, in + g." in unmarked(html(test))
    in_files = "The tokenizer and its merges have the pair that you chose at step 4."
    assert in_files in unmarked(html(test))
    next(box for box in test.checkbox if box.label == "As of step 2").check().run()
    assert in_files not in unmarked(html(test))
    press(test, "Back to the rule's choice")
    assert "you chose" not in html(test).lower()


def unmarked(page: str) -> str:
    """Return the text of a page."""
    return unescape(re.sub("<[^>]*>", "", page))


def test_a_link_chooses_among_tied_pairs_only():
    tied, rare = "1:73.74", "2:77.69"  # s + t is seen as often as e + s; w + i only in widest
    test = open_page("pages/train.py", corpus="newest-widest", step="1", forced=tied, view="check")
    assert (link(test)["forced"], problems(test)) == (tied, [])
    assert "This pair was chosen by hand." in said(test)
    press(test, "Check step 1")
    claim = "every merge had the highest count, and every tie went to your pair or to the pair seen first, reading the"
    (shown,) = [shown.value for shown in test.success if claim in shown.value]
    assert shown.endswith("text from the start: yes. `1 step, 1 with a tie`")
    test = open_page("pages/train.py", corpus="newest-widest", forced=f"{tied},{rare},3:6c.6f")
    remark = (
        "The pair w + i, chosen for step 2, is not tied for the highest count there. The run goes on with only your"
    )
    assert problems(test) == [f"{remark} earlier choices."]
    assert link(test)["forced"] == tied
