"""Files that came in as `tokenizer.json` go out in any format that can hold them, with the same ids."""

import json
import re
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import (
    FORMATS,
    PRETOKENIZERS,
    PUBLISHED,
    FormatError,
    MergesError,
    Settings,
    SettingsError,
    Tokenizer,
    append,
    dumps,
    load,
    loads,
    savings,
    train,
    trim,
)
from bpe_core.files.conversion import REFUSED, as_ours
from bpe_core.files.hugging_face_parts import splitting_parts
from bpe_core.files.opening import read
from tests.gguf_files import sentencepiece_model
from tests.texts import NASTY_UNICODE

FLAGS = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": True}
STORY = "the lower lowest newer tales 12 12, don't 🦜 " * 3
WRITABLE = [key for key, row in PRETOKENIZERS.items() if row.hugging_face is not None and row.lossless]
OURS = [
    train(STORY, Settings(key, vocab_size=300, special_tokens=("<|end|>",), normalizers=chain)).tokenizer()
    for key, chain in [*((key, ()) for key in WRITABLE), ("gpt2", ("nfc",)), ("gpt2", ("lowercase", "nfd"))]
]


@pytest.mark.parametrize("tok", OURS, ids=lambda tok: f"{tok.pretokenizer.title} {tok.normalizers}")
def test_what_was_written_and_opened_is_ours_again(tok):
    assert as_ours(read(dumps(tok))) == loads(dumps(tok)) == tok
    assert not loads(dumps(tok)).needs_library


@cache
def in_every_format(number: int) -> list[Tokenizer]:
    """A tokenizer of `OURS`, opened from its tokenizer.json, and what became of that in the other formats."""
    opened, found = loads(dumps(OURS[number])), []
    for name in FORMATS:
        try:
            found.append(loads(dumps(opened, name), OURS[number].pretokenizer))
        except FormatError:
            with pytest.raises(FormatError):  # then the format cannot hold it
                dumps(OURS[number], name)
    return [opened, *found]


@given(st.text() | st.sampled_from(NASTY_UNICODE), st.sampled_from(range(len(OURS))))
def test_the_same_ids_in_every_format(text, number):
    text = text.encode("utf-8", "replace").decode()
    first, *others = [tok.ids(text, specials=False) for tok in in_every_format(number)]
    assert others
    assert all(other == first for other in others)


def changed(**parts: object) -> dict[str, bytes]:
    """A file of ours with other parts."""
    (content,) = dumps(OURS[0]).values()
    file = json.loads(content)
    for name, part in parts.items():
        file[name] = {**file[name], **part} if name == "model" else part
    return {"tokenizer.json": json.dumps(file).encode()}


SPLIT = splitting_parts(PRETOKENIZERS["gpt2"])[0]


@pytest.mark.parametrize(
    ("parts", "why"),
    [
        ({"pre_tokenizer": None}, "does not end with ByteLevel"),  # a decoder of that name makes no bytes
        ({"pre_tokenizer": SPLIT}, "does not end with ByteLevel"),
        ({"model": {"merges": [], "vocab": {"a": 0, "b": 1}}, "added_tokens": []}, "it lacks some of the 256 bytes"),
        ({"model": {"end_of_word_suffix": "</w>"}}, "end_of_word_suffix"),
        ({"normalizer": {"type": "Strip", "strip_left": True, "strip_right": True}}, "normalizer is Strip"),
        ({"pre_tokenizer": {"type": "CharDelimiterSplit", "delimiter": "x"}}, "pretokenizer is CharDelimiterSplit"),
        (
            {"added_tokens": [{"id": 300, "content": "a b", "special": False, **FLAGS, "lstrip": True}]},
            "its added token 'a b' has rules",
        ),
    ],
)
def test_a_file_with_other_rules_is_not_converted_and_says_why(parts, why):
    opened = loads(changed(**parts))
    assert dumps(opened) == changed(**parts)
    with pytest.raises(FormatError, match=why):
        dumps(opened, ".tiktoken")


def test_gpt2_s_files_become_a_rank_file():
    gpt2 = PUBLISHED["gpt2"].load()
    opened = loads(dumps(gpt2))
    assert dumps(opened, ".tiktoken") == dumps(gpt2, ".tiktoken")


def unigram() -> Tokenizer:
    model = {"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0.0], ["l", -1.0]], "byte_fallback": False}
    return loads({"tokenizer.json": json.dumps({"model": model}).encode()})


def three_splits() -> Tokenizer:
    """As DeepSeek splits: digits, then Chinese characters, then the rest."""
    splits = [{"type": "Digits", "individual_digits": True}, {"type": "Punctuation", "behavior": "Isolated"}, SPLIT]
    to_bytes = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
    return loads(changed(pre_tokenizer={"type": "Sequence", "pretokenizers": [*splits, to_bytes]}))


WITHOUT = {
    "WordPiece": (lambda: load("bert"), "its model is WordPiece, which has no merges"),
    "Unigram": (unigram, "its model is Unigram, which has no merges"),
    "scores": (lambda: loads({"m.model": sentencepiece_model("bpe", "nmt_nfkc")}), "its tokens are SentencePiece's"),
    "three splits": (three_splits, "its pretokenizer is Digits + Punctuation + Split + ByteLevel"),
}
NEEDS_MERGES = {
    "trim": lambda tok: trim(tok, "low"),
    "append": lambda tok: append(tok, "gpt2"),
    "appended": lambda tok: append("gpt2", tok),
    "start": lambda tok: train("low low", Settings(vocab_size=10**6), start=tok),
    "savings": lambda tok: savings("low low", tok),
    "ways": lambda tok: tok.ways("low"),
    **{name: lambda tok, name=name: dumps(tok, name) for name in FORMATS if name != "tokenizer.json"},
}
ALLOWED = {("trim", "three splits")}  # its file gets fewer tokens


@pytest.mark.parametrize("kind", WITHOUT)
@pytest.mark.parametrize("operation", NEEDS_MERGES)
def test_what_needs_merges_says_in_one_way_that_there_are_none(operation, kind):
    make, why = WITHOUT[kind]
    if (operation, kind) in ALLOWED:
        assert NEEDS_MERGES[operation](make())
        return
    with pytest.raises(MergesError, match=f"^{re.escape(REFUSED + why)}$") as caught:
        NEEDS_MERGES[operation](make())
    assert isinstance(caught.value, FormatError)  # what 2.0 raised, here or there
    assert isinstance(caught.value, SettingsError)
