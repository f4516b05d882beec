"""Texts that run from right to left, in pictures and as HTML."""

import re
from itertools import pairwise

from bpe_core.pictures.paper import html
from bpe_core.pictures.shared.drawing import Drawing, chips
from bpe_core.pictures.shared.layout import layout

WORDS = ["the", " שלום", "!", " עולם", "12", "34", " dog"]
LINE = [word.encode() for word in WORDS]


def test_in_a_picture_the_boxes_between_two_that_run_leftwards_change_places():
    found = layout(Drawing("mixed", (chips(LINE),)))
    seen = [box.chip.token.decode() for box in sorted(found.boxes, key=lambda box: box.x)]
    assert seen == ["the", "12", "34", " עולם", "!", " שלום", " dog"]
    ends = [(box.x, box.x + box.width) for box in sorted(found.boxes, key=lambda box: box.x)]
    assert all(end < start for (_, end), (start, _) in pairwise(ends))


def test_html_has_marks_around_each_box_only_where_a_text_runs_leftwards():
    marks = re.findall("[\u200e\u200f\u2066\u2069]", html.row(LINE))
    assert "".join(marks) == "\u200e\u200e\u200f\u200f\u200f\u200f\u2066\u2069\u200e\u200e"
    assert not re.search("[\u200e-\u2069]|dir=", html.row([b"the", b" dog", b"12"]))
