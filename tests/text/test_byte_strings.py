"""Columns of byte strings: plain Python and Arrow find the same, and without Arrow everything is as with it."""

import sys
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core.text import arrow_strings, byte_strings, plain_strings
from tests.children import ran

STRINGS = st.lists(st.binary(max_size=3) | st.sampled_from([b"to", b" be", "né".encode(), b""]), max_size=20)
PIECES = st.lists(STRINGS, min_size=1, max_size=4)


def found_by(module, name, *arguments):
    """What a function finds, with arrays and columns as lists."""
    found = getattr(module, name)(*arguments)
    if isinstance(found, tuple):
        words, numbers = found
        return plain_strings.to_list([words]), numbers.tolist(), numbers.dtype
    return found if isinstance(found, list) else (found.tolist(), found.dtype)


@given(PIECES, st.binary(max_size=2))
def test_arrow_finds_what_plain_python_finds(pieces, part):
    column = [plain_strings.piece(strings) for strings in pieces]
    for name, more in {
        "to_list": (), "counted": (), "numbered": (), "sorted_indexes": (), "containing": (part,)
    }.items():  # fmt: skip
        assert found_by(arrow_strings, name, column, *more) == found_by(plain_strings, name, column, *more)


@given(PIECES, st.data())
def test_a_column_of_pieces_is_the_column_of_all_strings(pieces, data):
    strings = [string for part in pieces for string in part]
    column = byte_strings.joined(map(byte_strings.byte_strings, pieces))
    assert column.to_list() == strings
    assert column.raw.tobytes() == b"".join(strings)
    mask = np.array(data.draw(st.lists(st.booleans(), min_size=len(strings), max_size=len(strings))), bool)
    assert column.filter(mask).to_list() == [string for string, kept in zip(strings, mask, strict=True) if kept]
    which = data.draw(st.lists(st.integers(0, len(strings) - 1))) if strings else []
    assert column.take(which).to_list() == [strings[i] for i in which]
    words, counts = column.counted()
    assert dict(zip(words.to_list(), counts.tolist(), strict=True)) == Counter(strings)


def test_a_short_column_needs_no_arrow_and_a_long_one_says_so_once(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.delitem(sys.modules, "bpe_core.text.arrow_strings", raising=False)
    monkeypatch.delattr("bpe_core.text.arrow_strings", raising=False)
    strings = [b"%d" % (i % 999) for i in range(2 * byte_strings.MANY)]
    assert len(byte_strings.byte_strings(strings).counted()[0]) == 999  # not very long: nothing is said
    monkeypatch.setattr(byte_strings, "VERY_MANY", byte_strings.MANY)
    with pytest.warns(UserWarning, match=r"pyarrow is not installed, .* pip install"):
        byte_strings.byte_strings(strings).numbered()


WITHOUT = """
import sys
blocked = sys.argv[1:]
sys.modules.update(dict.fromkeys(blocked))
from bpe_core import Settings, load, train
text = "".join(f"the {i % 997} dogs of {i} ate. " for i in range(9_000))
run = train(text, Settings("gpt2", vocab_size=300))
print([(merge.left, merge.right, merge.count, merge.tied) for merge in run.merges], sum(load("gpt2").ids(text)))
print({"pyarrow", "pandas", "rich", "shtab"} & {name for name, module in sys.modules.items() if module})
"""


def test_a_text_is_trained_on_and_encoded_without_arrow_as_with_it():
    def printed(*blocked):
        return ran([sys.executable, "-c", WITHOUT, *blocked], check=True, capture_output=True, text=True).stdout

    with_arrow, without = printed().splitlines(), printed("pyarrow").splitlines()
    assert with_arrow[0] == without[0]
    assert with_arrow[1] == "{'pyarrow'}"  # the text is long enough for it, and it brings no pandas
    assert without[1] == "set()"


def test_a_short_text_imports_nothing_that_it_does_not_need():
    code = WITHOUT.replace("9_000", "9")
    loaded = ran([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.splitlines()[1]
    assert loaded == "set()"
