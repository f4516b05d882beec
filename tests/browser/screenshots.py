"""Takes the README's pictures: `make screenshots`."""

from pathlib import Path

import pytest

FOLDER = Path(__file__).parent / "screenshots"
SCREENS = {
    "start": ("", {"step": "4"}),
    "playground": ("playground", {}),
    "train": ("train", {"corpus": "short-story", "pretokenizer": "gpt2", "marker": "none", "step": "40"}),
    "compare": (
        "compare",
        {
            "corpus": "short-story",
            "left_alphabet": "bytes",
            "right_alphabet": "bytes",
            "vocabulary": "600",
            "step": "150",
        },
    ),
    "pipeline": ("pipeline", {}),
    "algorithms": ("algorithms", {}),
}


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("name", SCREENS)
def test_picture(open_page, name, dark):
    path, query = SCREENS[name]
    page = open_page(path, query, dark=dark)
    page.wait_for_timeout(1000)  # the chart draws after the page is idle
    FOLDER.mkdir(exist_ok=True)
    page.screenshot(path=FOLDER / f"{name}-{'dark' if dark else 'light'}.png")
