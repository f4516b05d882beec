"""The alternatives of a pattern: what is said about each, and patterns taken apart, held to the regex library."""

import json
from dataclasses import replace
from time import process_time

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import pre_tokenizers

from bpe_core import PRETOKENIZERS, Settings, dumps, loads, train
from bpe_core.text.custom_patterns import custom
from bpe_core.text.pattern_parts import alternatives, taken_apart
from bpe_core.text.rules import PatternError
from bpe_core.text.rust_patterns import from_rust
from bpe_core.tokenizer.why_cut import cuts
from tests.texts import CORPUS, NASTY, TEXTS

# What the words say: an example that an alternative takes whole, and one that it does not, found by hand.
SAID = {
    "everything up to the next white space": (["a-1"], ["a b"]),
    "an apostrophe and s, t, re, ve, m, ll or d": (["'s", "'ll"], ["'S", "s", "'x"]),
    "an apostrophe and s, t, re, ve, m, ll or d, small or capital": (["'S", "'ve"], ["'x"]),
    "letters, with the space before them": ([" né", "a"], ["  a", "-a", "a1"]),
    "letters": (["né"], [" a"]),
    "letters, with one space or sign before them, if any": ([" né", "-A", "\ta", "a"], ["--a", "1a", "\na"]),
    "letters and marks, with one space or sign before them, if any": (
        [" né", "-e\u0301", "\u0301"],
        ["--a", "1a", "\na"],
    ),
    "capitals if any, then small letters, with one space or sign before them, if any": (
        [" Né", "-a", "NAsa"],
        ["NASA", "1a"],
    ),
    "capitals, with one space or sign before them, if any": ([" NASA", "-A"], ["Nasa1", "1A"]),
    "capitals if any, then small letters, with one space or sign before and a contraction after them, if any": (
        [" Don't", "we'LL", "a"],
        ["DON'T", "don'x"],
    ),
    "capitals, with one space or sign before and a contraction after them, if any": ([" DON'T", "A"], ["1A", "A'x"]),
    "digits, with the space before them": ([" 12345", "½"], ["a1"]),
    "digits": (["12345"], [" 1"]),
    "one digit": (["1", "²"], ["12"]),
    "up to three digits": (["1", "123"], ["1234"]),
    "digits in threes, counted from the right": (["1", "123"], ["1234"]),
    "everything up to the next digit": (["a b."], ["a1"]),
    "other signs, with the space before them": ([" ./", "🦜"], ["a", "  ."]),
    "other signs": (["./"], [" .", "a"]),
    "other signs, with the space before and the line breaks after them": ([" .\n\n", "!"], [". \n", "a"]),
    "other signs, with the space before and the line breaks and slashes after them": ([" .\n/", "!"], [". \n", "a"]),
    "white space at the end of the text": (["  \n "], ["a"]),
    "white space up to its last line break": (["  \n", "\n"], [" ", "\n "]),
    "white space; before a word without its last character, unless that is all": (["  ", "\n"], ["a"]),
    "white space; before a word without its last character": (["  "], ["a"]),
    "white space": ([" \n"], ["a"]),
    "one punctuation mark": (["!", "$"], ["!!", "a"]),
    "everything up to the next punctuation mark or white space": (["né1"], ["a.", "a b"]),
    "everything up to the next punctuation mark": (["né 1"], ["a."]),
    "everything up to the next space, with the space before it": ([" a\nb", "a."], ["a b"]),
    "a space that no word takes": ([" "], ["  ", "\n"]),
    "a line, with its line break": (["a b\n", "a"], ["a\nb"]),
    "the whole text": (["a\n b"], [""]),
}
ALL = {(row.pattern, row.words) for splitter in PRETOKENIZERS.values() for row in alternatives(splitter)}


@pytest.mark.parametrize(("pattern", "words"), sorted(ALL))
def test_what_is_said_about_an_alternative_is_so(pattern, words):
    taken, not_taken = SAID[words]
    assert [text for text in taken if not regex.fullmatch(pattern, text)] == []
    assert [text for text in not_taken if regex.fullmatch(pattern, text)] == []


def test_white_space_before_a_word_is_without_its_last_character():
    spaces = dict(PRETOKENIZERS["gpt2"].rules)["whitespace"]
    assert [regex.match(spaces, text)[0] for text in ("   a", "\na", "  ")] == ["  ", "\n", "  "]
    assert PRETOKENIZERS["digits-right"].strings("1234567") == ["1", "234", "567"]


PATTERNS = [
    r"'(?:s|t)|[^|\s]+|\s",
    r"\||a[]|]b|[^]|]+",
    r"(?i:a|b)c|\p{N}{1,3}|(?=a)b|\s+(?!\S)|\s+",
    r"[[:alpha:]|]+|.",
    r"a|",
    from_rust(PRETOKENIZERS["llama3"].pattern),
]


@given(st.sampled_from(PATTERNS), TEXTS | st.sampled_from([CORPUS, *NASTY]))
def test_a_pattern_taken_apart_cuts_as_the_library_and_names_its_group(pattern, text):
    apart = taken_apart(custom(pattern))
    assert "|".join(part for _, part in apart.rules) == pattern
    grouped = regex.compile("|".join(f"({part})" for _, part in apart.rules))
    assert len(apart.rules) > 1
    expected = [(*m.span(), f"alternative {m.lastindex}") for m in grouped.finditer(text) if m[0]]
    assert [(start, end, rule) for _, start, end, rule in apart.split(text)] == expected
    assert [span[:2] for span in expected] == [p[1:3] for p in custom(pattern).split(text)]


@pytest.mark.parametrize("pattern", [r"(a)|b", r"(?i)a|b", r"(?:a|b)", r"(?<x>a)|(?P=x)", "a"])
def test_a_pattern_that_cannot_be_taken_apart_is_shown_whole(pattern):
    assert [row.pattern for row in alternatives(custom(pattern))] == [pattern]


def test_a_pattern_that_takes_too_long_is_tried_once_on_a_text():
    """Else each key in another control would cost the visitor the whole time limit again."""
    tok = train("a b", Settings("gpt2", vocab_size=257)).tokenizer()
    tok = replace(tok, pretokenizer=replace(custom(r"(?:a+)+$|x"), seconds=0.5))
    for most in (2.0, 0.25):
        begun = process_time()
        with pytest.raises(PatternError, match="takes too long on this text"):
            cuts(tok, "a" * 3000 + "b")
        assert process_time() - begun < most


def test_a_pattern_of_rust_has_the_words_of_ours():
    assert [row.words for row in alternatives(custom(from_rust(PRETOKENIZERS["llama3"].pattern)))][1:4] == [
        "letters, with one space or sign before them, if any",
        "up to three digits",
        "other signs, with the space before and the line breaks after them",
    ]


def test_the_patterns_of_an_opened_file():
    tok = train("a b1", Settings("gpt2", vocab_size=257)).tokenizer()
    file = json.loads(dumps(tok)["tokenizer.json"])
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}

    def opened(*parts):
        file["pre_tokenizer"] = {"type": "Sequence", "pretokenizers": [*parts, byte_level]}
        return loads({"tokenizer.json": json.dumps(file).encode()})

    pattern = r"[ab]+|\p{N}|(?:.|\n)"
    own = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}
    one = opened(own)
    digit = ("alternative 2", r"\p{N}", "one digit")
    assert alternatives(one.pretokenizer) == [("alternative 1", "[ab]+", ""), digit, ("alternative 3", r"(?:.|\n)", "")]
    found = [(cut.text, cut.rule[-1:]) for cut in cuts(one, "ab12 🦜")]
    assert found == [("ab", "1"), ("1", "2"), ("2", "2"), (" ", "3"), ("🦜", "3")]
    two = opened({"type": "Digits", "individual_digits": True}, own)
    assert [row.pattern for row in alternatives(two.pretokenizer)] == [r"\p{N}", "[ab]+", r"\p{N}", r"(?:.|\n)"]
    assert [(cut.text, cut.rule) for cut in cuts(two, "ab1")] == [("ab", ""), ("1", "")]
    for text in (r"\p{N}{1,3}", "a|b", ". ", "(?i:a)", "\n"):
        literal = opened({**own, "pattern": {"String": text}})
        (row,) = alternatives(literal.pretokenizer)
        assert row == ("alternative 1", text, f"the text “{text}”, letter for letter")
        typed = f"a{text}1 {text}"
        library = pre_tokenizers.Split(text, "isolated").pre_tokenize_str(typed)
        assert [cut.text for cut in cuts(literal, typed)] == [piece for piece, _ in library]
        assert {cut.text for cut in cuts(literal, typed) if cut.rule} == {text}
    long = opened({**own, "pattern": {"Regex": "a|" * 50_000 + "b"}})
    assert [row.name for row in alternatives(long.pretokenizer)] == ["text"]


def test_a_pretoken_of_a_library_is_named_only_where_the_text_as_typed_shows_it_once():
    own = train("é é", Settings("gpt2", "characters", vocab_size=9, normalizers=("nfd",))).tokenizer()
    named = [(cut.text, cut.rule) for cut in cuts(loads(dumps(own)), "é ab low! 12")]
    rules = {" ab": "letters", " low": "letters", "!": "other", " 12": "digits"}
    assert named == [("é", ""), ("é", ""), *rules.items()]
    assert rules.items() <= {(cut.text, cut.rule) for cut in own.cuts("é ab low! 12")}
