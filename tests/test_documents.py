"""Every block of code in the documents: it runs here and gives what it says, or it is named with the reason why not."""

import ast
import re
import shlex
from contextlib import chdir
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from bpe_core import TIE_RULES
from bpe_core.cli.grammar import COMMANDS
from pages.parts.chat import chat_views
from pages.parts.files import files_view
from pages.parts.learn.lessons import LESSONS
from pages.parts.page.frame import PAGES
from pages.parts.tokenizers import tokenizers_views
from pages.parts.tokens import views as tokens_views
from tests.children import ran
from tests.cli.driver import ROOT, STORY, run

DOCUMENTS = ("README.md", "bpe_core/README.md", "CONTRIBUTING.md", "HOSTING.md", "tests/benchmarks/README.md")

# The blocks that do not run here, by their first words.
NOT_RUN = {
    ("README.md", "make run "): "the app and the tests themselves",
    ("CONTRIBUTING.md", "make run "): "the app and the tests themselves",
    (
        "CONTRIBUTING.md",
        ".venv/bin/python -m tests.changed",
    ): "tests themselves: the files that it names are asked for below",
    ("CONTRIBUTING.md", "browser   editor/editor.js"): "a drawing: the files that it names are asked for below",
    ("CONTRIBUTING.md", "browser   shared/channel.js"): "a drawing, as above",
    ("CONTRIBUTING.md", "browser   shared/keys.js"): "a drawing, as above",
    ("CONTRIBUTING.md", "browser   film/film.js"): "a drawing, as above",
    ("CONTRIBUTING.md", "browser   film/asking.js"): "a drawing, as above",
    ("CONTRIBUTING.md", "browser   Streamlit's menu"): "a drawing, as above",
    ("CONTRIBUTING.md", "server    pages/train.py"): "a drawing, as above",
    ("bpe_core/README.md", "import base64,"): "run by tests/files/test_same_ids.py, on files of every kind",
    ("HOSTING.md", "docker build "): "needs Docker; tests/test_package.py tries what the image is made of",
    ("HOSTING.md", "python3 -m venv /opt"): "needs root, systemd and nginx",
}
VIEWS = {
    "tokens": tokens_views.VIEWS,
    "chat": chat_views.VIEWS,
    "files": files_view.VIEWS,
    "tokenizers": tokenizers_views.VIEWS,
}


class Block(NamedTuple):
    document: str
    language: str
    text: str


def blocks(document: str) -> list[Block]:
    found = re.findall(r"^```(\w*)\n(.*?)^```$", (ROOT / document).read_text(encoding="utf-8"), re.M | re.S)
    return [Block(document, *each) for each in found]


def reason(block: Block) -> str:
    """Why a block does not run here; "" if it does."""
    named = ((why, start) for (document, start), why in NOT_RUN.items() if document == block.document)
    return "".join(why for why, start in named if block.text.startswith(start))


def python(text: str, names: dict[str, Any]) -> int:
    """Run Python, and ask for each value that stands beside it: a comment that does not begin as a sentence does."""
    lines, checked = text.splitlines(), 0
    for statement in ast.parse(text).body:
        if not isinstance(statement, ast.Expr):
            exec(compile(ast.Module([statement], []), text, "exec"), names)
            continue
        given = eval(compile(ast.Expression(statement.value), text, "eval"), names)
        _, _, said = lines[statement.end_lineno - 1].encode()[statement.end_col_offset :].decode().partition("# ")
        if said and not re.match(r"[a-z]+[ ,]", said):
            assert said.startswith(repr(given)), f"{lines[statement.end_lineno - 1]}: {given!r}"
            checked += 1
    return checked


def console(text: str) -> set[str]:
    """Run a session, and ask for what it shows; “…” at its end stands for more. Returns the commands."""
    commands = set()
    for part in text.removeprefix("$ ").split("\n$ "):
        line, _, printed = part.partition("\n")
        before, piped, arguments = line.rpartition("mergescope ")
        given = ran(["bash", "-c", before.rstrip(" |") or "true"] if piped else ["bash", "-c", line],
                    capture_output=True, check=True).stdout  # fmt: skip
        if not piped:
            assert (given, printed.strip()) == (b"", "")
            continue
        done = run(*shlex.split(arguments, comments=True), given=given)
        shown = (done.stdout.decode().rstrip("\n") + "\n" + done.stderr.decode()).strip("\n")
        wanted, more, _ = printed.strip("\n").partition("…")
        assert (shown[: len(wanted)] if more else shown) == wanted, line
        commands.add(arguments.split()[0])
    return commands


@pytest.mark.parametrize("document", ["README.md", "bpe_core/README.md"])
def test_the_blocks_of_a_document_give_what_they_say(document, tmp_path):
    """They run in the order in which they stand, in one folder."""
    (tmp_path / "story.txt").write_bytes(Path(STORY).read_bytes())
    names: dict[str, Any] = {}
    checked, commands = 0, set()
    with chdir(tmp_path):
        for block in blocks(document):
            if not reason(block):
                if block.language == "python":
                    checked += python(block.text, names)
                else:
                    commands |= console(block.text)
    assert checked
    if document == "bpe_core/README.md":
        assert commands >= COMMANDS.keys() - {"split", "vocab", "serve"}


def test_every_block_runs_or_is_named():
    found = [block for document in DOCUMENTS for block in blocks(document)]
    unnamed = [block for block in found if not reason(block)]
    assert {(block.document, block.language) for block in unnamed} <= {
        ("README.md", "python"), ("README.md", "console"),
        ("bpe_core/README.md", "python"), ("bpe_core/README.md", "console"),
    }  # fmt: skip
    assert len(found) - len(unnamed) == len(NOT_RUN)  # none is named that is gone


def test_commands_and_targets_that_are_named_in_a_sentence_are_there():
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.M))
    for document in DOCUMENTS:
        text = (ROOT / document).read_text(encoding="utf-8")
        assert set(re.findall(r"`make ([a-z-]+)", text)) <= targets
        assert set(re.findall(r"`mergescope ([a-z]+)", text)) <= {*COMMANDS, "serve"}


@pytest.mark.parametrize("page", VIEWS)
def test_the_readme_names_every_view_of_a_page_and_no_other(page):
    title = PAGES[page].title
    said = re.split(rf"^\*\*{title}\b", (ROOT / "README.md").read_text(encoding="utf-8"), flags=re.M)[1].split("\n**")[
        0
    ]
    assert re.findall(r"\*([A-Z][^*]*)\*:", said) == [
        view.title for view in VIEWS[page].values() if view.title != title
    ]


def test_the_readme_says_how_many_lessons_there_are():
    assert f"\n**Learn.** {len(LESSONS)} lessons " in (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_readme_says_how_many_rules_for_ties_there_are():
    numbers = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")
    assert f"under {numbers[len(TIE_RULES)]} rules for breaking ties" in (ROOT / "README.md").read_text(
        encoding="utf-8"
    )


def test_the_drawings_name_files_that_are_there():
    drawn = [block.text for block in blocks("CONTRIBUTING.md") if block.text.startswith("browser")]
    places = [ROOT, ROOT / "bpe_core/pictures", ROOT / "pages/parts"]
    named = re.findall(r"\b[a-z_]+/[a-z_/]+\.(?:py|js)\b", "\n".join(drawn))
    assert len(named) > 20
    assert [path for path in named if not any((place / path).is_file() for place in places)] == []
    (tests,) = [
        block.text for block in blocks("CONTRIBUTING.md") if block.text.startswith(".venv/bin/python -m tests.")
    ]
    modules = [f"{name.replace('.', '/')}.py" for name in re.findall(r"-m (tests\.[\w.]+)", tests)]
    files = re.findall(r" ((?:tests|pages|bpe_core)/[\w/.]+)", tests)
    assert len(files) == 6
    assert [path for path in [*files, *modules] if not (ROOT / path).exists()] == []
