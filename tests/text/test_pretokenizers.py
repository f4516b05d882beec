"""Each pretokenizer against the library that it comes from."""

import unicodedata

import pytest
import regex
import tiktoken_ext.openai_public as openai_public
from hypothesis import given
from tokenizers import Regex, pre_tokenizers

from bpe_core import PRETOKENIZERS, PatternError, Settings, train
from bpe_core.corpus.counting import count_pretokens
from bpe_core.text import custom_patterns
from bpe_core.text.custom_patterns import custom
from bpe_core.text.pretoken_arrays import pretoken_arrays
from tests.texts import EXAMPLE_TEXTS, NASTY, NASTY_UNICODE, TEXTS

HUGGING_FACE = {
    "whitespace": pre_tokenizers.WhitespaceSplit(),
    "bert": pre_tokenizers.BertPreTokenizer(),
    "digits": pre_tokenizers.Digits(individual_digits=True),
    "punctuation": pre_tokenizers.Punctuation(),
}
TIKTOKEN = {"gpt2": "gpt2", "cl100k": "cl100k_base", "o200k": "o200k_base"}
# Each library has the Unicode tables of another year: characters that all of them know.
KNOWN = TEXTS.filter(lambda text: all(unicodedata.ucd_3_2_0.category(char) not in ("Cn", "Cs") for char in text))


def check(ours: str, theirs: list[str], text: str) -> None:
    assert PRETOKENIZERS[ours].strings(text) == theirs
    assert [pretoken.text for pretoken in PRETOKENIZERS[ours].split(text)] == theirs


@pytest.mark.parametrize("key", HUGGING_FACE)
def test_equals_hugging_face(key):
    def compare(text):
        cut = [piece for piece, _ in HUGGING_FACE[key].pre_tokenize_str(text) if piece]
        check(key, cut, text)

    for text in [*EXAMPLE_TEXTS.values(), *NASTY_UNICODE]:
        compare(text)
    given(KNOWN)(compare)()


@pytest.mark.parametrize("key", ["gpt2", "metaspace"])
def test_equals_hugging_face_but_for_its_letters(key):
    """Hugging Face returns these in disguise, so the offsets are compared."""
    theirs = {
        "gpt2": pre_tokenizers.ByteLevel(add_prefix_space=False),
        "metaspace": pre_tokenizers.Metaspace(prepend_scheme="never"),
    }[key]
    for text in [*EXAMPLE_TEXTS.values(), *NASTY_UNICODE]:
        cut = [offsets for piece, offsets in theirs.pre_tokenize_str(text) if piece]
        assert [(start, end) for _, start, end, _ in PRETOKENIZERS[key].split(text)] == cut


@pytest.mark.parametrize("key", TIKTOKEN)
def test_equals_tiktoken(key, monkeypatch):
    for loader in ("load_tiktoken_bpe", "data_gym_to_mergeable_bpe_ranks"):
        monkeypatch.setattr(openai_public, loader, lambda *_, **__: {})
    pattern = regex.compile(getattr(openai_public, TIKTOKEN[key])()["pat_str"])

    def compare(text):
        check(key, pattern.findall(text), text)

    for text in [*EXAMPLE_TEXTS.values(), *NASTY]:
        compare(text)
    given(TEXTS)(compare)()


NUMBERS = [("1234567890" * 13)[:length] for length in range(1, 131)]


@pytest.mark.parametrize("key", ["gpt2", "o200k", "digits-right"])
def test_equals_hugging_face_split_by_the_same_pattern(key):
    """Their regular expressions run in another engine, in which the `$` of cl100k means the end of any line."""
    pattern = PRETOKENIZERS[key].pattern
    for possessive in ("++", "?+", "*+", "{1,3}+"):
        pattern = pattern.replace(possessive, possessive[:-1])
    theirs = pre_tokenizers.Split(Regex(pattern), "isolated")
    for text in [*EXAMPLE_TEXTS.values(), *(text for text in NASTY_UNICODE if "ſ" not in text), " + ".join(NUMBERS)]:
        assert [piece for piece, _ in theirs.pre_tokenize_str(text)] == PRETOKENIZERS[key].strings(text)


def test_digits_in_threes_from_the_right():
    row = PRETOKENIZERS["digits-right"]
    for number in NUMBERS[:60]:
        assert row.strings(f"a {number}.") == ["a", " ", *f"{int(number):,}".split(","), "."]
    for number in NUMBERS[60:]:  # the digits before the last sixty are in threes from the left
        left = (len(number) - 58) // 3 * 3
        threes = [number[at : at + 3] for at in range(0, left, 3)]
        assert row.strings(number) == [*threes, *row.strings(number[left:])]
    assert pretoken_arrays(NUMBERS, row).texts() == [piece for number in NUMBERS for piece in row.strings(number)]
    assert row.strings("12 345,67 ½") == ["12", " ", "345", ",", "67", " ", "½"]


@pytest.mark.parametrize("key", PRETOKENIZERS)
@given(text=TEXTS)
def test_offsets_and_losslessness(key, text):
    cut = PRETOKENIZERS[key].split(text)
    assert all(text[start:end] == piece for piece, start, end, _ in cut)
    assert {rule for *_, rule in cut} <= {name for name, _ in PRETOKENIZERS[key].rules}
    if PRETOKENIZERS[key].lossless:
        assert "".join(piece for piece, *_ in cut) == text


def test_the_guide_s_pretokens():
    """SEEDS of the complete guide: BERT with offsets, whitespace, GPT-2, ALBERT (metaspace)."""
    text = "this sentence's content includes: characters, spaces, and punctuation."
    bert = [(piece, start, end) for piece, start, end, _ in PRETOKENIZERS["bert"].split(text)]
    assert bert[:4] == [("this", 0, 4), ("sentence", 5, 13), ("'", 13, 14), ("s", 14, 15)]
    assert bert[4:7] == [("content", 16, 23), ("includes", 24, 32), (":", 32, 33)]
    assert bert[-2:] == [("punctuation", 58, 69), (".", 69, 70)]
    assert {"sentence's", "includes:"} <= set(PRETOKENIZERS["whitespace"].strings(text))
    assert PRETOKENIZERS["gpt2"].strings(text)[:6] == ["this", " sentence", "'s", " content", " includes", ":"]
    assert PRETOKENIZERS["metaspace"].strings(text)[:2] == ["this", " sentence's"]


def test_rules_name_what_they_cut():
    rules = [rule for *_, rule in PRETOKENIZERS["gpt2"].split("I'll pay 5 €  now")]
    assert rules == ["letters", "contraction", "letters", "digits", "other", "whitespace", "letters"]


def test_custom_pattern():
    run = train("banana", Settings("custom", pattern="[aeiou]|[^aeiou]+", vocab_size=300))
    assert run.pretokens == ("b", "a", "n")
    with pytest.raises(PatternError, match="the pattern does not compile: missing"):
        Settings("custom", pattern="(")
    with pytest.raises(PatternError, match="the pattern is empty"):
        Settings("custom")


def test_custom_pattern_that_runs_away(monkeypatch):
    monkeypatch.setattr(custom_patterns, "CUSTOM_SECONDS", 0.2)
    custom.cache_clear()
    slow, text = custom("(a|aa|aaa)+$"), "a" * 5000 + "b"
    with pytest.raises(PatternError, match="the pattern takes too long on this text"):
        slow.split(text)
    monkeypatch.setattr(type(slow), "_found", lambda *_: pytest.fail("it is not tried again"))
    with pytest.raises(PatternError, match="the pattern takes too long on this text"):
        slow.strings(text)
    custom.cache_clear()


@pytest.mark.parametrize(
    ("pattern", "text", "cut"),
    [
        (r"(\w)\1|\w", "aab", ["aa", "b"]),
        (r"(?|(a)|(b))\1", "aabba", ["aa", "bb"]),
        ("(?x) a+ | b  # remark", "aab", ["aa", "b"]),
        (r"(a)(b)\2", "abbab", ["abb"]),
        ("(a)?(?(1)b|c)", "abcb", ["ab", "c"]),
        (r"(?P<r0>a)(?P<r1>b)", "ab", ["ab"]),
        (r"\(?R|.", "R(Rb", ["R", "(R", "b"]),
    ],
)
def test_a_custom_pattern_has_one_compiled_form(pattern, text, cut):
    made = custom(pattern)
    assert made.strings(text) == cut
    assert [(word, rule) for word, *_, rule in made.split(text)] == [(word, "match") for word in cut]
    assert made.rule_at(text, text.index(cut[0])) == "match"
    counts = dict.fromkeys(cut, 0) | {word: cut.count(word) for word in cut}
    assert count_pretokens(text, Settings("custom", pattern=pattern)) == counts


@pytest.mark.parametrize("call", ["(?R)", "(?0)", "(a)(?1)", "(?+1)(a)", "(a)(?-1)", "(?P<n>a)(?&n)", "(?P<n>a)(?P>n)"])
def test_a_pattern_that_calls_itself_is_refused(call):
    for pattern in (f"{call}?a", rf"\\{call}", f"(?x)#\n{call}", f"[a]{call}"):
        with pytest.raises(PatternError, match="calls itself"):
            Settings("custom", pattern=pattern)


@pytest.mark.parametrize(
    ("pattern", "sentence"),
    [(r"(?r)\w+", "searches from the end"), ("(" * 3000 + "a" + ")" * 3000, "nested too deeply")],
)
def test_a_pattern_that_cannot_be_used_is_refused_in_a_sentence(pattern, sentence):
    with pytest.raises(PatternError, match=sentence):
        Settings("custom", pattern=pattern)


def test_a_pattern_that_takes_all_the_memory_says_so(monkeypatch):
    def out_of_memory(*_, **__):
        raise MemoryError

    monkeypatch.setattr("regex.compile", out_of_memory)
    with pytest.raises(PatternError, match="takes too much memory"):
        custom("a|memory")
    monkeypatch.undo()
    cut = custom("a|memory")
    monkeypatch.setattr(type(cut), "_found", out_of_memory)
    with pytest.raises(PatternError, match="took all the memory"):
        cut.split("a")


def test_custom_pattern_with_groups_and_empty_matches():
    assert custom("(a)|b*").strings("abba") == ["a", "bb", "a"]
    assert [text for text, *_ in custom("(a)|b*").split("abba")] == ["a", "bb", "a"]
