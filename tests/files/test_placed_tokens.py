"""The text at a token's offsets is the token, whatever a library's model drops; all else is named as lost."""

import json

from hypothesis import given
from hypothesis import strategies as st
from tokenizers import AddedToken, models, normalizers, pre_tokenizers
from tokenizers import Tokenizer as Theirs

from bpe_core import loads
from bpe_core.text.alphabet import LETTER_OF, from_letters
from bpe_core.tokenizer.word_symbols import counts

CHARACTERS = "abcéč中🦜"
BYTES = [f"<0x{byte:02X}>" for byte in range(256)]
UNITS = [
    *CHARACTERS,
    " ",
    "  ",
    "\t",
    "\x0b",
    "ab",
    "abc",
    "<s>",
    "<user>",
    "##",
    "</w>",
    "A",
    "É",
    "1",
    "ü",
    "\u0301",
    "<0x41>",
]
TEXTS = st.lists(st.sampled_from(UNITS), max_size=9).map("".join)
SPLITS = {
    "none": lambda: None,
    "white space": pre_tokenizers.WhitespaceSplit,
    "words": pre_tokenizers.Whitespace,
    "▁": lambda: pre_tokenizers.Metaspace(prepend_scheme="always"),
    "bytes": lambda: pre_tokenizers.ByteLevel(add_prefix_space=False),
    "bytes and a space": lambda: pre_tokenizers.ByteLevel(add_prefix_space=True),
    "whole bytes": lambda: pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
    "punctuation": lambda: pre_tokenizers.Sequence([pre_tokenizers.Punctuation(), pre_tokenizers.Digits()]),
}
NORMALIZERS = {
    "none": lambda: None,
    "lower": normalizers.Lowercase,
    "nfd": normalizers.NFD,
    "accents": lambda: normalizers.Sequence([normalizers.NFD(), normalizers.StripAccents()]),
    "strip": normalizers.Strip,
    "▁": lambda: normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]),
}


@st.composite
def bpe(draw, letters):
    prefix, suffix = draw(st.sampled_from([("", "")] * 4 + [("##", ""), ("", "</w>"), ("##", "</w>")]))
    forms = [mark + letter + end for letter in letters for mark in {"", prefix} for end in {"", suffix}]
    names = draw(st.lists(st.sampled_from(forms), unique=True, min_size=2))
    fallback = "Ġ" not in letters and draw(st.booleans())  # letters that stand for bytes need no bytes
    if fallback:
        names += BYTES if draw(st.booleans()) else draw(st.lists(st.sampled_from(BYTES[0x80:]), unique=True))
    merges = []
    for _ in range(draw(st.integers(0, 6))):
        left, right = draw(st.sampled_from(names)), draw(st.sampled_from(names))
        joined = left + right.removeprefix(prefix)
        if joined not in names and right.startswith(prefix) and not (suffix and left.endswith(suffix)):
            merges.append((left, right))
            names.append(joined)
    unknown = draw(st.booleans())
    marks = {"continuing_subword_prefix": prefix, "end_of_word_suffix": suffix}
    names += [] if "▁" in names or "▁" not in letters or not fallback else ["▁"]  # no bytes for what is not typed
    return models.BPE(
        {name: i for i, name in enumerate(["<unk>"] * unknown + names)}, merges, byte_fallback=fallback,
        fuse_unk=draw(st.booleans()), ignore_merges=draw(st.booleans()),
        **({"unk_token": "<unk>"} if unknown else {}), **{name: mark for name, mark in marks.items() if mark},
    )  # fmt: skip


@st.composite
def unigram(draw, letters):
    pieces = draw(st.lists(st.text(st.sampled_from(letters), min_size=1, max_size=3), unique=True))
    fallback = "Ġ" not in letters and draw(st.booleans())  # letters that stand for bytes need no bytes
    names = ["<unk>", *dict.fromkeys([*pieces, *(["▁", *BYTES] if fallback else [])])]
    return models.Unigram([(name, -1.0 - i / 100) for i, name in enumerate(names)], 0, fallback)


@st.composite
def whole(draw, letters, kind):
    pieces = draw(st.lists(st.text(st.sampled_from(letters), min_size=1, max_size=3), unique=True))
    marked = ["##" + piece for piece in pieces] if kind is models.WordPiece else []
    return kind({name: i for i, name in enumerate(["<unk>", *pieces, *marked])}, unk_token="<unk>")


@st.composite
def files(draw, normalizing=("none",)):
    split = draw(st.sampled_from([*SPLITS]))
    letters = [*"abcAé", "č", "中", "▁", " "]
    if "bytes" in split:
        letters = sorted({LETTER_OF[byte] for letter in "abcé č中🦜" for byte in letter.encode()})
    kinds = bpe(letters), bpe(letters), unigram(letters), whole(letters, models.WordPiece)
    theirs = Theirs(draw(st.one_of(*kinds, whole(letters, models.WordLevel))))
    normalizer = NORMALIZERS[draw(st.sampled_from(normalizing))]()
    if normalizer is not None:
        theirs.normalizer = normalizer
    if (part := SPLITS[split]()) is not None:
        theirs.pre_tokenizer = part
    if draw(st.booleans()):
        theirs.add_special_tokens(["<s>"])
        theirs.add_tokens([AddedToken("<user>", normalized=draw(st.booleans()))])
    return theirs


def texts_of(theirs, found):
    """What each token decodes to by itself: its name without its marks, and its letters as bytes."""
    parts = json.loads(theirs.to_str())
    model, names = parts["model"], {row["id"]: row["content"] for row in parts["added_tokens"]}
    in_letters = "ByteLevel" in json.dumps(parts["pre_tokenizer"])
    prefix, suffix = (model.get(name) or "" for name in ("continuing_subword_prefix", "end_of_word_suffix"))
    for i, name in zip(found.ids, map(theirs.id_to_token, found.ids), strict=True):
        if i in names:
            yield names[i].encode()
        elif name in BYTES and model.get("byte_fallback"):
            yield bytes([BYTES.index(name)])
        else:
            name = name.removesuffix(suffix).removeprefix(prefix) or name
            yield from_letters([name])[0] if in_letters else name.replace("▁", " ").encode()


def left(text, span, fallen):
    """The bytes of a part of a text, without those that have fallen."""
    at = len(text[: span[0]].encode())
    return bytes(byte for number, byte in enumerate(text[slice(*span)].encode(), at) if number not in fallen)


def check(theirs, text, is_changed=False):
    tok = loads({"tokenizer.json": theirs.to_str().encode()})
    found, ours = theirs.encode(text, add_special_tokens=False), tok.encode(text, specials=True)
    spans, fallen = list(ours.spans), {at for piece in ours.walk.fallen for at in range(*piece)}
    assert list(ours.ids) == tok.ids(text, specials=True) == found.ids
    assert all(0 <= start <= end <= len(text) for start, end in spans)
    assert sorted(spans) == spans or is_changed
    assert ours.walk.tokens(len(tok.merges)).ids.tolist() == found.ids
    assert [i for ids in ours.words for i in ids] == found.ids
    assert ours.walk.pieces_lost == sum(ours.lost) + len(ours.fallen)
    taken = {at for span in (*spans, *ours.fallen) for at in range(*span)}
    if is_changed:
        return
    assert not "".join(char for at, char in enumerate(text) if at not in taken).strip()
    assert all(word.text == text[word.start : word.end] for word in ours.pretokens)
    model = json.loads(theirs.to_str())["model"]
    marks = any(model.get(name) for name in ("continuing_subword_prefix", "end_of_word_suffix"))
    for i, token, span in zip(found.ids, texts_of(theirs, found), spans, strict=True):
        typed = left(text, span, fallen)
        if i == tok.unknown_id or token == b" " or (marks and theirs.id_to_token(i) in BYTES):
            continue  # a space that was put before the text is in no text, nor are the bytes of a mark
        if typed.decode("utf-8", "replace") == theirs.id_to_token(i) in BYTES:
            continue  # the name of a byte, typed: a Unigram model takes it for the byte, and the text is what was typed
        assert token in (typed, b" " + typed) or (token in typed and _is_part(token)), (token, typed)


def _is_part(token):
    try:
        return not token.decode()
    except UnicodeDecodeError:
        return True


@given(files(), TEXTS)
def test_the_text_of_a_token_is_its_bytes(theirs, text):
    check(theirs, text)


@given(files([*NORMALIZERS]), TEXTS)
def test_a_text_that_is_changed_has_its_tokens_in_order(theirs, text):
    check(theirs, text, is_changed=True)


def test_what_a_model_drops_is_lost_and_named():
    """Also a pretoken that is lost whole, and a character within a token that merges over it."""
    model = models.BPE({name: i for i, name in enumerate(["g", "h", "u", "ug", "hug"])}, [("u", "g"), ("h", "ug")])
    theirs = Theirs(model)
    theirs.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tok = loads({"tokenizer.json": theirs.to_str().encode()})
    found = tok.encode("mug 🦜 hug h🦜ug")
    assert found.tokens == (b"ug", b"hug", b"hug")
    assert found.spans == ((1, 3), (6, 9), (10, 14))
    assert found.fallen == ((0, 1), (4, 5), (11, 12))
    assert [word.text for word in found.pretokens] == [
        text for text, _ in theirs.pre_tokenizer.pre_tokenize_str(found.text)
    ]
    assert found.words == ((3,), (), (4,), (4,))
    assert found.walk.tokens(0).tokens() == [char.encode() for char in "ughughug"]
    assert counts(found.walk) == {"characters": 14, "bytes": 20, "words": 4, "bytes_written": 11, "words_to_divide": 3}
    assert found.pieces_lost == 3


def test_the_spans_and_offsets_of_the_document():
    bpe = Theirs(models.BPE({"u": 0, "g": 1, "ug": 2}, [("u", "g")]))
    names = ["<unk>", "a", *(f"<0x{byte:02X}>" for byte in range(256))]
    unigram = Theirs(models.Unigram([(name, -1.0) for name in names], 0, True))
    for theirs, text, number, span, offset in ((bpe, "mug", 0, (1, 3), (0, 2)), (unigram, "aéè", 1, (1, 2), (1, 3))):
        ours = loads({"tokenizer.json": theirs.to_str().encode()})
        assert (ours.encode(text).spans[number], theirs.encode(text).offsets[number]) == (span, offset)
