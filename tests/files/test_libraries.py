"""Files that a library reads: ids, offsets and decoding are the library's; what is looked into fits them."""

import json
from io import BytesIO

import numpy as np
import pytest
import sentencepiece
import tokenizers
from hypothesis import given
from hypothesis import strategies as st
from sentencepiece.sentencepiece_model_pb2 import ModelProto

from bpe_core import FormatError, Settings, dumps, load, loads, train
from bpe_core.files import sentencepiece_model
from bpe_core.files.opening import read
from bpe_core.text.alphabet import encode_text
from bpe_core.tokenizer.biography import derivation, leaves, why_no_merge
from bpe_core.training.lifetimes import NEVER
from tests.shapes import CORPUS, SHAPES, file_of
from tests.some import some
from tests.texts import EXAMPLE_TEXTS, NASTY_UNICODE, TEXTS

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
ADDED = st.lists(st.sampled_from(UNITS), max_size=14).map("".join)
WRITABLE = TEXTS.filter(lambda text: not any(0xD800 <= ord(char) < 0xE000 for char in text))
ODD = ["a<|im_end|> b</s>c<s>", "▁a ▁ b", "a     b\n\t\u0301  e\u0301", "ò12 3²45 x1½9 12 3", "keeper éé 🦜", "a  b"]


def opened(shape):
    """The library reads the file too: it writes a Unigram's scores shorter than it trains them, and ties differ."""
    content = file_of(shape)
    return tokenizers.Tokenizer.from_buffer(content), read({"tokenizer.json": content})


def same_as_ids(tok, text, specials=True):
    """What the live view shows at the last step is what the library says, and every step can be shown."""
    walk = tok.encode(text, specials=specials).walk
    assert walk.tokens(len(tok.merges)).ids.tolist() == tok.ids(text, specials=specials)
    assert set(walk.words.tolist()) <= set(np.flatnonzero(walk.merged_at == NEVER).tolist())
    for step in (0, len(tok.merges) // 2):
        table = walk.tokens(step)
        assert (table.starts <= table.ends).all()
        assert (table.starts[1:] >= table.ends[:-1]).all()
    return walk


@pytest.mark.parametrize("length", [500, pytest.param(None, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("shape", some(SHAPES))
def test_ids_offsets_and_decoding_are_the_library_s(shape, length):
    theirs, tok = opened(shape)

    def compare(text):
        encoding, expected = tok.encode(text, specials=True), theirs.encode(text, add_special_tokens=False)
        assert tok.ids(text, specials=True) == list(encoding.ids) == expected.ids
        assert list(encoding.spans) == expected.offsets
        assert tok.decode(encoding.ids) == theirs.decode(expected.ids, skip_special_tokens=False)
        assert [i for word in encoding.words for i in word] == expected.ids
        assert len(encoding.tokens) == len(expected.ids)
        assert all(0 <= loss.start <= loss.end <= len(text) for loss in encoding.losses)
        same_as_ids(tok, text)

    for text in [EXAMPLE_TEXTS["many-languages"], EXAMPLE_TEXTS["python-code"], *NASTY_UNICODE, *ODD]:
        compare(text[:length])
    given(WRITABLE | ADDED)(compare)()


@pytest.mark.parametrize("shape", ["llama3", "metaspace always", "gemma"])
def test_tokens_are_looked_into(shape):
    """The slider has something to show: the boundaries within a token fall one by one, and its tree ends in symbols."""
    tok = opened(shape)[1]
    found = same_as_ids(tok, "The keeper's tale")
    assert len(found.merged_at) == len("The keeper's tale") + (shape == "metaspace always")
    assert (found.starts[1:] == found.ends[:-1]).all()
    longest = max(tok.ids("The keeper's tale"), key=lambda i: len(tok.token_bytes(i)))
    tree = derivation(tok, longest)
    assert b"".join(leaf.token for leaf in leaves(tree)) == tok.token_bytes(longest)
    assert tree.step == max(tok.inside(longest))


@pytest.mark.parametrize("shape", ["gpt2", "metaspace always", "gemma", "gpt2 with end of word"])
def test_tokens_at_a_step_are_the_library_s_with_the_merges_up_to_it(shape):
    """The file keeps its first merges alone, and is given to the library again."""
    content = json.loads(file_of(shape))
    tok = loads({"a": json.dumps(content).encode()})

    def smaller(step):
        model = {**content["model"], "merges": content["model"]["merges"][:step]}
        return tokenizers.Tokenizer.from_str(json.dumps({**content, "model": model}))

    known = {step: smaller(step) for step in (0, 1, 20, 150, len(tok.merges))}

    @given(
        WRITABLE | st.sampled_from(["The keeper's tale", "a CAT, a dog", "lighthouses  é🦜"]), st.sampled_from([*known])
    )
    def compare(text, step):
        ids = known[step].encode(text, add_special_tokens=False).ids
        assert tok.encode(text).walk.tokens(step).ids.tolist() == ids

    compare()


def test_a_word_that_ends_melts_under_the_slider():
    """CLIP writes the last letter of a word as a symbol of its own: `r</w>`."""
    tok = opened("gpt2 with end of word")[1]
    for text in ("keeper", "Keeper"):  # small letters stand over those typed
        walk = same_as_ids(tok, text)
        assert walk.starts.tolist() == [*range(6)]
        assert walk.ids[0] == tok.vocabulary.base.ids[b"k"]
        assert walk.ids[-1] != tok.vocabulary.base.ids[b"r"]
        assert [len(walk.tokens(step)) for step in (0, len(tok.merges))] == [6, len(tok.ids(text))]
        assert len(tok.ids(text)) < 6


@pytest.mark.parametrize(
    ("shape", "model"), [("wordpiece", "WordPiece"), ("unigram", "Unigram"), ("word level", "WordLevel")]
)
def test_a_model_without_merges_says_so(shape, model):
    tok = opened(shape)[1]
    assert (tok.model, tok.merges) == (model, ())
    assert (same_as_ids(tok, "the tale of a dog").merged_at == NEVER).all()
    assert bool(tok.scores) == (model == "Unigram")
    reason = {"WordPiece": "the longest token that fits", "Unigram": "highest sum", "WordLevel": "each of them whole"}
    assert reason[model] in why_no_merge(tok, tok.ids("the tale")[0])


def test_half_a_character_is_told_as_no_character():
    tok = opened("llama3")[1]
    assert tok.ids("a\ud800b") == tok.ids("a\ufffdb")
    same_as_ids(tok, "a\ud800b")


# --- what was wrong with published files ---


def json_of(shape, **parts):
    whole = json.loads(file_of(shape))
    model = parts.pop("model", {})
    return json.dumps({**whole, **parts, "model": {**whole["model"], **model}}).encode()


def test_added_tokens_that_share_ids_with_runs_of_spaces_decode_as_spaces():
    """Gemma 3 has some named `▁▁`."""
    whole = json.loads(file_of("gemma"))
    vocab, merges = whole["model"]["vocab"], whole["model"]["merges"]
    if "▁▁" not in vocab:
        vocab["▁▁"] = len(vocab)
        merges.append(["▁", "▁"])
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": False}
    whole["added_tokens"].append({"id": vocab["▁▁"], "content": "▁▁", **flags})
    space = {"type": "Replace", "pattern": {"String": "▁"}, "content": " "}
    whole["decoder"] = {"type": "Sequence", "decoders": [space, {"type": "ByteFallback"}, {"type": "Fuse"}]}
    tok = loads({"a": json.dumps(whole).encode()})
    assert tok.decode(tok.ids("a  b")) == "a  b"
    assert tok.token_bytes(vocab["▁▁"]) == b"  "


def test_the_file_s_decoder_is_heeded():
    """Llama 2 and Phi-3 take the space away that they put before a text."""
    strip = [{"type": "Replace", "pattern": {"String": "▁"}, "content": " "}, {"type": "ByteFallback"}]
    strip += [{"type": "Fuse"}, {"type": "Strip", "content": " ", "start": 1, "stop": 0}]
    tok = loads({"a": json_of("llama2", decoder={"type": "Sequence", "decoders": strip})})
    assert tok.decode(tok.ids("a")) == "a"


def test_nothing_is_put_before_a_text_that_normalizes_to_nothing():
    accents = {"type": "Sequence", "normalizers": [{"type": "StripAccents"}]}
    assert loads({"a": json_of("metaspace always", normalizer=accents)}).ids("\u0346") == []


def test_whole_words_are_looked_up_before_bytes_are_written():
    content = json_of("gemma", model={"ignore_merges": True}, added_tokens=[])
    tok = loads({"a": content})
    assert tok.ids("<0x41>") == [tokenizers.Tokenizer.from_buffer(content).token_to_id("<0x41>")]
    same_as_ids(tok, "<0x41>")


def test_an_unknown_character_has_the_file_s_id_for_it():
    tok = loads(dumps(train("hug pug", Settings(alphabet="characters", vocab_size=9)).tokenizer()))
    unknown = tok.unknown_id
    assert tok.ids("hux") == [*tok.ids("hu"), unknown]
    assert tok.encode("hux").losses[0][:2] == (2, 3)
    assert unknown >= 0


def test_bytes_of_half_a_character_decode_as_in_tiktoken():
    tok = train("a", Settings(vocab_size=256)).tokenizer()
    assert tok.decode([0xED, 0xA0, 0x80]) == "\ufffd\ufffd\ufffd"


def test_vocabulary_and_merges_whose_words_have_an_end_are_clip_s(tmp_path):
    theirs, _ = opened("gpt2 with end of word")
    parts = json.loads(theirs.to_str())["model"]
    (tmp_path / "vocab.json").write_text(json.dumps(parts["vocab"]))
    (tmp_path / "merges.txt").write_text("#version: 0.2\n" + "\n".join(map(" ".join, parts["merges"])) + "\n")
    tok = load(tmp_path / "vocab.json")
    for text in ("The keeper's tale", "a CAT", "é  12"):
        assert tok.ids(text) == theirs.encode(text).ids
        assert tok.decode(tok.ids(text)).split() == [word for word in tok.decode(tok.ids(text)).split(" ") if word]
    assert tok.special_tokens == {"<|endoftext|>": theirs.token_to_id("<|endoftext|>")}
    assert tok.decode(tok.ids("keeper tale")) == "keeper tale"


@pytest.mark.parametrize("kind", ["bpe", "unigram", "char", "word"])
def test_a_sentencepiece_model_is_read_as_its_own_module_reads_it(kind):
    written = BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(CORPUS.splitlines()), model_writer=written, model_type=kind, vocab_size=700,
        hard_vocab_limit=False, byte_fallback=True, user_defined_symbols=["<user>", "x" * 200], minloglevel=2,
    )  # fmt: skip
    theirs = ModelProto.FromString(written.getvalue())
    name, pieces = sentencepiece_model._parsed(written.getvalue())
    assert name == sentencepiece_model._MODELS[theirs.trainer_spec.model_type]
    assert pieces == [(row.piece, row.score, row.type) for row in theirs.pieces]


@pytest.mark.parametrize("kind", ["bpe", "unigram"])
def test_sentencepiece_models(tmp_path, kind):
    (tmp_path / "corpus.txt").write_text(CORPUS)
    sentencepiece.SentencePieceTrainer.train(
        input=str(tmp_path / "corpus.txt"), model_prefix=str(tmp_path / "m"), model_type=kind, vocab_size=700,
        byte_fallback=True, minloglevel=2,
    )  # fmt: skip
    theirs = sentencepiece.SentencePieceProcessor(model_file=str(tmp_path / "m.model"))
    tok = load(tmp_path / "m.model")
    for text in [*EXAMPLE_TEXTS.values(), *NASTY_UNICODE, *ODD]:
        assert tok.ids(text) == theirs.encode(text)
        assert tok.decode(tok.ids(text)) == theirs.decode(theirs.encode(text))
        same_as_ids(tok, text)
        assert all(0 <= start <= end <= len(text) for start, end in tok.encode(text).spans)
    assert bool(tok.merges) == (kind == "bpe")
    if kind == "bpe":
        assert len(same_as_ids(tok, "the keeper").merged_at) == len("▁the keeper")


def test_a_saved_file_is_the_file_that_was_opened(tmp_path):
    content = json_of("llama2")
    assert dumps(loads({"a": content})) == {"tokenizer.json": content}
    with pytest.raises(FormatError, match="its base symbols are characters"):
        dumps(loads({"a": content}), ".tiktoken")


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        ({"model": {"type": "Nonsense"}}, "the library tokenizers, for which this file is made, cannot use it"),
        ({"pre_tokenizer": {"type": "Nonsense"}}, "the library tokenizers, for which this file is made, cannot use it"),
        ({"model": {"vocab": {"a": 4_000_000_000}, "merges": []}}, "ids from 0 to 2097151 can be read"),
        ({"model": {"merges": [["q", "no"]]}}, "cannot use it"),
    ],
)
def test_what_the_library_refuses_is_one_sentence(parts, reason):
    with pytest.raises(FormatError, match=reason) as caught:
        loads({"a": json_of("llama3", **parts)})
    assert "\n" not in str(caught.value)


@given(st.permutations(train("aab abb bab aabb", Settings(vocab_size=262)).merges), st.text("ab ", max_size=30))
def test_merges_in_any_order_are_shown_as_they_encode(merges, text):
    parts = json.loads(dumps(train("aab abb bab aabb", Settings(vocab_size=262)).tokenizer())["tokenizer.json"])
    parts["model"]["merges"] = [[half.decode().replace(" ", "Ġ") for half in merge[:2]] for merge in merges]
    tok = loads({"x": json.dumps(parts).encode()})
    same_as_ids(tok, text)
    assert encode_text(text) == b"".join(tok.encode(text).tokens)


BYTES = [f"<0x{byte:02X}>" for byte in "éü中".encode()]


@given(
    st.sets(st.sampled_from("abé中")), st.sets(st.sampled_from(BYTES)), st.booleans(), st.text("abéü中 ", max_size=12)
)
def test_a_character_without_all_its_bytes_is_unknown_as_in_the_library(letters, single, merges, text):
    names = ["<unk>", *sorted(letters), *sorted(single)]
    pairs = [("a", "b"), ("é", "a")] if merges and letters >= {"a", "b", "é"} else []
    names += [left + right for left, right in pairs] + ["中ü"]  # which no merge makes
    model = tokenizers.models.BPE(
        {name: i for i, name in enumerate(names)}, pairs, unk_token="<unk>", byte_fallback=True
    )
    theirs = tokenizers.Tokenizer(model)
    tok = loads({"a": theirs.to_str().encode()}).without_library()
    encoding = tok.encode(text)
    # in order: the library writes an unknown character behind the bytes of the next
    assert sorted(max(i, 0) for i in encoding.ids) == sorted(theirs.encode(text).ids)
    assert b"".join(encoding.tokens) == encode_text(text)
    spans = zip(encoding.tokens, encoding.spans, strict=True)
    assert all(token in encode_text(text[start:end]) for token, (start, end) in spans)
    assert b"".join(tok.encode(text, longest=True).tokens) == encode_text(text)


@given(st.sets(st.text("a#", min_size=1, max_size=4)), st.text("a# ", max_size=12))
def test_tokens_of_wordpiece_are_their_texts(names, text):
    """Also the prefix ## alone, which is a token as any other; a text that begins with it may be a token's name."""
    model = tokenizers.models.WordPiece({name: i for i, name in enumerate(["?", *sorted(names)])}, unk_token="?")
    theirs = tokenizers.Tokenizer(model)
    theirs.pre_tokenizer = tokenizers.pre_tokenizers.WhitespaceSplit()
    tok = loads({"a": theirs.to_str().encode()})
    encoding = tok.encode(text)
    assert list(encoding.ids) == theirs.encode(text).ids
    assert not any(map(tok.vocabulary.is_symbol, range(len(tok.tokens))))
    written = zip(encoding.ids, encoding.tokens, encoding.spans, strict=True)
    for i, token, (start, end) in written:
        assert i == 0 or token.decode() in (text[start:end], text[start:end].removeprefix("##"))


def test_a_mark_of_words_is_no_part_of_a_token_unless_it_is_all_of_it():
    def tokens(text, names, merges, **marks):
        model = tokenizers.models.BPE({name: i for i, name in enumerate(names)}, merges, **marks)
        tok = loads({"a": tokenizers.Tokenizer(model).to_str().encode()})
        assert [tok.vocabulary.is_symbol(i) for i in range(2)] == [True, True]
        return tok.encode(text).tokens

    ends = ["<", ">", "</w>", "</", "w>", "/", "w", "a</w>"]
    merges = [("<", "/"), ("w", ">"), ("</", "w>")]
    assert tokens("</w>a", ends, merges, end_of_word_suffix="</w>") == (b"</w>", b"a")
    assert tokens("abb", ["a", "b", "##b", "ab"], [("a", "##b")], continuing_subword_prefix="##") == (b"ab", b"b")


def test_an_added_token_has_the_id_that_the_library_gives_it():
    """In a file whose own number for it does not follow on the vocabulary."""
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    added = [{"id": 5000 + i, "content": name, **flags} for i, name in enumerate(["<x>", "", "<y>"])]
    content = json_of("gpt2", added_tokens=added)
    theirs = tokenizers.Tokenizer.from_buffer(content)
    tok = loads({"a": content})
    encoding = tok.encode("a<y>b<x>", specials=True)
    assert list(encoding.ids) == theirs.encode("a<y>b<x>").ids
    assert encoding.tokens == (b"a", b"<y>", b"b", b"<x>")
    assert tok.decode(encoding.ids) == "a<y>b<x>"


def test_offsets_of_the_library_beyond_the_text():
    ids = {token: i for i, token in enumerate(["a", "</w>", "a</w>", *(f"<0x{byte:02X}>" for byte in range(256))])}
    theirs = tokenizers.Tokenizer(
        tokenizers.models.BPE(ids, [("a", "</w>")], end_of_word_suffix="</w>", byte_fallback=True)
    )
    tok = loads({"tokenizer.json": theirs.to_str().encode()})
    found = tok.encode("a né")
    assert list(found.ids) == theirs.encode("a né").ids
    assert theirs.encode("a né").offsets[-1][1] > 4, "the library has mended it: cutting them is no longer needed"
    assert all(0 <= start <= end <= 4 for start, end in found.spans)
    assert found.losses, "decoding gives the suffix's bytes too"
