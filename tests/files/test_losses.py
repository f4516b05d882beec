"""Why a library's ids do not give a text back: one reason each, in files that do exactly one thing to a text."""

from io import BytesIO

import pytest
import sentencepiece
from tokenizers import Tokenizer as Theirs
from tokenizers import decoders, models, normalizers, pre_tokenizers

from bpe_core import load, loads
from bpe_core.text.gpt2_bytes import LETTER_OF
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
