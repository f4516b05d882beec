"""What a notebook shows, and a picture as HTML, in a real browser: readable in light and dark."""

import pytest

from bpe_core import Settings, train
from bpe_core.pictures.paper.pictures import picture
from bpe_core.pictures.shared.drawing import chips_of, step_drawing, token_drawing
from tests.pictures.saved.notebook_run import outputs, stored
from tests.some import some

LIGHT, DARK = "rgb(252, 251, 248)", "rgb(23, 22, 20)"


def around(body: str) -> str:
    shown = "".join(outputs(stored()))
    return f"<!doctype html><html lang=en><title>Notebook</title><body {body}><main>{shown}</main></body></html>"


def grounds(page) -> set[str]:
    return set(
        page.locator(".mergescope").evaluate_all("(all) => all.map((it) => getComputedStyle(it).backgroundColor)")
    )


@pytest.mark.parametrize(
    ("system", "body", "ground"),
    some(
        [
            ("light", "", LIGHT),
            ("dark", "", DARK),
            ("dark", 'data-jp-theme-light="true"', LIGHT),
            ("light", 'data-jp-theme-light="false" style="background: #111; color: #eee"', DARK),
            ("light", 'class="vscode-dark" style="background: #111; color: #eee"', DARK),
        ]
    ),
)
def test_outputs_can_be_read(page, axe, system, body, ground):
    page.emulate_media(color_scheme=system)
    page.set_content(around(body))
    assert grounds(page) == {ground}
    assert not [finding for finding in axe(page) if "contrast" in finding]


@pytest.mark.parametrize("system", ["light", "dark"])
def test_a_picture_as_html_can_be_read_and_shows_its_tree(page, axe, system):
    run = train("low low low lower newest newest", Settings("whitespace", vocab_size=262))
    page.emulate_media(color_scheme=system)
    step = step_drawing(run, 1)
    in_step = sum(len(chips_of(item)) for row in step.every_row for item in row)
    for drawing, chips in ((token_drawing(run.tokenizer(), 257), 5), (step, in_step)):
        page.set_content(picture(drawing, "html").decode())
        assert page.locator(".token").count() == chips
        assert page.title() == drawing.title
        assert not [finding for finding in axe(page) if "contrast" in finding or "list" in finding]
