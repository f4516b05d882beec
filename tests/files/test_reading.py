"""Reading files: our own come back equal, other people's encode as in their library, broken ones are refused."""

import dataclasses
import gzip
import json
import pickle
import subprocess
import sys
from base64 import b64encode
from pathlib import Path

import pytest
import regex
import tiktoken
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import AddedToken, Regex, decoders, models, normalizers, pre_tokenizers, trainers
from tokenizers import Tokenizer as Theirs

from bpe_core import PRETOKENIZERS, FormatError, PatternError, Settings, Tokenizer, dumps, load, loads, train
from bpe_core.text.alphabet import encode_text
from bpe_core.tokenizer.boundaries import BoundaryFinder
from bpe_core.tokenizer.token_table import token_table
from tests.files.test_writing import CARRIED, CORPUS, FORMATS, WRITABLE, carried_run
from tests.text.test_normalizers import KNOWN
from tests.texts import EXAMPLE_TEXTS, NASTY_UNICODE

ROOT = Path(__file__).parents[2]
FIELDS = [field.name for field in dataclasses.fields(Tokenizer)]
LLAMA3 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
BLOOM = r" ?[^(\s|[.,!?…。，、।۔،])]+"


def fields(tok):
    return {name: getattr(tok, name) for name in FIELDS}


@pytest.mark.parametrize(("name", "key", "alphabet", "special"), CARRIED)
def test_every_file_comes_back_equal(tmp_path, name, key, alphabet, special):
    run = carried_run(key, alphabet, special)
    for step in (0, run.steps):
        tok = run.tokenizer(step)
        assert fields(load(tok.save(tmp_path, name)[0])) == fields(tok)
        renamed = {f"{i}": content for i, content in enumerate(dumps(tok, name).values())}
        assert fields(loads(renamed)) == fields(tok)


def byte_level(pre_tokenizer, **model):
    theirs = Theirs(models.BPE(**model))
    theirs.pre_tokenizer = pre_tokenizer
    theirs.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    theirs.train_from_iterator(
        [CORPUS], trainers.BpeTrainer(vocab_size=900, initial_alphabet=alphabet, show_progress=False)
    )
    theirs.add_special_tokens(["<|endoftext|>", "<|im_end|>"])
    return theirs


def sentence_piece(scheme=None, normalizer=None, split=True):
    """Llama's way: characters, a letter for the space, and bytes for what is unknown."""
    theirs = Theirs(models.BPE(unk_token="<unk>", byte_fallback=True, fuse_unk=True))
    if normalizer:
        theirs.normalizer = normalizer
    else:
        theirs.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme=scheme, split=split)
    special = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256))]
    trainer = trainers.BpeTrainer(vocab_size=900, special_tokens=special, limit_alphabet=60, show_progress=False)
    theirs.train_from_iterator(EXAMPLE_TEXTS["short-story"].splitlines(), trainer)
    parts = json.loads(theirs.to_str())
    parts["added_tokens"] = parts["added_tokens"][:3]
    return Theirs.from_str(json.dumps(parts))


def chain(*parts):
    return pre_tokenizers.Sequence([*parts, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])


def falcon():
    """What comes after ByteLevel cuts the letters that stand for bytes, some of which are digits."""
    behind = pre_tokenizers.Digits(False), pre_tokenizers.Split(Regex("[0-9][0-9][0-9]"), "isolated")
    before = pre_tokenizers.Punctuation("contiguous"), pre_tokenizers.ByteLevel(add_prefix_space=False)
    return pre_tokenizers.Sequence([*before, *behind])


def normalizing(normalizer):
    theirs = byte_level(pre_tokenizers.ByteLevel(add_prefix_space=False))
    theirs.normalizer = normalizer
    return theirs


def gpt_neox():
    """Added tokens of white space that are looked for in the normalized text, which has the same white space."""
    theirs = normalizing(normalizers.NFC())
    theirs.add_tokens([AddedToken(" " * size, normalized=True) for size in range(5, 1, -1)])
    theirs.add_tokens([AddedToken("\n\t", normalized=True)])
    return theirs


LLAMA2_PARTS = [normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]
LLAMA2 = normalizers.Sequence(LLAMA2_PARTS)
SHAPES = {
    "gpt2": lambda: byte_level(pre_tokenizers.ByteLevel(add_prefix_space=False)),
    "roberta": lambda: byte_level(pre_tokenizers.ByteLevel(add_prefix_space=True)),
    "llama3": lambda: byte_level(chain(pre_tokenizers.Split(Regex(LLAMA3), "isolated")), ignore_merges=True),
    "starcoder": lambda: byte_level(
        pre_tokenizers.Sequence([pre_tokenizers.Digits(True), pre_tokenizers.ByteLevel(add_prefix_space=False)])
    ),
    "deepseek": lambda: byte_level(
        chain(
            pre_tokenizers.Split(Regex(r"\p{N}{1,3}"), "isolated"),
            pre_tokenizers.Split(Regex("[一-龥぀-ゟ゠-ヿ]+"), "isolated"),
            pre_tokenizers.Split(
                Regex(r"[!-/:-~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+|\s+(?!\S)|\s+"), "isolated"
            ),
        )
    ),
    "bloom": lambda: byte_level(chain(pre_tokenizers.Split(Regex(BLOOM), "isolated"))),
    "falcon": lambda: byte_level(falcon()),
    "whitespace and signs": lambda: byte_level(chain(pre_tokenizers.Whitespace())),
    "digits together": lambda: byte_level(chain(pre_tokenizers.Digits(False))),
    **{
        f"split {behavior} {inverted}": lambda b=behavior, i=inverted: byte_level(
            chain(pre_tokenizers.Split(Regex("[aeiou ]"), b, i))
        )
        for behavior in ("isolated", "removed", "contiguous", "merged_with_previous", "merged_with_next")
        for inverted in (False, True)
    },
    "punctuation contiguous": lambda: byte_level(chain(pre_tokenizers.Punctuation("contiguous"))),
    **{f"metaspace {scheme}": lambda s=scheme: sentence_piece(s) for scheme in ("always", "first", "never")},
    "metaspace unsplit": lambda: sentence_piece("first", split=False),
    **{
        name: lambda made=made: normalizing(made)
        for name, made in {
            "nfc": normalizers.NFC(),
            "bert": normalizers.BertNormalizer(strip_accents=True),
            "a chain": normalizers.Sequence([normalizers.NFD(), normalizers.StripAccents(), normalizers.Lowercase()]),
        }.items()
    },
    "albert": lambda: sentence_piece(
        normalizer=normalizers.Sequence([normalizers.NFKC(), normalizers.Lowercase(), *LLAMA2_PARTS])
    ),
    "llama2": lambda: sentence_piece(normalizer=LLAMA2),
    "gemma": lambda: sentence_piece(normalizer=normalizers.Replace(" ", "▁")),
    "gpt-neox": gpt_neox,
    "folded": lambda: byte_level(chain(pre_tokenizers.Split(Regex(r"(?i:'[sdmt]|[^a-h]z)|i\p{^Lu}|\s"), "isolated"))),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_common_shapes_encode_as_in_their_library(shape):
    theirs = SHAPES[shape]()
    tok = loads({"tokenizer.json": theirs.to_str().encode()})

    def compare(text):
        encoding = tok.encode(text)
        assert list(encoding.ids) == theirs.encode(text, add_special_tokens=False).ids
        assert list(encoding.ids) == [i for word in encoding.words for i in word]
        assert all(0 <= start <= end <= len(text) for start, end in encoding.spans)
        for token, (start, end) in zip(encoding.tokens, encoding.spans, strict=True):
            assert tok.normalizers or token.strip(b" ") in encode_text(text[start:end])

    for text in [
        *EXAMPLE_TEXTS.values(),
        *NASTY_UNICODE,
        "a<|im_end|> b</s>c<s>",
        "▁a ▁ b",
        "a       b\n\t\u0301  e\u0301",
        "ò12 3²45 x1234567ò½9 12 3",
    ]:
        compare(text)
    given(KNOWN if tok.normalizers else WRITABLE)(compare)()


def changed(**parts):
    whole = json.loads(dumps(train("hug pug", Settings(vocab_size=258)).tokenizer())["tokenizer.json"])
    model = parts.pop("model", {})
    return json.dumps({**whole, **parts, "model": {**whole["model"], **model}}).encode()


ADDED = {"id": 258, "content": "<x>", "single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
BERT = {
    "type": "BertNormalizer",
    "clean_text": True,
    "handle_chinese_chars": True,
    "strip_accents": None,
    "lowercase": True,
}
BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": False}
LLAMA2_JSON = json.loads(LLAMA2.__getstate__())
VOCAB = json.loads(changed())["model"]["vocab"]
UNSUPPORTED = [
    ({"normalizer": {"type": "Nmt"}}, "the normalizer 'Nmt' is not supported"),
    ({"normalizer": {**BERT, "clean_text": False}}, "BertNormalizer has clean_text off"),
    ({"normalizer": {**BERT, "strip_accents": False}}, "BertNormalizer has strip_accents off"),
    ({"normalizer": {"type": "NFC"}, "added_tokens": [{**ADDED, "normalized": True}]}, "in normalized text"),
    ({"pre_tokenizer": {"type": "UnicodeScripts"}}, "the pre_tokenizer 'UnicodeScripts' is not supported"),
    ({"model": {"type": "WordPiece"}}, "of the type 'WordPiece', and not BPE"),
    ({"model": {"dropout": 0.1}}, "the model has a dropout"),
    ({"model": {"end_of_word_suffix": "</w>"}}, "the model has a end_of_word_suffix"),
    ({"model": {"vocab": {**VOCAB, "hu": 0}}}, "id 0 is given twice"),
    ({"model": {"vocab": {**VOCAB, "hu": -1}}}, "the id of 'hu' is -1"),
    ({"model": {"vocab": {**VOCAB, "hu": 10**12}}}, "the id of 'hu' is 1000000000000"),
    ({"model": {"vocab": {**VOCAB, "hu": True}}}, "has to be a whole number"),
    ({"model": {"vocab": []}}, "the vocab has to be an object, and is list"),
    ({"model": {"vocab": {"a": 0}, "merges": []}}, "the vocab lacks 242 of the bytes"),
    ({"model": {"merges": ["u g", "u g"]}}, "the merge of 'u' and 'g' is given twice"),
    ({"model": {"merges": [["u", "q"]]}}, "needs 'uq', which has no id"),
    ({"model": {"merges": [["u"]]}}, "a merge has to be two tokens"),
    ({"model": {"merges": [["", "u"]]}}, "the merge of '' and 'u'"),
    ({"added_tokens": [{**ADDED, "content": ""}]}, "an added token has no text"),
    ({"added_tokens": [ADDED, ADDED]}, "the added token '<x>' has two ids"),
    ({"added_tokens": [{**ADDED, "id": 97}]}, "the id of the added token '<x>' is given twice"),
    ({"pre_tokenizer": {"type": "Split", "pattern": {"Regex": "a$"}, "behavior": "Isolated"}}, r"has '\$'"),
    ({"pre_tokenizer": {"type": "Split", "pattern": {"Regex": "(a"}, "behavior": "Isolated"}}, "does not compile"),
    (
        {"pre_tokenizer": {"type": "Split", "pattern": {"Regex": "(?i:[z-a])"}, "behavior": "Isolated"}},
        r"has '\[z-a\]' after",
    ),
    (
        {"pre_tokenizer": {"type": "Split", "pattern": {"Regex": r" ?[^(\s|[^.,])]+"}, "behavior": "Isolated"}},
        r"the pattern of Split has '\[\^\(",
    ),
    ({"pre_tokenizer": None}, "neither byte_fallback nor an unk_token"),
    ({"truncation": {"max_length": 3}}, "the file asks for truncation of texts"),
    ({"padding": {"strategy": "BatchLongest"}}, "the file asks for padding of texts"),
    ({"added_tokens": [{**ADDED, "id": 999}]}, "the added token '<x>' has the id 999, and would be loaded with 258"),
    ({"normalizer": {"type": "Sequence", "normalizers": [{"type": "NFC"}] * 65}}, "the normalizer has 65 parts"),
    ({"pre_tokenizer": {"type": "Sequence", "pretokenizers": [BYTE_LEVEL] * 65}}, "the pre_tokenizer has 65 parts"),
    (
        {"normalizer": LLAMA2_JSON, "pre_tokenizer": None, "added_tokens": [{**ADDED, "normalized": True}]},
        "is looked for in normalized text",
    ),
    ({"normalizer": {"type": "NFC"}, "added_tokens": [{**ADDED, "content": ">", "normalized": True}]}, "normalized"),
    (
        {"added_tokens": [{**ADDED, "content": "aa", "normalized": True}, {**ADDED, "content": "ab", "id": 259}]},
        "the added token 'aa' overlaps one that is looked for before it",
    ),
    ({"normalizer": BERT, "pre_tokenizer": {"type": "Metaspace", "prepend_scheme": "first"}}, "normalized away"),
    *(
        ({"pre_tokenizer": {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated"}}, reason)
        for pattern, reason in {
            "a{2}?b": r"the pattern of Split has '\{2\}\?b'",
            r"[^a\P{Lu}\p{Letter}]": r"the pattern of Split has '\[\^a",
            r"[^\s\S]": r"the pattern of Split has '\[\^",
            r"\p{Word}+": "the pattern of Split has the property 'Word'",
            r"[^\p{L}\p{XDigit}]": "the pattern of Split has the property 'XDigit'",
            r"(?i:a|\p{Lu})": r"has '\\\\p\{Lu\}' after \(\?i:",
            "(?i:(x[a-z]))": r"has '\[a-z\]' after",
            "(?i:'s|'i)": "has 'i' after",
            "(?i:é)": "has 'é' after",
        }.items()
    ),
    ({"model": {"unk_token": ["a"]}}, "the unk_token has to be text, and is list"),
    (
        {"model": {"vocab": {**VOCAB, "日": 300, "本": 301, "日本": 302}, "merges": [["日", "本"]]}},
        "a merge has a token that is not written in the letters that stand for bytes",
    ),
    ({"added_tokens": [{**ADDED, "content": "x" * 6000}]}, "a special token has 6,000 characters"),
    (
        {"added_tokens": [{**ADDED, "content": f"{i:0400}", "id": 258 + i} for i in range(400)]},
        "the special tokens have more than 131,072 characters together",
    ),
]


@pytest.mark.parametrize(("parts", "reason"), UNSUPPORTED)
def test_the_part_that_is_not_supported_is_named(parts, reason):
    with pytest.raises(FormatError, match=reason):
        loads({"tokenizer.json": changed(**parts)})


@given(st.permutations(range(8)), st.lists(st.sampled_from("pqrst"), unique=True, max_size=4), st.data())
def test_added_tokens_have_the_ids_that_they_are_loaded_with(ids, names, data):
    """Not always those in the file: new ones are numbered on from the size of the vocabulary."""
    vocab = dict(zip(["<unk>", "a", "b", "c", "p", "q"], ids, strict=False))
    number = st.integers(5, 9)
    added = [{**ADDED, "content": name, "id": vocab.get(name, data.draw(number)), "special": True} for name in names]
    model = {"type": "BPE", "unk_token": "<unk>", "vocab": vocab, "merges": []}
    written = json.dumps({"model": model, "added_tokens": added})
    theirs = Theirs.from_str(written)
    alike = all(theirs.token_to_id(row["content"]) == row["id"] for row in added)
    try:
        special_tokens = loads({"a": written.encode()}).special_tokens
        assert alike
        assert special_tokens == {row["content"]: row["id"] for row in added}
    except FormatError:
        assert not alike or len({*vocab.values(), *(row["id"] for row in added)}) < len({*vocab, *names})


def rank_lines(tokens):
    return b"".join(b"%s %d\n" % (b64encode(token), rank) for rank, token in enumerate(tokens))


BYTES = [bytes([i]) for i in range(256)]


def test_ranks_alone_need_a_cut():
    content = dumps(train(CORPUS, Settings(vocab_size=400)).tokenizer(), ".tiktoken")["tokenizer.tiktoken"]
    with pytest.raises(FormatError, match=r"choose a pretokenizer, or add its \.json file"):
        loads({"x": content})
    assert loads({"x": content}, "cl100k").pretokenizer is PRETOKENIZERS["cl100k"]


@given(st.lists(st.text("abc", min_size=2, max_size=6), unique=True, max_size=12), st.text("abc", max_size=30))
def test_any_ranks_encode_as_in_tiktoken(words, text):
    """Also those that no training has made."""
    tokens = [*BYTES, *(word.encode() for word in words)]
    tok = loads({"x": rank_lines(tokens)}, "none")
    ranks = {token: i for i, token in enumerate(tokens)}
    theirs = tiktoken.Encoding("x", pat_str=r"[\s\S]+", mergeable_ranks=ranks, special_tokens={})
    assert tok.ids(text) == theirs.encode(text)


def many_specials(count):
    lines = b"".join(b"<%d> %d\n" % (i, i + 300) for i in range(count))
    return b"minbpe v1\n\\S+\n%d\n%s97 98\n" % (count, lines)


def nested(depth):
    return b'{"type":"Sequence","pretokenizers":[' * depth + b'{"type":"Digits"}' + b"]}" * depth


def cut_off_vocabulary():
    return json.dumps({"u": 0, "g": 1, "ug": 2, **{f"word{i}": i + 3 for i in range(1000)}}).encode()


WHOLE = changed()
BROKEN = [
    ({"a": WHOLE, "b": WHOLE}, "'a' and 'b' do not belong to one tokenizer: remove one of them"),
    ({"a": b"u g\n", "b": b"{}", "c": b"u g\n"}, "'a' and 'c' do not belong to one tokenizer"),
    ({"a": WHOLE, "b": b"minbpe v1\n"}, "'a' and 'b' do not belong to one tokenizer"),
    ({"a": WHOLE, "b": b"IQ== 0\n"}, "'a' and 'b' do not belong to one tokenizer"),
    ({"a": WHOLE, "b": b"u g\n"}, "'a' and 'b' do not belong to one tokenizer"),
    ({"a": WHOLE, "b": b"x", "c": b"minbpe v1\n"}, "'a', 'b' and 'c' do not .* remove all but one of them"),
    ({}, "no file was chosen"),
    (
        {"x/a.json": b"{}", "b.json": b"{}"},
        "^.a.json. and .b.json. do not belong to one tokenizer: remove one of them$",
    ),
    ({"a": b""}, "no tokenizer that is known"),
    ({"a": b"\x00\xff" * 100}, "no tokenizer that is known"),
    ({"a": b"{"}, "not whole JSON"),
    ({"a": b"{" + b'"a":[' * 100_000}, "nested too deeply|not whole JSON"),
    ({"a": b'{"model": ' + b"9" * 5000 + b"}"}, "a number of 5,000 digits"),
    ({"a": b'{"model": {"vocab": {"a": 0, "a": 1}}}'}, "'a' twice"),
    ({"a": b'{"a": 1}'}, "without its merges"),
    ({"a": b"u g\n"}, "without their vocabulary"),
    ({"a": b"IQ== 0\nIQ== 1\n"}, "line 2 has a token that was there before"),
    ({"a": b"IQ== 0\nIg== 0\n"}, "id 0 is given twice"),
    ({"a": b"IQ== 0\n"}, "lacks some of the 256 bytes"),
    ({"a": b"IQ== 0\nI 1\n"}, "line 2 does not start with a token in base64"),
    ({"a": b"minbpe v1\n"}, "cut off"),
    ({"a": b"minbpe v1\n\\S+\n5\na 300\n"}, "cut off"),
    ({"a": b"minbpe v1\n(\n0\n97 98\n"}, "cannot be used"),
    ({"a": b"minbpe v1\n\\S+\n0\n97 256\n"}, "needs two ids from 0 to 255"),
    ({"a": b"minbpe v1\n\\S+\n0\n97 98\n97 98\n"}, "not for a second time"),
    ({"a": b"minbpe v1\n\\S+\n0\n97 97\n" + b"".join(b"%d %d\n" % (i, i) for i in range(256, 400))}, "longer tokens"),
    ({"a": b"\n" * 100 + b"minbpe v1"}, "minbpe model"),
    ({"a": b"minbpe v1\n" + b"a" * 3_000_000 + b"\n0\n97 98\n"}, "has 3,000,000 characters"),
    ({"a": b"minbpe v1\n" + b"(" * 9000 + b")" * 9000 + b"\n0\n97 98\n"}, "has 18,000 characters|cannot be used"),
    ({"a": b"minbpe v1\n\\S+\n2\n<a> 300\n<a> 301\n97 98\n"}, "is given twice"),
    ({"a": many_specials(30_000)}, "has 30,000 special tokens"),
    ({"a": gzip.compress(b"minbpe v1\n" * 10**6)}, "no tokenizer that is known"),
    ({"a": pickle.dumps({"model": "x"})}, "no tokenizer that is known"),
    ({"a": b'{"model": {"vocab": {%s, "5": 1}}}' % b",".join(b'"%d": 0' % i for i in range(10**5))}, "'5' twice"),
    (
        {"a": b'{"model": {"vocab": {}, "merges": []}, "pre_tokenizer": %s}' % nested(400)},
        "nested too deeply|neither byte_fallback",
    ),
    ({"a": b'{"model": {"vocab": {}, "merges": []}, "pre_tokenizer": %s}' % nested(2000)}, "nested too deeply"),
    ({"v": cut_off_vocabulary(), "m": b"u g\n"}, "1,000 tokens of vocab.json are made by no merge"),
    ({"../../etc/passwd": b"a b\n", "C:\\x": b"{}"}, "'a' and 'b' needs 'a', which has no id"),
]


@pytest.mark.parametrize(("files", "reason"), BROKEN)
def test_broken_files_are_refused(files, reason):
    with pytest.raises(FormatError, match=reason) as caught:
        loads(files)
    assert len(str(caught.value)) < 300


def byte_fallback(merges):
    spelled = ["<", "0", "x", "4", "1", ">", "<0", "<0x", "<0x4", "1>", "b", "<0x41>b"]
    vocab = {f"<0x{byte:02X}>": byte for byte in range(256)} | {token: 300 + i for i, token in enumerate(spelled)}
    return json.dumps({"model": {"type": "BPE", "byte_fallback": True, "vocab": vocab, "merges": merges}}).encode()


def test_a_fallback_needs_the_letter_for_a_space():
    """There a space is written as the bytes of the letter."""
    parts = {**json.loads(byte_fallback([])), "normalizer": {"type": "Replace", "pattern": {"String": " "}}}
    parts["normalizer"]["content"] = "▁"
    assert Theirs.from_str(json.dumps(parts)).encode(" ").ids == [0xE2, 0x96, 0x81]
    with pytest.raises(FormatError, match="the vocab lacks '▁'"):
        loads({"a": json.dumps(parts).encode()})


@pytest.mark.parametrize("merge", [["<0x4", "1>"], ["<0x41>", "b"]])
def test_a_merge_that_spells_what_stands_for_a_byte_is_refused(merge):
    spell = [["<", "0"], ["<0", "x"], ["<0x", "4"], ["1", ">"]]
    assert loads({"a": byte_fallback(spell)}).encode("<0x41> A").spans[-1] == (7, 8)
    with pytest.raises(FormatError, match=r"the merge of .* does not make"):
        loads({"a": byte_fallback([*spell, merge])})


@pytest.mark.parametrize("error", [TypeError, IndexError, KeyError, ValueError, RecursionError, regex.error])
def test_what_no_check_foresaw_is_a_refusal_too(monkeypatch, error):
    def fail(*_):
        raise error("something")

    monkeypatch.setattr("bpe_core.files.opening.read_minbpe", fail)
    with pytest.raises(FormatError, match=r"its parts (do not fit together|are nested too deeply)"):
        loads({"a": b"minbpe v1\n"})


@pytest.mark.parametrize("name", FORMATS)
def test_files_that_end_early_are_refused_or_have_fewer_merges(name):
    whole = train(CORPUS, Settings(vocab_size=400)).tokenizer()
    files = dumps(whole, name)
    for file, content in files.items():
        for end in {*range(0, len(content), max(len(content) // 60, 1)), len(content) - 1}:
            try:
                tok = loads({**files, file: content[:end]}, "gpt2")
            except FormatError:
                continue
            assert tok.merges == whole.merges[: len(tok.merges)]


def test_no_file_has_a_cycle():
    """A token is made of shorter ones in every format, whatever the ids."""
    merges = [["a", "b"], ["ab", "a"], ["aba", "b"]]
    vocab = {token: i for i, token in enumerate(["abab", "aba", "ab", "b", "a", "<unk>"])}
    model = {"type": "BPE", "unk_token": "<unk>", "vocab": vocab, "merges": merges}
    tok = loads({"a": json.dumps({"model": model}).encode()})
    assert tok.ids("abab") == [2, 2]
    for token_id in range(5):
        assert len(tok.inside(token_id)) == len(tok.tokens[token_id]) - 1
    with pytest.raises(FormatError, match=r"'a' and '' "):
        loads({"a": json.dumps({"model": {**model, "merges": [["a", ""]]}}).encode()})


def test_too_much_is_not_read(tmp_path, monkeypatch):
    monkeypatch.setattr("bpe_core.files.opening.MAX_BYTES", 1 << 20)
    path = tmp_path / "../evil" / "x"
    with pytest.raises(OSError, match="No such file"):
        load(path)
    (tmp_path / "big").write_bytes(b" " * (1 << 20) + b"{")
    with pytest.raises(FormatError, match="of more than 1 MB are not read"):
        load(tmp_path / "big")


def million_minbpe():
    lines = b"".join(b"%d %d\n" % (i % 256, i // 256) for i in range(1_000_000))
    return b"minbpe v1\n\\S+\n0\n" + lines


def million_ranks():
    return rank_lines([*BYTES, *(i.to_bytes(3, "big") for i in range(1_000_000))])


def million_names():
    return b'{"model":{"vocab":{' + b",".join(b'"%d":%d' % (i, i) for i in range(1_000_000)) + b'},"merges":[]}}'


def million_pair_lines():
    return b"a b\n" * (15 << 20)


def million_objects():
    return b'{"model":[' + b"{}," * (20 << 20) + b"{}]}"


def million_numbers():
    return b'{"model":[' + b"1.5," * (15 << 20) + b"1]}"


def long_ranks():
    return rank_lines([*BYTES, *(b"a" * size for size in range(2, 1500))])


@pytest.mark.parametrize(
    "content",
    [million_minbpe, million_ranks, million_names, million_pair_lines, million_objects, million_numbers, long_ranks],
)
def test_a_million_entries_and_long_tokens_take_bounded_time_and_memory(content):
    script = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
from bpe_core import FormatError, loads
try:
    content = sys.stdin.buffer.read()
    loads({"v": b'{"a": 0}', "x": content} if content.startswith(b"a b") else {"x": content}, "none")
except FormatError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", script], input=content(), capture_output=True, cwd=ROOT)
    assert (done.returncode, done.stderr) == (0, b"")


def good_files():
    tok = train("hug pug hug", Settings(vocab_size=259, special_tokens=("<s>",))).tokenizer()
    plain = train("hug pug hug", Settings(vocab_size=259)).tokenizer()
    return {name: dumps(plain if "vocab" in name else tok, name) for name in FORMATS}


FILES = good_files()
SCRAPS = st.sampled_from(
    [b"", b"0", b"-1", b'"', b"{", b"}", b"[", b"]", b",", b"\n", b" ", b"null", b"\xff", b"97 97\n", b"1e9"]
)


@given(st.sampled_from(list(FILES)), st.data())
def test_mangled_files_are_refused_or_work(name, data):
    files = dict(FILES[name])
    for file in files:
        content = files[file]
        for _ in range(data.draw(st.integers(0, 3))):
            start = data.draw(st.integers(0, len(content)))
            end = data.draw(
                st.integers(start, min(start + data.draw(st.sampled_from([0, 1, 40, 10**6])), len(content)))
            )
            content = content[:start] + data.draw(SCRAPS) + content[end:]
        files[file] = content
    try:
        tok = loads(files)
    except FormatError:
        return
    for text in ("hug pug<s> \ud800é", ""):
        try:
            encoding = tok.encode(text)
            tok.decode(i for i in encoding.ids if i >= 0)
            assert len(encoding.spans) == len(encoding.ids)
        except PatternError:
            pass


@pytest.mark.parametrize("shape", [*SHAPES, "words without merges"])
def test_the_boundaries_of_an_opened_tokenizer_are_those_of_its_ids(shape):
    """What the live view shows at the last step."""
    if shape == "words without merges":
        parts = json.loads(SHAPES["llama3"]().to_str())
        parts["model"]["vocab"] |= {"Ġtale": 5000, "keeper": 5001, "ĠÃ©Ã©": 5002}
        parts["added_tokens"] = []
        tok = loads({"a": json.dumps(parts).encode()})
        assert {5000, 5001, 5002} <= set(tok.ids("keeper tale éé"))
    else:
        tok = loads({"a": SHAPES[shape]().to_str().encode()})
    finder = BoundaryFinder(tok)
    for text in [*EXAMPLE_TEXTS.values(), *NASTY_UNICODE, "a<|im_end|> b</s>c<s>", "▁a ▁ b", "keeper tale éé 🦜"]:
        found = finder.find(text)
        table = token_table(tok, found, len(tok.merges))
        assert table.ids.tolist() == list(tok.encode(text).ids)
        assert sum(stretch.symbols for stretch in found.stretches) == len(found.merged_at)
        first = token_table(tok, found, 0)
        assert all(a <= b for a, b in zip(first.starts.tolist(), first.ends.tolist(), strict=True))
        for symbol in range(0, len(found.merged_at), 500):
            word = found.word_at(symbol)
            rest = found.text[word.start :]
            assert rest.startswith(word.text) or (tok.prefix_space != "none" and (" " + rest).startswith(word.text))


@given(st.lists(st.text("abc", min_size=2, max_size=6), unique=True, max_size=12), st.text("abc", max_size=30))
def test_the_boundaries_of_any_ranks_give_their_ids(words, text):
    tok = loads({"x": rank_lines([*BYTES, *(word.encode() for word in words)])}, "none")
    table = token_table(tok, BoundaryFinder(tok).find(text), len(tok.merges))
    assert table.ids.tolist() == tok.ids(text)


@given(st.permutations(train("aab abb bab aabb", Settings(vocab_size=262)).merges), st.text("ab ", max_size=30))
def test_merges_in_any_order_are_shown_as_they_encode(merges, text):
    parts = json.loads(dumps(train("aab abb bab aabb", Settings(vocab_size=262)).tokenizer())["tokenizer.json"])
    letters = [[half.decode().replace(" ", "Ġ") for half in merge[:2]] for merge in merges]
    parts["model"]["merges"] = letters
    tok = loads({"x": json.dumps(parts).encode()})
    table = token_table(tok, BoundaryFinder(tok).find(text), len(tok.merges))
    assert table.ids.tolist() == tok.ids(text)
    assert tok.ids(text) == Theirs.from_str(json.dumps(parts)).encode(text, add_special_tokens=False).ids
