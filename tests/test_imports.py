"""Who may import whom: from the later chapters to the earlier ones, and never in a circle.

`CHAPTERS` is the order of the folders; a folder that is not in it fails. Every import counts, also an import within a
function. The imports of the files in `AGAINST` run against the order: methods, and tokenizers by name.
"""

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from inspect import isfunction
from pathlib import Path

import pytest

import bpe_core
from bpe_core.lazy_names import homes_of
from tests.children import ran

ROOT = Path(__file__).parents[1]
PICTURES = ("film", "tokens", "prompt", "rows", "editor")
# From the first to the last. The chapters of a row do not import each other.
CHAPTERS = [
    {"bpe_core.arguments", "bpe_core.lazy_names", "bpe_core.writing"},
    {
        "bpe_core.extras",
        "bpe_core.kinds",
        "bpe_core.shortcuts",
        "bpe_core.by_name",
        "bpe_core.text",
        "bpe_core.reference",
        "bpe_core.processes",
    },
    {"bpe_core.ties"},
    {"bpe_core.settings"},
    {"bpe_core.corpus"},
    {"bpe_core.training"},
    {"bpe_core.tokenizer"},
    {"bpe_core.record"},
    {"bpe_core.models"},
    {"bpe_core.published"},
    {"bpe_core.files"},
    {"bpe_core.counting"},
    {"bpe_core.chat", "bpe_core.pictures.shared"},
    {"bpe_core.sameness"},
    {"bpe_core.pictures.paper", *(f"bpe_core.pictures.{name}" for name in PICTURES)},  # no picture knows another
    {"bpe_core.pictures.saved"},
    {"bpe_core.pictures"},
    {"bpe_core.pictures.site"},
    {"bpe_core"},  # the package itself: the names it offers
    {"bpe_core.cli"},
    {"bpe_core.__main__"},
    # The parts of the pages, by whole folders: values and widgets, then what pages share, then what one page uses.
    {"pages.parts.server"},
    {"pages.parts.texts"},
    {"pages.parts.state"},
    {"pages.parts.ui"},
    {"pages.parts.vocabularies"},
    {"pages.parts.trainings"},
    {"pages.parts.page"},
    {"pages.parts.tokens", *(f"pages.parts.{page.stem}" for page in ROOT.glob("pages/*.py"))},  # of one page
    {"pages"},
    {"app"},
]
AGAINST = ("bpe_core.shortcuts", "bpe_core.by_name")
RANK = {chapter: rank for rank, row in enumerate(CHAPTERS) for chapter in row}


def modules() -> dict[str, Path]:
    paths = [ROOT / "app.py", *ROOT.glob("bpe_core/**/*.py"), *ROOT.glob("pages/**/*.py")]
    return {".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path for path in paths}


MODULES = modules()
# The parts of the package that show something: all others are the engine.
SHOWING = ("bpe_core.pictures", "bpe_core.cli", "bpe_core.__main__")


def chapter_of(module: str) -> str:
    """Return the longest beginning of a module's name that is in the order."""
    parts = module.split(".")
    if parts[0] == "pages" and len(parts) == 2:
        return "pages"  # a page
    names = [".".join(parts[:size]) for size in range(len(parts), 1, -1)]
    return next((name for name in names if name in RANK), parts[0] if len(parts) == 1 else module)


def imported(node: ast.stmt) -> set[str]:
    """Return the project's modules that a statement imports."""
    if isinstance(node, ast.Import):
        found = {alias.name for alias in node.names}
    elif isinstance(node, ast.ImportFrom):
        # a name in a package may be a module of it
        found = {inner if (inner := f"{node.module}.{alias.name}") in MODULES else node.module for alias in node.names}
    else:
        found = set()
    return found & MODULES.keys()


def imports(tree: ast.AST, scope: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:
    """Yield (the class and function around an import, the imported module); the first is "" for a module's own."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.expr):
            continue  # no import is in it
        yield from ((".".join(scope), name) for name in imported(node))
        defined = isinstance(node, ast.ClassDef | ast.FunctionDef)
        yield from imports(node, (*scope, node.name) if defined else scope)


@cache
def syntax(module: str) -> ast.Module:
    """Return what is parsed of a module. Parsing all takes two seconds, and each process of the tests needs a part."""
    return ast.parse(MODULES[module].read_text(encoding="utf-8"))


@cache
def needs(module: str) -> set[str]:
    """Return the modules that a module imports; none for the files whose imports run against the order."""
    return {other for _, other in imports(syntax(module))} if module not in AGAINST else set()


def test_imports_run_from_later_chapters_to_earlier_ones():
    assert {module for module in MODULES if chapter_of(module) not in RANK} == set(), "in a folder without a chapter"
    pairs = [(module, other, chapter_of(module), chapter_of(other)) for module in MODULES for other in needs(module)]
    wrong = {(module, other) for module, other, here, there in pairs if there != here and RANK[there] >= RANK[here]}
    assert wrong == set()


def test_the_table_of_the_engine_has_the_order_in_which_chapters_import():
    """In CONTRIBUTING a chapter stands below all that it imports."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = text[text.index("| `reference.py`") : text.index("| `cli/`")]
    rows = [re.findall(r"`([a-z_]+)(?:/|\.py)`", line.split("|")[1]) for line in table.splitlines()]
    assert {name for row in rows for name in row} >= {"text", "training", "record", "files", "sameness"}
    for number, row in enumerate(rows):
        below = {f"bpe_core.{name}" for names in rows[number + 1 :] for name in names}
        taken = {
            chapter_of(other)
            for module in MODULES
            if chapter_of(module) in {f"bpe_core.{name}" for name in row}
            for other in needs(module)
        }
        assert not taken & below, row


def test_a_folder_of_the_pages_is_one_chapter():
    """So an arrow between two folders has one direction, whichever of their files it joins."""
    assert [name for name in RANK if name.startswith("pages.parts.") and name.count(".") > 2] == []


@pytest.mark.parametrize("module", AGAINST)
def test_what_runs_against_the_order_is_one_call_of_what_it_imports(module):
    """The file itself imports nothing of the project, but for type checkers."""
    assert not {name for node in syntax(module).body for name in imported(node)}
    functions = [node for node in syntax(module).body if isinstance(node, ast.FunctionDef)]
    for function in functions:
        docstring, *importing, line = function.body
        assert isinstance(docstring, ast.Expr), function.name
        assert all(imported(each) for each in importing), function.name
        assert isinstance(line, ast.Return), function.name
    assert functions


def test_the_engine_imports_no_picture():
    engine = {name for name in MODULES if name.startswith("bpe_core.") and not name.startswith(SHOWING)}
    pictures = {(name, other) for name in engine for other in needs(name) if other.startswith("bpe_core.pictures")}
    assert pictures == set()


@pytest.mark.parametrize("name", [*PICTURES, "shared"])
def test_a_picture_has_modules_and_styles_of_its_own_or_shared_ones(name):
    folder = ROOT / "bpe_core/pictures" / name
    allowed = {name, "shared"}
    found = {(path.name, there) for path in folder.iterdir() if path.is_file() for there in _folders_named(path)}
    assert {(path, there) for path, there in found if there not in allowed} == set()


def _folders_named(path):
    """Yield the folders of pictures that a web module imports from, or whose files a module of Python reads."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".js":
        yield from (inner for inner in re.findall(r'(?:from|import\() ?"\.\./(\w+)/', text))
    if path.suffix == ".py":
        yield from re.findall(rf'"({"|".join([*PICTURES, "shared", "saved"])})/\w+\.\w+"', text)


def test_a_shortcut_is_only_a_method():
    """A function that the engine calls stands in the chapter that calls it, or in `by_name`."""
    called = {
        (module, node.func.attr)
        for module in MODULES
        for node in ast.walk(syntax(module))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        if isinstance(node.func.value, ast.Name) and node.func.value.id == "shortcuts"
    }
    assert called == {("bpe_core.record.record", "in_notebook")}  # a NamedTuple takes no method by assignment


def users_of_names() -> dict[tuple[str, str], set[str]]:
    """Return (module, name) → the modules that use the name, by `from module import name` or `module.name`."""
    users: dict[tuple[str, str], set[str]] = {}
    for user in (name for name in MODULES if name.startswith(("pages", "app"))):
        here = {}  # what a name stands for in this module, if it is a module
        for node in ast.walk(syntax(user)):
            for alias in node.names if isinstance(node, ast.ImportFrom) else ():
                inner = f"{node.module}.{alias.name}"
                if inner in MODULES:
                    here[alias.asname or alias.name] = inner
                users.setdefault((str(node.module), alias.name), set()).add(user)
        for node in ast.walk(syntax(user)):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in here:
                users.setdefault((here[node.value.id], node.attr), set()).add(user)
    return users


def test_what_several_files_of_the_pages_use_has_a_docstring():
    """What one file uses has one where its name does not say what it does."""
    users = users_of_names()
    without = {
        (module, node.name)
        for module in MODULES
        if module.startswith("pages.parts.")
        for node in syntax(module).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not ast.get_docstring(node)
        if len(users.get((module, node.name), ())) > 1
    }
    assert without == set()


def test_only_the_state_touches_the_session_and_the_address():
    outside = {
        (module, node.attr)
        for module in MODULES
        if module.startswith(("pages", "app")) and not module.startswith("pages.parts.state.")
        for node in ast.walk(syntax(module))
        if isinstance(node, ast.Attribute) and node.attr in {"session_state", "query_params"}
    }
    assert outside == set()


@pytest.mark.parametrize(
    "package",
    [bpe_core, bpe_core.chat, bpe_core.files],
    ids=["all", "chat", "files"],
)
def test_the_names_of_a_package_are_imported_from_where_type_checkers_find_them(package):
    stub = ast.parse(Path(package.__file__ + "i").read_text(encoding="utf-8")).body
    found = {alias.asname: node.module for node in stub if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert homes_of(package.__spec__) == found
    assert set(package.__all__) == set(found) <= set(dir(package))
    assert {
        name for name, home in found.items() if getattr(package, name) is not getattr(import_module(home), name)
    } == set()


def test_every_module_of_a_package_is_there_when_its_name_is_used():
    program = "import bpe_core; print(*[getattr(bpe_core, name).__name__ for name in {names}])"
    names = sorted(name for name in MODULES if re.fullmatch(r"bpe_core\.[a-z]\w*", name))
    tried = program.format(names=[name.split(".")[1] for name in names])
    shown = ran([sys.executable, "-c", tried], cwd=ROOT, capture_output=True, text=True).stdout.split()
    assert shown == names
    assert not hasattr(bpe_core, "nothing_of_this_name")
    assert {"reference", "settings", "train"} <= set(dir(bpe_core))


def test_importing_the_package_loads_no_other_module_of_it_and_no_library():
    shown = ran(
        [sys.executable, "-c", "import sys, bpe_core; print(*sys.modules)"], cwd=ROOT, capture_output=True, text=True
    ).stdout.split()
    assert {name for name in shown if name.split(".")[0] in ("bpe_core", "numpy", "pyarrow", "regex")} == {"bpe_core"}


def test_names_that_are_not_used_yet_load_little():
    """`train` loads the settings; `load` of a name, no format of files."""
    program = (
        "import sys; from bpe_core import load, train; first = {*sys.modules}; load('gpt2'); print(*first); "
        "print(*sys.modules)"
    )
    done = ran([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    imported, used = (set(line.split()) for line in done.stdout.splitlines())
    later = ("regex", "bpe_core.corpus", "bpe_core.tokenizer", "bpe_core.training", "bpe_core.published")
    assert "bpe_core.settings" in imported
    assert not {name for name in imported if name.startswith(later)}
    assert {name for name in used if name.startswith("bpe_core.files")} == {"bpe_core.files", "bpe_core.files.loading"}


def test_pages_do_not_import_each_other():
    pages = {module for module in MODULES if chapter_of(module) == "pages"}
    assert not {(module, other) for module in pages for other in needs(module) & pages - {"pages"}}


def test_no_two_modules_have_one_name():
    # The file of a lesson or a command is named by its key.
    by_key = (".lessons.", ".commands.")
    names = [p.name for module, p in MODULES.items() if p.stem[:2] != "__" and not any(k in module for k in by_key)]
    assert sorted(set(names)) == sorted(names)


def test_no_module_is_named_like_a_function_of_the_package():
    """So that `from bpe_core.… import name` is never a module where a function of this name is meant."""
    functions = {name for name in bpe_core.__all__ if isfunction(getattr(bpe_core, name))}
    stems = {path.stem for module, path in MODULES.items() if ".commands." not in module and module[:5] != "pages"}
    assert functions & stems == set()


def test_one_driver_of_the_page_tests_touches_the_session():
    sources = ROOT.glob("tests/pages/**/*.py")
    touching = {path.name for path in sources if ".session_state" in path.read_text(encoding="utf-8")}
    assert touching == {"session.py"}


def test_no_two_classes_have_one_name():
    # A page's state has the name of its page, such as Chat.
    others = [module for module in MODULES if not module.endswith("_state")]
    names = [node.name for module in others for node in ast.walk(syntax(module)) if isinstance(node, ast.ClassDef)]
    assert sorted(set(names)) == sorted(names)


def test_no_circle_of_imports():
    try:
        list(TopologicalSorter({module: needs(module) for module in MODULES}).static_order())
    except CycleError as error:
        pytest.fail(" → ".join(error.args[1]))


def test_the_engine_knows_no_screen():
    outside = {
        (module, root)
        for module in MODULES
        if module.startswith("bpe_core")
        for node in ast.walk(syntax(module))
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for name in ([node.module] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names])
        if (root := name.split(".")[0]) in {"streamlit", "altair", "pandas", "pages"}
    }
    assert not outside


def test_one_file_names_what_is_used_of_streamlit_and_not_documented():
    inside = re.compile(r"^\s*(?:from|import) streamlit\.(?!delta_generator\b)|^from streamlit import", re.M)
    naming = {module for module, path in MODULES.items() if inside.search(path.read_text(encoding="utf-8"))}
    assert naming == {"pages.parts.server.inside_streamlit"}


def test_tests_do_not_import_each_other():
    """Code that several tests use is in texts.py, or in the driver of their folder."""
    sources = {path: path.read_text(encoding="utf-8") for path in ROOT.glob("tests/**/*.py")}
    found = {
        str(path.relative_to(ROOT)): re.findall(r"^from tests\..*\.test_\w+ |^from tests\..*conftest ", text, re.M)
        for path, text in sources.items()
    }
    assert {path: imports for path, imports in found.items() if imports} == {}


IMPORTED_AT_ONCE = """
import sys
from importlib import import_module
from inspect import isfunction
from threading import Barrier, Thread
import pages.parts.server.import_first
names = sys.argv[1:]
begin = Barrier(len(names))

def visit(name):
    begin.wait(60)
    import_module(name)

threads = [Thread(target=visit, args=[name], daemon=True) for name in names]
for each in threads: each.start()
for each in threads: each.join()
"""


def test_the_first_visitors_of_all_pages_may_come_at_once():
    names = [name for name in modules() if name.startswith("pages.parts.") and ".lessons." not in name]
    command = [sys.executable, "-c", IMPORTED_AT_ONCE, *names]
    done = ran(command, cwd=ROOT, capture_output=True, text=True)
    assert "Error" not in done.stderr


def test_the_server_imports_when_it_starts_what_threads_must_not_import_at_the_same_time():
    assert "pages.parts.server.server" in needs("app")
    assert "pages.parts.server.import_first" in needs("pages.parts.server.server")
