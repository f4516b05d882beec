"""`vocab.json` and `merges.txt` of each class are read as transformers 5 reads them, whose ids `class_ids.json` has.

`tests/published/real_classes.py` computes the ids with transformers itself.
"""

import json
from pathlib import Path

import pytest

from bpe_core import FormatError, load, loads
from bpe_core.files.tokenizer_classes import CLASSES
from tests.files.class_files import NAMES, TEXTS, class_files

FROZEN = {
    name: ids
    for names, ids in json.loads((Path(__file__).parent / "class_ids.json").read_text()).items()
    for name in names.split()
}
# Where transformers takes ids from elsewhere: Luke's tokens of entities, BOS and EOS that are not the file's.
ELSEWHERE = {"LukeTokenizer": {len(TEXTS) - 1}, "WhisperTokenizer": {len(TEXTS)}, "HerbertTokenizer": {len(TEXTS)}}


@pytest.mark.parametrize("name", NAMES)
def test_a_class_splits_normalizes_and_finds_tokens_as_in_transformers(name):
    tok = loads(class_files(name))
    ids = [tok.ids(text, specials=True) for text in TEXTS] + [tok.ids("ab", specials=True, add_special_tokens=True)]
    for at, (ours, theirs) in enumerate(zip(ids, FROZEN[name], strict=True)):
        assert ours == theirs or at in ELSEWHERE.get(name, ()), (name, [*TEXTS, "around"][at])
    assert tok.assumptions == ()
    fast = class_files(name) | {
        "tokenizer_config.json": class_files(name)["tokenizer_config.json"].replace(b'Tokenizer"', b'TokenizerFast"')
    }
    assert loads(fast).ids_batch(TEXTS, specials=True) == tok.ids_batch(TEXTS, specials=True)


def test_each_class_has_one_row_and_is_held_to_transformers():
    assert len(NAMES) == len(set(NAMES)) == len([name for row in CLASSES for name in row.names.split()])
    assert FROZEN.keys() == set(NAMES)


@pytest.mark.parametrize("name", ["BioGptTokenizer", "CTRLTokenizer", "LlamaTokenizer", "QWenTokenizer"])
def test_an_unknown_class_is_refused_by_its_name_unless_a_split_is_chosen(name):
    files = class_files("GPT2Tokenizer")
    files["tokenizer_config.json"] = json.dumps({"tokenizer_class": name}).encode()
    with pytest.raises(FormatError, match=f"of the class {name}, .* choose a pretokenizer"):
        loads(files)
    assert loads(files, "qwen").ids("I'LL") == loads(class_files("Qwen2Tokenizer")).ids("I'LL")


def test_a_class_that_says_nothing_leaves_the_split_assumed(tmp_path):
    files = class_files("GPT2Tokenizer")
    files["tokenizer_config.json"] = b'{"tokenizer_class": "PreTrainedTokenizerFast", "add_prefix_space": true}'
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    tok = load(tmp_path)
    assert "GPT-2’s split is assumed" in tok.assumptions[0]
    assert tok.assumptions[0] in repr(tok)
    assert tok.decode(tok.ids("ab")) == " ab"
