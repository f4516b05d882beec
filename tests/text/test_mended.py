"""A text that was decoded wrongly is what it was, and any other text is left alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core.text.mended import mended

TEXTS = ["The café’s door", "Дети читают книгу", "孩子们在读书", "बच्चे पढ़ते हैं", "20 °C → “warm” – 5 €", "👩‍👩‍👧 naïve"]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("codec", ["latin-1", "cp1252"])
def test_utf_8_that_was_read_as_another_encoding(text, codec):
    raw = text.encode()
    try:
        read = raw.decode(codec)
    except UnicodeDecodeError:  # Windows-1252 has no 81; browsers read U+0081
        read = "".join(bytes([byte]).decode(codec, "ignore") or chr(byte) for byte in raw)
    assert mended(read) == (text, "Latin-1")
    assert mended(f"{read} low\n") == (f"{text} low\n", "Latin-1")
    assert mended(text) is None
    assert mended(f"{read} é.") is None, "a letter that is no part of it"


def test_a_character_of_another_script_beside_it_stays():
    assert mended("cafÃ© 日本 Å‚") == ("café 日本 ł", "Latin-1")


@pytest.mark.parametrize("text", ["LIBERTÉ» ", "É»", "NÃO", "Ã", "naïve café", "«oui»", "50 ¢ £", "ÂÂ", "Ã¿Ã"])
def test_letters_that_may_be_meant_stay(text):
    assert mended(text) is None


@pytest.mark.parametrize("text", TEXTS)
def test_bytes_that_python_has_escaped(text):
    assert mended(text.encode().decode("ascii", "surrogateescape")) == (text, "escaped")


@given(st.text(st.characters(exclude_categories=[]), min_size=1))
def test_halves_of_pairs_become_characters_or_signs_and_nothing_else_changes(text):
    found = mended(f"{text}\ud800")
    whole = f"{text}\ud800".encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    assert found == ("".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in whole), "half")
    found.text.encode()


@given(st.text())
def test_mending_ends(text):
    """What is mended is shorter, so that it can be mended only so often."""
    found = mended(text)
    assert found is None or (found.text != text and len(found.text) < len(text))
