"""Pieces: every method returns the text that a plain string's returns, and characters keep their places."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core.chat.tracked import CHANGED, TEMPLATE, TrackedText, content, joined, runs_of

TEXT = " ab\n<think>x</think>\n\nba a\tb  "
CALLS = [
    ("strip", ()), ("strip", ("ab ",)), ("lstrip", ()), ("rstrip", ("b ",)), ("split", ()), ("split", (None, 2)),
    ("split", ("a",)), ("split", ("</think>",)), ("rsplit", ("a", 1)), ("rsplit", (None, 1)), ("splitlines", ()),
    ("splitlines", (True,)), ("partition", ("a",)), ("partition", ("z",)), ("rpartition", ("a",)),
    ("rpartition", ("z",)), ("removeprefix", (" a",)), ("removesuffix", ("b  ",)), ("replace", ("a", "-")),
    ("replace", ("a", "", 1)), ("__getitem__", (3,)), ("__getitem__", (-1,)), ("__getitem__", (slice(2, -3),)),
    ("__getitem__", (slice(None, None, -1),)), ("__getitem__", (slice(9, 2),)), ("__mul__", (2,)), ("__add__", ("x",)),
    ("upper", ()), ("title", ()), ("zfill", (40,)), ("replace", ("", "-")), ("join", (("x", "y"),)),
]  # fmt: skip


def origins(text):
    """For each character of a text, the turn and the place that it has; -1 for none."""
    for length, turn, start in runs_of(text):
        for step in range(length):
            yield turn, (start if turn == TEMPLATE or start == CHANGED else start + step)


def check(found, source):
    """The characters that have a place are the characters at that place."""
    places = list(origins(found))
    assert len(places) == len(found)
    assert all(source[at] == char for char, (turn, at) in zip(found, places, strict=True) if turn >= 0 <= at)


@pytest.mark.parametrize(("name", "arguments"), CALLS, ids=[f"{name} {given!r}" for name, given in CALLS])
def test_every_method_gives_the_plain_text_and_keeps_the_places(name, arguments):
    expected, found = getattr(TEXT, name)(*arguments), getattr(content(TEXT, 0), name)(*arguments)
    assert found == expected
    for part in [found] if isinstance(found, str) else found:
        check(part, TEXT)
        assert not part or name in ("replace", "join", "zfill") or isinstance(part, TrackedText)


@given(st.text("ab \n", max_size=12), st.text("ab \n", min_size=1, max_size=2), st.integers(-1, 3))
def test_splitting_anything(text, separator, most):
    for name in ("split", "rsplit"):
        for sep in (separator, None):
            found = getattr(content(text, 0), name)(sep, most)
            assert found == getattr(text, name)(sep, most)
            for part in found:
                check(part, text)
    assert content(text, 0).splitlines() == text.splitlines() if text else True


def test_what_is_joined_or_put_in_is_known():
    hi = content("hi", 0)
    assert [*origins("<" + hi + ">")] == [(-1, 0), (0, 0), (0, 1), (-1, 0)]
    assert [*origins(joined([hi, 1, content("o", 2)]))] == [(0, 0), (0, 1), (-1, 0), (2, 0)]
    assert runs_of(eval('"%s!" % hi'))[0].start == runs_of(hi.upper())[0].start == CHANGED
    assert isinstance(str(hi), TrackedText)
    with pytest.raises(TypeError):
        hi["role"]
    assert [*map(str.__str__, reversed(hi))] == ["i", "h"]


def test_no_method_of_a_text_loses_a_content_silently():
    """Methods that return texts and are not followed would make the template's of what is the turn's."""
    arguments = {"center": (9,), "ljust": (9,), "rjust": (9,), "zfill": (9,), "join": (["a", "b"],)}
    arguments |= {"replace": ("a", "b"), "removeprefix": ("a",), "removesuffix": ("a",), "translate": ({},)}
    arguments |= {"format": (), "format_map": ({},)}  # the sandbox has its own, which is tested there
    for name in dir(str):
        if name[0] in string.ascii_lowercase and name not in ("encode", "maketrans", "format", "format_map"):
            try:
                found = getattr(content("one", 0), name)(*arguments.get(name, ()))
            except TypeError:
                continue
            assert not isinstance(found, str) or isinstance(found, TrackedText), name
