"""A text of 40 MB, as large as a file may be, on Train: with numba and without, in the app's limit of memory."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

from pages.parts.server.uploads import GONE
from tests.benchmarks import corpora
from tests.browser.driver import ROOT, sentence, serve, settle, upload
from tests.children import ran

BYTES = {"pretokenizer": "gpt2", "alphabet": "bytes", "word_marker": "none"}
LATER = 200  # a step
HIDDEN = "import sys\nsys.modules['numba'] = None\n"
# The labels of the bars that end beyond the chart.
CUT = """
() => {
  const seek = (node) => Array.from(node.querySelectorAll("*"), (it) => it.shadowRoot).filter(Boolean)
    .flatMap((root) => [...root.querySelectorAll(".pairs .drawn svg"), ...seek(root)]);
  return seek(document).flatMap((svg) => {
    const edge = svg.getBoundingClientRect().right;
    const labels = Array.from(svg.querySelectorAll(".layer_1_marks text"));
    if (!labels.length) return ["no labels"];
    return labels.filter((text) => text.getBoundingClientRect().right > edge).map((text) => text.textContent);
  });
}
"""


def labels_are_whole(page: Page) -> None:
    settle(page)
    expect(page.locator(".pairs .layer_1_marks text").first).to_be_visible()
    assert page.evaluate(CUT) == []


@pytest.mark.thorough
@pytest.mark.parametrize("width", [1280, pytest.param(390, marks=pytest.mark.thorough)])
def test_labels_of_seven_digits_are_whole(open_page, width):
    page = open_page("train", BYTES | {"vocab_size": "260"}, width=width)
    upload(page, "pug.txt", b"pug " * 1_234_567)
    expect(sentence(page)).to_contain_text("seen 1,234,567 times")
    expect(page.locator(".pairs .layer_1_marks text").first).to_have_text("1,234,567  next")
    labels_are_whole(page)
    page.get_by_role("button", name="Next", exact=True).click()
    expect(sentence(page)).to_contain_text("Step 1 joined")
    labels_are_whole(page)


@pytest.fixture(scope="module")
def text() -> bytes:
    return corpora.large(40).encode()


@pytest.fixture(params=["with numba", "without numba"])
def large(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of an app that has numba and its machine code, or of one that cannot import it, nor its children."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path))
        patch.setenv("NUMBA_DISABLE_JIT", "0")
        before = ""
        if request.param == "with numba":
            pytest.importorskip("numba")
            code = "from bpe_core.training.compiling import compile_in_child; assert compile_in_child()"
            ran([sys.executable, "-c", code], cwd=ROOT, check=True)
        else:
            (tmp_path / "sitecustomize.py").write_text(HIDDEN)
            patch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]))
            before = "import importlib.util; assert importlib.util.find_spec('numba') is None"
        with serve(before) as url:
            yield url


def merges(text: bytes) -> list[str]:
    """The first merges of Hugging Face's trainer, each as the token that it made."""
    theirs = Tokenizer(models.BPE())
    theirs.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=256 + LATER, initial_alphabet=alphabet, show_progress=False)
    theirs.train_from_iterator([text.decode()], trainer)
    decode = decoders.ByteLevel().decode
    return [decode([theirs.id_to_token(256 + step)]) for step in range(LATER)]


@pytest.mark.thorough
def test_40_mb_are_trained_and_every_step_is_drawn(page: Page, large: str, text: bytes) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"{large}/train?pretokenizer=gpt2&alphabet=bytes&word_marker=none&vocab_size=32000")
    settle(page)
    upload(page, "text.txt", text)
    expect(page.get_by_text("“text.txt”:").first).to_be_visible()
    expect(sentence(page)).to_contain_text("Before any merge")
    expect(page.locator(".where")).to_have_text("step 0 of 31,744")
    expect(page.get_by_text(GONE)).to_have_count(0)
    labels_are_whole(page)
    sentences, columns = page.locator(".sentence").bounding_box(), page.locator(".columns").bounding_box()
    assert sentences
    assert columns
    assert columns["y"] - sentences["y"] < 100  # three lines: no room is kept for the longest of 31,744 sentences
    page.get_by_role("textbox", name="step, to be typed").fill(str(LATER))
    page.keyboard.press("Enter")
    expect(sentence(page)).to_contain_text(f"Step {LATER} joined")
    made = page.locator(".merge.current .pair > :last-child").inner_text()
    assert made.replace("·", " ").replace("⏎", "\n") == merges(text)[LATER - 1]
    labels_are_whole(page)
