"""Normalizers: against Hugging Face's and Python's, and their way back to the original; training on normalized text."""

import sys
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import pairwise, product

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import NormalizedString, Regex, Tokenizer, models, normalizers, pre_tokenizers

from bpe_core import NORMALIZERS, PRETOKENIZERS, Settings, SettingsError, normalize, reference, train
from bpe_core.corpus import text_batches
from bpe_core.corpus.counting import count_pretokens
from bpe_core.record.check import check
from bpe_core.text.normalizers import BETWEEN_LETTERS, normalized
from bpe_core.tokenizer.cost_curve import cost_curve
from tests.some import later
from tests.texts import EXAMPLE_TEXTS, NASTY, NASTY_UNICODE, TEXTS, textbook_train

GUIDE = "ThÍs is  áN ExaMPlé     sÉnteNCE"
MARKS = st.text(
    st.sampled_from("aAeé\u0301\u0327\u030a\u0344 İſẛΣσﬁ½ﷺ한각ᄀ\u1161\u11a8ｶ\uff9e中\u3099か\0\u200d\n"), max_size=12
)
ANY = TEXTS | MARKS | st.sampled_from(NASTY)
CHAINS = [(key,) for key in NORMALIZERS] + [
    ("nfd", "strip-accents", "lowercase"),
    ("lowercase", "nfkc"),
    ("bert", "nfc"),
]
HUGGING_FACE = {
    "nfc": normalizers.NFC(),
    "nfd": normalizers.NFD(),
    "nfkc": normalizers.NFKC(),
    "nfkd": normalizers.NFKD(),
    "lowercase": normalizers.Lowercase(),
    "strip-accents": normalizers.StripAccents(),
    "bert": normalizers.BertNormalizer(),
}


def every_character(every: int = 1) -> Iterator[str]:
    """Every character of Unicode, or a part of them at even distances."""
    return map(chr, range(0, sys.maxunicode + 1, every))


@cache
def cased() -> list[str]:
    return [char for char in every_character() if unicodedata.category(char) in ("Lu", "Ll")]


def known(char: str) -> bool:
    """Whether the Unicode tables of all libraries have the character, and agree about it."""
    old = unicodedata.ucd_3_2_0.category(char)
    return old not in ("Cn", "Cs") and old == unicodedata.category(char)


KNOWN = ANY.filter(lambda text: all(map(known, text)))


def theirs(keys):
    return normalizers.Sequence([HUGGING_FACE[key] for key in keys])


def check_text(keys, text):
    string = NormalizedString(text)
    theirs(keys).normalize(string)
    assert normalize(text, keys).text == normalized(text, keys) == string.normalized


@pytest.mark.parametrize("keys", CHAINS, ids="+".join)
def test_equals_hugging_face(keys):
    for text in [*EXAMPLE_TEXTS.values(), *NASTY_UNICODE, GUIDE]:
        check_text(keys, text)
    given(KNOWN)(lambda text: check_text(keys, text))()


SOME_OR_ALL = pytest.mark.parametrize("every", [7, pytest.param(1, marks=pytest.mark.thorough)])


@SOME_OR_ALL
@pytest.mark.parametrize("key", NORMALIZERS)
def test_every_character_that_all_tables_know_equals_hugging_face(key, every):
    """On lines of their own, where no two join."""
    everything = "\n".join(filter(known, every_character(every)))
    expected = HUGGING_FACE[key].normalize_str(everything)
    for ours in (normalized(everything, (key,)), normalize(everything, (key,)).text):
        different = [pair for pair in zip(ours.split("\n"), expected.split("\n"), strict=False) if len(set(pair)) > 1]
        assert different[:10] == []
        assert ours == expected


@SOME_OR_ALL
@pytest.mark.parametrize("form", ["nfc", later("nfd"), later("nfkc"), "nfkd"])
def test_traced_forms_equal_python_s(form, every):
    @given(ANY)
    def compare(text):
        assert normalize(text, (form,)).text == unicodedata.normalize(form.upper(), text)

    compare()
    for char in every_character(every):  # each between a letter and marks that may join or change places
        if unicodedata.category(char)[0] not in "ML" and unicodedata.is_normalized("NFKD", char):
            continue
        text = f"a{char}\u0301\u0327\u1161"
        assert normalize(text, (form,)).text == unicodedata.normalize(form.upper(), text)


def hugging_face_offsets(keys, text):
    tokenizer = Tokenizer(models.WordLevel({"<unk>": 0}, unk_token="<unk>"))
    tokenizer.normalizer = theirs(keys)
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex(r"[\s\S]"), "isolated")
    return tokenizer.encode(text).offsets


def in_order(text: str) -> bool:
    """Whether no mark has to change places."""
    forms = ("NFD", "NFKD")
    return all(
        unicodedata.normalize(form, text) == "".join(unicodedata.normalize(form, c) for c in text) for form in forms
    )


@pytest.mark.parametrize("keys", CHAINS, ids="+".join)
def test_offsets_equal_hugging_face_s(keys):
    """But for joined characters, where they name the first alone, and marks that change places."""
    joins = {"nfc", "nfkc"} & set(keys)

    def compare(text):
        ours, found = normalize(text, keys).spans, hugging_face_offsets(keys, text)
        assert len(ours) == len(found)
        if joins:
            over_another = any(one != other and one[1] > other[0] for one, other in pairwise(ours))
            assert over_another or all(
                a <= start and end <= b for (a, b), (start, end) in zip(ours, found, strict=True)
            )
        else:
            assert list(ours) == found

    for text in [*(text[:2000] for text in EXAMPLE_TEXTS.values()), *NASTY_UNICODE, GUIDE]:
        compare(text)
    given(KNOWN.filter(in_order))(compare)()


def test_a_joined_character_comes_from_all_its_parts():
    assert normalize("xe\u0301y", ("nfc",)).spans == ((0, 1), (1, 3), (3, 4))
    assert normalize("a\u0327\u030a", ("nfc",)).spans == ((0, 3), (1, 2))
    assert normalize("a\u030a\u0327", ("nfd",)).spans == ((0, 1), (2, 3), (1, 2))


@pytest.mark.parametrize("keys", CHAINS, ids="+".join)
def test_the_way_back(keys):
    @given(ANY)
    def compare(text):
        made = normalize(text, keys)
        assert made.text == normalized(text, keys)
        assert len(made.spans) == len(made.text)
        assert all(0 <= start < end <= len(text) for start, end in made.spans)
        assert "".join(part.before for part in made.aligned) == text
        assert "".join(part.after for part in made.aligned) == made.text
        covered = {place for start, end in made.spans for place in range(start, end)}
        removed = sum(len(before) for before, after in made.aligned if not after)
        assert removed == len(text) - len(covered)

    compare()


def test_the_guide_s_outputs():
    """SEEDS of the complete guide."""
    assert normalized(GUIDE, ("nfc",)) == GUIDE
    assert normalized(GUIDE, ("lowercase",)) == "thís is  án examplé     séntence"
    assert normalized(GUIDE, ("bert",)) == "this is  an example     sentence"
    assert normalized(GUIDE, ("nfd", "strip-accents", "lowercase")) == normalized(GUIDE, ("bert",))
    assert normalize(GUIDE, ("bert",)).span(11, 18) == (11, 18)


@pytest.mark.parametrize("keys", product(NORMALIZERS, repeat=2), ids="+".join)
def test_a_text_may_be_taken_apart_at_the_safe_places(keys):
    assert "ŉ" in cased()
    for char in cased():
        made = normalized(char, keys)
        assert not made[:1].isspace()
        assert not made[-1:].isspace()
        assert made
        assert normalized(f"{char} {char}", keys) == f"{made} {made}"
    assert regex.findall(BETWEEN_LETTERS, "one Two é. x 中 y") == ["", ""]


@pytest.mark.parametrize("key", PRETOKENIZERS)
def test_a_text_in_pieces_is_counted_as_a_whole(key, monkeypatch):
    monkeypatch.setattr(text_batches, "CHUNK", 12)

    @given(st.lists(ANY, max_size=4).map(" a B ".join), st.sampled_from(CHAINS))
    def compare(text, keys):
        chosen = Settings(key, normalizers=keys, special_tokens=("<|endoftext|>",))
        whole = Counter()
        for part in text.split("<|endoftext|>"):
            whole.update(PRETOKENIZERS[key].strings(normalized(part, keys)))
        assert list(count_pretokens([text], chosen).items()) == list(whole.items())

    compare()
    long = [part for part, _ in text_batches.chunks("One tWo three. " * 500, Settings("gpt2", normalizers=("nfc",)))]
    assert max(map(len, long)) < 60


@pytest.mark.parametrize("keys", CHAINS, ids="+".join)
def test_training_counts_the_normalized_text(keys):
    text = "".join(EXAMPLE_TEXTS.values())[:6000] + GUIDE
    settings = Settings(normalizers=keys, vocab_size=400)
    run = train([text, text[:500]], settings)
    plain = train([normalized(text, keys), normalized(text[:500], keys)], Settings(vocab_size=400))
    assert run.merges == plain.merges
    assert run.words(20) == plain.words(20)
    assert run.blocked_pairs(20) == plain.blocked_pairs(20)
    assert train([text, text[:500]], settings, workers=2).merges == run.merges
    assert all(finding.holds for finding in check(run, 20))


@given(ANY, st.sampled_from(CHAINS), st.sampled_from(["none", "end", "start"]))
def test_training_equals_the_textbook(text, keys, marker):
    chosen = Settings("whitespace", "characters", marker, vocab_size=100_000, normalizers=keys)
    run = train(text, chosen)
    words, film = textbook_train(text, chosen)
    assert dict(run.words(0)) == words
    for step, (pair, count, after) in enumerate(film, 1):
        assert run.merges[step - 1][:2] == pair
        assert run.merges[step - 1].count == count
        assert dict(run.words(step)) == after
    assert reference.count_pairs(dict(run.words(run.steps))) == {}


@given(ANY, st.sampled_from(CHAINS), st.sampled_from(list(PRETOKENIZERS)), st.sampled_from(["bytes", "characters"]))
def test_encoding_a_normalized_text(text, keys, pretokenizer, alphabet):
    chosen = Settings(pretokenizer, alphabet, normalizers=keys, vocab_size=400, special_tokens=("<|endoftext|>",))
    tok = train(EXAMPLE_TEXTS["short-story"][:500], chosen).tokenizer()
    encoding = tok.encode(text, specials=True)
    parts = text.split("<|endoftext|>")
    seen = "<|endoftext|>".join(normalized(part, keys) for part in parts)
    assert encoding.normalized.text == seen
    assert tok.ids(text, specials=True) == list(encoding.ids) == [i for word in encoding.words for i in word]
    assert all(0 <= start <= end <= len(text) for start, end in encoding.spans)
    assert all(seen[start:end] == part for part, start, end, _ in encoding.pretokens)
    lost = {place for start, end, _ in encoding.losses for place in range(start, end)}
    kept = "".join(char for place, char in enumerate(text) if place not in lost)
    if normalized(text, keys) == text:
        assert tok.pipeline.text_of(tok.token_bytes(i) for i in encoding.ids if i >= 0) == kept
    if PRETOKENIZERS[pretokenizer].lossless:
        assert tok.pipeline.text_of(encoding.tokens) == seen


def test_decoding_says_what_normalization_changed():
    tok = train("a b", Settings("whitespace", word_marker="end", normalizers=("bert",), vocab_size=256)).tokenizer()
    encoding = tok.encode("É  \0b c")
    assert [(start, end, why) for start, end, why in encoding.losses] == [
        (0, 1, "changed by normalization"),
        (1, 3, "dropped by the pretokenizer"),
        (3, 4, "changed by normalization"),
    ]
    assert tok.decode(encoding.ids) == "e b c"


def test_a_space_that_normalization_put_there_is_not_lost_by_the_cut():
    tok = train("a b", Settings("whitespace", normalizers=("bert",), vocab_size=256)).tokenizer()
    encoding = tok.encode("中文 x")
    assert encoding.normalized.text == " 中  文  x"
    dropped = "dropped by the pretokenizer"
    assert [loss for loss in encoding.losses if loss.why == dropped] == [(2, 3, dropped)]


def test_the_marker_stands_behind_the_last_character_of_its_word():
    tok = train("中", Settings("whitespace", "characters", "end", vocab_size=2, normalizers=("bert",))).tokenizer()
    assert tok.encode("中中").spans == ((0, 1), (1, 1), (1, 2), (2, 2))


@pytest.mark.parametrize("marker", ["end", "start"])
def test_a_space_that_the_marker_brings_back_is_not_lost(marker):
    settings = Settings("whitespace", word_marker=marker, vocab_size=300, special_tokens=("<s>",))
    tok = train("low lower", settings).tokenizer()
    for text, lost in (("low  lower low", [(3, 5)]), (" low ", [(0, 1), (4, 5)]), ("low lower", []), ("", [])):
        assert [loss[:2] for loss in tok.encode(text).losses] == lost
        if not lost:
            assert tok.decode(tok.encode(text).ids) == text
    for text in ("low <s>", "<s> low"):
        encoding = tok.encode(text, specials=True)
        assert (tok.decode(encoding.ids) == text) == (encoding.losses == ())


def test_a_normalizer_that_is_none():
    unknown = "normalizer 'NFC' is unknown; choose one of nfc, nfd"
    with pytest.raises(SettingsError, match=unknown.replace("normalizer", "normalizers")):
        Settings(normalizers=("NFC",))
    for change in (normalize, normalized):
        with pytest.raises(ValueError, match=unknown):
            change("a", ("NFC",))


@pytest.mark.parametrize("keys", CHAINS, ids="+".join)
def test_what_a_text_costs_as_the_vocabulary_grows(keys):
    run = train(EXAMPLE_TEXTS["many-languages"], Settings(normalizers=keys, vocab_size=500))
    plain = train(normalized(EXAMPLE_TEXTS["many-languages"], keys), Settings(vocab_size=500))
    text = EXAMPLE_TEXTS["numbers-dates"] + GUIDE
    ours, expected = cost_curve(text, run.tokenizer()), cost_curve(normalized(text, keys), plain.tokenizer())
    assert ours.tokens.tolist() == expected.tokens.tolist()
    assert ours.words == expected.words
    assert ours.base == replace(expected.base, is_normalized=text != normalized(text, keys))
