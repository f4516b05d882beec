"""What the server logs: nothing of what visitors type."""

import logging

import pytest

from tests.pages.driver import open_page, type_text

SECRET = "Zebrafinch4711"
LINKS = {
    "playground": {"text": SECRET, "price": SECRET},
    "train": {"corpus": "paste", "text": SECRET, "pretokenizer": "custom", "pattern": f"({SECRET}", "forced": SECRET},
    "pipeline": {"text": SECRET, "normalizers": SECRET},
}


@pytest.mark.parametrize("page", LINKS)
def test_nothing_of_a_visitor_is_logged(page, capfd, caplog):
    caplog.set_level(logging.DEBUG)
    test = open_page(f"pages/{page}.py", **LINKS[page])
    type_text(test, f"{SECRET} {SECRET}\ud83e")
    logged = "".join([caplog.text, *capfd.readouterr()])
    assert SECRET not in logged
