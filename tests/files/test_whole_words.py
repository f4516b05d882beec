"""Files such as Llama 3's, which look up whole words before they merge: opened as ours, trimmed and grown.

The oracle is `tokenizers`. In the file here one token is made by no merges, and one by two.
"""

import json
from functools import cache

import pytest
import tokenizers
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import Settings, Tokenizer, dumps, load, loads, same, train, trim
from bpe_core.files.opening import read
from tests.texts import EXAMPLE_TEXTS, NASTY_UNICODE

CORPUS = EXAMPLE_TEXTS["many-languages"] + "the lower newest widest lowest " * 9
WORDS = st.lists(
    st.sampled_from(["low", " lower", " the", "newest", " widest", "est", " zebra", "zebra", " wx", "1234"])
)


@cache
def file() -> bytes:
    parts = json.loads(dumps(train(CORPUS, Settings("llama3", vocab_size=420)).tokenizer())["tokenizer.json"])
    model = parts["model"]
    model["ignore_merges"] = True
    for word in ("Ġzebra", "Ġwx", "wx"):  # what no merges make
        model["vocab"][word] = len(model["vocab"])
    for left, right in (("Ġt", "he"), ("w", "x")):  # another way to a token
        model["merges"].append([left, right])
    end = len(model["vocab"])
    single = [{"SpecialToken": {"id": "<|end|>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}]
    parts["post_processor"] = {
        "type": "TemplateProcessing", "single": single, "pair": [*single, {"Sequence": {"id": "B", "type_id": 1}}],
        "special_tokens": {"<|end|>": {"id": "<|end|>", "ids": [end], "tokens": ["<|end|>"]}},
    }  # fmt: skip
    parts["added_tokens"] = [
        {"id": end, "content": "<|end|>", "special": True, "normalized": False}
        | dict.fromkeys(("single_word", "lstrip", "rstrip"), False)
    ]
    return json.dumps(parts).encode()


@cache
def opened() -> tuple[tokenizers.Tokenizer, Tokenizer]:
    return tokenizers.Tokenizer.from_buffer(file()), loads({"tokenizer.json": file()})


def theirs_of(tok: Tokenizer) -> tokenizers.Tokenizer:
    return tokenizers.Tokenizer.from_buffer(dumps(tok)["tokenizer.json"])


def ids(theirs: tokenizers.Tokenizer, text: str) -> list[int]:
    return list(theirs.encode(text, add_special_tokens=False).ids)


TEXTS = WORDS.map("".join) | st.text() | st.sampled_from(NASTY_UNICODE)


@given(TEXTS)
def test_it_is_ours_with_the_library_s_ids_and_text(text):
    text = text.encode("utf-8", "replace").decode()
    theirs, tok = opened()
    assert not tok.needs_library
    assert tok.whole_words
    found = tok.ids(text, specials=True)
    assert found == ids(theirs, text)
    assert tok.decode(found) == theirs.decode(found, skip_special_tokens=False)
    library = read({"tokenizer.json": file()}).encode(text, specials=True)
    encoding = tok.encode(text, specials=True)
    assert (encoding.tokens, encoding.spans, tuple(encoding.merged_at)) == (
        library.tokens, library.spans, tuple(library.merged_at)
    )  # fmt: skip


@given(st.lists(WORDS.map("".join), min_size=1, max_size=3), TEXTS)
def test_a_trimmed_one_has_the_same_tokens_on_its_texts_and_the_library_s_ids_on_others(texts, other):
    other = other.encode("utf-8", "replace").decode()
    _, tok = opened()
    small = trim(tok, tuple(texts))
    for text in texts:
        assert small.tokenizer.ids(text) == [small.ids[i] for i in tok.ids(text)]
    theirs = theirs_of(small.tokenizer)
    assert small.tokenizer.ids(other, specials=True) == ids(theirs, other)
    assert small.tokenizer.ids(other, specials=True, add_special_tokens=True) == theirs.encode(other).ids


def test_a_grown_one_keeps_the_old_ids_and_has_the_library_s(tmp_path):
    theirs, tok = opened()
    text = CORPUS + " zebra wx lowest slowest" * 9
    run = train(text, Settings(vocab_size=tok.vocab_size + 60), start=tok)
    assert run.steps == 60
    assert run.tokenizer(0).ids(text) == tok.ids(text) == ids(theirs, text)
    for step in (1, 20, 60):
        grown = run.tokenizer(step)
        assert grown.ids(text) == ids(theirs_of(grown), text)
        assert grown.count(text) == sum(count * len(word) for word, count in run.words(step))
        assert [*grown.encode(text).tokens] == [grown.token_bytes(i) for i in grown.ids(text)]
    assert load(grown.save(tmp_path / "grown.json")[0]) == grown


def test_a_token_that_is_learnt_although_no_merge_made_it_before_takes_no_old_id():
    _, tok = opened()
    grown = train(" zebraq zebraj zebrax" * 9, Settings(vocab_size=tok.vocab_size + 9), start=tok).tokenizer()
    assert grown.tokens.count(b" zebra") == 2
    assert grown.ids(" zebra") == tok.ids(" zebra") == [tok.token_to_id(" zebra")]
    with pytest.raises(ValueError, match="a token with two ids"):
        dumps(grown)


def test_ways_and_same_take_it():
    _, tok = opened()
    assert tok.ways(" wx") == tok.plain().ways(" wx") == 4  # Ġwx; Ġ wx; Ġw x; Ġ w x
    without = json.loads(file())
    without["model"]["ignore_merges"] = False
    found = same(tok, loads({"tokenizer.json": json.dumps(without).encode()}), seconds=5)
    assert found.is_different
    assert found.text is not None
    assert "zebra" in found.text or "wx" in found.text


@pytest.mark.parametrize("format", [".tiktoken", "minbpe", "vocab.json + merges.txt"])
def test_other_formats_cannot_say_it(format):
    with pytest.raises(ValueError, match="whole words are looked up first; choose"):
        dumps(opened()[1], format)
