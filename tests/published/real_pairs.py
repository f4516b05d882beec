"""Pairs of published files, compared: those that agree, and those that are known to differ. `make test-published`."""

import json

import pytest
import tokenizers

from bpe_core import PRETOKENIZERS, dumps, load, loads, same
from tests.published.real_files import HUGGING_FACE, SENTENCE_PIECE, content

SECONDS = 20


def test_llama_2_and_the_first_mistral_differ_in_no_text_that_is_found():
    """The package's file of Llama 2, and Mistral's: the same vocabulary, written in two notations."""
    one, other = content(*HUGGING_FACE["llama2"]), content(*SENTENCE_PIECE["mistral 1"])
    found = same(loads({"tokenizer.json": one}), loads({"tokenizer.model": other}), seconds=SECONDS)
    assert found.text is None
    assert "vocabulary" not in found.differing
    assert "split" in found.differing


def test_the_split_with_which_files_of_mistral_were_published_is_found_in_its_own_library():
    """Files of Tekken had Llama 3's pattern, which has contractions and takes digits by three."""
    raw = dumps(load("tekken"))["tokenizer.json"]
    parts = json.loads(raw)
    text = json.dumps(PRETOKENIZERS["tekken"].pattern)
    assert text in json.dumps(parts["pre_tokenizer"])
    changed = json.dumps(parts["pre_tokenizer"]).replace(text, json.dumps(PRETOKENIZERS["llama3"].pattern))
    parts["pre_tokenizer"] = json.loads(changed)
    files = [raw, json.dumps(parts).encode()]
    found = same(*(loads({"tokenizer.json": each}) for each in files), seconds=SECONDS)
    assert found.text is not None
    assert found.differing == ("split",)
    sides = [tokenizers.Tokenizer.from_buffer(each) for each in files]
    for each in sides:
        each.encode_special_tokens = not found.specials
    ids = [tuple(each.encode(found.text, add_special_tokens=False).ids) for each in sides]
    assert ids == [found.one_ids, found.other_ids]
    assert ids[0] != ids[1]


@pytest.mark.large
def test_llama_3_and_its_successor_differ_in_what_is_put_around_a_text():
    """As they are in the packages of one publisher."""
    one, other = (loads({"tokenizer.json": content(*HUGGING_FACE[name])}) for name in ("llama3", "llama3_1"))
    found = same(one, other, seconds=SECONDS)
    assert found.differing == ("around a text",)
    assert found.text is None
