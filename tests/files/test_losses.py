"""Why a library's ids do not give a text back: one reason each, in files that do exactly one thing to a text."""

import json
from io import BytesIO

import pytest
import regex
import sentencepiece
import tokenizers
from tokenizers import Regex, decoders, models, normalizers, pre_tokenizers
from tokenizers import Tokenizer as Theirs

from bpe_core import load, loads
from bpe_core.pictures.tokens.token_facts import facts
from bpe_core.text.alphabet import LETTER_OF
from bpe_core.tokenizer.encoding import CHANGED, DECODED, DROPPED, FALLEN, NOT_KNOWN, TOO_LONG

LETTERS = {name: i for i, name in enumerate(["<unk>", *"abcu ", "á"])}
WITHOUT_A_BYTE = {LETTER_OF[byte]: byte for byte in range(256) if byte != 0x0B}


def file_of(model, **parts):
    theirs = Theirs(model)
    theirs.decoder = decoders.Fuse()
    for name, part in parts.items():
        setattr(theirs, name, part)
    return theirs


def bpe(unknown=True, vocabulary=LETTERS):
    return models.BPE(vocabulary, [], **({"unk_token": "<unk>"} if unknown else {}))


def wordpiece():
    return models.WordPiece({"<unk>": 0, "a": 1, "##a": 2}, unk_token="<unk>", max_input_chars_per_word=5)


def added(name):
    theirs = file_of(
        bpe(False, WITHOUT_A_BYTE), pre_tokenizer=pre_tokenizers.ByteLevel(False), decoder=decoders.ByteLevel()
    )
    theirs.add_tokens([name])
    return theirs


ROWS = {
    "nothing": (file_of(bpe()), "ab c", []),
    "drops": (file_of(bpe(False)), "axb", [(1, 2, FALLEN)]),
    "drops a byte": (added("xyz"), "a\x0bb", [(1, 2, FALLEN)]),
    "does not know": (file_of(bpe()), "axb", [(1, 2, NOT_KNOWN)]),
    "does not know a word": (
        file_of(wordpiece(), pre_tokenizer=pre_tokenizers.WhitespaceSplit()),
        "xx",
        [(0, 2, NOT_KNOWN)],
    ),
    "too long": (file_of(wordpiece()), "aaaaaa", [(0, 6, TOO_LONG)]),
    "normalizes": (file_of(bpe(), normalizer=normalizers.Lowercase()), "aBc", [(1, 2, CHANGED)]),
    "strips": (file_of(bpe(), normalizer=normalizers.Strip()), "a ", [(1, 2, CHANGED)]),
    "splits": (file_of(bpe(), pre_tokenizer=pre_tokenizers.WhitespaceSplit()), "a b", [(1, 2, DROPPED)]),
    "decodes letters": (added("\u010dau"), "\u010dau", [(0, 1, DECODED)]),
    "decodes without": (
        file_of(bpe(), decoder=decoders.Sequence([decoders.Fuse(), decoders.Strip("a", 1, 0)])),
        "ab",
        [(0, 1, DECODED)],
    ),
    "decodes without the first": (
        file_of(bpe(), decoder=decoders.Sequence([decoders.Fuse(), decoders.Strip("a", 1, 0)])),
        "ab ac",
        [(0, 1, DECODED)],
    ),
    "puts spaces": (file_of(bpe(), decoder=decoders.WordPiece()), "ab", [(1, 1, DECODED)]),
    "puts a space back": (
        file_of(
            bpe(),
            normalizer=normalizers.Replace(" ", "á"),
            decoder=decoders.Sequence([decoders.Replace("á", " "), decoders.Fuse()]),
        ),
        "a b",
        [],
    ),
    "all of it": (
        file_of(bpe(False), normalizer=normalizers.Lowercase(), pre_tokenizer=pre_tokenizers.WhitespaceSplit()),
        "A xb",
        [(0, 1, CHANGED), (1, 2, DROPPED), (2, 3, FALLEN)],
    ),
}


@pytest.mark.parametrize("name", ROWS)
def test_each_loss_has_its_reason(name):
    theirs, text, expected = ROWS[name]
    encoding = loads({"tokenizer.json": theirs.to_str().encode()}).encode(text)
    assert [tuple(loss) for loss in encoding.losses] == expected
    decoded = theirs.decode(theirs.encode(text).ids, skip_special_tokens=False)
    assert (decoded == text) == (not expected)


def test_losses_of_a_sentencepiece_model():
    written = BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(["abc ab c"] * 20), model_writer=written, vocab_size=10, hard_vocab_limit=False,
        minloglevel=2,
    )  # fmt: skip
    tok = loads({"m.model": written.getvalue()})
    assert tok.encode("abc ab").losses == ()
    assert tok.encode("abx").losses == ((2, 3, NOT_KNOWN),)
    assert tok.encode("ab\uff43").losses == ((2, 3, CHANGED),)
    assert tok.encode("ab  c").losses == ((3, 4, CHANGED),)


def test_our_own_wordpiece_says_what_is_too_long():
    assert load("bert").encode("a" * 101).losses == ((0, 101, TOO_LONG),)
    assert load("bert").encode("a" * 100).losses == ()


GEMMAS = {
    "normalizer": {"type": "Replace", "pattern": {"String": " "}, "content": "▁"},
    "decoder": {
        "type": "Sequence",
        "decoders": [
            {"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
            {"type": "ByteFallback"},
            {"type": "Fuse"},
        ],
    },
    "model": {"type": "BPE", "vocab": {"<unk>": 0, "▁": 1, "a": 2, "ĉ": 3}, "merges": [], "unk_token": "<unk>"},
}


def test_a_sign_for_a_space_that_is_typed_comes_back_as_a_space_and_is_said_to():
    content = json.dumps({"version": "1.0", "added_tokens": [], **GEMMAS})
    theirs, tok = Theirs.from_str(content), loads({"tokenizer.json": content.encode()})
    for text in ("▁", "a▁a", "ĉ", " ĉ", "▁ a"):
        found = tok.encode(text)
        assert found.decoded == theirs.decode(theirs.encode(text).ids) == text.replace("▁", " ")
        assert [text[loss.start : loss.end] for loss in found.losses] == ["▁"] * ("▁" in text)


def test_a_token_that_a_lookup_takes_whole_shows_no_merges_that_did_not_happen():
    vocab = {"a": 0, "b": 1, "c": 2, "ab": 3, "abc": 4, "bc": 5}
    model = {"type": "BPE", "vocab": vocab, "merges": [["b", "c"], ["a", "b"]], "ignore_merges": True}
    content = json.dumps({"version": "1.0", "added_tokens": [], "model": model})
    theirs, tok = Theirs.from_str(content), loads({"tokenizer.json": content.encode()})
    found = tok.encode("abc")
    assert list(found.ids) == theirs.encode("abc").ids == [4]
    assert len(found.walk.ids) == 1  # one symbol: no boundary falls inside
    assert (tok.origin(4), tok.inside(4)) == (None, ())
    reason = "the vocabulary has it whole, and its own symbols do not merge into it"
    assert facts(tok, 4)[0] == ("no merge", [reason])


def test_a_character_newer_than_the_librarys_unicode_is_said_with_its_version():
    content = json.dumps({"version": "1.0", "added_tokens": [], **GEMMAS})
    tok = loads({"tokenizer.json": content.encode()})
    split = pre_tokenizers.Split(Regex(r"\p{Cn}"), "removed")
    newest = regex.findall(r"[^\p{Cn}]", "".join(map(chr, range(0x1FA70, 0x1FB00))))
    for char in newest:
        unknown = split.pre_tokenize_str(char) == []
        assert bool(tok.encode(f"a {char}").library_remark) == unknown
    points = map(chr, (*range(0xA0, 0xD800), *range(0xE000, 0x30000)))
    newer = [char for char in points if regex.match(r"\P{Cn}", char) and not split.pre_tokenize_str(char)]
    if newer:  # the module `regex` has a newer Unicode than the library
        sentence = tok.encode(newer[0] * 2).library_remark
        assert f"newer than the Unicode of tokenizers {tokenizers.__version__}, U+{ord(newer[0]):04X}:" in sentence
    assert tok.encode("a né 🦜").library_remark == ""
