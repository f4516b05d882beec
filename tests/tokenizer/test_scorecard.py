"""The scorecard: each figure beside its definition counted plainly, and beside other programs' functions."""

from collections import Counter
from math import nan
from statistics import mean

import pytest
import regex
import tokenization_scorer
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import Settings, load, train
from bpe_core.text.alphabet import encode_text
from bpe_core.text.words import word_spans, words_of
from bpe_core.tokenizer.cost_curve import cost_curve
from bpe_core.tokenizer.scorecard import gini, premiums, renyi_efficiency, scorecard
from bpe_core.tokenizer.word_symbols import counts
from tests.texts import EXAMPLE_TEXTS, NASTY, TEXTS

CORPUS = EXAMPLE_TEXTS["many-languages"]
TOKENIZERS = {
    "GPT-2": load("gpt2"),
    "BERT": load("bert"),
    "bytes, a mark at the end": train(CORPUS, Settings("gpt2", word_marker="end", vocab_size=600)).tokenizer(),
    "characters, a mark at the start": train(
        CORPUS, Settings("whitespace", "characters", "start", vocab_size=600)
    ).tokenizer(),
    "merges across words": train(CORPUS, Settings("none", vocab_size=700)).tokenizer(),
}
# Scripts without spaces, as Unicode names them.
# the last range is the Chinese seal script, whose name not every version of `regex` knows
UNSPACED = r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\U0003d000-\U0003fc3f]"
ANY = pytest.mark.parametrize("name", TOKENIZERS)


def tokens_of(tokenizer, text):
    table = tokenizer.encode(text, specials=False).walk.tokens(len(tokenizer.merges))
    return table, [(int(a), int(b)) for a, b in zip(table.starts, table.ends, strict=True)]


def counted(tokenizer, text):
    """For each word the numbers of the tokens that reach into it; and the tokens that cut a character.

    A marker reaches into the word beside it in its pretoken: after it at the start of a pretoken, and else before it.
    """
    table, spans = tokens_of(tokenizer, text)
    whole, opens = table.walk.text, {*table.walk.words.tolist()}
    words = []
    for at in word_spans(whole).tolist():
        first, end = (len(encode_text(whole[:place])) for place in at)
        touching = [
            n
            for n, (a, b) in enumerate(spans)
            if (a < end and b > first)
            or (a == b and (first <= a < end if int(table.firsts[n]) in opens else first < a <= end))
        ]
        words.append((whole[slice(*at)], touching))
    begins = {len(encode_text(whole[:at])) for at in range(len(whole) + 1)}
    cut = [n for n, span in enumerate(spans) if span[0] < span[1] and not begins.issuperset(span) and not table.lost[n]]
    return table, words, cut


@ANY
def test_each_figure_is_what_its_definition_counts(name):
    tokenizer = TOKENIZERS[name]

    def check(text):
        table, words, cut = counted(tokenizer, text)
        card = scorecard(table)
        lost = table.lost.tolist()
        assert card.tokens == len(table)
        assert card.size == len(table.walk.raw) - sum((table.ends - table.starts)[table.lost].tolist())
        found = [use.word for use in card.words for _ in range(use.times)]
        assert Counter(found) == Counter(word for word, _ in words)
        known = [(word, numbers) for word, numbers in words if not any(lost[n] for n in numbers)]
        kept = [numbers for word, numbers in known if not regex.search(UNSPACED, word)]
        fertility = mean(map(len, kept)) if kept else nan
        assert (nan if card.fertility is None else card.fertility) == pytest.approx(fertility, nan_ok=True)
        assert counts(table.walk)["words_to_divide"] == len(kept)
        curve = cost_curve(text, tokenizer)
        if curve.tokens[-1] == len(table):  # else it has taken special tokens in the text for what they are
            assert curve.per_word[-1] == pytest.approx(fertility, nan_ok=True)
        whole = sum(len(numbers) == 1 and not lost[numbers[0]] for _, numbers in words)
        assert card.whole_words == (whole / len(words) if words else None)
        assert card.parts == (len(cut) / len(table) if len(table) else None)
        assert sum(use.times for use in card.uses if use.lost) == sum(lost)

    for text in [*(text for text in NASTY if len(text) < 3000), CORPUS[:3000]]:
        check(text)
    given(TEXTS)(check)()


def test_words_with_their_tokens():
    card = scorecard(tokens_of(TOKENIZERS["GPT-2"], "The lighthouse, the lighthoused 🦜 lighthouse,")[0])
    assert card.words[1][:3] == ("lighthouse", (b" lighthouse",), 2)
    assert [use.word for use in card.words if not use.is_whole] == ["lighthoused"]
    assert {use.token: use.parts for use in card.uses if use.parts} == {b" \xf0\x9f": 1, b"\xa6": 1, b"\x9c": 1}
    text = "🦜 \U0001e900 dog"  # a parrot, and a letter of Fulani
    lost = TOKENIZERS["BERT"].encode(text, add_special_tokens=True).scorecard()
    assert lost == scorecard(tokens_of(TOKENIZERS["BERT"], text)[0])
    words = [(use.word, use.lost, use.is_whole) for use in lost.words]
    assert words == [("\U0001e922", True, False), ("dog", False, True)]
    assert (lost.fertility, lost.whole_words, lost.parts) == (1, 0.5, 0)


def test_figures_about_words_counted_by_hand():
    """GPT-2: The| baker|'s| isn|'t| a| well|-|known| line|. has 11 tokens; 2 + 2 + 3 of them are in three words."""
    text = "The baker's isn't a well-known line."
    table, _ = tokens_of(TOKENIZERS["GPT-2"], text)
    card, curve, known = scorecard(table), cost_curve(text, TOKENIZERS["GPT-2"]), counts(table.walk)
    assert [(use.word, len(use.tokens)) for use in card.words] == [
        ("The", 1), ("baker's", 2), ("isn't", 2), ("a", 1), ("well-known", 3), ("line", 1),
    ]  # fmt: skip
    assert (card.tokens, card.fertility, card.whole_words) == (11, 10 / 6, 3 / 6)
    assert (curve.words, int(curve.whole[-1]), int(curve.tokens[-1])) == (6, 3, 11)
    assert curve.per_word[-1] == 10 / 6
    assert (known["words"], known["words_to_divide"]) == (6, 6)


def test_a_word_of_which_a_part_is_thrown_away_is_not_whole():
    tokenizer = train("ab-c", Settings("custom", pattern="[a-c]+", vocab_size=300)).tokenizer()
    card = scorecard(tokens_of(tokenizer, "ab-c ab xyz")[0])
    assert [(use.word, use.lost, use.is_whole) for use in card.words] == [
        ("ab-c", True, False), ("ab", False, True), ("xyz", True, False),
    ]  # fmt: skip


@ANY
@pytest.mark.parametrize("alpha", [0.5, 1, 2.5, 3])
@pytest.mark.parametrize("size", [None, 50_257])
def test_renyi_efficiency_equals_tokenization_scorer(name, alpha, size):
    table, _ = tokens_of(TOKENIZERS[name], CORPUS)
    uses = [use.times for use in scorecard(table).uses]
    words = " ".join(f"{number}" for number, times in enumerate(uses) for _ in range(times))
    more = {"vocab": size} if size else {}
    # its "renyi" of power 1 is 0, since it has read the text before it hands it on
    metric = "shannon" if alpha == 1 else "renyi"
    theirs = tokenization_scorer.score(words, metric=metric, power=float(alpha), **more)
    assert renyi_efficiency(uses, alpha, size) == pytest.approx(theirs, rel=1e-12)
    if (alpha, size) == (2.5, None):
        assert scorecard(table).renyi == pytest.approx(theirs, rel=1e-12)


def test_renyi_efficiency_of_few_tokens():
    """The first is the README's example of tokenization-scorer, which says 0.8031: its function says this."""
    assert renyi_efficiency([3, 2, 1, 1]) == pytest.approx(0.8265064834225245)
    assert renyi_efficiency([5]) is renyi_efficiency([]) is None


@pytest.mark.parametrize("name", ["BERT", "characters, a mark at the start"])
def test_toklens_formulas_where_the_text_is_split_at_white_space(name):
    """TokLens encodes each word alone: tokens per word, the share with one token, bytes per token of the whole."""
    tokenizer = TOKENIZERS[name]
    words = words_of(EXAMPLE_TEXTS["short-story"].lower())
    words = [word for word in words if word.isalpha()]  # TokLens has punctuation in words
    text = " ".join(word for word in words if not tokenizer.encode(word).walk.lost.any())
    sizes = [len(tokenizer.ids(word)) for word in text.split()]
    card = scorecard(tokens_of(tokenizer, text)[0])
    assert len(sizes) > 1000
    assert card.fertility == pytest.approx(mean(sizes))
    assert card.whole_words == pytest.approx(sizes.count(1) / len(sizes))
    assert card.bytes_per_token == pytest.approx(len(tokenizer.encode(text).walk.raw) / len(tokenizer.ids(text)))


@given(st.lists(st.integers(1, 500), min_size=1, max_size=20))
def test_gini_is_the_mean_difference_of_two_divided_by_twice_the_mean(sizes):
    differences = mean(abs(one - other) for one in sizes for other in sizes)
    assert gini(sizes) == pytest.approx(differences / (2 * mean(sizes)), abs=1e-12)


def test_without_numbers_there_is_neither_gini_nor_premium():
    assert gini([]) is gini([0, 0]) is None
    assert premiums([]) == ()
    assert premiums([None, 3]) == (None, None)
    assert premiums([0, 3]) == (None, None)
