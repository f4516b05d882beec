"""What new tokens save, beside counting the same texts with each smaller number of new tokens."""

from dataclasses import replace

import pytest

from bpe_core import Settings, SettingsError, load, train
from bpe_core.counting import own_tokens as module
from bpe_core.counting.own_tokens import savings
from bpe_core.record.enough_text import HELD_OUT
from tests.texts import EXAMPLE_TEXTS


def test_each_number_of_new_tokens_saves_what_counting_with_them_says():
    texts = [EXAMPLE_TEXTS[name] for name in ("short-story", "python-code", "many-languages")]
    base = load("gpt2")
    found = savings(texts, base, 60)
    pieces = [*module._pieces(texts, base)]
    assert "".join(pieces) == "".join(texts)
    kept, others = pieces[HELD_OUT - 1 :: HELD_OUT], [piece for i, piece in enumerate(pieces, 1) if i % HELD_OUT]
    assert (found.kept, found.trained) == (sum(map(len, kept)), sum(map(len, others)))
    grown = train(tuple(others), Settings("gpt2", vocab_size=base.vocab_size + 60), start=base).tokenizer()
    for number in (0, 1, 7, 30, len(found.new)):
        fewer = replace(grown, merges=tuple(grown.merges)[: len(base.merges) + number])
        assert found.tokens[number] == sum(fewer.count(text, specials=False) for text in kept)
    assert found.tokens[0] == sum(base.count(text, specials=False) for text in kept)
    assert found.share(60) == pytest.approx(1 - found.tokens[-1] / found.tokens[0])
    assert sorted(found.saved, reverse=True) == [found.saved[i] for i in found.best]


def test_too_little_text_learns_nothing_and_a_tokenizer_without_merges_is_refused():
    assert savings(["a"], load("gpt2")).new == ()
    for texts in ([], "x", "zqxv " * 60):
        found = savings(texts, load("gpt2"), 10)
        assert found.tokens[0] == found.share(len(found.new)) == found.share(0) == 0
        assert "too little text to hold any out" in found.why_none
        assert repr(found).endswith(" save 0%; too little text to hold any out>")
    assert len(found.new) > 0
    with pytest.raises(SettingsError, match="its model is WordPiece, which has no merges"):
        savings(["low lower"], load("bert"))


def test_a_piece_with_a_character_that_the_tokenizer_lacks_is_left_out():
    """Each text is short, and so one piece."""
    texts = [f"the lower lowest widest {word} newest" for word in ("the", "low", "new", "wide", "the lowest")] * 4
    base = train(texts, Settings("gpt2", "characters", vocab_size=20)).tokenizer()
    found = savings([*texts[:7], "a wide caf\u00e9", *texts[7:], "\u00fc"], base, 10)
    expected = savings(texts, base, 10)
    assert (found.tokens.tolist(), found.new, found.saved.tolist()) == (
        expected.tokens.tolist(), expected.new, expected.saved.tolist())  # fmt: skip
    assert (found.trained, found.kept) == (expected.trained, expected.kept)
    assert (found.left_out, found.unknown) == (len("a wide caf\u00e9") + 1, "a")
    assert (expected.left_out, expected.unknown) == (0, "")
    assert len(expected.new) > 3
    assert savings(["\u00fc" * 9], base, 10).tokens.tolist() == [0]
