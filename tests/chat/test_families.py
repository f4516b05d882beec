"""Ten families of templates, with tools, calls, results and documents, beside what `transformers` makes."""

import pytest

from bpe_core import load
from bpe_core.chat import ChatError, ChatTemplate, render
from bpe_core.chat.model_input import model_input
from bpe_core.chat.tracked import DOCUMENTS, tool_source
from tests.chat import families, reasons, turn_shapes

RECORDED = families.recorded()
TAKE_DOCUMENTS = ("command", "granite")


@pytest.mark.parametrize("name", families.FAMILIES)
def test_a_family_is_rendered_and_its_ids_learnt_as_in_transformers(name):
    messages, begins, more = families.asked()[name]
    expected = RECORDED["families"][name]
    rendered = render(ChatTemplate(families.FAMILIES[name], families.GIVEN), messages, begins, **more)
    assert rendered.text == expected["text"]
    given = model_input(load(RECORDED["ids of"]), rendered)
    assert len(given.ids) == expected["ids"]
    assert families.spans(given.learnt or ()) == expected["learnt"]
    assert (given.learnt is None) == (not expected["learnt"])
    assert "get_weather" in rendered.text, "the calls"
    assert "grey" in rendered.text, "the results"
    sources = {*given.turns}
    assert {tool_source(0), tool_source(1)} <= sources, "the tokens of each tool are followed"
    assert (DOCUMENTS in sources) == (name in TAKE_DOCUMENTS)


def test_ten_families_are_recorded_from_a_version_that_is_named():
    assert RECORDED["source"].startswith("transformers==")
    assert len(RECORDED["families"]) >= 10
    assert RECORDED["families"].keys() == families.FAMILIES.keys()
    assert sum(bool(each["learnt"]) for each in RECORDED["families"].values()) >= 5


@pytest.mark.parametrize("name", families.FAMILIES)
def test_a_shape_of_turns_is_rendered_or_refused_as_in_transformers(name):
    template = ChatTemplate(families.FAMILIES[name], families.GIVEN)
    for shape, expected in turn_shapes.recorded()[name].items():
        try:
            found = turn_shapes.digest(render(template, turn_shapes.SHAPES[shape], **turn_shapes.given(shape)).text)
        except ChatError as error:
            found = expected if isinstance(expected, list) and reasons.fits(str(error), *expected) else str(error)
        assert found == expected, shape
