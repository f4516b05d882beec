"""The words that two runs cut differently, against comparing their tokens."""

from dataclasses import replace
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import Settings, train, train_counts
from bpe_core.record import side_by_side
from bpe_core.record.side_by_side import SideBySide
from bpe_core.text.alphabet import MARKER, decode_bytes, encode_text
from tests.texts import NASTY, TEXTS

PAIRS = [
    (Settings("whitespace", "characters", vocab_size=40), Settings("gpt2", "characters", vocab_size=40)),
    (Settings("gpt2", "bytes", vocab_size=270), Settings("gpt2", "characters", vocab_size=30)),
    (Settings("gpt2", tie_rule="first-seen", vocab_size=270), Settings("gpt2", tie_rule="greatest", vocab_size=263)),
    (Settings("whitespace", "bytes", "end", vocab_size=270), Settings("bert", "characters", "end", vocab_size=40)),
    (Settings("whitespace", "bytes", "end", vocab_size=270), Settings("whitespace", "bytes", "start", vocab_size=270)),
]


def named(settings: Settings) -> str:
    return f"{settings.pretokenizer}-{settings.alphabet}-{settings.word_marker}-{settings.tie_rule}"


def cut(run, step):
    """Each word at a step: (the word without what stands around it, where it is cut inside)."""
    return [bare_cut(tokens) for tokens, _ in run.words(min(step, run.steps))]


def bare_cut(tokens):
    whole = b"".join(tokens).removeprefix(MARKER)
    before = len(b"".join(tokens)) - len(whole)
    whole = whole.removesuffix(MARKER)
    word = decode_bytes(whole)
    if word.strip():
        before += len(encode_text(word)) - len(encode_text(word.lstrip()))
        word = word.strip()
    cuts = (place - before for place in accumulate(map(len, tokens)))
    return word, frozenset(place for place in cuts if 0 < place < len(encode_text(word)))


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{named(pair[0])} {named(pair[1])}")
@given(text=st.text(alphabet="ab é.1\n", max_size=80))
def test_equals_comparing_the_tokens(pair, text):
    check(SideBySide(*(train(text, side) for side in pair)))


def check(both, steps=None):
    for step in range(both.steps + 1) if steps is None else steps:
        one, other = cut(both.left, step), cut(both.right, step)
        rows, other_rows = both.differing(step)
        assert rows.tolist() == [i for i, tokens in enumerate(one) if tokens not in set(other)]
        assert other_rows.tolist() == [i for i, tokens in enumerate(other) if tokens not in set(one)]


@pytest.mark.parametrize("text", NASTY)
def test_nasty_texts(text):
    both = SideBySide(*(train(text, Settings(split, vocab_size=280)) for split in ("whitespace", "gpt2")))
    check(both, {0, 1, both.steps} & {*range(both.steps + 1)})


def test_two_pretokenizers_that_split_alike_differ_nowhere():
    one, other, third = (train("a b. a", Settings(cut, vocab_size=280)) for cut in ("gpt2", "cl100k", "whitespace"))
    assert [len(rows) for rows in SideBySide(one, other).differing(1)] == [0, 0]
    assert [len(rows) for rows in SideBySide(one, third).differing(1)] != [0, 0]


def beside(text, left, right):
    """Return the words that stand beside each other, in reading order."""
    both = SideBySide(train(text, left), train(text, right))
    return [both.words[segment] for segment in both.segments]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("scatter! x,at y,cat", ["scatter!|scatter !", "x,at|x , at", "y,cat|y , cat"]),
        ("नमस्ते दुनिया!", ["नमस्ते|नमस ् त े", "दुनिया!|द ु न ि य ा!"]),
        ("The dog. The cat", ["The|The", "dog.|dog .", "The|The", "cat|cat"]),  # the first has no space before it
    ],
)
def test_words_stand_beside_each_other_by_position(text, expected):
    found = beside(text, Settings("whitespace", vocab_size=257), Settings("gpt2", vocab_size=257))
    assert [f"{' '.join(words.left)}|{' '.join(words.right)}" for words in found] == expected


def test_a_side_that_normalizes_has_its_words_where_they_come_from():
    plain = Settings("gpt2", vocab_size=257)
    found = beside("½ ﬁn é, ﬁn", replace(plain, normalizers=("nfkd",)), plain)
    assert found[:3] == [(("1", "⁄", "2"), ("½",)), (("fin",), ("ﬁn",)), (("e", "\u0301,"), ("é", ","))]


def test_of_a_long_text_the_whole_words_of_its_beginning_are_compared(monkeypatch):
    monkeypatch.setattr(side_by_side, "ALIGNED", 12)
    text = "my dog. my dog. my dog."
    whitespace, none = (
        SideBySide(*(train(text, Settings(cut, vocab_size=257)) for cut in (left, "gpt2")))
        for left in ("whitespace", "none")
    )
    assert whitespace.is_cut
    assert list(whitespace.words.values()) == [(("my",), ("my",)), (("dog.",), ("dog", "."))]
    assert list(none.words.values()) == [((text,), ("my", "dog", ".", "my"))], "the only word is longer"


def test_runs_without_their_text_have_no_places():
    run = train_counts({"a": 1}, Settings(vocab_size=256))
    with pytest.raises(ValueError, match="need the text"):
        _ = SideBySide(run, run).segments


SPLITS = (st.sampled_from(["whitespace", "none", "bert"]), st.sampled_from(["gpt2", "cl100k"]))


@given(TEXTS, *SPLITS)
def test_every_word_of_both_runs_is_counted(text, left, right):
    both = SideBySide(*(train(text, Settings(cut, vocab_size=270)) for cut in (left, right)))
    for run, side in ((both.left, 0), (both.right, 1)):
        counts = [0] * len(run.pretokens)
        for segment, count in both.segments.items():
            for row in segment[side]:
                counts[row] += count
        assert counts == run.pretoken_counts.tolist()
    for step in range(both.steps + 1):
        differing = [set(rows.tolist()) for rows in both.differing(step)]
        assert not any(i in differing[0] or j in differing[1] for i, j in both.always_alike)
