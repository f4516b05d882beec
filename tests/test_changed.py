"""Every folder of the product has tests that `make check` runs, and every test that a table names is there."""

from contextlib import nullcontext
from subprocess import CompletedProcess

import pytest

from tests import changed
from tests.changed import JOURNEYS, LONG, MORE, PAGES, ROOT, belonging, chosen, journeys_of
from tests.children import ran

TRACKED = ran(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True).stdout.splitlines()
PRODUCT = [path for path in TRACKED if path.startswith(("bpe_core/", "pages/", "app.py"))]
# Their tests are those of the folders below them.
EMPTY = {"bpe_core/__init__.py", "bpe_core/py.typed", "bpe_core/pictures/deno.json"}


def without_tests(paths):
    """Return the files whose tests are only examples and the order of imports."""
    general = ("bpe_core/", "pages/parts/", "tests/test_imports.py")
    return [path for path in paths if all(each.startswith(general) for each in belonging(path))]


@pytest.mark.skipif(not TRACKED, reason="what is in a folder is asked of git")
def test_every_file_of_the_product_has_tests_and_every_page_and_picture_two_journeys():
    assert len(PRODUCT) > 400
    assert [path for path in without_tests(PRODUCT) if not path.startswith("bpe_core/__")] == []
    shown = [path for path in PRODUCT if path.startswith(("bpe_core/pictures/", "pages/", "app.py"))]
    assert [path for path in shown if len(journeys_of(path)) != 2] == []
    assert not any(journeys_of(path) for path in PRODUCT if path not in shown)
    pages = {path.stem for path in (ROOT / "pages").glob("*.py")}
    assert pages | {"tokens"} == set(PAGES)
    assert JOURNEYS.keys() >= {*PAGES}


def test_every_test_that_a_table_names_is_there():
    named = [f"tests/browser/test_{each}" for row in JOURNEYS.values() for each in row]
    named += [*LONG, *(each for row in MORE.values() for each in row)]
    for path, _, function in (each.partition("::") for each in named):
        assert (ROOT / path).exists(), path
        assert not function or f"def {function}(" in (ROOT / path).read_text(encoding="utf-8"), function
    assert [start for start in MORE if not any(path.startswith(start) for path in TRACKED)] == []


def test_of_a_folder_what_takes_long_is_left_to_make_test_unless_it_has_changed(monkeypatch):
    run = []

    def keep(command, seconds):
        run.append(command)
        return CompletedProcess(command, 0)

    monkeypatch.setattr(changed, "ran", keep)
    monkeypatch.setattr(changed, "started", lambda *_, **__: nullcontext())
    hub = "tests/pages/tokens/test_hub.py"
    for path, ignored in [("pages/parts/tokens/views.py", True), (hub, False), ("pages/parts/tokens/hub.py", False)]:
        changed.main([path])
        assert (f"--ignore={hub}" in run[-1]) == ignored
        assert (hub in run[-1]) != ignored


def test_a_test_that_has_changed_is_run_and_a_browsers_with_the_browser():
    assert chosen(["tests/record/test_run.py", "tests/browser/test_ids.py"]) == (
        ["tests/record/test_run.py"], ["tests/browser/test_ids.py"],
    )  # fmt: skip
    assert chosen(["LICENSE"]) == ([], [])
    assert "tests/pages" not in {each for path in PRODUCT for each in belonging(path)}, "the tests of all pages"
    tests, journeys = chosen(["bpe_core/pictures/tokens/panel.html"])
    assert tests[:2] == ["tests/pictures/tokens", "bpe_core/pictures/tokens"]
    assert "tests/pictures/test_markup.py" in tests
    assert journeys == [f"tests/browser/test_{each}" for each in JOURNEYS["tokens"]]


def test_what_has_changed_is_in_the_working_tree_the_index_or_new_and_else_in_the_last_commit(tmp_path, monkeypatch):
    monkeypatch.setattr(changed, "ROOT", tmp_path)

    def git(*command):
        identity = ("-c", "user.name=a", "-c", "user.email=a@b.c")
        ran(["git", *identity, *command], cwd=tmp_path, check=True, capture_output=True)

    git("init", "--quiet")
    with pytest.raises(SystemExit, match="use `make test`"):
        changed.changed()
    for name in ("one.py", "two.py", "three.py"):
        (tmp_path / name).write_text("")
        git("add", name)
        git("commit", "--quiet", "-m", name)
    assert changed.changed() == ["three.py"]
    (tmp_path / "one.py").write_text("1")
    (tmp_path / "two.py").write_text("2")
    git("add", "two.py")
    (tmp_path / "new.py").write_text("")
    assert changed.changed() == ["one.py", "two.py", "new.py"]
