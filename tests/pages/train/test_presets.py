"""The presets of the Train page, and the word marker that follows from the split."""

from dataclasses import fields, replace
from io import BytesIO

import pytest
import sentencepiece

from bpe_core import PRETOKENIZERS, Settings, train
from bpe_core.settings import suitable_marker
from pages.parts.state.train_state import Train
from pages.parts.texts.corpora import example
from pages.parts.train import presets
from pages.parts.train.carried import carried
from tests.holes import holes
from tests.pages.driver import command, html, link, open_page, type_text
from tests.pages.session import key_of

# The words of the paper's example, and the merges that its program prints for them.
PAPER = "low " * 5 + "lower " * 2 + "newest " * 6 + "widest " * 3
PRINTED = "e s, es t, est _, l o, lo w, n e, ne w, new est_, low _, w i"


def presets_of(test):
    """Return the menu of presets."""
    return next(each.proto for each in test.get("menu_button") if "train.preset" in each.proto.id)


def help_of_presets(test) -> str:
    return presets_of(test).help


def button(test, label: str):
    return next(each for each in test.button if each.label == label)


@pytest.mark.parametrize("key", presets.PRESETS)
def test_a_preset_sets_all_that_presets_set_and_is_then_the_chosen_one(key: str):
    others = Train(
        pretokenizer="qwen", alphabet="bytes", word_marker="start", tie_rule="greatest", normalizers=("nfd",)
    )
    now = presets.with_preset(replace(others, vocab_size=300, min_count=2), key)
    assert presets.preset_of(now) == key
    assert (now.vocab_size, now.min_count) == (50357 if key == "grown" else 300, 2)
    assert presets.with_preset(now, "gpt2").vocab_size == (1000 if key == "grown" else 300)
    assert now.then_across_words_from == (278 if key == "superbpe" else 0)
    assert {name for row in presets.PRESETS.values() for name in row.settings} == presets.PRESETS[key].settings.keys()
    assert presets.PRESETS[key].settings.keys() <= {field.name for field in fields(Settings)}


def test_what_is_said_of_a_preset_has_no_hole():
    chosen = [presets.with_preset(Train(), key) for key in presets.PRESETS]
    assert holes([row.title for row in presets.PRESETS.values()] + [presets.about(now) for now in chosen]) == []
    assert len({presets.about(now) for now in chosen}) == len(presets.PRESETS)


def test_the_presets_of_the_paper_and_of_the_notebook_make_their_merges():
    for key in ("paper", "selene"):
        settings = presets.with_preset(Train(), key).checked()
        run = train(PAPER, replace(settings, vocab_size=21))
        made = [f"{left} {right}".replace("\xff", "_") for left, right in map(written, run.merges)]
        assert ", ".join(made) == PRINTED


def written(merge) -> tuple[str, str]:
    return merge.left.decode("latin-1"), merge.right.decode("latin-1")


def test_what_gpt2_and_sentencepiece_do_fits_into_files():
    for key in ("gpt2", "sentencepiece"):
        assert "tokenizer.json" in carried(presets.with_preset(Train(), key).checked())


def test_sentencepiece_itself_makes_the_same_merges_up_to_the_first_tie():
    text = " ".join(example("short-story").text.split())
    model = BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter([text]), model_writer=model, model_type="bpe", vocab_size=100, character_coverage=1.0,
        max_sentence_length=10_000, split_by_unicode_script=False, minloglevel=2,
    )  # fmt: skip
    theirs = sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())
    pieces = [theirs.id_to_piece(number) for number in range(3, 100)]  # after <unk>, <s> and </s>
    run = train(f" {text}", presets.with_preset(Train(), "sentencepiece").checked())
    tie = next(step for step, merge in enumerate(run.merges) if merge.tied > 1)
    ours = [merge.token.decode().replace(" ", "▁") for merge in run.merges[:tie]]
    assert ours == pieces[:tie]
    assert tie == 8


def test_one_press_trains_as_gpt2_does_and_the_link_says_how():
    test = type_text(open_page("pages/train.py"), "the cat the hat")
    assert help_of_presets(test) == presets.PRESETS["paper"].about
    test.number_input(key=key_of(test, "train.vocab_size")).set_value(20).run()
    command(test, "train.preset", "GPT-2:")
    chosen = {"pretokenizer": "gpt2", "alphabet": "bytes", "word_marker": "none"}
    assert link(test) == {"text": "the cat the hat"} | chosen  # and a vocabulary of 1000, which has room for the bytes
    assert help_of_presets(test) == presets.PRESETS["gpt2"].about
    assert [line for line in presets_of(test).options if line.startswith("✓")] == [
        "✓ GPT-2: its split, bytes, no marker"
    ]
    command(test, "train.preset", "Sennrich")
    assert link(test) == {"text": "the cat the hat"}


def test_a_split_that_keeps_spaces_takes_the_word_marker_off_unless_it_was_chosen():
    test = open_page("pages/train.py", text="the cat the hat the bat")

    def choose(name: str, value: str) -> str:
        test.selectbox(key=key_of(test, f"train.{name}")).set_value(value).run()
        return test.selectbox(key=key_of(test, "train.word_marker")).value

    assert [choose("pretokenizer", key) for key in ("gpt2", "bert", "metaspace", "whitespace")] == [
        "none", "end", "none", "end",
    ]  # fmt: skip
    choose("word_marker", "start")
    choose("word_marker", "end")
    assert choose("pretokenizer", "gpt2") == "end"
    assert presets.MARKED_TWICE in html(test)


def test_an_old_link_shows_what_it_showed_and_offers_to_take_the_marker_off():
    old = {"text": "the cat the hat the bat", "pretokenizer": "gpt2"}
    test = open_page("pages/train.py", **old)
    assert link(test) == old
    assert presets.MARKED_TWICE in html(test)
    button(test, "Take the marker off").click().run()
    assert link(test) == old | {"word_marker": "none"}
    assert presets.MARKED_TWICE not in html(test)


def test_every_split_that_keeps_spaces_needs_no_marker():
    none = {key for key in PRETOKENIZERS if suitable_marker(key) == "none"}
    assert none == {key for key, row in PRETOKENIZERS.items() if row.lossless}


def test_a_vocabulary_that_is_too_small_for_bytes_can_be_exported():
    test = open_page("pages/train.py", vocab_size="60", view="export")
    assert not test.exception
