"""Tokens in a terminal: their colours, what cannot be seen, and columns that line up."""

import re
import unicodedata
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from bpe_core.pictures.paper import terminal
from bpe_core.text.alphabet import encode_text


def luminance(colour):
    """Of one of the 256 colours' cube, by WCAG's definition."""
    levels = [(0, 95, 135, 175, 215, 255)[(colour - 16) // place % 6] / 255 for place in (36, 6, 1)]
    linear = [level / 12.92 if level <= 0.04045 else ((level + 0.055) / 1.055) ** 2.4 for level in levels]
    return sum(part * share for part, share in zip(linear, (0.2126, 0.7152, 0.0722), strict=True))


def test_letters_stand_out_from_every_background():
    colours = [colour for pair in terminal.HUES for colour in pair]
    assert min((luminance(colour) + 0.05) / (luminance(terminal.BLACK) + 0.05) for colour in colours) > 9
    assert len(set(colours)) == len(colours)


@given(st.lists(st.binary(max_size=3), max_size=30))
def test_neighbours_never_share_a_colour(tokens):
    colours = list(terminal.backgrounds(tokens))
    assert all(one != other for one, other in pairwise(colours))


@given(st.lists(st.binary(max_size=4) | st.text(max_size=4).map(encode_text), max_size=6))
def test_what_is_shown_can_be_read_back(tokens):
    """So nothing reads like something else, and nothing moves the cursor."""
    for token in tokens:
        shown = terminal.readable(token)
        assert not any(unicodedata.category(char)[0] == "C" for char in shown)
        raw = shown.removeprefix("◌") if not token.startswith("◌".encode()) else shown
        assert read_back(raw) == token


def read_back(shown):
    """The bytes behind `\\x..` where they are no character, and the characters behind the other escapes."""
    raw = b""
    for part in re.findall(r"\\\\|\\x..|\\u....|\\U.{8}|\\[nrt]|[^\\]", shown):
        if part == "\\\\":
            raw += b"\\"
        elif part.startswith("\\x") and int(part[2:], 16) >= 0x80:
            raw += bytes.fromhex(part[2:])
        else:
            raw += encode_text(part.encode().decode("unicode_escape") if part.startswith("\\") else part)
    return raw


def test_columns_line_up_whatever_stands_in_them():
    rows = [["日本語", 1], ["e\u0301", 1000], ["plain", 20]]
    lines = terminal.aligned_columns(["token", "count"], rows, {1}).splitlines()
    assert {cell_len(line) for line in lines} == {len("日本語") * 2 + 2 + len("count")}
    assert lines[2].endswith("1,000")
