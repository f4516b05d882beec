"""Special tokens that take white space away: ids as in Hugging Face's library, and what is lost is said."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import AddedToken, models, normalizers, pre_tokenizers, trainers
from tokenizers import Tokenizer as Theirs

from bpe_core import FORMATS, UNKNOWN, FormatError, dumps, loads
from bpe_core.text.special_tokens import Flags, segments
from bpe_core.tokenizer.boundaries import BoundaryFinder
from bpe_core.tokenizer.token_table import token_table
from tests.texts import EXAMPLE_TEXTS, NASTY_UNICODE, TEXTS

BART = [AddedToken(name, normalized=True) for name in ("<s>", "<pad>", "</s>", "<unk>")]
MASK = AddedToken("<mask>", lstrip=True, normalized=False)
PHI3 = [AddedToken(name, normalized=False) for name in ("<unk>", "<s>")]
PHI3 += [AddedToken(name, normalized=False, rstrip=True) for name in ("</s>", "<|user|>", "<|end|>")]
FLAGGED = [
    AddedToken("<both>", lstrip=True, rstrip=True, normalized=False),
    AddedToken("word", single_word=True, lstrip=True, normalized=False),
    AddedToken("<|>", normalized=False),
    AddedToken("a<|>", normalized=False, rstrip=True),
]
LATE = [AddedToken("<mask>", lstrip=True, rstrip=True, normalized=True), AddedToken("a b", normalized=True)]
LATE += [AddedToken("word", single_word=True, normalized=True)]
SPACED = [AddedToken("  ", normalized=False), MASK, AddedToken("\t<tab>", lstrip=True, normalized=False)]


def byte_level(added, prefix=False, normalizer=None):
    """As RoBERTa's and BART's files are written."""
    theirs = Theirs(models.BPE())
    theirs.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=prefix)
    if normalizer:
        theirs.normalizer = normalizer
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=700, initial_alphabet=alphabet, show_progress=False)
    theirs.train_from_iterator(EXAMPLE_TEXTS["short-story"].splitlines(), trainer)
    theirs.add_special_tokens(added)
    return theirs


def llama(added):
    """As Phi-3's file is written."""
    theirs = Theirs(models.BPE(unk_token="<unk>", byte_fallback=True, fuse_unk=True))
    theirs.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    special = [*(str(token.content) for token in added), *(f"<0x{byte:02X}>" for byte in range(256))]
    trainer = trainers.BpeTrainer(vocab_size=700, special_tokens=special, limit_alphabet=60, show_progress=False)
    theirs.train_from_iterator(EXAMPLE_TEXTS["short-story"].splitlines(), trainer)
    parts = json.loads(theirs.to_str())
    parts["added_tokens"] = []
    theirs = Theirs.from_str(json.dumps(parts))
    theirs.add_special_tokens(added)
    return theirs


SHAPES = {
    "bart": lambda: byte_level([*BART, MASK]),
    "roberta": lambda: byte_level([*BART, MASK], prefix=True),
    "phi3": lambda: llama(PHI3),
    "every flag": lambda: byte_level(FLAGGED),
    "every flag, with a space before": lambda: byte_level(FLAGGED, prefix=True),
    "in normalized text": lambda: byte_level(LATE),
    "names of white space": lambda: byte_level(SPACED),
    "normalized between": lambda: byte_level(FLAGGED, normalizer=normalizers.Lowercase()),
}
UNITS = ["<s>", "</s>", "<mask>", "<both>", "word", "<|>", "a<|>", "<|user|>", "<|end|>", "<tab>"]
UNITS += [
    " ",
    "  ",
    "\t",
    "\n",
    "\u00a0",
    "\u0085",
    "\u3000",
    "\x1c",
    "\u200b",
    "a",
    "b",
    "B",
    "é",
    "\u0301",
    "_",
    "-",
    "1",
]
HOSTILE = st.lists(st.sampled_from(UNITS), max_size=14).map("".join)


def read(theirs):
    return loads({"tokenizer.json": theirs.to_str().encode()})


def ids(theirs, text):
    return theirs.encode(text, add_special_tokens=False).ids


@pytest.mark.parametrize("shape", SHAPES)
def test_ids_are_those_of_their_library_however_they_are_asked_for(shape):
    theirs = SHAPES[shape]()
    tok = read(theirs)
    finder = BoundaryFinder(tok)

    def compare(text):
        encoding, found = tok.encode(text), finder.find(text)
        assert tok.ids(text) == ids(theirs, text)
        assert [i for word in encoding.words for i in word] == tok.ids(text)
        assert token_table(tok, found, len(tok.merges)).ids.tolist() == tok.ids(text)
        assert found.merged_at.tolist() == encoding.merged_at.tolist()
        assert found.text == encoding.normalized.text
        for i, (start, end) in zip(encoding.ids, encoding.spans, strict=True):
            name = tok.token_bytes(i).decode(errors="replace")
            assert name not in tok.special_tokens or text[start:end] == name

    for text in [
        *EXAMPLE_TEXTS.values(),
        *NASTY_UNICODE,
        *(f"{text}<mask>{text} <|end|>{text}" for text in NASTY_UNICODE),
    ]:
        compare(text)
    given(HOSTILE)(compare)()


@pytest.mark.parametrize("shape", SHAPES)
def test_the_flags_travel(shape):
    theirs = SHAPES[shape]()
    tok = read(theirs)
    added = json.loads(theirs.to_str())["added_tokens"]
    flags = {row["content"]: Flags(row["lstrip"], row["rstrip"], row["single_word"]) for row in added}
    assert tok.special_flags == {name: how for name, how in flags.items() if any(how)}
    if tok.prefix_space != "none":
        with pytest.raises(FormatError, match="puts a space before the text, which is not written"):
            dumps(tok)
        return
    files = dumps(tok)
    assert loads(files).special_flags == tok.special_flags
    again = Theirs.from_str(files["tokenizer.json"].decode())
    for text in [*NASTY_UNICODE, "a  <mask> b", "a word <both>  <|>\n a<|> ", "words \t<tab>"]:
        assert ids(again, text) == ids(theirs, text)


@pytest.mark.parametrize("format", [name for name in FORMATS if name != "tokenizer.json"])
def test_formats_without_flags_refuse(format):
    with pytest.raises(FormatError, match="cannot say that the special token '<mask>' takes white space"):
        dumps(read(SHAPES["bart"]()), format)


def test_what_is_taken_is_lost_and_said():
    tok = read(SHAPES["bart"]())
    encoding = tok.encode("The \n<mask> sat.")
    assert encoding.losses == ((3, 5, "dropped by the cut"),)
    assert tok.decode(encoding.ids) == "The<mask> sat."
    assert [(p.text, p.start) for p in encoding.pretokens] == [("The", 0), ("<mask>", 5), (" sat", 11), (".", 15)]
    assert tok.encode("The \n<mask> sat.", specials=False).losses == ()


@given(HOSTILE, st.lists(st.sampled_from(FLAGGED), max_size=3), st.booleans())
def test_segments_join_to_the_text(text, added, plain):
    names = tuple(token.content for token in [*added, MASK])
    flags = {} if plain else {name: Flags(True, True) for name in names}
    found = list(segments(text, names, flags))
    assert "".join(piece for piece, _, _ in found) == text
    assert all(text.startswith(piece, start) and piece for piece, start, _ in found)
    assert all(piece.isspace() for piece, _, what in found if what == "")
    assert [what for _, _, what in found if what] == [what for _, _, what in segments(text, names) if what]


@given(HOSTILE | TEXTS)
def test_no_flags_are_as_flags_that_say_nothing(text):
    names = ("<both>", "a<|>", "<|>", "a b", " ")
    assert list(segments(text, names)) == list(segments(text, names, {"<|>": Flags()}))


@pytest.mark.parametrize("flags", [Flags(lstrip=True), Flags(rstrip=True), Flags(True, True, True)])
def test_much_white_space_and_many_names(flags):
    """In time that is linear; quadratic, these would take minutes."""

    def kinds(text):
        return [(what, len(piece)) for piece, _, what in segments(text, ("<m>",), {"<m>": flags})]

    many, spaces = 100_000, 1_000_000
    assert kinds("<m>" * many) == [("<m>", 3)] * many
    assert kinds(" " * spaces) == [(None, spaces)]
    before, behind = ("" if flags.lstrip else None), ("" if flags.rstrip else None)
    assert kinds(" " * spaces + "<m>" + " " * spaces) == [(before, spaces), ("<m>", 3), (behind, spaces)]
    assert sum(what == "<m>" for what, _ in kinds((" " * 20 + "<m>") * many)) == many
    assert sum(what == "<m>" for what, _ in kinds("a<m>" * many)) == (0 if flags.single_word else many)


REFUSED = [
    ([AddedToken("<r>", rstrip=True), AddedToken(" x")], "'<r>' takes the white space that ' x' is made of"),
    ([AddedToken("\n", rstrip=True)], r"'\\n' takes the white space that '\\n' is made of"),
    ([MASK, AddedToken("  ", normalized=True)], "'<mask>' takes the white space that '  ' is made of"),
    ([AddedToken("x", single_word=True), AddedToken("<|>", normalized=True)], "'x' has single_word beside"),
]


@pytest.mark.parametrize(("added", "reason"), REFUSED)
def test_flags_that_meet_are_refused(added, reason):
    with pytest.raises(FormatError, match=reason):
        read(byte_level(added))


def test_white_space_in_normalized_text_is_refused():
    with pytest.raises(FormatError, match="looked for in normalized text"):
        read(byte_level([AddedToken("\n", lstrip=True, normalized=True)], normalizer=normalizers.NFC()))


@given(st.data())
def test_any_flags_encode_as_in_their_library_or_are_refused(data):
    names = data.draw(st.lists(st.sampled_from(["<m>", "<m", "m>", "ab", "<m>a", " x", "x ", "  "]), unique=True))
    flag = st.booleans()
    theirs = Theirs.from_str(EMPTY)
    for name in names:
        theirs.add_special_tokens(
            [AddedToken(name, **{how: data.draw(flag) for how in (*Flags._fields, "normalized")})]
        )
    try:
        tok = read(theirs)
    except FormatError:
        return
    units = ["<m>", "<m", "m>", "ab", "<m>a", " ", "  ", "x", "\n", "\u3000", "\x1c", "_", "é", "\u0301"]
    for _ in range(5):
        text = "".join(data.draw(st.lists(st.sampled_from(units), max_size=8)))
        assert tok.ids(text) == ids(theirs, text)


EMPTY = byte_level([]).to_str()


def whole_words(split, *added, normalizer=None, look_up=False):
    """A vocabulary of characters, or of bytes with `look_up`, and tokens added to it that it may have already."""
    theirs = Theirs(models.BPE(unk_token=None if look_up else "<unk>", ignore_merges=look_up))
    theirs.pre_tokenizer = split
    if normalizer:
        theirs.normalizer = normalizer
    alphabet = pre_tokenizers.ByteLevel.alphabet() if look_up else []
    special = [] if look_up else ["<unk>"]
    trainer = trainers.BpeTrainer(
        vocab_size=600, special_tokens=special, initial_alphabet=alphabet, show_progress=False
    )
    theirs.train_from_iterator([*EXAMPLE_TEXTS["short-story"].splitlines(), "1 & 2 # é"], trainer)
    parts = json.loads(theirs.to_str())
    if look_up:
        parts["model"]["vocab"]["zqxw"] = len(parts["model"]["vocab"])
    theirs = Theirs.from_str(json.dumps(parts))
    theirs.add_tokens(list(added))
    return theirs


@pytest.mark.parametrize(
    ("theirs", "texts"),
    [
        (
            whole_words(pre_tokenizers.WhitespaceSplit(), AddedToken("&", single_word=True, normalized=False)),
            ["a&b & c"],
        ),
        (whole_words(pre_tokenizers.Metaspace(), AddedToken("▁", normalized=False)), ["a b", "▁a ▁"]),
        (
            whole_words(
                pre_tokenizers.BertPreTokenizer(),
                AddedToken("e", normalized=False),
                normalizer=normalizers.BertNormalizer(),
            ),
            ["É e Ebe"],
        ),
        (
            whole_words(
                pre_tokenizers.ByteLevel(add_prefix_space=False),
                AddedToken("zqxw", normalized=False),
                normalizer=normalizers.Lowercase(),
                look_up=True,
            ),
            ["ZQXW", "zqxw ZQXW"],
        ),
    ],
    ids=["single word", "metaspace", "bert", "looked up"],
)
def test_an_added_token_stays_in_the_vocabulary(theirs, texts):
    ours = loads({"tokenizer.json": theirs.to_str().encode()})
    unknown = theirs.token_to_id("<unk>")
    for text in [*texts, *NASTY_UNICODE]:
        ids = [UNKNOWN if i == unknown else i for i in theirs.encode(text, add_special_tokens=False).ids]
        assert ours.ids(text) == ids
    assert ours.vocab_size == theirs.get_vocab_size() - (unknown is not None and unknown >= len(ours.tokens))


@pytest.mark.parametrize("flag", ["lstrip", "rstrip", "single_word", "normalized"])
def test_flags_are_true_or_false(flag):
    parts = json.loads(byte_level([MASK]).to_str())
    parts["added_tokens"][0][flag] = "false"
    with pytest.raises(FormatError, match=f"{flag} of an added token has to be true or false, and is 'false'"):
        loads({"tokenizer.json": json.dumps(parts).encode()})
    parts["added_tokens"][0][flag] = False
    parts["model"]["ignore_merges"] = "true"
    with pytest.raises(FormatError, match="ignore_merges of the model has to be true or false"):
        loads({"tokenizer.json": json.dumps(parts).encode()})
