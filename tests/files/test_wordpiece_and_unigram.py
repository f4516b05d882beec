"""WordPiece and Unigram of ours as files: their library loads them and encodes to the same ids."""

import unicodedata
from itertools import chain, groupby

import pytest
import tokenizers
from hypothesis import given

from bpe_core import PRETOKENIZERS, UNKNOWN, FormatError, Settings, loads
from bpe_core.files.tokenizer_json_write import dumps_model
from bpe_core.models import unigram, wordpiece
from bpe_core.models.unigram import Unigram
from tests.shapes import CORPUS
from tests.some import some
from tests.texts import EXAMPLE_TEXTS, NASTY_UNICODE, TEXTS

WRITABLE = TEXTS.filter(lambda text: not any(0xD800 <= ord(char) < 0xE000 for char in text))


def trained(kind, pretokenizer, normalizers=()):
    chosen = Settings(pretokenizer, "characters", vocab_size=700, normalizers=normalizers)
    if kind == "Unigram":
        return unigram.train(CORPUS[:6000], chosen).model()
    return wordpiece.train(CORPUS[:6000], chosen).tokenizer()


def is_old(char: str) -> bool:
    """Whether every library's Unicode tables have the character."""
    return unicodedata.ucd_3_2_0.category(char) != "Cn"


@pytest.mark.parametrize("pretokenizer", some(["bert", "whitespace", "gpt2", "metaspace"]))
@pytest.mark.parametrize("kind", ["WordPiece", "Unigram"])
def test_the_library_encodes_to_the_same_ids(kind, pretokenizer):
    model = trained(kind, pretokenizer)
    files = dumps_model(model)
    theirs = tokenizers.Tokenizer.from_str(files["tokenizer.json"].decode())
    last = len(model.tokens)

    def compare(text):
        words = (model.encode_word(word) for word in PRETOKENIZERS[pretokenizer].strings(text))
        if kind == "Unigram":  # there, unknown characters of a word become one token
            words = ([i for i, run in groupby(ids) for i in ([i] if i == UNKNOWN else run)] for ids in words)
        ours = [last if i == UNKNOWN else i for i in chain.from_iterable(words)]
        assert theirs.encode(text).ids == ours

    for text in [*EXAMPLE_TEXTS.values(), *NASTY_UNICODE]:
        compare(text)
    given(WRITABLE.filter(lambda text: all(map(is_old, text))))(compare)()
    opened = loads(files)
    assert (opened.model, opened.unknown_id) == (kind, last)


def test_the_file_carries_normalizers():
    model = trained("WordPiece", "bert", ("bert",))
    theirs = tokenizers.Tokenizer.from_str(dumps_model(model, ("bert",))["tokenizer.json"].decode())
    assert theirs.encode("ÉCLAIR the").ids == theirs.encode("eclair the").ids


def test_what_the_file_cannot_carry_is_refused():
    marked = wordpiece.train_counts({"a##a": 3, "##a": 1}, Settings("whitespace", "characters", vocab_size=12))
    with pytest.raises(FormatError, match="begins with ##, the mark of tokens that continue a word"):
        dumps_model(marked.tokenizer())
    with pytest.raises(FormatError, match="has a token <unk>"):
        dumps_model(Unigram((b"<unk>",), (0.0,), PRETOKENIZERS["whitespace"]))
    named = wordpiece.train("[UNK]", Settings("whitespace", "characters", vocab_size=40))
    with pytest.raises(FormatError, match=r"has a token \[UNK\], which is the name for unknown characters"):
        dumps_model(named.tokenizer())


@pytest.mark.parametrize(("kind", "name"), [("WordPiece", "[UNK]"), ("Unigram", "<unk>")])
def test_the_library_takes_a_typed_name_for_the_unknown_token(kind, name):
    """As the docstring says; our model spells the name instead."""
    model = trained(kind, "whitespace")
    theirs = tokenizers.Tokenizer.from_str(dumps_model(model)["tokenizer.json"].decode())
    assert theirs.encode(name).ids == [len(model.tokens)]
    assert f"`{name}`" in dumps_model.__doc__
