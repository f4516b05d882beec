"""The palette: text is readable on it, and neighbours differ in colour. The style sheet: no rule is slow."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core.display.colours import HUES, INK, SOFT, contrast, hue, palette, shades
from bpe_core.display.style import ACCENT, PAPER
from pages.parts.views.theme import CHART_ACCENT, STYLE


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_text_on_every_token_colour_can_be_read(mode):
    colours = [colour for pair in palette(mode) for colour in pair]
    assert len(set(colours)) == 2 * HUES
    assert min(contrast(ink[mode], colour) for ink in (INK, SOFT) for colour in colours) >= 4.5


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_accents_stand_out_from_the_page(mode):
    assert contrast(ACCENT[mode], PAPER[mode]) >= 4.5
    assert contrast(CHART_ACCENT, PAPER[mode]) >= 3


@given(st.lists(st.binary(min_size=1, max_size=2), max_size=40))
def test_neighbours_never_share_a_colour(tokens):
    colours = [(hue(token), shade) for token, shade in zip(tokens, shades(tokens), strict=True)]
    assert all(one != other for one, other in pairwise(colours))


def test_the_same_token_has_the_same_hue_everywhere():
    assert hue(b"est") == hue(bytes(bytearray(b"est")))


def test_no_rule_lets_a_changed_class_style_all_below_it_anew():
    """One such rule made a page with 2,400 tokens 23 ms slower at every key press."""
    slow = re.compile(r"\[class\*=[^{},]* \* *[{,]")
    assert slow.search('[class*="st-key-learn"] button * {')
    assert not slow.findall(STYLE)
