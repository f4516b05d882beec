"""A text's tokens and whole words at every vocabulary size, against encoding it anew at each."""

from dataclasses import replace
from math import nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import Settings, train
from bpe_core.text.words import word_spans
from bpe_core.tokenizer.cost_curve import cost_curve
from bpe_core.tokenizer.encoding import Encoding
from bpe_core.tokenizer.mixed_tokens import MIXTURES, mixture
from tests.texts import NASTY

SIDES = [
    Settings("whitespace", "characters", vocab_size=60),
    Settings("whitespace", "characters", "end", vocab_size=60),
    Settings("gpt2", "characters", "start", vocab_size=60),
    Settings("gpt2", "bytes", vocab_size=300),
    Settings("none", "bytes", vocab_size=300),
    Settings("digits", "characters", vocab_size=60),
]


def whole_words(encoding: Encoding) -> int:
    """The words that have a token over all their letters, by looking at each."""
    known = [span for span, lost in zip(encoding.spans, encoding.lost, strict=True) if not lost]
    return sum(any(a <= start and end <= b for a, b in known) for start, end in word_spans(encoding.text).tolist())


@pytest.mark.parametrize("side", SIDES, ids=lambda side: f"{side.pretokenizer}-{side.alphabet}-{side.word_marker}")
@given(
    corpus=st.text(alphabet="ab c.1é", min_size=1, max_size=60),
    text=st.text(alphabet="ab c.1éx\n", max_size=60),
)
def test_equals_encoding_at_every_step(side, corpus, text):
    run = train(corpus, side)
    found = cost_curve(text, run.tokenizer())
    for step in range(run.steps + 1):
        encoding = run.tokenizer(step).encode(text)
        assert found.tokens[step] == len(encoding.ids)
        fertility = encoding.scorecard().fertility
        assert found.per_word[step] == pytest.approx(nan if fertility is None else fertility, nan_ok=True)
        if side.alphabet == "characters" and side.word_marker == "none":
            assert found.whole[step] == whole_words(encoding)
    last, decoded = found.at(run.steps), run.tokenizer().encode(text)
    assert last.tokens == len(decoded.ids)
    assert last.unknown == sum(i < 0 for i in run.tokenizer(0).encode(text).ids)
    assert last.dropped == len(text) - sum(len(cut.text) for cut in side.splitter.split(text))
    assert last.characters == len(text)


def test_an_unknown_character_costs_a_token_and_gives_no_character_back():
    known, new = (
        cost_curve("né", train(seen, Settings("gpt2", "characters")).tokenizer()).base for seen in ("né", "n")
    )
    assert new == replace(known, kept=1, unknown=1)
    assert new.each < known.each
    assert not known.is_normalized
    lower = train("né", Settings(normalizers=("lowercase",))).tokenizer()
    assert [cost_curve(text, lower).base.is_normalized for text in ("né", "NÉ")] == [False, True]


def test_whole_words_in_bytes_and_with_a_marker():
    for side, alone in ((Settings("gpt2", vocab_size=400), 1), (Settings("whitespace", "characters", "end"), 0)):
        run = train("né né nés, x bé", side)
        found = cost_curve("né, nés x z", run.tokenizer())
        assert found.words == 4
        assert found.whole[0] == alone + (side.alphabet == "bytes"), (
            "x, and z in bytes; a marker is a token of its word"
        )
        assert found.whole[-1] == 2 + (side.alphabet == "bytes") * 2, "né_ is no token of né, which has no marker"
        assert found.unknown == (() if side.alphabet == "bytes" else ("z",))


def test_a_word_that_a_pretoken_boundary_cuts_is_never_whole():
    run = train("ab ab ab", Settings("custom", pattern="[a-z]", vocab_size=300))
    assert cost_curve("ab a", run.tokenizer()).whole.tolist() == [1]


@pytest.mark.parametrize("text", NASTY)
def test_nasty_texts(text):
    run = train("the cat sat on the mat. the cat!", Settings("gpt2", vocab_size=280))
    found = cost_curve(text, run.tokenizer())
    assert found.tokens[-1] == len(run.tokenizer().encode(text).ids)
    assert len(found.tokens) == len(found.whole) == run.steps + 1
    assert found.whole[-1] <= found.words


@pytest.mark.parametrize(
    ("token", "kind"),
    [
        ("dog.", "letters with punctuation"),
        ("s,", "letters with punctuation"),
        (" dog.", "letters with punctuation"),
        ("one d", "crosses a word"),
        (". o", "crosses a word"),
        ("one ", "ends in white space"),
        ("'s", "a contraction"),
        ("'l", "a contraction"),
        ("o'c", "letters with punctuation"),
        ("didn't", "a contraction"),
        ("we’LL", "a contraction"),
        ("a\0b", ""),
        ("2nd", "letters with digits"),
        ("$5", "digits with punctuation"),
        (" dog", ""),
        ("...", ""),
        ("\n\n", ""),
        ("नि", ""),
        ("e\u0301", ""),
    ],
)
def test_what_a_token_mixes(token, kind):
    assert mixture(token.encode()) == kind
    assert kind in {*MIXTURES, ""}


def test_a_piece_of_a_character_and_a_marker_are_looked_past():
    assert mixture(b"dog\xf0\x9f") == ""
    assert mixture(b"\xffdog") == ""
    assert mixture(b"dog.\xff") == "letters with punctuation"
