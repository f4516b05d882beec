"""In a notebook: what objects show of themselves, and the example notebook."""

import ast
import re
from pathlib import Path

import pytest

import bpe_core
from bpe_core import Settings, count_files, load, same, train
from bpe_core.pictures.saved import notebook
from bpe_core.pictures.saved.notebook_tables import VIEWS
from bpe_core.pictures.shared.drawing import token_drawing
from tests.pictures.saved.notebook_run import executed, outputs, stored, without_pages
from tests.texts import EXAMPLE_TEXTS, NASTY


def test_the_notebook_runs_and_shows_what_is_stored_in_it():
    """After a change, `make screenshots` stores what it shows now."""
    now = executed()
    (film,) = [shown for shown in outputs(now) if "<iframe" in shown]
    story = train(EXAMPLE_TEXTS["short-story"], Settings(vocab_size=600))
    assert film == story.page(step=40)._repr_html_()
    assert without_pages(now).cells == stored().cells


@pytest.mark.parametrize("text", NASTY)
def test_what_is_shown_is_escaped_and_has_no_script(text):
    run = train(text, Settings("none", vocab_size=260))
    merges = [merge._repr_html_() for merge in run.merges]
    for shown in (run._repr_html_(), run.tokenizer().encode(text)._repr_html_(), *merges):
        assert "<script" not in shown
        assert "<b>" not in shown
        assert shown.count("<style>") == 1


def test_what_questions_return_is_a_sentence_and_a_table_and_escaped(tmp_path):
    hostile, qwen = "<script>alert(1)</script>", load("qwen")
    (tmp_path / "a<b>.txt").write_text(hostile)
    (tmp_path / "a.csv").write_text(f"{hostile},<b>\n1,2\n3,4\n")
    tools = [{"name": hostile}, {"name": "<b>"}]
    asked = {
        "They differ": same("gpt2", "p50k_base", seconds=1),
        "tokens sent in 2 requests": qwen.requests([("user", hostile), ("assistant", "Ho"), ("user", "Bye")]),
        "yours ": qwen.apply_chat_template([("user", hostile)]),
        "tokens in 1 row of 1 file": count_files(tmp_path / "a<b>.txt", ["gpt2", "qwen"]),
        "1 region differs": qwen.drift([64, 53122, 316]),
        "new tokens save": qwen.savings(["<b>mergescope. " * 50] * 10, 5),
        "fewer than as JSON, indented": qwen.notations(tmp_path / "a.csv"),
        "2 tools take": qwen.tool_costs([("user", "Hi")], tools),
    }
    for sentence, found in asked.items():
        shown, printed = found._repr_html_(), repr(found)
        assert printed.startswith(f"<{type(found).__name__}")
        assert len(printed) < 200
        assert sentence in shown
        assert "<table" in shown or "yours" in sentence
        assert "<script" not in shown
        assert "<b>" not in shown


def test_each_class_that_a_notebook_shows_has_a_view():
    home = Path(bpe_core.__file__).parent
    classes = [
        (node.name, ast.unparse(node))
        for path in home.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    ]
    assert {name for name, source in classes if "shortcuts.in_notebook" in source} == set(VIEWS)


def test_a_long_text_is_shown_in_part_and_says_so(monkeypatch):
    monkeypatch.setattr(notebook, "MOST_TOKENS", 10)
    shown = train("a", Settings(vocab_size=256)).tokenizer().encode("a" * 50)._repr_html_()
    assert "50 tokens, 50 characters; the first 10 tokens are shown." in shown
    assert shown.count('<span class="token ') == 10


def test_a_run_shows_its_first_and_its_last_merges():
    shown = train("the newest lower tower wider longest", Settings(vocab_size=256 + 18))._repr_html_()
    steps = re.findall(r'<tr><td class="number">(.*?)</td>', shown)
    assert steps == [*map(str, range(1, 11)), "…", "14", "15", "16", "17", "18"]
    few = train("the newest lower tower wider longest", Settings(vocab_size=256 + 15))._repr_html_()
    assert "…" not in few


def test_a_tokenizer_and_a_drawing_show_themselves():
    tokenizer = train("<b>hug</b> hug", Settings(vocab_size=258)).tokenizer()
    assert "258 tokens, 2 merges." in tokenizer._repr_html_()
    shown = token_drawing(tokenizer, 257)._repr_html_()
    assert ">step 2<" in shown
    assert 'html[theme="dark"] .mergescope' in shown  # Colab


def test_ids_are_told_on_hover_and_every_kind_of_object_is_in_the_notebook():
    shown = outputs(stored())
    assert any('title="·keeper · id 479 · bytes ' in html for html in shown)
    assert {label for label in ("a training run", "a merge", "tokens of a text") if f'"{label}"' in str(shown)} == {
        "a training run",
        "a merge",
        "tokens of a text",
    }
