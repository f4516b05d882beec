"""WordPiece against a textbook loop at every step, the complete guide's results, and Hugging Face's encoding."""

from collections import Counter
from fractions import Fraction
from itertools import pairwise
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, models

from bpe_core import UNKNOWN, Settings, SettingsError
from bpe_core.corpus.counting import count_pretokens
from bpe_core.models import wordpiece
from tests.some import some
from tests.texts import EXAMPLES, NASTY, TEXTS

GUIDE = {"cat": 5, "cats": 2, "eat": 10, "eating": 3, "running": 2, "jumping": 1, "food": 6}
CHOSEN = st.builds(
    Settings,
    pretokenizer=st.sampled_from(["none", "whitespace", "gpt2"]),
    alphabet=st.just("characters"),
    vocab_size=st.just(10_000),
    min_count=st.sampled_from([1, 1, 2]),
)


def show(token: bytes) -> str:
    return token.replace(b"\xff", b"##").decode()


# The textbook keeps a symbol as (whether it starts a word, its text).


def symbols(word):
    return tuple((i == 0, char) for i, char in enumerate(word))


def count_all(words):
    """(the count of every symbol, the count of every pair in the order first seen)."""
    single, pairs = Counter(), {}
    for word, count in words.items():
        for symbol in word:
            single[symbol] += count
        for pair in pairwise(word):
            pairs[pair] = pairs.get(pair, 0) + count
    return single, pairs


def join(word, pair):
    joined, i = [], 0
    while i < len(word):
        if word[i : i + 2] == pair:
            joined.append((pair[0][0], pair[0][1] + pair[1][1]))
            i += 2
        else:
            joined.append(word[i])
            i += 1
    return tuple(joined)


def loop(words, min_count=1):
    """Step after step: (scores, pair counts, the pair, the words with it joined)."""
    while True:
        single, pairs = count_all(words)
        scores = {(a, b): Fraction(n, single[a] * single[b]) for (a, b), n in pairs.items()}
        allowed = [pair for pair in pairs if pairs[pair] >= min_count]
        if not allowed:
            return
        pair = max(allowed, key=scores.get)
        words = {join(word, pair): count for word, count in words.items()}
        yield scores, pairs, pair, words


def marked(symbol) -> bytes:
    starts, text = symbol
    return b"\xff" * (not starts) + text.encode("utf-8", "surrogatepass")


def check_against_textbook(text: str, chosen: Settings, steps: int | None = None) -> None:
    run = wordpiece.train(text, chosen)
    words = {symbols(word): n for word, n in count_pretokens(text, chosen).items()}
    seen = 0
    for step, (scores, pairs, pair, after) in enumerate(loop(words, chosen.min_count), 1):
        if steps and step > steps:
            return
        seen, merge = step, run.merges[step - 1]
        assert (merge.left, merge.right, merge.count) == (*map(marked, pair), pairs[pair]), f"step {step}"
        if chosen.min_count == 1:
            assert merge.tied == sum(score == scores[pair] for score in scores.values())
            assert run.tied(step)[0][:2] == (merge.left, merge.right)
            in_order = sorted(scores, key=lambda pair: -scores[pair])  # stable: ties as first seen
            assert [(p.left, p.right, p.count, p.score) for p in run.scores(step - 1)] == [
                (*map(marked, pair), pairs[pair], scores[pair]) for pair in in_order
            ]
            assert run.chosen(step) == run.scores(step - 1, top=1)[0]
            assert run.scores(step - 1, top=3) == run.scores(step - 1)[:3]
        assert {(a, b): n for a, b, n in run.pair_counts(step - 1)} == {
            tuple(map(marked, pair)): n for pair, n in pairs.items()
        }
        assert dict(run.words(step)) == {tuple(map(marked, word)): n for word, n in after.items()}
    assert run.steps == seen
    assert run.stop_reason in ("no pairs left", "below min_count")


@given(TEXTS, CHOSEN)
def test_equals_the_textbook_at_every_step(text, chosen):
    check_against_textbook(text, chosen)


@pytest.mark.parametrize("text", some(NASTY, 2))
@pytest.mark.parametrize("pretokenizer", ["whitespace", "none"])
def test_nasty_text(text, pretokenizer):
    check_against_textbook(text, Settings(pretokenizer, "characters", vocab_size=10_000), steps=25)


def test_equals_the_textbook_on_real_text():
    text = (EXAMPLES / "short-story.txt").read_text(encoding="utf-8")
    check_against_textbook(text, Settings("gpt2", "characters", vocab_size=10_000), steps=120)


class TestCompleteGuide:
    """The complete guide: the words given, to 30 entries."""

    run: ClassVar = wordpiece.train_counts(GUIDE, Settings("whitespace", "characters", vocab_size=30))

    def test_fourteen_merges(self):
        assert self.run.base == 16
        expected = (
            "##m ##p,r ##u,j ##u,ju ##mp,jump ##i,##i ##n,ru ##n,run ##n,jumpi ##n,runn ##in,##in ##g,runnin ##g,"
            "jumpin ##g,f ##o"
        )
        assert [f"{show(m.left)} {show(m.right)}" for m in self.run.merges] == expected.split(",")
        assert len(self.run.vocabulary(14)) == 30

    def test_jumper_begins_with_jump_and_is_unknown_as_a_whole(self):
        model = self.run.tokenizer()
        assert [show(model.tokens[i]) for i in model.matches("jumper")] == ["jump"]
        assert model.encode_word("jumper") == (UNKNOWN,)

    @pytest.mark.parametrize(
        ("word", "expected"), [("eating", "e ##a ##t ##ing"), ("running", "running"), ("food", "fo ##o ##d")]
    )
    def test_encoding(self, word, expected):
        model = self.run.tokenizer()
        assert " ".join(show(model.tokens[i]) for i in model.encode_word(word)) == expected

    def test_target_below_the_alphabet(self):
        with pytest.raises(SettingsError, match="vocab_size 15 is below the 16 base symbols"):
            wordpiece.train_counts(GUIDE, Settings("whitespace", "characters", vocab_size=15))


def test_scores_that_floats_can_hardly_tell_apart_are_compared_exactly():
    n = 10**13
    run = wordpiece.train_counts({"cd": n + 1, "ab": n}, Settings("whitespace", "characters", vocab_size=5))
    assert run.merges[0] == (b"a", b"\xffb", b"ab", n, 1)
    assert [pair.left for pair in run.scores(0, top=1)] == [b"a"]


def test_a_number_sign_in_the_text_is_not_the_mark():
    run = wordpiece.train("## a## ##a", Settings("whitespace", "characters", vocab_size=100))
    model = run.tokenizer()
    assert [model.tokens[i] for i in model.encode_word("##")] == [b"##"]
    assert [model.tokens[i] for i in model.encode_word("a##")] == [b"a##"]
    early = run.tokenizer(0)
    assert [early.tokens[i] for i in early.encode_word("##a")] == [b"#", b"\xff#", b"\xffa"]


def hugging_face(model: wordpiece.WordPiece, longest: int) -> Tokenizer:
    vocabulary = {show(token): i for i, token in enumerate(model.tokens)}
    assert len(vocabulary) == len(model.tokens)
    vocabulary["[UNK]"] = len(vocabulary)
    return Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]", max_input_chars_per_word=longest))


@given(
    st.lists(st.text("abcé🦜", min_size=1, max_size=8), min_size=1, max_size=8),
    st.lists(st.text("abcdé🦜", min_size=1, max_size=12), min_size=1, max_size=20),
    st.integers(0, 30),
)
def test_encoding_equals_hugging_face(corpus, words, step):
    run = wordpiece.train(" ".join(corpus), Settings("whitespace", "characters", vocab_size=1000))
    model = run.tokenizer(min(step, run.steps))
    theirs = hugging_face(model, 100)
    for word in words:
        expected = theirs.encode(word).ids
        assert [len(model.tokens) if i == UNKNOWN else i for i in model.encode_word(word)] == expected


@pytest.mark.parametrize("longest", [5, 100])
def test_words_that_are_too_long_are_unknown_as_in_hugging_face(longest):
    run = wordpiece.train("aaaa", Settings("whitespace", "characters", vocab_size=10))
    model = wordpiece.WordPiece(run.tokens, run.settings.splitter, longest)
    theirs = hugging_face(model, longest)
    for length in (longest - 1, longest, longest + 1):
        ours = model.encode_word("a" * length)
        assert [len(model.tokens) if i == UNKNOWN else i for i in ours] == theirs.encode("a" * length).ids
        assert (ours == (UNKNOWN,)) == (length > longest)
    assert wordpiece.LONGEST_WORD == 100


def test_encoding_equals_hugging_face_on_real_text():
    text = (EXAMPLES / "short-story.txt").read_text(encoding="utf-8")
    chosen = Settings("bert", "characters", vocab_size=400)
    model = wordpiece.train(text, chosen).tokenizer()
    theirs = hugging_face(model, 100)
    other = (EXAMPLES / "numbers-dates.txt").read_text(encoding="utf-8")
    for word in count_pretokens(text + other, chosen):
        ours = [len(model.tokens) if i == UNKNOWN else i for i in model.encode_word(word)]
        assert ours == theirs.encode(word).ids


def test_progress_can_cancel():
    class CancelledError(Exception):
        pass

    def progress(phase, done, total):
        raise CancelledError

    with pytest.raises(CancelledError):
        wordpiece.train_counts(GUIDE, Settings("whitespace", "characters", vocab_size=30), progress)
