"""The palette: text is readable on it, and neighbours differ in colour. The style sheet: no rule is slow."""

import re
import tomllib
from itertools import pairwise
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core.pictures.film.film_script import STYLE as FILM
from bpe_core.pictures.shared.colours import HUES, INK, SOFT, hue, palette, shades
from bpe_core.pictures.shared.style import ACCENT, BAR, ON_ACCENT, PAPER, VARIABLES
from pages.parts.ui import charts
from pages.parts.ui.theme import OWN_TOOLS, SIDE_COLOURS, STYLE, class_of
from tests.contrast import contrast

ROOT = Path(__file__).parents[3]
CONFIG = ROOT / ".streamlit/config.toml"


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_text_on_every_token_colour_can_be_read(mode):
    colours = [colour for pair in palette(mode) for colour in pair]
    assert len(set(colours)) == 2 * HUES
    assert min(contrast(ink[mode], colour) for ink in (INK, SOFT) for colour in colours) >= 4.5


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_accents_stand_out_from_the_page(mode):
    assert contrast(ACCENT[mode], PAPER[mode]) >= 4.5
    assert contrast(BAR[mode], PAPER[mode]) >= 3
    for name in ("right", "wrong"):
        colours = re.search(rf"--{name}: light-dark\((\S+), (\S+)\)", VARIABLES)
        assert contrast(colours[1 if mode == "light" else 2], PAPER[mode]) >= 4.5


def test_what_is_right_is_green_and_what_is_wrong_is_red():
    lesson = re.findall(r":has\(\.verdict\.(\w+)\) \{ --verdict: var\((\S+)\);", STYLE)
    assert lesson == [("found", "--right"), ("missed", "--wrong")]
    film = re.findall(r"^\.verdict\.(\w+)\S* \{.*\bcolor: var\((\S+)\); \}$", FILM, re.M)
    assert film == [(kind, f"--{kind}") for kind in ("right", "wrong", "right", "wrong")]
    for name, most in (("right", 1), ("wrong", 0)):
        for colour in re.search(rf"--{name}: light-dark\(#(\w+), #(\w+)\)", VARIABLES).groups():
            channels = bytes.fromhex(colour)
            assert max(channels) == channels[most] > 1.2 * sorted(channels)[1], "more of it than of the next"


def test_every_size_of_text_is_one_of_six():
    assert len(set(re.findall(r"--size-\w+: ", VARIABLES))) == 6
    for sheet in (*ROOT.glob("bpe_core/pictures/**/*.css"), *ROOT.glob("pages/**/*.css")):
        text = sheet.read_text(encoding="utf-8")
        for size in re.findall(r"\bfont(?:-size)?: ([^;}]+)", text):
            assert size == "inherit" or re.match(r"var\(--size-\w+\)", size), f"{sheet.name}: {size}"


def test_the_main_button_can_be_read_on_the_accent_of_the_configuration():
    themes = tomllib.loads(CONFIG.read_text(encoding="utf-8"))["theme"]
    for mode in ("light", "dark"):
        assert themes[mode]["primaryColor"] == ACCENT[mode]
        assert contrast(ON_ACCENT[mode], ACCENT[mode]) >= 4.5
    assert "button[kind^=primary] * { color: var(--on-accent); }" in STYLE


def test_streamlits_toolbar_is_off_the_controls_above_a_table_with_its_own_tools():
    selector = re.search(r'\[class\*="([^"]*table[^"]*)"\] \[data-testid=stElementToolbar\]', STYLE)
    assert selector
    assert selector[1] in class_of(f"{OWN_TOOLS} o200k_base ('', 'text')")


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


@pytest.mark.parametrize("column", charts.GROWTH)
def test_a_side_has_the_same_colour_in_its_bar_and_in_its_curve(column):
    bars = {"left": "var(--bar)"} | dict(re.findall(r"^\.cost\.(\w+) \{ --bar: (\S+); \}$", STYLE, re.M))
    left, right = (pd.DataFrame({"side": [side], "vocabulary": [1], column: [1]}) for side in ("left", "right"))
    drawn = charts.growth(pd.concat([left, right]), pd.concat([left, right]), column)
    scales = {str(layer["encoding"]["color"]["scale"]["range"]) for layer in drawn.spec["layer"]}
    assert scales == {str([bars["left"], bars["right"]])}  # the left side's rows come first
    assert all(layer["encoding"]["color"]["sort"] is None for layer in drawn.spec["layer"])
    assert bars == SIDE_COLOURS
    assert bars["left"] != bars["right"]
