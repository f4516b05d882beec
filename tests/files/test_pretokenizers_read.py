"""Cuts from files, against the library that they are written for: nested classes, and cuts of letters for bytes."""

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Regex, models, pre_tokenizers, trainers
from tokenizers import Tokenizer as Theirs

from bpe_core import FormatError, loads
from bpe_core.files.pattern_to_pretokenizer import cut_of_pattern
from bpe_core.files.pretokenizers_read import from_hugging_face
from bpe_core.text.gpt2_bytes import in_letters
from bpe_core.text.patterns import custom
from bpe_core.text.pretokenizers import PRETOKENIZERS
from bpe_core.text.rules import PatternError
from tests.files.test_reading import BLOOM, falcon
from tests.files.test_writing import WRITABLE
from tests.texts import EXAMPLE_TEXTS, NASTY_UNICODE

MEMBERS = st.sampled_from([*"abz ^-&|:()]", "b-y", "a-", r"\s", r"\S", r"\]", r"\[", r"\-", r"\p{Lu}", r"\d", "é", "।"])
INNER = st.lists(MEMBERS, max_size=4).map("".join)
CLASSES = st.recursive(
    INNER,
    lambda inner: st.tuples(INNER, st.sampled_from(["[", "[^"]), inner, INNER).map(
        lambda parts: f"{parts[0]}{parts[1]}{parts[2]}]{parts[3]}"
    ),
    max_leaves=3,
)
SIGNS = st.text("abyzAB ^-&|:()[]\\s1é।\n", max_size=20)


def their_cut(pattern):
    """Their pre-tokenizer of a pattern, or None where it is none."""
    try:
        return pre_tokenizers.Split(Regex(pattern), "isolated")
    except Exception:  # they raise nothing more exact
        return None


def cut_of(theirs):
    return from_hugging_face(None, json.loads(theirs.__getstate__())).pretokenizer


def same(theirs, ours, text):
    assert ours.strings(text) == [piece for piece, _ in theirs.pre_tokenize_str(text)]


@given(WRITABLE | SIGNS | st.lists(st.sampled_from(" ()|[].,!?…。，、।۔،aé1\n\u3000"), max_size=20).map("".join))
def test_bloom_s_pattern_cuts_as_theirs(text):
    theirs = their_cut(BLOOM)
    ours = cut_of(theirs)
    for each in (text, *NASTY_UNICODE, *EXAMPLE_TEXTS.values()):
        same(theirs, ours, each)


@given(st.sampled_from(["[", "[^"]), CLASSES, st.sampled_from(["]", "]+"]), st.lists(SIGNS, min_size=3, max_size=6))
def test_classes_in_classes_cut_as_theirs_or_are_refused(opened, inside, closed, texts):
    theirs = their_cut(f"{opened}{inside}{closed}")
    if theirs is None:
        return
    try:
        ours = cut_of(theirs)
    except FormatError:
        return
    for text in (*texts, "abcyz ABé।1 ^-&|:()[]\\s\n"):
        same(theirs, ours, text)


# --- Falcon: what comes after ByteLevel ---

LETTERS = [in_letters(bytes([byte])) for byte in range(256)]
WITH_DIGITS = st.lists(
    st.sampled_from(
        ["1", "23", "4567", "²", "³", "½", "٣", "Ⅷ", "ò", "ù", "年", "于", "a", "é", " ", "\n", ".", "'s", "🦜"]
    ),
    max_size=16,
).map("".join)


def compare(theirs, tok, text):
    assert tok.ids(text) == theirs.encode(text, add_special_tokens=False).ids


def test_falcon_s_cut_of_letters_for_bytes_is_a_cut_of_text():
    theirs = Theirs(models.BPE())
    theirs.pre_tokenizer = falcon()
    trainer = trainers.BpeTrainer(vocab_size=900, initial_alphabet=LETTERS, show_progress=False)
    theirs.train_from_iterator(["12 345 67 x² 3² ½ più 12² " * 9, *EXAMPLE_TEXTS.values()], trainer)
    tok = loads({"a": theirs.to_str().encode()})
    assert any(len(token) > 1 and token.isdigit() for token in tok.tokens)
    assert tok.pretokenizer.strings("in 12345, x²") == ["in", " ", "123", "45", ",", " x", "²"]
    for text in [*NASTY_UNICODE, *EXAMPLE_TEXTS.values()]:
        compare(theirs, tok, text)
    given(WITH_DIGITS | WRITABLE)(lambda text: compare(theirs, tok, text))()


def with_merges(pairs, **model):
    vocab = {letter: i for i, letter in enumerate(LETTERS)}
    for left, right in pairs:
        vocab.setdefault(left + right, len(vocab))
    theirs = Theirs(models.BPE(vocab=vocab, merges=pairs, **model))
    theirs.pre_tokenizer = falcon()
    return theirs


@given(st.data())
def test_any_merges_give_their_ids_or_are_refused(data):
    """Merges that no training makes, too."""
    known, pairs = [*"12aĠ", "Â", "Ã", "²", "¹"], []
    for _ in range(data.draw(st.integers(0, 6))):
        pair = data.draw(st.tuples(st.sampled_from(known), st.sampled_from(known)))
        if pair not in pairs:
            pairs.append(pair)
            known.append("".join(pair))
    theirs = with_merges(pairs)
    try:
        tok = loads({"a": theirs.to_str().encode()})
    except FormatError:
        return
    for _ in range(5):
        compare(theirs, tok, data.draw(st.text("12aòù²¹Âé \n", max_size=16)))


@pytest.mark.parametrize("pair", [("Â", "²"), ("²", "1"), ("1", "²"), ("Ġ", "1"), ("1", "a")])
def test_a_merge_across_a_cut_of_digits_is_refused(pair):
    with pytest.raises(FormatError, match="joins what Digits cuts after ByteLevel"):
        loads({"a": with_merges([pair]).to_str().encode()})
    with pytest.raises(FormatError, match="the model has ignore_merges, and Digits after ByteLevel"):
        loads({"a": with_merges([], ignore_merges=True).to_str().encode()})


@pytest.mark.parametrize(
    "behind",
    [
        pre_tokenizers.Digits(True),
        pre_tokenizers.Punctuation(),
        pre_tokenizers.Split(Regex(r"\p{N}"), "isolated"),
        pre_tokenizers.Split(Regex("[0-9]"), "removed"),
        pre_tokenizers.Split("[0-9]", "isolated"),
        pre_tokenizers.ByteLevel(),
    ],
)
def test_other_cuts_of_letters_for_bytes_are_refused(behind):
    theirs = with_merges([])
    theirs.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.ByteLevel(add_prefix_space=False), behind])
    with pytest.raises(FormatError, match="comes after ByteLevel, which is not supported"):
        loads({"a": theirs.to_str().encode()})


# --- Split: patterns that match nothing, letters of either case ---

BEHAVIORS = ["isolated", "removed", "contiguous", "merged_with_previous", "merged_with_next"]


@pytest.mark.parametrize("inverted", [False, True])
@pytest.mark.parametrize("behavior", BEHAVIORS)
@pytest.mark.parametrize(
    "pattern",
    ["(?=[A-Z])", r"\s*", r"\d*", r"(?=\d)|\s+", "(?=[ab])|ab", "a|(?=b)", "|a", "a|", r"(?<=[ab])|\s", "(?!a)|A+"],
)
def test_a_pattern_that_matches_nothing_cuts_as_theirs(pattern, behavior, inverted):
    theirs = pre_tokenizers.Split(Regex(pattern), behavior, inverted)
    ours = cut_of(theirs)

    @settings(max_examples=60, deadline=None)
    @given(st.text("abAB 1", max_size=12))
    def compare(text):
        same(theirs, ours, text)

    same(theirs, ours, "ab CamelCase 12 x")
    compare()


def test_a_pattern_that_matches_nothing_comes_to_an_end_in_time():
    cut = replace(cut_of(their_cut(r"(?=x)|(a|aa|b)+c")), seconds=0.3)
    with pytest.raises(PatternError, match=r"took more than 0\.3 seconds"):
        cut.strings("x" * 100 + "ab" * 3000)


FOLDED = [
    r"(?i:'s)|[^a-z\s]+",
    r"(?i:'s)|[^\p{Lu}]+",
    r"(?i:'s)|\P{Lu}+",
    r"(?i:'s)|[^\sb]",
    "[^ab]|(?i:c)",
    "(?i:'s|'t|k|'ll)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+| ?[^\\s\\p{L}\\p{N}]+",
    r"(?i:[^a-h]z)+|[A-Z]",
    r"(?i:[^\-^\]]x|[a-hk\s][^ks])|.",
    r"(?i:[]a-][^-b]|[^]c]|(?:y|[kx])(?!a))",
    r"(?i:\S[\Sz]|[^\S ])|(?<=(?i:a|s))B",
]


@pytest.mark.parametrize("pattern", FOLDED)
def test_letters_of_either_case_leave_the_rest_of_a_pattern_as_theirs(pattern):
    theirs = their_cut(pattern)
    ours = cut_of(theirs)

    @given(st.text("aAbBcChHkKsSxXyYzZ'-]^ \nſ\u212a1éÉlL", max_size=16))
    def compare(text):
        same(theirs, ours, text)

    same(theirs, ours, "aAbB xX yY'S it'S X")
    compare()


def test_o200k_s_pattern_is_the_known_cut():
    known = PRETOKENIZERS["o200k"]
    assert cut_of(their_cut(known.pattern)) is known
    literal = cut_of(pre_tokenizers.Split(known.pattern, "isolated"))
    assert literal.strings("ab 1") == ["ab 1"]


@pytest.mark.parametrize("pattern", [r"(?<! [0-9]\P{^N}{1,2}?|\p{White_Space}+?\p{Any}++)a", "(?<=a(b?))c", "(?<!a*)b"])
def test_a_count_in_what_is_looked_for_behind_is_refused(pattern):
    part = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated"}
    with pytest.raises(FormatError, match=r"after \(\?<, which is not supported"):
        from_hugging_face(None, part)


# --- What is refused before it is compiled ---

BOMBS = [
    "((a{500}){500}){100}",
    "[a]{50000000}",
    "(((((a{1000}){1000}){1000}){1000}){1000}){1000}",
    "(?:(?:ab{1,3}){900}){900}",
    "(?:" + "ab" * 4000 + "){900,}",
    "a{" + "9" * 5000 + "}",
    "(?:a{,9000}){0000000000009000}",
    "(?x:(?:a{ 90 00 }){9#}\n000})",
]


@pytest.mark.parametrize("pattern", BOMBS)
def test_counts_that_would_take_all_the_memory_are_refused_before_compiling(pattern, monkeypatch):
    part = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}
    monkeypatch.setattr("regex.compile", lambda *_: pytest.fail("compiled"))
    for refused, read in {
        FormatError: (lambda: from_hugging_face(None, part), lambda: cut_of_pattern(pattern)),
        PatternError: (lambda: custom(pattern),),
    }.items():
        for each in read:
            with pytest.raises(refused, match=r"too large|beside \(\?x\)"):
                each()


@pytest.mark.parametrize("pattern", [r"\p{N}{1,3}" * 8, "(?:ab{1,3}){20}|x{500}", r"\p{L}{2,}|.{0}"])
def test_counts_of_some_size_are_read(pattern):
    theirs = their_cut(pattern)
    same(theirs, cut_of(theirs), "abab 123 4 12345678901234567890123456789 " + "x" * 501)
    assert cut_of_pattern(pattern).pattern == pattern


FLAGGED = {
    "Split": {"pattern": {"String": "a"}, "behavior": "Isolated", "invert": False},
    "ByteLevel": {"add_prefix_space": False, "trim_offsets": True, "use_regex": True},
    "Metaspace": {"replacement": "▁", "prepend_scheme": "always", "split": True},
    "Digits": {"individual_digits": True},
}
FLAGS = [
    *[("Split", "invert"), ("ByteLevel", "use_regex"), ("ByteLevel", "add_prefix_space")],
    *[("Metaspace", "split"), ("Metaspace", "add_prefix_space"), ("Digits", "individual_digits")],
]


@pytest.mark.parametrize("value", ["true", "false", "no", 1, 0, [], None, True, False])
@pytest.mark.parametrize(("kind", "name"), FLAGS)
def test_a_flag_is_read_as_theirs_or_refused_where_they_do(kind, name, value):
    part = {"type": kind, **FLAGGED[kind], name: value}
    if (name, kind, value) == ("add_prefix_space", "Metaspace", False):
        part["prepend_scheme"] = "never"
    whole = json.loads(Theirs(models.BPE()).to_str()) | {"pre_tokenizer": part}
    try:
        theirs = Theirs.from_str(json.dumps(whole)).pre_tokenizer
    except Exception:  # they raise nothing more exact
        with pytest.raises(FormatError, match=f"{name} of {kind} has to be true or false, and is "):
            from_hugging_face(None, part)
        return
    assert from_hugging_face(None, part) == from_hugging_face(None, json.loads(theirs.__getstate__()))
