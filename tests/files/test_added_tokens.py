"""Added tokens that are not special: always tokens in a text, and kept when special tokens are skipped."""

from functools import cache

import pytest
from tokenizers import AddedToken
from tokenizers import Tokenizer as Theirs

from bpe_core import FORMATS, FormatError, Tokenizer, dumps, load
from bpe_core.files.conversion import as_ours
from bpe_core.files.opening import read

TEXT = "a<tool_call>b<|im_end|>c"


@cache
def files(name: str) -> dict[str, bytes]:
    """A published vocabulary as `tokenizer.json`."""
    return dumps(load(name))


def opened_by_them(name: str) -> Theirs:
    """The same, opened by Hugging Face's library."""
    return Theirs.from_buffer(files(name)["tokenizer.json"])


@pytest.fixture(scope="module")
def theirs() -> Theirs:
    found = opened_by_them("gpt2")
    found.add_tokens([AddedToken("<tool_call>", normalized=False)])
    found.add_special_tokens(["<|im_end|>"])
    return found


@pytest.fixture(scope="module")
def opened(theirs: Theirs) -> Tokenizer:
    return read({"tokenizer.json": theirs.to_str().encode()})


@pytest.mark.parametrize("ours", ["opened", "converted", "qwen"])
def test_the_ids_and_the_skipping_are_those_of_the_library(theirs, opened, ours):
    tok = {"opened": opened, "converted": as_ours(opened), "qwen": load("qwen")}[ours]
    library = opened_by_them("qwen") if ours == "qwen" else theirs
    ids = library.encode(TEXT).ids
    assert tok.ids(TEXT, specials=True) == tok.ids_batch([TEXT], specials=True)[0] == ids
    assert library.decode(ids) == "a<tool_call>bc"
    assert tok.decode(ids, skip_special_tokens=True) == "a<tool_call>bc"
    assert tok.decode_batch([ids], skip_special_tokens=True) == ["a<tool_call>bc"]
    assert tok.decode_bytes(ids, skip_special_tokens=True) == b"a<tool_call>bc"
    assert "".join(tok.decode_stream(ids, skip_special_tokens=True)) == "a<tool_call>bc"
    library.encode_special_tokens = True
    plain = library.encode(TEXT).ids
    library.encode_special_tokens = False
    assert tok.ids(TEXT, specials=False) == tok.ids_batch([TEXT], specials=False)[0] == plain
    assert [*tok.encode(TEXT, specials=False).ids] == plain
    assert tok.ids("<tool_call>") == [tok.special_tokens["<tool_call>"]]


def test_a_file_says_which_tokens_are_not_special():
    qwen = load("qwen")
    named = opened_by_them("qwen").get_added_tokens_decoder()
    plain = {i for i, token in named.items() if not token.special}
    assert plain == {*range(151657, 151669)} == qwen.kinds.keys()
    assert as_ours(read(files("qwen"))) == qwen


def test_a_format_that_cannot_say_so_refuses(opened):
    for name in FORMATS.keys() - {"tokenizer.json"}:
        with pytest.raises(FormatError):
            dumps(opened, name)
    with pytest.raises(FormatError, match="cannot say that '<tool_call>' is always a token"):
        dumps(as_ours(opened), "minbpe")
